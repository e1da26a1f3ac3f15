"""`evotrainer reproduce | certificate`: the same bytes again, and the scores on the sealed split."""

from typing import Annotated

import typer

from cli.output import Json, Name, Version, print_json, print_rows


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(reproduce)
    app.command()(certificate)


def reproduce(
    name: Name,
    version: Version,
    force: Annotated[bool, typer.Option("--force", help="Recompute every stage of the version.")] = False,
    remote: Annotated[str | None, typer.Option("--remote", help="Folder or URL of the DVC remote.")] = None,
    json: Json = False,
) -> None:
    """Reproduce a version from its tag, and compare it with what was recorded."""
    import asyncio

    from evotrainer.layout import parse_version
    from flows.reproduce import reproduce_version
    from flows.workspace import project_root

    result = asyncio.run(reproduce_version(project_root(), name, parse_version(version), force, remote))
    if json:
        print_json(
            {
                "campaign": name,
                "version": result.version,
                "stages_run": result.stages_run,
                "is_identical": result.difference is None,
                "difference": result.difference,
            }
        )
    else:
        print(f"{len(result.stages_run)} stages were run: {', '.join(result.stages_run) or 'nothing had changed'}")
        print(f"{name} {result.version}: {result.difference or 'identical: dvc.lock and verdict.json'}")
    raise typer.Exit(0 if result.difference is None else 1)


def certificate(name: Name, json: Json = False) -> None:
    """Show the scores of v000, v001 and the incumbent on the sealed test split, read once at the campaign's end."""
    from evotrainer.errors import LineageError
    from evotrainer.report.data import certificate_data
    from flows.workspace import find_campaign, project_root

    found = certificate_data(find_campaign(project_root(), name).files)
    if found is None:
        raise LineageError(
            f"campaign '{name}' has no certificate yet: it is made once, after the last version; "
            f"go on with it: evotrainer campaign run {name}"
        )
    if json:
        print_json(found)
        return
    print(f"incumbent: {found['incumbent']}; {found['num_problems']} sealed problems x {found['attempts']} attempts")
    print_rows(
        ["version", "score", "low", "high"],
        [[s["version"], f"{s['score']:.4f}", f"{s['low']:.4f}", f"{s['high']:.4f}"] for s in found["scores"]],
    )
    print_rows(
        ["against", "difference", "low", "high"],
        [
            [c["against"], f"{c['difference']:+.4f}", f"{c['low']:+.4f}", f"{c['high']:+.4f}"]
            for c in found["comparisons"]
        ],
    )
