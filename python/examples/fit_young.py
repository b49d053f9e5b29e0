"""Which Young's modulus has a bar whose slowest frequency was measured? By bisection on the modes."""

import numpy as np

import brio
from sweep import SCENE


def frequency(E):
    """The slowest one [Hz]."""
    w, _ = brio.Simulation(brio.Scene.from_dict(SCENE).set("materials[0].E", E)).modes(1)
    return w[0] / (2 * np.pi)


def fit(measured, low=1e4, high=1e7, tolerance=1e-6):
    while high / low > 1 + tolerance:
        middle = np.sqrt(low * high)
        low, high = (middle, high) if frequency(middle) < measured else (low, middle)
    return np.sqrt(low * high)


if __name__ == "__main__":
    print(f"E = {fit(measured=5.0):.6g} Pa")
