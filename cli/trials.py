"""`evotrainer trials | script | memory`: lineages of trials, of other systems and of scripts; what campaigns taught."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.common import Json, checkout, print_json, print_rows
from cli.program import resumes
from evotrainer.errors import ConfigError, LineageError

if TYPE_CHECKING:
    from evotrainer.records import Trial, TrialSet


def trials(
    name: Annotated[str, typer.Argument(help="A table of trials (.tsv) to import, or a lineage of trials.")],
    stored: Annotated[str, typer.Option("--name", help="Of an imported lineage; else the file's own.")] = "",
    score: Annotated[str, typer.Option("--score", help="Column of the score; else the one after status.")] = "",
    better: Annotated[str, typer.Option("--better", help="lower or higher; else as the kept trials show.")] = "",
    json: Json = False,
) -> None:
    """Show a lineage of trials: labels by author, what was kept, the best chain, how predictions came true.

    A tab-separated table, one trial a row, is imported first; what is odd about it is named with line numbers.
    """
    from evotrainer.campaign.trials import best_chain, find_trials, leaderboard, skills
    from evotrainer.records import TRIAL_LABELS
    from evotrainer.records.base import count_of
    from evotrainer.report.words import SKILL_COLUMNS, skill_row

    found = _imported(Path(name), stored, score, better) if name.endswith(".tsv") else find_trials(checkout(), name)
    if json:
        print_json(found.model_dump(mode="json"))
        return
    for kind, count in Counter(note.kind for note in found.notes).items():
        print(f"{count} odd ({kind}): lines {', '.join(str(one.line) for one in found.notes if one.kind == kind)}")
    print(f"{count_of(len(found.trials), 'trial')} of {found.name}: {found.score_name}, {found.better} is better")
    counts = Counter((trial.specialist, trial.label) for trial in found.trials)
    authors = sorted({trial.specialist for trial in found.trials})
    labels = [label for label in TRIAL_LABELS if any(counts[one, label] for one in authors)]
    if labels:
        print_rows(["author", *labels], [[one, *(str(counts[one, label]) for label in labels)] for one in authors])
    print("kept trials, the best first:")
    kept = [
        [one.trial_id, "+".join(one.parents), one.specialist, f"{one.score:.6g}", _why(one)]
        for one in leaderboard(found.trials, found.better)
    ]
    print_rows(["trial", "from", "author", found.score_name, "hypothesis or change"], kept)
    if predicted := [skill_row(skill) for skill in skills(found.trials) if skill.predictions]:
        print_rows(SKILL_COLUMNS, predicted)
    print(f"best chain: {' -> '.join(best_chain(found.trials, found.better)) or 'none'}")


def _why(trial: "Trial") -> str:
    return " ".join((trial.hypothesis or trial.change or trial.notes or trial.label).split())[:90]


def _imported(file: Path, name: str, score: str, better: str) -> "TrialSet":
    """Read trial records into a lineage and return it; raises LineageError for a name that holds another import."""
    from evotrainer.campaign.trials import read_trials, stored_trials

    if better not in ("", "lower", "higher"):
        raise ConfigError(f"--better {better!r} is unknown: choose from lower, higher")
    document = stored_trials(checkout(), name or file.stem.lower().replace(".", "-"))
    found = read_trials(file, document.path.parent.name, score, better or None)  # type: ignore[arg-type]
    if document.exists() and document.read() != found:
        raise LineageError(f"trials/{found.name} holds another import: choose another name with --name")
    document.write(found)
    return found


def script(
    overrides: Annotated[
        list[str] | None, typer.Argument(help="Who edits: trainer=rules or trainer=claude, with its settings.")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="With script.yaml; else the example that ships.")] = None,
    name: Annotated[str, typer.Option("--name", help="Of the lineage; else the folder's own.")] = "",
    num_trials: Annotated[int, typer.Option("--trials", min=1, help="Beside the baseline.")] = 20,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**32, help="Of the order of the rules' untried edits.")
    ] = 0,
) -> None:
    """Search a training script, or go on: each edit is a trial in the sandbox under limits of time and size."""
    from conf.compose import compose_campaign
    from evotrainer.agents import AgentRecord, check_editor, make_editor
    from evotrainer.agents.record import recorded_answers
    from evotrainer.domains.script.search import ScriptSearch
    from evotrainer.domains.script.trial import EXAMPLE

    chosen = folder or EXAMPLE
    config = compose_campaign(overrides or [])
    check_editor(config)
    resumes()
    search = ScriptSearch(checkout(), chosen, name or chosen.resolve().name.lower())
    answers = search.folder / "agent.jsonl"
    spent = sum(answer.dollars for answer in recorded_answers(answers)) if answers.is_file() else 0.0
    with AgentRecord(answers, lambda: spent) as record:
        search.run(num_trials, make_editor(config, record, seed), lambda trial: print(_line(trial), flush=True))
    print(f"best: {search.leader.trial_id} {search.task.score} {search.leader.score:.6g}")
    print(f"noise_floor: {search.noise_floor:.4g}")
    if record.refused:
        print(f"refused: {len(record.refused)}, the last: {record.refused[-1]}")
    if record.spent:
        print(f"dollars: {record.spent:.4f}")


def _line(trial: "Trial") -> str:
    score = "no score" if trial.score is None else f"{trial.score:.6g}"
    moved = "" if trial.delta is None else f" ({trial.delta:+.4g})"
    return f"{trial.trial_id} {trial.label} {score}{moved} {trial.change or trial.notes}"


def memory(
    name: Annotated[str, typer.Argument(help="A skill, or a factor like learning_rate; without it, all skills.")] = "",
    json: Json = False,
) -> None:
    """Show what earlier campaigns taught: all skills, one skill, or the cases that changed a factor."""
    from evotrainer.campaign.memory import skill_text

    found = _memory()
    cases = found.skills.get(name) or [case for case in found.cases if not name or name in case.factor.split("+")]
    if name and not cases:
        raise LineageError(
            f"there is no skill or factor '{name}': {', '.join(found.skills) or 'nothing was taught yet'}"
        )
    if json:
        print_json({"skills": list(found.skills), "cases": [case.model_dump(mode="json") for case in cases]})
    elif name in found.skills:
        print(skill_text(name, cases))
    elif name:
        rows = [
            [f"{one.campaign}/{one.version}", one.domain, one.outcome, _signed(one.difference), ", ".join(one.findings)]
            for one in cases
        ]
        print_rows(["case", "domain", "outcome", "difference", "findings"], rows)
    else:
        proven = {skill: sorted({one.domain for one in kept if one.lesson}) for skill, kept in found.skills.items()}
        rows = [[skill, str(len(found.skills[skill])), ", ".join(domains)] for skill, domains in proven.items()]
        print_rows(["skill", "cases", "proven in"], rows)
        print(f"{len(rows)} skills, {len(cases)} cases of {len(found.campaigns)} campaigns")


def _signed(difference: float | None) -> str:
    return "" if difference is None else f"{difference:+.4f}"


def _memory() -> Any:
    import tempfile

    from flows.workspace.memory import read_memory

    with tempfile.TemporaryDirectory() as folder:
        return read_memory(checkout(), Path(folder))
