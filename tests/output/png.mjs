// Pixels of a PNG as Chromium writes it: 8 bits a channel, RGB or RGBA, not interlaced.
import {inflateSync} from 'node:zlib';

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** {width, height, at(x, y) -> [r, g, b]} */
export function readPng(file) {
  const parts = [];
  let header;
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const kind = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') header = data;
    if (kind === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  const [width, height, depth, type] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]];
  const channels = {2: 3, 6: 4}[type];
  if (depth !== 8 || !channels || header[12] !== 0) throw new Error('an unexpected kind of PNG');
  const packed = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = packed[y * (stride + 1)];
    for (let k = 0; k < stride; k++) {
      const left = k >= channels ? pixels[y * stride + k - channels] : 0;
      const above = y > 0 ? pixels[(y - 1) * stride + k] : 0;
      const corner = k >= channels && y > 0 ? pixels[(y - 1) * stride + k - channels] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      pixels[y * stride + k] = packed[y * (stride + 1) + 1 + k] + guess;
    }
  }
  return {width, height, at: (x, y) => [...pixels.subarray(y * stride + x * channels, y * stride + x * channels + 3)]};
}
