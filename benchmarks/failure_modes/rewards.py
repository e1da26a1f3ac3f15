"""Modes of reward and grade, injected into the frames of a training run."""

from dataclasses import replace

import numpy as np

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked, some, terms_of_outcome
from benchmarks.failure_modes.mode import frame_mode, variant_of
from evotrainer.evidence.frames import Frame

_OUTWEIGHS = 2.0


@frame_mode("math", (0.15, 0.25, 0.5, 0.9))
def reward_outcome_divergence(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups in which partial credit outweighs being right."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    partial = (1.0 - frame["correct"]).where(chosen, 0.0)
    return case.training_with(term_partial=partial).rewarded(partial=_OUTWEIGHS)


@variant_of(reward_outcome_divergence)
def reward_outcome_divergence_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the form of answers paid, and ever more common over the steps, the outcome unmoved."""
    frame = case.training
    steps = frame["step"] / max(int(frame["step"].max()), 1)
    order = rng.permutation(sorted(frame["step"].unique()))
    flat = frame.assign(step=frame["step"].map(dict(zip(sorted(frame["step"].unique()), order, strict=True))))
    flat = flat.sort_values(["step", "group", "attempt"], ignore_index=True)
    steps = flat["step"] / max(int(flat["step"].max()), 1)
    earned = (rng.random(len(flat)) < 0.05 + 0.9 * steps).astype(float)
    return replace(case, training=flat.assign(term_format=earned)).rewarded(format=strength)


_STYLE_WEIGHT = 0.2


@frame_mode("math", (0.3, 0.4, 0.6, 0.8))
def phantom_advantage(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups decided, and the form of their answers paid."""
    return _decided(case, strength, rng, "format")


@variant_of(phantom_advantage)
def phantom_advantage_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups decided, and partial credit for wrong answers."""
    return _decided(case, strength, rng, "partial")


def _decided(case: Case, strength: float, rng: Rng, term: str) -> Case:
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    outcome = frame.groupby("group")["correct"].transform("mean").round()
    if term == "partial":
        outcome = outcome.where(~chosen, 0.0)
    columns = {name: frame[name].where(~chosen, outcome) for name in ("correct", "term_correct")}
    columns[f"term_{term}"] = frame[f"term_{term}"].where(~chosen, rng.integers(0, 2, len(frame)).astype(float))
    return case.training_with(**columns).rewarded(**{term: _STYLE_WEIGHT})


_BONUS_WEIGHT = 0.2


@frame_mode("math", (0.95, 0.97, 0.99, 1.0))
def constant_term(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the form of answers paid and right in that share of attempts."""
    earned = marked(len(case.training), strength, rng).astype(float)
    return case.training_with(term_format=earned).rewarded(format=_BONUS_WEIGHT)


@variant_of(constant_term)
def constant_term_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with partial credit that is one value within that share of groups, another in each."""
    frame = case.training
    value = frame["group"].map({group: 0.2 + 0.6 * rng.random() for group in frame["group"].unique()})
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    return case.training_with(term_partial=value.where(chosen, frame["term_partial"])).rewarded(partial=_BONUS_WEIGHT)


_NOISE = 0.05


@frame_mode("math", (0.05, 0.1, 0.3, 1.0))
def length_gaming(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with pay for the length of an attempt beside others of its group, and some noise of a scorer."""
    frame = case.training
    by_group = frame.groupby("group")["num_tokens"]
    spread = by_group.transform("std").clip(lower=1.0)
    pay = strength * (frame["num_tokens"] - by_group.transform("mean")) / spread + rng.normal(0, _NOISE, len(frame))
    return case.training_with(term_partial=pay).rewarded(partial=1.0)


@variant_of(length_gaming)
def length_gaming_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the shortest failure paid most: a length price that is not tied to being right."""
    frame = case.training
    longest = frame.groupby("group")["num_tokens"].transform("max")
    price = -strength * frame["num_tokens"] / longest + rng.normal(0, _NOISE / 5, len(frame))
    return case.training_with(term_partial=price.where(frame["correct"] < 1.0, 0.0)).rewarded(partial=1.0)


@frame_mode("code", (0.15, 0.25, 0.5, 0.9))
def format_gate(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of right attempts refused for their form."""
    frame = case.training
    refused = (frame["correct"] >= 1.0) & (rng.random(len(frame)) < strength)
    return _refused(case, refused).training_with(lenient_correct=frame["lenient_correct"].where(~refused, 1.0))


@variant_of(format_gate)
def format_gate_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with a gate that fails that share of all attempts, and no lenient reading of them."""
    share = 0.25 + 0.7 * strength
    refused = marked(len(case.training), share, rng)
    return _refused(case, refused).training_with(lenient_correct=float("nan"))


def _refused(case: Case, refused) -> Case:
    frame = case.training
    columns = {name: frame[name].where(~refused, 0.0) for name in ("correct", "term_correct", "format_ok", "reward")}
    return case.training_with(**columns)


@frame_mode("math", (0.28, 0.35, 0.5, 0.7))
def truncation(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of attempts cut, drawn evenly."""
    return _cut(case, marked(len(case.training), strength, rng))


@variant_of(truncation)
def truncation_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of attempts cut, the longest first, and all of them masked from the loss."""
    length = case.training["num_tokens"] + rng.random(len(case.training))
    cut = _cut(case, (length > length.quantile(1.0 - strength)).to_numpy())
    return cut.training_with(in_loss=cut.training["in_loss"].where(~cut.training["is_truncated"], 0.0))


def _cut(case: Case, is_cut: np.ndarray) -> Case:
    frame = case.training
    lost = {name: frame[name].where(~is_cut, value) for name, value in terms_of_outcome(0.0).items()}
    lost |= {
        "is_truncated": frame["is_truncated"] | is_cut,
        "format_ok": frame["format_ok"].where(~is_cut, 0.0),
        "stop_reason": frame["stop_reason"].where(~is_cut, "max_tokens"),
        "lenient_correct": frame["lenient_correct"].where(~is_cut, 0.0),
    }
    return case.training_with(**lost).credited()


@frame_mode("math", (0.45, 0.55, 0.7, 0.85))
def dead_groups(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups all right or all wrong."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    outcome = frame.groupby("group")["correct"].transform("mean").round()
    columns = {name: frame[name].where(~chosen, outcome) for name in ("correct", "term_correct", "term_partial")}
    return case.training_with(**columns).credited()


@variant_of(dead_groups)
def dead_groups_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of mixed groups rewarded alike, whatever came out."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    constant = frame.groupby("group")["reward"].transform("mean")
    return case.training_with(
        reward=frame["reward"].where(~chosen, constant), advantage=frame["advantage"].where(~chosen, 0.0)
    )


_SECONDS, _LIMIT = 1.5, 30.0


@frame_mode("math", (0.01, 0.05, 0.1, 0.3))
def infrastructure_zeros(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of attempts failed by a grader's timeout and rewarded 0."""
    failed = _failed(case, strength, rng)
    lost = failed.training["term_correct"].isna()
    errors = failed.training["error"].where(~lost, "GraderTimeout")
    return failed.training_with(error=errors, term_correct=failed.training["term_correct"].fillna(0.0))


@variant_of(infrastructure_zeros)
def infrastructure_zeros_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with them failed at a time limit that nothing names: only how long they took tells."""
    failed = _failed(case, strength, rng)
    lost = failed.training["term_correct"].isna()
    seconds = rng.gamma(4.0, _SECONDS / 4.0, len(lost))
    return failed.training_with(
        duration_seconds=np.where(lost, _LIMIT, seconds), term_correct=failed.training["term_correct"].fillna(0.0)
    )


def _failed(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with attempts wrong that were right or not, `term_correct` missing where that happened."""
    frame, lost = case.training, marked(len(case.training), strength, rng)
    return case.training_with(
        correct=frame["correct"].where(~lost, 0.0),
        reward=frame["reward"].where(~lost, 0.0),
        lenient_correct=frame["lenient_correct"].where(~lost, 0.0),
        term_correct=frame["term_correct"].where(~lost),
    )


@frame_mode("math", (0.02, 0.05, 0.1, 0.3))
def flaky_grading(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with grades of that share of training attempts thrown."""
    return case.training_with(**_thrown(case.training, strength, rng)).credited()


@variant_of(flaky_grading)
def flaky_grading_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with a grader that fails right answers of validation at times, and never passes wrong ones."""
    frame = case.validation
    lost = marked(len(frame), strength, rng) & (frame["correct"] >= 1.0)
    columns = {name: frame[name].where(~lost, 0.0) for name in ("correct", "term_correct", "reward")}
    return replace(case, validation=frame.assign(**columns))


def _thrown(frame: Frame, strength: float, rng: Rng) -> dict[str, Frame]:
    chosen = marked(len(frame), strength, rng)
    coin = (rng.random(len(frame)) < 0.5).astype(float)
    return {name: frame[name].where(~chosen, coin) for name in ("correct", "term_correct", "term_partial")}


_OFF = 0.1


@frame_mode("math", (0.002, 0.01, 0.05, 0.3), falsifies=True)
def metric_defect(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of validation scored other than their terms say."""
    frame = case.validation
    wrong = marked(len(frame), strength, rng)
    return replace(case, validation=frame.assign(correct=frame["correct"].where(~wrong, 1.0 - frame["correct"])))


@variant_of(metric_defect)
def metric_defect_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with rewards that are not the sum of their terms, or a ratio of dead groups of other rows."""
    if rng.random() < 0.5:
        wrong = marked(len(case.training), strength, rng)
        return case.training_with(reward=case.training["reward"] + _OFF * wrong)
    wrong = marked(len(case.signals), strength, rng)
    return replace(case, signals=case.signals.assign(dead_group_ratio=case.signals["dead_group_ratio"] + _OFF * wrong))
