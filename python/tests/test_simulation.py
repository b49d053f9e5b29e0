"""Stepping: the program's bits, reports, bodies, failures."""

import csv
import gc
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np

import brio
from common import PROGRAM, ROOT, Case, bar, simulate


class Steps(Case):
    def test_a_run_through_python_has_the_programs_bits(self):
        cases = [("bar-1k.json", "si"), ("bar-1k.json", "ksiere"), ("bar-1k.json", "bdf2"), ("spinning-bar.json", None)]
        for name, integrator in cases:
            file = ROOT / "scenes" / name
            if not file.exists():
                self.fail(f"{name} is not there any more; choose another scene")
            with self.subTest(f"{name} {integrator}"), tempfile.TemporaryDirectory() as folder:
                method = ["--integrator", integrator] if integrator else []
                subprocess.run([PROGRAM, "run", file, "--steps", "12", "-o", folder, *method], check=True, capture_output=True)
                with open(Path(folder) / "energy.csv", newline="") as lines:
                    rows = list(csv.DictReader(lines))
                sim = brio.Simulation(file, integrator)
                reports = [sim.report] + list(sim.steps(12))
                self.assertEqual(len(rows), len(reports))
                for row, report in zip(rows, reports):  # the file has all digits
                    for column in ("kinetic", "elastic", "injected", "dissipated"):
                        self.assertEqual(float(row[column]), getattr(report, column), (report.step, column))

    def test_reports(self):
        sim = simulate()
        reports = list(sim.steps(5))
        self.assertEqual([r.step for r in reports], [1, 2, 3, 4, 5])
        last = reports[-1]
        self.assertEqual(last.status, "ok")
        self.assertRegex(repr(last), rf"^<brio.Report of step 5: ok, t = 0.05 s, kinetic {last.kinetic:.6g} J, .*total {last.total:.6g} J, ")
        with self.assertRaises(TypeError):
            sim.step(5)  # meant as five steps
        self.assertAlmostEqual(last.time, 0.05, 15)
        self.assertAlmostEqual(sim.time, 0.05, 15)
        parts = last.kinetic + last.elastic + last.gravity + last.contact
        self.assertAlmostEqual(last.total, parts, delta=1e-15 * abs(parts))  # the order of the sum is not that of the books
        self.assertEqual(sim.energy.total, last.total)
        self.assertEqual(last.work["factorizations"], 1)
        self.assertGreater(last.seconds, 0)
        self.assertAlmostEqual(sum(last.timings.values()), last.seconds, delta=0.5 * last.seconds)
        momentum = sim.vertex_mass @ sim.velocities
        np.testing.assert_allclose(last.momentum, momentum, rtol=1e-12)
        spin = np.sum(sim.vertex_mass[:, None] * np.cross(sim.positions, sim.velocities), axis=0)
        np.testing.assert_allclose(last.angular_momentum, spin, rtol=1e-9, atol=1e-12)

    def test_steps_know_their_number(self):
        sim = simulate()
        self.assertEqual(len(sim.steps(7)), 7)
        for wrong in (-1, 2.5, "7", True):
            with self.refuses("steps", "expected"):
                sim.steps(wrong)

    def test_bodies_and_sets(self):
        sim = simulate()
        body = sim.bodies["bar"]
        self.assertEqual(body.surface.shape[1], 3)
        self.assertEqual(body.positions.shape, (len(body.vertices), 3))
        self.assertEqual(body.tets.shape[0], body.elements)
        np.testing.assert_allclose(sim.positions[sim.sets["tip"], 0], 0.4)
        self.assertEqual(len(sim.free) + len(sim.sets["wall"]), len(sim.positions))
        with self.refuses("nobody", "bar"):
            sim.bodies["nobody"]
        with self.refuses("nothing", "tip"):
            sim.sets["nothing"]

    def test_several_bodies(self):
        half = bar()["mesh"] | {"length": 0.2}
        scene = {k: v for k, v in bar().items() if k not in ("mesh", "materials", "sets", "constraints")}
        scene["bodies"] = {name: {"mesh": half, "materials": bar()["materials"],
                                  "transform": {"translate": [0, height, 0]}}
                           for name, height in (("high", 1.0), ("low", 0.0))}
        sim = brio.Simulation(scene)
        self.assertEqual(set(sim.bodies), {"high", "low"})
        sim.step()
        high, low = sim.bodies["high"], sim.bodies["low"]
        np.testing.assert_allclose(high.positions - low.positions, np.broadcast_to([0, 1, 0], low.positions.shape),
                                   atol=1e-12)
        self.assertLess(high.surface.max(), len(sim.positions))
        parts = [body.energy for body in (high, low)]
        self.assertAlmostEqual(parts[0]["kinetic"] + parts[1]["kinetic"], sim.energy.kinetic, 12)
        mass = sim.vertex_mass[high.vertices]
        np.testing.assert_allclose(parts[0]["center"], mass @ high.positions / mass.sum())
        with self.refuses("bar", "only body"):
            simulate().bodies["bar"].energy
        self.assertNotEqual(high.surface.min(), low.surface.min())

    def test_a_step_that_fails_raises_and_leaves_the_state(self):
        sim = simulate("rk4")
        before = None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaises(brio.Diverged) as caught:
                for _ in range(500):
                    before = sim.positions.copy()
                    sim.step()
        self.assertEqual(caught.exception.report.status, "diverged")
        self.assertIn("take steps below", str(caught.exception))
        self.assertTrue(np.isfinite(before).all())
        sim.set_state(positions=sim.rest, velocities=0 * sim.rest)
        self.assertEqual(sim.step(check=False).status, "ok")

    def test_notes_are_warnings(self):
        scene = bar(constraints=[{"set": "wall", "motion": "fixed"}, {"set": "wall", "motion": "fixed"}])
        with self.assertWarns(brio.SceneWarning):
            brio.Simulation(scene)

    def test_cuts_are_made_on_the_way(self):
        sim = cut_bar()
        vertices, old, body = len(sim.positions), sim.positions, sim.bodies["bar"]
        for _ in sim.steps(6):
            pass
        self.assertGreater(len(sim.positions), vertices)
        with self.refuses("positions", "cut"):
            old[0]
        with self.refuses("bar", "cut"):
            body.positions
        now = sim.bodies["bar"]
        self.assertGreater(len(now.vertices), len(body.vertices))
        self.assertEqual(len(now.positions), len(sim.positions))


def cut_bar():
    return brio.Simulation(bar(cuts=[{"kind": "plane", "point": [0.2, 0, 0], "normal": [1, 0, 0], "time": 0.025}]))


class Lifetimes(Case):
    def test_reference_counts_are_stable(self):
        sim = brio.Simulation(bar(mesh=bar()["mesh"] | {"cells_across": 1}))
        x = sim.positions

        def loop(steps):
            for _ in range(steps):
                sim.step()
                sim.positions
                sim.energy

        loop(100)
        gc.collect()
        before = [sys.getrefcount(thing) for thing in (sim, x, sim._session, brio.Report)], len(gc.get_objects())
        loop(10000)
        gc.collect()
        after = [sys.getrefcount(thing) for thing in (sim, x, sim._session, brio.Report)], len(gc.get_objects())
        self.assertEqual(before[0], after[0])
        self.assertLess(abs(after[1] - before[1]), 50)

    def test_a_simulation_that_nobody_holds_goes(self):
        import weakref
        sim = simulate()
        ref, x = weakref.ref(sim), sim.positions
        del sim
        self.assertIsNotNone(ref(), "a view keeps it alive")
        del x
        gc.collect()
        self.assertIsNone(ref())


if __name__ == "__main__":
    unittest.main()
