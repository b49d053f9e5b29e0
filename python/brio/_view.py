"""Arrays that look at the memory of a simulation: they follow it, keep it alive, and refuse once a cut has replaced it."""

import numpy as np

from ._brio import Error


def _refuse_stale(view):
    owner = np.ndarray.__getattribute__(view, "_owner")
    if owner is not None and owner[0]._session.generation != owner[1]:
        raise Error(f"this view of {owner[2]} is from before a cut or restore(), which changed the body; "
                    f"ask for sim.{owner[2]} again")


def _plain(value):
    """Without views, which are checked on the way."""
    if isinstance(value, View):
        _refuse_stale(value)
        return value.view(np.ndarray)
    if type(value) in (list, tuple):
        return type(value)(_plain(item) for item in value)
    return value


class View(np.ndarray):
    """An array of a simulation. What is computed from it is an ordinary array."""

    _owner = None  # (simulation, generation, name) of what looks at its memory

    @classmethod
    def of(cls, simulation, name):
        session = simulation._session
        generation = session.generation  # before the memory: another thread may make a cut between the two
        view = getattr(session, name)().view(cls)
        view._owner = (simulation, generation, name)
        return view

    def __array_finalize__(self, source):
        self._owner = source._owner if type(source) is View and self.base is not None else None  # a copy has no base

    def __getattribute__(self, name):
        if not name.startswith("_"):
            _refuse_stale(self)
        return super().__getattribute__(name)

    def __getitem__(self, key):
        _refuse_stale(self)
        part = super().__getitem__(key)
        if isinstance(part, View) and not np.may_share_memory(part.view(np.ndarray), self.view(np.ndarray)):
            return part.view(np.ndarray)  # chosen by a list or a mask, so that it is a copy
        return part

    def __setitem__(self, key, value):
        _refuse_stale(self)
        super().__setitem__(key, value)

    def __eq__(self, other):  # NumPy's own swallows what __array_ufunc__ raises
        return _plain(self) == _plain(other)

    def __ne__(self, other):
        return _plain(self) != _plain(other)

    __hash__ = None

    def __iter__(self):
        _refuse_stale(self)
        return (self[i] for i in range(len(self)))

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        inputs = [_plain(value) for value in inputs]
        if out is None:
            return getattr(ufunc, method)(*inputs, **kwargs)
        result = getattr(ufunc, method)(*inputs, out=_plain(tuple(out)), **kwargs)
        return out[0] if len(out) == 1 else result

    def __array_function__(self, function, types, args, kwargs):
        args = [_plain(value) for value in args]
        return function(*args, **{key: _plain(value) for key, value in kwargs.items()})

    def copy(self, order="C"):
        return np.array(self, order=order)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return self.copy().__reduce__()
