"""Deformable bodies that stay alive at large time steps, from Python.

    import brio
    scene = brio.Scene.load("scenes/bar-5k.json").set("integrator.h", 0.005)
    sim = brio.Simulation(scene, integrator="ksiere")
    x = sim.positions                       # a live, read-only view
    for report in sim.steps(200):
        print(report.time, report.total)

Everything is in SI units. What brio refuses, it refuses with brio.Error, which is a ValueError. The page
docs/python.md has examples of all of it.
"""

import importlib.util as _util

if _util.find_spec("brio._brio") is None:
    import pathlib
    import sys
    _compiled = [file.name for file in pathlib.Path(__file__).parent.glob("_brio*.so")]
    raise ImportError(f"{_compiled[0]} is for another Python than this one, {sys.version.split()[0]}; Debian's is /usr/bin/python3"
                      if _compiled else
                      "this is brio's source, without its compiled part: run `make python` and put build/python on PYTHONPATH, "
                      "before the folder that you are in")

from ._brio import Error, Report, version as __version__
from ._energies import energy
from ._errors import Diverged, SceneWarning
from ._live import Live
from ._materials import material
from ._mesh import Mesh, mesh
from ._runs import Comparison, Run, compare, run
from ._scene import Scene
from ._simulation import Body, Checkpoint, Energy, Simulation, Triplets
from ._tables import Row, Rows, list
from ._threads import set_threads, threads

# Without `list`, so that `from brio import *` leaves Python's own alone.
__all__ = ["Body", "Checkpoint", "Comparison", "Diverged", "Energy", "Error", "Live", "Mesh", "Report", "Row", "Rows", "Run",
           "Scene", "SceneWarning", "Simulation", "Triplets", "compare", "energy", "material", "mesh", "run",
           "set_threads", "threads"]

Error.__doc__ = "What brio refuses, with the place, the value and a remedy. It is a ValueError."
for _name in __all__:
    globals()[_name].__module__ = "brio"  # which is where people find them
del _name
