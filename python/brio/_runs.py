"""Whole runs and comparisons, written into folders as the program `brio` writes them."""

import csv
import json
import os
import shutil
import tempfile
import warnings
import weakref
from pathlib import Path

import numpy as np

from . import _brio
from ._brio import Error
from ._errors import SceneWarning
from ._picture import html_frame
from ._progress import RunBars
from ._scene import Scene


def _columns(file):
    """The columns of a CSV file of numbers, by name."""
    with open(file, newline="", encoding="utf-8") as lines:
        names, *rows = list(csv.reader(lines))
    values = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows]).reshape(-1, len(names))
    return {name: values[:, i] for i, name in enumerate(names)}


class Run:
    """A run that was written into `folder`: status is "finished", "doubtful" or "diverged", with a message."""

    def __init__(self, folder, status, message, steps):
        self.folder, self.status, self.message, self.steps = Path(folder), status, message, steps

    @property
    def summary(self):
        """What summary.json says."""
        return json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))

    @property
    def energy(self):
        """The columns of energy.csv."""
        return _columns(self.folder / "energy.csv")

    def __repr__(self):
        return f"<brio.Run in {str(self.folder)!r}: {self.status}, {self.steps} steps>"

    def _repr_html_(self):
        return html_frame(self.folder / "report.html", repr(self)[1:-1])


def _bars(progress):
    """None, a function (label, step, steps), or bars for progress=True."""
    if progress is True:
        return RunBars()
    if progress in (None, False):
        return None
    if callable(progress):
        return progress
    raise Error(f"progress: expected True, False or a function of (label, step, steps), got {progress!r}")


def run(scene, folder="out", integrator=None, steps=None, resume=False, checkpoint_every=30.0, progress=False):
    """Runs a scene to its end into a folder: the same files as `brio run`, with a checkpoint every so many seconds. Ctrl-C
    ends it with everything kept; resume=True goes on from the newest checkpoint. Returns a Run."""
    scene = Scene.of(scene)
    if integrator is not None:
        scene = scene.with_integrator(integrator)
    if steps is not None:
        scene = scene.set("steps", steps)
    bars = _bars(progress)
    try:
        status, message, taken = _brio.run(scene._scene, os.fspath(folder), bool(resume), float(checkpoint_every), bars)
    finally:
        if isinstance(bars, RunBars):
            bars.close()
    if status != "finished":
        warnings.warn(f"{status}: {message}", SceneWarning, stacklevel=2)
    return Run(folder, status, message, taken)


class Comparison:
    """Methods side by side. `runs` has what compare.json says of each; save(folder) writes the page of `brio compare`."""

    _FILES = ("compare.html", "compare.json", "compare.csv", "compare_series.csv")

    def __init__(self, folder):
        self._folder = folder  # a temporary one goes with this object
        self._data = json.loads((folder / "compare.json").read_text(encoding="utf-8"))

    @property
    def data(self):
        """What compare.json says."""
        return self._data

    @property
    def runs(self):
        """By label."""
        return {run["label"]: run for run in self._data["runs"]}

    @property
    def series(self):
        """Rows of compare_series.csv: energies of each run, step by step."""
        with open(self._folder / "compare_series.csv", newline="", encoding="utf-8") as lines:
            return list(csv.DictReader(lines))

    def save(self, folder):
        """Writes compare.html, compare.json, compare.csv and compare_series.csv; returns the page's path."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name in self._FILES:
            shutil.copyfile(self._folder / name, Path(folder) / name)
        return Path(folder) / "compare.html"

    def __repr__(self):
        return f"<brio.Comparison of {', '.join(self.runs)}>"

    def _repr_html_(self):
        return html_frame(self._folder / "compare.html", repr(self)[1:-1])


def compare(scene, integrators, reference=None, steps=None, folder=None, progress=False):
    """Runs a scene with several methods: compare(scene, ["si", "newmark:gamma=0.6"], reference="rk4@1e-4"), as
    `brio compare`. Returns a Comparison. With a folder it is written there as it goes, and Ctrl-C keeps what there is; without
    one, call save()."""
    if isinstance(integrators, str):
        integrators = integrators.split(",")
    names = list(integrators)
    if not names or not all(isinstance(name, str) and name for name in names):
        raise Error(f"integrators: expected names such as [\"si\", \"newmark:gamma=0.6\"], got {integrators!r}")
    scene = Scene.of(scene)
    if steps is not None:
        scene = scene.set("steps", steps)
    bars = _bars(progress)
    place = Path(tempfile.mkdtemp(prefix="brio-compare-") if folder is None else folder)
    try:
        _brio.compare(scene._scene, ",".join(names), reference or "", str(place), bars)
        comparison = Comparison(place)
    except BaseException:
        if folder is None:
            shutil.rmtree(place, ignore_errors=True)
        raise
    finally:
        if isinstance(bars, RunBars):
            bars.close()
    if folder is None:
        weakref.finalize(comparison, shutil.rmtree, place, True)
    return comparison
