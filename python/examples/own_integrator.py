"""Linearly implicit Euler in a few lines of Python on sim.stiffness(): the same motion as brio's `si`."""

from scipy.sparse.linalg import spsolve

import brio
from sweep import SCENE


def si_step(sim):
    h, free, M, K, f = sim.h, sim.free, sim.mass(), sim.stiffness(), sim.force()
    x, v = sim.positions.copy(), sim.velocities.copy()
    p = v[free].ravel()
    dv = spsolve((M + h**2 * K).tocsc(), h * (f - h * (K @ p)))
    v[free] += dv.reshape(-1, 3)
    x[free] += h * v[free]
    sim.set_state(x, v)


def largest_difference(steps=10):
    mine, theirs = brio.Simulation(SCENE, "si"), brio.Simulation(SCENE, "si")
    for _ in range(steps):
        si_step(mine)
        theirs.step()
    return abs(mine.positions - theirs.positions).max() / abs(theirs.positions - theirs.rest).max()


if __name__ == "__main__":
    print(f"largest difference of positions: {largest_difference():.1e} of the motion")
