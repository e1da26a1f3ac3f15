"""The blind part: kinds made from the list of failure modes alone, before any diagnostic was read, and not tuned on."""

from benchmarks.foreign.blind.faults_of_agents import AGENTS
from benchmarks.foreign.blind.faults_of_content import CONTENT
from benchmarks.foreign.blind.faults_of_numbers import NUMBERS
from benchmarks.foreign.blind.healthy import HEALTHY

BLIND = (*AGENTS, *CONTENT, *NUMBERS, *HEALTHY)
