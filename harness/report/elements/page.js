/* Hands the report to the app, and gives the page the background of the theme that the app is in. */
const app = document.querySelector('mutation-test-report-app');
app.addEventListener('theme-changed', () => {
  document.body.style.backgroundColor = app.themeBackgroundColor;
});
app.report = JSON.parse(document.getElementById('data').textContent);
document.body.style.backgroundColor = app.themeBackgroundColor;
