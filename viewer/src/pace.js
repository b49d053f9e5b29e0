// Fewer pixels where frames come too slowly, and all of them again when nothing moves.

const slow = 1000 / 20; // [ms] from frame to frame
const fast = 1000 / 40;
const ratios = [1, 0.75, 0.5];
const looks = 6; // frames before a judgment
const still = 400; // [ms] without a new frame

export class Pace {
  /** set(part): draws with that part of the full number of pixels in each direction, at once. */
  constructor(set) {
    this.set = set;
    this.level = 0;
    this.times = [];
  }

  /** A frame of something that moves was drawn. */
  drawn(now = performance.now()) {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.reset(), still);
    this.times.push(now);
    if (this.times.length <= looks) return;
    const mean = (now - this.times[0]) / looks;
    this.times = [now];
    if (mean > still) return; // pauses between them
    if (this.resting) this.resting = false;
    else if (mean > slow) this.level = Math.min(this.level + 1, ratios.length - 1);
    else if (mean < fast) this.level = Math.max(this.level - 1, 0);
    this.use(ratios[this.level]);
  }

  reset() {
    this.times = [];
    this.resting = true;
    this.use(ratios[0]);
  }

  use(part) {
    if (part === (this.part ?? 1)) return;
    this.part = part;
    this.set(part);
  }
}
