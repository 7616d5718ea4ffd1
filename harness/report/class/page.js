/* Sorts the rows by a column, and shows those that are looked for. */
const table = document.querySelector('.map');
const body = table.tBodies[0];

for (const [index, head] of [...table.tHead.rows[0].cells].entries()) {
  head.firstElementChild.addEventListener('click', () => sortBy(head, index));
}

/** Rows that are alike keep their order; asked again, the order is turned round. */
function sortBy(head, index) {
  const descending = head.getAttribute('aria-sort') === 'ascending';
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  const isNumber = head.firstElementChild.dataset.sort === 'number';
  const value = (row) => row.cells[index].dataset.value;
  const compare = (a, b) => (isNumber ? value(a) - value(b) : value(a).localeCompare(value(b)));
  const rows = [...body.rows].sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
  body.append(...rows);
}

const filters = document.querySelector('.filters');
filters.addEventListener('input', filter);
filters.addEventListener('reset', () => setTimeout(filter)); // the fields are empty only after the event
filters.addEventListener('submit', (event) => event.preventDefault());
filter();

function filter() {
  const { text, verdict } = Object.fromEntries(new FormData(filters));
  const rows = [...body.rows];
  for (const row of rows) {
    const isNamed = row.cells[0].dataset.value.toLowerCase().includes(text.trim().toLowerCase());
    row.hidden = !isNamed || (verdict !== '' && row.dataset.verdict !== verdict);
  }
  const counts = { shown: rows.filter((row) => !row.hidden).length, all: rows.length };
  const output = filters.querySelector('output');
  output.textContent = output.dataset.text.replace(/\{(\w+)\}/g, (_, name) => counts[name]);
}

/* On paper all that is folded is open. */
addEventListener('beforeprint', () => {
  for (const each of document.querySelectorAll('details')) each.open = true;
});
