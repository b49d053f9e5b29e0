// What can be changed while the bodies move: a slider and a field for each number of the scene file, with its place there.

import {number} from './format.js';
import {element} from './summary.js';

const sliderSteps = 1000;

/** Place on a slider of 0 … 1 and back. */
function scaleOf({least, most, logarithmic, whole}) {
  const to = logarithmic ? (x) => Math.log(x / least) / Math.log(most / least) : (x) => (x - least) / (most - least);
  const from = logarithmic ? (part) => least * (most / least) ** part : (part) => least + part * (most - least);
  return {
    to: (x) => Math.min(1, Math.max(0, to(x))),
    from: (part) => (whole ? Math.round(from(part)) : Number(from(part).toPrecision(3))),
  };
}

function numberRow(parameter, change) {
  const scale = scaleOf(parameter);
  const slider = Object.assign(element('input'), {type: 'range', min: 0, max: sliderSteps, value: sliderSteps * scale.to(parameter.value)});
  const field = Object.assign(element('input'), {type: 'text', inputMode: 'decimal', value: parameter.value});
  slider.setAttribute('aria-label', parameter.label);
  field.setAttribute('aria-label', `${parameter.label}, value`);
  slider.addEventListener('input', () => (field.value = scale.from(slider.value / sliderSteps)));
  slider.addEventListener('change', () => change(scale.from(slider.value / sliderSteps)));
  field.addEventListener('change', () => {
    if (Number.isFinite(Number(field.value)) && field.value.trim() !== '') change(Number(field.value));
    else field.value = parameter.value;
  });
  return [slider, field];
}

function choiceRow(parameter, change) {
  const select = element('select');
  for (const choice of parameter.choices) select.add(new Option(choice, choice, false, choice === parameter.value));
  select.setAttribute('aria-label', parameter.label);
  select.addEventListener('change', () => change(select.value));
  return [select];
}

function switchRow(parameter, change) {
  const box = Object.assign(element('input'), {type: 'checkbox', checked: parameter.value});
  box.setAttribute('aria-label', parameter.label);
  box.addEventListener('change', () => change(box.checked));
  return [box];
}

function row(parameter, change) {
  const node = element('div', undefined, 'parameter');
  node.dataset.path = parameter.path;
  node.title = `${parameter.path}${parameter.unit ? ` [${parameter.unit}]` : ''}: ${parameter.doc}`;
  node.append(element('span', parameter.unit ? `${parameter.label} [${parameter.unit}]` : parameter.label));
  const make = typeof parameter.value === 'number' ? numberRow : typeof parameter.value === 'boolean' ? switchRow : choiceRow;
  node.append(...make(parameter, change));
  return node;
}

/** runs: [{name}], lists: the parameters of each. Shared ones are shown once, those of a method with its run. */
export function showParameters(runs, lists, say) {
  const root = document.getElementById('parameters');
  const closed = new Set([...root.querySelectorAll('details:not([open])')].map(({dataset}) => dataset.group));
  const first = root.childElementCount === 0;
  const groups = new Map();
  lists.forEach((parameters, run) =>
    parameters.forEach((parameter, index) => {
      const own = parameter.own && lists.length > 1;
      if (run > 0 && !own) return;
      const name = own ? `${parameter.group} of ${runs[run].name}` : parameter.group;
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(row(parameter, (value) => say('set', {run, index, value})));
    }),
  );
  root.replaceChildren(
    ...[...groups].map(([name, rows]) => {
      const details = element('details');
      details.dataset.group = name;
      details.open = first ? !name.startsWith('World') || lists.length === 1 : !closed.has(name);
      details.append(element('summary', name), ...rows);
      return details;
    }),
  );
}

export const strengths = [0.1, 0.3, 1, 3, 10, 30, 100];
export const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];

/** A select of factors; `now` is the one that holds. */
export function factorSelect(select, factors, change) {
  for (const factor of factors) select.add(new Option(`${number(factor)}×`, factor, false, factor === 1));
  select.addEventListener('change', () => change(Number(select.value)));
  return (now) => {
    if (document.activeElement !== select) select.value = now;
  };
}
