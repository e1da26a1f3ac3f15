"""`evotrainer budget`: what a campaign spent, by version or stage, beside what came of it."""

from typing import Annotated, Any

import typer

from cli.output import Json, Name, print_json, print_rows


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(budget)


def budget(
    name: Name, stages: Annotated[bool, typer.Option("--stages", help="A line a stage.")] = False, json: Json = False
) -> None:
    """Show what each version took, its score beside it, and what the budget still allows."""
    from evotrainer.config import load_config
    from evotrainer.report.spending import EXPENSE_COLUMNS, VERSION_COLUMNS, expense_rows, spending, version_rows
    from flows.workspace.recorded import readable_campaign
    from flows.workspace.worktree import project_root

    files = readable_campaign(project_root(), name).files
    found = spending(files, load_config(files.config))
    if json:
        print_json(found.as_dict())
        return
    print_rows(EXPENSE_COLUMNS if stages else VERSION_COLUMNS, expense_rows(found) if stages else version_rows(found))
    for key, value in _lines(found):
        print(f"{key}: {value}")


def _lines(found: Any) -> list[tuple[str, str]]:
    lines = [("spent", found.total.shown())]
    if found.allowance is not None:
        version = found.allowance.version
        if found.ending is None:  # afterwards no clock runs, so that nothing would seem limited
            lines += [("left for versions", found.allowance.left.shown_finite())]
        lines += [("one more version", version.shown() if version else "not measured yet")]
    if found.ending is not None:
        lines += [("ended", found.ending.reason or "all versions were tried")]
        lines += [("left out", ", ".join(found.ending.left_out) or "nothing")]
    return lines
