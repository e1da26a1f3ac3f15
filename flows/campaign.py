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
The certificate closes the campaign: it has no version after that. One whose budget had no room for a single version
fails once all else is written.
"""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from datetime import datetime

from prefect import flow, tags

from evotrainer.campaign.layout import CAMPAIGN, CERTIFICATE, SubjectKind
from evotrainer.errors import BudgetError
from flows.serving.runs import TAG, close_cancelled, register
from flows.serving.ui import (
    AS_CONFIGURED,
    Autonomy,
    CampaignName,
    Compute,
    Count,
    Domain,
    Limit,
    NumVersions,
    Policy,
    Search,
    Trainer,
    Until,
    publish_scores,
    settings_of,
)
from flows.version import run_revision, version
from flows.workspace.budget import can_certify, check_room, ended_before, judge_end, run_clock, write_summary
from flows.workspace.closed_versions import check_recorded, check_results
from flows.workspace.finish_version import commit_report, finish_certificate, restore_certificate
from flows.workspace.memory import append as remember
from flows.workspace.prepare_inputs import prepare_inputs, run_shared_stages
from flows.workspace.start_campaign import fill_in, start_campaign
from flows.workspace.storage import check_free_space
from flows.workspace.stored_outputs import restore_outputs
from flows.workspace.worktree import Workspace, campaign_lock, project_root
from tasks.plan.steps import Plan, Run, campaign_steps
from tasks.running.notify import failure_notices
from tasks.running.prefect_task import code_task, stage_task
from tasks.running.stage_process import let_cool


@flow(name="campaign", flow_run_name="{name}", persist_result=False, on_cancellation=[close_cancelled])
async def campaign(
    name: CampaignName = "night-%Y%m%d",
    domain: Domain = AS_CONFIGURED,
    data_path: str = "",
    policy: Policy = AS_CONFIGURED,
    policy_path: str = "",
    search: Search = AS_CONFIGURED,
    trainer: Trainer = AS_CONFIGURED,
    autonomy: Autonomy = AS_CONFIGURED,
    num_versions: NumVersions = 0,
    budget: Compute = AS_CONFIGURED,
    until: Until = "",
    dollars: Limit = 0,
    accelerator_hours: Limit = 0,
    tokens: Count = 0,
    overrides: list[str] = [],  # noqa: B006 - never changed; the form shows an empty list
    require_clean: bool = False,
) -> str:
    """Start a campaign, or go on with one that was interrupted.

    Args:
        name: its name; %Y, %m, %d, %H, %M, %S are filled in, so that a schedule starts a new campaign each time, with a
            seed of its own unless `overrides` set one
        domain: what is trained on
        data_path: file or folder of your own problems on the machine that runs the campaign; empty: the built-in set
        policy: an embedded base policy
        policy_path: folder of your own Hugging Face policy on that machine; empty: the embedded one
        search: how candidates and incumbents follow each other
        trainer: who proposes
        autonomy: whether candidates wait for a person
        num_versions: trained versions, the baseline among them; 0: as configured
        budget: compute of one version
        until: local time at which the run must have ended, like 07:00; empty: none
        dollars: what the whole campaign may cost; 0: as configured
        accelerator_hours: GPU hours of the whole campaign; 0: as configured
        tokens: tokens of the whole campaign; 0: as configured
        overrides: further settings, KEY=VALUE
        require_clean: refuse to start from files that are not committed
    """
    chosen = {
        "domain": domain,
        "domain.data_path": data_path,
        "policy": policy,
        "policy.path": policy_path,
        "search": search,
        "trainer": trainer,
        "autonomy": autonomy,
        "num_versions": num_versions,
        "budget": budget,
        "budget.total.until": until,
        "budget.total.dollars": dollars,
        "budget.total.accelerator_hours": accelerator_hours,
        "budget.total.tokens": tokens,
    }
    settings = settings_of(chosen) + overrides
    name, settings = fill_in(name, settings, datetime.now())
    main = project_root()
    with campaign_lock(main, name):
        workspace = start_campaign(main, name, settings, require_clean)
        async with failure_notices(workspace.files):
            await _whole(workspace)
            check_room(workspace)
    return name


async def _whole(workspace: Workspace) -> None:
    """Carry out a campaign from its inputs to its report."""
    await register(workspace, is_campaign=True)
    await restore_outputs(workspace)
    await prepare_inputs(workspace)
    with run_clock(workspace):
        is_closed = await restore_certificate(workspace)
        check_recorded(workspace)
        if not ended_before(workspace, is_closed):
            has_all = is_closed or _is_certificate_planned(workspace)  # killed since: nothing is planned again
            end = judge_end(workspace, "" if has_all else await _versions(workspace))
            if not is_closed:
                await _certify(workspace)
            await write_summary(workspace, end)
    remember(workspace)
    await code_task("report")(workspace.root, CAMPAIGN)
    commit_report(workspace)
    await publish_scores(workspace)
    let_cool(workspace.root)


async def _versions(workspace: Workspace) -> str:
    """Carry out all steps; return why the budget stopped one of them, or nothing."""
    try:
        with tags(TAG):  # of the runs of versions
            for step in campaign_steps(workspace.files, workspace):
                await _carry_out(step, workspace)
    except BudgetError as error:
        return str(error)
    return ""


async def _certify(workspace: Workspace) -> None:
    """Make the certificate unless the budget has no room for it."""
    if not can_certify(workspace):
        return
    check_results(workspace)
    if not _is_certificate_planned(workspace):
        await code_task("plan")(workspace.root, CERTIFICATE)
    with suppress(BudgetError):  # it is then among what was left out
        await stage_task("certify")(workspace.root, CERTIFICATE)
        await finish_certificate(workspace)


def _is_certificate_planned(workspace: Workspace) -> bool:
    """Tell whether it is settled which versions the certificate scores; the campaign has no version after that."""
    return (workspace.files.certificate / "dvc.yaml").is_file()


async def _carry_out(step: Plan | Run, workspace: Workspace) -> None:
    if isinstance(step, Plan):
        await code_task("plan")(workspace.root, step.subject)
        return
    check_free_space(workspace.main)
    await run_shared_stages(workspace, step.subjects)
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
