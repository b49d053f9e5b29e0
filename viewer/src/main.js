// Puts the page together: data, picture, charts and controls around one player.

import {showCharts} from './charts.js';
import {connectControls} from './controls.js';
import {readReport} from './data.js';
import {showMeshCharts, showMeshSummary} from './mesh_page.js';
import {period, showModes} from './mode_shapes.js';
import {Player} from './player.js';
import {showPicture} from './picture.js';
import {iterations, showRestCharts, showRestSummary} from './rest_shape.js';
import {showSummary} from './summary.js';

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

/** What the kinds of page show beside the picture, and what their player counts. */
const kinds = {
  run: {summary: showSummary, charts: showCharts},
  quasistatic: {summary: showRestSummary, charts: showRestCharts, clock: iterations},
  mesh: {summary: showMeshSummary, charts: showMeshCharts},
  modes: {summary: showModes, charts: () => {}, clock: period},
};

const errors = collectErrors();
const report = readReport();
document.body.classList.toggle('comparison', report.comparison);
// Inside another page the bodies alone are wanted.
document.body.classList.toggle('bodies', window.location.hash === '#bodies');
const {summary, charts, clock} = kinds[report.kind];
const player = new Player(report.runs, clock);
summary(report);
charts(report, player);
const ready = showPicture(report, player);
connectControls(player);
expose(player, errors, ready);
player.changed();
if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) player.play();
