"""The tier of the rules that cards ask for: every setting of every factor, ranked by where it moves what alarms.

    card alarms on the incumbent ─► one replayed step of each setting ─► shift towards health ─► best setting a factor

A provisional card proposes as an accepted one does: a proposal is no verdict. The first proposal that a card asks for
is tried before what backtests rank (author `lever:shift`), since nothing is known yet of what its shifts are worth.
Later ones take the place that the fitted slope gives them (backtests/card_shift.py).

A card that does not alarm asks for nothing. While the base policy leads, the run of the campaign's recipe is what
alarms (ProposalContext.reading).
"""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.agents.base import ProposalContext, SteeringCard
from evotrainer.agents.promises import controls_of, limits_of, success_of
from evotrainer.agents.rule_table import STILL
from evotrainer.agents.track_record import calibrated
from evotrainer.campaign.memory.cases import similar, track_record
from evotrainer.config.criteria import holds
from evotrainer.config.factors import factors_of
from evotrainer.config.interventions import build
from evotrainer.errors import ConfigError
from evotrainer.records import Intervention, Prediction
from evotrainer.search.base import LEVER_AUTHOR

AUTHOR, FIRST_AUTHOR = "rules", f"{LEVER_AUTHOR}shift"
MARK = "card:"
"""Begins the evidence of what a card asked for: this and the card's name."""
MIN_SHIFT = 1e-3
"""Standard deviations a step; less is no move."""
MAX_PROPOSALS = 4
PROBABILITY = {True: 0.3, False: 0.45}
"""{whether the card is provisional: credence before any evidence from this campaign}."""


def from_cards(context: ProposalContext, seen: Mapping[str, float]) -> list[Intervention]:
    """Return the best settings, one a factor, by what alarming cards see in `seen`; none where no card alarms."""
    bench = context.workbench
    alarming = [card for card in bench.cards if holds(card.alarm, seen) is True] if bench else []
    if bench is None or not alarming:
        return []
    settings = [setting for factor in context.factors.values() for setting in factor.choices(context.config)]
    moved = zip(settings, bench.shifts(settings), strict=True)
    names = {card.name for card in alarming}
    ranked = [(sum(value for name, value in shifts.items() if name in names), setting) for setting, shifts in moved]
    made: list[Intervention] = []
    for total, setting in sorted((one for one in ranked if one[0] > MIN_SHIFT), key=lambda one: -one[0]):
        taken = {one.factor for one in made}
        if len(made) < MAX_PROPOSALS and not taken & {f.name for f in factors_of(set(setting), context.factors)}:
            with contextlib.suppress(ConfigError):  # a setting that is no lawful step from this recipe
                made.append(_asked_for(context, alarming, setting, total, is_first=not made))
    return made


def abstentions(context: ProposalContext) -> list[str]:
    """Return a line for each card in force that asks for nothing, since what it measures is healthy here."""
    bench, reading = context.workbench, context.reading()
    quiet = [card for card in bench.cards if holds(card.alarm, reading) is not True] if bench else []
    return [
        f"card {card.name} asks for nothing: {card.formula} is {_number(reading, card)}, "
        f"its alarm {card.alarm.operator} {card.alarm.value:.4g}"
        for card in quiet
    ]


def _number(reading: Mapping[str, float], card: SteeringCard) -> str:
    return f"{reading[card.alarm.metric]:.4g}" if card.alarm.metric in reading else "not measured"


def _asked_for(
    context: ProposalContext, cards: Sequence[SteeringCard], setting: Mapping[str, Any], total: float, is_first: bool
) -> Intervention:
    """Return the intervention, which promises that the first card's metric returns to its bound."""
    reading, leading = context.reading(), cards[0]
    factor = "+".join(factor.name for factor in factors_of(set(setting), context.factors))
    metric = leading.alarm.metric
    back = round(leading.alarm.value - reading.get(metric, leading.alarm.value), 6)
    found = similar(
        context.memory.cases, context.config.domain.name, {card.name for card in cards}, context.report.metrics
    )
    tags = [f"{MARK}{card.name}" for card in cards]
    is_new = is_first and not any(_answers(record.intervention, tags) for record in context.records)
    changes = ", ".join(f"{key}={value}" for key, value in setting.items())
    doubt = ", a provisional card" if leading.is_provisional else ""
    return build(
        context.config,
        setting,
        author=FIRST_AUTHOR if is_new else AUTHOR,
        hypothesis=f"if {changes} then {metric} moves by {back:+.4g} because one replayed step moves it by "
        f"{total:+.4f} standard deviations towards health, beside the present recipe, and {leading.formula} alarms at "
        f"{_number(reading, leading)} {leading.alarm.operator} {leading.alarm.value:.4g} ({leading.name}{doubt})",
        prediction=Prediction(
            metric=metric,
            direction="up" if back > 0 else "down" if back < 0 else "none",
            size=back,
            low=min(0.0, 2 * back),
            high=max(0.0, 2 * back),
            probability=calibrated(
                PROBABILITY[leading.is_provisional], context.records, factor, track_record(found, factor)
            ),
        ),
        success=success_of(reading),
        limits=limits_of(metric, reading, context.report.guards),
        negative_controls=controls_of(STILL, metric, reading),
        evidence=[*(card.name for card in cards), *tags],
        triggers=[card.alarm for card in cards],
        parents=[context.incumbent],
        table=context.factors,
    )


def _answers(intervention: Intervention | None, tags: Sequence[str]) -> bool:
    return intervention is not None and bool(set(intervention.evidence) & set(tags))
