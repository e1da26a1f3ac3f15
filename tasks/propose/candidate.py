"""A candidate is one of the agent's ranked pool: the search strategy chooses by slot, after backtests.

The slots of a generation derive the same pool from the same evidence and take different ranks of it. An agent that asks
a model is asked once a generation: later slots take the pool that the first one wrote.
"""

from evotrainer.campaign.gates import refused_candidates
from evotrainer.records import Backtest
from evotrainer.search import SearchStrategy, make_search
from tasks.propose.pool import Pool, agent_pool, shared_pool
from tasks.propose.request import Choice, NothingToTryError, Request


def candidate(asked: Request) -> Choice:
    """Return the slot's candidate; raises NothingToTryError where the agent has none left for it."""
    files, spec, campaign, records = asked.files, asked.spec, asked.campaign, asked.records
    search, parent = make_search(campaign), asked.recipe(spec.incumbent)
    brief = search.brief(spec, records, campaign)
    pool = shared_pool(files, spec) or agent_pool(files, spec, campaign, parent, records, asked.record, brief)
    if brief.rank >= len(pool.candidates):
        left = f"the {campaign.trainer.name} agent has only {len(pool.candidates)} lawful proposals left"
        raise NothingToTryError(left, pool)
    backtests = asked.backtests(parent, pool.candidates)
    index = _select(asked, search, pool, backtests, brief.rank)
    return Choice(spec.incumbent, pool, backtests, pool.candidates[index])


def _select(asked: Request, search: SearchStrategy, pool: Pool, backtests: list[Backtest], rank: int) -> int:
    """Return the slot's candidate: that of its rank, or the next of its own that no person sent back.

    Slots of a generation take every n-th candidate of one order, so that what is sent back in one is in no other.
    """
    refused = refused_candidates(asked.own)
    for place in range(rank, len(pool.candidates), asked.campaign.search.candidates_per_generation):
        index = search.select(pool.candidates, backtests, place, asked.campaign)
        if pool.candidates[index].intervention_id not in refused:
            return index
    raise NothingToTryError(f"a person sent all {len(refused)} candidates of this slot back", pool)
