// Opens reports that the C++ writer made in headless Chromium: they load without complaint, play, scrub, and the
// picture is of the body. Arguments: the program test_output, the folder for pages and pictures.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {findChromium, Page} from '../../tools/chromium.mjs';
import {readPng} from './png.mjs';

const skipped = 77; // the SKIP_RETURN_CODE of this test
const [program, folder] = process.argv.slice(2);
if (!findChromium()) {
  console.log('SKIPPED: Chromium was not found (Debian: apt-get install chromium)');
  process.exit(skipped);
}

mkdirSync(folder, {recursive: true});
execFileSync(program, ['--gtest_filter=ReportPage.writes_examples'], {env: {...process.env, BRIO_PAGE_FOLDER: folder}});

async function picture(page, name) {
  const png = await page.screenshot();
  writeFileSync(join(folder, `${name}.png`), png);
  return readPng(png);
}

/** Where the blue body is seen in the 3D view: number of pixels, their middle and the box around them. */
async function bodyPixels(page, png) {
  const view = await page.evaluate('(({x, y, width, height}) => ({x, y, width, height}))(document.getElementById("view").getBoundingClientRect())');
  const found = {count: 0, x: 0, y: 0, left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity, view};
  for (let y = Math.ceil(view.y) + 50; y < view.y + view.height - 5; y++)
    for (let x = Math.ceil(view.x) + 5; x < view.x + view.width - 5; x++) {
      const [red, , blue] = png.at(x, y);
      if (blue - red < 50) continue;
      found.count++;
      found.x += x;
      found.y += y;
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x);
      found.top = Math.min(found.top, y);
      found.bottom = Math.max(found.bottom, y);
    }
  found.x /= found.count;
  found.y /= found.count;
  return found;
}

/** How much of the view has the red of a marked vertex. */
async function dotPixels(page, png) {
  const view = await page.evaluate('(({x, y, width, height}) => ({x, y, width, height}))(document.getElementById("view").getBoundingClientRect())');
  let count = 0;
  for (let y = Math.ceil(view.y); y < view.y + view.height; y++)
    for (let x = Math.ceil(view.x); x < view.x + view.width; x++) {
      const [red, green, blue] = png.at(x, y);
      if (red > 150 && green < 90 && blue < 90) count++;
    }
  return count;
}

const differ = (a, b, box) => {
  let count = 0;
  for (let y = Math.ceil(box.y); y < box.y + box.height; y++)
    for (let x = Math.ceil(box.x); x < box.x + box.width; x++)
      if (a.at(x, y).some((value, k) => Math.abs(value - b.at(x, y)[k]) > 24)) count++;
  return count;
};

async function wait(page, condition) {
  for (const end = Date.now() + 20000; Date.now() < end; await new Promise((done) => setTimeout(done, 50)))
    if (await page.evaluate(condition)) return;
  assert.fail(`in vain waited for: ${condition}`);
}

const tests = {
  async 'loads without complaint and shows the numbers'(page) {
    assert.equal(await page.evaluate('window.brio.ready'), true, 'there must be a picture');
    assert.equal(await page.evaluate('window.brio.frames'), 101);
    assert.equal(await page.evaluate('document.title'), 'Swinging bar · brio');
    const summary = await page.evaluate('document.getElementById("summary").innerText');
    for (const text of ['si', '1,519', '6,480', '0.01 s', '400', 'finished', '3.6', 'factor 2.4']) assert.ok(summary.includes(text), `${text} in ${summary}`);
    assert.equal(await page.evaluate('document.querySelectorAll(".banner:not(noscript *)").length'), 0);
  },

  async 'draws the body where it is'(page) {
    // The bar hangs from its upper end. At frame 0 it is swung towards +x, half a period (25 frames) later towards -x,
    // and a quarter of a period (frame 12 or 13) later it hangs straight down. The camera looks along +y: +x is right.
    const seen = {};
    for (const [name, frame] of [['right', 0], ['middle', 12], ['left', 25]]) {
      await page.evaluate(`window.brio.setFrame(${frame})`);
      assert.equal(await page.evaluate('window.brio.frame'), frame);
      const png = await picture(page, name);
      seen[name] = {png, ...(await bodyPixels(page, png))};
      const {count, view} = seen[name];
      const share = count / (view.width * view.height);
      assert.ok(share > 0.02 && share < 0.5, `${name}: the body covers ${share} of the view`);
    }
    const {left, middle, right} = seen;
    assert.ok(right.x > middle.x + 60 && middle.x > left.x + 60, `${left.x}, ${middle.x}, ${right.x}`);
    assert.ok(middle.y > left.y + 10 && middle.y > right.y + 10, 'it hangs lowest in the middle');
    const slender = (middle.bottom - middle.top) / (middle.right - middle.left);
    assert.ok(slender > 2, `upright it is ${slender} times as high as wide`);
    assert.ok(differ(left.png, right.png, left.view) > 0.5 * (left.count + right.count), 'the two pictures differ by the body');
  },

  async 'colors by speed, strain and stress with a legend'(page) {
    assert.equal(await page.evaluate(`document.querySelector('[data-color="body"]').hidden`), true);
    assert.equal(await page.evaluate(`document.getElementById('body-list').hidden`), true);
    assert.equal(await page.evaluate(`document.querySelectorAll('#summary details').length`), 0);
    assert.equal(await page.evaluate(`document.querySelector('[data-color="awake"]').hidden`), true);
    await page.evaluate('window.brio.setFrame(12)');
    const plain = await picture(page, 'plain');
    const {view} = await bodyPixels(page, plain);
    for (const [name, title] of [['speed', 'Speed [m/s]'], ['strain', 'Strain'], ['stress', 'Stress [Pa, von Mises]']]) {
      await page.evaluate(`document.querySelector('[data-color="${name}"]').click()`);
      assert.ok(differ(plain, await picture(page, name), view) > 5000, `${name} changes the colors`);
      const legend = await page.evaluate('document.getElementById("legend").innerText');
      assert.ok(legend.startsWith(title), legend);
    }
    await page.evaluate(`document.querySelector('[data-color="plain"]').click()`);
    assert.equal(await page.evaluate('document.getElementById("legend").hidden'), true);
  },

  async 'plays, pauses and steps by keys'(page) {
    await page.evaluate('window.brio.setFrame(0)');
    await page.press('Space');
    await wait(page, 'window.brio.frame > 5');
    await page.press('Space');
    const stopped = await page.evaluate('window.brio.frame');
    await page.painted();
    assert.equal(await page.evaluate('window.brio.frame'), stopped);
    await page.press('ArrowRight');
    assert.equal(await page.evaluate('window.brio.frame'), stopped + 1);
    await page.press('ArrowLeft');
    await page.press('ArrowLeft');
    assert.equal(await page.evaluate('window.brio.frame'), stopped - 1);
  },

  async 'a click on the body shows the path of the vertex there'(page) {
    // It swings about the hanging place with a period of fifty frames.
    await page.evaluate('window.brio.setFrame(12)');
    const {x, y} = await bodyPixels(page, await picture(page, 'before-probe'));
    await page.mouse('mousePressed', x, y);
    await page.mouse('mouseReleased', x, y);
    await wait(page, 'document.getElementById("probe")');
    const place = async (frame) => {
      await page.evaluate(`window.brio.setFrame(${frame})`);
      return page.evaluate('[...document.querySelectorAll("#probe .chart-legend b")].map((b) => Number(b.textContent.replace("−", "-")))');
    };
    const [first, middle, other, again] = [await place(0), await place(12), await place(25), await place(50)];
    assert.equal(first.length, 3);
    assert.ok(first[0] > middle[0] + 0.01 && other[0] < middle[0] - 0.01, `${first[0]}, ${middle[0]}, ${other[0]}`);
    first.forEach((value, k) => assert.ok(Math.abs(value - again[k]) < 0.02, `${first} and ${again}`));
    await page.evaluate('window.brio.setFrame(12)');
    assert.ok((await dotPixels(page, await picture(page, 'probe'))) > 20, 'a red dot marks it');
    await page.mouse('mousePressed', 60, 300);
    await page.mouse('mouseReleased', 60, 300);
    await wait(page, '!document.getElementById("probe")');
  },

  async 'saves a picture and the curves'(page) {
    await page.evaluate(`(() => { window.saved = []; URL.createObjectURL = (blob) => { window.saved.push(blob); return 'blob:nothing'; }; HTMLAnchorElement.prototype.click = () => {}; })()`);
    await page.evaluate('document.getElementById("save-picture").click()');
    await wait(page, 'window.saved.length === 1');
    const [size, start] = await page.evaluate('window.saved[0].arrayBuffer().then((bytes) => [bytes.byteLength, [...new Uint8Array(bytes, 1, 3)]])');
    assert.deepEqual(start, [...Buffer.from('PNG')]);
    assert.ok(size > 10000, `a picture of ${size} bytes shows something`);
    await page.evaluate('document.getElementById("save-curves").click()');
    const lines = (await page.evaluate('window.saved[1].text()')).trim().split('\n');
    assert.match(lines[0], /^run,time,kinetic,elastic,/);
    const times = lines.slice(1).map((line) => Number(line.split(',')[1]));
    assert.ok(times.length > 50 && times.every((time, i) => i === 0 || time > times[i - 1]));
    await page.evaluate('document.getElementById("save-video").click()');
    await page.evaluate('window.brio.setFrame(30)');
    await page.evaluate('new Promise((done) => setTimeout(done, 700))');
    await page.evaluate('document.getElementById("save-video").click()');
    await wait(page, 'window.saved.length === 3 && window.saved[2].type === "video/webm"');
  },

  async 'has a list of keys, and a dark side'(page) {
    await page.press('?');
    assert.match(await page.evaluate('document.getElementById("help").open && document.getElementById("help").innerText'), /play or pause/);
    await page.evaluate('document.getElementById("help").close()');
    const light = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.evaluate('document.getElementById("theme").click()');
    assert.notEqual(await page.evaluate('getComputedStyle(document.body).backgroundColor'), light);
    await picture(page, 'dark');
    await page.evaluate('document.getElementById("theme").click()');
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), light);
  },

  async 'scrubs by the chart and turns by the mouse'(page) {
    const box = await page.evaluate('(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector(".plot").getBoundingClientRect())');
    await page.mouse('mousePressed', box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse('mouseReleased', box.x + box.width / 2, box.y + box.height / 2);
    const frame = await page.evaluate('window.brio.frame');
    assert.ok(frame > 35 && frame < 65, `the middle of the chart is frame ${frame}`);

    const before = await picture(page, 'before');
    const {view} = await bodyPixels(page, before);
    const [x, y] = [view.x + view.width / 2, view.y + view.height / 2];
    await page.mouse('mousePressed', x, y);
    for (let k = 1; k <= 8; k++) await page.mouse('mouseMoved', x + 20 * k, y);
    await page.mouse('mouseReleased', x + 160, y);
    assert.ok(differ(before, await picture(page, 'turned'), view) > 5000, 'the view has turned');
  },

  async 'fits the window'(page) {
    for (const [width, height] of [[1280, 720], [800, 900], [1440, 900]]) {
      await page.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
      await page.painted();
      await picture(page, `${width}x${height}`);
      assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= width, `${width} is wide enough`);
      const canvas = await page.evaluate('document.querySelector("#view canvas").clientWidth');
      assert.equal(canvas, await page.evaluate('document.getElementById("view").clientWidth'));
    }
  },
};

let failures = 0;
async function check(name, page, action) {
  try {
    await action(page);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(await page.evaluate('window.brio.errors'), []);
    console.log(`ok   ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${name}: ${error.message}`);
    page.complaints.length = 0;
  }
}

/** One browser shows one page of the folder after the other: to start it takes longer than to look at most of them. */
const browser = await Page.open(join(folder, 'finished.html'));
async function withPage(name, action) {
  await browser.go(join(folder, `${name}.html`));
  await browser.evaluate('window.brio.ready');
  await action(browser);
}

await withPage('finished', async (page) => {
  for (const [name, action] of Object.entries(tests)) await check(name, page, action);
});

await withPage('diverged', (page) =>
  check('says so when the run diverged', page, async () => {
    await picture(page, 'diverged');
    const banner = await page.evaluate('document.getElementById("banners").innerText');
    assert.ok(banner.includes('diverged after 400 steps') && banner.includes('smaller h'), banner);
  }),
);

await withPage('doubtful', (page) =>
  check('says so when the run is doubtful', page, async () => {
    await picture(page, 'doubtful');
    const banner = await page.evaluate('document.getElementById("banners").innerText');
    assert.equal(banner.trim(), 'The run is doubtful: 80 % of the steps asleep. Try coffee');
    assert.equal(await page.evaluate('document.querySelector("#summary .remarks").innerText'), '80 % of the steps asleep');
    assert.equal(await page.evaluate('document.querySelector(".pill.doubtful").innerText'), 'doubtful');
  }),
);

await withPage('adaptive', (page) =>
  check('colors by the state of adaptive nodes', page, async () => {
    assert.equal(await page.evaluate(`document.querySelector('[data-color="awake"]').hidden`), false);
    const choose = (name) => page.evaluate(`document.querySelector('[data-color="${name}"]').click()`);
    await choose('awake');
    assert.ok((await page.evaluate('document.getElementById("legend").innerText')).includes('asleep'));
    // The bar hangs straight down in frame 10 and in no other: its halves have the colors of their nodes.
    await page.evaluate('window.brio.setFrame(10)');
    const png = await picture(page, 'adaptive');
    const view = await page.evaluate('(({x, y, width, height}) => ({x, y, width, height}))(document.getElementById("view").getBoundingClientRect())');
    const mean = {yellow: {count: 0, y: 0}, violet: {count: 0, y: 0}};
    for (let y = Math.ceil(view.y) + 50; y < view.y + view.height - 60; y++)
      for (let x = Math.ceil(view.x) + 5; x < view.x + view.width - 5; x++) {
        const [red, green, blue] = png.at(x, y);
        const seen = green - blue > 80 && red - blue > 80 ? mean.yellow : red - green > 20 && blue - green > 20 ? mean.violet : null;
        if (seen) Object.assign(seen, {count: seen.count + 1, y: seen.y + y});
      }
    assert.ok(mean.yellow.count > 1000 && mean.violet.count > 1000, JSON.stringify(mean));
    assert.ok(mean.yellow.y / mean.yellow.count > mean.violet.y / mean.violet.count + 50, 'the lower half is awake');
    await choose('rate');
    assert.ok((await page.evaluate('document.getElementById("legend").innerText')).startsWith('Stretching [1/s]'));
    await page.evaluate('window.brio.setFrame(0)'); // nothing is known before the first step
    await picture(page, 'adaptive-start');
  }),
);

await withPage('bodies', (page) =>
  check('knows bodies by name', page, async () => {
    const list = (text) => page.evaluate(`[...document.querySelectorAll('#body-list label')].map((label) => ${text})`);
    assert.deepEqual(await list('label.innerText.trim()'), ['3 bodies', 'bar', 'sheet', 'Seil ü']);
    await page.evaluate('window.brio.setFrame(10)'); // the bar hangs straight down
    const hue = {bar: [63, 127, 191], sheet: [224, 138, 46], rope: [79, 154, 95]}; // the first three colors
    const seen = async (name) => {
      const png = await picture(page, name);
      const view = await page.evaluate('(({x, y, width, height}) => ({x, y, width, height}))(document.getElementById("view").getBoundingClientRect())');
      const list = await page.evaluate('document.getElementById("body-list").getBoundingClientRect().left');
      const found = Object.fromEntries(Object.keys(hue).map((key) => [key, {count: 0, x: 0, y: 0}]));
      const angle = (p) => Math.atan2(Math.sqrt(3) * (p[1] - p[2]), 2 * p[0] - p[1] - p[2]);
      for (let y = Math.ceil(view.y) + 50; y < view.y + view.height - 5; y++)
        for (let x = Math.ceil(view.x) + 5; x < Math.min(list, view.x + view.width) - 5; x++) {
          const pixel = png.at(x, y).slice(0, 3);
          if (Math.max(...pixel) - Math.min(...pixel) < 45) continue;
          for (const [key, color] of Object.entries(hue))
            if (Math.abs(Math.sin((angle(pixel) - angle(color)) / 2)) < 0.12) {
              found[key].count++;
              found[key].x += x;
              found[key].y += y;
            }
        }
      for (const body of Object.values(found)) Object.assign(body, {x: body.x / body.count, y: body.y / body.count});
      return found;
    };
    const all = await seen('bodies');
    for (const key of ['bar', 'sheet', 'rope']) assert.ok(all[key].count > 300, `${key} is seen: ${JSON.stringify(all)}`);
    assert.ok(all.rope.x < all.bar.x - 100 && all.bar.x < all.sheet.x - 100, 'from left to right: rope, bar, sheet');

    // The name under the mouse.
    const nameAt = async ({x, y}) => {
      await page.hover(Math.round(x), Math.round(y));
      await page.painted();
      return page.evaluate('(({hidden, textContent}) => (hidden ? null : textContent))(document.getElementById("body-name"))');
    };
    assert.equal(await nameAt(all.bar), 'bar');
    assert.equal(await nameAt(all.sheet), 'sheet');
    assert.equal(await nameAt({x: (all.rope.x + all.bar.x) / 2, y: all.bar.y}), null);

    // The second body away, and back with the box of all.
    const click = (i) => page.evaluate(`document.querySelectorAll('#body-list input')[${i}].click()`);
    await click(2);
    const without = await seen('bodies-without-sheet');
    assert.ok(without.sheet.count < 0.05 * all.sheet.count, `${without.sheet.count} pixels of ${all.sheet.count} are left`);
    assert.ok(without.bar.count > 0.9 * all.bar.count && without.rope.count > 0.9 * all.rope.count);
    assert.equal(await nameAt(all.sheet), null);
    assert.equal(await page.evaluate('document.querySelector("#body-list input").indeterminate'), true);
    await click(3);
    assert.ok((await seen('bodies-bar')).rope.count < 0.05 * all.rope.count, 'ropes can be hidden, too');
    await click(0);
    assert.deepEqual(await list('label.firstChild.checked'), [true, true, true, true]);
    assert.ok((await seen('bodies-again')).sheet.count > 0.9 * all.sheet.count);

    const charts = await page.evaluate(`[...document.querySelectorAll('.chart')].map((chart) => chart.innerText)`);
    const energies = charts.find((text) => text.startsWith('Energy of each body'));
    for (const name of ['bar', 'sheet', 'Seil ü']) assert.ok(energies.includes(name), energies);
    const rows = await page.evaluate(`[...document.querySelectorAll('#summary details tbody tr')].map((row) => row.textContent)`);
    assert.equal(rows.length, 3);
    assert.ok(rows[0].includes('240 tetrahedra') && rows[0].includes('320 kg'), rows[0]);
    for (const name of ['plain', 'speed']) {
      await page.evaluate(`document.querySelector('[data-color="${name}"]').click()`);
      await picture(page, `bodies-${name}`);
    }
  }),
);

await withPage('rope', (page) =>
  check('draws ropes and obstacles', page, async () => {
    assert.equal(await page.evaluate('document.querySelector("h1").textContent'), 'Rope <b>& co</b>');
    await page.evaluate('window.brio.setFrame(0)');
    const first = await picture(page, 'rope');
    const {count, view} = await bodyPixels(page, first);
    assert.ok(count > 1000, `${count} pixels of the rope are seen`);
    await page.evaluate('window.brio.setFrame(50)');
    assert.ok(differ(first, await picture(page, 'rope-end'), view) > 3000, 'the sphere has moved');
    await page.evaluate(`document.querySelector('[data-color="speed"]').click()`);
    await page.painted();
  }),
);

await browser.close();

const plain = await Page.open(join(folder, 'finished.html'), {extraFlags: ['--disable-3d-apis']});
assert.equal(await plain.evaluate('window.brio.ready'), false);
const message = await plain.evaluate('document.getElementById("view").innerText');
assert.ok(message.includes('cannot draw in 3D'), message);
await picture(plain, 'without-webgl');
await plain.close();
console.log('ok   says so without WebGL');
process.exit(failures > 0 ? 1 : 0);
