// Opens the pages of `brio damping` and `brio quasistatic` in headless Chromium: they load without complaint, the curves
// are drawn, names hide them, and pointing reads them. Arguments: the program, the folder for pages and pictures.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {findChromium, Page} from '../../tools/chromium.mjs';
import {readPng} from '../output/png.mjs';

const skipped = 77; // the SKIP_RETURN_CODE of this test
const [program, folder] = process.argv.slice(2);
const scenes = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'scenes');
if (!findChromium()) {
  console.log('SKIPPED: Chromium was not found (Debian: apt-get install chromium)');
  process.exit(skipped);
}
mkdirSync(folder, {recursive: true});
execFileSync(program, ['damping', '-o', folder, '--h', '0.01,0.001']);
execFileSync(program, ['quasistatic', join(scenes, 'bar-1k.json'), '-o', folder, '--frames', 'none']);

/** Pixels of a color in a box. */
function count(png, box, [red, green, blue]) {
  let found = 0;
  for (let y = Math.ceil(box.y); y < box.y + box.height; y++)
    for (let x = Math.ceil(box.x); x < box.x + box.width; x++) {
      const at = png.at(x, y);
      if (Math.abs(at[0] - red) + Math.abs(at[1] - green) + Math.abs(at[2] - blue) < 40) found++;
    }
  return found;
}

async function picture(page, name) {
  await page.painted();
  const png = await page.screenshot();
  writeFileSync(join(folder, `${name}.png`), png);
  return readPng(png);
}

const boxOf = (page, selector) =>
  page.evaluate(`(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);

async function withPage(file, size, action) {
  const page = await Page.open(join(folder, file), size);
  try {
    await page.evaluate('window.brio.ready');
    await action(page);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(await page.evaluate('window.brio.errors'), []);
    console.log(`ok   ${file}`);
  } finally {
    await page.close();
  }
}

await withPage('damping.html', {width: 1440, height: 2200}, async (page) => {
  assert.equal(await page.evaluate('document.title'), 'Artificial damping · brio');
  assert.equal(await page.evaluate('document.querySelectorAll("#figures .chart").length'), 8); // six figures, two steps
  const names = await page.evaluate('[...document.querySelectorAll("#figures .chart:first-child .chart-legend span")].map((s) => s.textContent)');
  assert.deepEqual(names, await page.evaluate('window.brio.data.curves.map((c) => c.name)'));
  for (const name of ['fe', 'be', 'bdf2', 'genalpha']) assert.ok(names.includes(name), name);
  const notes = await page.evaluate('[...document.querySelectorAll(".note")].map((s) => s.textContent).join("; ")');
  for (const text of ['[ERE] figure 1:', '[ERE] figure 2', '[ERE] figure 3', '[ERE] figure 4', '[SIERE] figure 18', '[SIERE] figure 19']) assert.ok(notes.includes(text), text);

  const plot = await boxOf(page, '#figures .chart .plot');
  const color = await page.evaluate('getComputedStyle([...document.querySelectorAll("#figures .chart:first-child .chart-legend button")].find((b) => b.textContent.startsWith("fe"))).getPropertyValue("--line")');
  const rgb = [1, 3, 5].map((i) => parseInt(color.trim().slice(i, i + 2), 16));
  const shown = count(await picture(page, 'damping'), plot, rgb);
  assert.ok(shown > 500, `${shown} pixels of fe's curve`);
  const click = `[...document.querySelectorAll("#figures .chart:first-child .chart-legend button")].find((b) => b.textContent.startsWith("fe")).click()`;
  await page.evaluate(click);
  assert.ok(count(await picture(page, 'damping-without-fe'), plot, rgb) < 0.05 * shown, 'its name hides it, closed form included');
  await page.evaluate(click);

  // The axis is logarithmic from 0.01 to 100: its middle is 1, where backward Euler's damping is ln 2.
  await page.mouse('mouseMoved', plot.x + 52 + (plot.width - 64) / 2, plot.y + plot.height / 2);
  await page.painted();
  const read = await page.evaluate('[...document.querySelectorAll("#figures .chart:first-child .chart-legend button")].find((b) => b.textContent.startsWith("be")).querySelector("b").textContent');
  assert.ok(Math.abs(Number(read) - Math.LN2) < 0.03, `be at the middle: ${read}`);

  await page.send('Emulation.setDeviceMetricsOverride', {width: 700, height: 900, deviceScaleFactor: 1, mobile: false});
  await picture(page, 'damping-narrow');
  assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= 700, 'fits a narrow window');
});

await withPage('report.html', {}, async (page) => {
  assert.equal(await page.evaluate('window.brio.ready'), true, 'there must be a picture');
  const frames = await page.evaluate('window.brio.frames');
  await page.evaluate(`window.brio.setFrame(${frames - 1})`);
  assert.equal(await page.evaluate('document.getElementById("clock").textContent'), `${frames - 1} / ${frames - 1} iterations`);
  const summary = await page.evaluate('document.getElementById("summary").innerText');
  for (const text of ['converged', '425', '38.01 N']) assert.ok(summary.includes(text), `${text} in ${summary}`);
  const charts = await page.evaluate('[...document.querySelectorAll(".chart h2")].map((h) => h.textContent).join()');
  assert.ok(charts.includes('Energy') && charts.includes('Residual'), charts);
  const residual = await page.evaluate('document.querySelectorAll(".chart")[1].querySelector("b").textContent');
  assert.match(residual, /10⁻/);
  await picture(page, 'rest');
});
