"""Progress bars: tqdm's where it is installed, a line on standard error otherwise."""

import sys
import time


class _Line:
    """As much of tqdm's interface as is used here."""

    def __init__(self, total, desc):
        self.total, self.desc, self.n, self._said = total, desc, 0, 0.0

    def update(self, n):
        self.n += n
        now = time.monotonic()
        if now - self._said > 0.2 or self.n == self.total:
            self._said = now
            print(f"\r{self.desc}: {self.n}/{self.total} steps", end="", file=sys.stderr, flush=True)

    def close(self):
        if self._said:
            print(file=sys.stderr, flush=True)


def bar(total, label):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(total, label)
    return tqdm(total=total, desc=label, unit="step")


class RunBars:
    """A bar for each run, moved by (label, step, steps)."""

    def __init__(self):
        self._label, self._bar = None, None

    def __call__(self, label, step, steps):
        if label != self._label:
            self.close()
            self._label, self._bar, self._step = label, bar(steps, label), 0
        self._bar.update(step - self._step)
        self._step = step

    def close(self):
        if self._bar is not None:
            self._bar.close()
