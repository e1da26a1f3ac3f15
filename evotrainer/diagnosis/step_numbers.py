"""At most twenty numbers a step, of attempts or of a logged series: what each means, and what to do where it is red.

A number is shown only where the rows carry its columns. It is the sum of one value over the rows of a step, divided by
the sum of their weights. Rows of held splits are left out where others exist. Red is judged by the limits of
thresholds.py, checks.py and reading/others.py; a share is red where its exact lower bound is beyond its limit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from evotrainer.diagnosis import step_series as of
from evotrainer.diagnosis.checks import EFFECT, HALF, SEVERAL
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.diagnosis.reading.others import GROWTH, LATE, NATS, terms
from evotrainer.diagnosis.reading.texts import LONG, LOOPS
from evotrainer.diagnosis.stats import TINY
from evotrainer.diagnosis.step_series import Course, Part, RowsBySteps, early
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import t_limit
from evotrainer.evidence.schema import TERM_PREFIX

MAX_NUMBERS = 20
MAX_TERMS = 4
"""Reward terms that are numbers, those that vary most."""
WINDOW = 3
"""Steps on each side of a step that a change is measured over: one step alone is noise."""
MOST_JUMP = 10.0
"""What one number adds at most to the change of a step: a constant that moves once must not outvote all others."""


@dataclass(frozen=True)
class StepNumber:
    """One number a step."""

    name: str
    unit: str
    meaning: str
    advice: str
    """What to do where it is red."""
    compute: Callable[[RowsBySteps], Part]
    red: Callable[[Course], np.ndarray]

    @property
    def label(self) -> str:
        """What a person reads: the name in words, of a reward term the term."""
        return self.name.removeprefix("reward.").replace("_", " ")


@dataclass(frozen=True)
class StepNumbers:
    """The numbers that one set of evidence carries."""

    numbers: tuple[StepNumber, ...]
    """Those shown, in the order in which a person reads them."""
    steps: list[int]
    attempts: list[int]
    """Rows of each step."""
    values: dict[str, list[float | None]]
    """By name, one entry a step."""
    red: dict[str, list[bool]]
    changed_at: int | None
    """The step at which most of the numbers changed; None where nothing moved beyond noise."""


NUMBERS = (
    StepNumber(
        "reward",
        "",
        "mean reward of an attempt",
        "read the attempts of the step beside those of the first steps; then look at the weights and the grader",
        lambda rows: rows.mean(rows.evidence.reward[rows.kept]),
        of.falls,
    ),
    StepNumber(
        "solved_always",
        "share of groups",
        "groups in which every attempt succeeds",
        "serve harder problems: these teach nothing",
        lambda rows: rows.groups(lambda low, high, size: low > HALF, "outcome"),
        of.above(LIMITS.dead_groups_critical),
    ),
    StepNumber(
        "solved_sometimes",
        "share of groups",
        "groups with a success and a failure",
        "change the mix of problems or sample more attempts: only these teach",
        lambda rows: rows.groups(lambda low, high, size: (low <= HALF) & (high > HALF), "outcome"),
        of.below(1 - LIMITS.dead_groups_critical),
    ),
    StepNumber(
        "solved_never",
        "share of groups",
        "groups in which no attempt succeeds",
        "grade an answer that is right; then serve easier problems or raise limits",
        lambda rows: rows.groups(lambda low, high, size: high <= HALF, "outcome"),
        of.above(LIMITS.dead_groups_critical),
    ),
    StepNumber(
        "no_signal",
        "share of groups",
        "groups whose attempts all get the same reward",
        "filter such groups, or change problems or reward: they give no gradient",
        lambda rows: of.first(
            rows.groups(lambda low, high, _: high - low <= TINY, "reward"), rows.logged("dead_group_ratio")
        ),
        of.above(LIMITS.dead_groups_critical),
    ),
    StepNumber(
        "length",
        "tokens, or characters",
        "what the policy wrote in an attempt",
        "length grows and the reward does not: see what longer texts hold, and whether the reward pays for length",
        of.length,
        of.lengthens,
    ),
    StepNumber(
        "cut",
        "share of attempts",
        "attempts that a limit of tokens or turns ended",
        "raise the limit, or leave cut attempts out of the loss",
        lambda rows: of.first(rows.mean(rows.column("is_truncated")), rows.logged("is_truncated")),
        of.above(LIMITS.truncation),
    ),
    StepNumber(
        "form_kept",
        "share of attempts",
        "attempts whose answer passes the format gate",
        "grade answers that fail the gate by hand: suspect the gate before the policy",
        lambda rows: rows.mean((rows.column("format_ok") > 0).astype(float), np.isfinite(rows.column("format_ok"))),
        of.below(1 - LIMITS.format_failures),
    ),
    StepNumber(
        "entropy",
        "nats a token",
        "the trainer's entropy, else the negative mean log-probability",
        "exploration ends, or the policy turns to noise: see temperature, KL, clipping and learning rate",
        lambda rows: of.first(rows.logged("entropy"), rows.mean(-rows.column("mean_logprob"))),
        of.moves(LIMITS.entropy_fall, LIMITS.entropy_rise),
    ),
    StepNumber(
        "kl",
        "nats a token",
        "distance of the policy from its reference",
        "the policy leaves its reference: check sign and weight of the penalty, and the learning rate",
        lambda rows: rows.logged("kl"),
        of.runs_away(HALF, GROWTH / 2),
    ),
    StepNumber(
        "mismatch",
        "nats a token",
        "sampler's and trainer's log-probability of the same tokens, apart",
        "compare temperature, precision, kernels and weights of sampler and trainer",
        of.mismatch,
        of.beyond(NATS),
    ),
    StepNumber(
        "ratio",
        "",
        "mean importance ratio of the update",
        "sampler and trainer use different policies: check the weight sync and updates a batch",
        lambda rows: rows.logged("mean_ratio", "ratio"),
        of.outside(LIMITS.importance_ratio),
    ),
    StepNumber(
        "clip",
        "share of tokens",
        "tokens whose ratio the loss clips",
        "updates are too large: lower the learning rate or make fewer updates a batch",
        lambda rows: rows.logged("clip_fraction"),
        of.runs_away(EFFECT),
    ),
    StepNumber(
        "grad_norm",
        "",
        "norm of the gradient",
        "at 0 nothing is learned: see groups and masks; far above its start: lower the learning rate",
        lambda rows: rows.logged("grad_norm"),
        of.gradient,
    ),
    StepNumber(
        "lag",
        "versions",
        "versions of weights that the sampler is behind the trainer",
        "weights reach the sampler late: check the sync and the queue",
        of.lag,
        of.beyond(LATE),
    ),
    StepNumber(
        "tool_errors",
        "share of replies",
        "replies of tools that failed",
        "call the tool with one of these requests by hand",
        lambda rows: rows.ratio(rows.column("failed_replies"), rows.column("replies")),
        of.above(LIMITS.failed_tool_calls),
    ),
    StepNumber(
        "outages",
        "share of attempts",
        "attempts with an error of the machine, or a reply that reports one",
        "leave these attempts out of the loss, and read the log of the sandbox or server",
        of.outages,
        of.above(LIMITS.infrastructure_errors),
    ),
    StepNumber(
        "empty",
        "share of attempts",
        "attempts in which the policy wrote nothing",
        "generation failed: look at the engine's log, and leave them out of the loss",
        lambda rows: rows.mean(rows.column("is_blank")),
        of.above(SEVERAL),
    ),
    StepNumber(
        "repeats",
        "share of long texts",
        "long texts that end in a loop of the same words",
        "look at temperature, penalties and the reward of cut texts",
        lambda rows: rows.mean((rows.column("tail_repeats") >= LOOPS).astype(float), rows.column("chars") >= LONG),
        of.above(SEVERAL),
    ),
    StepNumber(
        "tokens_per_second",
        "",
        "tokens that are sampled in a second",
        "less than half of the first steps: see lengths and the machine",
        lambda rows: of.first(
            rows.logged("tokens_per_second"), rows.ratio(rows.column("num_tokens"), rows.column("duration_seconds"))
        ),
        of.moves(HALF, np.inf),
    ),
)
"""In the order in which they are read."""


def step_numbers(evidence: Evidence, signals: pa.Table | None = None) -> StepNumbers:
    """Return the numbers of attempts or of a logged series by step.

    Args:
        evidence: rows with derived columns (tasks/diagnose/foreign.py).
        signals: a campaign's table of that name, one row an optimiser step.

    """
    rows = RowsBySteps(evidence, signals)
    num = len(rows.steps)
    found: dict[str, Course] = {}
    shown: list[StepNumber] = []
    for number in (NUMBERS[0], *_of_terms(rows), *NUMBERS[1:]):
        part = number.compute(rows)
        weights = np.bincount(rows.codes, part.weights, num)
        sums = np.bincount(rows.codes, part.values, num)
        if not weights.any() or len(shown) == MAX_NUMBERS:
            continue
        values = np.divide(sums, weights, out=np.full(num, np.nan), where=weights > 0)
        counts = np.full(num, np.inf) if part.is_logged else weights
        rewards = found["reward"].values if "reward" in found else np.full(num, np.nan)
        found[number.name] = Course(values, counts, early(values), rewards)
        shown.append(number)
    return StepNumbers(
        numbers=tuple(shown),
        steps=[int(step) for step in rows.steps],
        attempts=np.bincount(rows.codes, minlength=num).tolist(),
        values={name: [float(v) if np.isfinite(v) else None for v in one.values] for name, one in found.items()},
        red={
            one.name: (one.red(found[one.name]) & np.isfinite(found[one.name].values)).astype(bool).tolist()
            for one in shown
        },
        changed_at=_changed_at(rows.steps, [one.values for one in found.values()]),
    )


def _of_terms(rows: RowsBySteps) -> list[StepNumber]:
    """Return a number a reward term, where there is more than one."""
    names = terms(rows.evidence.conditions)
    spread = {name: float(np.nanstd(rows.column(name))) for name in names if np.isfinite(rows.column(name)).any()}
    chosen = sorted(spread, key=lambda name: -spread[name])[:MAX_TERMS] if len(spread) > 1 else []
    return [
        replace(
            NUMBERS[0],
            name=f"reward.{name.removeprefix(TERM_PREFIX)}",
            meaning=f"mean of the reward term {name.removeprefix(TERM_PREFIX)}",
            compute=lambda rows, name=name: rows.mean(rows.column(name)),
        )
        for name in names
        if name in chosen
    ]


def _changed_at(steps: np.ndarray, courses: Sequence[np.ndarray]) -> int | None:
    """Return the step with the largest sum of changes that chance makes nowhere, each in its number's own noise."""
    total = np.zeros(len(steps))
    looks = max(len(steps) * len(courses), 1)
    for values in courses:
        known = np.flatnonzero(np.isfinite(values))
        if len(known) < 2 * WINDOW or np.ptp(values[known]) == 0:
            continue
        change = np.diff(values[known])
        sums = np.r_[0.0, np.cumsum(values[known] - np.arange(len(known)) * np.median(change))]
        noise = float(np.std(np.delete(change, np.abs(change - np.median(change)).argmax()), ddof=1)) / np.sqrt(2)
        least = TINY * float(np.abs(values[known]).max())
        at = np.arange(WINDOW, len(known) - WINDOW + 1)
        jump = np.abs(sums[at + WINDOW] - 2 * sums[at] + sums[at - WINDOW]) / WINDOW
        errors = jump / max(noise * np.sqrt(2 / WINDOW), least, np.finfo(float).tiny)
        is_sure = errors > t_limit(LIMITS.trend_alpha / looks, len(change) - 1)
        total[known[at]] += np.where(is_sure, errors * min(MOST_JUMP / max(errors.max(), 1.0), 1.0), 0.0)
    return int(steps[int(total.argmax())]) if total.any() else None
