// Light or dark: as the browser asks for, or as was chosen on this page.

const dark = window.matchMedia('(prefers-color-scheme: dark)');

function chosen() {
  try {
    return window.localStorage.getItem('brio-theme');
  } catch {
    return null; // a page without storage, as one that was opened from a file may be
  }
}

export function isDark() {
  return document.documentElement.dataset.theme === 'dark';
}

function apply(theme) {
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event('brio-theme'));
}

export function toggleTheme() {
  const theme = isDark() ? 'light' : 'dark';
  try {
    window.localStorage.setItem('brio-theme', theme);
  } catch {
    // it holds until the page is closed
  }
  apply(theme);
}

const now = () => chosen() ?? (dark.matches ? 'dark' : 'light');
apply(now());
dark.addEventListener('change', () => apply(now()));
