// The data that brio wrote into the page. Frames are decoded when they are shown, so that a long run opens at once.

import {runColors} from './color.js';

export function bytes(base64) {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

function floats(base64) {
  return new Float64Array(bytes(base64).buffer);
}

/** Index of the last entry <= value in an increasing array (0 when all are greater). */
export function indexAt(increasing, value) {
  let low = 0;
  let high = increasing.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (increasing[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

class Run {
  constructor(json, i) {
    this.name = json.name;
    this.color = runColors[i % runColors.length];
    /** Of a comparison: the numbers of compare.json, the path of the probe, and whether this is the reference. */
    this.metrics = json.metrics;
    this.isReference = Boolean(json.reference);
    this.probe = json.probe && {time: floats(json.probe.time), value: floats(json.probe.value)};
    /** Of adaptive nodes: how fast the body stretches around each [1/s], and how many are dynamic. */
    this.liveliness = json.liveliness && {
      time: floats(json.liveliness.time),
      dynamic: floats(json.liveliness.dynamic),
      nodes: json.liveliness.nodes,
      rates: json.liveliness.rates.map(floats),
    };
    /** What the method reports step by step: name of the series, meaning and unit. */
    this.extras = json.extras ?? [];
    this.summary = json.summary;
    this.obstacles = json.obstacles;
    /** What is drawn: one part, and one more after each cut of the body. */
    this.parts = json.parts.map(({triangles, edges, regions, bodies}) => ({
      triangles: new Uint32Array(bytes(triangles).buffer),
      edges: new Uint32Array(bytes(edges).buffer),
      /** Of adaptive nodes: which of them speaks for each vertex, or -1. */
      regions: regions && new Int32Array(bytes(regions).buffer),
      /** Whose each vertex is: number of the body, where bodies have names. */
      bodies: bodies && new Int32Array(bytes(bodies).buffer),
    }));
    /** Names of the bodies; empty where there is one without a name. */
    this.bodies = json.bodies ?? [];
    /** Energies of each body [J]: arrays of curves. */
    this.bodySeries = json.body_series && {
      time: floats(json.body_series.time),
      total: json.body_series.total.map(floats),
      kinetic: json.body_series.kinetic.map(floats),
    };
    this.frames = json.frames;
    /** How many frames there were, where some were left out. */
    this.framesSeen = json.frames_seen ?? json.frames.length;
    this.times = Float64Array.from(json.frames, (frame) => frame.time); // [s]
    /** Columns by name: Float64Array each. */
    this.series = {};
    for (const [name, text] of Object.entries(json.series)) this.series[name] = floats(text);
  }

  /** x y z of each vertex [m]. */
  positions(i) {
    const {low, size, position} = this.frames[i];
    const packed = new Uint16Array(bytes(position).buffer);
    const x = new Float32Array(packed.length);
    for (let k = 0; k < x.length; k++) x[k] = low[k % 3] + (size[k % 3] * packed[k]) / 65535;
    return x;
  }

  /** Whether its nodes may fall asleep. */
  get adaptive() {
    return this.parts.some(({regions}) => regions);
  }

  /** Whether its frames have stress. */
  get stressed() {
    return this.frames.some(({stress}) => stress);
  }

  /** Whether its frames have principal stretches. */
  get stretched() {
    return this.frames.some(({stretch}) => stretch);
  }

  /** Whether its frames have forces of contact. */
  get touching() {
    return this.frames.some(({contact}) => contact);
  }

  /**
   * 'speed' [m/s], 'strain', 'stress' [Pa], 'stretch', 'squeeze' or 'contact' [N] of each vertex; of its adaptive node 'rate' [1/s] or 'awake', 0 or 1. Null where there
   * is none: without such nodes, and before the first step.
   */
  field(name, i) {
    const {part, nodes} = this.frames[i];
    if (name === 'rate' || name === 'awake')
      return nodes ? Float32Array.from(this.parts[part].regions, (region) => nodes[name][region] ?? NaN) : null;
    if (!this.frames[i][name]) return null;
    const {most, value} = this.frames[i][name];
    return Float32Array.from(bytes(value), (byte) => (most * byte) / 255);
  }
}

/** Names of the bodies on the page; empty where there is one without a name. */
function bodyNames(runs) {
  return runs.map((run) => run.bodies).reduce((a, b) => (b.length > a.length ? b : a), []);
}

export function readReport() {
  const json = JSON.parse(document.getElementById('brio-data').textContent);
  const all = json.runs.map((run, i) => new Run(run, i));
  return {
    kind: json.kind ?? 'run',
    title: json.title,
    description: json.description,
    up: json.up,
    probe: json.probe,
    runs: all.filter((run) => !run.isReference),
    reference: all.find((run) => run.isReference),
    comparison: all.some((run) => run.metrics),
    bodies: bodyNames(all),
  };
}

/**
 * The value that 99.5 % of a field stays below, over all runs: one corner under high strain must not leave the rest
 * in a single color.
 */
export function fieldTop(runs, name) {
  const sampledFrames = 24;
  const values = [];
  for (const run of runs) {
    const count = Math.min(sampledFrames, run.frames.length);
    for (let k = 0; k < count; k++) {
      const frame = count > 1 ? Math.round((k * (run.frames.length - 1)) / (count - 1)) : 0;
      const field = run.field(name, frame)?.filter((value) => !Number.isNaN(value)) ?? [];
      const stride = Math.ceil(field.length / 4096);
      for (let i = 0; i < field.length; i += stride) values.push(field[i]);
    }
  }
  values.sort((a, b) => a - b);
  return values.length > 0 ? values[Math.floor(0.995 * (values.length - 1))] : 0;
}
