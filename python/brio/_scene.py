"""Scenes: what is simulated, as checked JSON."""

import json
import os
from pathlib import Path

import numpy as np

from . import _brio
from ._brio import Error


def _json_value(value):
    """What the json module does not know by itself."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "to_dict"):  # a Mesh
        return value.to_dict()
    raise Error(f"a scene cannot hold {value!r}, of type {type(value).__name__}; expected numbers, texts, lists, dicts, "
                "arrays or a brio.Mesh")


def _json_text(value, name):
    try:
        return json.dumps(value, default=_json_value, allow_nan=False)
    except Error:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise Error(f"{name}: {error}; expected what JSON can hold") from None


def integrator_values(integrator):
    """("integrator.name", value) … of "newmark", "newmark:gamma=0.6" or {"name": "newmark", "gamma": 0.6}."""
    if isinstance(integrator, str):
        name, *options = integrator.split(":")
        pairs = [option.partition("=") for option in options]
        bad = [option for option, (key, equals, _) in zip(options, pairs) if not (key and equals)]
        if bad:
            raise Error(f"integrator = {integrator!r}: expected key=value after each colon, got {bad[0]!r}")
        return [("integrator.name", json.dumps(name))] + [(f"integrator.{key}", value) for key, _, value in pairs]
    if isinstance(integrator, dict) and isinstance(integrator.get("name"), str):
        others = [(f"integrator.{key}", _json_text(value, f"integrator.{key}"))
                  for key, value in integrator.items() if key != "name"]
        return [("integrator.name", json.dumps(integrator["name"]))] + others
    raise Error(f"integrator = {integrator!r}: expected a name, or a dict with \"name\" and the method's options")


class Scene:
    """What is simulated: bodies, what holds and moves them, the method and its step. It never changes; `set` gives
    another scene. Made by Scene.load(file) or Scene.from_dict(values); docs/scene-reference.md has all keys.
    """

    def __init__(self, scene):
        if not isinstance(scene, _brio.Scene):
            raise Error("make scenes with Scene.load(file) or Scene.from_dict(values)")
        self._scene = scene

    @staticmethod
    def load(file):
        """The scene of a file, checked; all problems are in one brio.Error."""
        return Scene(_brio.load_scene(os.fspath(file), []))

    @staticmethod
    def from_dict(values, folder="."):
        """A scene from what its file would hold. Arrays and a brio.Mesh (as "mesh") may stand in it. Files that it names
        are looked for in `folder`.
        """
        if not isinstance(values, dict):
            raise Error(f"Scene.from_dict: expected a dict, got {type(values).__name__}")
        return Scene(_brio.parse_scene(_json_text(values, "scene"), str(Path(folder) / "scene"), []))

    @staticmethod
    def of(scene):
        """A scene from a Scene, a dict or the name of a file."""
        if isinstance(scene, Scene):
            return scene
        if isinstance(scene, dict):
            return Scene.from_dict(scene)
        if isinstance(scene, (str, os.PathLike)):
            return Scene.load(scene)
        raise Error(f"scene: expected a brio.Scene, a dict or a file, got {type(scene).__name__}")

    def set(self, key, value):
        """Another scene with this value: scene.set("materials[0].E", 1e6). This one stays as it is."""
        if not isinstance(key, str):
            raise Error(f"Scene.set: expected a key such as \"integrator.h\", got {key!r}")
        return self._with([(key, _json_text(value, key))])

    def with_integrator(self, integrator):
        """Another scene with this method: "siere", "newmark:gamma=0.6", or a dict with "name" and options. Options that
        both methods have in the same meaning stay."""
        return self._with(integrator_values(integrator))

    def _with(self, values):
        overrides = [f"{key}={value}" for key, value in values]
        return Scene(_brio.parse_scene(self._scene.text, self._scene.file, overrides))

    def to_dict(self):
        """What the scene's file would hold, as dicts and lists that are yours to change."""
        return json.loads(self._scene.text)

    def save(self, file):
        """Writes the scene for `brio run FILE`. Files that it names are looked for beside it."""
        Path(file).write_text(json.dumps(self.to_dict(), indent=2) + "\n", encoding="utf-8")

    @property
    def name(self):
        return self._scene.name

    @property
    def description(self):
        return self._scene.description

    @property
    def file(self):
        """Where it came from; files that it names are looked for beside that."""
        return self._scene.file

    @property
    def h(self):
        """Time step [s]."""
        return self._scene.h

    @property
    def steps(self):
        """How many steps a run of it takes."""
        return self._scene.steps

    @property
    def integrator(self):
        """The name of its method."""
        return self._scene.integrator

    def __eq__(self, other):
        return isinstance(other, Scene) and self.to_dict() == other.to_dict() and self.file == other.file

    def __hash__(self):
        return hash((self._scene.text, self._scene.file))

    def __reduce__(self):
        return _parsed, (self._scene.text, self._scene.file)

    def __repr__(self):
        return f"<brio.Scene {self.name!r}: {self.steps} steps of {self.h:g} s with {self.integrator}>"


def _parsed(text, file):
    return Scene(_brio.parse_scene(text, file, []))
