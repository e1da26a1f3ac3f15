"""The gates of one version: their error level, its side-effect limits, and rounds of fresh rows until all end.

    draw(0) ─► draw(1) ─► ... ─► promoted | futile | harmful | inconclusive

The score decides whether it goes on; once it is promoted, limits that are still open do, up to the same number of
attempts. A broken limit ends everything: such a version cannot be promoted. So does a problem that lost all of its
attempts on one arm, after they were drawn again as often as the campaign allows: the outcome is then inconclusive.

A draw that infrastructure lost may have been lost because of its answer, and what was drawn in its place cannot tell.
It counts at its worst: the candidate's as wrong, the incumbent's as right. The expected difference of a round is then
no higher than the true one, however losses depend on answers and on the arm.

Rows come from a function, so that this module knows neither engines nor files.

*Limits*: rates of attempts, each with a non-inferiority gate of its own. A limit like `truncation_rate <= 0.21` allows
a rise over the incumbent's reading at the time of the proposal. That rise is the margin: the limit *holds* once it is
shown, at the claim's own error level, that the candidate's rate exceeds the incumbent's by less. Promotion needs the
score's gate and every limit's; each is tested at the full level, because all must pass (an intersection-union test
needs no correction). Metrics that are no rate of attempts, limits without room (already reached by the incumbent) and
equalities are judged from the harness metrics, as conditions are.

*Error level*: the chance of any false promotion in a campaign, in equal shares declared up front. By Bonferroni's
inequality the shares add up to `alpha` however the claims depend on each other. Versions of one generation run side by
side: each counts the closed versions and the slots before its own, and shares are equal, so that no order matters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evotrainer.campaign.layout import version_name
from evotrainer.campaign.lineage import campaign_floor
from evotrainer.config import Config
from evotrainer.config.interventions import spell
from evotrainer.errors import EvidenceError
from evotrainer.evidence.score_table import SAMPLED_STEP, ScoreTable, concatenate, lost_share, tabulate
from evotrainer.promotion import betting
from evotrainer.promotion.checkpoint import Gate, Value, open_gate, open_limit
from evotrainer.promotion.measures import MEASURES
from evotrainer.promotion.statistics import can_drift, winners_curse
from evotrainer.records import CheckpointClaim, Condition, LimitClaim, Trajectory, VersionRecord, VersionSpec

Rows = Sequence[Trajectory]
Draw = Callable[[int], tuple[Rows, Rows]]
"""Number of a round -> rows of the candidate, rows of the incumbent."""

RATES: dict[str, Value] = {
    "truncation_rate": lambda row: float(row.is_truncated),
    "format_failure_rate": lambda row: None if row.format_ok is None else float(not row.format_ok),
}
"""Harness metrics that are a mean over attempts; None where a row does not show it."""


@dataclass(frozen=True)
class Rounds:
    """Gates that have ended, that of the score first, with what else the rounds showed."""

    gates: tuple[Gate, ...]
    candidate: ScoreTable | None
    """All fresh attempts of the candidate; None before the first round."""
    lost: tuple[float, float]
    """Shares of the fresh draws of candidate and incumbent that infrastructure lost."""

    @property
    def held(self) -> tuple[str, ...]:
        """Problems that lost all attempts of the last round on one arm, for any gate that still waited for them."""
        return tuple(sorted({problem for gate in self.gates for problem in gate.held}))


def drew_fresh_rows(record: VersionRecord) -> bool:
    """Tell whether a version tested that its checkpoint is better."""
    return record.verdict.gate is not None


def trained_fresh_seeds(record: VersionRecord) -> bool:
    """Tell whether a version tested that its recipe is better."""
    claim = record.confirmation.recipe if record.confirmation else None
    return claim is not None and bool(claim.candidate)


def share_of(
    spec: VersionSpec,
    records: Sequence[VersionRecord],
    alpha: float,
    max_claims: int,
    has_claimed: Callable[[VersionRecord], bool] = drew_fresh_rows,
) -> float:
    """Return the error level of one version's claim; raises EvidenceError beyond the declared number of claims.

    `records` are the versions closed before this one started. A version that was refused, screened out or invalid spent
    nothing, as `has_claimed` tells; of those beside it each version supposes that they do. Claims about checkpoints and
    claims about recipes have a budget each.
    """
    closed = {record.spec.version for record in records if has_claimed(record)}
    index = int(spec.version[1:])
    beside = {version_name(place) for place in range(index - spec.slot, index)}
    if len((closed | beside) - {spec.version}) >= max_claims:
        raise EvidenceError(
            f"all {max_claims} declared claims are spent: '{spec.version}' cannot be tested in this campaign; declare "
            "more before the next one"
        )
    return alpha / max_claims


def open_limits(
    conditions: Sequence[Condition],
    readings: Mapping[str, float],
    screening: Sequence[Trajectory],
    alpha: float,
    max_attempts: int,
) -> tuple[Gate, ...]:
    """Return a gate for each limit that fresh rows can judge.

    `readings` are the incumbent's metrics that the limits were set from, `screening` its stored validation rows.
    """
    gates = []
    for condition in dict.fromkeys(conditions):
        margin = _margin(condition, readings)
        if not 0.0 < margin < 1.0 or any(goodness(condition)(row) is None for row in screening if row.error is None):
            continue
        gate = open_limit(tabulate(screening, goodness(condition)), alpha, margin, max_attempts=max_attempts)
        gates.append(replace(gate, value=goodness(condition), condition=condition))
    return tuple(gates)


def goodness(condition: Condition) -> Value:
    """Return the rate of a limit's metric, turned so that more is better."""
    rate, is_upper = RATES[condition.metric], condition.operator in ("<", "<=")

    def value(row: Trajectory) -> float | None:
        found = rate(row)
        return found if found is None or not is_upper else 1.0 - found

    return value


def _margin(condition: Condition, readings: Mapping[str, float]) -> float:
    """Return the change that the limit allows; 0 where none can be named."""
    before = readings.get(condition.metric)
    if condition.metric not in RATES or before is None or condition.operator == "==":
        return 0.0
    sign = 1.0 if condition.operator in ("<", "<=") else -1.0
    return round(sign * (condition.value - before), 6)


def open_gates(
    spec: VersionSpec,
    records: Sequence[VersionRecord],
    config: Config,
    stored: Rows,
    conditions: Sequence[Condition] = (),
    readings: Mapping[str, float] | None = None,
) -> tuple[Gate, ...]:
    """Return the gates of one version, that of the score first.

    They are sized by its incumbent's stored rows and the campaign's noise floor.
    `records` are the versions closed before this one started, `config` the campaign's; `conditions` are side-effect
    limits, set from the incumbent's `readings`.
    """
    sampled = [row for row in stored if row.step == SAMPLED_STEP]
    limits, measure = config.evaluate, MEASURES[config.evaluate.measure]
    alpha = share_of(spec, records, limits.error_budget, config.num_versions + config.warm_up.stages)
    floor = campaign_floor(records)
    score = open_gate(
        measure.table(stored),
        alpha,
        min_floor=floor.value if floor else 0.0,
        max_attempts=limits.max_gate_attempts,
        can_drift=can_drift(config),
        measure=limits.measure,
    )
    # limits are rates of sampled attempts, of which a gate of greedy answers draws none: the harness metrics judge them
    judged = (
        [] if measure.is_greedy else open_limits(conditions, readings or {}, sampled, alpha, limits.max_gate_attempts)
    )
    return (score, *judged)


def run_rounds(gates: Sequence[Gate], draw: Draw) -> Rounds:
    """Draw and count rounds until no other can change the outcome."""
    tables: list[ScoreTable] = []
    drawn: tuple[list[Trajectory], list[Trajectory]] = ([], [])
    while _go_on(gates):
        rows = draw(len(tables))
        gates = [gate.after(*map(gate.measure.joined, at_worst(*rows, gate.value))) for gate in gates]
        tables.append(gates[0].measure.joined(tabulate(rows[0])))
        for kept, fresh in zip(drawn, rows, strict=True):
            kept.extend(fresh)
    return Rounds(tuple(gates), concatenate(tables) if tables else None, (lost_share(drawn[0]), lost_share(drawn[1])))


def _go_on(gates: Sequence[Gate]) -> bool:
    """Return whether another round can change the outcome."""
    score, *limits = [gate.outcome for gate in gates]
    if "harmful" in limits or any(gate.held for gate in gates):
        return False
    return score == "open" or (score == "promoted" and "open" in limits)


def claim_of(rounds: Rounds, against: str, screening: ScoreTable, confidence: float) -> CheckpointClaim:
    """Return what the verdict stores; `screening` are the candidate's rows that let it pass the screen."""
    (score, *limits), fresh = rounds.gates, rounds.candidate
    low, high = betting.confidence_sequence(score.differences, score.stakes, 1.0 - confidence)
    is_unknown = score.measure.is_greedy or (fresh is not None and fresh.ungraded)
    return CheckpointClaim(
        against=against,
        measure=next(name for name, one in MEASURES.items() if one is score.measure),
        outcome="inconclusive" if score.held else score.outcome,
        num_problems=len(screening.problem_ids),
        attempts=score.attempts,
        alpha=score.alpha,
        log_wealth=round(score.log_wealth, 9),
        estimate=score.estimate,
        low=round(low, 6),
        high=round(high, 6),
        noise_floor=round(score.min_estimate, 12),
        winners_curse=None if is_unknown or fresh is None else winners_curse(screening, fresh),
        limits=tuple(_limit_claim(gate, gate.condition) for gate in limits if gate.condition is not None),
        held=rounds.held,
        error_share=round(max(rounds.lost), 12),
    )


def at_worst(candidate: Rows, incumbent: Rows, value: Value) -> tuple[ScoreTable, ...]:
    """Return the tables of both arms, a lost draw counted as 0 for the candidate and as 1 for the incumbent.

    A problem that lost all of its attempts on one arm stays without a value.
    """
    return _table(candidate, value, 0.0), _table(incumbent, value, 1.0)


def _table(rows: Rows, value: Value, worst: float) -> ScoreTable:
    table = tabulate(rows, value)
    lost = {(row.problem_id, row.attempt) for row in rows if row.error is not None or row.extra.get("lost")}
    if not lost:
        return table
    attempts = sorted({row.attempt for row in rows})
    is_lost_NK = np.array([[(name, attempt) in lost for attempt in attempts] for name in table.problem_ids])
    is_held_N1 = np.isnan(table.values).all(axis=1, keepdims=True)
    return ScoreTable(table.problem_ids, np.where(is_lost_NK & ~is_held_N1, worst, table.values))


def _limit_claim(gate: Gate, condition: Condition) -> LimitClaim:
    sign = -1.0 if condition.operator in ("<", "<=") else 1.0
    return LimitClaim(
        condition=spell(condition),
        metric=condition.metric,
        margin=-gate.null,
        outcome=gate.outcome,
        difference=None if gate.estimate is None else sign * gate.estimate + 0.0,
    )
