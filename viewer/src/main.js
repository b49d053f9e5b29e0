// Puts the page together: data, picture, charts and controls around one player.

import {Chart} from './chart.js';
import {connectControls} from './controls.js';
import {readReport} from './data.js';
import {Player} from './player.js';
import {showPicture} from './picture.js';
import {iterations, showRestCharts, showRestSummary} from './rest_shape.js';
import {showSummary} from './summary.js';

const colours = {kinetic: '#e07b28', elastic: '#2f7fc1', gravity: '#5a9a4a', contact: '#9b59a5', total: '#1d2733', expected: '#d1495b'};
const axes = {x: '#d1495b', y: '#4f9a5f', z: '#2f7fc1'};

/** For those who drive the page by script: tests and screenshots. */
function expose(player, errors, ready) {
  window.brio = {
    ready,
    errors,
    frames: player.frames,
    get frame() {
      return player.frame;
    },
    get playing() {
      return player.playing;
    },
    setFrame: (i) => player.setFrame(i),
  };
}

function collectErrors() {
  const errors = [];
  window.addEventListener('error', (event) => errors.push(String(event.message)));
  window.addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
  return errors;
}

function showCharts(runs, player) {
  const parent = document.getElementById('charts');
  const named = (run, name) => (runs.length > 1 ? `${run.name}: ${name}` : name);
  const lines = (describe) => runs.flatMap((run) => describe(run).map((line) => ({...line, name: named(run, line.name), time: run.series.time})));

  new Chart(parent, {
    title: 'Energy',
    note: 'expected = initial + injected − dissipated',
    unit: 'J',
    player,
    lines: lines(({series}) => [
      ...['kinetic', 'elastic', 'gravity', 'contact'].map((name) => ({name, colour: colours[name], values: series[name]})),
      {name: 'total', colour: colours.total, values: series.total, width: 2},
      {name: 'expected', colour: colours.expected, values: series.expected, dash: [5, 4]},
    ]),
  });
  for (const [title, column, unit] of [
    ['Linear momentum', 'linear', 'kg m/s'],
    ['Angular momentum', 'angular', 'kg m²/s'],
  ]) {
    new Chart(parent, {
      title,
      unit,
      player,
      lines: lines(({series}) => Object.entries(axes).map(([axis, colour]) => ({name: axis, colour, values: series[`${column}_${axis}`]}))),
    });
  }
}

const errors = collectErrors();
const report = readReport();
const atRest = report.kind === 'quasistatic';
const player = new Player(report.runs, atRest ? iterations : undefined);
(atRest ? showRestSummary : showSummary)(report);
(atRest ? showRestCharts : showCharts)(report.runs, player);
const ready = showPicture(report, player);
connectControls(player);
expose(player, errors, ready);
player.changed();
if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
