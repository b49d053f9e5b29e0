// A chart of lines against time. The lines are drawn once on one canvas; the cursor moves on a second one above it.
// The legend gives the values under the mouse or, without one, at the moment shown.

import {indexAt} from './data.js';
import {number, readable, ticks} from './format.js';

const margin = {left: 52, right: 12, top: 8, bottom: 24};
const ink = {axis: '#5d6878', grid: '#e6eaf0', cursor: '#d1495b', hover: '#9aa5b5'};
const font = '11px system-ui, sans-serif';

export class Chart {
  /**
   * choices: [{name, unit, lines}], of which one is shown at a time; lines: [{name, colour, time, values, width, dash,
   * aside}]. A line that is aside does not stretch the axis: a run that exploded must not flatten the others.
   */
  constructor(parent, {title, note = '', choices, chosen = 0, player}) {
    this.choices = choices;
    this.player = player;
    this.hoverTime = null;
    this.hidden = new Set();

    this.root = parent.appendChild(document.createElement('section'));
    this.root.className = 'card chart';
    this.root.innerHTML =
      '<h2><span></span> <small class="unit"></small> <select></select> <small class="note"></small></h2>' +
      '<div class="chart-legend"></div><div class="plot"><canvas></canvas><canvas></canvas></div>';
    this.root.querySelector('h2 span').textContent = title;
    this.root.querySelector('.note').textContent = note;
    this.plot = this.root.querySelector('.plot');
    [this.base, this.overlay] = this.root.querySelectorAll('canvas');
    this.buildSelect(this.root.querySelector('select'), chosen);
    this.choose(chosen);
    this.connectMouse();

    player.onChange(() => this.drawCursor());
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
    this.lines = lines.map((line) => ({...line, visible: !this.hidden.has(line.name)}));
    const legend = this.root.querySelector('.chart-legend');
    legend.replaceChildren();
    this.buildLegend(legend);
  }

  buildLegend(legend) {
    for (const line of this.lines) {
      const item = legend.appendChild(document.createElement('button'));
      item.type = 'button';
      item.setAttribute('aria-pressed', line.visible);
      item.title = 'Show or hide';
      item.style.setProperty('--line', line.colour);
      item.innerHTML = `<i class="${line.dash ? 'dashed' : ''}"></i><span></span><b></b>`;
      item.querySelector('span').textContent = line.name;
      line.readout = item.querySelector('b');
      item.addEventListener('click', () => {
        line.visible = !line.visible;
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
      return this.low.x + Math.min(1, Math.max(0, part)) * (this.high.x - this.low.x);
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
      else this.drawCursor();
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

  findRange() {
    let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
    const allAside = this.lines.every(({visible, aside}) => aside || !visible);
    for (const {time, values, visible, aside} of this.lines) {
      if (time.length > 0) {
        left = Math.min(left, time[0]);
        right = Math.max(right, time[time.length - 1]);
      }
      if (!visible || (aside && !allAside)) continue;
      for (const value of values) {
        if (!Number.isFinite(value)) continue;
        bottom = Math.min(bottom, value);
        top = Math.max(top, value);
      }
    }
    if (!(left < right)) [left, right] = [Number.isFinite(left) ? left : 0, (Number.isFinite(left) ? left : 0) + 1];
    if (!(bottom <= top)) [bottom, top] = [0, 1];
    // A line that is constant to round-off must look constant.
    const least = 1e-9 * Math.max(Math.abs(bottom), Math.abs(top)) || 1e-9;
    const room = Math.max(0.06 * (top - bottom), least);
    this.scale = readable(this.unit, Math.max(Math.abs(bottom), Math.abs(top)));
    this.low = {x: left, y: bottom - room};
    this.high = {x: right, y: top + room};
  }

  x(time) {
    return margin.left + ((time - this.low.x) / (this.high.x - this.low.x)) * (this.width - margin.left - margin.right);
  }

  y(value) {
    const height = this.height - margin.top - margin.bottom;
    return margin.top + (1 - (value - this.low.y) / (this.high.y - this.low.y)) * height;
  }

  draw() {
    this.findRange();
    this.root.querySelector('.unit').textContent = `[${this.scale.unit}]`;
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
    for (const {value, label} of ticks(this.low.y * factor, this.high.y * factor, Math.max(3, height / 40))) {
      const y = Math.round(this.y(value / factor)) + 0.5;
      pen.moveTo(margin.left, y);
      pen.lineTo(width - margin.right, y);
      pen.fillText(label, margin.left - 7, y);
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    for (const {value, label} of ticks(this.low.x, this.high.x, width / 90)) {
      const x = Math.round(this.x(value)) + 0.5;
      pen.moveTo(x, margin.top);
      pen.lineTo(x, height - margin.bottom);
      pen.fillText(label, Math.min(x, width - margin.right - 6), height - margin.bottom + 6);
    }
    pen.stroke();
    pen.textAlign = 'left';
    pen.fillText('t [s]', 6, height - margin.bottom + 6);
    pen.strokeStyle = '#b9c2cf';
    pen.strokeRect(margin.left + 0.5, margin.top + 0.5, width - margin.left - margin.right - 1, height - margin.top - margin.bottom - 1);
  }

  drawLine(pen, {time, values, colour, width = 1.5, dash = []}) {
    pen.strokeStyle = colour;
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
    const now = this.player.frames > 0 ? this.player.time : this.high.x;
    this.drawMark(pen, now, ink.cursor, this.hoverTime === null);
    if (this.hoverTime !== null) this.drawMark(pen, this.hoverTime, ink.hover, true);
    this.showValues(this.hoverTime ?? now);
  }

  drawMark(pen, time, colour, dots) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.25;
    pen.beginPath();
    pen.moveTo(this.x(time), margin.top);
    pen.lineTo(this.x(time), this.height - margin.bottom);
    pen.stroke();
    if (!dots) return;
    for (const line of this.lines) {
      if (!line.visible || line.values.length === 0) continue;
      const i = indexAt(line.time, time);
      if (!(line.values[i] >= this.low.y && line.values[i] <= this.high.y)) continue;
      pen.fillStyle = line.colour;
      pen.beginPath();
      pen.arc(this.x(line.time[i]), this.y(line.values[i]), 2.75, 0, 7);
      pen.fill();
    }
  }

  showValues(time) {
    for (const line of this.lines) {
      const value = line.values.length > 0 ? line.values[indexAt(line.time, time)] : NaN;
      line.readout.textContent = number(value * this.scale.factor).replace('-', '−');
    }
  }
}
