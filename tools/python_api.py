"""Writes docs/python-api.md, the reference of the package, from what help() says.

PYTHONPATH=build/python python3 tools/python_api.py > docs/python-api.md
"""

import inspect

import brio


def signature(function):
    try:
        return str(inspect.signature(function))
    except (ValueError, TypeError):
        return "(…)"


def paragraphs(text):
    """A docstring with its code indented as Markdown wants it."""
    return inspect.cleandoc(text or "")


def members(cls):
    """Public ones of the class itself, methods after properties."""
    own = {name: value for name, value in vars(cls).items() if not name.startswith("_")}
    properties = {name: value for name, value in own.items() if isinstance(value, property) and name not in getattr(cls, "_fields", ())}
    methods = {name: getattr(cls, name) for name in own
               if name not in properties and name not in getattr(cls, "_fields", ()) and callable(getattr(cls, name))}
    return properties, methods


def lines():
    yield "# Python: all names"
    yield ""
    yield "Made by `tools/python_api.py` from the package's own `help()`; [python.md](python.md) shows how it is used."
    for name in sorted(brio.__all__ + ["list"], key=str.lower):
        thing = getattr(brio, name)
        yield ""
        if not isinstance(thing, type):
            yield f"## brio.{name}"
            yield ""
            yield f"`brio.{name}{signature(thing)}`"
            yield ""
            yield paragraphs(thing.__doc__)
            continue
        yield f"## class brio.{name}"
        yield ""
        if "__init__" in vars(thing) and name in ("Simulation", "Mesh"):
            yield f"`brio.{name}{signature(thing)}`"
            yield ""
        text = paragraphs(thing.__doc__)
        yield text.split("\nMethods (brio.list")[0].rstrip()  # those are in docs/scene-reference.md
        properties, methods = members(thing)
        if properties or methods:
            yield ""
        for key, value in properties.items():
            yield f"- `{key}`: {' '.join((value.__doc__ or '').split())}".rstrip(": ")
        for key, value in methods.items():
            yield f"- `{key}{signature(value).replace('(self, ', '(').replace('(self)', '()')}`: {' '.join((value.__doc__ or '').split())}".rstrip(": ")


if __name__ == "__main__":
    print("\n".join(lines()))
