"""Where a recipe's step moves what the cards in force measure, and what that was worth so far.

A step changes the logprob of each held-out attempt. Weighted by exp(change), the attempts stand for what the policy
would sample after the step; the weighted value of a card's term minus its plain value is the term's *shift*. It is
given per standard deviation of the term's row feature, positive towards the healthy side, and relative to the present
recipe's shift. A provisional card counts as well: where a recipe would move it is no verdict.

The predicted change of score gains `slope x shift`. The slope is that of what the family's prediction left unexplained
on the shift, over trained versions, shrunk to 0 as if `PRIOR_VERSIONS` of typical size had been seen: without a record
cards change no prediction. Cards that are no term of the grammar (a moved limit, an order, a written SELECT) and
spreads within groups have no row feature, and no shift.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from evotrainer.actions import action_classifier
from evotrainer.algorithm.step_replay import StepReplay
from evotrainer.backtests.base import Replayed
from evotrainer.campaign.backtest_trust import PRIOR_VERSIONS
from evotrainer.campaign.lineage import recipe_gain
from evotrainer.config import Config
from evotrainer.config.interventions import MERGE_SIGN
from evotrainer.diagnosis.evolved.cards import Card
from evotrainer.diagnosis.evolved.grammar import Part, Term
from evotrainer.diagnosis.evolved.measure import Array, Rows, row_feature
from evotrainer.evidence.frames import frame_of_rows
from evotrainer.records import Trajectory, VersionRecord

TYPICAL_SHIFT = 0.02
"""Standard deviations that a step moves a card's feature: the size of what the prior stands for."""
MAX_CHANGE = 5.0
"""Nats at which a row's change is cut off, so that no single attempt stands for all."""


def rows_of(attempts: Sequence[Trajectory], config: Config, step: StepReplay) -> Rows:
    """Return the attempts that a step was judged on; `config` says how their actions are classified."""
    judged = [row for row in attempts if row.trajectory_id in step.row_changes]
    return Rows(frame_of_rows(judged, action_classifier(config.harness.actions)))


def card_numbers(cards: Sequence[Card], rows: Rows, before: StepReplay, after: StepReplay) -> dict[str, float]:
    """Return `shift_<card>` of each card that has one, and their sum `card_shift`; empty without such cards."""
    cards = [card for card in cards if card.term is not None and card.alarm is not None]
    if not cards or not before.row_changes:
        return {}
    shifts = {}
    for card in cards:
        moved = healthy_shift(card, rows, after.row_changes) - healthy_shift(card, rows, before.row_changes)
        if np.isfinite(moved):
            shifts[f"shift_{card.name}"] = moved
    return {**shifts, "card_shift": sum(shifts.values())} if shifts else {}


def healthy_shift(card: Card, rows: Rows, changes: Mapping[str, float]) -> float:
    """Return a card's shift towards its healthy side, in standard deviations; NaN where it cannot be told."""
    assert card.term is not None
    assert card.alarm is not None
    logs = np.array([changes[name] for name in rows.frame["trajectory_id"]])
    weights = np.exp(np.clip(logs, -MAX_CHANGE, MAX_CHANGE))
    away = 1.0 if card.alarm.operator in (">", ">=") else -1.0
    return -away * shift_of(card.term, rows, weights)


def shift_of(term: Term, rows: Rows, weights_R: Array) -> float:
    """Return how far weights move a term's value, in standard deviations of its row feature; NaN where unknown."""
    if term.statistic == "spread":
        return float("nan")
    if term.part == "difference":
        return _shift(term, rows, "correct", weights_R) - _shift(term, rows, "wrong", weights_R)
    return _shift(term, rows, term.part, weights_R)


def feature_spread(term: Term, rows: Rows) -> float:
    """Return the smallest standard deviation of a term's row feature over its parts; 0 where it has none."""
    parts: tuple[Part, ...] = ("correct", "wrong") if term.part == "difference" else (term.part,)
    found = [row_feature(term, rows, part) for part in parts]
    return min(float(feature[mask].std()) if mask.sum() > 1 else 0.0 for feature, mask in found)


def _shift(term: Term, rows: Rows, part: Part, weights_R: Array) -> float:
    """Return the shift of one part; for a ratio of sums that of its residual, which moves as the ratio does."""
    feature, mask = row_feature(term, rows, part)
    values, weights = feature[mask], weights_R[mask]
    spread = float(values.std()) if len(values) > 1 else 0.0
    if spread == 0:
        return float("nan")
    return float(((weights * values).sum() / weights.sum() - values.mean()) / spread)


def card_effect(records: Sequence[VersionRecord], parts: Sequence[Replayed]) -> dict[str, float]:
    """Return `card_shift` of a change and `card_effect`, what it adds to the predicted score; empty without cards."""
    shifts = [part.numbers["card_shift"] for part in parts if "card_shift" in part.numbers]
    if not shifts:
        return {}
    product, square, widest = 0.0, PRIOR_VERSIONS * TYPICAL_SHIFT**2, 0.0
    for record in records:
        known = record.backtest.numbers if record.backtest else {}
        observed = recipe_gain(record)
        if record.intervention is None or "card_shift" not in known or observed is None:
            continue
        if record.backtest is None or MERGE_SIGN in record.intervention.factor:
            continue
        left = observed - (record.backtest.predicted_effect - known.get("card_effect", 0.0))
        product += known["card_shift"] * left
        square += known["card_shift"] ** 2
        widest = max(widest, abs(known["card_shift"]))
    shift = sum(shifts)
    return {"card_shift": shift, "card_effect": product / square * float(np.clip(shift, -widest, widest))}
