/* Filters the rows. */
const filters = document.querySelector('.filters');
if (filters) {
  filters.addEventListener('input', filter);
  filters.addEventListener('reset', () => setTimeout(filter)); // the fields are empty only after the event
  filters.addEventListener('submit', (event) => event.preventDefault());
  filter();
}

function filter() {
  const { text, ...chosen } = Object.fromEntries(new FormData(filters));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...document.querySelectorAll('tr[data-status]')];
  for (const row of rows) row.hidden = !matches(row, words, chosen);
  for (const group of document.querySelectorAll('tbody')) {
    group.hidden = !group.querySelector('tr[data-status]:not([hidden])');
  }
  const output = filters.querySelector('output');
  const counts = { shown: rows.filter((row) => !row.hidden).length, all: rows.length };
  output.textContent = output.dataset.text.replace(/\{(\w+)\}/g, (_, name) => counts[name]);
}

/** Whether all words are in its name or its description, and its properties are as chosen. */
function matches(row, words, chosen) {
  const told = `${row.cells[0].textContent} ${row.cells[row.cells.length - 1].textContent}`.toLowerCase();
  const fits = ([name, value]) => !value || row.dataset[name] === value;
  return words.every((word) => told.includes(word)) && Object.entries(chosen).every(fits);
}
