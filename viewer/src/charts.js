// The curves beside the picture: kinds of energy for one run, one kind for all runs of a comparison.

import {comparedBodies, showBodyEnergies} from './body_charts.js';
import {Chart} from './chart.js';
import {runColors} from './color.js';
import {WorkPrecision} from './work_precision.js';

const colors = {kinetic: '#e07b28', elastic: '#2f7fc1', gravity: '#5a9a4a', contact: '#9b59a5', total: '#1d2733', expected: '#d1495b'};
const axes = {x: '#d1495b', y: '#4f9a5f', z: '#2f7fc1'};
const momenta = [
  ['Linear momentum', 'linear', 'kg m/s'],
  ['Angular momentum', 'angular', 'kg m²/s'],
];

/** How lively the body is around each adaptive node, and how many of them are awake. */
function showLiveliness(parent, {time, dynamic, nodes, rates}, player) {
  const lines = rates.map((values, i) => ({name: `vertex ${nodes[i]}`, color: runColors[i % runColors.length], time, values}));
  const count = {name: 'dynamic nodes', color: colors.total, time, values: dynamic};
  new Chart(parent, {
    title: 'Liveliness',
    player,
    choices: [
      {name: 'rate of stretching', unit: '1/s', lines},
      {name: 'dynamic nodes', unit: '', lines: [count]},
    ],
  });
}

function showRun(parent, [run], player) {
  const {series, extras, liveliness, bodySeries} = run;
  const line = (values, rest) => ({values, time: series.time, ...rest});
  const kinds = ['kinetic', 'elastic', 'gravity', 'contact'].map((name) => line(series[name], {name, color: colors[name]}));
  const sums = [
    line(series.total, {name: 'total', color: colors.total, width: 2}),
    line(series.expected, {name: 'expected', color: colors.expected, dash: [5, 4]}),
  ];
  new Chart(parent, {
    title: 'Energy',
    note: 'expected = initial + injected − dissipated',
    player,
    choices: [{unit: 'J', lines: [...kinds, ...sums]}],
  });
  if (bodySeries) showBodyEnergies(parent, run, player);
  for (const {name, meaning, unit} of extras) {
    if (!series[name]?.some(Number.isFinite)) continue; // another method's
    // The method has nothing to say of the state that it begins with.
    const first = Number.isFinite(series[name][0]) ? 0 : 1;
    const values = series[name].slice(first).map((value) => (Number.isFinite(value) ? value : 0));
    new Chart(parent, {
      title: (name[0].toUpperCase() + name.slice(1)).replaceAll('_', ' '),
      range: values.some((value) => value !== 0) ? undefined : [-1, 1],
      note: meaning,
      player,
      choices: [{unit, lines: [{name, time: series.time.slice(first), values, color: colors.total}]}],
    });
  }
  for (const [title, column, unit] of momenta) {
    const lines = Object.entries(axes).map(([axis, color]) => line(series[`${column}_${axis}`], {name: axis, color}));
    new Chart(parent, {title, player, choices: [{unit, lines}]});
  }
  if (liveliness) showLiveliness(parent, liveliness, player);
}

/** Greatest less least value over the lines that are not aside. */
function range({lines}) {
  let [low, high] = [Infinity, -Infinity];
  for (const {values, aside} of lines)
    for (const value of aside ? [] : values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high - low;
}

function widest(choices) {
  return choices.reduce((best, choice, i) => (range(choice) > 1.001 * range(choices[best]) ? i : best), 0);
}

function showComparison(parent, report, player) {
  const {runs, reference, probe} = report;
  const curves = reference ? [...runs, reference] : runs;
  const style = (run) => ({
    name: run.name,
    ...(run.isReference ? {color: '#1d2733', dash: [5, 4]} : {color: run.color}),
    aside: ['diverged', 'failed'].includes(run.summary.status),
  });
  const lines = (column) => curves.map((run) => ({...style(run), time: run.series.time, values: run.series[column]}));
  const kinds = ['total', 'kinetic', 'elastic', 'gravity', 'contact'].map((name) => ({name, unit: 'J', lines: lines(name)}));
  new Chart(parent, {title: 'Energy', player, choices: [...kinds, ...comparedBodies(report, curves, style)]});

  const directions = momenta.flatMap(([title, column, unit]) =>
    Object.keys(axes).map((axis) => ({name: `${title.split(' ')[0].toLowerCase()}, ${axis}`, unit, lines: lines(`${column}_${axis}`)})),
  );
  new Chart(parent, {title: 'Momentum', player, choices: directions, chosen: widest(directions.slice(0, 3))});
  if (probe) {
    const paths = curves.map((run) => ({...style(run), time: run.probe.time, values: run.probe.value}));
    new Chart(parent, {title: `Path of the probe (${probe})`, player, choices: [{unit: 'm', lines: paths}]});
  }
  const measured = runs.filter(({metrics, summary}) => metrics?.error > 0 && metrics.cost > 0 && summary.status !== 'diverged');
  if (measured.length > 0) new WorkPrecision(parent, measured, reference);
}

export function showCharts(report, player) {
  const parent = document.getElementById('charts');
  if (report.comparison || report.runs.length > 1) showComparison(parent, report, player);
  else if (report.runs.length > 0) showRun(parent, report.runs, player);
}
