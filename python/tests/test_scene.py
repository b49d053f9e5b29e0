"""Scenes: files, dicts, values in the place of others, and what is refused."""

import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np

import brio
from common import ROOT, Case, bar


class Scenes(Case):
    def test_every_scene_of_the_project_goes_through_a_dict_and_back(self):
        files = sorted((ROOT / "scenes").glob("*.json"))
        self.assertGreater(len(files), 30)
        for file in files[::4]:
            with self.subTest(file.name):
                scene = brio.Scene.load(file)
                again = brio.Scene.from_dict(scene.to_dict(), folder=file.parent)
                self.assertEqual(again.to_dict(), scene.to_dict())
                self.assertEqual((again.h, again.steps, again.integrator), (scene.h, scene.steps, scene.integrator))

    def test_set_gives_another_scene_and_leaves_this_one(self):
        scene = brio.Scene.from_dict(bar())
        other = scene.set("integrator.h", 0.002).set("materials[0].E", np.float64(3e5)).set("gravity", np.array([0, 0, -9]))
        self.assertEqual((scene.h, other.h), (0.01, 0.002))
        self.assertEqual(other.to_dict()["materials"][0]["E"], 3e5)
        self.assertEqual(other.to_dict()["gravity"], [0, 0, -9])
        self.assertEqual(scene.to_dict(), bar())

    def test_another_method_keeps_only_the_options_that_it_has(self):
        scene = brio.Scene.from_dict(bar(integrator={"name": "si", "h": 0.01, "beta": 0.7}))
        other = scene.with_integrator("newmark:gamma=0.6")
        self.assertEqual(other.to_dict()["integrator"], {"name": "newmark", "h": 0.01, "gamma": 0.6})
        self.assertEqual(scene.with_integrator({"name": "newmark", "gamma": 0.6}), other)

    def test_pickles(self):
        scene = brio.Scene.from_dict(bar())
        self.assertEqual(pickle.loads(pickle.dumps(scene)), scene)

    def test_saves_what_the_program_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bar.json"
            brio.Scene.from_dict(bar()).save(file)
            self.assertEqual(brio.Scene.load(file).to_dict(), bar())

    def test_what_to_dict_gives_is_the_callers(self):
        scene = brio.Scene.from_dict(bar())
        scene.to_dict()["steps"] = 1
        self.assertEqual(scene.steps, 20)


class Refusals(Case):
    def test_unknown_key_with_a_suggestion(self):
        with self.refuses("integratr", "integrator"):
            brio.Scene.from_dict(bar(integratr={"name": "si", "h": 0.01}))

    def test_all_problems_in_one_error(self):
        bad = bar(steps=-3)
        bad["materials"][0]["E"] = -1
        with self.refuses("steps", "materials[0].E"):
            brio.Scene.from_dict(bad)

    def test_unknown_key_of_set(self):
        with self.refuses("integrator.hh"):
            brio.Scene.from_dict(bar()).set("integrator.hh", 0.1)

    def test_no_such_file(self):
        with self.refuses("nowhere.json"):
            brio.Scene.load("nowhere.json")

    def test_values_that_json_cannot_hold(self):
        with self.refuses("gravity"):
            brio.Scene.from_dict(bar()).set("gravity", [0, float("nan"), 0])
        with self.refuses("object"):
            brio.Scene.from_dict(bar(gravity=object()))

    def test_wrong_types(self):
        for wrong in (3, None, [1]):
            with self.refuses("expected"):
                brio.Simulation(wrong)
        with self.refuses("expected a dict", "list"):
            brio.Scene.from_dict([])
        with self.refuses("nosuch", "si"):
            brio.Simulation(bar(), integrator="nosuch")
        with self.refuses("gamma"):
            brio.Simulation(bar(), integrator="newmark:gamma")
        with self.refuses("Scene.load"):
            brio.Scene("bar.json")

    def test_error_is_a_value_error(self):
        self.assertTrue(issubclass(brio.Error, ValueError))
        self.assertTrue(issubclass(brio.Diverged, brio.Error))


class Tables(Case):
    def test_everything_that_the_program_lists_is_there(self):
        import subprocess

        from common import PROGRAM
        listed = subprocess.run([PROGRAM, "list"], capture_output=True, text=True, check=True, cwd="/").stdout
        text = repr(brio.list())
        rows = [line.split()[0] for line in listed.split("Scenes\n")[0].splitlines() if line.startswith("  ")]
        self.assertGreater(len(rows), 80)
        for row in rows:
            self.assertIn(f"  {row} ", text)

    def test_rows_by_name_with_their_options(self):
        row = brio.list("integrators")["newmark"]
        self.assertIn("gamma", [option["key"] for option in row.options])
        self.assertIn("gamma", row.__doc__)
        with self.refuses("nosuch", "newmark"):
            brio.list("integrators")["nosuch"]
        with self.refuses("nosuch", "integrators"):
            brio.list("nosuch")

    def test_help_comes_from_the_tables(self):
        for row in brio.list("integrators"):
            self.assertIn(row.summary, brio.Simulation.__doc__)


if __name__ == "__main__":
    unittest.main()
