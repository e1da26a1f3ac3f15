"""A baseline trains the campaign's own recipe, less what an audit of the first rollout shows that it pays wrongly.

A correction that a law, a guard or its backtest refuses leaves the recipe as it is, and costs no version.
"""

from dataclasses import replace

from evotrainer.agents import ProposalContext
from evotrainer.agents.agent_view import agent_report, agent_view
from evotrainer.campaign.code_files import sources_of
from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.repository import StoredVersion
from evotrainer.evidence.rows import Rows
from tasks.propose.levers import has_audit, pull_levers
from tasks.propose.pool import lawful
from tasks.propose.request import Choice, Request


def baseline(asked: Request) -> Choice:
    """Return the campaign's recipe, corrected where its own first rollout shows what."""
    campaign, spec, records = asked.campaign, asked.spec, asked.records
    if not has_audit(campaign):
        return Choice(BASE_VERSION)
    report = agent_report(StoredVersion(asked.own).findings.read())
    context = ProposalContext(campaign, spec.incumbent, spec.generation, report, agent_view(records))
    levers = pull_levers(asked.files.root, campaign, context, list(Rows.read(asked.own.rollout)), records)
    pool = lawful(asked.files, spec, campaign, levers.proposals, context.taken, sources_of(records))
    backtests = asked.backtests(campaign, pool.candidates)
    pool = replace(pool, refused=[*levers.notes, *pool.refused])
    if backtests and backtests[0].accepted:
        return Choice(BASE_VERSION, pool, backtests, pool.candidates[0])
    refused = [f"{one.intervention_id}: {one.reason}" for one in backtests]
    return Choice(BASE_VERSION, replace(pool, candidates=[], refused=[*pool.refused, *refused]))
