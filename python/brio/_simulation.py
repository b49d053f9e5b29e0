"""A simulation that runs step by step."""

import warnings
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from . import _brio
from ._brio import Error
from ._checkpoint import Checkpoint, check_checkpoint
from ._checks import numbers, rows_of_three
from ._errors import Diverged, SceneWarning
from ._live import go_live
from ._picture import Shown, in_notebook
from ._progress import bar
from ._scene import Scene
from ._tables import summaries
from ._view import View


class Energy(NamedTuple):
    """Energies [J]: of now, and what was injected and dissipated since the start."""

    kinetic: float
    elastic: float
    gravity: float
    contact: float
    injected: float
    dissipated: float

    @property
    def potential(self):
        return self.elastic + self.gravity + self.contact

    @property
    def total(self):
        return self.kinetic + self.potential


class Triplets(NamedTuple):
    """A sparse matrix as rows, columns and values, where SciPy is not installed."""

    row: np.ndarray
    col: np.ndarray
    value: np.ndarray
    shape: tuple

    def toarray(self):
        dense = np.zeros(self.shape)
        np.add.at(dense, (self.row, self.col), self.value)
        return dense


class Body:
    """A body of a simulation: `vertices` are its numbers among all vertices, `tets` and `surface` refer to these."""

    def __init__(self, simulation, name, first, count, elements, element_name, tets, surface):
        self.name, self.elements, self.element_name = name, elements, element_name
        self.vertices = np.arange(first, first + count)
        self.tets, self.surface = tets + first, surface + first
        self._simulation, self._slice = simulation, slice(first, first + count)
        self._generation = simulation._session.generation

    def _now(self):
        """Its simulation, if the body is still what it was."""
        if self._simulation._session.generation != self._generation:
            raise Error(f"body {self.name!r} is from before a cut or restore(), which changed it; ask for sim.bodies again")
        return self._simulation

    @property
    def positions(self):
        """Of its vertices, a live view [m]."""
        return self._now().positions[self._slice]

    @property
    def velocities(self):
        """[m/s]"""
        return self._now().velocities[self._slice]

    @property
    def energy(self):
        """kinetic, potential and total [J], momentum [kg m/s] and center of mass [m], as a dict. Energies between bodies are in
        none of them. Only in scenes with "bodies"."""
        session = self._now()._session
        found = session.bodies_of(session.now())
        if self.name not in found:
            raise Error(f"{self.name!r} is the only body; ask the simulation for its energy")
        return found[self.name]

    def __repr__(self):
        return f"<brio.Body {self.name!r}: {len(self.vertices)} vertices, {self.elements} {self.element_name}>"


class _Bodies(dict):
    def __missing__(self, name):
        raise Error(f"there is no body {name!r}; there are {', '.join(map(repr, self))}")


class _Steps:
    """Steps still to take; knows how many, so that tqdm(sim.steps(200)) has an end."""

    def __init__(self, simulation, count, progress):
        self._simulation, self._count, self._progress = simulation, count, progress

    def __len__(self):
        return self._count

    def __iter__(self):
        shown = bar(self._count, self._simulation.scene.name) if self._progress else None
        try:
            for _ in range(self._count):
                yield self._simulation.step()
                if shown:
                    shown.update(1)
        finally:
            if shown:
                shown.close()


class Simulation(Shown):
    """A scene made ready to run, stepped by you.

    scene is a Scene, a dict or the name of a file; integrator is another method than the scene's, as
    "newmark:gamma=0.6" or {"name": "newmark", "gamma": 0.6}; h is another time step [s]. With record=True its page in a
    notebook has what happened since the start (300 frames at most), otherwise the moment of now; a notebook records by itself.
    """

    def __init__(self, scene, integrator=None, h=None, record=None):
        scene = Scene.of(scene)
        if integrator is not None:
            scene = scene.with_integrator(integrator)
        if h is not None:
            scene = scene.set("integrator.h", h)
        self._scene = scene
        self._session = _brio.Session(scene._scene)
        for note in self._session.notes:
            warnings.warn(note, SceneWarning, stacklevel=2)
        if in_notebook() if record is None else record:
            self._session.record()

    @staticmethod
    def from_checkpoint(checkpoint):
        """A simulation that goes on where the checkpoint was taken."""
        check_checkpoint(checkpoint)
        _, file, text, _ = checkpoint._identity
        simulation = Simulation(Scene(_brio.parse_scene(text, file, [])))
        simulation.restore(checkpoint)
        return simulation

    # -- steps

    def step(self, *, check=True):
        """One step of h; cuts that are due are made before. The GIL is released. Returns a Report; a step that fails
        raises Diverged or, with check=False, has report.status "diverged"."""
        report = self._session.step()
        if check and report.status != "ok":
            raise Diverged(report.message, report)
        return report

    def steps(self, count, progress=False):
        """Reports of so many steps, one by one: for report in sim.steps(200). Knows its length, so that
        tqdm(sim.steps(200)) works; progress=True shows a bar by itself."""
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
            raise Error(f"steps: expected a whole number of steps, got {count!r}")
        return _Steps(self, int(count), progress)

    @property
    def report(self):
        """The report of the last step that did not fail; of the start, where there was none."""
        return self._session.now()

    # -- state

    @property
    def positions(self):
        """(n, 3) read-only live view of all vertices [m]. It keeps the simulation alive, and refuses after a cut."""
        return View.of(self, "positions")

    @property
    def velocities(self):
        """(n, 3) read-only live view [m/s]."""
        return View.of(self, "velocities")

    @property
    def forces(self):
        """(n, 3) forces of your own on the vertices, zero at first [N]: sim.forces[tip] = (0, 0, -5). They act until you
        change them, and their work is booked as injected."""
        return View.of(self, "forces")

    @forces.setter
    def forces(self, value):
        forces = self._session.forces()
        if np.ndim(value) == 2 or np.asarray(value).dtype.kind not in "fiu":
            forces[:] = rows_of_three("forces", value, len(forces))
        else:
            try:
                forces[:] = value
            except ValueError:
                raise Error(f"forces: expected an array of shape ({len(forces)}, 3), one force of three numbers for all "
                            f"vertices, or 0, got shape {np.shape(value)}") from None

    def set_state(self, positions=None, velocities=None):
        """Puts all vertices elsewhere. Supported vertices stay where their motion has them. The method is told, and the
        change of energy is booked as injected or dissipated."""
        count = self._session.vertices
        self._session.set_state(None if positions is None else rows_of_three("positions", positions, count),
                                None if velocities is None else rows_of_three("velocities", velocities, count))

    def drive(self, set, velocity):
        """Moves the supported vertices of a set at this velocity [m/s] from now on, until the next call. The scene says which
        sets can be driven: {"set": "base", "motion": "driven"} among its constraints."""
        velocity = numbers("velocity", velocity, "three numbers")
        if velocity.shape != (3,):
            raise Error(f"velocity: expected three numbers, got shape {velocity.shape}")
        self._session.drive(set, *velocity.tolist())

    def checkpoint(self):
        """All that the rest of the run depends on."""
        now, stored = self._session.now(), self._session.stored()
        return Checkpoint(self._session.identity(), stored, zlib.crc32(stored), now.step, now.time)

    def restore(self, checkpoint):
        """Goes on where the checkpoint was taken, which must be of the same scene and method."""
        check_checkpoint(checkpoint)
        self._session.refuse_other(*checkpoint._identity)
        self._session.restore(checkpoint._bytes)

    def __reduce__(self):
        return Simulation.from_checkpoint, (self.checkpoint(),)

    # -- what it is

    @property
    def scene(self):
        return self._scene

    @property
    def integrator(self):
        """The name of its method."""
        return self._scene.integrator

    @property
    def time(self):
        """[s]"""
        return self._session.time

    @property
    def h(self):
        """Time step [s]."""
        return self._session.h

    @property
    def energy(self):
        now = self._session.now()
        return Energy(now.kinetic, now.elastic, now.gravity, now.contact, now.injected, now.dissipated)

    @property
    def bodies(self):
        """Body by name. The one body of a scene without "bodies" goes by the name of its mesh."""
        found = [list(values) for values in self._session.bodies()]
        if "bodies" not in (values := self._scene.to_dict()):
            found[0][0] = _mesh_name(values)
        return _Bodies((body[0], Body(self, *body)) for body in found)

    @property
    def sets(self):
        """Numbers of the vertices of each named set."""
        return _Sets(self._session.sets())

    @property
    def free(self):
        """Numbers of the vertices that no support holds, ascending: x[sim.free].ravel() are the degrees of freedom of
        stiffness(), mass(), force() and modes()."""
        return self._session.free()

    @property
    def rest(self):
        """(n, 3) positions at rest [m]."""
        return self._session.rest()

    @property
    def vertex_mass(self):
        """(n,) [kg]"""
        return self._session.mass()

    @property
    def surface(self):
        """(k, 3) triangles of all bodies, outward."""
        return self._session.triangles()

    @property
    def tets(self):
        """(m, 4) tetrahedra of all bodies; quadratic ones as eight linear ones each."""
        return self._session.tets()

    def strain(self):
        """(n,) deformation of each vertex, for colors."""
        return self._session.strain()

    # -- matrices

    def stiffness(self, psd=False):
        """K, the second derivative of the potential energy at the present state, over the free degrees of freedom [N/m];
        psd=True: projected to positive semi-definite, element by element. scipy.sparse CSR; Triplets without SciPy."""
        row, col, value = self._session.stiffness(bool(psd))
        return _sparse(row, col, value, 3 * len(self.free))

    def mass(self):
        """M, lumped, over the free degrees of freedom [kg]."""
        diagonal = np.repeat(self.vertex_mass[self.free], 3)
        places = np.arange(len(diagonal))
        return _sparse(places, places, diagonal, len(diagonal))

    def force(self):
        """Elastic forces, weight, contact, loads and your own forces on the free degrees of freedom, damping not
        included [N]."""
        return self._session.force()

    def modes(self, count):
        """(w, U): angular frequencies [rad/s], slowest first, and shapes as columns over the free degrees of freedom with
        U.T @ M @ U = 1. The rigid motions of free bodies come first, with w = 0, on top of the `count`; an unstable shape
        has a negative w, whose size is its rate of growth."""
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= 1000:
            raise Error(f"modes: expected how many, from 1 to 1000, got {count!r}")
        return self._session.modes(int(count))

    # -- for people

    def live(self, block=True, browser=True, host="127.0.0.1", port=0):
        """People take the simulation in their hands on the page of `brio live`, from where it is now; afterwards it goes on in
        Python from where they have left it, with what they changed. Waits until the page hands it back, or Ctrl-C; with
        block=False returns a Live at once, which a notebook shows. browser=False opens none."""
        return go_live(self, bool(block), bool(browser), host, port)

    def _taken_back(self):
        trouble = self._session.end_live()
        _, file, text, _ = self._session.identity()
        if text != self._scene._scene.text:
            self._scene = Scene(_brio.parse_scene(text, file, []))
        return trouble

    def __repr__(self):
        session = self._session
        return (f"<brio.Simulation {self._scene.name!r}: {session.vertices} vertices, {session.elements} "
                f"{session.element_name}, {self.integrator}, h = {self.h:g} s, t = {self.time:g} s>")

    def _caption(self):
        return f"{repr(self)[1:-1]}; {self.energy.total:.6g} J"

    def _write_page(self, folder):
        self._session.write_page(str(Path(folder) / "report.html"))

    def _drawn(self):
        return np.array(self.positions), self.surface, self._session.up()


class _Sets(dict):
    def __missing__(self, name):
        known = ", ".join(map(repr, self)) or "none; name some in the scene's \"sets\""
        raise Error(f"there is no set {name!r}; there are {known}")


def _mesh_name(values):
    mesh = values.get("mesh", {})
    for key in ("name", "generate", "springs"):
        if isinstance(mesh.get(key), str) and mesh[key] != "named":
            return mesh[key]
    for key in ("file", "surface"):
        if key in mesh:
            return Path(mesh[key]).stem
    return "body"


def _sparse(row, col, value, size):
    try:
        from scipy.sparse import coo_matrix
    except ImportError:
        warnings.warn("SciPy is not installed: matrices come as brio.Triplets", stacklevel=3)
        return Triplets(row, col, value, (size, size))
    return coo_matrix((value, (row, col)), shape=(size, size)).tocsr()


Simulation.__doc__ += "\n    Methods (brio.list(\"integrators\") has their options):\n" + summaries("integrators")
