// The page of `brio modes` in headless Chromium. Arguments: the program brio, a scene, the folder for pages and pictures.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {findChromium, Page} from '../../tools/chromium.mjs';

const skipped = 77; // the SKIP_RETURN_CODE of this test
const [program, scene, folder] = process.argv.slice(2);
if (!findChromium()) {
  console.log('SKIPPED: Chromium was not found (Debian: apt-get install chromium)');
  process.exit(skipped);
}
mkdirSync(folder, {recursive: true});
execFileSync(program, ['modes', scene, '-s', '3', '-o', folder], {stdio: 'ignore'});
const page = await Page.open(join(folder, 'modes.html'), {width: 1440, height: 900});
const evaluate = (expression) => page.evaluate(expression);
try {
  assert.equal(await evaluate('window.brio.ready'), true, 'there must be a picture');
  assert.equal(await evaluate('window.brio.frames'), 33);
  const labels = await evaluate(`[...document.querySelectorAll('#labels .name span')].map((node) => node.innerText)`);
  assert.equal(labels.length, 9, 'three elastic modes and six rigid motions');
  assert.match(labels[0], /^1: [\d.]+ Hz$/);
  assert.equal(labels[8], 'rigid 6');
  assert.equal(await evaluate(`document.querySelectorAll('#charts tbody tr').length`), 9);
  assert.equal(await evaluate(`document.querySelector('[data-color][aria-checked="true"]').innerText`), 'Displacement');
  assert.match(await evaluate(`document.getElementById('legend').innerText`), /Displacement/);

  // At a quarter of the period every body is displaced, at half of it none is.
  const canvas = async (frame) => {
    await evaluate(`window.brio.setFrame(${frame})`);
    const png = await page.screenshot();
    writeFileSync(join(folder, `frame_${frame}.png`), png);
    return png;
  };
  await evaluate(`document.querySelector('[data-color="plain"]').click()`);
  const [start, quarter] = [await canvas(0), await canvas(8)];
  assert.ok(!start.equals(quarter), 'the shapes must move');
  assert.equal(await evaluate(`document.getElementById('clock').innerText`), '0.25 / 1.00 period');
  assert.deepEqual(await evaluate('window.brio.errors'), []);
  console.log('ok - the page of brio modes');
} finally {
  await page.close();
}
