// The page of `brio damping`: curves of artificial damping, and solutions that show what they mean.

import {Chart} from './chart.js';
import {number} from './format.js';
import {palette, style} from './line_styles.js';

const across = 'hω';

const errors = [];
window.addEventListener('error', (event) => errors.push(String(event.message)));

const data = JSON.parse(document.getElementById('brio-data').textContent);
const figures = document.getElementById('figures');

/** The measured line and, as dots on it, the closed form: enough of them to be seen, few enough not to hide it. */
function curveLines(curve, look, offset = 0) {
  const line = {name: curve.name, time: data.h_omega, values: curve.measured, ...look};
  if (!curve.closed_form) return [line];
  const kept = data.h_omega.map((_, i) => i).filter((i) => i % 12 === offset % 12);
  const dots = {name: `${curve.name}, closed form`, below: curve.name, color: look.color, points: true};
  return [line, {...dots, time: kept.map((i) => data.h_omega[i]), values: kept.map((i) => curve.closed_form[i])}];
}

function add(options, wide = false) {
  const chart = new Chart(figures, options);
  chart.root.classList.toggle('wide', wide);
  return chart;
}

add(
  {
    title: 'Damping d/ω of every method',
    note: '[SIERE] figure 18, for all methods',
    unit: '',
    log: 'x',
    across,
    lines: data.curves.flatMap((curve, i) => curveLines(curve, style(i), 5 * i)),
  },
  true,
);

for (const h of data.h) {
  const frequency = data.h_omega.map((product) => product / (2 * Math.PI * h));
  add({
    title: `What is left of a vibration after one second, steps of ${number(h)} s`,
    note: 'part of the amplitude, against the frequency; a method that gains leaves the picture',
    unit: '',
    log: 'x',
    across: 'f [Hz]',
    range: [0, 1.5],
    lines: data.curves.map((curve, i) => ({
      name: curve.name,
      ...style(i),
      time: frequency,
      values: curve.measured.map((d, k) => (d === null ? NaN : Math.exp(-(d * data.h_omega[k]) / h / 2))),
    })),
  });
}

function solutions({title, note, figure, runs, range}) {
  add({
    title,
    note,
    unit: 'm',
    range,
    lines: [
      {name: 'exact', color: '#b9c2cf', width: 1.2, time: figure.exact.t, values: figure.exact.q},
      ...runs,
    ],
  });
}

const {solutions: siere} = data;
const leaves = (values) => values.some((q) => Math.abs(q) > 3 / siere.omega); // would only be lines across the picture
solutions({
  title: 'Solutions of q″ + d q′ + ω²q = 0',
  note: `[SIERE] figure 19, for all methods: ω = ${siere.omega}, d = ${siere.d}, h = ${siere.h}, so hω = ${siere.h * siere.omega}`,
  figure: siere,
  range: [-1.2 / siere.omega, 1.2 / siere.omega],
  runs: siere.runs.map((run, i) => ({name: run.name, ...style(i), time: run.t, values: run.q, hidden: leaves(run.q)})),
});

add({
  title: 'Backward Euler: d/ω',
  note: '[ERE] figure 1: ln(1 + (hω)²)/(hω), at most 0.805 near hω = 1.98',
  unit: '',
  log: 'x',
  across,
  lines: curveLines(data.backward_euler, {color: palette[0], width: 2}),
});

add({
  title: 'Generalized α: d/ω for values of r',
  note: '[ERE] figure 4, with α = αm − αf',
  unit: '',
  log: 'x',
  across,
  lines: data.generalized_alpha.flatMap((curve, i) => curveLines(curve, {...style(i), dash: []}, 4 * i)),
});

for (const [figure, ghost] of [
  [2, data.ghost_short],
  [3, data.ghost_long],
]) {
  solutions({
    title: `Backward Euler and its ghost, ω = ${ghost.omega}, h = ${ghost.h}`,
    note: `[ERE] figure ${figure}: q(0) = 0, q′(0) = 1; the ghost has d = ${number(ghost.ghost_damping)} 1/s`,
    figure: ghost,
    runs: [
      {name: 'ghost', color: palette[1], time: ghost.ghost.t, values: ghost.ghost.q},
      {name: 'be', color: palette[0], dash: [5, 4], time: ghost.steps.t, values: ghost.steps.q},
      {name: 'steps', below: 'be', color: palette[0], points: true, time: ghost.steps.t, values: ghost.steps.q},
    ],
  });
}

/** For those who drive the page by script: tests and screenshots. */
window.brio = {ready: Promise.resolve(true), errors, charts: figures.children.length, data};
