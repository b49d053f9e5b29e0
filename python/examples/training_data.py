"""Training data: tip paths of random bars, made by several processes.

The processes are spawned, not forked: a fork would share the threads of brio in a state in which they do not run.
"""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import brio
from sweep import SCENE

STEPS = 15


def sample(seed):
    """(E, nu, initial velocity), and the path of the tip."""
    random = np.random.default_rng(seed)
    E, nu, velocity = 10 ** random.uniform(4.5, 6), random.uniform(0.2, 0.45), random.uniform(-1, 1, 3)
    scene = brio.Scene.from_dict(SCENE).set("materials[0].E", E).set("materials[0].nu", nu).set("initial", {"velocity": velocity})
    sim = brio.Simulation(scene)
    tip = sim.sets["tip"]
    path = [sim.positions[tip].mean(axis=0) for _ in sim.steps(STEPS)]
    return np.array([E, nu, *velocity]), np.array(path)


def limit_threads():
    brio.set_threads(1)  # the processes share the cores


def main(count=100, processes=2):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=limit_threads) as pool:
        samples = list(pool.map(sample, range(count), chunksize=10))
    return np.array([inputs for inputs, _ in samples]), np.array([path for _, path in samples])


if __name__ == "__main__":
    inputs, paths = main(*map(int, sys.argv[1:]))
    print(inputs.shape, paths.shape)
