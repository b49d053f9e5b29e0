// The live page in headless Chromium: it connects, the bodies move, hands pull, and what the browser must not do is
// refused. Arguments: the program brio, the folder of scenes, a folder for pictures and saved files.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import {join} from 'node:path';

import {findChromium, Page} from '../../tools/chromium.mjs';
import {distance, evaluate, furthest, picture, ready, start, status, take, until, where} from './live_page_driver.mjs';

const skipped = 77; // the SKIP_RETURN_CODE of this test
const [program, scenes, folder] = process.argv.slice(2);
if (!findChromium()) {
  console.log('SKIPPED: Chromium was not found (Debian: apt-get install chromium)');
  process.exit(skipped);
}
mkdirSync(folder, {recursive: true});

const tests = {};

tests['connects, and the body moves'] = async (page) => {
  const before = await evaluate(page, 'window.brio.page.frames');
  await until('more frames', async () => (await evaluate(page, 'window.brio.page.frames')) > before + 5);
  const {time} = await status(page);
  await until('time goes on', async () => (await status(page)).time > time + 0.2);
  assert.equal(await evaluate(page, 'document.title'), 'Bar, 1,280 tetrahedra · brio live');
  await picture(page, 'moving');
};

tests['pause stops time, and a step is one'] = async (page) => {
  await page.press('Space');
  await until('a pause', async () => !(await status(page)).playing);
  const {time} = await status(page);
  const frames = await evaluate(page, 'window.brio.page.frames');
  await until('three states more', async () => {
    await evaluate(page, 'new Promise((done) => setTimeout(done, 350))');
    return true;
  });
  assert.equal((await status(page)).time, time);
  assert.ok((await evaluate(page, 'window.brio.page.frames')) <= frames + 1);
  await page.press('.');
  await until('one step', async () => Math.abs((await status(page)).time - time - 0.01) < 1e-9);
  await evaluate(page, 'document.getElementById("play").click()');
  await until('it goes on', async () => (await status(page)).time > time + 0.1);
};

tests['a drag moves the picked point towards the pointer and injects energy'] = async (page) => {
  const before = await status(page);
  const [x, y] = await take(page);
  const {point: start} = await until('a hold', () => evaluate(page, 'window.brio.page.runs[0].holds[0]'));
  await page.mouse('mouseMoved', x + 10, y - 40);
  await page.mouse('mouseMoved', x + 20, y - 150);
  const near = await until('the point comes nearer to where the pointer is', async () => {
    const hold = await evaluate(page, 'window.brio.page.runs[0].holds[0]');
    return hold && hold.target[1] > start[1] + 0.05 && distance(hold.point, hold.target) < distance(start, hold.target) - 0.03 && hold;
  });
  assert.ok(near.point[1] > start[1] + 0.01, 'it is lifted');
  assert.ok(Math.hypot(...near.force) > 0);
  await until('the force is written beside the pointer', () => evaluate(page, '/\\d N/.test(document.getElementById("force").textContent)'));
  const {runs} = await until('the books show the work', async () => {
    const now = await status(page);
    return now.runs[0].injected > before.runs[0].injected + 1e-3 && now;
  });
  assert.ok(runs[0].injected > 0);
  await until('the charts show it too', () => evaluate(page, 'window.brio.page.charts.series[0].injected.at(-1) > 1e-3'));
  await picture(page, 'drag');
  await page.mouse('mouseReleased', x + 20, y - 150);
  await until('the hold is gone', () => evaluate(page, 'window.brio.page.runs[0].holds.length === 0'));
  const {vertex, at} = await furthest(page);
  await until('it swings', async () => distance(await where(page, vertex), at) > 0.01);
};

tests['drag while paused holds the body, and pulls when it goes on'] = async (page) => {
  await page.press('Space');
  await until('a pause', async () => !(await status(page)).playing);
  const [x, y] = await take(page);
  await page.mouse('mouseMoved', x, y - 120);
  await until('the hold is shown in the pause', () => evaluate(page, 'window.brio.page.runs[0].holds[0]?.target[1] > window.brio.page.runs[0].holds[0]?.point[1]'));
  const {time} = await status(page);
  await page.press('Space');
  await until('it goes on', async () => (await status(page)).time > time);
  await page.mouse('mouseReleased', x, y - 120);
  await until('let go', () => evaluate(page, 'window.brio.page.runs[0].holds.length === 0'));
};

tests['reset gives the bits of the first frame'] = async (page) => {
  await page.press('Space');
  await until('a pause', async () => !(await status(page)).playing);
  await evaluate(page, 'document.getElementById("reset").click()');
  await until('time 0', async () => (await status(page)).time === 0 && (await evaluate(page, 'window.brio.page.time === 0')));
  const first = await evaluate(page, 'window.brio.positions()');
  await page.press('.');
  await page.press('.');
  await until('two steps', async () => (await evaluate(page, 'window.brio.page.time')) > 0.015);
  assert.notDeepEqual(await evaluate(page, 'window.brio.positions()'), first);
  await page.press('Home');
  await until('time 0', () => evaluate(page, 'window.brio.page.time === 0'));
  assert.deepEqual(await evaluate(page, 'window.brio.positions()'), first);
  await page.press('Space');
};

tests['a slider changes the stiffness, and the saved scene has it and runs'] = async (page, {url}) => {
  await evaluate(page, `(() => {
    const field = document.querySelector('[data-path="materials[0].E"] input[type="text"]');
    field.value = '2e6';
    field.dispatchEvent(new Event('change'));
  })()`);
  await until('the new value', () => evaluate(page, 'window.brio.page.parameters[0].find(({path}) => path === "materials[0].E").value === 2e6'));
  const {time} = await status(page);
  await until('it moves on', async () => (await status(page)).time > time + 0.1);
  const text = await fetchText(`${url.origin}/scene/0${url.search}`);
  assert.equal(JSON.parse(text).materials[0].E, 2e6);
  const saved = join(folder, 'saved.json');
  writeFileSync(saved, text);
  const out = execFileSync(program, ['run', saved, '-o', join(folder, 'saved'), '--steps', '5'], {encoding: 'utf8'});
  assert.match(out, /5 steps/);
};

tests['a value that the scene check refuses is answered on the page and changes nothing'] = async (page) => {
  await evaluate(page, `(() => {
    const field = document.querySelector('[data-path="materials[0].nu"] input[type="text"]');
    field.value = '0.7';
    field.dispatchEvent(new Event('change'));
  })()`);
  await until('a notice', () => evaluate(page, 'window.brio.page.notices.some((text) => text.includes("materials[0].nu"))'));
  assert.equal(await evaluate(page, 'window.brio.page.parameters[0].find(({path}) => path === "materials[0].nu").value'), 0.45);
};

tests['poke, pin and unpin'] = async (page) => {
  const before = (await status(page)).runs[0].injected;
  await page.press('p');
  let [x, y] = await take(page);
  await page.mouse('mouseReleased', x, y);
  await until('a poke is booked', async () => Math.abs((await status(page)).runs[0].injected - before) > 1e-6);
  await page.press('n');
  [x, y] = await take(page);
  await page.mouse('mouseReleased', x, y);
  await until('a pin', () => evaluate(page, 'window.brio.page.runs[0].pins.length === 1'));
  const seen = await evaluate(page, '(() => { const {view, runs} = window.brio.page; return view.project(runs[0].pins[0]); })()');
  assert.ok(distance(seen, [x, y]) < 200);
  await evaluate(page, 'window.brio.page.say("unpin", {run: 0, index: 0})');
  await until('no pin', () => evaluate(page, 'window.brio.page.runs[0].pins.length === 0'));
  await page.press('g');
};

tests['goes back and on from there'] = async (page) => {
  await until('some time to go back to', async () => {
    const {time, oldest} = await status(page);
    return time - oldest > 1;
  });
  const {time} = await status(page);
  await page.press('ArrowLeft');
  await until('an earlier time', async () => (await status(page)).time < time);
  const back = (await status(page)).time;
  await until('on from there', async () => (await status(page)).time > back + 0.1);
};

tests['a stroke cuts the body, and starting again mends it'] = async (page) => {
  await page.press('c');
  const before = await evaluate(page, 'window.brio.page.runs[0].vertices');
  const [left, right, top, bottom] = await evaluate(page, `(() => {
    const places = Array.from({length: window.brio.positions().length / 3}, (_, i) => window.brio.project(i));
    const [x, y] = [0, 1].map((k) => places.map((place) => place[k]));
    return [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
  })()`);
  const middle = Math.round((left + 2 * right) / 3);
  await page.mouse('mousePressed', middle, Math.round(top - 15));
  await page.mouse('mouseMoved', middle, Math.round((top + bottom) / 2));
  await page.mouse('mouseMoved', middle, Math.round(bottom + 15));
  await page.mouse('mouseReleased', middle, Math.round(bottom + 15));
  await until('more vertices', () => evaluate(page, `window.brio.positions().length > ${3 * before}`));
  await picture(page, 'cut');
  await page.press('Home');
  await until('the whole body', () => evaluate(page, `window.brio.positions().length === ${3 * before}`));
  await page.press('g');
};

tests['a video is recorded'] = async (page) => {
  await evaluate(page, 'document.getElementById("save-video").click()');
  await until('a piece of it', () => evaluate(page, 'window.brio.page.video.bytes > 500'));
  await evaluate(page, 'document.getElementById("save-video").click()');
  await until('a file', () => evaluate(page, 'window.brio.page.video.blob?.size >= window.brio.page.video.bytes'));
};

tests['help lists the keys, and dark mode is dark'] = async (page) => {
  await page.press('?');
  await until('the list', () => evaluate(page, 'document.getElementById("help").open'));
  assert.match(await evaluate(page, 'document.getElementById("help").innerText'), /go on or pause/);
  await evaluate(page, 'document.getElementById("help").close()');
  const light = await evaluate(page, 'getComputedStyle(document.body).backgroundColor');
  await page.press('d');
  assert.notEqual(await evaluate(page, 'getComputedStyle(document.body).backgroundColor'), light);
  await picture(page, 'dark');
  await page.press('d');
};

tests['the GLB has the motion'] = async (page, {url}) => {
  await until('some frames', async () => (await status(page)).time > 0.3);
  const answer = await fetch(`${url.origin}/glb/0${url.search}`);
  assert.match(answer.headers.get('content-disposition'), /filename="bar-1k-si.glb"/);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(bytes.toString('latin1', 0, 4), 'glTF');
  assert.equal(bytes.readUInt32LE(8), bytes.length);
  const gltf = JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
  const [primitive] = gltf.meshes[0].primitives;
  assert.ok(primitive.targets.length >= 5, `${primitive.targets.length} frames after the first`);
  assert.equal(gltf.animations.length, 1);
  assert.equal(gltf.accessors[primitive.indices].count, await evaluate(page, 'window.brio.page.runs[0].parts.at(-1).triangles.length'));
  writeFileSync(join(folder, 'recording.glb'), bytes);
};

tests['the recording is a page'] = async (page, {url}) => {
  const html = await fetchText(`${url.origin}/recording.html${url.search}`);
  const file = join(folder, 'recording.html');
  writeFileSync(file, html);
  await page.go(file);
  assert.equal(await evaluate(page, 'window.brio.ready'), true);
  assert.ok((await evaluate(page, 'window.brio.frames')) >= 1);
};

/** A request with headers of our own; resolves to status and body. */
function request(url, {path = `${url.pathname}${url.search}`, headers = {}, method = 'GET'} = {}) {
  return new Promise((done, fail) => {
    const call = http.request({host: '127.0.0.1', port: url.port, path, headers: {Host: url.host, ...headers}, method}, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text) => (body += text));
      answer.on('end', () => done({status: answer.statusCode, body, headers: answer.headers}));
    });
    call.on('error', fail);
    call.end();
  });
}

const fetchText = async (address) => {
  const url = new URL(address);
  const answer = await request(url);
  assert.equal(answer.status, 200, address);
  return answer.body;
};

/** The first line of the answer to a handshake. */
function handshake(url, {host = url.host, origin = url.origin, search = url.search, then = () => {}} = {}) {
  return new Promise((done, fail) => {
    const socket = net.connect(Number(url.port), '127.0.0.1', () => {
      const lines = [`GET /socket${search} HTTP/1.1`, `Host: ${host}`, 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
      if (origin !== null) lines.push(`Origin: ${origin}`);
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    });
    socket.once('data', (data) => {
      const line = data.toString('latin1').split('\r\n')[0];
      then(socket, line);
      if (then.length === 0) socket.destroy();
      done({line, socket});
    });
    socket.on('error', fail);
    socket.on('close', () => done({line: ''}));
  });
}

/** A masked frame, as browsers send them. */
function masked(opcode, payload, final = true) {
  const body = Buffer.from(payload);
  const head = [(final ? 0x80 : 0) | opcode];
  if (body.length < 126) head.push(0x80 | body.length);
  else head.push(0x80 | 126, body.length >> 8, body.length & 255);
  return Buffer.concat([Buffer.from(head), Buffer.from([1, 2, 3, 4]), body.map((byte, i) => byte ^ [1, 2, 3, 4][i % 4])]);
}

async function refusals({url, address}) {
  const open = await handshake(url);
  assert.match(open.line, /101/, 'the right token, origin and host are welcome');
  const port = url.port;
  const strangers = {
    'no token': {search: ''},
    'a wrong token': {search: `?token=${'0'.repeat(32)}`},
    'a token with more behind it': {search: `${url.search}0`},
    'no origin': {origin: null},
    'the origin of another site': {origin: 'http://evil.example'},
    'the origin of another port': {origin: 'http://127.0.0.1:1'},
    'an origin of null': {origin: 'null'},
    'the host of another site': {host: `evil.example:${port}`, origin: `http://evil.example:${port}`},
    'a host without port': {host: '127.0.0.1', origin: 'http://127.0.0.1'},
  };
  for (const [what, how] of Object.entries(strangers)) {
    const {line} = await handshake(url, how);
    assert.doesNotMatch(line, /101/, what);
  }
  assert.equal((await request(url)).status, 200);
  assert.equal((await request(url, {path: '/'})).status, 403);
  assert.equal((await request(url, {headers: {Host: `evil.example:${port}`}})).status, 403);
  assert.equal((await request(url, {method: 'POST'})).status, 403);
  for (const path of ['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/etc/passwd', '/scene/99', '/scene/../scene/0', '/picture/0', '/scenes/bar-1k.json'])
    assert.ok([400, 403, 404].includes((await request(url, {path: `${path}${url.search}`})).status), path);
  assert.equal((await request(new URL(address), {path: '/socket-of-others'})).status, 403);
  const {headers} = await request(url);
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.match(headers['content-security-policy'], /default-src 'none'/);
}

/** Nonsense through the socket: the server stays, and the session is what it was. */
async function nonsense({url}) {
  const before = (await request(url, {path: `/scene/0${url.search}`})).body;
  for (const garbage of [masked(1, 'x'.repeat(5000)), masked(2, 'binary'), masked(1, 'half', false), Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]), Buffer.alloc(300, 7)]) {
    const {socket} = await handshake(url, {then: (s, line) => assert.match(line, /101/)});
    const closed = new Promise((done) => socket.on('close', done));
    socket.resume();
    socket.write(garbage);
    socket.end();
    await closed;
  }
  const {socket} = await handshake(url, {then: (s, line) => assert.match(line, /101/)});
  socket.resume();
  for (let i = 0; i < 3000; i++) socket.write(masked(1, ['{', '[]', '{"do":"fly"}', '\u0000', '{"do":"set","run":0,"index":1,"value":{}}'][i % 5]));
  await new Promise((done) => socket.end(done));
  socket.destroy();
  assert.equal((await request(url, {path: `/scene/0${url.search}`})).body, before);
}

const scene = (name) => join(scenes, `${name}.json`);
let failed = 0;
async function attempt(name, test) {
  const begin = Date.now();
  try {
    await test();
    console.log(`ok   ${name} (${Date.now() - begin} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${error.stack}`);
  }
}

// One method, one page.
{
  const live = await start(scene('bar-1k'));
  const page = await Page.open(live.address, {width: 1000, height: 640});
  await ready(page);
  for (const [name, test] of Object.entries(tests)) await attempt(name, () => test(page, live));
  await attempt('nothing was complained about', async () => assert.deepEqual(page.complaints, []));
  await page.close();
  await attempt('strangers are refused', () => refusals(live));
  await attempt('nonsense through the socket changes nothing', () => nonsense(live));
  await attempt('it ends when it is told to', async () => assert.equal(await live.end(), 0));
}

// Two methods in one hand, on a screen of a phone; then the browser is killed while it drags.
{
  const live = await start(scene('bar-1k'), '--integrators', 'si,glim');
  const page = await Page.open(live.address, {width: 400, height: 800});
  await ready(page);
  await attempt('two methods receive the same drag', async () => {
    const [x, y] = await take(page, 0);
    await page.mouse('mouseMoved', x, y - 30);
    await until('two holds with one target', () =>
      evaluate(page, '(([a, b]) => a && b && a.target.every((v, k) => v === b.target[k]) && Math.hypot(...a.force) > 0 && Math.hypot(...b.force) > 0)(window.brio.page.runs.map(({holds}) => holds[0]))'),
    );
    await picture(page, 'phone');
    assert.ok(await evaluate(page, 'document.documentElement.scrollWidth <= window.innerWidth'), 'nothing sticks out of a narrow screen');
  });
  const other = await Page.open(live.address, {width: 900, height: 700});
  await ready(other);
  await attempt('a second browser sees the hand of the first', () => until('the hold', () => evaluate(other, 'window.brio.page.runs[0].holds.length === 1')));
  await attempt('killing the browser in mid-drag leaves the bodies moving and the spring gone', async () => {
    page.browser.kill('SIGKILL');
    await until('the hold is gone', () => evaluate(other, 'window.brio.page.runs.every(({holds}) => holds.length === 0)'));
    const {time, clients} = await status(other);
    await until('time goes on', async () => (await status(other)).time > time + 0.1);
    await until('one client is left', async () => (await status(other)).clients === 1, clients);
  });
  await attempt('a page comes back by itself', async () => {
    await evaluate(other, 'window.brio.page.connection.socket.close()');
    await until('the loss is said', () => evaluate(other, '/No connection/.test(document.getElementById("banners").innerText)'));
    await until('a connection', () => evaluate(other, 'window.brio.page.connected'));
    const frames = await evaluate(other, 'window.brio.page.frames');
    await until('frames', async () => (await evaluate(other, 'window.brio.page.frames')) > frames);
  });
  await attempt('a port that is taken is refused with a word of advice', async () => {
    const second = await start(scene('bar-1k'), '--port', live.url.port);
    assert.equal(await second.exited, 2);
    assert.match(second.complaints(), /--port/);
  });
  const recording = join(folder, 'recording2.html');
  writeFileSync(recording, await fetchText(`${live.url.origin}/recording.html${live.url.search}`));
  await other.close();
  await live.end();
  await attempt('the recording has the curves of both methods', async () => {
    const replay = await Page.open(recording, {width: 1200, height: 800});
    assert.equal(await evaluate(replay, 'window.brio.ready'), true);
    const legend = await evaluate(replay, 'document.querySelector(".chart .chart-legend").innerText');
    assert.match(legend, /si[^]*glim/);
    assert.deepEqual(replay.complaints, []);
    await picture(replay, 'recording2');
    await replay.close();
  });
}

// The gallery.
{
  const live = await start();
  const page = await Page.open(live.address, {width: 1000, height: 640});
  await attempt('a scene of the gallery starts with a click', async () => {
    await until('cards', () => evaluate(page, 'document.querySelectorAll(".scene-card").length === 10'));
    await until('pictures', () => evaluate(page, '[...document.querySelectorAll(".scene-card img")].length === 10 && [...document.querySelectorAll(".scene-card img")].every((image) => image.complete && image.naturalWidth > 0)'));
    await picture(page, 'gallery');
    await evaluate(page, 'document.querySelectorAll(".scene-card")[8].click()');
    await ready(page);
    await until('it moves', async () => (await status(page)).time > 0);
    assert.match(await evaluate(page, 'document.getElementById("title").textContent'), /rings/i);
    // A scene that comes between a frame and its picture is not drawn before a frame of its own.
    await evaluate(page, `new Promise((done) => {
      const {page} = window.brio;
      const {on} = page.connection;
      const {frame} = on;
      on.frame = (message) => {
        on.frame = frame;
        frame(message);
        page.setScene({...page.message, title: 'Other rings'});
        requestAnimationFrame(() => done());
      };
    })`);
    await ready(page);
    await evaluate(page, 'document.querySelectorAll(".scene-card")[4].click()');
    await until('another scene', () => evaluate(page, '!/rings/i.test(document.getElementById("title").textContent) && Boolean(window.brio.page.view)'));
    assert.deepEqual(page.complaints, []);
  });
  await page.close();
  await live.end();
}

process.exit(failed > 0 ? 1 : 0);
