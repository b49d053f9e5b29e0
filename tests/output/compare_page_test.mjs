// The page of a comparison in headless Chromium. Arguments: the program brio, a scene, the folder for pages and pictures.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {findChromium, Page} from '../../tools/chromium.mjs';
import {readPng} from './png.mjs';

const skipped = 77; // the SKIP_RETURN_CODE of this test
const [program, scene, folder] = process.argv.slice(2);
if (!findChromium()) {
  console.log('SKIPPED: Chromium was not found (Debian: apt-get install chromium)');
  process.exit(skipped);
}
mkdirSync(folder, {recursive: true});
const integrators = 'si,be,im,fe,newmark:gamma=0.6:beta=0.3025';
execFileSync(program, ['compare', scene, '--integrators', integrators, '--reference', 'im@0.005', '--steps', '40', '-o', folder], {stdio: 'ignore'});

const page = await Page.open(join(folder, 'compare.html'), {width: 1440, height: 1000});

async function picture(name) {
  const png = await page.screenshot();
  writeFileSync(join(folder, `${name}.png`), png);
  return readPng(png);
}

const evaluate = (expression) => page.evaluate(expression);
const boxOf = (selector) =>
  evaluate(`(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector('${selector}').getBoundingClientRect())`);

/** Number of pixels in a box whose hue is near that of the color. */
function colored(png, box, [r, g, b]) {
  const hue = (p) => Math.atan2(Math.sqrt(3) * (p[1] - p[2]), 2 * p[0] - p[1] - p[2]);
  const spread = (p) => Math.max(...p.slice(0, 3)) - Math.min(...p.slice(0, 3));
  let count = 0;
  for (let y = Math.ceil(box.y) + 30; y < box.y + box.height - 4; y++)
    for (let x = Math.ceil(box.x) + 4; x < box.x + box.width - 4; x++) {
      const pixel = png.at(x, y);
      if (spread(pixel) > 50 && Math.abs(Math.sin((hue(pixel) - hue([r, g, b])) / 2)) < 0.15) count++;
    }
  return count;
}

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const colors = ['#3f7fbf', '#e08a2e', '#4f9a5f', '#9063a8', '#c8505f'].map(rgb);

const tests = {
  async 'loads without complaint and shows every number'() {
    assert.equal(await evaluate('window.brio.ready'), true, 'there must be a picture');
    assert.equal(await evaluate('window.brio.frames'), 41);
    const rows = await evaluate(`[...document.querySelectorAll('#summary tbody tr')].map((row) => row.innerText)`);
    assert.equal(rows.length, 6);
    ['si', 'be', 'im', 'fe', 'newmark gamma=0.6 beta=0.3025', 'reference im@0.005'].forEach((name, i) => assert.ok(rows[i].startsWith(name), rows[i]));
    assert.match(rows[3], /diverged, step \d+/);
    const heading = await evaluate(`document.querySelector('#summary thead').innerText`);
    for (const text of ['Status', 'Cost per simulated second', 'Energy kept', 'Damping, fit', 'closed form', 'Error']) assert.ok(heading.includes(text), `${text} in ${heading}`);
    const charts = await evaluate(`[...document.querySelectorAll('.chart h2')].map((heading) => heading.innerText)`);
    for (const [i, text] of ['Energy', 'Momentum', 'Path of the probe (tip, y)', 'Error against cost'].entries()) assert.ok(charts[i].startsWith(text), charts[i]);
    assert.equal(await evaluate(`document.querySelectorAll('#work-precision circle').length`), 4);
    assert.ok((await evaluate(`document.getElementById('banners').innerText`)).startsWith('fe diverged after'));
  },

  async 'puts each body into its own cell, in its color'() {
    await evaluate('window.brio.setFrame(15)');
    const png = await picture('side');
    for (let i = 0; i < 5; i++) {
      const cell = await boxOf(`#labels .cell:nth-child(${i + 1})`);
      const counts = colors.map((color) => colored(png, cell, color));
      assert.ok(counts[i] > 0.04 * cell.width * cell.height, `cell ${i} shows its body: ${counts}`);
      assert.equal(Math.max(...counts), counts[i], `cell ${i} shows mainly its own body: ${counts}`);
    }
    assert.match(await evaluate(`document.querySelector('#labels .cell:nth-child(4)').innerText`), /fe\s*diverged after \d+ step/);
  },

  async 'moves all bodies in step, but for the one that diverged'() {
    const shown = async (frame) => {
      await evaluate(`window.brio.setFrame(${frame})`);
      return picture(`frame-${frame}`);
    };
    const [before, after] = [await shown(10), await shown(18)];
    const changed = async (i) => {
      const box = await boxOf(`#labels .cell:nth-child(${i + 1})`);
      let count = 0;
      for (let y = Math.ceil(box.y) + 30; y < box.y + box.height - 4; y++)
        for (let x = Math.ceil(box.x) + 4; x < box.x + box.width - 4; x++)
          if (before.at(x, y).some((value, k) => Math.abs(value - after.at(x, y)[k]) > 24)) count++;
      return count;
    };
    for (const i of [0, 1, 2, 4]) assert.ok((await changed(i)) > 1000, `body ${i} has moved`);
    assert.ok((await changed(3)) < 50, 'the diverged body stands still');
  },

  async 'overlays them'() {
    await evaluate(`document.querySelector('[data-layout="over"]').click()`);
    assert.equal(await evaluate(`document.querySelectorAll('#labels .cell').length`), 1);
    assert.equal(await evaluate(`document.querySelectorAll('#labels .name').length`), 5);
    const png = await picture('overlaid');
    const view = await boxOf('#view');
    // Each is seen through the others, so that only the one in front keeps its own hue.
    const seen = colors.map((color) => colored(png, view, color));
    assert.ok(Math.max(...seen) > 10000 && seen.filter((count) => count > 300).length >= 3, `several bodies in one picture: ${seen}`);
    await evaluate(`document.querySelector('[data-layout="side"]').click()`);
    assert.equal(await evaluate(`document.querySelectorAll('#labels .cell').length`), 5);
  },

  async 'shows another kind of energy'() {
    const values = () => evaluate(`document.querySelector('.chart-legend').innerText`);
    const total = await values();
    await evaluate(`(() => { const select = document.querySelector('.chart select'); select.value = 1; select.dispatchEvent(new Event('change')); })()`);
    assert.notEqual(await values(), total);
    for (const name of ['si', 'newmark gamma=0.6', 'reference im@0.005']) assert.ok((await values()).includes(name));
  },

  async 'fits the window'() {
    for (const [width, height] of [[1280, 720], [800, 900], [1440, 1000]]) {
      await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
      await page.painted();
      await picture(`${width}x${height}`);
      assert.ok((await evaluate('document.documentElement.scrollWidth')) <= width, `${width} is wide enough`);
    }
  },
};

let failures = 0;
try {
  await evaluate('window.brio.ready');
  for (const [name, action] of Object.entries(tests)) {
    try {
      await action();
      assert.deepEqual(page.complaints, []);
      assert.deepEqual(await evaluate('window.brio.errors'), []);
      console.log(`ok   ${name}`);
    } catch (error) {
      failures++;
      console.log(`FAIL ${name}: ${error.message}`);
      page.complaints.length = 0;
    }
  }
} finally {
  await page.close();
}
process.exit(failures > 0 ? 1 : 0);
