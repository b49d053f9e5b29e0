// Title, warnings and the table of numbers: one row per run.

import {bodyColor} from './color.js';
import {number, whole} from './format.js';

const phaseColors = ['#3b6fb6', '#e08a2e', '#4f9a5f', '#a9b2c0', '#9063a8'];

export function element(tag, text, className) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
}

function phases(phaseMs) {
  const entries = Object.entries(phaseMs);
  const total = entries.reduce((sum, [, ms]) => sum + ms, 0);
  const cell = element('div', undefined, 'phases');
  const bar = cell.appendChild(element('div', undefined, 'bar'));
  const key = cell.appendChild(element('div', undefined, 'key'));
  entries.forEach(([name, ms], i) => {
    const color = phaseColors[i % phaseColors.length];
    const part = bar.appendChild(element('span'));
    part.style.cssText = `flex: ${total > 0 ? ms / total : 0}; background: ${color}`;
    const label = element('span', `${name} ${number(ms, 3)}`);
    label.style.setProperty('--dot', color);
    key.append(label);
  });
  return cell;
}

/** Without a key: the heading explains the colors once for all rows. */
function shortPhases(phaseMs) {
  const cell = phases(phaseMs);
  cell.title = Object.entries(phaseMs).map(([name, ms]) => `${name} ${number(ms, 3)} ms`).join(', ');
  cell.querySelector('.key').remove();
  return cell;
}

function phaseHeading({summary}) {
  const heading = phases(Object.fromEntries(Object.keys(summary.phase_ms).map((name) => [name, 0])));
  heading.querySelector('.bar').remove();
  for (const label of heading.querySelectorAll('.key span')) label.textContent = label.textContent.replace(/ 0$/, '');
  return heading;
}

const percent = (share) => (share === null ? '–' : `${number(100 * share, 3)} %`);
const plain = (value, unit = '') => (value === null ? '–' : `${number(value, 3).replace('-', '−')}${unit}`);

function named(run) {
  const node = element('span', run.name, 'run-name');
  node.style.setProperty('--dot', run.isReference ? '#1d2733' : run.color);
  return node;
}

function costBar({metrics, color, isReference}, most) {
  const cell = element('div', undefined, 'cost');
  const bar = cell.appendChild(element('span'));
  const longest = 80; // [px]
  bar.style.cssText = `width: ${most > 0 ? longest * Math.min(1, metrics.cost / most) : 0}px; background: ${isReference ? '#1d2733' : color}`;
  cell.append(element('b', `${number(metrics.cost, 3)} s`));
  return cell;
}

/** [heading, what it means, what to show of a run] */
function comparisonColumns(report) {
  const most = Math.max(...report.runs.map((run) => run.metrics.cost));
  const columns = [
    ['Method', '', named],
    ['Step h', '', ({summary}) => `${number(summary.h)} s`],
    ['Status', '', ({summary: {status, steps}}) => element('span', finished(status) ? status : `${status}, step ${whole(steps)}`, `pill ${status}`)],
    ['Step time, median (95 %)', '', ({summary}) => `${number(summary.step_ms.median, 3)} (${number(summary.step_ms.p95, 3)}) ms`],
    [report.runs.find(({summary}) => Object.keys(summary.phase_ms).length > 0), 'Where the time of a step goes', ({summary}) => shortPhases(summary.phase_ms)],
    ['Cost per simulated second', 'Time spent in steps per simulated second', (run) => costBar(run, most)],
    ['Energy kept', 'Share of the energy above the lowest potential energy of all runs, at the end', ({metrics}) => percent(metrics.energy_kept)],
    ['Swing over the last', 'Amplitude ratio of successive swings of the probe', ({metrics}) => percent(metrics.amplitude_ratio)],
    ['Damping, fit', 'Artificial damping d of the dominant motion, amplitude exp(−d t / 2)', ({metrics}) => plain(metrics.damping_fit, ' /s')],
    ['Damping, closed form', 'The same for the method on an oscillator of that frequency', ({metrics}) => plain(metrics.damping_closed_form, ' /s')],
  ];
  if (report.runs.some(({metrics}) => metrics.error !== null))
    columns.push(['Error', `Distance from ${report.reference?.name}, relative to its displacement`, ({metrics}) => percent(metrics.error)]);
  return columns;
}

function comparisonTable(report) {
  const table = element('table');
  const head = table.createTHead().insertRow();
  const body = table.createTBody();
  const columns = comparisonColumns(report);
  for (const [label, meaning] of columns) {
    const cell = head.appendChild(element('th', typeof label === 'string' ? label : undefined));
    if (typeof label === 'object') cell.append(phaseHeading(label));
    cell.title = meaning;
  }
  for (const run of report.reference ? [...report.runs, report.reference] : report.runs) {
    const row = body.insertRow();
    row.className = run.isReference ? 'reference' : '';
    for (const [, , show] of columns) row.insertCell().append(show(run));
  }
  return table;
}

const columns = [
  ['Integrator', (s) => s.integrator],
  ['Vertices', (s) => whole(s.vertices)],
  ['Elements', (s) => whole(s.elements)],
  ['Step h', (s) => `${number(s.h)} s`],
  ['Steps', (s) => whole(s.steps)],
  ['Status', (s) => element('span', s.status, `pill ${s.status}`)],
  ['Step time, median (95 %)', (s) => `${number(s.step_ms.median, 3)} (${number(s.step_ms.p95, 3)}) ms`],
  ['Phases [ms per step]', (s) => phases(s.phase_ms)],
  ['Wall time', (s) => `${number(s.wall_s, 3)} s`],
  ['Peak memory', (s) => `${number(s.peak_rss_mb, 3)} MB`],
];

export function summaryTable(runs, columns) {
  const table = element('table');
  const head = table.createTHead().insertRow();
  const body = table.createTBody();
  for (const [label] of columns) head.append(element('th', label));
  for (const run of runs) {
    const row = body.insertRow();
    for (const [, show] of columns) row.insertCell().append(show(run.summary));
  }
  return table;
}

function bodyName(name, i) {
  const node = element('span', name, 'run-name');
  node.style.setProperty('--dot', bodyColor(i));
  return node;
}

/** [heading, what to show of a body] */
const bodyColumns = [
  ['Body', ({name}, i) => bodyName(name, i)],
  ['Vertices', ({vertices}) => whole(vertices)],
  ['Elements', ({elements, element_name}) => `${whole(elements)} ${element_name}`],
  ['Mass', ({mass_kg}) => `${number(mass_kg)} kg`],
];
const energyColumns = [
  ['Energy at the start', ({initial_energy_J}) => `${number(initial_energy_J).replace('-', '−')} J`],
  ['Energy at the end', ({final_energy_J}) => `${number(final_energy_J).replace('-', '−')} J`],
];

/** Bodies of a scene; of a comparison, what all runs share. */
function bodyTable({runs, comparison}) {
  const bodies = runs.find(({summary}) => summary.bodies)?.summary.bodies;
  if (!bodies) return [];
  const columns = comparison ? bodyColumns : [...bodyColumns, ...energyColumns];
  const details = element('details');
  details.open = comparison;
  details.append(element('summary', bodies.length === 1 ? 'One body' : `${bodies.length} bodies`));
  const table = details.appendChild(element('table'));
  const head = table.createTHead().insertRow();
  const rows = table.createTBody();
  for (const [label] of columns) head.append(element('th', label));
  bodies.forEach((body, i) => {
    const row = rows.insertRow();
    for (const [, show] of columns) row.insertCell().append(show(body, i));
  });
  return [details];
}

/** All steps, to be believed or not. */
function finished(status) {
  return status === 'finished' || status === 'doubtful';
}

const whatHappened = {diverged: 'diverged', doubtful: 'is doubtful', interrupted: 'was interrupted', failed: 'failed'};

function banner(run, several) {
  const {status, message, steps} = run.summary;
  const node = element('p', undefined, `banner ${status}`);
  const who = run.metrics || several ? run.name : 'The run';
  const when = finished(status) ? ':' : ` after ${whole(steps)} step${steps === 1 ? '' : 's'}.`;
  node.append(element('strong', `${who} ${whatHappened[status]}${when}`), ` ${message}`);
  return node;
}

/** What happened in some of the steps that nobody asked for; of a comparison, run by run. */
function remarks({runs}) {
  return runs
    .filter(({summary}) => summary.remarks)
    .map((run) => element('p', runs.length > 1 ? `${run.name}: ${run.summary.remarks}` : run.summary.remarks, 'remarks'));
}

/** That a long run is not here with all its frames. */
function thinned({runs}) {
  return runs
    .filter(({frames, framesSeen}) => framesSeen > frames.length)
    .slice(0, 1)
    .map(({frames, framesSeen}) => element('p', `A long run: ${whole(frames.length)} of its ${whole(framesSeen)} frames are on this page.`, 'remarks'));
}

export function showTitle(report) {
  document.title = `${report.title} · brio`;
  document.getElementById('title').textContent = report.title;
  document.getElementById('description').textContent = report.description;
}

export function showSummary(report) {
  showTitle(report);
  document.getElementById('summary').append(report.comparison ? comparisonTable(report) : summaryTable(report.runs, columns), ...remarks(report), ...thinned(report), ...bodyTable(report));
  const all = report.reference ? [...report.runs, report.reference] : report.runs;
  document.getElementById('banners').append(...all.filter(({summary}) => whatHappened[summary.status]).map((run) => banner(run, all.length > 1)));
}
