"""`evotrainer audit`: stored swe episodes played again in real checkouts, with real git and real pytest."""

from collections.abc import Iterator
from pathlib import Path
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
    """Play stored swe episodes again in a real checkout; exit with 1 where a stored grade is not the real one."""
    from evotrainer.repositories.audit import audit_trajectory

    results = []
    for row, problem, domain in _chosen(name, version, trajectory, sample):
        results.append(audit_trajectory(row, problem, domain))
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


def _chosen(name: str, version: str | None, trajectory: str | None, sample: int) -> list[tuple[Any, Any, Any]]:
    """Return the rows to audit, each with its problem and the domain it was played under."""
    from evotrainer.errors import EvidenceError, LineageError
    from evotrainer.layout import parse_version
    from flows.workspace import find_campaign, find_version, project_root

    workspace = find_campaign(project_root(), name)
    files = workspace.files
    versions = [find_version(workspace, parse_version(version))] if version else files.version_names()
    found = [item for one in versions for item in _rows(files, one)]
    if not found:
        raise LineageError(f"campaign '{name}' has no graded swe episodes yet: run it with domain=swe")
    if trajectory is None:
        return Random(0).sample(found, min(sample, len(found)))
    named = [item for item in found if item[0].trajectory_id == trajectory]
    if not named:
        raise EvidenceError(f"no graded trajectory '{trajectory}' in {', '.join(versions)}: see `evotrainer query`")
    return named


def _rows(files: Any, version: str) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the graded episodes of a version, wherever a stage wrote them."""
    from evotrainer.config import load_config
    from evotrainer.counterfactual import in_force, sanitized
    from evotrainer.evidence import read_rows
    from evotrainer.problems import load_problems
    from evotrainer.records import VersionSpec

    own = files.version(version)
    spec = VersionSpec.model_validate_json(own.spec.read_bytes())
    campaign = load_config(files.config)
    if campaign.domain.name != "swe":
        return
    problems: dict[str, dict[str, Any]] = {}
    for folder in _evidence_folders(own.root):
        is_rescored = own.counterfactual in (folder, *folder.parents)
        domain = (sanitized(campaign) if is_rescored else in_force(campaign, spec)).domain
        for row in read_rows(folder):
            if row.correct is None:
                continue
            if row.split not in problems:
                loaded = load_problems(files.root, domain, row.split)
                problems[row.split] = {problem.problem_id: problem for problem in loaded}
            yield row, problems[row.split][row.problem_id], domain


def _evidence_folders(root: Path) -> list[Path]:
    from evotrainer.evidence.store import DIGESTS

    return sorted(path.parent for path in root.rglob(DIGESTS))
