// The report of `brio quasistatic`: the iterates take the place of time.

import {Chart} from './chart.js';
import {number, whole} from './format.js';
import {element, showTitle, summaryTable} from './summary.js';

/** The player's clock. */
export const iterations = {label: 'iter.', unit: ' iterations', decimals: 0};

const columns = [
  ['Vertices', (s) => whole(s.vertices)],
  ['Elements', (s) => whole(s.elements)],
  ['Status', (s) => element('span', s.status, `pill ${s.status}`)],
  ['Iterations', (s) => whole(s.iterations)],
  ['Unbalanced part of the load', (s) => number(s.residual, 3)],
  ['Load', (s) => `${number(s.load)} N`],
  ['Elastic energy', (s) => `${number(s.energy.elastic)} J`],
  ['Projections, shifts', (s) => `${whole(s.projections)}, ${whole(s.shifts)}`],
  ['Time of supports and loads', (s) => `${number(s.time)} s`],
  ['Wall time', (s) => `${number(s.wall_s, 3)} s`],
];

export function showRestSummary(report) {
  showTitle(report);
  document.getElementById('summary').append(summaryTable(report.runs, columns));
  for (const {summary} of report.runs.filter((run) => run.summary.message !== '')) {
    const banner = element('p', undefined, `banner ${summary.status}`);
    banner.append(element('strong', `${summary.status}: `), summary.message);
    document.getElementById('banners').append(banner);
  }
}

export function showRestCharts({runs: [run]}, player) {
  const parent = document.getElementById('charts');
  const line = (name, color, more) => ({name, color, time: run.series.time, values: run.series[name], ...more});
  new Chart(parent, {
    title: 'Energy',
    unit: 'J',
    player,
    lines: [line('elastic', '#2f7fc1'), line('gravity', '#5a9a4a'), line('contact', '#9b59a5'), line('total', '#1d2733', {width: 2})],
  });
  new Chart(parent, {
    title: 'Residual',
    note: 'unbalanced force over load',
    unit: '',
    log: 'y',
    player,
    lines: [line('residual', '#d1495b', {width: 2})],
  });
}
