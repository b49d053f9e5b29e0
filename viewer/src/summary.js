// Title, warnings and the table of numbers: one row per run.

import {number, whole} from './format.js';

const phaseColours = ['#3b6fb6', '#e08a2e', '#4f9a5f', '#a9b2c0', '#9063a8'];

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
    const colour = phaseColours[i % phaseColours.length];
    const part = bar.appendChild(element('span'));
    part.style.cssText = `flex: ${total > 0 ? ms / total : 0}; background: ${colour}`;
    const label = element('span', `${name} ${number(ms, 3)}`);
    label.style.setProperty('--dot', colour);
    key.append(label);
  });
  return cell;
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

function banner(run) {
  const {status, message, steps} = run.summary;
  const node = element('p', undefined, `banner ${status}`);
  const what = {diverged: 'The run diverged', interrupted: 'The run was interrupted'}[status];
  node.append(element('strong', `${what} after ${whole(steps)} steps.`), ` ${message}`);
  return node;
}

export function showTitle(report) {
  document.title = `${report.title} · brio`;
  document.getElementById('title').textContent = report.title;
  document.getElementById('description').textContent = report.description;
}

export function showSummary(report) {
  showTitle(report);
  document.getElementById('summary').append(summaryTable(report.runs, columns));
  const unfinished = report.runs.filter((run) => ['diverged', 'interrupted'].includes(run.summary.status));
  document.getElementById('banners').append(...unfinished.map(banner));
}
