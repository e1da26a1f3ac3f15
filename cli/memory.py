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
    """List the changes that were proven: cases of each, and the domains that proved it."""
    memory = _memory()
    rows = [
        [name, len(cases), ", ".join(sorted({case.domain for case in cases if case.lesson}))]
        for name, cases in memory.skills.items()
    ]
    if json:
        print_json([{"name": name, "cases": count, "domains": domains} for name, count, domains in rows])
        return
    print_rows(["skill", "cases", "proven in"], [[name, str(count), domains] for name, count, domains in rows])
    print(
        f"{len(rows)} skills, {len(memory.cases)} cases, {len(memory.ledger)} versions of "
        f"{len(memory.campaigns)} campaigns"
    )


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
    from evotrainer.campaign.memory import skill_text
    from evotrainer.errors import LineageError

    skills = _memory().skills
    if name not in skills:
        raise LineageError(f"there is no skill '{name}': {', '.join(skills) or 'none was distilled yet'}")
    if json:
        print_json([case.model_dump(mode="json") for case in skills[name]])
    else:
        print(skill_text(name, skills[name]))


def _memory() -> Any:
    from flows.workspace.memory import read_memory
    from flows.workspace.worktree import project_root

    with tempfile.TemporaryDirectory() as folder:
        return read_memory(project_root(), Path(folder))
