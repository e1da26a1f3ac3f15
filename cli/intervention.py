"""`evotrainer intervention`: what an intervention's code would do on stored rows, before anything is trained."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.output import Json, print_json, print_rows
from cli.paths import named_path
from cli.program import Listing

REFUSED_STATUS = 1

app = typer.Typer(cls=Listing, no_args_is_help=True, help="Look at an intervention before it is tried.")


@app.callback()
def group() -> None:
    """Look at an intervention before it is tried."""


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A .py file with one function, or a .yaml file that names some.")],
    on: Annotated[str | None, typer.Option("--on", help="NAME/VERSION, whose rollout it is examined on.")] = None,
    trajectories: Annotated[
        Path | None,
        typer.Option("--trajectories", parser=named_path, metavar="<path>", help="A .jsonl or .parquet file."),
    ] = None,
    json: Json = False,
) -> None:
    """Say what code would do on stored rows, and whether it may train; exit with 1 where it may not."""
    from evotrainer.errors import EvidenceError

    if (on is None) == (trajectories is None):
        raise EvidenceError("say what to examine it on: --on NAME/VERSION, or --trajectories FILE")
    found = _examine(file, on, trajectories)
    is_refused = any(one.refusals for one in found)
    if json:
        shown = [{"key": one.key, "numbers": one.numbers, "refusals": one.refusals} for one in found]
        print_json({"file": str(file), "may_train": not is_refused, "code": shown})
    else:
        _print(found)
    if is_refused:
        raise typer.Exit(REFUSED_STATUS)


def _examine(file: Path, on: str | None, trajectories: Path | None) -> list[Any]:
    from evotrainer.algorithm.code.examination import examine

    rows, problems, recipe, code = _stored(on) if on is not None else _foreign(trajectories)
    return [examine(key, source, recipe, rows, problems, code) for key, source in _sources(file)]


def _sources(file: Path) -> list[tuple[str, str]]:
    """Return (key, text) of the code in a file, or beside a written intervention."""
    from evotrainer.config.code import CODE_KEYS, check_source, key_of
    from evotrainer.config.written import read_written
    from evotrainer.errors import ConfigError

    if file.suffix == ".yaml":
        written = read_written(file)
        found = [(key, written.files[value]) for key, value in written.setting.items() if key in CODE_KEYS and value]
        if not found:
            raise ConfigError(f"{file} names no code: it changes {', '.join(written.setting) or 'nothing'}")
        return found
    try:
        source = file.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    key = key_of(source)
    check_source(key, source)
    return [(key, source)]


def _stored(on: str) -> tuple[Any, Any, Any, Any]:
    from evotrainer.campaign.layout import parse_version
    from flows.workspace.worktree import find_campaign, find_version, project_root

    name, _, version = on.partition("/")
    workspace = find_campaign(project_root(), name)
    return evidence_of(workspace.files, find_version(workspace, parse_version(version)))


def evidence_of(files: Any, version: str) -> tuple[Any, Any, Any, Any]:
    """Return the rollout of a version, its train pool, its recipe and the code that this names."""
    from evotrainer.algorithm.code import RecipeCode
    from evotrainer.campaign.code_files import read_code
    from evotrainer.config import load_config
    from evotrainer.domains.problem_sets.loading import load_problems
    from evotrainer.errors import LineageError
    from evotrainer.evidence.rows import Rows

    own = files.version(version)
    if not (own.rollout.is_dir() and own.config.is_file()):
        raise LineageError(f"{version} has no rollout and recipe: name a version that was proposed, like v001")
    recipe = load_config(own.config)
    problems = load_problems(files.root, recipe.domain, "train")
    return list(Rows.read(own.rollout)), problems, recipe, RecipeCode(read_code(own.code, recipe))


def _foreign(trajectories: Path | None) -> tuple[Any, Any, Any, Any]:
    """Return rows of a file, and the default recipe."""
    from evotrainer.algorithm.code import NO_CODE
    from evotrainer.config import Config
    from evotrainer.evidence.foreign.reading import read_foreign_rows

    assert trajectories is not None
    return list(read_foreign_rows(trajectories).rows), [], Config(), NO_CODE


def _print(found: list[Any]) -> None:
    for one in found:
        print(f"{one.key}: {'refused' if one.refusals else 'may train'}")
        for reason in one.refusals:
            print(f"  {reason}")
        if one.numbers:
            print_rows(["number", "value"], [[name, f"{value:.4g}"] for name, value in one.numbers.items()])
