// Opens the live page of a simulation of Python, drags its body by mouse, and hands it back by the button.
// Arguments: the address, a file for a picture. Prints what it saw as JSON.
import {writeFileSync} from 'node:fs';

import {Page} from '../../tools/chromium.mjs';

const [address, file] = process.argv.slice(2);

async function until(what, condition) {
  for (const end = Date.now() + 60000; Date.now() < end; await new Promise((done) => setTimeout(done, 40))) {
    const value = await condition();
    if (value) return value;
  }
  throw new Error(`in vain waited for: ${what}`);
}

const page = await Page.open(address, {width: 900, height: 600});
const ask = (expression) => page.evaluate(expression);
await until('a picture', () => ask('Boolean(window.brio?.page.view?.cells && window.brio.page.status && window.brio.positions().length > 0)'));
const place = await until('a grip', async () => {
  const said = await ask('window.brio.page.connection.said');
  const at = await ask(`(() => {
    const x = window.brio.positions();
    const {view} = window.brio.page;
    const box = view.renderer.domElement.getBoundingClientRect();
    const byReach = Array.from({length: x.length / 3}, (_, i) => i).sort((a, b) => x[3 * b] - x[3 * a]);
    for (const i of byReach) {
      const [left, top] = window.brio.project(i);
      if ([[0, 0], [4, 0], [-4, 0], [0, 4], [0, -4]].every(([dx, dy]) => view.pointAt(left - box.left + dx, top - box.top + dy))) return [Math.round(left), Math.round(top)];
    }
    return null;
  })()`);
  if (!at) return null;
  await page.mouse('mousePressed', ...at);
  if ((await ask('window.brio.page.connection.said')) > said) return at;
  await page.mouse('mouseReleased', ...at);
  return null;
});
await page.mouse('mouseMoved', place[0], place[1] - 100);
const seen = {};
await until('work of the hand', () => ask('window.brio.page.status.runs[0].injected > 1e-4'));
seen.injected = await ask('window.brio.page.status.runs[0].injected');
seen.force = await ask('Math.hypot(...(window.brio.page.runs[0].holds[0]?.force ?? [0]))');
writeFileSync(file, await page.screenshot());
await page.mouse('mouseReleased', place[0], place[1] - 100);
seen.button = await ask('document.getElementById("hand-back").textContent');
await ask('document.getElementById("hand-back").click()');
seen.ended = await until('the end', () => ask('/has the simulation again|No connection/.exec(document.getElementById("banners").innerText)?.[0]'));
seen.complaints = page.complaints.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
await page.close();
console.log(JSON.stringify(seen));
