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

from ._brio import Error, Report, set_threads, threads, version as __version__
from ._energies import energy
from ._errors import Diverged, SceneWarning
from ._materials import material
from ._mesh import Mesh, mesh
from ._runs import Comparison, Run, compare, run
from ._scene import Scene
from ._simulation import Body, Checkpoint, Energy, Simulation, Triplets
from ._tables import Row, Rows, list

# Without `list`, so that `from brio import *` leaves Python's own alone.
__all__ = ["Body", "Checkpoint", "Comparison", "Diverged", "Energy", "Error", "Mesh", "Report", "Row", "Rows", "Run",
           "Scene", "SceneWarning", "Simulation", "Triplets", "compare", "energy", "material", "mesh", "run",
           "set_threads", "threads"]
