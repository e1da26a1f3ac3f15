"""A part written blind: 30 faults of training as trainers log them, and 24 runs that only look odd.

Which kinds were kept apart at first (`kept_*`) was drawn by lot: the first 15 and 12 of `random.Random(29).sample`,
faulty kinds first, over the sorted names. Texts, programs and queries come from generators of this part alone.
"""

from benchmarks.foreign.later import (
    kept_faulty_pay,
    kept_faulty_training,
    kept_healthy,
    open_faulty_pay,
    open_faulty_training,
    open_healthy,
)
from benchmarks.foreign.later.kinds import PART

_MODULES = (kept_faulty_pay, kept_faulty_training, kept_healthy, open_faulty_pay, open_faulty_training, open_healthy)
"""The modules that enter kinds when they are imported."""

LATER = tuple(PART.kinds)
