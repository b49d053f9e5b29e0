// The clock of the page: which moment is shown, and whether time runs.

import {indexAt} from './data.js';

export class Player {
  /** Frames are those of the run that lasts longest; the others follow its time. clock: how its time is written. */
  constructor(runs, clock = {label: 't [s]', unit: ' s'}) {
    this.clock = clock;
    const last = (times) => (times.length > 0 ? times[times.length - 1] : -Infinity);
    const longer = (a, b) => (last(b) > last(a) ? b : a);
    this.times = runs.map((run) => run.times).reduce(longer, new Float64Array());
    this.frames = this.times.length;
    this.start = this.frames > 0 ? this.times[0] : 0;
    this.end = this.frames > 0 ? this.times[this.frames - 1] : 0;
    this.time = this.start;
    this.playing = false;
    this.loop = true;
    this.speed = 1; // seconds of the run per second of the watcher
    this.listeners = [];
  }

  get frame() {
    return indexAt(this.times, this.time);
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.changed();
  }

  setFrame(i) {
    if (this.frames === 0) return;
    this.pause();
    this.seek(this.times[Math.min(Math.max(Math.round(i), 0), this.frames - 1)]);
  }

  play() {
    if (this.playing || this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      this.advance(((now - before) / 1000) * this.speed);
      before = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.changed();
  }

  advance(seconds) {
    const time = this.time + Math.max(0, seconds);
    if (time <= this.end) return this.seek(time);
    if (this.loop) return this.seek(this.start + ((time - this.start) % (this.end - this.start)));
    this.playing = false;
    this.seek(this.end);
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
}
