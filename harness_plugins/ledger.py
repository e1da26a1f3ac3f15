"""What the trainer keeps books of: two log-probabilities of one token, versions, tokens in the loss, KL, logged series.

Each is an identity of arithmetic, or a series that no healthy run logs. Names are those of reading/others.py.
"""

import re
from collections.abc import Iterator

import numpy as np

from evotrainer.diagnosis import checks, stats
from evotrainer.diagnosis.conditions import EXCERPT, Evidence
from evotrainer.diagnosis.reading.others import DEAD, GROWTH, LATE, measure_of, measured, row_means, series
from evotrainer.diagnosis.step_numbers import step_numbers
from evotrainer.records import Finding, Unjudged

CHECKS = ()
ROUNDING = 1e-4
"""Difference of advantages that the decimals of a file explain."""
_CHECKPOINT = re.compile(r"(?:^|[._/])(?:checkpoint|ckpt|weights?_version|policy_version)(?:_path|_id)?$")
DENSE = 0.5
"""Tokens a character: English has a quarter, code and JSON a third."""
_RED: dict[str, tuple[str, tuple[str, ...], int]] = {
    "mismatch": ("train_inference_mismatch", ("sampler_logprob", "trainer_logprob"), 1),
    "lag": ("staleness", ("sampler_version",), checks.MIN_STEPS),
    "kl": ("kl_drift", ("kl",), checks.MIN_STEPS),
    "grad_norm": ("train_inference_mismatch", (), 2 * checks.MIN_STEPS),
    "clip": ("train_inference_mismatch", (), 2 * checks.MIN_STEPS),
    "entropy": ("entropy_collapse", (), 2 * checks.MIN_STEPS),
}
"""Number by step -> the mode that it is, the measures that it needs, the fewest steps."""


def findings(evidence: Evidence) -> Iterator[Finding | Unjudged]:
    """Yield what the books do not add up to."""
    found = measured(evidence.conditions)
    yield from _red_at_the_end(evidence, found)
    yield from _one_checkpoint(evidence)
    yield from _loss_tokens(evidence, found)
    yield from _loss_by_role(evidence)
    yield from _one_sided_loss(evidence)
    yield from _baseline(evidence)
    yield from _kl(evidence, found)
    yield from _stopped(evidence)


def _red_at_the_end(evidence: Evidence, found: dict[str, str]) -> Iterator[Finding]:
    """Find numbers by step that are red over most of the last third of a run; gradients far above their beginning."""
    by_step = step_numbers(evidence)
    third = max(1, len(by_step.steps) // checks.MIN_STEPS)
    for number in by_step.numbers:
        mode, needed, least = _RED.get(number.name, ("", (), 0))
        is_known = mode and all(measure in found for measure in needed) and len(by_step.steps) >= least
        if not is_known or sum(by_step.attempts) < checks.MIN_SAME:
            continue
        values = np.array(by_step.values[number.name], float)
        early, late = _middle(values[:third]), _middle(values[-third:])
        is_grown = bool(needed) or late > GROWTH * early > 0
        if np.mean(by_step.red[number.name][-third:]) <= checks.HALF or not is_grown:
            continue
        message = (
            f"{number.label} is {late:.3g} at the end of {len(by_step.steps)} steps and {early:.3g} at first "
            f"({number.meaning}{number.unit and f', {number.unit}'}): {number.advice}"
        )
        rows = np.flatnonzero(evidence.step >= by_step.steps[-third])
        yield evidence.finding(mode, "critical", message, {"early": early, "late": late}, rows)


def _middle(values: np.ndarray) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else np.nan


def _one_checkpoint(evidence: Evidence) -> Iterator[Finding]:
    """Find an evaluation over steps that names one checkpoint throughout."""
    held = evidence.is_held if evidence.is_held.any() else np.ones(evidence.num_rows, bool)
    if len(np.unique(evidence.step[held])) < LATE:
        return
    for name in evidence.table.column_names:
        if not _CHECKPOINT.search(name) or not evidence.conditions.is_known(name):
            continue
        values = set(evidence.texts(name)[held]) - {None, ""}
        if len(values) == 1:
            message = (
                f"{name.removeprefix('x.')} is {str(values.pop())[:EXCERPT]} in all {held.sum()} evaluated attempts of "
                f"{len(np.unique(evidence.step[held]))} steps: the same weights are evaluated again and again"
            )
            yield evidence.finding("staleness", "warning", message, {"rows": held.sum()}, np.flatnonzero(held))
            return


def _loss_tokens(evidence: Evidence, found: dict[str, str]) -> Iterator[Finding]:
    """Compare tokens in the loss with those that the policy wrote."""
    if "loss_tokens" not in found:
        return
    loss, written = row_means(evidence.table[found["loss_tokens"]]), evidence.numbers("num_tokens")
    replies = evidence.numbers("replies")
    known = np.flatnonzero(np.isfinite(loss) & np.isfinite(written) & (written > 0))
    if len(known) < checks.MIN_SAME:
        yield from _loss_of_replies(evidence, loss)
        return
    more = known[loss[known] > written[known] * (1 + checks.TOLERATED) + 2]
    fewer = known[(loss[known] < written[known] * (1 - checks.TOLERATED) - 2) & (loss[known] > 0)]
    if len(more) > checks.SEVERAL * len(known):
        tools = np.nanmean(replies[more] > 0) if len(more) else 0.0
        message = (
            f"in {len(more)} of {len(known)} attempts the loss holds more tokens than the policy wrote "
            f"({loss[more].sum() / written[more].sum():.2f} times; {tools:.0%} of them with replies of tools): tokens "
            "of prompt or tools are trained on; check the mask"
        )
        yield evidence.finding("loss_mask", "critical", message, {"more": len(more)}, more)
    elif len(fewer) > checks.SEVERAL * len(known):
        message = (
            f"in {len(fewer)} of {len(known)} attempts the loss holds fewer tokens than the policy wrote "
            f"({loss[fewer].sum() / written[fewer].sum():.2f} times): a part of the text is not trained on; check "
            "the mask"
        )
        yield evidence.finding("loss_mask", "warning", message, {"fewer": len(fewer)}, fewer)


def _loss_by_role(evidence: Evidence) -> Iterator[Finding]:
    """Find messages in the loss that the policy did not write, by masks of messages."""
    for name in evidence.table.column_names:
        part = name.rpartition("messages_in_loss.")[2]
        if part == name or part == "policy" or not evidence.conditions.is_known(name):
            continue
        rows = np.flatnonzero(evidence.numbers(name) > 0)
        if len(rows) > checks.SEVERAL * evidence.num_rows:
            message = (
                f"in {len(rows)} of {evidence.num_rows} attempts the loss holds messages of {part} that the policy did "
                "not write: check the mask"
            )
            yield evidence.finding("loss_mask", "critical", message, {"rows": len(rows)}, rows)


def _loss_of_replies(evidence: Evidence, loss: np.ndarray) -> Iterator[Finding]:
    """Find more tokens in the loss than the policy can have written, where its own are not counted."""
    shell = [len(one or "") for one in evidence.texts("shell")]
    own, heard = evidence.numbers("chars") + np.array(shell, float), evidence.numbers("heard_chars")
    known = np.flatnonzero(np.isfinite(loss) & np.isfinite(own) & np.isfinite(heard) & (loss > 0))
    if len(known) < checks.FEW or (heard[known] > 0).mean() < checks.HALF:
        return
    rate = float(np.median(loss[known] / np.maximum(own[known], 1.0)))
    if rate < DENSE or np.nanmedian(evidence.numbers("foreign_letters")) > checks.SEVERAL:
        return
    message = (
        f"the loss holds {rate:.2f} tokens for each character that the policy wrote ({len(known)} attempts), which no "
        "tokeniser makes of Latin text: answers of tools are trained on; check the mask"
    )
    yield evidence.finding("loss_mask", "critical", message, {"rate": rate}, known)


def _one_sided_loss(evidence: Evidence) -> Iterator[Finding]:
    """Find a loss that holds attempts of one sign of advantage alone."""
    inside, advantage = evidence.numbers("in_loss"), evidence.numbers("advantage")
    known = np.flatnonzero(np.isfinite(inside) & np.isfinite(advantage) & (np.abs(advantage) > stats.TINY))
    out = known[inside[known] == 0]
    if len(out) < checks.FEW:
        return
    signs = advantage[out] > 0
    share, usual = float(signs.mean()), float((advantage[known] > 0).mean())
    p = min(stats.tail_above(int(signs.sum()), len(out), usual), stats.tail_below(int(signs.sum()), len(out), usual))
    if p > checks.ALPHA_CRITICAL or checks.EFFECT < share < 1 - checks.EFFECT:
        return
    of_side = signs if share > checks.HALF else ~signs
    all_of_side = (advantage[known] > 0) if share > checks.HALF else (advantage[known] < 0)
    if of_side.sum() < checks.MANY * all_of_side.sum():
        return
    side = "above" if share > checks.HALF else "below"
    message = (
        f"{max(share, 1 - share):.0%} of the {len(out)} attempts that the loss leaves out are {side} the baseline "
        f"({usual:.0%} of all are above): the loss learns from one side alone; look at the filter"
    )
    yield evidence.finding("loss_mask", "critical", message, {"left_out": len(out), "share_above": share}, out)


def _baseline(evidence: Evidence) -> Iterator[Finding]:
    """Test that advantages follow from rewards: one slope and one baseline a group, over rows in the loss."""
    advantage, reward = evidence.numbers("advantage"), evidence.reward
    masked = evidence.numbers("in_loss") == 0
    known = np.flatnonzero(np.isfinite(advantage) & np.isfinite(reward) & ~masked & (evidence.texts("error") == None))  # noqa: E711
    if len(known) < checks.FEW:
        return
    codes = np.unique(evidence.group[known], return_inverse=True)[1]
    size = np.bincount(codes)
    a, r = advantage[known], reward[known]
    mean_a, mean_r = np.bincount(codes, a) / size, np.bincount(codes, r) / size
    spread_r = np.bincount(codes, (r - mean_r[codes]) ** 2)
    several = size >= 2
    live = several & (spread_r > stats.TINY)
    if live.sum() < checks.MIN_SAME:
        return
    broken = live & _is_disordered(codes, a, r)
    if broken.sum() > checks.SEVERAL * live.sum():
        rows = known[broken[codes]]
        message = (
            f"in {broken.sum()} of {live.sum()} groups the advantage is not a rising line of the reward: something "
            "else enters it, or columns of other rows; compute it again from these rewards"
        )
        yield evidence.finding("advantage_mismatch", "critical", message, {"groups": broken.sum()}, rows)
        return
    yield from _baseline_rows(evidence, known, codes, live, mean_a)


def _is_disordered(codes: np.ndarray, advantage: np.ndarray, reward: np.ndarray) -> np.ndarray:
    """Tell in which groups an attempt of less reward has more advantage than one of more reward."""
    order = np.lexsort((advantage, reward, codes))
    group, level, value = codes[order], reward[order], advantage[order]
    found = np.zeros(codes.max() + 1, bool)
    starts = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
    for start, end in zip(starts, np.r_[starts[1:], len(group)], strict=True):
        part, levels = value[start:end], level[start:end]
        breaks = np.flatnonzero(np.diff(levels) > stats.TINY) + 1
        highest = np.maximum.accumulate(part)
        found[group[start]] = any(part[at:].min() < highest[at - 1] - ROUNDING for at in breaks)
    return found


def _baseline_rows(
    evidence: Evidence, known: np.ndarray, codes: np.ndarray, live: np.ndarray, mean: np.ndarray
) -> Iterator[Finding]:
    """Find the rows that a baseline takes in: advantages centre on 0 over them."""
    advantage = evidence.numbers("advantage")
    scale = checks.SEVERAL * max(float(np.abs(advantage[known]).mean()), stats.TINY)
    groups = evidence.group[known][np.unique(codes, return_index=True)[1]]
    every = np.flatnonzero(np.isfinite(advantage) & np.isin(evidence.group, groups))
    places = np.searchsorted(groups, evidence.group[every])
    mean_all = np.bincount(places, advantage[every]) / np.bincount(places)
    off = live & (np.abs(mean) > scale)
    masked = off & (np.abs(mean_all) <= scale) & (np.bincount(places) > np.bincount(codes))
    left = np.setdiff1d(every, known)
    values = np.unique(evidence.reward[left][np.isfinite(evidence.reward[left])])
    is_placeholder = len(values) < 2 and float(np.isin(evidence.reward[known], values).mean()) < checks.SEVERAL
    if masked.sum() >= checks.CRITICAL_PROBLEMS and is_placeholder:
        message = (
            f"in {masked.sum()} groups advantages centre on 0 only together with attempts that the loss leaves out: "
            "the baseline takes in masked or ungraded attempts; compute it from the rows that are learned from"
        )
        rows = known[masked[codes]]
        yield evidence.finding("advantage_mismatch", "critical", message, {"groups": masked.sum()}, rows)
    elif off.sum() > checks.HALF * live.sum() and abs(float(advantage[known].mean())) > scale:
        sign = "above" if advantage[known].mean() > 0 else "below"
        message = (
            f"advantages do not centre on 0 in {off.sum()} of {live.sum()} groups and lie {sign} it on average "
            f"({advantage[known].mean():+.3g}): the baseline is not that of the attempts in the loss; see which rows "
            "its mean takes in"
        )
        rows = known[off[codes]]
        yield evidence.finding("advantage_mismatch", "critical", message, {"groups": off.sum()}, rows)


def _kl(evidence: Evidence, found: dict[str, str]) -> Iterator[Finding]:
    """Find a KL to the reference that is penalised and stays 0."""
    if not {"kl", "kl_coef"} <= found.keys():
        return
    kl = row_means(evidence.table[found["kl"]])
    if np.nanmax(np.abs(kl)) < stats.TINY:
        message = f"{found['kl'].removeprefix('x.')} is 0 in all rows though a penalty is set: it is never computed"
        yield evidence.finding("kl_ineffective", "warning", message, {}, _last(evidence))


def _stopped(evidence: Evidence) -> Iterator[Finding]:
    """Find a logged rate or gradient that reaches 0 within the run."""
    for name, steps, values in series(evidence.conditions, evidence.step):
        if measure_of(name) not in ("learning_rate", "grad_norm"):
            continue
        dead = values <= DEAD * np.max(values)
        tail = len(dead) - int(np.argmin(dead[::-1])) if dead[-1] and not dead.all() else len(dead)
        if tail < len(dead) and len(dead) - tail >= max(checks.MIN_STEPS, checks.EFFECT * len(dead)):
            message = (
                f"{name.removeprefix('x.')} is 0 from step {steps[tail]:g} on, {len(dead) - tail} of {len(dead)} "
                "steps: nothing is learned any more; see the schedule's total of steps"
            )
            yield evidence.finding("zero_gradient", "critical", message, {"from": steps[tail]}, _last(evidence))


def _last(evidence: Evidence) -> np.ndarray:
    return np.flatnonzero(evidence.step == np.nanmax(evidence.step))
