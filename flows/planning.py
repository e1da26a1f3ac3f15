"""Which versions run next: those that an interrupted run left open, else what the campaign's search plans.

Before anything new is planned the harness is revised, where that is due: versions freeze it when they are planned.
"""

import asyncio
from collections.abc import Awaitable, Sequence

import yaml

from evotrainer.campaign.layout import version_name
from flows.evolving import evolve_harness
from flows.workspace.worktree import Workspace
from tasks.plan.stage import is_cut_short
from tasks.plan.task import plan


async def next_generation(workspace: Workspace) -> list[str]:
    """Return the versions to run now, side by side; none at the campaign's end."""
    if not open_versions(workspace) and not is_cut_short(workspace.files):
        await evolve_harness(workspace)
    if not open_versions(workspace) or is_cut_short(workspace.files):
        await plan(workspace.root, version_name(len(workspace.files.version_names())))
    return open_versions(workspace)


def open_versions(workspace: Workspace) -> list[str]:
    """Return the planned versions that are not closed, in order."""
    closed = set(workspace.closed_versions())
    return [version for version in workspace.files.version_names() if version not in closed]


def has_stage(workspace: Workspace, version: str, stage: str) -> bool:
    """Tell whether a version's own pipeline has this stage."""
    path = workspace.files.version(version).root / "dvc.yaml"
    return stage in yaml.safe_load(path.read_text(encoding="utf-8"))["stages"]


async def side_by_side(runs: Sequence[Awaitable[str]]) -> None:
    """Wait for all versions of a generation, then raise the first error: one failure must not cut the rest short."""
    outcomes = await asyncio.gather(*runs, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
