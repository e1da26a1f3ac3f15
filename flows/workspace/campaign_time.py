"""How long a campaign would take, from what the base policy took for a few answers and a training step.

    base policy       two evaluations                                     certificate    three, on the sealed split
    each version      rollout, training until its tokens or steps are spent, evaluation; fresh rows where it may win

The range covers what is not known before: whether answers get longer or are cut later, and how many versions are close
enough to need fresh rows. Versions of a generation that train side by side share the machine's cores.
"""

from dataclasses import dataclass

from flows.workspace.checks import Check, Start, foreseen

FASTER, SLOWER = 0.7, 1.5
"""Of a machine and answers that stay as measured: larger batches are faster, longer answers slower."""


@dataclass(frozen=True)
class Measured:
    """What the base policy took on this machine."""

    attempt_seconds: float
    attempt_tokens: float
    cut: float
    """Share of the attempts that the limit of tokens cut."""
    step_seconds: float
    """Of a training step, a problem, with its rollouts."""
    step_tokens: float
    """Sampled in a training step, a problem."""


def campaign_time(start: Start, measured: Measured) -> Check:
    """Return how long the campaign would take, as a range; a warning where that is not known."""
    attempts = foreseen(start)
    if attempts is None:
        return Check("time", "warning", "how long the campaign takes is not known: there are no validation problems")
    config = start.config
    if not config.engine.train == config.engine.rollout == "torch":
        return Check("time", "warning", "how long it takes is not measured: it samples or trains by another program")
    steps = num_steps(start, measured)
    training = steps * config.sampling.problems_per_step * measured.step_seconds
    problems = config.budget.rollout_problems + config.budget.probe_problems
    sampled = problems * config.sampling.group_size * measured.attempt_seconds
    judged = attempts.version * measured.attempt_seconds
    ends = (attempts.base + attempts.certificate) * measured.attempt_seconds
    longer = 1 + measured.cut * (max(1.0, config.evaluate.max_response_tokens / max(1.0, measured.attempt_tokens)) - 1)
    low = FASTER * (ends + config.num_versions * (sampled + judged + training))
    high = SLOWER * longer * (ends + config.num_versions * (sampled + 2 * judged + training))
    version = sampled + judged + training
    text = (
        f"{shown(low)} to {shown(high)} for {config.num_versions} versions: {measured.attempt_seconds:.2g} s an "
        f"attempt, {config.sampling.problems_per_step * measured.step_seconds:.2g} s a training step, about "
        f"{steps} steps and {shown(version)} a version"
    )
    return Check("time", "ok", text)


def num_steps(start: Start, measured: Measured) -> int:
    """Return the optimiser steps of a training: it ends with the step that reaches its tokens, or at its steps."""
    budget = start.config.budget
    tokens = measured.step_tokens * start.config.sampling.problems_per_step
    return max(1, min(budget.max_steps, round(budget.train_tokens / max(1.0, tokens))))


def shown(seconds: float) -> str:
    """Return a duration as a person reads it: 40 s, 12 min, 3.5 h, 2.1 days."""
    for unit, size, most in (("s", 1, 90), ("min", 60, 5400), ("h", 3600, 172_800)):
        if seconds < most:
            return f"{seconds / size:.2g} {unit}"
    return f"{seconds / 86_400:.2g} days"
