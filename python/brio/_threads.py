"""How many threads brio computes with."""

import numpy as np

from . import _brio
from ._brio import Error


def set_threads(count):
    """Limits the threads of all simulations of this process from now on; 0 for all cores. Results do not depend on it."""
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 0 <= count <= 1024:
        raise Error(f"set_threads: expected a whole number from 0 to 1024, got {count!r}")
    _brio.set_threads(int(count))


def threads():
    """How many threads brio uses."""
    return _brio.threads()
