"""What several tests share."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

import brio

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BRIO_PROGRAM", str(ROOT / "build" / "brio"))


def bar(**changes):
    """A small bar that is held at one end."""
    scene = {
        "name": "bar",
        "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 2, "tets_per_cell": "6"},
        "materials": [{"law": "stable-neo-hookean", "E": 2e5, "nu": 0.4, "rho": 1000}],
        "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"},
                 "tip": {"select": "extreme", "axis": "x", "side": "max"}},
        "constraints": [{"set": "wall", "motion": "fixed"}],
        "integrator": {"name": "si", "h": 0.01},
        "steps": 20,
    }
    scene.update(changes)
    return scene


def simulate(integrator=None, **changes):
    return brio.Simulation(bar(**changes), integrator)


def python(code, *arguments):
    """Runs another Python and gives what it prints."""
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout.strip()


class Case(unittest.TestCase):
    def refuses(self, *parts):
        """A context in which brio.Error is raised whose text has all the parts."""
        case = self

        class Refusal:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, trace):
                case.assertIsNotNone(kind, f"nothing was refused; expected {parts}")
                if not issubclass(kind, brio.Error):
                    return False
                for part in parts:
                    case.assertIn(part, str(error))
                return True

        return Refusal()
