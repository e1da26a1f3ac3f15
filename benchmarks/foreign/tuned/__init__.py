"""The tuned part: kinds on which the diagnostics of foreign rows were adjusted."""

from benchmarks.foreign.tuned.faults import FAULTS
from benchmarks.foreign.tuned.healthy import HEALTHY

TUNED = (*FAULTS, *HEALTHY)
