// Error against cost, both on logarithmic axes: one point per run; down and left is better.

import {number} from './format.js';

const margin = {left: 52, right: 16, top: 8, bottom: 30};
const svgNamespace = 'http://www.w3.org/2000/svg';

function element(tag, attributes, text) {
  const node = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Powers of ten between the ends and, where these are few, their multiples by 2 and 5. */
function logTicks(low, high) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
    const multiples = high / low < 300 ? [1, 2, 5] : [1];
    for (const multiple of multiples) ticks.push(multiple * 10 ** power);
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}

/** Ends of an axis with room around the values. */
function ends(values) {
  const room = 1.6;
  return [Math.min(...values) / room, Math.max(...values) * room];
}

export class WorkPrecision {
  constructor(parent, runs, reference) {
    this.runs = runs;
    this.cost = ends(runs.map((run) => run.metrics.cost));
    this.error = ends(runs.map((run) => run.metrics.error));
    const root = parent.appendChild(document.createElement('section'));
    root.className = 'card chart';
    root.id = 'work-precision';
    root.innerHTML = '<h2><span>Error against cost</span> <small class="note"></small></h2><div class="plot"></div>';
    root.querySelector('.note').textContent = `down and left is better · against ${reference.name}`;
    this.plot = root.querySelector('.plot');
    this.svg = this.plot.appendChild(element('svg', {role: 'img', 'aria-label': 'Relative error against cost of each method'}));
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  x(cost) {
    const [low, high] = this.cost;
    return margin.left + (Math.log(cost / low) / Math.log(high / low)) * (this.width - margin.left - margin.right);
  }

  y(error) {
    const [low, high] = this.error;
    return margin.top + (1 - Math.log(error / low) / Math.log(high / low)) * (this.height - margin.top - margin.bottom);
  }

  draw() {
    this.width = this.plot.clientWidth;
    this.height = this.plot.clientHeight;
    if (this.width === 0 || this.height === 0) return;
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${this.height}`);
    this.svg.replaceChildren();
    this.drawAxes();
    this.taken = this.runs.map(({metrics}) => this.box(this.x(metrics.cost) - 6, this.y(metrics.error), 12));
    for (const run of this.runs) this.drawPoint(run);
  }

  box(left, middle, width) {
    return {left, right: left + width, top: middle - 7, bottom: middle + 7};
  }

  /** Beside the point or, where something else is, above or below; {x, y, anchor}. */
  placeForName(name, x, y) {
    const width = 7 * name.length;
    const places = [
      {x: x + 9, y, anchor: 'start', left: x + 9},
      {x: x - 9, y, anchor: 'end', left: x - 9 - width},
      {x, y: y - 15, anchor: 'middle', left: x - width / 2},
      {x, y: y + 15, anchor: 'middle', left: x - width / 2},
    ];
    const free = ({left, y: middle}) => {
      const wanted = this.box(left, middle, width);
      const inside = left > margin.left && wanted.right < this.width - margin.right && wanted.bottom < this.height - margin.bottom;
      return inside && !this.taken.some((other) => wanted.left < other.right && other.left < wanted.right && wanted.top < other.bottom && other.top < wanted.bottom);
    };
    const place = places.find(free) ?? places[x > this.width / 2 ? 1 : 0];
    this.taken.push(this.box(place.left, place.y, width));
    return place;
  }

  drawAxes() {
    const {width, height, svg} = this;
    const [bottom, right] = [height - margin.bottom, width - margin.right];
    for (const tick of logTicks(...this.cost)) {
      const x = this.x(tick);
      svg.append(element('line', {x1: x, x2: x, y1: margin.top, y2: bottom, class: 'grid'}));
      svg.append(element('text', {x, y: bottom + 13, 'text-anchor': 'middle'}, number(tick)));
    }
    for (const tick of logTicks(...this.error)) {
      const y = this.y(tick);
      svg.append(element('line', {x1: margin.left, x2: right, y1: y, y2: y, class: 'grid'}));
      svg.append(element('text', {x: margin.left - 7, y: y + 4, 'text-anchor': 'end'}, number(tick)));
    }
    svg.append(element('rect', {x: margin.left, y: margin.top, width: right - margin.left, height: bottom - margin.top, class: 'frame'}));
    svg.append(element('text', {x: (margin.left + right) / 2, y: height - 3, 'text-anchor': 'middle'}, 'seconds of work per simulated second'));
  }

  drawPoint({name, color, metrics}) {
    const [x, y] = [this.x(metrics.cost), this.y(metrics.error)];
    const place = this.placeForName(name, x, y);
    const point = element('circle', {cx: x, cy: y, r: 5.5, fill: color});
    point.append(element('title', {}, `${name}: error ${number(metrics.error, 3)}, ${number(metrics.cost, 3)} s per simulated second`));
    const label = element('text', {x: place.x, y: place.y + 4, 'text-anchor': place.anchor, class: 'name'}, name);
    label.style.fill = color;
    this.svg.append(point, label);
  }
}
