"""Views of a simulation's memory: live, read-only, never dangling, refusing after a cut."""

import copy
import os
import pickle
import shutil
import subprocess
import sys
import unittest

import numpy as np

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

    def test_numpy_sees_the_same_numbers_in_a_view_and_in_a_copy(self):
        import io
        import json

        import scipy.spatial
        sim = simulate()
        list(sim.steps(3))
        A = np.eye(3) + 0.1

        def saved(v):
            file = io.BytesIO()
            np.save(file, v)
            return file.getvalue()

        uses = [lambda v: v.max(), lambda v: v.sum(0), lambda v: v.dot(A), lambda v: v.T @ v, lambda v: np.einsum("ij,jk->ik", v, A),
                lambda v: np.cross(v, v + 1), lambda v: np.vstack([v, v]), lambda v: np.array([v, v]), lambda v: v.astype(np.float32),
                lambda v: np.sort(v, axis=0), lambda v: v.argsort(axis=0), lambda v: scipy.spatial.KDTree(v).query(v)[1],
                lambda v: json.dumps(v.tolist()), lambda v: f"{v[0, 0]:.3f}", lambda v: max(v[:, 1]), lambda v: v.round(3),
                lambda v: np.percentile(v, 30), lambda v: np.histogram(v)[0], lambda v: 1 - v, lambda v: v[:, None] - v[None],
                lambda v: np.linalg.svd(v, compute_uv=False), saved, str, lambda v: bool((v > -5).all()), lambda v: v.clip(0, 1),
                lambda v: np.argwhere(v > 0.3), lambda v: np.zeros_like(v), lambda v: [row.tolist() for row in v],
                lambda v: v.tobytes(), lambda v: bytes(memoryview(v)), lambda v: np.add.reduceat(v[:, 0], [0, 4]), lambda v: v.item(3),
                lambda v: np.apply_along_axis(np.sum, 1, v), lambda v: np.block([[v], [v]]), lambda v: 0.0 in v, len]
        for number, use in enumerate(uses):
            with self.subTest(number):
                found, expected = use(sim.positions), use(np.array(sim.positions))
                if isinstance(expected, np.ndarray):
                    np.testing.assert_array_equal(found, expected)
                else:
                    self.assertEqual(found, expected)

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
        copies = [x.flatten(), x.astype(np.float32), x.dot(np.eye(3)), x[[0, 1]], x.repeat(2, axis=0), x + 0]
        views = [x.T, x.ravel(), x.reshape(-1), x[1:], x[:, 1], x[3], x.view(), x[::2][1:]]
        for _ in sim.steps(6):
            pass
        attempts = [lambda: x[0], lambda: x + 1, lambda: np.linalg.norm(x), lambda: x.copy(), lambda: x.mean(),
                    lambda: list(x), lambda: part.max(), lambda: x.shape, lambda: repr(x), lambda: x.tolist(),
                    lambda: forces.__setitem__(0, 1), lambda: np.concatenate([kept, x]), lambda: x.T, lambda: x == kept]
        for number, attempt in enumerate(attempts):
            with self.subTest(number), self.refuses("cut", "again"):
                attempt()
        for number, array in enumerate(copies):
            self.assertTrue(np.isfinite(array).all(), f"copy {number}")
            self.assertGreater(array.size, 0)
        for number, array in enumerate(views):
            with self.subTest(f"view {number}"), self.refuses("cut", "again"):
                array.max()
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


class Sanitized(Case):
    """Reads through views whose owners are gone, with every block of memory watched (AddressSanitizer's malloc, free and
    memcpy)."""

    def run_watched(self, code):
        found = [subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
                 for name in ("libasan.so", "libstdc++.so")] if shutil.which("gcc") else ["libasan.so"]
        if not all(os.path.isabs(name) for name in found):
            self.skipTest("needs g++'s libasan")
        environment = os.environ | {"LD_PRELOAD": " ".join(found), "PYTHONMALLOC": "malloc",
                                    "ASAN_OPTIONS": "detect_leaks=0:verify_asan_link_order=0"}
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment,
                              cwd=os.path.dirname(os.path.abspath(__file__)))

    def test_views_do_not_dangle(self):
        done = self.run_watched("""
import gc
import numpy as np
from common import simulate
from test_simulation import cut_bar

def left_over(sim, steps):
    views = [sim.positions, sim.velocities, sim.forces, sim.positions[3:5], next(iter(sim.bodies.values())).positions]
    list(sim.steps(steps))
    return views, [np.asarray(view) for view in views]

for make in (simulate, cut_bar):
    views, plain = left_over(make(), 6)
    gc.collect()
    if make is simulate:
        print(sum(abs(view.copy()).sum() for view in views))
    del views
    gc.collect()
    print(sum(np.isnan(array.copy()).sum() for array in plain))
""")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("AddressSanitizer", done.stderr)
        self.assertEqual(done.stdout.split()[1], "0")

    def test_the_watch_would_see_it(self):
        done = self.run_watched("""
import ctypes
import numpy as np
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
place = libc.malloc(8000)
array = np.frombuffer((ctypes.c_char * 8000).from_address(place), float)
libc.free(place)
array.copy()
""")
        self.assertIn("heap-use-after-free", done.stderr)


if __name__ == "__main__":
    unittest.main()
