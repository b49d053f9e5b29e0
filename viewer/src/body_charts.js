// Energies of the bodies, one by one.

import {Chart} from './chart.js';
import {bodyColor} from './color.js';

const mostLines = 8;
const kinds = ['total', 'kinetic'];

function spread(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high - low;
}

/** A line for each body or, where there are many, for those whose energy changes most; the sum of the others can be shown. */
function bodyLines({bodies, bodySeries: {time, ...series}}, kind) {
  const curves = series[kind];
  const order = curves.map((_, i) => i).sort((a, b) => spread(curves[b]) - spread(curves[a]));
  const shown = order.slice(0, mostLines).sort((a, b) => a - b);
  const others = order.slice(mostLines);
  const lines = shown.map((i) => ({name: bodies[i], color: bodyColor(i), time, values: curves[i]}));
  if (others.length > 0) {
    const values = time.map((_, k) => others.reduce((sum, i) => sum + curves[i][k], 0));
    lines.push({name: `${others.length} other${others.length === 1 ? '' : 's'}`, color: '#1d2733', dash: [5, 4], time, values, hidden: true});
  }
  return lines;
}

export function showBodyEnergies(parent, run, player) {
  const choices = kinds.map((kind) => ({name: kind, unit: 'J', lines: bodyLines(run, kind)}));
  new Chart(parent, {title: 'Energy of each body', player, choices}).root.classList.add('tall');
}

/** For the page of a comparison: one body of all runs at a time. style: how the line of a run looks. */
export function comparedBodies({bodies}, runs, style) {
  const known = runs.filter((run) => run.bodySeries);
  return bodies.map((name, i) => ({
    name: `total, ${name}`,
    unit: 'J',
    lines: known.filter((run) => i < run.bodies.length).map((run) => ({...style(run), time: run.bodySeries.time, values: run.bodySeries.total[i]})),
  }));
}
