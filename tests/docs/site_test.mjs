// Builds the site of docs/ and opens every page in headless Chromium: no complaints, no link that leads nowhere, pictures
// that load, nothing from another host, every page in the navigation, and all of it on a narrow screen too.
// Arguments: the repository, a folder to build in.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {findChromium, Page} from '../../tools/chromium.mjs';

const skipped = 77; // the SKIP_RETURN_CODE of this test
const [repository, folder] = process.argv.slice(2);
const python = '/usr/bin/python3';
if (spawnSync(python, ['-c', 'import markdown']).status !== 0) {
  console.log('SKIPPED: Python-Markdown was not found (Debian: apt-get install python3-markdown)');
  process.exit(skipped);
}
rmSync(folder, {recursive: true, force: true});
const tool = join(repository, 'tools', 'site');

// What the tool must refuse, so that its silence means something.
const bad = join(folder, 'bad');
mkdirSync(join(bad, 'docs'), {recursive: true});
writeFileSync(join(bad, 'README.md'), '# A\n\n[b](docs/b.md) [c](docs/c.md) [top](docs/b.md#nowhere)\n');
writeFileSync(join(bad, 'docs', 'b.md'), '# B\n\n[a](../README.md#a) ![x](images/x.png)\n');
const refused = spawnSync(python, [tool, bad, join(folder, 'bad-site')], {encoding: 'utf8'});
assert.equal(refused.status, 1);
for (const text of ['README.md: docs/c.md: no such file', 'README.md: docs/b.md#nowhere: no such heading', 'docs/b.md: images/x.png: no such file'])
  assert.ok(refused.stderr.includes(text), refused.stderr);
assert.ok(!refused.stderr.includes('#a:'), refused.stderr);
const filled = spawnSync(python, [tool, repository, bad], {encoding: 'utf8'});
assert.equal(filled.status, 1, 'a folder with other files is left alone');
assert.ok(existsSync(join(bad, 'README.md')));
console.log('ok   dead links are refused');

const site = join(folder, 'site');
execFileSync(python, [tool, repository, site]);
const pages = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md')).map((name) => name.replace('.md', '.html'));
pages.push('index.html', 'CHANGELOG.html');
assert.deepEqual(readdirSync(site).filter((name) => name.endsWith('.html')).sort(), pages.sort());
if (!findChromium()) {
  console.log('SKIPPED: Chromium was not found (Debian: apt-get install chromium)');
  process.exit(skipped);
}

const page = await Page.open(join(site, 'index.html'), {width: 1440, height: 900});
const anchors = new Map();
const links = [];
try {
  for (const name of pages) {
    await page.go(join(site, name));
    const found = await page.evaluate(`({
      title: document.title,
      heading: document.querySelectorAll('main h1').length,
      ids: [...document.querySelectorAll('[id]')].map((e) => e.id),
      links: [...document.querySelectorAll('a')].map((a) => a.href),
      navigation: [...document.querySelectorAll('nav.pages a')].map((a) => a.href),
      current: [...document.querySelectorAll('nav.pages [aria-current]')].map((a) => a.href),
      broken: [...document.images].filter((i) => !i.complete || i.naturalWidth === 0).map((i) => i.src),
      loaded: performance.getEntriesByType('resource').map((r) => r.name),
      raw: [...document.querySelectorAll('main p, main li')].map((e) => e.textContent).filter((t) => /\\n(- |\\| ?-)|\\]\\(|^\`\`\`/.test(t)),
    })`);
    assert.ok(found.title && found.heading === 1, `${name}: ${found.heading} titles`);
    assert.deepEqual(found.navigation.map((href) => href.split('/').at(-1)).sort(), pages, `${name}: the navigation has every page once`);
    assert.deepEqual(found.current.map((href) => href.split('/').at(-1)), [name]);
    assert.deepEqual(found.broken, [], `${name}: pictures`);
    assert.deepEqual(found.loaded.filter((href) => !href.startsWith('file:') && !href.startsWith('data:')), [], `${name}: other hosts`);
    assert.deepEqual(found.raw, [], `${name}: Markdown that was not understood`);
    anchors.set(name, new Set(found.ids));
    for (const href of found.links) links.push([name, new URL(href)]);
    await page.send('Emulation.setDeviceMetricsOverride', {width: 400, height: 800, deviceScaleFactor: 1, mobile: false});
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(width <= 400, `${name}: ${width} pixels wide on a screen of 400`);
    await page.send('Emulation.setDeviceMetricsOverride', {width: 1440, height: 900, deviceScaleFactor: 1, mobile: false});
  }
  for (const [from, url] of links.filter(([, url]) => url.protocol === 'file:')) {
    const path = fileURLToPath(new URL(url.pathname, 'file:///'));
    assert.ok(path.startsWith(site) && existsSync(path), `${from}: ${url}`);
    const ids = anchors.get(path.slice(site.length + 1));
    if (url.hash && ids) assert.ok(ids.has(decodeURIComponent(url.hash.slice(1))), `${from}: ${url}`);
  }
  assert.deepEqual(page.complaints, []);
  console.log(`ok   ${pages.length} pages, ${links.length} links`);
} finally {
  await page.close();
}
