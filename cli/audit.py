"""`evotrainer audit`: stored swe episodes played again, with real git and real pytest."""

from random import Random
from typing import Annotated, Any

import typer

from cli.output import Json, Name, print_json

DISAGREED_STATUS = 1


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(audit)


def audit(
    name: Name,
    version: Annotated[str | None, typer.Argument(help="A version, like v003; without it, all.")] = None,
    trajectory: Annotated[str | None, typer.Option("--trajectory", help="The id of one trajectory.")] = None,
    sample: Annotated[int, typer.Option("--sample", min=1, help="How many to draw, always the same ones.")] = 20,
    json: Json = False,
) -> None:
    """Play stored swe episodes again; exit with 1 where an answer of git or a grade is not the stored one."""
    from evotrainer.domains.swe.grading.audit import audit_trajectory

    results = []
    for episode in _chosen(name, version, trajectory, sample):
        results.append(audit_trajectory(episode.row, episode.problem, episode.domain))
        if not json:
            print(f"{results[-1].trajectory_id}: {'; '.join(results[-1].differences) or 'agrees'}", flush=True)
    num_agreeing = sum(result.agrees for result in results)
    if json:
        rows = [{"trajectory_id": result.trajectory_id, "differences": result.differences} for result in results]
        print_json({"audited": len(results), "agreeing": num_agreeing, "trajectories": rows})
    else:
        print(f"audited: {len(results)}\nagreeing: {num_agreeing}")
    if num_agreeing < len(results):
        raise typer.Exit(DISAGREED_STATUS)


def _chosen(name: str, version: str | None, trajectory: str | None, sample: int) -> list[Any]:
    """Return the episodes to audit."""
    from evotrainer.campaign.layout import parse_version
    from evotrainer.domains.swe.grading.stored_episodes import stored_episodes
    from evotrainer.errors import EvidenceError, LineageError
    from flows.workspace.recorded import readable_campaign
    from flows.workspace.worktree import find_version, project_root

    workspace = readable_campaign(project_root(), name)
    versions = [find_version(workspace, parse_version(version))] if version else workspace.files.version_names()
    found = [episode for one in versions for episode in stored_episodes(workspace.files, one)]
    if not found:
        raise LineageError(
            f"campaign '{name}' has no graded episodes yet: go on with it: evotrainer campaign run {name}"
        )
    if trajectory is None:
        return Random(0).sample(found, min(sample, len(found)))
    named = [episode for episode in found if episode.row.trajectory_id == trajectory]
    if not named:
        raise EvidenceError(f"no graded trajectory '{trajectory}' in {', '.join(versions)}: see `evotrainer query`")
    return named
