"""How far a bar sags, for several stiffnesses and methods: a parameter sweep with a plot.

python3 sweep.py [folder]: writes sweep.csv there, and sweep.svg where matplotlib is installed.
"""

import sys
from pathlib import Path

import brio

SCENE = {
    "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 2, "tets_per_cell": "6"},
    "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
    "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"},
             "tip": {"select": "extreme", "axis": "x", "side": "max"}},
    "constraints": [{"set": "wall", "motion": "fixed"}],
    "integrator": {"name": "si", "h": 0.01},
    "duration": 0.3,
}


def lowest_tip(scene, integrator):
    sim = brio.Simulation(scene, integrator)
    tip, y = sim.sets["tip"], sim.positions[:, 1]  # a live view of one column
    return min(y[tip].mean() for _ in sim.steps(scene.steps))


def main(folder="."):
    scene = brio.Scene.from_dict(SCENE)
    stiffnesses, methods = [5e4, 1e5, 2e5, 4e5], ["si", "ksiere"]
    sag = {method: [0.05 - lowest_tip(scene.set("materials[0].E", E), method) for E in stiffnesses] for method in methods}
    with open(Path(folder) / "sweep.csv", "w") as out:
        print("E", *methods, sep=",", file=out)
        for i, E in enumerate(stiffnesses):
            print(E, *(sag[method][i] for method in methods), sep=",", file=out)
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print("matplotlib is not installed; the numbers are in sweep.csv")
    else:
        for method in methods:
            pyplot.loglog(stiffnesses, sag[method], "o-", label=method)
        pyplot.xlabel("Young's modulus [Pa]")
        pyplot.ylabel("largest sag [m]")
        pyplot.legend()
        pyplot.savefig(Path(folder) / "sweep.svg")
    return sag


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
