// Drives `brio live` and its page for live_page_test.mjs: starts the program, waits, takes bodies by the mouse.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

const [program, , folder] = process.argv.slice(2);

const patience = 60000; // [ms]; machines may be loaded, and only a hang takes so long

export async function until(what, condition) {
  for (const end = Date.now() + patience; Date.now() < end; await new Promise((done) => setTimeout(done, 40))) {
    const value = await condition();
    if (value) return value;
  }
  assert.fail(`in vain waited for: ${what}`);
}

/** brio live with these arguments; resolves when it has printed its address. */
export async function start(...args) {
  const child = spawn(program, ['live', '--no-open', '--threads', '1', ...args]);
  let out = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
  const exited = new Promise((done) => child.once('exit', (code) => done(code)));
  let code;
  exited.then((value) => (code = value));
  await until('the address', () => /http:\S+/.test(out) || code !== undefined);
  const address = out.match(/http:\S+/)?.[0];
  return {
    address,
    url: address && new URL(address),
    complaints: () => complaints,
    exited,
    end: () => {
      child.kill('SIGINT');
      return exited;
    },
  };
}

export const evaluate = (page, expression) => page.evaluate(expression);
export const status = (page) => evaluate(page, '(({runs, ...rest}) => ({...rest, runs: runs.map(({rows, ...run}) => run)}))(window.brio.page.status)');
export const ready = (page) => until('a picture of the body', () => evaluate(page, 'Boolean(window.brio?.page.view?.cells && window.brio.page.status)'));

/** The drawn vertex that is furthest in a direction, where it is, and where it is seen. */
export const furthest = (page, axis = 0, run = 0) =>
  evaluate(page, `(() => {
    const x = window.brio.positions(${run});
    let best = 0;
    for (let i = 0; i < x.length / 3; i++) if (x[3 * i + ${axis}] > x[3 * best + ${axis}]) best = i;
    return {vertex: best, at: x.slice(3 * best, 3 * best + 3), seen: window.brio.project(best, ${run})};
  })()`);
export const where = (page, vertex, run = 0) => evaluate(page, `window.brio.positions(${run}).slice(${3 * vertex}, ${3 * vertex + 3})`);
export const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));

/** Takes the body by the mouse where it is seen, somewhat inside of its outline; resolves to that place. It may have moved on, so try again. */
export async function take(page, run = 0) {
  return until('a grip', async () => {
    const said = await evaluate(page, 'window.brio.page.connection.said');
    const place = await press(page, run);
    if ((await evaluate(page, 'window.brio.page.connection.said')) > said) return place;
    await page.mouse('mouseReleased', ...place);
    return null;
  });
}

async function press(page, run) {
  const place = await until('a point of the body under the mouse', () =>
    evaluate(page, `(() => {
      const x = window.brio.positions(${run});
      const {view} = window.brio.page;
      const box = view.renderer.domElement.getBoundingClientRect();
      const byReach = Array.from({length: x.length / 3}, (_, i) => i).sort((a, b) => x[3 * b] - x[3 * a]);
      for (const i of byReach) {
        const [left, top] = window.brio.project(i, ${run});
        const around = [[0, 0], [5, 0], [-5, 0], [0, 5], [0, -5]]; // well inside of the outline
        if (around.every(([dx, dy]) => view.pointAt(left - box.left + dx, top - box.top + dy)?.run === ${run})) return [Math.round(left), Math.round(top)];
      }
      return null;
    })()`),
  );
  await page.mouse('mousePressed', ...place);
  return place;
}

export function picture(page, name) {
  return page.screenshot().then((png) => writeFileSync(join(folder, `${name}.png`), png));
}
