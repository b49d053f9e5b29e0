// The bodies of the scene by name: a list that shows and hides them, and the name of the one under the mouse.

import {bodyColor} from './color.js';
import {element} from './summary.js';

function checkbox(text, onChange) {
  const label = element('label');
  const box = label.appendChild(element('input'));
  Object.assign(box, {type: 'checkbox', checked: true});
  box.addEventListener('change', onChange);
  const swatch = label.appendChild(element('i'));
  label.append(element('span', text));
  return {label, box, swatch};
}

/** Shows the list, whose first row stands for all bodies. */
export function showBodyList(names, view) {
  const list = document.getElementById('body-list');
  const changed = () => {
    const hidden = new Set(rows.flatMap(({box}, i) => (box.checked ? [] : [i])));
    Object.assign(all.box, {checked: hidden.size === 0, indeterminate: hidden.size > 0 && hidden.size < names.length});
    view.hide(hidden);
  };
  const rows = names.map((name) => checkbox(name, changed));
  const all = checkbox(`${names.length} bod${names.length === 1 ? 'y' : 'ies'}`, () => {
    for (const {box} of rows) box.checked = all.box.checked;
    changed();
  });
  all.swatch.remove();
  rows.forEach(({swatch}, i) => (swatch.style.background = bodyColor(i)));
  list.replaceChildren(...[all, ...rows].map(({label}) => label));
  list.hidden = false;
}

/** Shows the name beside the mouse, at most once for each picture. */
export function showBodyNames(names, view) {
  const label = document.getElementById('body-name');
  const canvas = view.renderer.domElement;
  let latest = null;
  const find = () => {
    const number = latest ? view.bodyAt(latest.offsetX, latest.offsetY) : -1;
    label.hidden = number < 0;
    if (number >= 0) {
      label.textContent = names[number];
      label.style.cssText = `left: ${latest.offsetX + 14}px; top: ${latest.offsetY + 14}px; --dot: ${bodyColor(number)}`;
    }
    latest = null;
  };
  canvas.addEventListener('pointermove', (event) => {
    if (event.buttons !== 0) return;
    if (!latest) requestAnimationFrame(find);
    latest = event;
  });
  for (const name of ['pointerdown', 'pointerleave']) canvas.addEventListener(name, () => (label.hidden = true));
}
