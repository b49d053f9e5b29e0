// The one connection to brio: comes back by itself when it breaks, and hands on what arrives.

const retryAfter = 1000; // [ms]

/** A frame: the length of a JSON text, the text, and the positions of each run as float32. */
function readFrame(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let at = 4 + length;
  for (const run of head.runs) {
    run.positions = new Float32Array(buffer, at, 3 * run.vertices);
    at += run.positions.byteLength;
  }
  return head;
}

export class Connection {
  /** on: functions by type of message, and `frame`, `open`, `lost`. */
  constructor(on) {
    this.on = on;
    this.said = 0; // messages, for scripts that drive the page
    this.open();
  }

  open() {
    const address = new URL('socket', window.location.href);
    address.protocol = 'ws:';
    address.search = window.location.search;
    this.socket = new WebSocket(address);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('open', () => this.on.open());
    this.socket.addEventListener('message', ({data}) => {
      if (typeof data !== 'string') return this.on.frame(readFrame(data));
      const message = JSON.parse(data);
      this.on[message.type]?.(message);
    });
    this.socket.addEventListener('close', () => {
      this.on.lost();
      if (!this.ended) setTimeout(() => this.open(), retryAfter);
    });
  }

  /** It does not come back any more. */
  end() {
    this.ended = true;
  }

  /** A frame was drawn, or left out for a newer one: the next may come. */
  seen() {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send('seen');
  }

  say(action, values = {}) {
    this.said++;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({do: action, ...values}));
  }
}
