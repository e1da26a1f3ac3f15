"""Cards of earlier campaigns: what a campaign leaves to the memory, and what the memory offers to a revision.

A remembered card is a candidate and never in force unasked: it answers an open gap, gets a bound of this campaign's own
versions, and passes the retrospective gate as any new card does. One whose columns the domain lacks is one line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from evotrainer.diagnosis.evolved.cards import Card, Plugin
from evotrainer.diagnosis.evolved.grammar import Term
from evotrainer.diagnosis.evolved.proposals import free_name, plugin_of
from evotrainer.diagnosis.evolved.search import Candidate
from evotrainer.diagnosis.evolved.stored import Stored
from evotrainer.records import CardTrial, Decision, Gap, RememberedCard, Revision

AUTHOR = "memory:"
"""Begins the author of a card that an earlier campaign left: this and the remembered name."""
MAX_RECALLED = 3
"""Most remembered cards that the gate judges for one gap."""


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
            campaign=campaign, domain=domain, campaign_seed=campaign_seed, outcome=card.status, reason=reason,
            separation=card.separation,
        )  # fmt: skip
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


def lacking(known: RememberedCard, stored: Sequence[Stored]) -> list[str]:
    """Return the columns of a remembered card that the rows of this campaign do not have."""
    return [name for name in known.columns if any(name not in one.plugin_input.rows.columns for one in stored)]


def recalled(
    known: Sequence[RememberedCard], gap: Gap, stored: Sequence[Stored], date: str, taken: Sequence[str]
) -> Iterator[tuple[RememberedCard, Plugin]]:
    """Yield the remembered cards that may answer a gap, each with this campaign's own bound."""
    for card in known:
        plugin = _limit(card, gap, date, taken) if card.limits else _metric(card, gap, stored, date, taken)
        if plugin is not None:
            author = f"{AUTHOR}{card.name}"
            yield card, plugin.model_copy(update={"card": plugin.card.model_copy(update={"author": author})})


def _metric(card: RememberedCard, gap: Gap, stored: Sequence[Stored], date: str, taken: Sequence[str]) -> Plugin | None:
    is_asked = gap.kind == "unexplained_score" or bool(set(gap.columns) & set(card.columns))
    if gap.kind == "contradiction" or not is_asked or lacking(card, stored):
        return None
    return plugin_of(Candidate(Term(**card.term), card.sign), gap, stored, date, taken)


def _limit(card: RememberedCard, gap: Gap, date: str, taken: Sequence[str]) -> Plugin | None:
    if gap.kind != "contradiction" or card.mode not in gap.modes:
        return None
    made = Card(
        name=free_name(card.name, date, taken),
        kind="threshold",
        status="provisional",
        gap=f"{gap.version}: {gap.message}",
        gap_kind=gap.kind,
        formula=card.formula,
        limits=card.limits,
        mode=card.mode,
        num_moves=card.num_moves,
        author=AUTHOR,
        date=date,
    )
    return Plugin(card=made)


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
        campaign=campaign, domain=domain, campaign_seed=campaign_seed, outcome="refused", reason=decision.reason,
        separation=decision.separation,
    )  # fmt: skip
