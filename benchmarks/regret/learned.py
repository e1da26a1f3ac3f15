"""The learned term on campaigns that had no part in its fit: for each campaign, the product's search on all others.

Two records are tried: what these campaigns would leave to a memory (the versions that they trained), and what they
would leave had they trained every candidate of their pools. Errors are root mean squares over the candidates of the
campaign that was left out, realised gain less predicted, in percentage points.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.regret.arithmetic import POINTS, gains
from benchmarks.regret.distinct import distinct
from benchmarks.regret.measured.records import MeasuredCampaign
from evotrainer.backtests.learned import LearnedSearch, search_learned
from evotrainer.records import Case


@dataclass(frozen=True)
class LeftOut:
    """A campaign that was left out: what the others teach, and how far that tells the gains of its candidates."""

    seed: int
    num_cases: int
    search: LearnedSearch
    error_before: float
    error_after: float


def own_cases(campaign: MeasuredCampaign) -> list[Case]:
    """Return what the campaign would leave to a memory."""
    return campaign.cases


def cases_of_all(campaign: MeasuredCampaign) -> list[Case]:
    """Return what the campaign would leave had it trained every candidate; a candidate of two pools counts once."""
    return [
        Case(
            campaign=f"{campaign.domain}-{campaign.seed}",
            version=found.version,
            domain=campaign.domain,
            campaign_seed=campaign.seed,
            findings=[],
            metrics={},
            factor=found.candidate.intervention.factor,
            outcome="kept",
            difference=found.gain / POINTS,
            predicted=found.candidate.backtest.predicted_effect,
            numbers=found.candidate.backtest.numbers,
        )
        for found in distinct(campaign.pools)
    ]


RECORDS = {"trained versions": own_cases, "all candidates": cases_of_all}
"""{what a record holds: what a campaign leaves to it}."""


def leave_one_out(
    campaigns: Sequence[MeasuredCampaign], cases_of: Callable[[MeasuredCampaign], list[Case]]
) -> list[LeftOut]:
    """Return for each campaign what the product's search finds in the cases of all others."""
    found = []
    for campaign in campaigns:
        cases = [case for other in campaigns if other.seed != campaign.seed for case in cases_of(other)]
        search = search_learned(cases)
        before, after = _errors(campaign, search)
        found.append(LeftOut(campaign.seed, len(cases), search, before, after))
    return found


def _errors(campaign: MeasuredCampaign, search: LearnedSearch) -> tuple[float, float]:
    before, after = [], []
    for pool in campaign.pools:
        for one, gain in zip(pool.candidates, gains(pool).mean(1).tolist(), strict=True):
            left = gain - POINTS * one.backtest.predicted_effect
            added = POINTS * search.term.effect(one.backtest.numbers) if search.term else 0.0
            before.append(left)
            after.append(left - added)
    return _root_mean_square(before), _root_mean_square(after)


def _root_mean_square(values: Sequence[float]) -> float:
    return math.sqrt(math.fsum(value**2 for value in values) / len(values)) if values else math.nan
