"""Meshes from arrays, files and shapes, and as bodies of scenes."""

import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np

import brio
from common import Case, bar, simulate

V = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], float)
T = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])


class Meshes(Case):
    def test_volume_surface_and_files(self):
        mesh = brio.Mesh(V, T, regions=[0, 3])
        self.assertAlmostEqual(mesh.volume, 1 / 6 + 1 / 3, 14)
        self.assertEqual(mesh.surface.shape, (6, 3))
        self.assertEqual(mesh.problems, [])
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "two.msh"
            mesh.save(file)
            again = brio.Mesh.load(file)
        np.testing.assert_array_equal(again.V, mesh.V)
        np.testing.assert_array_equal(again.T, mesh.T)
        np.testing.assert_array_equal(again.regions, mesh.regions)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(mesh)).V, mesh.V)

    def test_does_not_share_the_callers_arrays(self):
        mine = V.copy()
        mesh = brio.Mesh(mine, T)
        mine[0] = 7
        np.testing.assert_array_equal(mesh.V, V)
        with self.assertRaises(ValueError):
            mesh.V[0] = 7

    def test_the_mesh_of_a_simulation_makes_the_same_simulation(self):
        sim = simulate()
        other = brio.Simulation(bar(mesh=brio.Mesh(sim.rest, sim.tets)))
        self.assertEqual(other.bodies["given"].elements, sim.bodies["bar"].elements)
        for one, two in zip(sim.steps(5), other.steps(5)):
            self.assertEqual((one.kinetic, one.elastic), (two.kinetic, two.elastic))

    def test_fills_shapes_and_surfaces(self):
        mesh = brio.mesh("bunny", vertices=1600)
        self.assertLess(abs(len(mesh.V) - 1600), 500)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "ball.obj"
            sphere = brio.Simulation(bar(mesh={"generate": "ball", "radius": 0.5, "shell": 0.1, "resolution": 6}, sets={},
                                         constraints=[]))
            with open(file, "w") as out:
                for x in sphere.rest:
                    out.write("v %r %r %r\n" % tuple(x))
                for triangle in sphere.surface + 1:
                    out.write("f %d %d %d\n" % tuple(triangle))
            ball = brio.mesh(file, size=0.15)
        self.assertAlmostEqual(ball.volume, 4 / 3 * np.pi * 0.5**3, delta=0.05)
        sim = brio.Simulation({"mesh": ball, "materials": bar()["materials"], "integrator": {"name": "si", "h": 0.01}, "steps": 1})
        sim.step()

    def test_refusals(self):
        bad = V.copy()
        bad[2, 1] = np.nan
        for arguments, parts in (((V[:, :2], T), ["V", "(n, 3)", "(5, 2)"]), ((V, T[:, :3]), ["T", "(n, 4)", "(2, 3)"]),
                                 ((V, T.astype(float)), ["T", "float64"]), ((bad, T), ["V", "nan", "[2, 1]"]),
                                 ((V, T + 1), ["tetrahedron 1", "0 to 4"]), ((V, T[:, [1, 0, 2, 3]]), ["tetrahedron 0"]),
                                 ((V, [[0, 1, 2, 2]]), ["tetrahedron 0"]), ((V, T, [0]), ["regions", "2", "1"]),
                                 ((V, np.zeros((0, 4), int)), ["tetrahedra"]), ((V, -T), []),
                                 ((V, T + 2**40), ["T", "vertices"]), (("abc", T), ["V", "<U"])):
            with self.subTest(parts), self.refuses(*parts):
                brio.Mesh(*arguments)
        with self.refuses("nosuchshape"):
            brio.mesh("nosuchshape")
        with self.refuses("nowhere.obj"):
            brio.mesh("nowhere.obj")
        with self.refuses("vertices", "size"):
            brio.mesh("bunny", vertices=500, size=0.1)
        with self.refuses("vertices", "3"):
            brio.mesh("bunny", vertices=3)
        with self.refuses("size", "-1"):
            brio.mesh("bunny", size=-1)


class Pictures(Case):
    def test_show_themselves_in_notebooks(self):
        import struct
        import unittest.mock
        for thing in (simulate(), brio.Mesh(V, T)):
            png = thing._repr_png_()
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            width, height = struct.unpack(">II", png[16:24])
            self.assertEqual((width, height), (360, 360))
            self.assertIn("<iframe srcdoc=", thing._repr_html_())
            # Where a page would be too large, or brio has none, the picture is left.
            with unittest.mock.patch.object(type(thing), "_LARGEST_PAGE", 1000):
                self.assertIsNone(thing._repr_html_())
            with unittest.mock.patch("brio._brio.has_pages", lambda: False):
                self.assertIsNone(thing._repr_html_())

    def test_a_notebook_records_by_itself(self):
        import sys
        import types
        import unittest.mock
        kernel = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=1))
        pages = []
        for modules in ({}, {"IPython": kernel}):
            with unittest.mock.patch.dict(sys.modules, modules):
                sim = simulate(output={"every": 1})
            for _ in sim.steps(10):
                pass
            pages.append(sim._repr_html_().count("&quot;time&quot;:"))
        self.assertEqual(pages[1] - pages[0], 10, "frames of ten steps more")

    def test_a_picture_shows_the_body_where_it_is(self):
        from brio._picture import picture
        import struct
        import zlib

        def pixels(V):
            png = picture(V, brio.Mesh(V, T[:1]).surface, size=64)
            at = png.index(b"IDAT")
            raw = zlib.decompress(png[at + 4:at + 4 + struct.unpack(">I", png[at - 4:at])[0]])
            return np.frombuffer(raw, np.uint8).reshape(64, 1 + 64 * 3)[:, 1:].reshape(64, 64, 3)

        drawn = (pixels(V[:4]) < 255).any(axis=2)
        self.assertGreater(drawn.mean(), 0.1)
        self.assertLess(drawn.mean(), 0.8)
        self.assertFalse(drawn[0].any())


if __name__ == "__main__":
    unittest.main()
