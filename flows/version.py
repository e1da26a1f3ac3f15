"""The version flow: one version from its frozen inputs to its verdict.

    incumbent ─► rollout ─► evidence ─► diagnose ─► findings ─► propose ─► intervention + prediction
                               │                                   │
                               └────────────► backtest ◄───────────┘
                                                 │ accepted
    base policy ─► train ◄───────────────────────┘
                     └─► evaluate ─► verdict [─► confirm] ─► push, commit, tag

Each step is one DVC stage, and DVC decides whether it has to run: the flow and `dvc repro versions/v003/dvc.yaml` do
the same. Planning wrote the stages to that pipeline, and the flow runs them in its order. The base version v000 is
evaluated only. Confirm stands in the pipeline where fresh training seeds are asked for, and for a merge.
"""

import time

from prefect import flow

from evotrainer.campaign.gates import is_gated
from evotrainer.campaign.subjects import Subject
from flows.gates import run_gated
from flows.serving.artifacts import publish_scores, publish_stage
from flows.serving.forms import CampaignName, VersionName
from flows.serving.runs import register
from flows.workspace.finish_version import finish_version
from flows.workspace.prepare_inputs import run_shared_stages
from flows.workspace.worktree import campaign_lock, find_campaign, find_version, project_root
from tasks.plan.steps import stages_of
from tasks.running.prefect_task import stage_task


@flow(name="version", flow_run_name="{campaign}-{version}", persist_result=False)
async def version(campaign: CampaignName, version: VersionName) -> str:
    """Bring one planned version of a campaign up to date and close it.

    Args:
        campaign: the campaign's name
        version: the version's name, like v003
    """
    workspace = find_campaign(project_root(), campaign)
    subject, started = Subject.version(version), time.monotonic()
    with campaign_lock(workspace.main, campaign):
        find_version(workspace, version)
        await register(workspace, is_campaign=False)
        await run_shared_stages(workspace, [subject])
        stages = stages_of(workspace.files, subject)
        if is_gated(workspace.files.version(version)):
            await run_gated(workspace, subject, stages)
        else:
            for stage in stages:
                await stage_task(stage)(workspace.root, subject)
                await publish_stage(workspace, version, stage)
        if not workspace.is_closed(version):
            await finish_version(workspace, version, started)
            await publish_scores(workspace)
    return version
