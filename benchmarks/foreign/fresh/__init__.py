"""A further blind part, made by the list of failure modes after the diagnostics: other worlds, other trainers."""

from benchmarks.foreign.fresh.faults_of_agents import AGENTS
from benchmarks.foreign.fresh.faults_of_graders import GRADERS
from benchmarks.foreign.fresh.faults_of_trainers import TRAINERS
from benchmarks.foreign.fresh.healthy import HEALTHY

FRESH = (*GRADERS, *TRAINERS, *AGENTS, *HEALTHY)
