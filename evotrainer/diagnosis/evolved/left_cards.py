"""Cards that a campaign leaves to the memory when it ends, with the trial that each had in it."""

from collections.abc import Sequence
from dataclasses import asdict

from evotrainer.diagnosis.evolved.cards import Card, Plugin
from evotrainer.records import CardTrial, Decision, RememberedCard, Revision

AUTHOR = "memory:"
"""Begins the author of a card that an earlier campaign left: this and the remembered name."""


def left_by(
    plugins: Sequence[Plugin], revisions: Sequence[Revision], campaign: str, domain: str, campaign_seed: int
) -> list[RememberedCard]:
    """Return the cards that a campaign leaves: those it ended with, and remembered ones that expired in it.

    `plugins` are those after the last of `revisions`. What the campaign itself found and lost again is not kept.
    """
    last = {one.plugin: one for revision in revisions for one in revision.decisions}
    left = []
    for plugin in plugins:
        card = plugin.card
        is_known = card.author.startswith(AUTHOR)
        if (card.term is None and not card.limits) or (not card.is_in_force and not is_known):
            continue
        reason = card.expired_because or (last[card.name].reason if card.name in last else "")
        trial = CardTrial(
            campaign=campaign,
            domain=domain,
            campaign_seed=campaign_seed,
            outcome=card.status,
            reason=reason,
            separation=card.separation,
        )
        left.append(_remembered(card, trial))
    return left


def refused_of(
    known: Sequence[RememberedCard], revisions: Sequence[Revision], campaign: str, domain: str, campaign_seed: int
) -> list[RememberedCard]:
    """Return the remembered cards with the trial that this campaign's gate refused; none that it let in."""
    decisions = [one for revision in revisions for one in revision.decisions if one.recalled]
    entered = {one.recalled for one in decisions if one.outcome != "refused"}
    refused = {one.recalled: one for one in decisions if one.recalled not in entered and one.separation is not None}
    return [
        card.model_copy(update={"trials": [_refusal(refused[card.name], campaign, domain, campaign_seed)]})
        for card in known
        if card.name in refused
    ]


def _remembered(card: Card, trial: CardTrial) -> RememberedCard:
    sign = 0 if card.alarm is None else 1 if card.alarm.operator in (">", ">=") else -1
    return RememberedCard(
        name=card.author.removeprefix(AUTHOR) if card.author.startswith(AUTHOR) else card.name,
        formula=card.formula,
        columns=card.term.columns if card.term else [],
        term=asdict(card.term) if card.term else {},
        sign=sign,
        limits=card.limits,
        mode=card.mode,
        num_moves=card.num_moves,
        trials=[trial],
    )


def _refusal(decision: Decision, campaign: str, domain: str, campaign_seed: int) -> CardTrial:
    return CardTrial(
        campaign=campaign,
        domain=domain,
        campaign_seed=campaign_seed,
        outcome="refused",
        reason=decision.reason,
        separation=decision.separation,
    )
