"""Potential energies written in Python."""

import inspect
import warnings

import numpy as np

from . import _brio
from ._brio import Error
from ._errors import SceneWarning
from ._materials import check_options, options_of

_MOST_COUPLED = 100  # vertices that may all be coupled with each other unless pairs are named


class _Function:
    """The function of an energy for one set of vertices, with everything it returns checked."""

    def __init__(self, name, function, values, count):
        self._name, self._function, self._values, self._count = name, function, values, count
        self._takes_time = "t" in inspect.signature(function).parameters

    def ask(self, x, t):
        """(value, gradient, None or the second derivatives as triplets)"""
        answer = self._function(x, t=t, **self._values) if self._takes_time else self._function(x, **self._values)
        if not isinstance(answer, tuple) or len(answer) not in (2, 3):
            raise Error(f"energy {self._name!r} returned {_shown(answer)}; expected value, gradient, and perhaps second "
                        "derivatives")
        return (self._value(answer[0]), self._gradient(answer[1]),
                self._triplets(answer[2]) if len(answer) == 3 else None)

    def _value(self, value):
        value = np.asarray(value)
        if value.size != 1 or value.dtype.kind not in "fiu":
            raise Error(f"energy {self._name!r}: the value is {_shown(value)}; expected one number [J]")
        return float(value)

    def _gradient(self, gradient):
        gradient = np.asarray(gradient)
        if gradient.dtype.kind not in "fiu" or gradient.shape not in ((self._count, 3), (3 * self._count,)):
            raise Error(f"energy {self._name!r}: the gradient is {_shown(gradient)}; expected numbers of shape "
                        f"({self._count}, 3) [N]")
        return np.ascontiguousarray(gradient, float).reshape(self._count, 3)

    def _triplets(self, second):
        size = 3 * self._count
        expected = f"expected (rows, columns, values), or a matrix of shape ({size}, {size}) [N/m]"
        if hasattr(second, "tocoo"):
            second = second.tocoo()
            if second.shape != (size, size):
                raise Error(f"energy {self._name!r}: the second derivative has shape {second.shape}; {expected}")
            second = second.row, second.col, second.data
        elif isinstance(second, np.ndarray):
            if second.shape != (size, size):
                raise Error(f"energy {self._name!r}: the second derivative is {_shown(second)}; {expected}")
            row, col = np.nonzero(second)
            second = row, col, second[row, col]
        if not isinstance(second, (tuple, list)) or len(second) != 3:
            raise Error(f"energy {self._name!r}: the second derivative is {_shown(second)}; {expected}")
        row, col, value = (np.atleast_1d(np.asarray(part)).ravel() for part in second)
        if not (len(row) == len(col) == len(value)) or (len(row) and (row.dtype.kind not in "iu" or col.dtype.kind not in "iu")):
            raise Error(f"energy {self._name!r}: rows, columns and values of the second derivative have sizes {len(row)}, "
                        f"{len(col)}, {len(value)} and dtypes {row.dtype}, {col.dtype}, {value.dtype}; {expected}")
        if len(row) and (min(row.min(), col.min()) < 0 or max(row.max(), col.max()) >= size):
            raise Error(f"energy {self._name!r}: the second derivative has an entry outside of {size} coordinates")
        return (np.ascontiguousarray(row, np.int32), np.ascontiguousarray(col, np.int32),
                np.ascontiguousarray(value, float))

    def __call__(self, x, t, hessian, psd):
        value, gradient, second = self.ask(x, t)
        if not hessian:
            return value, gradient
        if second is None:
            raise Error(f"energy {self._name!r} returned no second derivatives, though it did at rest")
        if psd and self._count <= _MOST_COUPLED:
            second = self._projected(second)
        return (value, gradient, *second)

    def _projected(self, second):
        dense = self.dense(second)
        w, U = np.linalg.eigh(dense)
        if w[0] >= 0:
            return second
        dense = (U * np.maximum(w, 0)) @ U.T
        row, col = np.nonzero(self.dense((second[0], second[1], np.ones(len(second[0])))))
        return row.astype(np.int32), col.astype(np.int32), np.ascontiguousarray(dense[row, col])

    def dense(self, second):
        matrix = np.zeros((3 * self._count,) * 2)
        np.add.at(matrix, (second[0], second[1]), second[2])
        return matrix


def _shown(value):
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    return f"{type(value).__name__}" + (f" of {len(value)}" if isinstance(value, (tuple, list)) else "")


def _check_derivatives(name, function, x0):
    """Compares the gradient with differences of the value, and the second derivatives with those of the gradient, along
    one direction a little away from rest; a mistake there costs days."""
    count = len(x0)
    direction = np.cos(np.arange(3.0 * count)).reshape(count, 3)
    size = max(np.ptp(x0, axis=0).max() if count > 1 else 0, 1e-3)
    x = x0 + 1e-3 * size * np.sin(2.0 * np.arange(3.0 * count)).reshape(count, 3)
    step = 1e-6 * size
    up, here, down = (function.ask(np.ascontiguousarray(x + s * step * direction), 0.0) for s in (1, 0, -1))
    slope, expected = np.sum(here[1] * direction), (up[0] - down[0]) / (2 * step)
    noise = 1e-9 * (abs(up[0]) + abs(down[0])) / step
    if abs(slope - expected) > 1e-3 * (abs(slope) + abs(expected)) + noise:
        warnings.warn(f"energy {name!r}: the gradient along a test direction is {slope:g}, differences of the value say "
                      f"{expected:g}; one of them is wrong", SceneWarning, stacklevel=2)
    if here[2] is None:
        return
    if count <= _MOST_COUPLED:
        dense = function.dense(here[2])
        if not np.allclose(dense, dense.T, rtol=1e-8, atol=1e-10 * max(abs(dense).max(), 1e-300)):
            raise Error(f"energy {name!r}: the second derivative is not symmetric; give both triangles")
    product = np.bincount(here[2][0], here[2][2] * direction.ravel()[here[2][1]], 3 * count)
    difference = ((up[1] - down[1]) / (2 * step)).ravel()
    if np.linalg.norm(product - difference) > 1e-3 * (np.linalg.norm(product) + np.linalg.norm(difference)):
        warnings.warn(f"energy {name!r}: the second derivative times a test direction is not what differences of the "
                      "gradient say; steps will be poor", SceneWarning, stacklevel=2)


def _pairs(name, pairs, count):
    if pairs is not None:
        pairs = np.asarray(pairs).reshape(-1, 2)
        if len(pairs) and (pairs.dtype.kind not in "iu" or pairs.min() < 0 or pairs.max() >= count):
            raise Error(f"energy {name!r}: pairs must be whole numbers of the {count} vertices of its set, counted from 0")
        return [(int(i), int(j)) for i, j in pairs if i != j]
    if count > _MOST_COUPLED:
        raise Error(f"energy {name!r} has second derivatives and acts on {count} vertices; name the pairs of vertices "
                    "that they couple, @brio.energy(pairs=[(0, 1), …]), with [] for none, or let it act on a smaller set")
    return [(i, j) for i in range(count) for j in range(i)]


_registered = {}  # name: [function, pairs, options]


def energy(name=None, *, pairs=None, **options):
    """A potential energy of your own, by name in scenes: {"kind": "tether", "set": "tip"}.

        @brio.energy(stiffness=50.0)
        def tether(x, stiffness):
            apart = x - [0, 1, 0]
            n = 3 * len(x)
            return stiffness / 2 * np.sum(apart**2), stiffness * apart, (range(n), range(n), np.full(n, stiffness))

    x is (m, 3), the vertices of the set [m]. Returned are the value [J], the gradient (m, 3) [N] and, where implicit methods
    are to know it, the second derivative (3m, 3m) as (rows, columns, values), a NumPy or a SciPy matrix; without it the force
    acts as it is at the beginning of each step or stage. `pairs` names the pairs of vertices, as places in the set, that the
    second derivative couples; all of them without. A parameter t is given the time [s]. Keywords become options of the
    energy with their defaults. The derivatives are compared with differences once for each simulation.
    """
    if callable(name):
        return energy()(name)
    if name is not None and not isinstance(name, str):
        raise Error(f"energy: expected a name, got {name!r}")
    options = check_options("energy", options)

    def register(function):
        called = name or function.__name__.replace("_", "-")
        taken = [key for key in options_of(function, 1) if key != "t"]
        if unknown := set(options) - set(taken):
            raise Error(f"energy {called!r}: the function takes no {', '.join(sorted(unknown))}; it takes "
                        f"{', '.join(taken) or 'none'}")
        if called in _registered:
            if _registered[called][2] != options:
                raise Error(f"energy {called!r}: its options were {_registered[called][2]} before; choose another name for "
                            "others")
            _registered[called][:2] = function, pairs
            return function
        row = _registered[called] = [function, pairs, options]

        def make(values, vertices, x0):
            checked = _Function(called, row[0], values, len(vertices))
            has_hessian = checked.ask(np.array(x0), 0.0)[2] is not None
            _check_derivatives(called, checked, x0)
            return checked, has_hessian, _pairs(called, row[1], len(vertices)) if has_hessian else []

        try:
            _brio.add_energy(called, (inspect.getdoc(function) or "an energy written in Python").split("\n")[0], options, make)
        except Error:
            del _registered[called]
            raise
        return function

    return register
