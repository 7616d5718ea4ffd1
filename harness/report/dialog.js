/* Opens what belongs to a cell. */
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
