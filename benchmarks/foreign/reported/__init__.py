"""A blind part from what engineers reported in public threads: 28 faults, and 24 runs that only look odd.

The kinds of the modules `kept_*` were kept apart from those of `open_*` at first; which is which was drawn by lot.
"""

from benchmarks.foreign.reported import (
    kept_faulty_pay,
    kept_faulty_training,
    kept_healthy,
    open_faulty_pay,
    open_faulty_training,
    open_healthy,
)
from benchmarks.foreign.reported.kinds import PART

_MODULES = (kept_faulty_pay, kept_faulty_training, kept_healthy, open_faulty_pay, open_faulty_training, open_healthy)
"""The modules that enter kinds when they are imported."""

REPORTED = tuple(PART.kinds)
