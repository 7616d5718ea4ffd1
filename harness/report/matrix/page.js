/* Filters the rows, and opens what belongs to a cell. */
const dialog = document.querySelector('#opened');
const shown = dialog.querySelector('div');

document.addEventListener('click', ({ target }) => {
  const opener = target.closest('[data-opens]');
  if (opener) open(opener.dataset);
  if (target === dialog || target.closest('.close')) dialog.close(); // the dialog itself is hit beside its content
  const copy = target.closest('.copy');
  if (copy) copyScript(copy);
});

/** Shows the template of that name; of several steps the one that was asked for first. */
function open({ opens, step }) {
  shown.replaceChildren(document.getElementById(opens).content.cloneNode(true));
  const asked = step && shown.querySelector(`section[data-step="${step}"]`);
  if (asked) asked.parentElement.querySelector('section').before(asked);
  dialog.showModal();
  dialog.scrollTop = 0;
}

/** To the clipboard; where the browser does not allow that, the text is selected. */
async function copyScript(button) {
  const text = button.closest('dt').nextElementSibling.firstElementChild;
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = button.dataset.copied;
  } catch {
    getSelection().selectAllChildren(text);
    button.textContent = button.dataset.selected;
  }
}

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
