"""Meshes of tetrahedra, as arrays."""

import os
import warnings

import numpy as np

from . import _brio
from ._brio import Error
from ._checks import rows_of_three, whole_numbers
from ._errors import SceneWarning
from ._picture import Shown


class Mesh(Shown):
    """Tetrahedra: V is (n, 3) [m], T is (m, 4) vertices of each, counted from 0, with positive volume; `regions` (m,) tells
    parts with different materials apart. A mesh can stand in a scene: Scene.from_dict({"mesh": mesh, …}).
    """

    def __init__(self, V, T, regions=None):
        self.V = np.array(rows_of_three("V", V))
        self.T = np.array(whole_numbers("T", T, 4))
        self.regions = (np.zeros(len(self.T), np.int32) if regions is None
                        else np.array(whole_numbers("regions", regions, None)))
        if len(self.regions) != len(self.T):
            raise Error(f"regions: expected one for each of the {len(self.T)} tetrahedra, got {len(self.regions)}")
        for array in self._arrays:
            array.flags.writeable = False
        _brio.check_mesh(*self._arrays)

    @property
    def _arrays(self):
        return self.V, self.T, self.regions

    @staticmethod
    def load(file):
        """Tetrahedra from a file of any format of brio.list("formats")."""
        return _made(_brio.read_mesh(os.fspath(file)))

    def save(self, file):
        """The extension chooses the format."""
        _warned(_brio.save_mesh(os.fspath(file), *self._arrays))

    @property
    def surface(self):
        """(k, 3) triangles of the boundary, outward."""
        return _brio.surface_of(*self._arrays)

    @property
    def volume(self):
        """[m^3]"""
        return _brio.inspect_mesh(*self._arrays)[0]

    @property
    def area(self):
        """Of the boundary [m^2]."""
        return _brio.inspect_mesh(*self._arrays)[1]

    @property
    def problems(self):
        """What `brio info` would say against it; a list of lines."""
        return _brio.inspect_mesh(*self._arrays)[3]

    def to_dict(self):
        """The "mesh" of a scene."""
        values = {"generate": "given", "vertices": self.V.tolist(), "tets": self.T.ravel().tolist()}
        if self.regions.any():
            values["regions"] = self.regions.tolist()
        return values

    def __reduce__(self):
        return Mesh, self._arrays

    def __repr__(self):
        return f"<brio.Mesh: {len(self.V)} vertices, {len(self.T)} tetrahedra>"

    def _caption(self):
        return repr(self)[1:-1]

    def _write_page(self, folder):
        _brio.write_mesh_page(folder, *self._arrays)

    def _drawn(self):
        return self.V, self.surface, (0, 1, 0)


def _warned(messages):
    for message in messages:
        warnings.warn(message, SceneWarning, stacklevel=4)


def _made(parts):
    V, T, regions, messages = parts
    _warned(messages)
    return Mesh(V, T, regions)


def mesh(shape, vertices=None, size=None, graded=False, keep="sound"):
    """Fills a closed surface (a file), a shape file (.json) or a named shape of brio.list("shapes") with tetrahedra: about
    so many `vertices`, or edges of about `size` [m]. As `brio mesh`.
    """
    if vertices is not None and size is not None:
        raise Error("mesh: expected vertices or size, got both")
    if vertices is not None and not (isinstance(vertices, (int, np.integer)) and 20 <= vertices <= 10_000_000):
        raise Error(f"vertices: expected a whole number from 20 to 10000000, got {vertices!r}")
    if size is not None and not (np.isscalar(size) and np.isfinite(size) and size > 0):
        raise Error(f"size: expected a length above 0 m, got {size!r}")
    return _made(_brio.fill_shape(os.fspath(shape), None if vertices is None else int(vertices),
                                  None if size is None else float(size), bool(graded), keep))
