// The runs of a live session in the form in which the picture wants runs: with one frame, the newest.

import {runColors} from './color.js';
import {bytes} from './data.js';

/** Room around the bodies in which they may be dragged, in parts of their size. */
const around = 0.2;

function readPart({triangles, edges, bodies}) {
  return {
    triangles: new Uint32Array(bytes(triangles).buffer),
    edges: new Uint32Array(bytes(edges).buffer),
    bodies: bodies && new Int32Array(bytes(bodies).buffer),
  };
}

export class LiveRun {
  constructor(json, i) {
    this.name = json.name;
    this.color = runColors[i % runColors.length];
    this.summary = {status: 'finished', steps: 0};
    this.parts = [readPart(json)];
    this.topology = json.topology;
    this.vertices = json.vertices;
    this.bodies = json.names;
    this.obstacles = json.obstacles;
    this.size = `${json.mesh_vertices.toLocaleString('en-GB')} vertices, ${json.elements.toLocaleString('en-GB')} ${json.element_name}`;
    this.times = [0];
    this.frames = [];
    this.changed = false;
    this.holds = [];
    this.pins = [];
  }

  /** Whether the picture can go on with the same view: the same bodies, perhaps cut. */
  continues(json) {
    return this.bodies.join() === json.names.join() && this.obstacles.length === json.obstacles.length;
  }

  setTopology(json) {
    this.topology = json.topology;
    this.vertices = json.vertices;
    this.parts.push(readPart(json));
    this.changed = true; // with the next frame; until then the last one may still be drawn
  }

  /** Takes a frame over, unless it is of another topology than the one known. */
  take({topology, positions, obstacles, time, holds, pins}) {
    if (topology !== this.topology) return false;
    this.now = positions;
    this.time = time;
    this.holds = holds;
    this.pins = pins;
    if (this.frames.length === 0 || this.changed) this.frames = [{part: this.parts.length - 1, ...this.room()}];
    this.changed = false;
    this.frames[0].obstacles = obstacles;
    return true;
  }

  room() {
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (let i = 0; i < this.now.length; i++) {
      low[i % 3] = Math.min(low[i % 3], this.now[i]);
      high[i % 3] = Math.max(high[i % 3], this.now[i]);
    }
    const more = around * Math.hypot(...high.map((top, k) => top - low[k]));
    return {low: low.map((x) => x - more), size: high.map((top, k) => top - low[k] + 2 * more)};
  }

  positions() {
    return this.now;
  }

  field() {
    return null;
  }
}
