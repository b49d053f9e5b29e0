"""An energy of one's own: a magnet that attracts the tip of a bar, E = -k / (r^2 + a^2)."""

import numpy as np

import brio
from sweep import SCENE

MAGNET = np.array([0.4, 0.25, 0.05])  # [m]


@brio.energy(k=2e-3, a=0.05)
def magnet(x, k, a):
    """Attracts every vertex of its set to a point."""
    r = x - MAGNET
    s = 1 / (np.sum(r**2, axis=1) + a**2)  # one for each vertex
    value, gradient = -k * s.sum(), 2 * k * s[:, None] ** 2 * r
    blocks = 2 * k * (s[:, None, None] ** 2 * np.eye(3) - 4 * s[:, None, None] ** 3 * r[:, :, None] * r[:, None, :])
    first = 3 * np.arange(len(x))[:, None, None]
    rows, columns = np.broadcast_arrays(first + np.arange(3)[:, None], first + np.arange(3))
    return value, gradient, (rows, columns, blocks)


def main(steps=40):
    scene = brio.Scene.from_dict(SCENE)
    heights = []
    for energies in ([], [{"kind": "magnet", "set": "tip"}]):
        sim = brio.Simulation(scene.set("energies", energies))
        for _ in sim.steps(steps):
            pass
        heights.append(sim.positions[sim.sets["tip"], 1].mean())
    return heights


if __name__ == "__main__":
    print("height of the tip without and with the magnet: %.4f m, %.4f m" % tuple(main()))
