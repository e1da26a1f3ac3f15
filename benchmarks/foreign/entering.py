"""How kinds of a part are entered: a function draws the rows; its docstring says what is wrong, or only odd."""

import random
from collections.abc import Callable

import numpy as np

from benchmarks.foreign.case import Kind, Row

Make = Callable[[random.Random], list[Row]]

OUR_NAMES: dict[str, tuple[str, ...]] = {
    "dead_all_correct": ("dead_groups",),
    "dead_all_wrong": ("dead_groups",),
    "data_repetition": ("duplicate_problems",),
    "environment_bug": ("infrastructure_zeros", "infrastructure_errors"),
    "environment_leak": ("answer_reading", "history_leak"),
    "environment_not_reset": ("infrastructure_zeros", "history_leak"),
    "fabricated_observations": ("tool_fabrication",),
    "identical_samples": ("entropy_collapse", "duplicate_problems"),
    "judge_addressed": ("judge_hacking",),
    "learning_rate_schedule": ("zero_gradient",),
    "judge_default": ("infrastructure_zeros",),
    "leftover_state": ("infrastructure_zeros", "history_leak"),
    "memorisation": ("train_validation_gap", "contamination"),
    "seed_reuse": ("entropy_collapse", "duplicate_problems"),
    "stale_evaluation": ("staleness",),
    "stale_grades": ("flaky_grading", "metric_defect", "reward_outcome_divergence"),
    "stale_weights": ("staleness", "train_inference_mismatch"),
    "template_bug": ("metric_defect",),
    "tool_failure": ("tool_failures",),
    "tool_outage": ("infrastructure_zeros", "infrastructure_errors"),
    "tool_tokens_in_loss": ("loss_mask",),
    "weights_never_arrive": ("staleness", "train_inference_mismatch"),
    "wrong_labels": ("metric_defect", "reward_outcome_divergence"),
}
"""What engineers call a fault -> the modes under which the harness reports it."""


class Part:
    """The kinds of one part, in the order of their modules."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []

    def faulty(self, *modes: str) -> Callable[[Make], Make]:
        """Enter a faulty kind under its function's name; each of the modes is a fair name of the fault.

        Names that are no mode of the harness count by what it calls them.
        """

        def enter(make: Make) -> Make:
            ours = [mode for name in modes for mode in OUR_NAMES.get(name, ())]
            self.kinds.append(Kind(make.__name__, _build(make), tuple(dict.fromkeys((*modes, *ours)))))
            return make

        return enter

    def healthy(self, make: Make) -> Make:
        """Enter a healthy kind under its function's name."""
        self.kinds.append(Kind(make.__name__, _build(make)))
        return make


def _build(make: Make) -> Callable[[np.random.Generator], list[Row]]:
    return lambda rng: make(random.Random(int(rng.integers(2**62))))
