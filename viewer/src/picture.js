// The 3D picture with its buttons and its legend; a message where the browser cannot draw it.

import {showBodyList, showBodyNames} from './body_list.js';
import {gradient, highest, lowest} from './color.js';
import {pressable} from './controls.js';
import {fieldTop} from './data.js';
import {number} from './format.js';
import {Probe} from './probe.js';
import {curvesTable, saveBlob, VideoRecorder} from './save.js';
import {SceneView} from './scene_view.js';

const fields = {
  speed: {title: 'Speed', unit: 'm/s'},
  strain: {title: 'Strain', unit: ''},
  stress: {title: 'Stress', unit: 'Pa, von Mises'},
  stretch: {title: 'Stretch', unit: 'largest principal stretch less 1'},
  squeeze: {title: 'Squeeze', unit: '1 less the smallest principal stretch'},
  contact: {title: 'Contact', unit: 'N at each vertex'},
  awake: {title: 'Nodes', unit: '', top: 1, ends: ['asleep', 'awake'], background: `linear-gradient(to right, ${lowest} 50%, ${highest} 50%)`},
  rate: {title: 'Stretching', unit: '1/s'},
};
/** Modes have no speed; what takes its place is the displacement. */
const modeFields = {speed: {title: 'Displacement', unit: 'of the largest'}};

function showMessage(text) {
  const message = document.createElement('p');
  message.className = 'no-picture';
  message.textContent = text;
  document.getElementById('view').replaceChildren(message);
}

function showLegend(name, top) {
  const legend = document.getElementById('legend');
  legend.hidden = !(name in fields);
  if (legend.hidden) return;
  const {title, unit, ends, background} = fields[name];
  legend.innerHTML = '<div class="legend-title"></div><div class="legend-bar"></div><div class="legend-ticks"></div>';
  legend.children[0].textContent = unit ? `${title} [${unit}]` : title;
  legend.children[1].style.background = background ?? gradient;
  const numbers = [0, 0.25, 0.5, 0.75, 1].map((part) => (part === 1 ? '≥ ' : '') + number(part * top, 2));
  for (const text of ends ?? numbers) {
    const tick = document.createElement('span');
    tick.textContent = text;
    legend.children[2].append(tick);
  }
}

function connectColors(report, view) {
  const ofModes = report.kind === 'modes';
  if (ofModes) Object.assign(fields, modeFields);
  const tops = {};
  const buttons = document.querySelectorAll('[data-color]');
  const choose = (name) => {
    if (name in fields) tops[name] ??= fields[name].top ?? fieldTop(report.runs, name);
    for (const button of buttons) button.setAttribute('aria-checked', button.dataset.color === name);
    view.colorBy(name, tops[name]);
    showLegend(name, tops[name]);
  };
  const adaptive = report.runs.some((run) => run.adaptive);
  for (const button of buttons) {
    if (['awake', 'rate'].includes(button.dataset.color)) button.hidden = !adaptive;
    if (button.dataset.color === 'stress') button.hidden = !report.runs.some((run) => run.stressed);
    if (['stretch', 'squeeze'].includes(button.dataset.color)) button.hidden = !report.runs.some((run) => run.stretched);
    if (button.dataset.color === 'contact') button.hidden = !report.runs.some((run) => run.touching);
    if (button.dataset.color === 'body') button.hidden = report.bodies.length === 0;
    if (button.dataset.color in fields) button.textContent = fields[button.dataset.color].title;
    button.addEventListener('click', () => choose(button.dataset.color));
  }
  choose(ofModes ? 'speed' : report.bodies.length > 0 && !report.comparison ? 'body' : 'plain');
}

function connectLayout(report, view) {
  const group = document.getElementById('layout');
  group.hidden = report.runs.length < 2;
  const choose = (name) => {
    for (const button of group.children) button.setAttribute('aria-checked', button.dataset.layout === name);
    view.arrange(name === 'side');
  };
  for (const button of group.children) button.addEventListener('click', () => choose(button.dataset.layout));
  choose('side');
}

function connectSavers(report, view) {
  const name = (report.title || 'brio').replaceAll(/[^\w.-]+/g, '-');
  const canvas = view.renderer.domElement;
  document.getElementById('save-picture').addEventListener('click', () => {
    view.render(); // what was drawn is gone once the browser has shown it
    canvas.toBlob((blob) => saveBlob(blob, `${name}.png`));
  });
  new VideoRecorder(document.getElementById('save-video'), () => canvas);
  const curves = document.getElementById('save-curves');
  curves.hidden = !report.runs.some(({series}) => series.time);
  const runs = report.reference ? [...report.runs, report.reference] : report.runs;
  curves.addEventListener('click', () => saveBlob(new Blob([curvesTable(runs)], {type: 'text/csv'}), `${name}.csv`));
}

/** Resolves to whether there is a picture, once its first frame is drawn. */
export function showPicture(report, player) {
  if (player.frames === 0) {
    showMessage('No frames were recorded.');
    return Promise.resolve(false);
  }
  let view;
  try {
    view = new SceneView(document.getElementById('view'), report, player);
  } catch (error) {
    showMessage(`This browser cannot draw in 3D: WebGL is switched off or missing. (${error.message})`);
    return Promise.resolve(false);
  }
  connectSavers(report, view);
  if (player.frames > 1) new Probe(report, view, player);
  connectColors(report, view);
  connectLayout(report, view);
  if (report.bodies.length > 0) {
    showBodyList(report.bodies, view);
    showBodyNames(report.bodies, view);
  }
  pressable(document.getElementById('mesh-lines'), true, (on) => view.showMeshLines(on));
  document.getElementById('reset-view').addEventListener('click', () => view.resetCamera());
  document.getElementById('grid-note').textContent = `grid ${number(view.gridSpacing)} m`;
  return view.firstPicture.then(() => true);
}
