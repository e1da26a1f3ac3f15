"""Hill climbing on the score alone (AutoResearch): the baseline of everything.

One incumbent, one candidate at a time, kept if its score is higher, else discarded. It takes the proposer's first
choice: neither findings nor backtests have a say (its preset turns off search.use_findings and search.use_backtests).
"""

from collections.abc import Sequence

from evotrainer.config import Config
from evotrainer.records import Backtest, Intervention, VersionRecord
from evotrainer.search.base import VersionPlan, candidates, opening, places_left


class HillClimbSearch:
    """One candidate at a time from the incumbent."""

    def next_generation(self, records: Sequence[VersionRecord], config: Config) -> list[VersionPlan]:
        """Return base, baseline, or the next candidate of the incumbent."""
        plans = opening(records, config)
        if plans:
            return plans
        return candidates(records, config, 1) if places_left(records, config) > 0 else []

    def select(self, pool: Sequence[Intervention], backtests: Sequence[Backtest], slot: int, config: Config) -> int:
        """Return the proposer's own order."""
        return slot
