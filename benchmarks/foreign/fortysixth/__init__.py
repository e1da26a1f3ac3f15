"""The forty-sixth part of the foreign evidence: forty-four kinds over ten formats."""

from benchmarks.foreign.fortysixth import (
    faulty_data,
    faulty_graders,
    faulty_rollouts,
    faulty_tools,
    faulty_trainer,
    healthy_agents,
    healthy_learning,
    healthy_repos,
)
from benchmarks.foreign.fortysixth.kinds import PART

__all__ = [
    "FORTYSIXTH",
    "faulty_data",
    "faulty_graders",
    "faulty_rollouts",
    "faulty_tools",
    "faulty_trainer",
    "healthy_agents",
    "healthy_learning",
    "healthy_repos",
]

FORTYSIXTH = tuple(PART.kinds)
