// A page of charts: a title, some text, and curves that somebody else has computed.

import {Chart} from './chart.js';
import {style} from './line_styles.js';

const errors = [];
window.addEventListener('error', (event) => errors.push(String(event.message)));

const data = JSON.parse(document.getElementById('brio-data').textContent);
document.title = `${data.title} · brio`;
for (const id of ['title', 'text', 'footer']) document.getElementById(id).textContent = data[id];

const figures = document.getElementById('figures');
for (const {title, note, across, unit, log, range, curves} of data.charts) {
  new Chart(figures, {
    title,
    note,
    across,
    unit,
    log,
    range: range ?? undefined,
    lines: curves.map(({name, x, y, points}, i) => ({name, time: x, values: y, points, ...style(i)})),
  });
}

/** For those who drive the page by script: tests and screenshots. */
window.brio = {ready: Promise.resolve(true), errors, charts: figures.children.length, data};
