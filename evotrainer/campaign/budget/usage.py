"""What this process has sampled up to now: counted where episodes are played, read by whoever charges the stage."""

from dataclasses import dataclass
from functools import cache


@dataclass
class Usage:
    """Counts of one process."""

    tokens: int = 0
    trajectories: int = 0

    def sampled(self, tokens: int) -> None:
        """Count tokens that a policy wrote."""
        self.tokens += tokens

    def played(self, trajectories: int = 1) -> None:
        """Count attempts that ended."""
        self.trajectories += trajectories


@cache
def usage() -> Usage:
    """Return the counts of this process."""
    return Usage()
