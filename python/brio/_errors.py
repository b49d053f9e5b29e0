"""What brio raises and warns of."""

from ._brio import Error


class Diverged(Error):
    """A step failed. The simulation is as it was before the step, unless its energy ran away, and can be used on.

    `report` is the report of the step.
    """

    def __init__(self, message, report=None):
        super().__init__(message)
        self.report = report


class SceneWarning(UserWarning):
    """Something that brio mended, left out or doubts."""
