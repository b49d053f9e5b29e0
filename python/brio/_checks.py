"""Arrays that people pass: checked, converted, and refused with the argument's name, what was expected and what came."""

import numpy as np

from ._brio import Error


def numbers(name, value, expected):
    """As an array of doubles; whole numbers are converted, everything else is refused."""
    try:
        array = np.asarray(value)
    except ValueError as error:  # rows of different lengths
        raise Error(f"{name}: expected {expected}, got rows that make no array ({error})") from None
    if array.dtype.kind not in "fiu":
        raise Error(f"{name}: expected {expected} of numbers, got dtype {array.dtype}")
    return np.asarray(array, dtype=np.float64, order="C")


def rows_of_three(name, value, count=None):
    """(n, 3) doubles in one piece; a copy where they are not."""
    expected = f"an array of shape ({'n' if count is None else count}, 3)"
    array = numbers(name, value, expected)
    if array.ndim != 2 or array.shape[1] != 3 or (count is not None and len(array) != count):
        raise Error(f"{name}: expected {expected}, got shape {array.shape}")
    finite(name, array)
    return array


def finite(name, array):
    bad = ~np.isfinite(array)
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise Error(f"{name}: expected finite numbers, got {array[place]} at {list(place)}")


def whole_numbers(name, value, columns):
    """(n, columns) or, for columns None, (n,) of ints."""
    expected = "an array of shape (n,)" if columns is None else f"an array of shape (n, {columns})"
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise Error(f"{name}: expected whole numbers, got dtype {array.dtype}")
    if array.ndim != (1 if columns is None else 2) or (columns is not None and array.shape[1] != columns):
        raise Error(f"{name}: expected {expected}, got shape {array.shape}")
    limits = np.iinfo(np.int32)
    if array.size and (array.min() < limits.min or array.max() > limits.max):
        raise Error(f"{name}: expected numbers of vertices, got {array.max()}")
    return np.ascontiguousarray(array, dtype=np.int32)
