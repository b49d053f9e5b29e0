// Opens the page of `brio mesh` in headless Chromium: it loads without complaint, shows the body and its numbers, and
// nothing that moves. Arguments: the program, the folder for pages and pictures.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {findChromium, Page} from '../../tools/chromium.mjs';
import {readPng} from '../output/png.mjs';

const skipped = 77; // the SKIP_RETURN_CODE of this test
const [program, folder] = process.argv.slice(2);
if (!findChromium()) {
  console.log('SKIPPED: Chromium was not found (Debian: apt-get install chromium)');
  process.exit(skipped);
}
mkdirSync(folder, {recursive: true});
const file = join(folder, 'report.html');
execFileSync(program, ['mesh', 'bunny', '--vertices', '1500', '-o', join(folder, 'bunny.msh'), '--page', folder]);

const page = await Page.open(file, {width: 1100, height: 700});
try {
  await page.evaluate('window.brio.ready');
  await page.painted();
  const bytes = await page.screenshot();
  writeFileSync(join(folder, 'bunny.png'), bytes);
  assert.equal(await page.evaluate('document.title'), 'bunny · brio');
  const text = await page.evaluate('document.getElementById("summary").textContent');
  for (const part of ['Tetrahedra', 'Dihedral', 'Worst aspect']) assert.ok(text.includes(part), part);
  const shown = (selector) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).getClientRects().length > 0`);
  assert.equal(await shown('#view'), true);
  for (const hidden of ['#transport', '[data-color="strain"]']) assert.equal(await shown(hidden), false, hidden);
  // The body is the only thing that is strongly blue: a fair part of the middle of the picture.
  const png = readPng(bytes);
  let blue = 0;
  for (let y = 200; y < 690; y++)
    for (let x = 20; x < 520; x++) {
      const [red, , b] = png.at(x, y);
      if (b - red > 60) blue++;
    }
  assert.ok(blue > 10000, `${blue} pixels of the body`);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(await page.evaluate('window.brio.errors'), []);
  console.log('ok   report.html');
} finally {
  await page.close();
}
