"""A soft pole stands on a cart and buckles under its own weight. A PD controller moves the cart so that it stays up."""

import numpy as np

import brio

SCENE = {
    "mesh": {"generate": "box", "size": [0.1, 1, 0.1], "cells": [1, 10, 1], "tets_per_cell": "6"},
    "materials": [{"law": "stable-neo-hookean", "E": 2.5e5, "nu": 0.3, "rho": 1000}],
    "sets": {"base": {"select": "extreme", "axis": "y", "side": "min"}, "top": {"select": "extreme", "axis": "y", "side": "max"}},
    "constraints": [{"set": "base", "motion": "driven"}],
    "damping": {"beta": 0.01},
    "initial": {"velocity": [0.02, 0, 0.01]},
    "integrator": {"name": "si", "h": 0.01},
    "duration": 6,
}


def height_of_top(seconds, controlled):
    """How high the top is in the end, and how far the cart went."""
    sim = brio.Simulation(SCENE)
    base, top = sim.sets["base"], sim.sets["top"]
    x, u, cart = sim.positions, sim.velocities, np.zeros(3)
    for _ in sim.steps(round(seconds / sim.h)):
        if controlled:
            lean, rate = (x[top] - x[base]).mean(axis=0), (u[top] - u[base]).mean(axis=0)
            # An acceleration towards where the top goes; stronger ones would shake the second way in which the pole bends.
            cart += sim.h * (20 * lean + 8 * rate) * [1, 0, 1]
            sim.drive("base", cart)
    return x[top, 1].mean(), abs(x[base][:, [0, 2]] - sim.rest[base][:, [0, 2]]).max()


if __name__ == "__main__":
    for controlled in (False, True):
        height, way = height_of_top(6, controlled)
        print(f"{'with' if controlled else 'without'} the controller the top is {height:.3f} m high; the cart moved {way:.3f} m")
