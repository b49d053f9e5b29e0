// The page of `brio modes`: every mode over one period, whatever its frequency.

import {number} from './format.js';
import {element, showTitle, summaryTable} from './summary.js';

/** The player's clock. */
export const period = {label: 'period', unit: ' period', decimals: 2, speed: 0.5};

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const swings = ({kind}) => kind === 'elastic';

const columns = [
  ['Mode', (s) => s.mode],
  ['Frequency', (s) => (swings(s) ? `${number(s.frequency)} Hz` : s.kind === 'unstable' ? element('span', s.kind, 'pill diverged') : '–')],
  ['Period', (s) => (swings(s) ? `${number(1 / s.frequency, 3)} s` : '–')],
  ['h ω', (s) => number(s.h_omega, 3)],
  ...['x', 'y', 'z'].map((axis, i) => [`Mass ${axis}`, (s) => percent(s.mass[i])]),
];

/** The table stands where other pages have their charts: the shapes come first. */
export function showModes(report) {
  showTitle(report);
  const note = 'One period of each mode, all at the same pace and with exaggerated amplitude. Mass: the share of the moving mass that takes part when the ground shakes in that direction.';
  document.getElementById('charts').append(element('p', note), summaryTable(report.runs, columns));
  document.body.classList.add('modes');
}
