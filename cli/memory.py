"""`evotrainer memory`: what earlier campaigns taught, as it stands on branch `memory`."""

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.output import Json, print_json, print_rows
from cli.program import Listing

app = typer.Typer(cls=Listing, no_args_is_help=True, help="Read what earlier campaigns taught.")


@app.command()
def skills(json: Json = False) -> None:
    """List the skills: standing, record, domains, what they do."""
    from evotrainer.campaign.memory.skill_file import change_text

    memory = _memory()
    if json:
        print_json([skill.model_dump(mode="json") for skill in memory.skills])
        return
    print_rows(
        ["skill", "standing", "successes", "failures", "domains", "does"],
        [
            [
                skill.name,
                skill.standing,
                skill.successes,
                skill.failures,
                ", ".join(skill.domains),
                "; ".join(map(change_text, skill.changes)),
            ]
            for skill in memory.skills
        ],
    )
    print(
        f"{len(memory.skills)} skills, {len(memory.cases)} cases, {len(memory.ledger)} versions of "
        f"{len(memory.campaigns)} campaigns"
    )


@app.command()
def cards(json: Json = False) -> None:
    """List the evolved diagnostics that campaigns left: candidates of later ones, never in force unasked."""
    found = _memory().cards
    if json:
        print_json([card.model_dump(mode="json") for card in found])
        return
    print_rows(
        ["card", "standing", "held", "failed", "domains", "says", "also"],
        [
            [
                card.name,
                card.standing,
                card.successes,
                card.failures,
                ", ".join(card.domains),
                card.formula,
                ", ".join(card.also),
            ]
            for card in found
        ],
    )


@app.command()
def predictor(json: Json = False) -> None:
    """Show which number of a replay tells gains on campaigns that were left out, and whether it enters backtests."""
    from evotrainer.backtests.learned import search_learned

    found = search_learned(_memory().cases)
    if json:
        print_json(
            {
                "enters": found.term.name if found.term else None,
                "slope": found.term.slope if found.term else None,
                "reason": found.reason,
                "error": found.error if found.errors else None,
                "errors": dict(found.errors or {}),
                "p": found.p if found.errors else None,
            }
        )
        return
    ranked = sorted((found.errors or {}).items(), key=lambda one: one[1])
    print_rows(["number of the replay", "error with it"], [[name, f"{error:.4f}"] for name, error in ranked])
    print(found.reason)


@app.command()
def cases(
    factor: Annotated[str, typer.Option(help="Only cases that changed this factor.")] = "", json: Json = False
) -> None:
    """List the cases: on what evidence something was tried, and how it ended."""
    found = [case for case in _memory().cases if not factor or factor in case.factor.split("+")]
    if json:
        print_json([case.model_dump(mode="json") for case in found])
        return
    print_rows(
        ["case", "domain", "factor", "findings", "outcome", "difference"],
        [
            [
                f"{case.campaign}/{case.version}",
                case.domain,
                case.factor,
                ", ".join(case.findings),
                case.outcome,
                "" if case.difference is None else f"{case.difference:+.4f}",
            ]
            for case in found
        ],
    )


@app.command()
def show(name: Annotated[str, typer.Argument(help="A skill.")], json: Json = False) -> None:
    """Print one skill as SKILL.md has it."""
    from evotrainer.campaign.memory.skill_file import skill_text
    from evotrainer.errors import LineageError

    skills = {skill.name: skill for skill in _memory().skills}
    if name not in skills:
        raise LineageError(f"there is no skill '{name}': {', '.join(skills) or 'none was distilled yet'}")
    if json:
        print_json(skills[name].model_dump(mode="json"))
    else:
        print(skill_text(skills[name]))


def _memory() -> Any:
    from flows.workspace.memory_branch import read_memory
    from flows.workspace.worktree import project_root

    with tempfile.TemporaryDirectory() as folder:
        return read_memory(project_root(), Path(folder))
