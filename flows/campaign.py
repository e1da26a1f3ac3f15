"""The campaign flow: from the base policy to a certified incumbent.

    overrides ─► conf/campaign.yaml ─► data, base policy ─► v000
                                                             │
              ┌──────────────────────────────────────────────┘
              ▼
           lineage ─► plan ─► [ version | version ] ─► verdicts ─┐      versions of one generation run side by side
              ▲                                                  │
              └──────── harness revised (harness=evolving) ◄─────┘
              └─► nothing left to try ─► certify (the sealed test split, once) ─► memory ─► report

A campaign that was interrupted goes on where it stood: open versions are finished first, closed ones are never touched.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Annotated

from prefect import flow
from pydantic import Field

from evotrainer.agents import AGENTS
from evotrainer.campaign.subjects import CAMPAIGN, CERTIFICATE, SubjectKind
from evotrainer.domains import DOMAINS
from evotrainer.errors import BudgetError
from evotrainer.search import SEARCHES
from flows.evolving import run_revision
from flows.serving.runs import register
from flows.version import version
from flows.workspace.budget import announce, can_certify, ended_before, judge_end, run_clock, write_ending
from flows.workspace.finish_version import commit_report, finish_certificate, restore_certificate
from flows.workspace.lock import campaign_lock
from flows.workspace.memory import append as remember
from flows.workspace.prepare_inputs import prepare_inputs
from flows.workspace.shared_pool import propose_shared_pools
from flows.workspace.shared_rollout import sample_shared_rollouts
from flows.workspace.start_campaign import fill_in, start_campaign
from flows.workspace.storage import check_free_space
from flows.workspace.worktree import Workspace, project_root
from tasks.plan.steps import Plan, Run, campaign_steps
from tasks.running.dvc import close_workers
from tasks.running.prefect_task import code_task, stage_task

AS_CONFIGURED = "as configured"
"""What the form shows for a setting that is left to conf/, or to the campaign that goes on."""


@flow(name="campaign", flow_run_name="{name}", persist_result=False)
async def campaign(
    name: str = "night-%Y%m%d",
    domain: Annotated[str, Field(json_schema_extra={"enum": [AS_CONFIGURED, *DOMAINS]})] = AS_CONFIGURED,
    search: Annotated[str, Field(json_schema_extra={"enum": [AS_CONFIGURED, *SEARCHES]})] = AS_CONFIGURED,
    trainer: Annotated[str, Field(json_schema_extra={"enum": [AS_CONFIGURED, *AGENTS]})] = AS_CONFIGURED,
    num_versions: int = 0,
    overrides: list[str] = [],  # noqa: B006 - never changed; the form shows an empty list
    require_clean: bool = False,
) -> str:
    """Start a campaign, or go on with one that was interrupted.

    Args:
        name: its name; %Y, %m, %d, %H, %M, %S are filled in, so that a schedule starts a new campaign each time, with a
            seed of its own unless `overrides` set one
        domain: what is trained on
        search: how candidates and incumbents follow each other
        trainer: who proposes
        num_versions: trained versions, the baseline among them; 0: as configured
        overrides: further settings, KEY=VALUE
        require_clean: refuse to start from files that are not committed
    """
    chosen = {"domain": domain, "search": search, "trainer": trainer, "num_versions": num_versions or AS_CONFIGURED}
    settings = [f"{key}={value}" for key, value in chosen.items() if value != AS_CONFIGURED] + overrides
    name, settings = fill_in(name, settings, datetime.now())
    main = project_root()
    with campaign_lock(main, name):
        workspace = start_campaign(main, name, settings, require_clean)
        await register(workspace, is_campaign=True)
        await prepare_inputs(workspace)
        with run_clock(workspace):
            if not ended_before(workspace):
                end = judge_end(workspace, await _versions(workspace))
                await _certify(workspace)
                write_ending(workspace, end)
        remember(workspace)
        await code_task("report")(workspace.root, CAMPAIGN)
        commit_report(workspace)
        close_workers(workspace.root)
    return name


async def _versions(workspace: Workspace) -> str:
    """Carry out all steps; return why the budget stopped one of them, or nothing."""
    try:
        for step in campaign_steps(workspace.files, workspace):
            await _carry_out(step, workspace)
    except BudgetError as error:
        return str(error)
    return ""


async def _certify(workspace: Workspace) -> None:
    """Make the certificate unless it is made, or the budget has no room for it."""
    if await restore_certificate(workspace) or not can_certify(workspace):
        return
    await code_task("plan")(workspace.root, CERTIFICATE)
    with suppress(BudgetError):  # it is then among what was left out
        await stage_task("certify")(workspace.root, CERTIFICATE)
        await finish_certificate(workspace)


async def _carry_out(step: Plan | Run, workspace: Workspace) -> None:
    if isinstance(step, Plan):
        await code_task("plan")(workspace.root, step.subject)
        return
    check_free_space(workspace.main)
    announce(workspace, step.subjects)
    await sample_shared_rollouts(workspace, step.subjects)
    await propose_shared_pools(workspace, step.subjects)
    await _side_by_side(
        [
            run_revision(workspace, subject)
            if subject.kind is SubjectKind.REVISION
            else version(workspace.name, subject.name)
            for subject in step.subjects
        ]
    )


async def _side_by_side(runs: Sequence[Awaitable[object]]) -> None:
    """Wait for all subjects of a step, then raise the first error: one failure must not cut the rest short.

    A spent budget ends the campaign in good order, so it comes after every other error.
    """
    outcomes = await asyncio.gather(*runs, return_exceptions=True)
    errors = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for error in sorted(errors, key=lambda error: isinstance(error, BudgetError)):
        raise error
