"""The tables of brio: everything that a scene can name."""

import builtins

from . import _brio
from ._brio import Error


class Row:
    """Something that a scene can name: `name`, `summary`, and `options`, a list of dicts with key, expected, default,
    unit and doc."""

    def __init__(self, kind, title, name, summary, options):
        self.kind, self.title, self.name, self.summary, self.options = kind, title, name, summary, options
        self.__doc__ = self.text()

    def text(self):
        lines = [f"{self.name}: {self.summary}"]
        for option in self.options:
            lines.append(f"  {option['key']}: {option['expected']}, {option['default']}: {option['doc']}")
        return "\n".join(lines)

    def __repr__(self):
        return self.text()


class Rows(builtins.list):
    """Rows of a table; rows["name"] finds one by its name."""

    def __getitem__(self, key):
        if not isinstance(key, str):
            return super().__getitem__(key)
        for row in self:
            if row.name == key:
                return row
        raise Error(f"there is no {key!r}; there are {', '.join(self.names)}")

    @property
    def names(self):
        return [row.name for row in self]

    def __repr__(self):
        lines, title = [], None
        for row in self:
            if row.title != title:
                title = row.title
                lines.append(title)
            lines.append(f"  {row.name:24} {row.summary}")
        return "\n".join(lines)


def list(kind=None):
    """What a scene can name, as `brio list` shows it: brio.list("integrators"), brio.list("materials")["stvk"]."""
    sections = _brio.sections()
    kinds = builtins.list(dict.fromkeys(section[0] for section in sections))
    if kind is not None and kind not in kinds:
        raise Error(f"there is no table {kind!r}; there are {', '.join(kinds)}")
    return Rows(Row(of, title, *row) for of, title, rows in sections if kind in (None, of) for row in rows)


def summaries(kind):
    """For help(): the names of a table with a line each."""
    return "\n".join(f"        {row.name:20} {row.summary}" for row in list(kind))
