"""Views of a simulation's memory: live, read-only, never dangling, refusing after a cut."""

import copy
import pickle
import unittest

import numpy as np

import brio
from common import Case, simulate
from test_simulation import cut_bar


class Views(Case):
    def test_live_and_read_only(self):
        sim = simulate()
        x, u = sim.positions, sim.velocities
        self.assertEqual((x.dtype, x.shape[1], x.flags.c_contiguous), (np.float64, 3, True))
        before = x.copy()
        sim.step()
        self.assertFalse(np.array_equal(x, before))
        self.assertGreater(abs(u).max(), 0)
        for array in (x, u, x[0], x[:, 1], x.T):
            with self.assertRaises(ValueError):
                array[...] = 0
        with self.assertRaises(ValueError):
            x += 1
        with self.assertRaises(ValueError):
            np.asarray(x)[0] = 1
        with self.assertRaises(ValueError):
            x.flags.writeable = True

    def test_a_view_costs_nothing_and_is_the_same_memory(self):
        sim = simulate()
        self.assertTrue(np.shares_memory(np.asarray(sim.positions), np.asarray(sim.positions)))
        x = sim.positions
        address = x.ctypes.data
        for _ in sim.steps(3):
            self.assertEqual(sim.positions.ctypes.data, address)

    def test_what_is_computed_is_an_ordinary_array(self):
        x = simulate().positions
        for value in (x + 1, x * x, -x, x.copy(), x[[0, 1]], x[x[:, 0] > 0], np.concatenate([x, x]), x.mean(axis=0),
                      np.linalg.norm(x, axis=1), x @ np.eye(3), np.where(x > 0, x, 0), copy.deepcopy(x),
                      pickle.loads(pickle.dumps(x))):
            self.assertIs(type(value), np.ndarray)
        self.assertTrue((x[[0, 1]]).flags.writeable)

    def test_reads_after_the_owner_is_gone(self):
        sim = simulate()
        x, part = sim.positions, sim.positions[3:5]
        expected = x.copy()
        del sim
        np.testing.assert_array_equal(x, expected)
        del x
        np.testing.assert_array_equal(part, expected[3:5])

    def test_refuses_after_a_cut(self):
        sim = cut_bar()
        x, part, forces = sim.positions, sim.positions[:, 1], sim.forces
        kept, hidden = x.copy(), np.asarray(x)
        for _ in sim.steps(6):
            pass
        attempts = [lambda: x[0], lambda: x + 1, lambda: np.linalg.norm(x), lambda: x.copy(), lambda: x.mean(),
                    lambda: list(x), lambda: part.max(), lambda: x.shape, lambda: repr(x), lambda: x.tolist(),
                    lambda: forces.__setitem__(0, 1), lambda: np.concatenate([kept, x]), lambda: x.T, lambda: x == kept]
        for number, attempt in enumerate(attempts):
            with self.subTest(number), self.refuses("cut", "again"):
                attempt()
        self.assertTrue(np.isfinite(kept).all())
        self.assertTrue(np.isnan(hidden).all(), "memory of before the cut must not look like numbers of now")
        self.assertTrue(np.isfinite(sim.positions).all())

    def test_forces_on_old_vertices_stay_after_a_cut(self):
        sim = cut_bar()
        tip = sim.sets["tip"]
        sim.forces[tip] = (1, 2, 3)
        for _ in sim.steps(6):
            pass
        np.testing.assert_array_equal(sim.forces[tip], np.broadcast_to([1, 2, 3], (len(tip), 3)))
        self.assertEqual(len(sim.forces), len(sim.positions))


if __name__ == "__main__":
    unittest.main()
