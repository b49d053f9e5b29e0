"""A simulation at one moment."""

import zlib

from ._brio import Error


class Checkpoint:
    """A simulation at one moment. It does not change and can be pickled; sim.restore(it) or
    Simulation.from_checkpoint(it), also in another process, go on to the same bits."""

    __slots__ = ("_identity", "_bytes", "_crc", "step", "time")

    def __init__(self, identity, stored, crc, step, time):
        if zlib.crc32(stored) != crc:
            raise Error("the checkpoint is damaged")
        for key, value in zip(self.__slots__, (tuple(identity), bytes(stored), crc, step, time)):
            object.__setattr__(self, key, value)

    def __setattr__(self, key, value):
        raise AttributeError("a checkpoint does not change")

    def __reduce__(self):
        return Checkpoint, (self._identity, self._bytes, self._crc, self.step, self.time)

    def __eq__(self, other):
        return isinstance(other, Checkpoint) and self.__reduce__() == other.__reduce__()

    def __hash__(self):
        return self._crc

    def __repr__(self):
        return f"<brio.Checkpoint after step {self.step}, {self.time:g} s, {len(self._bytes)} bytes>"


def check_checkpoint(checkpoint):
    if not isinstance(checkpoint, Checkpoint):
        raise Error(f"checkpoint: expected a brio.Checkpoint, got {type(checkpoint).__name__}")
