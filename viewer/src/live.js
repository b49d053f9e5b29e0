// The live page: connection, picture, hand, charts and controls.

import {pressable, playIcon, pauseIcon} from './controls.js';
import {number} from './format.js';
import {LiveCharts} from './live_charts.js';
import {LiveRun} from './live_data.js';
import {showGallery} from './live_gallery.js';
import {HandsShown, Pointer} from './live_hand.js';
import {connectLiveKeys} from './live_keys.js';
import {factorSelect, showParameters, speeds, strengths} from './live_parameters.js';
import {save} from './live_save.js';
import {Connection} from './live_socket.js';
import {VideoRecorder} from './save.js';
import {SceneView} from './scene_view.js';
import {element} from './summary.js';
import {isDark, toggleTheme} from './theme.js';

const get = (id) => document.getElementById(id);

/** Whether WebGL is computed by the processor: then shadows and smooth edges are too dear for what moves all the time. */
function isSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const name = gl?.getExtension('WEBGL_debug_renderer_info') ? gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** Triangles whose edges are drawn from the start, where the processor draws. */
const mostLined = 5000;

class LivePage {
  constructor() {
    this.runs = [];
    this.status = null;
    this.frames = 0; // received
    this.notices = [];
    this.connected = false;
    this.connection = new Connection({
      open: () => this.setConnected(true),
      lost: () => this.setConnected(false),
      gallery: ({scenes}) => this.setGallery(scenes),
      owner: ({owner}) => this.setOwner(owner),
      ended: ({owner}) => this.end(owner),
      scene: (message) => this.setScene(message),
      parameters: (message) => this.setParameters(message),
      history: ({runs}) => this.charts?.replace(runs),
      status: (message) => this.setStatus(message),
      notice: ({text}) => this.notice(text),
      frame: (frame) => this.show(frame),
    });
    this.say = (action, values) => this.connection.say(action, values);
    this.connectControls();
  }

  connectControls() {
    get('play').addEventListener('click', () => this.say(this.status?.playing ? 'pause' : 'play'));
    get('step').addEventListener('click', () => this.say('step'));
    get('reset').addEventListener('click', () => this.say('reset'));
    get('rewind').addEventListener('click', () => this.rewind());
    get('reset-view').addEventListener('click', () => this.view?.resetCamera());
    get('save-scene').addEventListener('click', () => this.runs.forEach((_, r) => save(`scene/${r}`)));
    get('save-recording').addEventListener('click', () => save('recording.html'));
    get('save-glb').addEventListener('click', () => this.runs.forEach((_, r) => save(`glb/${r}`)));
    get('theme').addEventListener('click', toggleTheme);
    const themed = () => {
      get('theme').textContent = isDark() ? 'Light' : 'Dark';
      this.charts?.draw(Infinity);
    };
    window.addEventListener('brio-theme', themed);
    themed();
    this.showSpeed = factorSelect(get('speed'), speeds, (factor) => this.say('speed', {factor}));
    this.showStrength = factorSelect(get('strength'), strengths, (factor) => this.say('strength', {factor}));
    pressable(get('mesh-lines'), true, (on) => this.view?.showMeshLines(on));
    for (const button of get('tools').children) button.addEventListener('click', () => this.choose(button.dataset.tool));
    this.video = new VideoRecorder(get('save-video'), () => this.view?.renderer.domElement);
    connectLiveKeys(get('show-help'), get('help'));
  }

  choose(tool) {
    for (const button of get('tools').children) button.setAttribute('aria-checked', button.dataset.tool === tool);
    if (this.pointer) this.pointer.tool = tool;
    this.tool = tool;
  }

  /** A second back, or half of what there is where that is less. */
  rewind() {
    if (!this.status) return;
    const kept = this.status.time - this.status.oldest;
    this.say('rewind', {seconds: Math.min(1, kept / 2)});
  }

  /** The simulation is that of a program, which goes on with it when people have done with it. */
  setOwner(owner) {
    const button = get('hand-back');
    button.textContent = `Back to ${owner}`;
    button.title = `End here: ${owner} goes on with the simulation as it is now`;
    button.onclick = () => this.say('end');
    button.hidden = false;
  }

  end(owner) {
    this.ended = owner;
    this.connection.end();
    get('hand-back').hidden = true;
    this.showBanners();
  }

  setConnected(connected) {
    this.connected = connected;
    this.showBanners();
  }

  notice(text) {
    this.notices.push(text);
    const line = element('p', text, 'banner interrupted notice');
    line.addEventListener('click', () => line.remove());
    get('banners').append(line);
    setTimeout(() => line.remove(), 8000);
  }

  showBanners() {
    const lines = [];
    if (this.ended) lines.push(['interrupted', `${this.ended} has the simulation again. This page has ended.`]);
    else if (!this.connected) lines.push(['interrupted', 'No connection to brio. Trying again …']);
    for (const [r, {trouble}] of (this.status?.runs ?? []).entries()) if (trouble) lines.push(['diverged', `${this.runs[r]?.name}: ${trouble}`, true]);
    if (this.status?.slow) lines.push(['interrupted', `The steps cannot keep up with the clock: ${number(this.status.factor, 2)} s of the scene in a second.`]);
    const text = JSON.stringify(lines);
    if (text === this.banners) return;
    this.banners = text;
    const old = get('banners').querySelectorAll('.standing');
    for (const node of old) node.remove();
    for (const [kind, words, stopped] of lines.reverse()) {
      const line = element('p', words, `banner standing ${kind}`);
      if (stopped) {
        const back = line.appendChild(element('button', 'Back to the last good second', 'chip go-back'));
        back.addEventListener('click', () => this.rewind());
      }
      get('banners').prepend(line);
    }
  }

  setGallery(scenes) {
    showGallery(scenes, (index) => this.say('choose', {index}));
    get('show-gallery').hidden = false;
    if (this.runs.length === 0) get('gallery').hidden = false;
  }

  setScene(message) {
    get('gallery').hidden = true;
    document.querySelector('main').hidden = false;
    get('title').textContent = message.title;
    get('description').textContent = message.description;
    document.title = `${message.title} · brio live`;
    const same = this.title === message.title && this.runs.length === message.runs.length && this.runs.every((run, r) => run.continues(message.runs[r]));
    this.title = message.title;
    this.message = message;
    if (same) {
      this.runs.forEach((run, r) => run.topology !== message.runs[r].topology && run.setTopology(message.runs[r]));
      return;
    }
    this.runs = message.runs.map((run, i) => new LiveRun(run, i));
    this.pointer?.dispose();
    this.view?.dispose();
    this.view = null;
    this.charts = new LiveCharts(get('charts'), this.runs, message.columns);
    document.getElementById('parameters').replaceChildren();
    for (const note of message.runs.flatMap(({notes}) => notes)) this.notice(note);
  }

  makeView() {
    const still = {time: 0, onChange() {}};
    const software = isSoftware();
    const triangles = this.runs.reduce((sum, run) => sum + run.parts.at(-1).triangles.length / 3, 0);
    // Lines take the processor as long as the triangles do.
    if (software && triangles > mostLined) get('mesh-lines').setAttribute('aria-pressed', false);
    try {
      this.view = new SceneView(get('view'), {runs: this.runs, up: this.message.up}, still, software);
    } catch (error) {
      this.notice(`This browser cannot draw in 3D: WebGL is switched off or missing. (${error.message})`);
      this.view = null;
      this.blind = true;
      return;
    }
    this.view.colorBy(this.runs[0].bodies.length > 0 && this.runs.length === 1 ? 'body' : 'plain');
    this.view.showMeshLines(get('mesh-lines').getAttribute('aria-pressed') === 'true');
    get('grid-note').textContent = `${this.runs[0].size} · grid ${number(this.view.gridSpacing)} m`;
    this.hands = new HandsShown(this.view);
    this.pointer = new Pointer(this.view, this.runs, this.say);
    this.choose(this.tool ?? 'drag');
    this.connectLayout();
  }

  connectLayout() {
    const group = get('layout');
    group.hidden = this.runs.length < 2;
    const choose = (name) => {
      for (const button of group.children) button.setAttribute('aria-checked', button.dataset.layout === name);
      this.view.arrange(name === 'side');
    };
    for (const button of group.children) button.onclick = () => choose(button.dataset.layout);
    choose('side');
  }

  setParameters({runs}) {
    if (runs.some(({name}, r) => name !== this.runs[r].name)) {
      runs.forEach(({name}, r) => (this.runs[r].name = name));
      for (const run of this.runs) this.view?.labels?.rename(run);
      this.charts = new LiveCharts(get('charts'), this.runs, this.message.columns); // their history follows
    }
    this.parameters = runs.map(({parameters}) => parameters);
    showParameters(this.runs, this.parameters, this.say);
  }

  setStatus(status) {
    this.status = status;
    this.charts?.add(status.runs.map(({rows}) => rows));
    const icon = status.playing ? pauseIcon : playIcon;
    if (this.icon !== icon) get('play').innerHTML = this.icon = icon;
    get('play').setAttribute('aria-label', status.playing ? 'Pause' : 'Go on');
    get('clock').textContent = `${status.time.toFixed(2)} s`;
    get('clock').title = status.runs.map(({method, h, step_ms}) => `${method}: steps of ${number(h)} s take ${number(step_ms, 3)} ms`).join('\n');
    get('factor').textContent = status.playing ? (status.factor > 0 ? `${number(status.factor, 2)}× real time` : '') : 'paused';
    get('factor').classList.toggle('slow', status.slow);
    get('rewind').disabled = !(status.time > status.oldest);
    this.showSpeed(status.speed);
    this.showStrength(status.strength);
    this.showBanners();
  }

  show(frame) {
    const fits = frame.runs.length === this.runs.length && this.runs.map((run, r) => run.take(frame.runs[r])).every((fit) => fit);
    if (!fits) return this.connection.seen();
    this.time = frame.time;
    this.frames++;
    // A frame that came before the last one was drawn is not drawn: the newest wins.
    if (this.asked) return this.connection.seen();
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.connection.seen();
      // Another scene may have come after the frame that asked for this: its first frame draws it.
      if (this.runs.some(({frames}) => frames.length === 0)) return;
      if (!this.view && !this.blind) this.makeView();
      if (!this.view) return;
      this.view.showAgain();
      this.view.pace.drawn();
      this.hands.show(this.runs);
      this.pointer.showForce();
    });
  }
}

const errors = [];
window.addEventListener('error', (event) => errors.push(String(event.message)));
window.addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
const page = new LivePage();
get('show-gallery').addEventListener('click', () => (get('gallery').hidden = !get('gallery').hidden));

/** For those who drive the page by script: tests and screenshots. */
window.brio = {
  page,
  errors,
  positions: (run = 0) => Array.from(page.runs[run]?.now ?? []),
  /** Where a drawn vertex is in the window [px]. */
  project: (vertex, run = 0) => page.view.project(page.runs[run].now.slice(3 * vertex, 3 * vertex + 3), run),
};
