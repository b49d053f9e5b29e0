// Keys of a page, and the list of them that `?` shows.

import {element} from './summary.js';

/** keys: rows of what the browser calls the key, how it is written, what it does, and the action. */
export function connectKeys(keys) {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.('select, input:not([type="range"])')) return;
    const action = keys.find(([key]) => key === event.key || key === event.key.toLowerCase())?.[3];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
  // The space key would also press the button that was clicked last.
  window.addEventListener('keyup', (event) => event.key === ' ' && !event.target.matches?.('select, input:not([type="range"])') && event.preventDefault());
}

/** rows: what, and what it does. */
export function connectHelp(button, dialog, rows) {
  dialog.querySelector('table').append(
    ...rows.map(([what, meaning]) => {
      const row = element('tr');
      row.append(element('th', what), element('td', meaning));
      return row;
    }),
  );
  button.addEventListener('click', () => (dialog.open ? dialog.close() : dialog.showModal()));
}
