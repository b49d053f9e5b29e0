// Curves that run along: energies, momenta and what a step costs, over the last half minute or so.

import {Chart} from './chart.js';
import {runColors} from './color.js';

const mostRows = 1500;
const drawEvery = 200; // [ms]
const kinds = {kinetic: '#e07b28', elastic: '#2f7fc1', gravity: '#5a9a4a', contact: '#9b59a5', injected: '#8a6d3b'};
const axes = ['x', 'y', 'z'];
const axisColors = ['#d1495b', '#4f9a5f', '#2f7fc1'];

export class LiveCharts {
  constructor(parent, runs, columns) {
    this.runs = runs;
    this.columns = columns;
    this.series = runs.map(() => Object.fromEntries(columns.map((name) => [name, []])));
    this.clock = {frames: 1, time: 0, clock: {label: 't [s]'}, onChange() {}, pause() {}, seek() {}};
    parent.replaceChildren();
    this.charts = (runs.length > 1 ? this.compared() : this.alone()).map((options) => new Chart(parent, {player: this.clock, ...options}));
    this.drawn = 0;
  }

  line(run, column, rest) {
    const series = this.series[run];
    return {name: column, time: series.time, values: series[column], ...rest};
  }

  alone() {
    const energies = Object.entries(kinds).map(([name, color]) => this.line(0, name, {color, hidden: name === 'injected'}));
    const sums = [this.line(0, 'total', {color: '#1d2733', width: 2}), this.line(0, 'expected', {color: '#d1495b', dash: [5, 4]})];
    const momentum = (which, unit) => ({name: which, unit, lines: axes.map((axis, k) => this.line(0, `${which}_${axis}`, {name: axis, color: axisColors[k]}))});
    return [
      {title: 'Energy', note: 'expected = initial + injected − dissipated', choices: [{unit: 'J', lines: [...energies, ...sums]}]},
      {title: 'Momentum', choices: [momentum('linear', 'kg m/s'), momentum('angular', 'kg m²/s')]},
      {title: 'Time of a step', choices: [{unit: 'ms', lines: [this.line(0, 'step_ms', {name: 'step', color: runColors[0]})]}]},
    ];
  }

  compared() {
    const all = (column) => this.runs.map((run, r) => this.line(r, column, {name: run.name, color: run.color}));
    const momenta = ['linear', 'angular'].flatMap((which) =>
      axes.map((axis) => ({name: `${which}, ${axis}`, unit: which === 'linear' ? 'kg m/s' : 'kg m²/s', lines: all(`${which}_${axis}`)})),
    );
    return [
      {title: 'Energy', choices: ['total', ...Object.keys(kinds)].map((name) => ({name, unit: 'J', lines: all(name)}))},
      {title: 'Momentum', choices: momenta, chosen: 1},
      {title: 'Time of a step', choices: [{unit: 'ms', lines: all('step_ms')}]},
    ];
  }

  /** Rows of each run, as `columns` say. What is later than a row is forgotten: time was turned back. */
  add(rowsOfRuns) {
    rowsOfRuns.forEach((rows, r) => {
      const {series} = this;
      for (const row of rows) {
        const {time} = series[r];
        while (time.length > 0 && time[time.length - 1] >= row[0]) for (const name of this.columns) series[r][name].pop();
        this.columns.forEach((name, c) => series[r][name].push(row[c] ?? NaN));
        this.clock.time = row[0];
      }
      const extra = series[r].time.length - mostRows;
      if (extra > 0) for (const name of this.columns) series[r][name].splice(0, extra);
    });
    this.draw();
  }

  replace(rowsOfRuns) {
    for (const series of this.series) for (const name of this.columns) series[name].length = 0;
    this.add(rowsOfRuns);
  }

  draw(now = performance.now()) {
    if (now - this.drawn < drawEvery) return;
    this.drawn = now;
    for (const chart of this.charts) if (chart.width) chart.draw();
  }
}
