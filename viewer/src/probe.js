// A click on a body picks its nearest vertex: a dot follows it, and a chart shows its path through the recorded frames.

import * as THREE from 'three';

import {Chart} from './chart.js';
import {bytes, indexAt} from './data.js';

const axes = {x: '#d1495b', y: '#4f9a5f', z: '#2f7fc1'};
const still = 5; // [px] that a click may move

/** Place of a vertex in the frames in which the body has the same topology [m]. */
export function vertexPath(run, part, vertex) {
  const time = [];
  const places = [];
  for (const frame of run.frames) {
    if (frame.part !== part) continue;
    // Six bytes a vertex, which are eight letters: no need to decode the others.
    const packed = new Uint16Array(bytes(frame.position.slice(8 * vertex, 8 * vertex + 8)).buffer);
    time.push(frame.time);
    places.push([0, 1, 2].map((k) => frame.low[k] + (frame.size[k] * packed[k]) / 65535));
  }
  return {time: Float64Array.from(time), places};
}

export class Probe {
  constructor(report, view, player) {
    Object.assign(this, {report, view, player});
    const canvas = view.renderer.domElement;
    let pressed = null;
    canvas.addEventListener('pointerdown', (event) => (pressed = event.button === 0 ? [event.clientX, event.clientY] : null));
    canvas.addEventListener('pointerup', (event) => {
      if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > still) return;
      const box = canvas.getBoundingClientRect();
      const hit = view.pointAt(event.clientX - box.left, event.clientY - box.top);
      if (hit) this.pick(hit);
      else this.clear();
    });
    player.onChange(() => this.show());
  }

  /** The vertex with the largest share of the point that was hit; in all runs that show the same body. */
  pick({run: number, vertices, weights}) {
    this.clear();
    const vertex = vertices[weights.indexOf(Math.max(...weights))];
    const hit = this.view.runs[number];
    const part = hit.frames[indexAt(hit.times, this.player.time)].part;
    const alike = this.view.runs.filter((run) => run.parts[part]?.triangles.length === hit.parts[part].triangles.length && run.parts[part].edges.length === hit.parts[part].edges.length);
    this.paths = alike.map((run) => ({run, ...vertexPath(run, part, vertex)})).filter(({time}) => time.length > 0);
    this.dots = this.paths.map(({run}) => {
      const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0], 3));
      const dot = new THREE.Points(geometry, new THREE.PointsMaterial({color: '#d02020', size: 9, sizeAttenuation: false, depthTest: false, transparent: true}));
      Object.assign(dot, {renderOrder: 1, frustumCulled: false});
      this.view.shown.find((shown) => shown.run === run).body.group.add(dot);
      return dot;
    });
    this.vertex = vertex;
    this.makeChart();
    this.show();
  }

  makeChart() {
    const line = ({time, places}, k, rest) => ({time, values: Float64Array.from(places, (place) => place[k]), ...rest});
    const names = Object.keys(axes);
    const one = this.paths.length === 1;
    const choices = one
      ? [{unit: 'm', lines: names.map((name, k) => line(this.paths[0], k, {name, color: axes[name]}))}]
      : names.map((name, k) => ({name, unit: 'm', lines: this.paths.map((path) => line(path, k, {name: path.run.name, color: path.run.color}))}));
    this.chart = new Chart(document.getElementById('charts'), {title: `Path of vertex ${this.vertex}`, note: 'as drawn; click beside the body to close', player: this.player, choices, chosen: one ? 0 : 1});
    this.chart.root.id = 'probe';
    this.chart.root.parentElement.children[1].before(this.chart.root); // the first one stays what it was
  }

  clear() {
    this.chart?.root.remove();
    for (const dot of this.dots ?? []) dot.removeFromParent();
    if (this.dots?.length > 0) this.view.requestPicture();
    this.chart = null;
    this.dots = this.paths = [];
  }

  show() {
    (this.paths ?? []).forEach(({time, places}, i) => {
      this.dots[i].geometry.getAttribute('position').set(places[indexAt(time, this.player.time)]);
      this.dots[i].geometry.getAttribute('position').needsUpdate = true;
      this.view.requestPicture();
    });
  }
}
