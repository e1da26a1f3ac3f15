"""`evotrainer import-trials | trials`: trial records of other search systems, read into a lineage of their own."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import Json, print_json, print_rows

if TYPE_CHECKING:
    from evotrainer.records import TrialSet


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command("import-trials")(import_trials)
    app.command()(trials)


def import_trials(
    file: Annotated[Path, typer.Argument(help="A tab-separated table, one trial a row.")],
    name: Annotated[str, typer.Option("--name", help="Of the lineage; else the file's own.")] = "",
    score: Annotated[str, typer.Option("--score", help="Column of the score; else the one after status.")] = "",
    better: Annotated[str, typer.Option("--better", help="lower or higher; else as the kept trials show.")] = "",
    json: Json = False,
) -> None:
    """Read trial records into a lineage, and say what was odd about them, with line numbers."""
    from evotrainer.campaign.trials.store import FOLDER, default_name, save_trials
    from evotrainer.campaign.trials.table_file import read_trials
    from evotrainer.errors import ConfigError

    if better not in ("", "lower", "higher"):
        raise ConfigError(f"--better {better!r} is unknown: choose from lower, higher")
    found = read_trials(file, name or default_name(file), score, better or None)  # type: ignore[arg-type]
    is_new = save_trials(_root(), found, file)
    if json:
        print_json({"is_new": is_new, **_summary(found)})
        return
    state = "imported to" if is_new else "unchanged in"
    counted = len(found.trials) - sum(trial.label == "baseline" for trial in found.trials)
    print(f"{counted} trials {state} {FOLDER}/{found.name}: {found.score_name}, {found.better} is better")
    for kind, count in Counter(note.kind for note in found.notes).items():
        lines = [str(note.line) for note in found.notes if note.kind == kind and note.line]
        print(f"{count} odd ({kind}){': lines ' + ', '.join(lines) if lines else ''}")
        print(f"  first: {next(note.text for note in found.notes if note.kind == kind)}")


def trials(
    name: Annotated[str, typer.Argument(help="An imported lineage.")],
    tree: Annotated[bool, typer.Option("--tree", help="Instead, the tree of trials that others build on.")] = False,
    json: Json = False,
) -> None:
    """Show an imported lineage: labels by specialist, what was kept, the best chain, noise, skill of predictions."""
    from evotrainer.campaign.trials.lineage import best_chain, leaderboard, tree_lines
    from evotrainer.campaign.trials.skill import skills
    from evotrainer.campaign.trials.store import find_trials
    from evotrainer.report.trials import (
        SKILL_COLUMNS,
        TRIAL_COLUMNS,
        label_table,
        noise_line,
        skill_row,
        trial_row,
        trials_data,
    )

    found = find_trials(_root(), name)
    if json:
        print_json(trials_data(found))
        return
    if tree:
        print("\n".join(tree_lines(found.trials)))
        return
    print_rows(*label_table(found.trials))
    print_rows(TRIAL_COLUMNS, [trial_row(trial) for trial in leaderboard(found.trials, found.better)])
    print_rows(SKILL_COLUMNS, [skill_row(skill) for skill in skills(found.trials)])
    chain = [trial.trial_id for trial in best_chain(found.trials, found.better)]
    print(f"best chain: {' -> '.join(chain) or 'none'}")
    print(noise_line(found.trials))
    print(f"odd lines: {len(found.notes)} (evotrainer trials {name} --json lists them)")


def _summary(found: "TrialSet") -> dict[str, Any]:
    from evotrainer.report.trials import trials_data

    return trials_data(found)


def _root() -> Path:
    from flows.workspace.worktree import project_root

    return project_root()
