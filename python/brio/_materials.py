"""Laws in principal stretches, written in Python. Their derivatives are computed with them: a Jet carries a number, its
first and its second derivatives by the three stretches through whatever the law computes."""

import functools
import inspect
import warnings

import numpy as np

from . import _brio
from ._brio import Error
from ._errors import SceneWarning

_UNARY = {  # first and second derivative
    np.negative: (lambda u: -np.ones_like(u), np.zeros_like),
    np.positive: (np.ones_like, np.zeros_like),
    np.absolute: (np.sign, np.zeros_like),
    np.square: (lambda u: 2 * u, lambda u: 2 * np.ones_like(u)),
    np.reciprocal: (lambda u: -1 / u**2, lambda u: 2 / u**3),
    np.sqrt: (lambda u: 0.5 / np.sqrt(u), lambda u: -0.25 / (u * np.sqrt(u))),
    np.exp: (np.exp, np.exp),
    np.expm1: (np.exp, np.exp),
    np.log: (lambda u: 1 / u, lambda u: -1 / u**2),
    np.log1p: (lambda u: 1 / (1 + u), lambda u: -1 / (1 + u) ** 2),
    np.sin: (np.cos, lambda u: -np.sin(u)),
    np.cos: (lambda u: -np.sin(u), lambda u: -np.cos(u)),
    np.sinh: (np.cosh, np.sinh),
    np.cosh: (np.sinh, np.cosh),
    np.tanh: (lambda u: 1 / np.cosh(u) ** 2, lambda u: -2 * np.tanh(u) / np.cosh(u) ** 2),
    np.arctan: (lambda u: 1 / (1 + u**2), lambda u: -2 * u / (1 + u**2) ** 2),
}
_COMPARISONS = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.isfinite, np.sign}


class Jet(np.lib.mixins.NDArrayOperatorsMixin):
    """Numbers v with first derivatives d[..., i] and second derivatives dd[..., i, j], as far as these are wanted: the others
    are None."""

    def __init__(self, v, d=None, dd=None):
        self.v, self.d, self.dd = v, d, dd

    def _constant(self, value):
        """The value as a Jet with as many derivatives as this one, all zero."""
        if isinstance(value, Jet):
            return value
        v = np.asarray(value, float)
        return Jet(v, None if self.d is None else np.zeros(v.shape + (3,)),
                   None if self.dd is None else np.zeros(v.shape + (3, 3)))

    def _each(self, function, other=None):
        """function(part, part of the other, how many axes of derivatives it has) of all parts that are there."""
        parts = (self.v, self.d, self.dd)
        others = (None,) * 3 if other is None else (other.v, other.d, other.dd)
        return Jet(*(None if part is None else function(part, its, axes) for axes, (part, its) in enumerate(zip(parts, others))))

    @property
    def shape(self):
        return self.v.shape

    def __len__(self):
        return len(self.v)

    def __getitem__(self, key):
        return self._each(lambda part, _, axes: part[key])

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def _chain(self, value, first, second):
        """A function of it, from the function's value and derivatives."""
        if self.d is None:
            return Jet(value)
        d = first[..., None] * self.d
        if self.dd is None:
            return Jet(value, d)
        outer = self.d[..., :, None] * self.d[..., None, :]
        return Jet(value, d, first[..., None, None] * self.dd + second[..., None, None] * outer)

    def _times(self, other):
        a, b = self, other
        if a.d is None:
            return Jet(a.v * b.v)
        d = a.d * b.v[..., None] + a.v[..., None] * b.d
        if a.dd is None:
            return Jet(a.v * b.v, d)
        cross = a.d[..., :, None] * b.d[..., None, :]
        return Jet(a.v * b.v, d,
                   a.dd * b.v[..., None, None] + a.v[..., None, None] * b.dd + cross + np.swapaxes(cross, -1, -2))

    def _scaled(self, factor):
        return self._each(lambda part, _, axes: part * factor.reshape(factor.shape + (1,) * axes))

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs.get("out") is not None:
            if ufunc is np.add and method == "reduce":
                return self.sum(kwargs.get("axis", 0))
            if ufunc is np.multiply and method == "reduce":
                return self.prod(kwargs.get("axis", 0))
            raise TypeError(f"np.{ufunc.__name__}.{method} cannot be differentiated here")
        if ufunc in _COMPARISONS:
            return ufunc(*(value.v if isinstance(value, Jet) else value for value in inputs))
        if ufunc in _UNARY:
            first, second = _UNARY[ufunc]
            return self._chain(ufunc(self.v), first(self.v), second(self.v))
        if ufunc is np.power:
            return _power(*inputs)
        if len(inputs) == 2 and ufunc in (np.multiply, np.true_divide):
            other = inputs[1] if inputs[0] is self else inputs[0]
            if not isinstance(other, Jet) and (ufunc is np.multiply or inputs[0] is self):
                factor = np.asarray(other, float)
                return self._scaled(factor if ufunc is np.multiply else 1 / factor)
        a, b = (self._constant(value) for value in inputs) if len(inputs) == 2 else (None, None)
        if ufunc is np.add:
            return a._each(lambda one, two, axes: one + two, b)
        if ufunc is np.subtract:
            return a._each(lambda one, two, axes: one - two, b)
        if ufunc is np.multiply:
            return a._times(b)
        if ufunc is np.true_divide:
            return a._times(np.reciprocal(b))
        if ufunc in (np.maximum, np.minimum):
            return _where(ufunc(a.v, b.v) == a.v, a, b)
        raise TypeError(f"np.{ufunc.__name__} is not known to @brio.material; known are +, -, *, /, **, "
                        "np.maximum, np.minimum, np.where, " + ", ".join(f"np.{f.__name__}" for f in _UNARY))

    def __array_function__(self, function, types, args, kwargs):
        if function is np.where and len(args) == 3:
            return _where(*args)
        if function in (np.sum, np.prod):
            axis = args[1] if len(args) > 1 else kwargs.get("axis")
            return (args[0].sum if function is np.sum else args[0].prod)(axis)
        raise TypeError(f"np.{function.__name__} is not known to @brio.material")

    def sum(self, axis=0):
        """Of the three stretches; without an axis that is what people mean, since the others are elements."""
        axis = 0 if axis is None else axis
        return self._each(lambda part, _, axes: part.sum(axis))

    def prod(self, axis=0):
        if axis not in (0, None):
            raise TypeError("the product of stretches is along axis 0")
        return functools.reduce(lambda a, b: a * b, self)


def _power(base, exponent):
    if isinstance(exponent, Jet):
        return np.exp(exponent * np.log(base))
    p = np.asarray(exponent, float)
    u = base.v
    return base._chain(u**p, p * u ** (p - 1) if p.any() else np.zeros_like(u),
                       p * (p - 1) * u ** (p - 2) if (p * (p - 1)).any() else np.zeros_like(u))


def _where(condition, a, b):
    jet = a if isinstance(a, Jet) else b
    c = np.asarray(condition)
    return jet._constant(a)._each(lambda one, two, axes: np.where(c.reshape(c.shape + (1,) * axes), one, two), jet._constant(b))


def _stretches(s, order):
    if order == 0:
        return Jet(s)
    d = np.zeros(s.shape + (3,))
    for i in range(3):
        d[i, :, i] = 1
    return Jet(s, d, np.zeros(s.shape + (3, 3)) if order == 2 else None)


def evaluate(psi, name, s, order):
    """psi, its three first or its nine second derivatives for the columns of s."""
    count = s.shape[1]
    stretches = _stretches(s, order)
    answer = psi(stretches)
    value = answer.v if isinstance(answer, Jet) else np.asarray(answer)
    if value.dtype.kind not in "fiu" or value.shape not in ((count,), ()):
        raise Error(f"material {name!r}: psi returned {_shown(value)} for {count} elements; expected {count} energy "
                    f"densities, from three stretches s[0], s[1], s[2] of {count} numbers each")
    answer = stretches._constant(answer)
    part = (answer.v, answer.d, answer.dd)[order]
    return np.ascontiguousarray(np.broadcast_to(part, (count,) + (3,) * order).reshape(count, -1).T)


def _shown(value):
    return f"an array of shape {value.shape}" if value.dtype.kind in "fiu" else f"dtype {value.dtype}"


def _check_law(psi, name):
    """What every isotropic law must be: a function of the stretches whatever their order, without stress at rest."""
    s = np.array([[1.0, 1.2, 0.9], [1.0, 0.8, 1.1], [1.0, 1.1, 0.7]])
    values = evaluate(psi, name, s, 0)
    for order in ([1, 2, 0], [1, 0, 2]):
        if not np.allclose(evaluate(psi, name, np.ascontiguousarray(s[order]), 0), values, rtol=1e-9, atol=0, equal_nan=True):
            raise Error(f"material {name!r}: psi changes when the stretches change places, so it is no isotropic law")
    stress = evaluate(psi, name, s, 1)[:, 0]
    stiffness = abs(evaluate(psi, name, s, 2)).max()
    if not np.isfinite(stiffness):
        raise Error(f"material {name!r}: the second derivatives of psi are not finite at or near rest")
    if abs(stress).max() > 1e-6 * stiffness:
        warnings.warn(f"material {name!r} has a stress of {stress[0]:g} Pa at rest: bodies will change their size at once",
                      SceneWarning, stacklevel=4)


_registered = {}  # name: [psi, options], which a notebook cell that is run again replaces


def options_of(function, skip):
    """Options by keyword that the function must take."""
    return [p.name for p in inspect.signature(function).parameters.values()
            if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)][skip:]


def check_options(what, options):
    for key, value in options.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
            raise Error(f"{what}: option {key} = {value!r}; expected a finite number, its default")
    return {key: float(value) for key, value in options.items()}


def material(name, **options):
    """A law of your own, by name in scenes: the energy density [J/m^3] of the principal stretches.

        @brio.material("my-law", mu=1e4, bulk=1e5)
        def psi(s, mu, bulk):
            J = s[0] * s[1] * s[2]
            return mu / 2 * (np.sum(s**2) - 3 - 2 * np.log(J)) + bulk / 2 * np.log(J) ** 2

    s[0], s[1], s[2] each stand for the numbers of several elements at once; sums and products run over the three. Stress
    and stiffness come from differentiating what psi does with them. Keywords become options of the law, with their defaults: {"law": "my-law", "mu": 2e4,
    "rho": 1000}. A law in Python is slow: for trying things. Run again, the same name takes the new function; simulations
    that exist keep theirs.
    """
    if callable(name):
        return material(name.__name__.replace("_", "-"))(name)
    if not isinstance(name, str) or not name:
        raise Error(f"material: expected a name, got {name!r}")
    options = check_options(f"material {name!r}", options)

    def register(psi):
        taken = options_of(psi, 1)
        if unknown := set(options) - set(taken):
            raise Error(f"material {name!r}: psi takes no {', '.join(sorted(unknown))}; it takes {', '.join(taken) or 'none'}")
        _check_law(lambda s: psi(s, **options), name)
        if name in _registered:
            if _registered[name][1] != options:
                raise Error(f"material {name!r}: its options were {_registered[name][1]} before; choose another name for "
                            "others")
            _registered[name][0] = psi
            return psi
        row = _registered[name] = [psi, options]

        def make(values):
            law = row[0]
            return lambda s, order: evaluate(lambda stretches: law(stretches, **values), name, s, order)

        try:
            _brio.add_material(name, (inspect.getdoc(psi) or "a law written in Python").split("\n")[0], options, make)
        except Error:
            del _registered[name]
            raise
        return psi

    return register
