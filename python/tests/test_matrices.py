"""Stiffness, mass, force and modes: against differences, against each other, and against brio's own step."""

import sys
import unittest

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg

import brio
from common import Case, bar, python, simulate


def moved():
    """A bar that is bent and moves."""
    sim = simulate()
    sim.set_state(positions=sim.rest + 0.05 * np.sin(3 * sim.rest[:, [2, 0, 1]]), velocities=np.cos(5 * sim.rest))
    return sim


class Matrices(Case):
    def test_stiffness_is_the_derivative_of_the_force(self):
        sim = moved()
        K, x = sim.stiffness(), sim.positions.copy()
        self.assertIsInstance(K, scipy.sparse.csr_matrix)
        self.assertEqual(K.shape, (3 * len(sim.free),) * 2)
        direction = np.cos(np.arange(x.size)).reshape(x.shape)
        step = 1e-6
        forces = []
        for sign in (1, -1):
            sim.set_state(positions=x + sign * step * direction)
            forces.append(sim.force())
        difference = (forces[1] - forces[0]) / (2 * step)
        product = K @ direction[sim.free].ravel()
        self.assertGreater(np.linalg.norm(product), 1)
        # The differences have an error of step^2 times third derivatives, and of rounding over step: both near 1e-9.
        self.assertLess(np.linalg.norm(product - difference), 1e-7 * np.linalg.norm(product))

    def test_force_is_the_slope_of_the_energy(self):
        sim = moved()
        f, x = sim.force(), sim.positions.copy()
        direction = np.sin(np.arange(x.size)).reshape(x.shape)
        step, energies = 1e-6, []
        for sign in (1, -1):
            sim.set_state(positions=x + sign * step * direction)
            energies.append(sim.energy.potential)
        slope = (energies[1] - energies[0]) / (2 * step)
        self.assertAlmostEqual(f @ direction[sim.free].ravel(), slope, delta=1e-6 * abs(slope))

    def test_own_forces_are_in_the_force(self):
        sim = simulate()
        before = sim.force()
        sim.forces[sim.free[3]] = (1, 2, 3)
        np.testing.assert_allclose((sim.force() - before)[9:12], [1, 2, 3], rtol=1e-12)

    def test_projected_stiffness_has_no_negative_eigenvalue(self):
        sim = simulate()
        squeezed = sim.rest * [0.5, 1, 1]
        sim.set_state(positions=squeezed)
        plain = np.linalg.eigvalsh(sim.stiffness().toarray())
        projected = np.linalg.eigvalsh(sim.stiffness(psd=True).toarray())
        self.assertLess(plain[0], -1)
        self.assertGreater(projected[0], -1e-9 * projected[-1])

    def test_si_in_python_equals_brios(self):
        mine, theirs = moved(), moved()
        M, free, h = mine.mass(), mine.free, mine.h
        for _ in range(10):
            x, v = mine.positions.copy(), mine.velocities.copy()
            K, f = mine.stiffness(), mine.force()
            p = v[free].ravel()
            dv = scipy.sparse.linalg.spsolve((M + h**2 * K).tocsc(), h * (f - h * (K @ p)))
            v[free] += dv.reshape(-1, 3)
            x[free] += h * v[free]
            mine.set_state(x, v)
            self.assertEqual(theirs.step().work["projections"], 0)
            np.testing.assert_allclose(mine.positions, theirs.positions, rtol=0, atol=1e-10 * 0.4)
            np.testing.assert_allclose(mine.velocities, theirs.velocities, rtol=0, atol=1e-10 * abs(v).max())
        self.assertGreater(abs(mine.positions - mine.rest).max(), 0.01)

    def test_modes(self):
        sim = simulate()
        w, U = sim.modes(6)
        K, M = sim.stiffness(), sim.mass()
        np.testing.assert_allclose(U.T @ (M @ U), np.eye(6), atol=1e-9)
        np.testing.assert_allclose(K @ U, M @ U * w**2, atol=1e-6 * abs(K @ U).max())
        expected = np.sqrt(scipy.linalg.eigh(K.toarray(), M.toarray(), eigvals_only=True)[:6])
        np.testing.assert_allclose(w, expected, rtol=1e-8)
        for wrong in (0, -1, 2.5, "3", True):
            with self.refuses("modes", "expected"):
                sim.modes(wrong)

    def test_rigid_motions_come_first(self):
        sim = brio.Simulation(bar(constraints=[], gravity=[0, 0, 0]))
        w, U = sim.modes(2)
        self.assertEqual(U.shape[1], 8)
        np.testing.assert_array_equal(w[:6], 0)
        self.assertGreater(w[6], 10)

    def test_without_scipy_matrices_come_as_triplets(self):
        sim = simulate()
        printed = python("""
import sys, warnings
sys.modules["scipy"] = None
sys.path.insert(0, sys.argv[1])
from common import simulate
import brio
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    K = simulate().stiffness()
assert "SciPy" in str(caught[-1].message), caught
assert isinstance(K, brio.Triplets)
print(repr(K.toarray().sum(axis=1)[7]), K.shape[0])
""", __file__.rsplit("/", 1)[0])
        value, size = printed.split()
        dense = sim.stiffness().toarray()
        self.assertEqual(int(size), len(dense))
        self.assertAlmostEqual(float(value), dense.sum(axis=1)[7], delta=1e-9 * abs(dense).max())


if __name__ == "__main__":

    unittest.main()
