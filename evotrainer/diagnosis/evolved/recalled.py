"""Cards of earlier campaigns that the memory offers to a revision; left_cards.py makes them.

A remembered card is a candidate and never in force unasked: it answers an open gap, gets a bound of this campaign's own
versions, and passes the retrospective gate as any new card does. One whose columns the domain lacks is one line.
"""

from collections.abc import Iterator, Sequence

from evotrainer.diagnosis.evolved.cards import Card, Plugin
from evotrainer.diagnosis.evolved.grammar import Term
from evotrainer.diagnosis.evolved.left_cards import AUTHOR
from evotrainer.diagnosis.evolved.proposals import free_name, plugin_of
from evotrainer.diagnosis.evolved.search import Candidate
from evotrainer.diagnosis.evolved.stored import Stored
from evotrainer.records import Gap, RememberedCard

MAX_RECALLED = 3
"""Most remembered cards that the gate judges for one gap."""


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
