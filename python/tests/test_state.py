"""Checkpoints, states set by hand, and forces."""

import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np

import brio
from common import ROOT, Case, bar, python, simulate
from test_simulation import cut_bar


def totals(sim, steps):
    return [(report.kinetic, report.elastic, report.injected) for report in sim.steps(steps)]


class Checkpoints(Case):
    def test_the_same_start_has_the_same_bits_every_time(self):
        # A number that nobody had set would be another one in every new object.
        for method in ("si", "siere", "ksiere", "glim", "ere"):
            first = None
            for _ in range(40):
                sim = simulate(method)
                for _ in range(4):
                    sim.step()
                first = sim.positions.copy() if first is None else first
                np.testing.assert_array_equal(sim.positions, first, method)

    def test_same_bits_as_going_on(self):
        for integrator in ("si", "ksiere", "bdf2", "be", "glim"):
            with self.subTest(integrator):
                sim = simulate(integrator)
                totals(sim, 4)
                state = sim.checkpoint()
                on, x = totals(sim, 6), sim.positions.copy()
                view = sim.positions
                sim.restore(state)
                self.assertEqual(sim.report.step, 4)
                self.assertEqual(totals(sim, 6), on)
                np.testing.assert_array_equal(view, x)
                fresh = brio.Simulation.from_checkpoint(state)
                self.assertEqual(totals(fresh, 6), on)

    def test_in_another_process(self):
        sim = simulate("ksiere")
        sim.forces[sim.sets["tip"]] = (0, 1, 0)
        totals(sim, 3)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "state.pickle"
            file.write_bytes(pickle.dumps(sim.checkpoint()))
            there = python("import brio, pickle, sys; sim = brio.Simulation.from_checkpoint(pickle.load(open(sys.argv[1], 'rb')))\n"
                           "print([(r.kinetic, r.elastic, r.injected) for r in sim.steps(5)])", file)
        self.assertEqual(there, str(totals(sim, 5)))

    def test_across_a_cut_both_ways(self):
        sim = cut_bar()
        before = sim.checkpoint()
        first = totals(sim, 6)
        after = sim.checkpoint()
        rest = totals(sim, 3)
        sim.restore(before)
        self.assertEqual(totals(sim, 6), first)
        self.assertEqual(totals(sim, 3), rest)
        sim.restore(after)
        self.assertEqual(totals(sim, 3), rest)
        self.assertEqual(totals(brio.Simulation.from_checkpoint(after), 3), rest)

    def test_simulations_pickle(self):
        sim = simulate()
        totals(sim, 3)
        other = pickle.loads(pickle.dumps(sim))
        self.assertEqual(totals(other, 3), totals(sim, 3))

    def test_immutable(self):
        state = simulate().checkpoint()
        with self.assertRaises(AttributeError):
            state.step = 3
        self.assertEqual(pickle.loads(pickle.dumps(state)), state)

    def test_refusals(self):
        sim = simulate()
        with self.refuses("checkpoint", "materials[0].E"):
            sim.restore(brio.Simulation(brio.Scene.from_dict(bar()).set("materials[0].E", 1e5)).checkpoint())
        with self.refuses("integrator.name"):
            sim.restore(simulate("be").checkpoint())
        with self.refuses("expected a brio.Checkpoint", "bytes"):
            sim.restore(b"")
        state = sim.checkpoint()
        maker, parts = state.__reduce__()
        with self.refuses("damaged"):
            maker(parts[0], parts[1][:-1], *parts[2:])
        sim.step()


class SetState(Case):
    def test_positions_and_velocities(self):
        sim = simulate()
        x = sim.positions
        wanted, speed = x + [0, 1e-3, 0], np.full(x.shape, 0.5)
        sim.set_state(positions=wanted, velocities=speed)
        free, wall = sim.free, sim.sets["wall"]
        np.testing.assert_array_equal(x[free], wanted[free])
        np.testing.assert_array_equal(sim.velocities[free], speed[free])
        np.testing.assert_array_equal(x[wall], sim.rest[wall])
        kinetic = 0.5 * np.sum(sim.vertex_mass[free, None] * speed[free] ** 2)
        self.assertAlmostEqual(sim.energy.kinetic, kinetic, delta=1e-12 * kinetic)

    def test_the_change_is_booked(self):
        sim = simulate()
        before = sim.energy
        sim.set_state(velocities=np.ones_like(sim.positions))
        after = sim.energy
        self.assertAlmostEqual(after.total - before.total, after.injected - before.injected, delta=1e-12 * after.total)

    def test_goes_on_as_if_it_had_begun_there(self):
        """A method that looks back must not take a jump for a motion."""
        for integrator in ("si", "bdf2"):
            with self.subTest(integrator):
                moved = brio.Simulation(bar(gravity=[0, 0, 0], constraints=[]), integrator)
                for _ in moved.steps(3):
                    pass
                moved.set_state(positions=moved.positions + [0.3, 0, 0])
                for _ in moved.steps(3):
                    pass
                np.testing.assert_allclose(moved.positions, moved.rest + [0.3, 0, 0], atol=1e-9)
                self.assertLess(abs(moved.velocities).max(), 1e-8)

    def test_arrays_of_any_layout(self):
        sim, other = simulate(), simulate()
        x = sim.positions + [0, 1e-3, 0]
        sim.set_state(positions=x)
        for layout in (np.asfortranarray(x), np.repeat(x, 2, axis=0)[::2], x.tolist()):
            other.set_state(positions=layout)
            np.testing.assert_array_equal(other.positions, sim.positions)
        other.set_state(velocities=np.zeros(x.shape, np.int64))
        other.set_state(velocities=np.zeros(x.shape, np.float32))

    def test_refusals_leave_the_simulation_as_it_was(self):
        sim, same = simulate(), simulate()
        x = sim.positions.copy()
        n = len(x)
        nan = x.copy()
        nan[7, 1] = np.nan
        for wrong, parts in ((x[:-1], ["positions", f"({n}, 3)", f"({n - 1}, 3)"]), (x.ravel(), ["positions", f"({3 * n},)"]),
                             (x.T, ["positions", f"(3, {n})"]), (nan, ["positions", "nan", "[7, 1]"]),
                             (x.astype(complex), ["positions", "complex128"]), (x.astype(str), ["positions", "<U"]),
                             ([[1, 2, 3], [1, 2]], ["positions"]), (1.0, ["positions", "()"])):
            with self.refuses(*parts):
                sim.set_state(positions=wrong)
            with self.refuses(*[part.replace("positions", "velocities") for part in parts]):
                sim.set_state(velocities=wrong)
        self.assertEqual(totals(sim, 3), totals(same, 3))

    def test_surfaces_that_would_pass_through_each_other(self):
        scene = brio.Scene.load(next(file for file in sorted((ROOT / "scenes").glob("*.json"))
                                     if '"contact"' in file.read_text() and '"bodies"' in file.read_text()))
        sim = brio.Simulation(scene)
        first, second = list(sim.bodies.values())[:2]
        x = sim.positions.copy()
        x[second.vertices] += x[first.vertices].mean(axis=0) - x[second.vertices].mean(axis=0) + 1e-3
        before = sim.positions.copy()
        with self.assertRaises(brio.Error):
            sim.set_state(positions=x)
        np.testing.assert_array_equal(sim.positions, before)


class Forces(Case):
    def test_work_is_booked_as_injected(self):
        sim = simulate()
        tip = sim.sets["tip"]
        sim.forces[tip] = (0, 0, -5)
        work, before = 0.0, sim.positions[tip].copy()
        for report in sim.steps(10):
            now = sim.positions[tip]
            work += np.sum(sim.forces[tip] * (now - before))
            before = now.copy()
            self.assertAlmostEqual(report.injected, work, delta=1e-12 * abs(work))
        self.assertGreater(work, 0)

    def test_equal_a_load_of_the_scene(self):
        pulled = brio.Simulation(bar(loads=[{"load": "pull", "set": "tip", "force": [0, 0, -5]}]))
        sim = simulate()
        tip = sim.sets["tip"]
        sim.forces[tip] = np.array([0, 0, -5]) / len(tip)
        for one, other in zip(pulled.steps(10), sim.steps(10)):
            self.assertAlmostEqual(one.total, other.total, delta=1e-12 * abs(one.total))
        np.testing.assert_allclose(sim.positions, pulled.positions, rtol=0, atol=1e-13)

    def test_refusals(self):
        sim = simulate()
        n = len(sim.positions)
        sim.forces[3, 1] = np.nan
        with self.refuses("forces", "row 3"):
            sim.step()
        sim.forces = 0
        sim.step()
        with self.refuses("forces", f"({n}, 3)", "(2, 3)"):
            sim.forces = np.zeros((2, 3))
        with self.refuses("forces", "<U"):
            sim.forces = "up"
        sim.forces = (0, 1, 0)
        self.assertEqual(sim.forces.sum(), n)
        sim.forces *= 2
        self.assertEqual(sim.forces.sum(), 2 * n)


class Drive(Case):
    def test_a_driven_set_goes_where_it_is_driven(self):
        driven = bar(constraints=[{"set": "wall", "motion": "driven"}])
        moved = bar(constraints=[{"set": "wall", "motion": "translate", "velocity": [0, 0.3, 0]}])
        sim, other = brio.Simulation(driven), brio.Simulation(moved)
        sim.drive("wall", (0, 0.3, 0))
        for one, two in zip(sim.steps(8), other.steps(8)):
            self.assertAlmostEqual(one.total, two.total, delta=1e-12 * abs(two.total))
            self.assertAlmostEqual(one.injected, two.injected, delta=1e-12 * abs(two.injected))
        np.testing.assert_allclose(sim.positions, other.positions, rtol=0, atol=1e-13)
        wall = sim.sets["wall"]
        sim.drive("wall", (1, 0, 0))
        list(sim.steps(2))
        np.testing.assert_allclose(sim.positions[wall] - sim.rest[wall], np.broadcast_to([0.02, 0.024, 0], (len(wall), 3)),
                                   atol=1e-15)
        state = sim.checkpoint()
        self.assertEqual(totals(brio.Simulation.from_checkpoint(state), 3), totals(sim, 3))

    def test_refusals(self):
        sim = brio.Simulation(bar(constraints=[{"set": "wall", "motion": "driven"}]))
        for wrong in ((1, 2), "up", (0, float("nan"), 0)):
            with self.refuses("velocity"):
                sim.drive("wall", wrong)
        with self.refuses("tip"):
            sim.drive("tip", (0, 0, 0))
        with self.refuses("wall"):
            simulate().drive("wall", (0, 0, 0))
        with self.refuses("attachments[0]", "driven"):
            brio.Simulation(bar(attachments=[{"set": "tip", "stiffness": 10, "motion": "driven"}]))


if __name__ == "__main__":
    unittest.main()
