"""Whole runs and comparisons: the program's files, interruptions, threads."""

import importlib.util
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import brio
from common import PROGRAM, ROOT, Case, bar, simulate


def without_times(file):
    """The rows of an energy.csv but for the column of the time taken."""
    lines = [line.split(",") for line in Path(file).read_text().splitlines()]
    taken = lines[0].index("step_ms")
    return [line[:taken] + line[taken + 1:] for line in lines]


class Runs(Case):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def test_the_same_files_as_the_programs(self):
        scene = brio.Scene.from_dict(bar())
        scene.save(self.folder / "bar.json")
        run = brio.run(scene, self.folder / "mine")
        subprocess.run([PROGRAM, "run", self.folder / "bar.json", "-o", self.folder / "theirs"], check=True,
                       capture_output=True)
        self.assertEqual((run.status, run.steps), ("finished", 20))
        self.assertEqual(without_times(self.folder / "mine/energy.csv"), without_times(self.folder / "theirs/energy.csv"))
        self.assertEqual({file.name for file in (self.folder / "mine").iterdir()},
                         {file.name for file in (self.folder / "theirs").iterdir()})
        self.assertEqual(run.summary["steps"], 20)
        self.assertEqual(len(run.energy["total"]), 21)
        self.assertIn("<iframe", run._repr_html_())

    def test_an_exception_in_progress_ends_the_run_with_everything_kept(self):
        def progress(label, step, steps):
            if step == 7:
                raise KeyError("enough")

        with self.assertRaises(KeyError):
            brio.run(bar(), self.folder / "out", progress=progress)
        self.assertEqual(len(without_times(self.folder / "out/energy.csv")), 1 + 1 + 8)  # the step after is taken
        self.assertTrue((self.folder / "out/report.html").exists())
        run = brio.run(bar(), self.folder / "out", resume=True)
        whole = brio.run(bar(), self.folder / "whole")
        self.assertEqual(without_times(run.folder / "energy.csv"), without_times(whole.folder / "energy.csv"))

    def test_ctrl_c_ends_a_run_and_resume_goes_on(self):
        code = ("import brio, sys\nsys.path.insert(0, sys.argv[1])\nfrom common import bar\n"
                "try:\n    brio.run(bar(steps=100000), sys.argv[2])\n"
                "except KeyboardInterrupt:\n    print('interrupted')\n")
        process = subprocess.Popen([sys.executable, "-c", code, Path(__file__).parent, self.folder / "out"],
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:  # until it has taken some steps
            energies = self.folder / "out/energy.csv"
            if energies.exists() and len(energies.read_text().splitlines()) > 5:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(out.strip(), "interrupted")
        self.assertTrue((self.folder / "out/report.html").exists())
        taken = len(without_times(self.folder / "out/energy.csv")) - 2
        # A longer run of the same scene goes on from there.
        run = brio.run(bar(steps=taken + 3), self.folder / "out", resume=True)
        self.assertEqual(run.steps, taken + 3)

    def test_a_run_that_diverges_says_so(self):
        with self.assertWarns(brio.SceneWarning) as caught:
            run = brio.run(bar(), self.folder / "out", integrator="rk4")
        self.assertEqual(run.status, "diverged")
        self.assertIn("diverged", str(caught.warning))

    def test_progress(self):
        seen = []
        brio.run(bar(), self.folder / "out", steps=5, progress=lambda *what: seen.append(what))
        self.assertEqual(seen[-1], ("bar", 5, 5))
        with self.refuses("progress", "3"):
            brio.run(bar(), self.folder / "out", progress=3)


class Comparisons(Case):
    def test_the_same_as_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            scene = brio.Scene.from_dict(bar())
            scene.save(folder / "bar.json")
            seen = set()
            found = brio.compare(scene, ["si", "newmark:gamma=0.6"], reference="rk4@0.001",
                                 progress=lambda label, step, steps: seen.add(label))
            page = found.save(folder / "mine")
            self.assertTrue(page.exists())
            subprocess.run([PROGRAM, "compare", folder / "bar.json", "--integrators", "si,newmark:gamma=0.6", "--reference",
                            "rk4@0.001", "-o", folder / "theirs"], check=True, capture_output=True)
            mine, theirs = (without_times(folder / f"{who}/compare_series.csv") for who in ("mine", "theirs"))
            self.assertEqual(mine, theirs)
            self.assertEqual(set(found.runs), {"si", "newmark gamma=0.6"})
            self.assertIn("si", seen)
            self.assertIn("<iframe", found._repr_html_())

    def test_refusals(self):
        with self.refuses("nosuch"):
            brio.compare(bar(), ["si", "nosuch"])
        for wrong in ([], [3], ["si", ""]):
            with self.refuses("integrators", "expected"):
                brio.compare(bar(), wrong)
        with self.refuses("reference"):
            brio.compare(bar(), ["si"], reference="rk4")


class InterruptedComparisons(Case):
    def test_what_there_is_is_kept(self):
        def progress(label, step, steps):
            if (label, step) == ("be", 4):
                raise KeyboardInterrupt

        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(KeyboardInterrupt):
                brio.compare(bar(), ["si", "be", "im"], folder=folder, progress=progress)
            rows = (Path(folder) / "compare_series.csv").read_text()
            self.assertTrue((Path(folder) / "compare.html").exists())
            self.assertIn("si", rows)
            self.assertIn("be", rows)
            self.assertNotIn("im,", rows)


class Threads(Case):
    def test_several_simulations_at_once_have_the_bits_of_one_alone(self):
        methods = ["si", "ksiere", "be", "si"]

        def run(method):
            sim = simulate(method)
            return [(report.kinetic, report.elastic) for report in sim.steps(15)] + [sim.positions.tobytes()]

        alone = [run(method) for method in methods]
        together = [None] * len(methods)

        def work(i):
            together[i] = run(methods[i])

        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(methods))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(together, alone)

    def test_one_simulation_stepped_by_several_threads_takes_each_step_once(self):
        sim, alone = simulate(), simulate()
        threads = [threading.Thread(target=lambda: list(sim.steps(5))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        list(alone.steps(20))
        self.assertEqual(sim.report.step, 20)
        np.testing.assert_array_equal(sim.positions, alone.positions)

    def test_one_thread_looks_while_another_steps_and_cuts(self):
        from test_simulation import cut_bar
        sim, looks, stop = cut_bar(), [0], threading.Event()

        def look():
            while not stop.is_set():
                try:
                    x, u, f = sim.positions, sim.velocities, sim.forces
                    self.assertEqual(x.shape[1], 3)
                    looks[0] += bool(np.isfinite(sim.energy.total)) and len(sim.sets) > 0 and len(sim.free) > 0
                except brio.Error as error:  # cut in the meantime
                    self.assertIn("cut", str(error))

        threads = [threading.Thread(target=look) for _ in range(2)]
        for thread in threads:
            thread.start()
        for k, _ in enumerate(sim.steps(30)):
            while looks[0] < k // 4 and any(thread.is_alive() for thread in threads):
                time.sleep(0.001)  # on a busy machine the others hardly get to look
        stop.set()
        for thread in threads:
            thread.join()
        self.assertGreater(looks[0], 5)

    def test_the_gil_is_released_during_a_step(self):
        sim = brio.Simulation(ROOT / "scenes/bar-5k.json")
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0)  # gives the GIL to who waits for it

        thread = threading.Thread(target=count)
        thread.start()
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1000)  # nobody is made to give the GIL away
        before = counted[0]
        sim.step()
        after = counted[0]
        stop.set()
        thread.join()
        self.assertGreater(after - before, 10)


class Progress(Case):
    def test_a_line_where_there_is_no_tqdm(self):
        code = ("import sys\nsys.modules['tqdm'] = None\nsys.path.insert(0, sys.argv[1])\nfrom common import simulate\n"
                "for _ in simulate().steps(5, progress=True): pass")
        done = subprocess.run([sys.executable, "-c", code, Path(__file__).parent], capture_output=True, text=True, check=True)
        self.assertIn("5/5 steps", done.stderr)

    def test_tqdm_where_there_is_one(self):
        """With a stand-in that has the part of tqdm's interface that is used."""
        import types
        made = []

        class Bar:
            def __init__(self, total, desc, unit):
                self.total, self.n, self.closed = total, 0, False
                made.append(self)

            def update(self, n):
                self.n += n

            def close(self):
                self.closed = True

        stand_in = types.ModuleType("tqdm.auto")
        stand_in.tqdm = Bar
        before = {name: sys.modules.get(name) for name in ("tqdm", "tqdm.auto")}
        sys.modules["tqdm"] = sys.modules["tqdm.auto"] = stand_in
        try:
            list(simulate().steps(5, progress=True))
            brio.compare(bar(), ["si", "be"], steps=4, progress=True)
        finally:
            for name, module in before.items():
                if module is None:
                    del sys.modules[name]
                else:
                    sys.modules[name] = module
        self.assertEqual([(bar.total, bar.n, bar.closed) for bar in made], [(5, 5, True), (4, 4, True), (4, 4, True)])

    def test_tqdm_itself(self):
        if importlib.util.find_spec("tqdm") is None:
            self.skipTest("tqdm is not installed (Debian: python3-tqdm)")
        code = ("import sys\nsys.path.insert(0, sys.argv[1])\nfrom common import bar, simulate\nimport brio\nfrom tqdm import tqdm\n"
                "list(simulate().steps(5, progress=True))\nlist(tqdm(simulate().steps(6)))\n"
                "brio.compare(bar(), ['si', 'be'], steps=4, progress=True)")
        done = subprocess.run([sys.executable, "-c", code, Path(__file__).parent], capture_output=True, text=True, check=True)
        for text in ("100%", "5/5", "6/6", "4/4", "step/s", "si", "be"):
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
