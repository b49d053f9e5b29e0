"""First days with brio: loops as people write them, and mistakes as people make them."""

import gc
import threading
import unittest
import warnings

import numpy as np

import brio
from common import ROOT, Case, bar, simulate


class FirstDay(Case):
    def test_frames_gathered_in_a_list(self):
        """A view appended to a list shows the last frame everywhere; copies do not."""
        sim = simulate()
        views, copies, rows = [], [], []
        for _ in sim.steps(4):
            views.append(sim.positions)
            copies.append(sim.positions.copy())
            rows.append(sim.positions[sim.sets["tip"]])  # chosen by numbers, so that it is a copy
        self.assertTrue(np.array_equal(views[0], views[-1]))
        self.assertFalse(np.array_equal(copies[0], copies[-1]))
        self.assertEqual(np.array(rows).shape[0], 4)
        self.assertFalse(np.array_equal(rows[0], rows[-1]))

    def test_curves_for_a_plot(self):
        sim = simulate()
        t, energy = np.transpose([(report.time, report.total) for report in sim.steps(10)])
        np.testing.assert_allclose(t, 0.01 * np.arange(1, 11))
        self.assertEqual(energy.shape, (10,))

    def test_a_step_before_anything_is_looked_at(self):
        self.assertEqual(brio.Simulation(str(ROOT / "scenes/bar-1k.json")).step().step, 1)

    def test_typing_errors_in_a_scene(self):
        for change, parts in (({"materials": [{"law": "stable-neo-hokean", "E": 1e5, "nu": 0.4, "rho": 1}]}, ["stable-neo-hookean"]),
                              ({"gravty": [0, 0, 0]}, ["gravty", "gravity"]),
                              ({"constraints": [{"set": "wal", "motion": "fixed"}]}, ["wal", "wall"]),
                              ({"integrator": {"name": "si"}}, ["integrator.h"])):
            with self.refuses(*parts):
                brio.Scene.from_dict(bar(**change))
        with self.refuses("gravty", "gravity"):
            brio.Scene.from_dict(bar()).set("gravty", [0, 0, 0])

    def test_two_simulations_in_threads(self):
        found = {}

        def drop(E):
            sim = brio.Simulation(brio.Scene.from_dict(bar()).set("materials[0].E", E))
            list(sim.steps(10))
            found[E] = sim.positions[sim.sets["tip"], 1].mean()

        threads = [threading.Thread(target=drop, args=(E,)) for E in (5e4, 5e5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLess(found[5e4], found[5e5])

    def test_a_function_that_returns_the_array_alone(self):
        def final():
            sim = simulate()
            list(sim.steps(3))
            return sim.positions

        x = final()
        gc.collect()
        junk = [np.full(x.shape, 7.0) for _ in range(50)]  # would take the memory if it were free
        self.assertLess(abs(x).max(), 1)
        self.assertEqual(len(junk), 50)

    def test_kicks_and_pauses(self):
        sim = simulate()
        list(sim.steps(2))
        kick = sim.velocities + [0, 1, 0]
        sim.set_state(velocities=kick)
        self.assertGreater(sim.energy.injected, 0)
        before = sim.time
        sim.positions, sim.energy, sim.strain(), repr(sim), sim.report
        self.assertEqual(sim.time, before)

    def test_the_same_scene_for_many_methods(self):
        scene = brio.Scene.from_dict(bar())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for row in brio.list("integrators"):
                with self.subTest(row.name):
                    sim = brio.Simulation(scene, row.name, h=1e-4)
                    sim.step()
                    self.assertEqual(sim.integrator, row.name)

    def test_mistakes_with_numpy(self):
        sim = simulate()
        with self.assertRaises(ValueError):
            sim.positions[0] = 0
        with self.assertRaises(AttributeError):
            sim.positions = sim.rest
        sim.set_state(sim.positions * 1.01)
        with self.refuses("velocities", "(1, 3)"):
            sim.set_state(velocities=[[0, 0, 1]])

    def test_what_brio_logs_goes_to_pythons_logger(self):
        with self.assertLogs("brio", "INFO") as caught:
            brio.Scene.from_dict(bar(integrator={"name": "si", "h": 0.01, "beta": 0.7})).with_integrator("newmark")
        self.assertIn("integrator.beta", caught.output[0])

    def test_ctrl_c_between_two_steps_keeps_the_simulation(self):
        import os
        import signal
        sim = simulate()
        with self.assertRaises(KeyboardInterrupt):
            for report in sim.steps(1000):
                if report.step == 3:
                    os.kill(os.getpid(), signal.SIGINT)
        taken = sim.report.step
        self.assertIn(taken, (3, 4))
        self.assertEqual(sim.step().step, taken + 1)

    def test_the_source_without_the_compiled_part_says_so(self):
        import subprocess
        import sys
        import tempfile
        import shutil
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "python/brio", f"{folder}/brio")
            for part in ("make python", "another Python"):
                done = subprocess.run([sys.executable, "-c", "import brio"], cwd=folder, env={"PYTHONPATH": folder},
                                      capture_output=True, text=True)
                self.assertIn(part, done.stderr)
                open(f"{folder}/brio/_brio.cpython-27-x86_64-linux-gnu.so", "w").close()

    def test_names_say_what_they_are(self):
        self.assertIn("81 vertices", repr(simulate()))
        self.assertIn("si", repr(brio.Scene.from_dict(bar())))
        self.assertIn("bar", str(simulate().bodies))

    def test_every_public_name_has_help(self):
        for name in brio.__all__ + ["list"]:
            thing = getattr(brio, name)
            self.assertTrue(thing.__doc__, name)
            if isinstance(thing, type):
                self.assertEqual(thing.__module__, "brio")
                for member, value in vars(thing).items():
                    if not member.startswith("_") and callable(value) and not issubclass(thing, (brio.Report, tuple)):
                        self.assertTrue(value.__doc__ or member in ("text",), f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
