// How many frames a second the live page draws in headless Chromium, where the processor computes WebGL. No brio is needed: the
// page gets a socket that makes the frames of a waving sheet itself, each as soon as the last one is drawn.
//   node bench/live_page.mjs viewer/dist/live.html [other.html] [--triangles 30000] [--seconds 5] [--rounds 3] [--picture out.png]
// Several pages are measured in turn, so that the numbers of one sitting can be compared on a machine that others use as well.
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';

import {Page} from '../tools/chromium.mjs';

const {values, positionals: files} = parseArgs({
  allowPositionals: true,
  options: {triangles: {type: 'string', default: '30000'}, seconds: {type: 'string', default: '5'}, rounds: {type: 'string', default: '3'}, picture: {type: 'string'}, script: {type: 'string', default: ''}},
});

/** In place of the browser's own. */
function fakeSocket(triangles) {
  const side = Math.round(Math.sqrt(triangles / 2));
  const n = side + 1;
  const index = [];
  for (let j = 0; j < side; j++)
    for (let i = 0; i < side; i++) {
      const a = j * n + i;
      index.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
    }
  const base64 = (array) => {
    let text = '';
    for (const byte of new Uint8Array(array.buffer)) text += String.fromCharCode(byte);
    return btoa(text);
  };
  // Made before anything is measured.
  const moments = Array.from({length: 30}, (_, m) => {
    const t = (2 * Math.PI * m) / 30;
    return Float32Array.from({length: 3 * n * n}, (_, k) => {
      const [i, j] = [Math.floor(k / 3) % n, Math.floor(k / 3 / n)];
      return [i / side - 0.5, 0.1 * Math.sin(9 * (i / side) + t) * Math.cos(7 * (j / side) + t), j / side - 0.5][k % 3];
    });
  });
  const columns = ['time', 'kinetic', 'elastic', 'gravity', 'contact', 'total', 'expected', 'injected', 'linear_x', 'linear_y', 'linear_z', 'angular_x', 'angular_y', 'angular_z', 'step_ms'];
  let frames = 0;
  const row = () => columns.map((_, k) => (k === 0 ? frames / 60 : Math.sin(0.1 * frames + k)));
  window.WebSocket = class extends EventTarget {
    static OPEN = 1;
    readyState = 1;
    constructor() {
      super();
      setTimeout(() => {
        this.dispatchEvent(new Event('open'));
        this.text({type: 'scene', title: 'Sheet', description: '', up: [0, 1, 0], columns, runs: [
          {name: 'si', topology: 1, vertices: n * n, names: [], mesh_vertices: n * n, elements: index.length / 3, element_name: 'triangles', notes: [], obstacles: [], triangles: base64(Uint32Array.from(index)), edges: ''},
        ]});
        this.text({type: 'parameters', strength: 1, runs: [{name: 'si', parameters: []}]});
        this.text({type: 'history', runs: [[row()]]});
        setInterval(() => this.text({type: 'status', playing: true, speed: 1, strength: 1, factor: 1, slow: false, time: frames / 60, oldest: 0, clients: 1, encode_ms: 0, runs: [{time: frames / 60, h: 0.01, method: 'si', step_ms: 1, injected: 0, trouble: '', rows: [row()]}]}), 100);
        this.frame();
        this.frame();
      });
    }
    text(json) {
      this.dispatchEvent(new MessageEvent('message', {data: JSON.stringify(json)}));
    }
    frame() {
      const t = frames++ / 60;
      const positions = moments[frames % moments.length];
      let head = JSON.stringify({time: t, runs: [{topology: 1, vertices: n * n, time: t, obstacles: [], holds: [], pins: []}]});
      head = head.padEnd(4 * Math.ceil(head.length / 4));
      const buffer = new ArrayBuffer(4 + head.length + positions.byteLength);
      new DataView(buffer).setUint32(0, head.length, true);
      new Uint8Array(buffer).set(new TextEncoder().encode(head), 4);
      new Float32Array(buffer, 4 + head.length).set(positions);
      this.dispatchEvent(new MessageEvent('message', {data: buffer}));
    }
    send(what) {
      if (what === 'seen') setTimeout(() => this.frame(), Math.max(0, 16 - performance.now() % 1));
    }
    close() {}
  };
}

/** Processor time of the browser with all its processes so far [ms]: what others do on the machine does not count. */
function processorTime(browser) {
  const stats = new Map();
  for (const name of readdirSync('/proc'))
    try {
      if (/^\d+$/.test(name)) stats.set(Number(name), readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' '));
    } catch {
      // it has ended
    }
  const ofBrowser = (pid) => pid === browser || (stats.has(pid) && ofBrowser(Number(stats.get(pid)[1])));
  let ticks = 0;
  for (const [pid, fields] of stats) if (ofBrowser(pid)) ticks += Number(fields[11]) + Number(fields[12]);
  return 10 * ticks;
}

/** Time that the page's own thread has worked so far [ms]: what remains for it where a graphics card draws. */
async function threadTime(page) {
  const {metrics} = await page.send('Performance.getMetrics');
  return 1000 * metrics.find(({name}) => name === 'TaskDuration').value;
}

const folder = mkdtempSync(join(tmpdir(), 'brio-live-page-'));
const best = files.map(() => 0);
const least = files.map(() => Infinity);
try {
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [f, file] of files.entries()) {
      const page = join(folder, `page${f}.html`);
      writeFileSync(page, readFileSync(file, 'utf8').replace('{{brio-data}}', 'null').replace('<head>', `<head><script>(${fakeSocket})(${values.triangles})</script>`));
      const open = await Page.open(page, {width: 1000, height: 640});
      await open.evaluate('new Promise((done) => { const look = () => window.brio?.page.view?.cells ? done(true) : setTimeout(look, 50); look(); })');
      await open.evaluate(`void (() => { const {page} = window.brio; ${values.script} })()`);
      // Frames that were drawn: a render of the view each.
      await open.evaluate(`(() => { const {view} = window.brio.page; const render = view.render.bind(view); window.drawn = 0; window.took = 0; view.render = () => { const t = performance.now(); window.drawn++; render(); window.took += performance.now() - t; }; })()`);
      await open.evaluate('new Promise((done) => setTimeout(done, 2000))'); // it may find out what this machine can do
      await open.send('Performance.enable', {timeDomain: 'threadTicks'});
      const [before, worked] = [processorTime(open.browser.pid), await threadTime(open)];
      const [drawn, script] = await open.evaluate(`new Promise((done) => { const [from, took] = [window.drawn, window.took]; setTimeout(() => done([window.drawn - from, window.took - took]), ${1000 * values.seconds}); })`);
      const busy = (processorTime(open.browser.pid) - before) / drawn;
      const own = (await threadTime(open) - worked) / drawn;
      const rate = drawn / values.seconds;
      best[f] = Math.max(best[f], rate);
      least[f] = Math.min(least[f], busy);
      console.log(`${file}: ${rate.toFixed(1)} frames/s, ${busy.toFixed(1)} ms of processor time a frame, ${own.toFixed(1)} ms of it in the page's thread, ${(script / drawn).toFixed(1)} ms in render()`);
      if (values.picture && round === 0) writeFileSync(values.picture.replace('.png', `-${f}.png`), await open.screenshot());
      if (open.complaints.length > 0) console.log(open.complaints);
      await open.close();
    }
  files.forEach((file, f) => console.log(`best of ${values.rounds}, ${file}: ${best[f].toFixed(1)} frames/s, ${least[f].toFixed(1)} ms of processor time a frame: ${(least[f] / least[0]).toFixed(2)} of the first`));
} finally {
  rmSync(folder, {recursive: true, force: true});
}
