"""`evotrainer import-trials | trials | script`: lineages of trials, from elsewhere and of scripts run here."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import Json, print_json, print_rows

if TYPE_CHECKING:
    from evotrainer.records import Trial, TrialSet


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command("import-trials")(import_trials)
    app.command()(trials)
    app.command()(script)


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
    named = _free(name or default_name(file))
    found = read_trials(file, named, score, better or None)  # type: ignore[arg-type]
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
    name: Annotated[str, typer.Argument(help="An imported lineage, a run over a script, or a campaign.")],
    tree: Annotated[bool, typer.Option("--tree", help="Instead, the tree of trials that others build on.")] = False,
    json: Json = False,
) -> None:
    """Show a lineage of trials: labels by specialist, what was kept, the best chain, noise, skill of predictions."""
    from evotrainer.campaign.trials.lineage import best_chain, leaderboard, tree_lines
    from evotrainer.campaign.trials.skill import skills
    from evotrainer.report.trials import (
        SKILL_COLUMNS,
        TRIAL_COLUMNS,
        label_table,
        noise_line,
        skill_row,
        trial_row,
        trials_data,
    )

    found = _lineage(name)
    if json:
        print_json(trials_data(found))
        return
    if tree:
        print("\n".join(tree_lines(found.trials)))
        return
    print_rows(*label_table(found.trials))
    print("kept trials, the best first:")
    print_rows(TRIAL_COLUMNS, [trial_row(trial) for trial in leaderboard(found.trials, found.better)])
    print_rows(SKILL_COLUMNS, [skill_row(skill) for skill in skills(found.trials)])
    chain = [trial.trial_id for trial in best_chain(found.trials, found.better)]
    print(f"best chain: {' -> '.join(chain) or 'none'}")
    print(noise_line(found))
    if found.notes:
        print(f"odd lines: {len(found.notes)} (evotrainer trials {name} --json lists them)")


def script(
    overrides: Annotated[
        list[str] | None, typer.Argument(help="Who edits: trainer=rules or trainer=claude, with its settings.")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="With script.yaml; else the example that ships.")] = None,
    name: Annotated[str, typer.Option("--name", help="Of the lineage; else the folder's own.")] = "",
    num_trials: Annotated[int, typer.Option("--trials", min=1, help="Beside the baseline.")] = 20,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the order of the rules' untried edits.")] = 0,
) -> None:
    """Search a training script, or go on: each edit is a trial in the sandbox under limits of time and size."""
    from conf.compose import compose_campaign
    from evotrainer.agents import AgentRecord, check_editor, make_editor
    from evotrainer.campaign.trials.store import default_name
    from evotrainer.domains.script.search import ScriptSearch
    from evotrainer.domains.script.task import EXAMPLE

    chosen = folder or EXAMPLE
    config = compose_campaign(overrides or [])
    check_editor(config)
    search = ScriptSearch(_root(), chosen, _free(name or default_name(chosen)))
    answers = search.folder / "agent.jsonl"
    spent = _spent_before(answers)
    with AgentRecord(answers, lambda: spent) as record:
        editor = make_editor(config, record, seed)
        found = search.run(num_trials, editor, lambda trial: print(_line(trial), flush=True))
    best = next(trial for trial in reversed(found.trials) if trial.label in ("keep", "baseline"))
    print(f"best: {best.trial_id} {found.score_name} {best.score:.6g}")
    print(f"noise_floor: {search.noise_floor:.4g}")
    if record.refused:
        print(f"refused: {len(record.refused)} edits, the last: {record.refused[-1]}")
    if record.spent:
        print(f"dollars: {record.spent:.4f}")
    print(f"lineage: evotrainer trials {found.name}")


def _free(name: str) -> str:
    """Return a name for a lineage; raises LineageError for a campaign's, under which the campaign would be shown."""
    from evotrainer.errors import LineageError
    from flows.workspace.worktree import campaign_names

    if name in campaign_names(_root()):
        raise LineageError(f"{name} is a campaign: choose another name with --name")
    return name


def _lineage(name: str) -> "TrialSet":
    """Return the trials of a campaign of this checkout, else those stored under the name."""
    from evotrainer.campaign.lineage import campaign_floor
    from evotrainer.campaign.repository import read_records
    from evotrainer.campaign.trials.of_versions import trials_of
    from evotrainer.campaign.trials.store import find_trials
    from evotrainer.records import TrialSet
    from flows.workspace.worktree import Workspace, campaign_names

    if name not in campaign_names(_root()):
        return find_trials(_root(), name)
    records = read_records(Workspace(_root(), name).files)
    floor = campaign_floor(records)
    return TrialSet(
        name=name,
        source=f"campaigns/{name}",
        sha256="",
        score_name="score",
        better="higher",
        trials=trials_of(records),
        noise_floor=floor.value if floor else None,
    )


def _spent_before(path: Path) -> float:
    """Return the dollars of the answers that a run has recorded."""
    from evotrainer.agents.record import recorded_answers

    return sum(answer.dollars for answer in recorded_answers(path)) if path.is_file() else 0.0


def _line(trial: "Trial") -> str:
    score = "no score" if trial.score is None else f"{trial.score:.6g}"
    moved = "" if trial.delta is None else f" ({trial.delta:+.4g})"
    return f"{trial.trial_id} {trial.label} {score}{moved} {trial.change or trial.notes}"


def _summary(found: "TrialSet") -> dict[str, Any]:
    from evotrainer.report.trials import trials_data

    return trials_data(found)


def _root() -> Path:
    from flows.workspace.worktree import project_root

    return project_root()
