// A chart of lines against time, or against something else. The lines are drawn once on one canvas; the cursor moves on
// a second one above it. The legend gives the values under the mouse or, without one, at the moment shown.

import {indexAt} from './data.js';
import {decades, number, readable, ticks} from './format.js';
import {isDark} from './theme.js';

const margin = {left: 52, right: 12, top: 8, bottom: 24};
const inks = {
  light: {axis: '#5d6878', grid: '#e6eaf0', frame: '#b9c2cf', cursor: '#d1495b', hover: '#9aa5b5', strong: '#1d2733'},
  dark: {axis: '#a3afbf', grid: '#2c3542', frame: '#4a5666', cursor: '#e0707f', hover: '#7d8999', strong: '#e8edf4'},
};
let ink = inks.light;
const font = '11px system-ui, sans-serif';

/** How far along an axis a number is, and back. */
const even = {to: (value) => value, from: (place) => place, marks: ticks};
const logarithmic = {to: (value) => (value > 0 ? Math.log10(value) : NaN), from: (place) => 10 ** place, marks: decades};

/** Stands in for the player where nothing moves. */
const nothingMoves = {frames: 0, clock: {label: 't [s]'}, onChange() {}, pause() {}, seek() {}};

export class Chart {
  /**
   * choices: [{name, unit, lines}], of which one is shown at a time, or one unit and lines; lines: [{name, color, time,
   * values, width, dash, aside, points, below, hidden}]. A line that is aside does not stretch the axis: a run that
   * exploded must not flatten the others. `points` draws dots in place of the line; `below` names the line with which
   * it is shown and hidden; `hidden` starts so. across: label of the horizontal axis. log: the axes that are logarithmic,
   * '' or 'x' or 'y' or 'xy'. range: [bottom, top] where the lines do not decide.
   */
  constructor(parent, {title, note = '', unit, lines, choices = [{name: title, unit, lines}], chosen = 0, player = nothingMoves, across, log = '', range}) {
    this.choices = choices;
    this.player = player;
    this.across = across ?? player.clock.label;
    this.axes = {x: log.includes('x') ? logarithmic : even, y: log.includes('y') ? logarithmic : even};
    this.range = range;
    this.hoverTime = null;
    this.hidden = new Set(choices.flatMap((choice) => choice.lines.filter((line) => line.hidden)).map((line) => line.name));

    this.root = parent.appendChild(document.createElement('section'));
    this.root.className = 'card chart';
    this.root.innerHTML =
      '<h2><span></span> <small class="unit"></small> <select></select> <small class="note"></small></h2>' +
      '<div class="chart-legend"></div><div class="plot"><canvas></canvas><canvas></canvas></div>';
    this.root.querySelector('h2 span').textContent = title;
    this.root.querySelector('.note').textContent = note;
    this.plot = this.root.querySelector('.plot');
    [this.base, this.overlay] = this.root.querySelectorAll('canvas');
    // Kept in memory: small pictures with much text that are drawn over and over are slow to draw on some graphics cards,
    // and far slower where there is none.
    for (const canvas of [this.base, this.overlay]) canvas.getContext('2d', {willReadFrequently: true});
    this.buildSelect(this.root.querySelector('select'), chosen);
    this.choose(chosen);
    this.connectMouse();

    player.onChange(() => this.drawCursor());
    window.addEventListener('brio-theme', () => this.width && this.draw());
    new ResizeObserver(() => this.resize()).observe(this.plot);
  }

  buildSelect(select, chosen) {
    select.hidden = this.choices.length < 2;
    this.choices.forEach(({name}, i) => select.add(new Option(name, i, false, i === chosen)));
    select.addEventListener('change', () => {
      this.choose(Number(select.value));
      this.draw();
    });
  }

  choose(i) {
    const {unit, lines} = this.choices[i];
    this.unit = unit;
    this.lines = lines.map((line) => ({...line, visible: !this.hidden.has(line.below ?? line.name)}));
    const legend = this.root.querySelector('.chart-legend');
    legend.replaceChildren();
    this.buildLegend(legend);
  }

  buildLegend(legend) {
    for (const line of this.lines.filter(({below}) => below === undefined)) {
      const item = legend.appendChild(document.createElement('button'));
      item.type = 'button';
      item.setAttribute('aria-pressed', line.visible);
      item.title = 'Show or hide';
      item.style.setProperty('--line', line.color === inks.light.strong ? 'var(--ink)' : line.color);
      item.innerHTML = `<i class="${line.dash?.length ? 'dashed' : ''}"></i><span></span><b></b>`;
      item.querySelector('span').textContent = line.name;
      line.readout = item.querySelector('b');
      item.addEventListener('click', () => {
        line.visible = !line.visible;
        for (const other of this.lines) if (other.below === line.name) other.visible = line.visible;
        if (line.visible) this.hidden.delete(line.name);
        else this.hidden.add(line.name);
        item.setAttribute('aria-pressed', line.visible);
        this.draw();
      });
    }
  }

  connectMouse() {
    const timeAt = (event) => {
      const box = this.overlay.getBoundingClientRect();
      const part = (event.clientX - box.left - margin.left) / (this.width - margin.left - margin.right);
      return this.axes.x.from(this.low.x + Math.min(1, Math.max(0, part)) * (this.high.x - this.low.x));
    };
    const scrub = (event) => {
      this.player.pause();
      this.player.seek(timeAt(event));
    };
    this.overlay.addEventListener('pointerdown', (event) => {
      this.overlay.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.overlay.addEventListener('pointermove', (event) => {
      this.hoverTime = timeAt(event);
      if (event.buttons & 1) scrub(event);
      this.drawCursor();
    });
    this.overlay.addEventListener('pointerleave', () => {
      this.hoverTime = null;
      this.drawCursor();
    });
  }

  resize() {
    const {clientWidth, clientHeight} = this.plot;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.width = clientWidth;
    this.height = clientHeight;
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.base, this.overlay]) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(this.height * ratio);
      canvas.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.draw();
  }

  /** Low and high are places on the axes. */
  findRange() {
    let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
    const allAside = this.lines.every(({visible, aside}) => aside || !visible);
    let most = 0;
    for (const {time, values, visible, aside} of this.lines) {
      if (time.length > 0) {
        left = Math.min(left, this.axes.x.to(time[0]));
        right = Math.max(right, this.axes.x.to(time[time.length - 1]));
      }
      if (!visible || (aside && !allAside)) continue;
      for (const value of values) {
        const place = this.axes.y.to(value ?? NaN);
        if (!Number.isFinite(place)) continue;
        bottom = Math.min(bottom, place);
        top = Math.max(top, place);
        most = Math.max(most, Math.abs(value));
      }
    }
    if (this.range) [bottom, top] = this.range.map(this.axes.y.to);
    if (!(left < right)) [left, right] = [Number.isFinite(left) ? left : 0, (Number.isFinite(left) ? left : 0) + 1];
    if (!(bottom <= top)) [bottom, top] = [0, 1];
    // A line that is constant to round-off must look constant.
    const least = 1e-9 * Math.max(Math.abs(bottom), Math.abs(top)) || 1e-9;
    const room = Math.max(0.06 * (top - bottom), least);
    this.scale = this.axes.y === even ? readable(this.unit, this.range ? Math.max(...this.range) : most) : {factor: 1, unit: this.unit};
    this.low = {x: left, y: bottom - room};
    this.high = {x: right, y: top + room};
  }

  x(time) {
    return margin.left + ((this.axes.x.to(time) - this.low.x) / (this.high.x - this.low.x)) * (this.width - margin.left - margin.right);
  }

  y(value) {
    const height = this.height - margin.top - margin.bottom;
    return margin.top + (1 - (this.axes.y.to(value) - this.low.y) / (this.high.y - this.low.y)) * height;
  }

  draw() {
    ink = isDark() ? inks.dark : inks.light;
    this.findRange();
    this.root.querySelector('.unit').textContent = this.scale.unit && `[${this.scale.unit}]`;
    const pen = this.base.getContext('2d');
    pen.clearRect(0, 0, this.width, this.height);
    this.drawAxes(pen);
    pen.save();
    pen.beginPath();
    pen.rect(margin.left, margin.top, this.width - margin.left - margin.right, this.height - margin.top - margin.bottom);
    pen.clip();
    for (const line of this.lines) if (line.visible) this.drawLine(pen, line);
    pen.restore();
    this.drawCursor();
  }

  drawAxes(pen) {
    const {width, height} = this;
    pen.font = font;
    pen.lineWidth = 1;
    pen.strokeStyle = ink.grid;
    pen.fillStyle = ink.axis;
    pen.beginPath();
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    const {factor} = this.scale;
    for (const {value, label} of this.axes.y.marks(this.low.y * factor, this.high.y * factor, Math.max(3, height / 40))) {
      const y = Math.round(this.y(value / factor)) + 0.5;
      pen.moveTo(margin.left, y);
      pen.lineTo(width - margin.right, y);
      pen.fillText(label, margin.left - 7, y);
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    for (const {value, label} of this.axes.x.marks(this.low.x, this.high.x, width / 90)) {
      const x = Math.round(this.x(value)) + 0.5;
      pen.moveTo(x, margin.top);
      pen.lineTo(x, height - margin.bottom);
      pen.fillText(label, Math.min(x, width - margin.right - 6), height - margin.bottom + 6);
    }
    pen.stroke();
    pen.textAlign = 'left';
    pen.fillText(this.across, 6, height - margin.bottom + 6);
    pen.strokeStyle = ink.frame;
    pen.strokeRect(margin.left + 0.5, margin.top + 0.5, width - margin.left - margin.right - 1, height - margin.top - margin.bottom - 1);
  }

  drawLine(pen, {time, values, color, width = 1.5, dash = [], points = false}) {
    // What is black on paper is white in the dark.
    pen.strokeStyle = pen.fillStyle = color === inks.light.strong ? ink.strong : color;
    if (points) {
      for (let i = 0; i < values.length; i++) this.drawDot(pen, time[i], values[i]);
      return;
    }
    pen.lineWidth = width;
    pen.lineJoin = 'round';
    pen.setLineDash(dash);
    pen.beginPath();
    let connected = false;
    for (let i = 0; i < values.length; i++) {
      const finite = Number.isFinite(values[i]);
      if (finite && connected) pen.lineTo(this.x(time[i]), this.y(values[i]));
      else if (finite) pen.moveTo(this.x(time[i]), this.y(values[i]));
      connected = finite;
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  drawCursor() {
    if (!this.width) return;
    const pen = this.overlay.getContext('2d');
    pen.clearRect(0, 0, this.width, this.height);
    const now = this.player.frames > 0 ? this.player.time : this.axes.x.from(this.high.x);
    if (this.player !== nothingMoves) this.drawMark(pen, now, ink.cursor, this.hoverTime === null);
    if (this.hoverTime !== null) this.drawMark(pen, this.hoverTime, ink.hover, true);
    if (this.player !== nothingMoves || this.hoverTime !== null) this.showValues(this.hoverTime ?? now);
    else for (const line of this.lines) line.readout?.replaceChildren();
  }

  drawMark(pen, time, color, dots) {
    pen.strokeStyle = color;
    pen.lineWidth = 1.25;
    pen.beginPath();
    pen.moveTo(this.x(time), margin.top);
    pen.lineTo(this.x(time), this.height - margin.bottom);
    pen.stroke();
    if (!dots) return;
    for (const line of this.lines) {
      if (!line.visible || line.points || line.values.length === 0) continue;
      const i = indexAt(line.time, time);
      const place = this.axes.y.to(line.values[i]);
      if (!(place >= this.low.y && place <= this.high.y)) continue;
      pen.fillStyle = line.color;
      this.drawDot(pen, line.time[i], line.values[i]);
    }
  }

  drawDot(pen, time, value) {
    if (!Number.isFinite(value)) return;
    pen.beginPath();
    pen.arc(this.x(time), this.y(value), 2.75, 0, 7);
    pen.fill();
  }

  showValues(time) {
    for (const line of this.lines) {
      if (!line.readout) continue;
      const value = line.values.length > 0 ? line.values[indexAt(line.time, time)] : NaN;
      line.readout.textContent = number((value ?? NaN) * this.scale.factor).replace('-', '−');
    }
  }
}
