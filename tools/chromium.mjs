// A page in headless Chromium, driven over a pipe by the DevTools protocol. No packages needed but Chromium itself.
import {spawn} from 'node:child_process';
import {accessSync, constants, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

/** Path of the browser, or undefined. */
export function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of names) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // not this one
      }
    }
  return undefined;
}

// Software drawing, so that pictures are the same on every machine; no errand of the browser's own on the network.
const flags = [
  '--headless', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--hide-scrollbars', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--disable-quic', '--disable-dev-shm-usage', '--remote-debugging-pipe',
];

export class Page {
  /** Opens a local file, or a page of a local server, in a window of the given size; waits until it has loaded. */
  static async open(path, {width = 1440, height = 900, scale = 1, extraFlags = []} = {}) {
    const page = new Page(extraFlags);
    try {
      const {targetId} = await page.send('Target.createTarget', {url: 'about:blank'});
      page.session = (await page.send('Target.attachToTarget', {targetId, flatten: true})).sessionId;
      await page.send('Page.enable');
      await page.send('Runtime.enable');
      await page.send('Log.enable');
      await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: scale, mobile: false});
      await page.go(path);
    } catch (error) {
      await page.close();
      throw error;
    }
    return page;
  }

  constructor(extraFlags) {
    this.profile = mkdtempSync(join(tmpdir(), 'brio-chromium-'));
    this.browser = spawn(findChromium(), [...flags, ...extraFlags, `--user-data-dir=${this.profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.exited = new Promise((done) => this.browser.once('exit', done));
    this.gone = this.exited.then((code) => {
      throw new Error(`Chromium went away (exit status ${code})`);
    });
    this.gone.catch(() => {});
    /** What the page complained about: console errors, uncaught exceptions, files that did not load. */
    this.complaints = [];
    this.waiting = new Map();
    this.listeners = new Map();
    this.sent = 0;
    let rest = '';
    this.browser.stdio[3].on('error', () => {});
    this.browser.stdio[4].setEncoding('utf8').on('data', (text) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop();
      for (const message of messages) this.receive(JSON.parse(message));
    });
  }

  receive({id, result, error, method, params}) {
    if (id) {
      const {done, fail} = this.waiting.get(id);
      this.waiting.delete(id);
      if (error) fail(new Error(error.message));
      else done(result);
      return;
    }
    if (method === 'Runtime.exceptionThrown') this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
      this.complaints.push(params.args.map((arg) => arg.value ?? arg.description).join(' '));
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.complaints.push(`${params.entry.text} ${params.entry.url ?? ''}`);
    this.listeners.get(method)?.(params);
  }

  send(method, params = {}) {
    const id = ++this.sent;
    this.browser.stdio[3].write(JSON.stringify({id, method, params, sessionId: this.session}) + '\0');
    return Promise.race([new Promise((done, fail) => this.waiting.set(id, {done, fail})), this.gone]);
  }

  /** Opens a local file, or a page of a local server, in the same window; waits until it has loaded. */
  async go(path) {
    const loaded = new Promise((done) => this.listeners.set('Page.loadEventFired', done));
    await this.send('Page.navigate', {url: path.startsWith('http://') ? path : pathToFileURL(resolve(path)).href});
    await Promise.race([loaded, this.gone]);
  }

  /** Value of an expression in the page; promises are waited for. */
  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value;
  }

  /** Waits until everything asked for has been painted. */
  async painted() {
    await this.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }

  async press(key) {
    const text = key === 'Space' ? ' ' : key;
    const named = {key: text, code: key, ...(text === ' ' ? {text} : {})};
    await this.send('Input.dispatchKeyEvent', {type: 'keyDown', ...named});
    await this.send('Input.dispatchKeyEvent', {type: 'keyUp', ...named});
  }

  async mouse(type, x, y) {
    await this.send('Input.dispatchMouseEvent', {type, x, y, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1});
  }

  /** Moves the mouse without a button pressed. */
  async hover(x, y) {
    await this.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
  }

  /** Picture of the window as a Buffer: png, jpeg or webp. */
  async screenshot(format = 'png') {
    await this.painted();
    const quality = format === 'png' ? undefined : 82;
    return Buffer.from((await this.send('Page.captureScreenshot', {format, quality})).data, 'base64');
  }

  async close() {
    this.session = undefined; // what follows is for the browser, not for the page
    const impatience = setTimeout(() => this.browser.kill('SIGKILL'), 5000);
    await this.send('Browser.close').catch(() => {});
    await this.exited;
    clearTimeout(impatience);
    // Its helper processes may outlive it by a moment and still write.
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  }
}
