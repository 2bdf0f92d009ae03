// Runs before anything is drawn, so that a chosen theme does not flash.
const chosenTheme = localStorage.getItem('meeple-theme');
if (chosenTheme) document.documentElement.dataset.theme = chosenTheme;
