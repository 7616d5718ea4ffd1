/* Copies a script. */
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('.copy');
  if (!button) return;
  const text = button.nextElementSibling;
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = button.dataset.copied;
  } catch {
    getSelection().selectAllChildren(text); // the browser does not allow it here
    button.textContent = button.dataset.selected;
  }
});
