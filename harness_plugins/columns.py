"""What the reward goes with: nothing, one reason alone, or a circumstance that should not matter.

All rewards equal, over a run or a term; a level of reward that one stop reason, error or label alone has; and the
largest association of the reward with any circumstance, by permutation within problems and outcomes.
"""

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from evotrainer.diagnosis import checks, stats
from evotrainer.diagnosis.checks import Check, above
from evotrainer.diagnosis.conditions import EXCERPT, Evidence
from evotrainer.diagnosis.reading.others import searched, terms
from evotrainer.diagnosis.reading.tools import OUTAGE
from evotrainer.evidence.rows import EXTRA_PREFIX
from evotrainer.records import Finding, Unjudged

CHECKS = (
    Check(
        "reward_outcome_divergence",
        f"pay >= {1 - checks.LOW_PAY}",
        "correct <= 0 AND error IS NULL AND pay IS NOT NULL",
        above(checks.SEVERAL),
        most="critical",
        says="{shows} of {among} attempts that are recorded as wrong are paid in full: the reward does not follow the "
        "outcome; see which term pays them",
    ),
)
Z = 4.0
"""Standard errors of a change over a run that chance does not make."""
FAILS = "a machine that fails"
STRONG = 0.15
"""Least difference of the pay, on its scale from 0 to 1, that a circumstance must make."""
SEARCH_ALPHA = 0.005
"""Chance that the strongest of all circumstances is as strong where none matters."""
CIRCUMSTANCE = re.compile(
    r"(?:^|[._/])(?:\w*_)?(?:host\w*|worker|gpu|node|rank|shard|engine|server|machine|container|pod|region|replica|"
    r"order\w*|"
    r"position|slot|batch|queue|backend|env|cluster|grader|judge|rater|judge_(?:model|position|id|name)|"
    r"seconds|latency\w*|duration\w*|started_at|hour|port|device|provider|precision|table|data_source|pair)$",
    re.IGNORECASE,
)
"""Names of what a reward should not depend on: where, when, in which place and by whom an attempt was run or judged."""
TIMES = re.compile(r"(?:^|[._/])(?:\w*_)?(?:seconds|latency\w*|duration\w*|ms)$", re.IGNORECASE)
"""Of these, how long something took: longer work may rightly be worth more or less."""


def findings(evidence: Evidence) -> Iterator[Finding | Unjudged]:
    """Yield what the reward and its terms go with."""
    yield from _equal_rewards(evidence)
    yield from _dead_terms(evidence)
    yield from _dead_problems(evidence)
    yield from _own_levels(evidence)
    yield from _weak_families(evidence)
    yield from _parting_measures(evidence)
    yield from _circumstances(evidence)


def _equal_rewards(evidence: Evidence) -> Iterator[Finding | Unjudged]:
    known = np.flatnonzero(np.isfinite(evidence.reward))
    if not len(known):
        return
    if len(known) < checks.MIN_SAME:
        yield evidence.too_few("dead_groups", known)
        return
    reward = evidence.reward[known]
    low, high = float(reward.min()), float(reward.max())
    right = evidence.is_right[known]
    numbers = {"low": low, "high": high, "rows": len(known), "right": int(right.sum())}
    if high == low:
        if high > 0 and len(known) < 100:
            message = f"all {len(known)} attempts get {high:g}: too easy to learn from, or everything is paid"
            yield evidence.finding("dead_groups", "info", message, numbers, known)
            return
        cause = "everything is paid" if high > 0 else "nothing is ever paid"
        seen = f"; {right.sum()} of them give their gold answer" if right.any() and high <= 0 else ""
        message = (
            f"all {len(known)} attempts at {evidence.num_problems(known)} problems get {high:g}: {cause}, nothing can "
            f"be learned{seen}; grade an answer that is surely {'wrong' if high > 0 else 'right'}"
        )
        yield evidence.finding("dead_groups", "warning", message, numbers, known)


def _dead_terms(evidence: Evidence) -> Iterator[Finding]:
    names = terms(evidence.conditions)
    for name in names:
        values = evidence.numbers(name)
        known = np.flatnonzero(np.isfinite(values))
        if len(known) < checks.MIN_SAME or len(names) < 2 or np.ptp(values[known]) > 0:
            continue
        if np.array_equal(values[known], evidence.reward[known]):
            continue
        severity = "warning" if values[known[0]] == 0 else "info"
        message = (
            f"the reward term {name.removeprefix('term_')} is {values[known[0]]:g} in all {len(known)} attempts: it is "
            "dead, see how it is computed and what it is given"
        )
        yield evidence.finding("constant_term", severity, message, {"rows": len(known)}, known)


def _dead_problems(evidence: Evidence) -> Iterator[Finding]:
    """Find problems that nobody ever solves where others are solved as a rule: their statements may lack something."""
    known = np.flatnonzero(np.isfinite(evidence.pay))
    if not len(known):
        return
    codes, places = np.unique(evidence.problem[known], return_inverse=True)
    size, paid = np.bincount(places), np.bincount(places, evidence.pay[known] > checks.LOW_PAY)
    tried = size >= checks.MIN_SAME
    if tried.sum() <= checks.CRITICAL_PROBLEMS:
        return
    usual = paid[tried & (paid > 0)].sum() / max(size[tried & (paid > 0)].sum(), 1)
    dead = tried & (paid == 0) & ((1 - usual) ** size < checks.ALPHA / len(codes))
    if dead.sum() < 2 or usual < 1 - checks.EFFECT:
        return
    rows = known[dead[places]]
    message = (
        f"{dead.sum()} of {tried.sum()} problems are never solved in {size[dead].sum()} attempts, others in "
        f"{usual:.0%}: read their statements for what is missing, and grade their gold answers"
    )
    yield evidence.finding("stuck_problems", "warning", message, {"dead": dead.sum(), "tried": tried.sum()}, rows)


def _own_levels(evidence: Evidence) -> Iterator[Finding]:
    """Find a value of reward that one label of failure always has: a placeholder, not a grade."""
    reward = evidence.reward
    if len(np.unique(reward[np.isfinite(reward)])) < 2:
        return
    columns = {name: evidence.texts(name) for name in ("stop_reason", "error")}
    columns |= _failures(evidence)
    in_loss = evidence.numbers("in_loss") != 0
    seen = np.zeros(evidence.num_rows, bool)
    for name, values in columns.items():
        failed = {
            label
            for label in set(values)
            if label and (label == FAILS or _OUT.search(str(label)) or _CUT.search(str(label)))
        }
        for label in sorted(failed, key=str):
            here = (values == label) & np.isfinite(reward)
            others = reward[~here & np.isfinite(reward)]
            own = np.unique(reward[here])
            if here.sum() < checks.MIN_SAME or len(own) != 1 or here.mean() > checks.HALF or len(np.unique(others)) < 2:
                continue
            is_cut, is_lone = bool(_CUT.search(str(label))), float((others == own[0]).mean()) < checks.TOLERATED
            if (
                (is_cut and not is_lone)
                or (here & seen).sum() > checks.HALF * here.sum()
                or (here & in_loss).mean() < checks.EFFECT * here.mean()
            ):
                continue
            seen |= here
            what = "no other attempt does: " if is_lone else ""
            message = (
                f"all {here.sum()} attempts with {name.removeprefix('x.')} = {str(label)[:EXCERPT]} get "
                f"exactly {own[0]:g}, {what}others {others.mean():.3g} on average. That is a placeholder and no grade; "
                "leave these attempts out of baseline and loss"
            )
            mode = "truncation" if is_cut else "infrastructure_zeros"
            yield evidence.finding(
                mode, "warning", message, {"rows": here.sum(), "reward": own[0]}, np.flatnonzero(here)
            )


def _failures(evidence: Evidence) -> dict[str, np.ndarray]:
    """Return text columns of other systems, what a machine that fails says in them as one label."""
    found = {}
    for name in evidence.table.column_names:
        column = evidence.table[name]
        if name.startswith(EXTRA_PREFIX) and pa.types.is_string(column.type) and evidence.conditions.is_known(name):
            texts = evidence.texts(name)
            labels = {
                text: FAILS if _OUT.search(text[:EXCERPT]) else text[:EXCERPT]
                for text in set(texts)
                if text and text[0] not in "[{"
            }
            found[name] = np.array([*(labels.get(text) for text in texts), None], object)[:-1]
    return found


_OUT = re.compile(
    OUTAGE.removeprefix("(?i)") + "|judge_failed|parse.?(?:error|fail)|no_verdict|fallback", re.IGNORECASE
)
_CUT = re.compile(r"(?i)length|max_|trunc|cut")


def _weak_families(evidence: Evidence) -> Iterator[Finding]:
    """Find labels of problems at which nobody is ever paid, where others are as a rule."""
    known = np.isfinite(evidence.pay)
    for name, values in searched(evidence.conditions).items():
        if values.dtype != object or CIRCUMSTANCE.search(name):
            continue
        for label in sorted({value for value in values if value}, key=str):
            here = np.flatnonzero((values == label) & known)
            others = evidence.pay[(values != label) & known]
            if (
                len(here) < checks.FEW
                or evidence.num_problems(here) < checks.CRITICAL_PROBLEMS
                or len(others) < len(here)
            ):
                continue
            usual = float((others > checks.LOW_PAY).mean()) if len(others) else 0.0
            if usual < checks.HALF or (evidence.pay[here] > checks.LOW_PAY).any() or _follows(evidence, values, known):
                continue
            message = (
                f"none of {len(here)} attempts at {evidence.num_problems(here)} problems with "
                f"{name.removeprefix('x.')} = "
                f"{str(label)[:EXCERPT]} is ever paid, others in {usual:.0%}: grade a right answer of this kind by hand"
            )
            yield evidence.finding("weak_family", "warning", message, {"rows": len(here), "usual": usual}, here)
            return


def _follows(evidence: Evidence, values: np.ndarray, known: np.ndarray) -> bool:
    """Tell whether a label differs among attempts at one problem: it then says what an attempt did."""
    pairs = {(code, value) for code, value in zip(evidence.problem[known], values[known], strict=True)}
    return len(pairs) > (1 + checks.EFFECT) * len(np.unique(evidence.problem[known]))


def _parting_measures(evidence: Evidence) -> Iterator[Finding]:
    """Find a measure of success that falls over the run while the reward rises."""
    columns = {name: values for name, values in searched(evidence.conditions).items() if values.dtype != object}
    columns |= {name: evidence.numbers(name) for name in (*terms(evidence.conditions), "correct")}
    if (thirds := stats.thirds(evidence.step)) is None:
        return
    early, late = thirds
    paid = _rise(evidence.pay, early, late)
    if paid is None or paid[0] < checks.EFFECT or paid[1] < Z:
        return
    for name, values in columns.items():
        known = values[np.isfinite(values)]
        if len(known) < checks.FEW or known.min() < 0 or known.max() > 1 or len(np.unique(known)) < 2:
            continue
        moved = _rise(values, early, late)
        first = early & np.isfinite(values) & np.isfinite(evidence.pay)
        if moved is None or moved[0] > -checks.EFFECT or moved[1] > -Z or first.sum() < checks.FEW:
            continue
        goes_with = np.corrcoef(values[first], evidence.pay[first])[0, 1] if values[first].std() > 0 else 0.0
        if not goes_with > checks.MANY:
            continue
        message = (
            f"{name.removeprefix('x.')} falls by {-moved[0]:.2f} over the run while the reward rises by {paid[0]:.2f} "
            f"of its range, though both went together at first ({goes_with:.2f}): the policy learns what pays beside it"
        )
        rows = np.flatnonzero(late & (values == known.min()) & (evidence.pay >= checks.HALF))
        yield evidence.finding("reward_outcome_divergence", "critical", message, {"falls": -moved[0]}, rows)
        return


def _rise(values: np.ndarray, early: np.ndarray, late: np.ndarray) -> tuple[float, float] | None:
    """Return the difference of late and early means, and the same in standard errors."""
    first, last = (values[part & np.isfinite(values)] for part in (early, late))
    if min(len(first), len(last)) < checks.FEW:
        return None
    error = float(np.sqrt(first.var() / len(first) + last.var() / len(last)))
    difference = float(last.mean() - first.mean())
    return difference, difference / max(error, stats.TINY)


def _circumstances(evidence: Evidence) -> Iterator[Finding]:
    """Search all circumstances for the one that the reward goes with, given problem and right answer."""
    found = {name: values for name, values in searched(evidence.conditions).items() if CIRCUMSTANCE.search(name)}
    columns = {name: values for name, values in found.items() if _varies(values)}
    if not columns or np.isfinite(evidence.pay).sum() < checks.FEW:
        return
    right = evidence.is_right
    given = evidence.problem * 2 + right
    if np.bincount(np.unique(given, return_inverse=True)[1]).mean() < 1.5:  # most are alone in their stratum
        if not right.any():
            return
        given = right.astype(np.int64)
    for one in stats.depends(evidence.pay, columns, given)[: checks.CRITICAL_PROBLEMS]:
        if one.p > SEARCH_ALPHA or abs(one.difference) < STRONG or TIMES.search(one.column):
            continue
        values = columns[one.column]
        here = values == one.level if one.level else values > np.nanmedian(values)
        label = f"{one.column.removeprefix('x.')}" + (
            f" = {one.level[:EXCERPT]}" if one.level else " in its upper half"
        )
        message = (
            f"attempts with {label} are paid {one.difference:+.2f} of the reward's range against others at the same "
            f"problem with equally right answers ({here.sum()} attempts): the reward depends on a circumstance; grade "
            "the same answer under both"
        )
        numbers = {"difference": one.difference, "p": one.p, "z": one.z, "rows": int(here.sum())}
        severity = "critical" if right.any() else "warning"
        yield evidence.finding("reward_bias", severity, message, numbers, np.flatnonzero(here))
        return


def _varies(values: np.ndarray) -> bool:
    if values.dtype == object:
        return len({value for value in values if value is not None}) > 1
    return len(np.unique(values[np.isfinite(values)])) > 1
