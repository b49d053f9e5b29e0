// Opens a page with a frame in it, and tells how many pixels of bodies (blue) are seen in the left half of the frame, and what was complained about.
// Arguments: the page, a file for a picture, seconds to wait. Prints JSON.
import {writeFileSync} from 'node:fs';

import {readPng} from '../../tests/output/png.mjs';
import {Page} from '../../tools/chromium.mjs';

const [file, picture, seconds] = process.argv.slice(2);
const page = await Page.open(file, {width: 1100, height: 760});
const box = await page.evaluate('(({left, top, width, height}) => [left, top, width, height])(document.querySelector("iframe").getBoundingClientRect())');
let body = 0;
// A frame is drawn when it is ready: look until there is something to see.
for (const end = Date.now() + 1000 * seconds; Date.now() < end && body < 1000; ) {
  await new Promise((done) => setTimeout(done, 500));
  const png = await page.screenshot();
  writeFileSync(picture, png);
  const {at} = readPng(png);
  body = 0;
  // Below the buttons, which are blue as well, and above the controls.
  for (let y = Math.round(box[1] + 0.35 * box[3]); y < Math.min(756, box[1] + 0.85 * box[3]); y++)
    for (let x = Math.round(box[0]) + 4; x < box[0] + 0.6 * box[2]; x++) {
      const [red, , blue] = at(x, y);
      if (blue - red > 60) body++;
    }
}
await page.close();
console.log(JSON.stringify({body, complaints: page.complaints}));
