"""Searches from one incumbent: EvoTrainer's (arXiv 2606.03108), and hill climbing, the baseline of everything.

    v000 base -> v001 the campaign's recipe -> [candidate | candidate] -> merge of two winners, if any -> [... | ...]

A merge stands alone in its generation, on its parents' common incumbent; it is
judged against the incumbent of its own time, which usually is the better of its parents.

Deviation from the paper: a merge needs two winners of one generation with disjoint diffs; the paper merges by hand.
"""

import itertools
from collections.abc import Sequence

from evotrainer.campaign.layout import version_name
from evotrainer.campaign.lineage import gain, has_won, incumbent
from evotrainer.config import Config
from evotrainer.records import Backtest, Intervention, VersionRecord
from evotrainer.search.base import SearchStrategy, VersionPlan, candidates


class EvoTrainerSearch(SearchStrategy):
    """Generations of parallel single-factor candidates, ranked by backtest; winners are merged."""

    def plan(self, records: Sequence[VersionRecord], config: Config, places: int) -> list[VersionPlan]:
        """Return a merge of the last generation's winners, or candidates of the incumbent."""
        pair = _joined(records, config)
        if pair is not None:
            return [_merge(records, pair)]
        return candidates(records, config, min(places, config.search.candidates_per_generation))


class HillClimbSearch(SearchStrategy):
    """Hill climbing on the score alone (AutoResearch): one candidate of the incumbent at a time.

    It takes the proposer's first choice. Its preset turns off search.use_findings and search.use_backtests.
    """

    def plan(self, records: Sequence[VersionRecord], config: Config, places: int) -> list[VersionPlan]:
        """Return the next candidate of the incumbent."""
        return candidates(records, config, 1)

    def select(self, pool: Sequence[Intervention], backtests: Sequence[Backtest], slot: int, config: Config) -> int:
        """Return the proposer's own order."""
        return slot


def _joined(records: Sequence[VersionRecord], config: Config) -> tuple[VersionRecord, VersionRecord] | None:
    """Return the pair of the last generation that is joined next, if any."""
    last = max(record.spec.generation for record in records)
    latest = [
        record
        for record in records
        if record.spec.generation == last and record.spec.kind == "candidate" and record.intervention is not None
    ]
    return _pair([record for record in latest if has_won(record)]) if config.search.merge else None


def _pair(winners: Sequence[VersionRecord]) -> tuple[VersionRecord, VersionRecord] | None:
    """Return the two that gained most and change other keys; None where no two do."""
    ranked = sorted(winners, key=lambda record: (-(gain(record) or 0.0), record.spec.version))
    for first, second in itertools.combinations(ranked, 2):
        if (
            first.intervention
            and second.intervention
            and not set(first.intervention.diff) & set(second.intervention.diff)
        ):
            return first, second
    return None


def _merge(records: Sequence[VersionRecord], pair: tuple[VersionRecord, VersionRecord]) -> VersionPlan:
    generation = 1 + max(record.spec.generation for record in records)
    parents = tuple(sorted(record.spec.version for record in pair))
    return VersionPlan(version_name(len(records)), generation, 0, "merge", parents, incumbent(records))
