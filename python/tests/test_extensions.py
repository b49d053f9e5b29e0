"""Laws and energies written in Python: against brio's own, and when they raise or return nonsense."""

import unittest

import numpy as np

import brio
from brio import _materials
from common import Case, bar, python, simulate


@brio.material("python-neo-hookean", mu=1e5 / 2.8, lam=1e5)
def neo_hookean(s, mu, lam):
    """The law of brio's neo-hookean."""
    log_J = np.log(s[0] * s[1] * s[2])
    return mu / 2 * (np.sum(s**2) - 3) - mu * log_J + lam / 2 * log_J**2


def with_law(law, **options):
    return bar(materials=[{"law": law, "rho": 1000, **options}])


class Jets(Case):
    def test_derivatives_are_those_of_the_function(self):
        functions = [lambda s: np.sum(s**2), lambda s: np.log(s[0] * s[1] * s[2]), lambda s: np.exp(s[0]) / s[1] ** 0.5 - s[2] ** 3,
                     lambda s: np.sqrt(s[0] * s[1]) + np.sin(s[2]) * np.cos(s[0]), lambda s: np.tanh(s[0]) * np.arctan(s[1] - s[2]),
                     lambda s: np.where(s[0] > 1, s[0] ** 2, s[1]) + np.maximum(s[1], 2 * s[2]), lambda s: 2.0 ** s[0] / (1 + s[1]),
                     lambda s: abs(s[0] - 2) ** 3 + np.prod(s), lambda s: (s.sum(axis=0) - 3) ** 2, lambda s: s[0] ** s[1],
                     lambda s: np.expm1(s[0]) * np.log1p(s[1]) + np.sinh(s[2]) * np.cosh(s[0]) + np.square(s[1]) - np.reciprocal(s[2])]
        s = np.array([[1.3, 0.7, 1.1], [0.9, 1.2, 1.6], [1.05, 0.8, 0.6]])
        step = 1e-6
        for number, function in enumerate(functions):
            with self.subTest(number):
                first = _materials.evaluate(function, "f", s, 1)
                second = _materials.evaluate(function, "f", s, 2).reshape(3, 3, 3)
                for i in range(3):
                    up, down = s.copy(), s.copy()
                    up[i] += step
                    down[i] -= step
                    slope = (_materials.evaluate(function, "f", up, 0) - _materials.evaluate(function, "f", down, 0))[0] / (2 * step)
                    np.testing.assert_allclose(first[i], slope, atol=1e-8)
                    bend = (_materials.evaluate(function, "f", up, 1) - _materials.evaluate(function, "f", down, 1)) / (2 * step)
                    np.testing.assert_allclose(second[i], bend, atol=1e-7)

    def test_what_it_does_not_know_it_names(self):
        with self.assertRaises(TypeError) as caught:
            brio.material("bessel")(lambda s: np.floor(s[0] + s[1] + s[2]))
        self.assertIn("np.floor", str(caught.exception))


class Materials(Case):
    def test_equals_brios_own_law(self):
        E, nu = 2e5, 0.4
        mu, lam = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
        for integrator in ("si", "be", "ksiere"):
            with self.subTest(integrator):
                mine = brio.Simulation(with_law("python-neo-hookean", mu=mu, lam=lam), integrator)
                theirs = brio.Simulation(with_law("neo-hookean", E=E, nu=nu), integrator)
                for one, two in zip(mine.steps(4), theirs.steps(4)):
                    self.assertAlmostEqual(one.total, two.total, delta=1e-9 * abs(two.total))
                np.testing.assert_allclose(mine.positions, theirs.positions, rtol=0, atol=1e-9)
                self.assertGreater(abs(mine.positions - mine.rest).max(), 1e-3)

    def test_listed_with_its_options(self):
        row = brio.list("materials")["python-neo-hookean"]
        self.assertEqual([option["key"] for option in row.options], ["lam", "mu"])
        self.assertEqual(row.summary, "The law of brio's neo-hookean.")

    def test_a_cell_that_is_run_again_replaces_the_function(self):
        define = lambda k: brio.material("again")(lambda s: k * np.sum((s - 1) ** 2))
        define(1e4)
        soft = brio.Simulation(with_law("again"))
        define(1e5)
        stiff = brio.Simulation(with_law("again"))
        K = stiff.stiffness()
        self.assertLess(abs(K - 10 * soft.stiffness()).max(), 1e-9 * abs(K).max())
        with self.refuses("again", "options"):
            brio.material("again", k=1.0)(lambda s, k: k * np.sum((s - 1) ** 2))

    def test_refusals(self):
        law = lambda s: np.sum((s - 1) ** 2)
        with self.refuses("neo-hookean"):
            brio.material("neo-hookean")(law)
        with self.refuses("no isotropic law"):
            brio.material("lopsided")(lambda s: s[0] ** 2 + s[1] ** 2)
        with self.refuses("wrong-size", "shape", "3"):
            brio.material("wrong-size")(lambda s: s**2)
        with self.refuses("text"):
            brio.material("text")(lambda s: "a lot")
        with self.refuses("takes no", "k"):
            brio.material("no-k", k=1.0)(law)
        with self.refuses("rho"):
            brio.material("hides-rho", rho=1.0)(lambda s, rho: np.sum((s - 1) ** 2))
        with self.refuses("finite number"):
            brio.material("nan-default", k=float("nan"))(lambda s, k: np.sum((s - 1) ** 2))
        with self.assertWarns(brio.SceneWarning):
            brio.material("stressed")(lambda s: np.sum(s**2))
        with self.assertRaises(ZeroDivisionError):
            brio.material("broken")(lambda s: 1 / 0)
        with self.refuses("broken"):  # and it was not registered
            brio.Scene.from_dict(with_law("broken"))

    def test_an_exception_during_a_step_comes_through_and_the_simulation_goes_on(self):
        trouble = {"now": False}

        @brio.material("moody")
        def moody(s):
            if trouble["now"]:
                raise RuntimeError("not today")
            return 5e4 * np.sum((s - 1) ** 2)

        sim, same = brio.Simulation(with_law("moody")), brio.Simulation(with_law("moody"))
        list(sim.steps(2))
        x = sim.positions.copy()
        trouble["now"] = True
        with self.assertRaisesRegex(RuntimeError, "not today"):
            sim.step()
        with self.assertRaisesRegex(RuntimeError, "not today"):
            brio.Simulation(with_law("moody"))
        trouble["now"] = False
        np.testing.assert_array_equal(sim.positions, x)
        list(sim.steps(2))
        list(same.steps(4))
        np.testing.assert_allclose(sim.positions, same.positions, rtol=0, atol=1e-12)


class Exceptions(Case):
    def test_an_energy_that_asks_its_simulation_is_refused_and_does_not_wait_for_ever(self):
        printed = python("""
import sys
sys.path.insert(0, sys.argv[1])
import brio, faulthandler
from common import bar
faulthandler.dump_traceback_later(60, exit=True)
asked = []

@brio.energy
def curious(x):
    for sim in asked:
        for question in (lambda: sim.energy, lambda: sim.positions, lambda: sim.time, lambda: sim.step(), lambda: sim.sets,
                         lambda: sim.checkpoint(), lambda: sim.forces, lambda: sim.stiffness()):
            try:
                question()
            except brio.Error as error:
                assert "middle of a step" in str(error), error
                continue
            raise AssertionError("answered")
    return 0.0, 0 * x

sim = brio.Simulation(bar(energies=[{"kind": "curious", "set": "tip"}]))
asked.append(sim)
sim.step()
sim.set_state(velocities=0 * sim.rest)
print("fine")
""", __file__.rsplit("/", 1)[0])
        self.assertEqual(printed, "fine")

    def test_wherever_in_a_step_it_is_raised_the_simulation_goes_on_with_the_same_bits(self):
        calls = {"left": None, "made": 0}

        @brio.energy
        def trap(x):
            calls["made"] += 1
            if calls["left"] is not None:
                calls["left"] -= 1
                if calls["left"] < 0:  # this call and all that follow
                    raise ArithmeticError("now")
            return 25.0 * np.sum((x - 0.5) ** 2), 50.0 * (x - 0.5), 50.0 * np.eye(x.size)

        for integrator in ("si", "be", "ksiere", "rk4"):
            scene = brio.Scene.from_dict(bar(energies=[{"kind": "trap", "set": "tip"}])).with_integrator(integrator).set(
                "integrator.h", 0.001)
            calls["left"] = None
            sim, same = brio.Simulation(scene), brio.Simulation(scene)
            list(sim.steps(2)), list(same.steps(2))
            before = calls["made"]
            expected = same.step()
            in_a_step = calls["made"] - before
            self.assertGreater(in_a_step, 2)
            x, energy = sim.positions.copy(), sim.energy
            for call in range(in_a_step):
                with self.subTest(f"{integrator}, call {call} of {in_a_step}"):
                    calls["left"] = call
                    with self.assertRaisesRegex(ArithmeticError, "now"):
                        sim.step()
                    np.testing.assert_array_equal(sim.positions, x)
                    self.assertEqual(sim.energy, energy)
            with self.assertRaisesRegex(ArithmeticError, "now"):
                sim.set_state(velocities=np.ones_like(x))
            self.assertEqual(sim.energy, energy)
            calls["left"] = None
            report = sim.step()
            self.assertEqual((report.step, report.kinetic, report.elastic, report.injected),
                             (expected.step, expected.kinetic, expected.elastic, expected.injected))


@brio.energy(stiffness=50.0)
def tether(x, stiffness):
    """A spring from each vertex to a point."""
    apart = x - [0.4, 0.5, 0.05]
    n = 3 * len(x)
    return stiffness / 2 * np.sum(apart**2), stiffness * apart, (np.arange(n), np.arange(n), np.full(n, stiffness))


@brio.energy
def explicit_tether(x):
    apart = x - [0.4, 0.5, 0.05]
    return 25.0 * np.sum(apart**2), 50.0 * apart


@brio.energy(stiffness=80.0)
def pair_spring(x, stiffness):
    """A spring between each two vertices that follow each other, of rest length 0."""
    d = x[1:] - x[:-1]
    gradient = np.zeros_like(x)
    gradient[1:] += stiffness * d
    gradient[:-1] -= stiffness * d
    line = 2 * np.eye(len(x)) - np.eye(len(x), k=1) - np.eye(len(x), k=-1)
    line[0, 0] = line[-1, -1] = 1
    return stiffness / 2 * np.sum(d**2), gradient, stiffness * np.kron(line, np.eye(3))


class Energies(Case):
    def test_in_the_books_and_in_the_stiffness(self):
        plain, sim = simulate(), brio.Simulation(bar(energies=[{"kind": "tether", "set": "tip", "stiffness": 70}]))
        tip = sim.sets["tip"]
        apart = sim.rest[tip] - [0.4, 0.5, 0.05]
        self.assertAlmostEqual(sim.energy.elastic - plain.energy.elastic, 35 * np.sum(apart**2), 10)
        difference = (sim.stiffness() - plain.stiffness()).toarray()
        places = np.isin(sim.free, tip).repeat(3)
        np.testing.assert_allclose(difference, np.diag(70.0 * places), atol=1e-9)

    def test_energy_is_kept_with_it(self):
        sim = brio.Simulation(bar(energies=[{"kind": "tether", "set": "tip"}]), "im", h=0.002)
        start = sim.energy.total
        for report in sim.steps(30):
            pass
        self.assertGreater(report.kinetic, 1e-3)
        self.assertAlmostEqual(report.total, start, delta=2e-2 * report.kinetic)

    def test_coupled_vertices(self):
        sim = brio.Simulation(bar(energies=[{"kind": "pair-spring", "set": "tip"}]))
        K, x = sim.stiffness(), sim.positions.copy()
        direction = np.cos(np.arange(x.size)).reshape(x.shape)
        forces = []
        for sign in (1, -1):
            sim.set_state(positions=x + sign * 1e-6 * direction)
            forces.append(sim.force())
        product = K @ direction[sim.free].ravel()
        self.assertLess(np.linalg.norm(product - (forces[1] - forces[0]) / 2e-6), 1e-6 * np.linalg.norm(product))
        self.assertLess(abs(K - K.T).max(), 1e-9 * abs(K).max())

    def test_without_second_derivatives_it_acts_as_a_force(self):
        apart = []  # from the same spring treated implicitly: an error of first order in h
        for steps in (40, 80):
            sim, other = (brio.Simulation(bar(energies=[{"kind": kind, "set": "tip"}]), h=0.04 / steps)
                          for kind in ("explicit-tether", "tether"))
            list(sim.steps(steps)), list(other.steps(steps))
            apart.append(np.linalg.norm(sim.positions - other.positions))
        self.assertGreater(apart[0], 1e-6)
        self.assertAlmostEqual(apart[0] / apart[1], 2, delta=0.3)

    def test_time(self):
        @brio.energy
        def shaken(x, t):
            apart = x - [0.4, np.sin(20 * t), 0.05]
            return 5.0 * np.sum(apart**2), 10.0 * apart

        sim = brio.Simulation(bar(gravity=[0, 0, 0], energies=[{"kind": "shaken", "set": "tip"}]))
        list(sim.steps(20))
        self.assertGreater(sim.energy.injected, 0)

    def test_wrong_answers_name_what_was_expected_and_the_simulation_stays_usable(self):
        answer = {}

        @brio.energy
        def odd(x):
            return answer.get("now", (0.0, np.zeros_like(x), np.zeros((3 * len(x),) * 2)))

        scene = bar(energies=[{"kind": "odd", "set": "tip"}])
        sim, same = brio.Simulation(scene), brio.Simulation(scene)
        m = len(sim.sets["tip"])
        zero = np.zeros((m, 3))
        for wrong, parts in ((1.0, ["odd", "float", "value, gradient"]), ((zero, zero), ["odd", "value", "one number"]),
                             ((0.0, zero[1:]), ["odd", "gradient", f"({m}, 3)", f"({m - 1}, 3)"]),
                             ((0.0, zero.astype(str)), ["odd", "gradient", "<U"]),
                             ((0.0, zero, np.zeros((2, 2))), ["odd", "second", f"({3 * m}, {3 * m})"]),
                             ((0.0, zero, ([0], [0, 1], [1.0])), ["odd", "sizes 1, 2, 1"]),
                             ((0.0, zero, ([0], [3 * m], [1.0])), ["odd", "outside"]), ((0.0, zero, 3), ["odd", "int"])):
            answer["now"] = wrong
            with self.subTest(parts), self.refuses(*parts):
                sim.step()
            with self.refuses(*parts):
                brio.Simulation(scene)
            del answer["now"]
        answer["now"] = (float("nan"), zero * np.nan, np.zeros((3 * m,) * 2))
        with self.assertRaises(brio.Diverged):
            sim.step()
        del answer["now"]
        list(sim.steps(3)), list(same.steps(3))
        np.testing.assert_allclose(sim.positions, same.positions, rtol=0, atol=1e-12)

    def test_a_wrong_gradient_is_noticed(self):
        @brio.energy
        def wrong_sign(x):
            return 25.0 * np.sum(x**2), -50.0 * x

        with self.assertWarns(brio.SceneWarning) as caught:
            brio.Simulation(bar(energies=[{"kind": "wrong-sign", "set": "tip"}]))
        self.assertIn("gradient", str(caught.warning))

    def test_refusals(self):
        @brio.energy
        def whole_body(x):
            return 0.0, 0 * x, np.zeros((x.size, x.size))

        fine = bar()["mesh"] | {"cells_across": 4}
        with self.refuses("whole-body", "pairs"):
            brio.Simulation(bar(mesh=fine, energies=[{"kind": "whole-body"}]))

        @brio.energy
        def lopsided(x):
            return 0.0, 0 * x, ([0], [4], [1.0])

        with self.refuses("lopsided", "symmetric"):
            brio.Simulation(bar(energies=[{"kind": "lopsided", "set": "tip"}]))

        @brio.energy(pairs=[])
        def undeclared(x):
            return 0.0, 0 * x, ([0, 4], [4, 0], [0.0, 0.0])

        with self.refuses("pairs", "0 and 1"):
            brio.Simulation(bar(energies=[{"kind": "undeclared", "set": "tip"}])).step()
        with self.refuses("harmonic"):
            brio.energy("harmonic")(lambda x: (0.0, 0 * x))


if __name__ == "__main__":
    unittest.main()
