// Opens the page of `brio reproduce` in headless Chromium: it loads without complaint, every item has its card and its
// verdict, the curves are drawn, and the bodies move inside it. Arguments: the program, the folder for pages and pictures.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {findChromium, Page} from '../../tools/chromium.mjs';

const skipped = 77; // the SKIP_RETURN_CODE of this test
const [program, folder] = process.argv.slice(2);
const papers = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'papers');
if (!findChromium()) {
  console.log('SKIPPED: Chromium was not found (Debian: apt-get install chromium)');
  process.exit(skipped);
}
mkdirSync(folder, {recursive: true});
execFileSync(program, ['reproduce', 'siere-fig8', 'ere-fig1', '--papers', papers, '--steps', '5', '-o', folder]);

const page = await Page.open(join(folder, 'index.html'), {width: 1240, height: 1400});
try {
  await page.evaluate('window.brio.ready');
  const names = await page.evaluate('window.brio.data.papers.flatMap((paper) => paper.items.map((item) => item.name))');
  assert.equal(await page.evaluate('window.brio.items'), names.length);
  assert.deepEqual(await page.evaluate('[...document.querySelectorAll("#overview a")].map((a) => a.textContent).sort()'), ['ere-fig1', 'siere-fig8']);
  assert.equal(await page.evaluate('document.querySelectorAll("#overview .summary").length'), 2, 'a summary for each paper that was run');
  assert.equal(await page.evaluate('document.querySelector("#siere-table2").closest("details").open'), false, 'what was not run is folded away');
  assert.ok(await page.evaluate('[...document.querySelectorAll("#siere-fig8 th")].some((th) => th.textContent === window.brio.data.today)'), "a column of today's method");
  const verdict = (name) => page.evaluate(`document.querySelector("#${name} .verdict").textContent`);
  assert.equal(await verdict('siere-table2'), 'still to come');
  for (const name of ['siere-fig8', 'ere-fig1']) {
    assert.notEqual(await verdict(name), 'still to come');
    assert.ok((await page.evaluate(`document.querySelectorAll("#${name} .chart").length`)) > 0, `${name} has charts`);
    assert.ok((await page.evaluate(`document.querySelectorAll("#${name} td").length`)) > 4, `${name} has statements`);
  }
  assert.equal(await page.evaluate('document.querySelectorAll("iframe").length'), 0, 'no bodies before they are in sight');
  await page.evaluate('document.querySelector("#siere-fig8 .bodies-frame").scrollIntoView()');
  const frames = `document.querySelector("#siere-fig8 iframe")?.contentDocument?.readyState === "complete"`;
  for (let i = 0; i < 100 && !(await page.evaluate(frames)); i++) await new Promise((wait) => setTimeout(wait, 100));
  assert.ok(await page.evaluate('document.querySelector("#siere-fig8 iframe") !== null'), 'the bodies are shown in sight');
  await page.painted();
  writeFileSync(join(folder, 'reproduce.png'), await page.screenshot());
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(await page.evaluate('window.brio.errors'), []);
  await page.send('Emulation.setDeviceMetricsOverride', {width: 600, height: 900, deviceScaleFactor: 1, mobile: false});
  await page.painted();
  assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= 600, 'fits a narrow window');
} finally {
  await page.close();
}
console.log('ok   index.html');
