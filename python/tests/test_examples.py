"""Every example runs, and finds what it says."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

from common import ROOT, Case

EXAMPLES = ROOT / "python/examples"
sys.path.insert(0, str(EXAMPLES))


class Examples(Case):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_all_are_here(self):
        tests = {name.removeprefix("test_") for name in dir(self) if name.startswith("test_")}
        self.assertLessEqual({file.stem for file in EXAMPLES.glob("*.py")}, tests)

    def test_sweep(self):
        import sweep
        with tempfile.TemporaryDirectory() as folder:
            sag = sweep.main(folder)
            self.assertEqual(len((Path(folder) / "sweep.csv").read_text().splitlines()), 5)
            if importlib.util.find_spec("matplotlib"):
                self.assertIn("<svg", (Path(folder) / "sweep.svg").read_text())
        for method in sag.values():
            self.assertEqual(method, sorted(method, reverse=True), "a stiffer bar sags less")

    def test_fit_young(self):
        import fit_young
        self.assertAlmostEqual(fit_young.fit(fit_young.frequency(3.21e5), tolerance=1e-4), 3.21e5, delta=1e-4 * 3.21e5)

    def test_balance(self):
        import balance
        fallen, way = balance.height_of_top(6, False)
        self.assertEqual(way, 0)
        height, way = balance.height_of_top(6, True)
        self.assertLess(fallen, 0.8)
        self.assertGreater(height, 0.97)  # its weight presses it together by 2 %
        self.assertLess(way, 0.5)

    def test_own_energy(self):
        import own_energy
        without, attracted = own_energy.main()
        self.assertGreater(attracted, without + 1e-3)
        # The derivatives of the example.
        x = np.random.default_rng(1).normal(size=(3, 3)) * 0.1
        row, column, value = own_energy.magnet(x, 2.0, 0.3)[2]
        K = np.zeros((9, 9))
        np.add.at(K, (row.ravel(), column.ravel()), value.ravel())
        for i in range(9):
            step = np.zeros(9)
            step[i] = 1e-6
            up, down = (own_energy.magnet(x + sign * step.reshape(3, 3), 2.0, 0.3) for sign in (1, -1))
            np.testing.assert_allclose(K[i], ((up[1] - down[1]) / 2e-6).ravel(), atol=1e-6 * abs(K).max())

    def test_own_integrator(self):
        import own_integrator
        self.assertLess(own_integrator.largest_difference(), 1e-10)

    def test_meshio_round_trip(self):
        import meshio_round_trip
        mesh, again, sim = meshio_round_trip.main()
        np.testing.assert_array_equal(mesh.V, again.V)
        np.testing.assert_array_equal(mesh.T, again.T)
        self.assertEqual(len(sim.positions), len(mesh.V))

    def test_training_data(self):
        printed = subprocess.run([sys.executable, EXAMPLES / "training_data.py", "100", "2"], check=True, capture_output=True,
                                 text=True).stdout
        self.assertEqual(printed.strip(), "(100, 5) (100, 15, 3)")
        import training_data
        one, two = training_data.sample(7), training_data.sample(7)
        np.testing.assert_array_equal(one[1], two[1])


if __name__ == "__main__":
    unittest.main()
