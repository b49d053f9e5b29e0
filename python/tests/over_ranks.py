"""The engine petsc from Python: a process that is alone computes with it; on several ranks one of them refuses it.
Run by `make petsc-test`, with MPIRUN in the environment."""
import os
import subprocess
import sys
import unittest

import numpy as np

import brio

SCENE = {
    "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 2},
    "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
    "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}},
    "constraints": [{"set": "wall"}],
    "integrator": {"name": "si", "h": 0.01, "engine_tolerance": 1e-9},
    "steps": 6,
}


def end(engine):
    simulation = brio.Simulation(brio.Scene.from_dict(SCENE).set("integrator.engine", engine))
    for _ in simulation.steps(6):
        pass
    return np.array(simulation.positions)


class OverRanks(unittest.TestCase):
    def test_one_process_moves_as_with_a_factorization(self):
        direct = end("direct")
        self.assertGreater(np.abs(direct - np.array(brio.Simulation(brio.Scene.from_dict(SCENE)).positions)).max(), 1e-3)
        np.testing.assert_allclose(end("petsc"), direct, atol=1e-7)

    def test_several_ranks_are_refused_once(self):
        script = "import sys; sys.path.insert(0, %r); import over_ranks; over_ranks.end('petsc')" % os.path.dirname(
            os.path.abspath(__file__))
        result = subprocess.run(os.environ["MPIRUN"].split() + ["3", sys.executable, "-c", script], capture_output=True,
                                text=True, env=dict(os.environ))  # without what MPI has set in this process
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(result.stderr.count("3 ranks were started"), 1, result.stderr)
        self.assertEqual(result.stderr.count("Traceback"), 1, result.stderr)

    def test_several_processes_may_compute_each_for_itself(self):
        script = "import sys; sys.path.insert(0, %r); import over_ranks; over_ranks.end('iterative')" % os.path.dirname(
            os.path.abspath(__file__))
        result = subprocess.run(os.environ["MPIRUN"].split() + ["2", sys.executable, "-c", script], capture_output=True,
                                text=True, env=dict(os.environ))  # without what MPI has set in this process
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
