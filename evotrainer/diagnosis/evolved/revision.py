"""A revision of the harness: decisions on the gaps of a generation and on the cards in force.

    gaps of closed versions ─► cards by rule or by an author ─► retrospective gate ─► accepted, provisional, refused
    cards in force ────────────────────────────────────────► the same gate       ─► kept, accepted, expired

A revision is a pure function of stored evidence, gaps, the cards before it and what the author answered. An author's
cards are asked first, since they cost what was paid for them; rules answer what they leave open.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

from evotrainer.campaign.labels import MIN_EACH
from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.evolved.candidates import Search, Stored, candidates, text_of
from evotrainer.diagnosis.evolved.cards import Card
from evotrainer.diagnosis.evolved.gate import Judged, RetrospectiveGate
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.frames import Frame
from evotrainer.records import Decision, Entry, Gap

MAX_GAPS = 6
"""Most gaps that one revision answers, the newest first."""
MAX_CANDIDATES = 3
"""Most cards by rule that the gate judges for one gap."""

Author = Callable[[Sequence[Gap], Sequence[str]], Sequence[Card]]
"""(open gaps, names that are taken) -> cards that name the gaps that they answer."""


@dataclass
class Reviser:
    """What a revision is made from, and its decisions."""

    root: Path
    config: HarnessConfig
    stored: Sequence[Stored]
    before_of: Callable[[str], Frame | None]
    """Returns the visible rows of a version's incumbent."""
    date: str
    seed: int
    level: float
    """Of what is asked in this revision (gate.level_of)."""
    before: Sequence[Card]
    """The cards that were in force, and those that expired."""
    author: Author | None = None
    """Writes cards for gaps beside the rules; None for a campaign whose trainer agent writes none."""
    cards: list[Card] = field(default_factory=list)
    """After the revision, expired ones among them."""
    decisions: list[Decision] = field(default_factory=list)
    _explained: set[str] = field(default_factory=set, init=False)
    """Versions that an accepted card alarms on."""

    @cached_property
    def harness(self) -> Harness:
        """The harness before the revision."""
        return Harness(self.root, self.config, self.before)

    @cached_property
    def search(self) -> Search:
        """Every share that a rule may bound, on the labelled versions."""
        return Search(self.stored, self.seed)

    def revise(self, gaps: Sequence[Gap]) -> None:
        """Judge the cards in force again, then answer the gaps that none of them answers."""
        gate = RetrospectiveGate(self.stored, self.harness, self.search, self.level)
        self.cards = [self._renewed(card, gate) for card in self.before]
        if [card.is_in_force for card in self.cards] != [card.is_in_force for card in self.before]:
            gate = RetrospectiveGate(self.stored, Harness(self.root, self.config, self.cards), self.search, self.level)
        if self._is_too_few:
            good, bad = self.search.counts
            reason = f"{good} known-good and {bad} known-bad versions are too few to judge a revision"
            for gap in self._open(gaps) if self.config.max_new_diagnostics else ():
                self._note_nothing(gap, reason)
            return
        asked = list(self._open(gaps))
        drafts = self.author(asked, self._taken(gate)) if self.author and asked else ()
        entered = 0
        for gap in self._open(gaps):
            if entered == self.config.max_new_diagnostics:
                break
            entered += self._answer(gap, drafts, gate)

    def _renewed(self, card: Card, gate: RetrospectiveGate) -> Card:
        """Return a card with the gate's new decision."""
        if not card.is_in_force:
            return card
        judged = gate.judge(card, is_new=False)
        renewed = judged.entered(card)
        if judged.status == "accepted":
            self._explained |= judged.alarmed
        is_same = renewed.status == card.status
        self._note(card, judged, "kept" if is_same else "accepted" if judged.status else "expired")
        return renewed

    def _open(self, gaps: Sequence[Gap]) -> Iterator[Gap]:
        """Yield the gaps that no card in force answers, the newest first."""
        answered = {card.gap for card in self.cards if card.is_in_force}
        asked: set[str] = set()
        for gap in sorted(gaps, key=lambda gap: gap.version, reverse=True):
            text = text_of(gap)
            if text in answered or text in asked or (gap.version in self._explained and _is_fall(gap)):
                continue
            if len(asked) == MAX_GAPS:
                return
            asked.add(text)
            yield gap

    def _answer(self, gap: Gap, drafts: Sequence[Card], gate: RetrospectiveGate) -> bool:
        """Judge the cards that answer a gap; return whether one entered."""
        asked = False
        for card, judged in self._judged(gap, drafts, gate):
            asked = True
            outcome: Entry = judged.status or "refused"
            self._note(card, judged, outcome)
            if judged.status:
                if judged.status == "accepted":
                    self._explained |= judged.alarmed
                self.cards.append(judged.entered(card))
                return True
        if not asked:
            self._note_nothing(gap, "no share of attempts that tells known-bad from known-good versions answers it")
        return False

    def _judged(self, gap: Gap, drafts: Sequence[Card], gate: RetrospectiveGate) -> Iterator[tuple[Card, Judged]]:
        """Yield the cards for a gap with the gate's decision: the author's, then those by rule."""
        own = next((one for one in self.stored if one.version == gap.version), None)
        before, after = self.before_of(gap.version), own.rows if own else None
        by_rule = candidates(gap, self.search, before, after, self.date, self._taken(gate), self.seed)
        written = (card for card in drafts if card.gap == text_of(gap))
        for card in chain(written, islice(by_rule, MAX_CANDIDATES)):
            yield card, gate.judge(card, fell=gap.version if _is_fall(gap) else "")

    @property
    def _is_too_few(self) -> bool:
        """Whether there are too few labelled versions to judge a card by them."""
        return min(self.search.counts) < MIN_EACH

    def _taken(self, gate: RetrospectiveGate) -> list[str]:
        metrics = {name for report in gate.reports for name in report.metrics}
        return sorted(metrics | {card.name for card in self.cards} | set(self.harness.diagnostics))

    def _note(self, card: Card, judged: Judged, outcome: Entry) -> None:
        self.decisions.append(
            Decision(
                plugin=card.name,
                gap=card.gap,
                outcome=outcome,
                reason=judged.reason,
                formula=card.formula,
                separation=judged.separation,
                false_alarms=judged.false_alarms,
            )
        )

    def _note_nothing(self, gap: Gap, reason: str) -> None:
        self.decisions.append(Decision(plugin="", gap=text_of(gap), outcome="refused", reason=reason))


def _is_fall(gap: Gap) -> bool:
    return gap.numbers.get("difference", 0.0) < 0
