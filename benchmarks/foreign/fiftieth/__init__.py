"""The fiftieth part: agents of start-ups, in shops, ledgers, calendars, browsers, servers and repositories."""

from benchmarks.foreign.fiftieth import (  # noqa: F401
    faults_agents,
    faults_data,
    faults_graders,
    faults_sampling,
    faults_tools,
    faults_trainer,
    healthy_data,
    healthy_trainer,
)
from benchmarks.foreign.fiftieth.kinds import PART

FIFTIETH = tuple(PART.kinds)
