"""`evotrainer intervention | evidence check`: code on rows, and rows themselves."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.common import Columns, Json, RowsPath, named_path, print_json, print_rows, version_of
from cli.program import Listing
from evotrainer.errors import ConfigError, EvidenceError, LineageError

if TYPE_CHECKING:
    from evotrainer.config import Config

intervention = typer.Typer(cls=Listing, no_args_is_help=True, help="Look at an intervention before it is tried.")
evidence = typer.Typer(cls=Listing, no_args_is_help=True, help="Look at what a trainer writes of its attempts.")


@intervention.callback()
def interventions() -> None:
    """Look at an intervention before it is tried."""


@intervention.command("check")
def check_intervention(
    file: Annotated[Path, typer.Argument(help="A .py file with one function, or a .yaml file that names some.")],
    on: Annotated[str | None, typer.Option("--on", help="NAME/VERSION, whose rollout it is examined on.")] = None,
    trajectories: RowsPath = None,
    json: Json = False,
) -> None:
    """Say what code would do on stored rows, and whether it may train; exit with 1 where it may not."""
    if (on is None) == (trajectories is None):
        raise EvidenceError("say what to examine it on: --on NAME/VERSION, or --trajectories FILE")
    evidence = stored_evidence(on) if on is not None else foreign_evidence(trajectories)
    found = [examined(key, source, *evidence) for key, source in code_sources(file)]
    is_refused = any(one["refusals"] for one in found)
    if json:
        print_json({"file": str(file), "may_train": not is_refused, "code": found})
    else:
        _print(found)
    raise typer.Exit(1 if is_refused else 0)


def examined(key: str, source: str, recipe: "Config", rows: Any, problems: list[Any], code: Any) -> dict[str, Any]:
    """Return why code may not train, and what a recipe makes of stored rows without and with it, where it may."""
    from evotrainer.algorithm.code import RecipeCode
    from evotrainer.algorithm.code.examination import refusals
    from evotrainer.backtests.replay import replay
    from evotrainer.config.code import reference
    from evotrainer.config.interventions import with_values

    found: dict[str, Any] = {"key": key, "refusals": refusals(key, source, rows, problems), "numbers": {}}
    if not found["refusals"]:
        value, code = reference(source), RecipeCode({**code.sources, reference(source): source})
        pair = [vars(replay(rows.graded, with_values(recipe, {key: one}), code)) for one in ("", value)]
        found["numbers"] = {name: [one[name] for one in pair] for name in pair[0]}
    return found


def code_sources(file: Path) -> list[tuple[str, str]]:
    """Return (key, text) of the code in a file, or beside a written intervention."""
    from evotrainer.config.code import CODE_KEYS, check_source, key_of
    from evotrainer.config.interventions import read_written

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


def stored_evidence(on: str) -> tuple[Any, ...]:
    """Return what an examination takes of a version, named as NAME/VERSION."""
    name, _, version = on.partition("/")
    files, own = version_of(name, version)
    return evidence_of(files, own.root.name)


def evidence_of(files: Any, version: str) -> tuple[Any, ...]:
    """Return recipe, rollout, train pool and code of a version, as an examination takes them."""
    from evotrainer.algorithm.code import RecipeCode
    from evotrainer.campaign.repository import read_code
    from evotrainer.config import load_config
    from evotrainer.domains.problem_sets.loading import load_problems
    from evotrainer.evidence.rows import Rows

    own = files.version(version)
    if not (own.rollout.is_dir() and own.config.is_file()):
        raise LineageError(f"{version} has no rollout and recipe: name a version that was proposed, like v001")
    recipe = load_config(own.config)
    problems = load_problems(files.root, recipe.domain, "train")
    return recipe, Rows.read(own.rollout), problems, RecipeCode(read_code(own.code, recipe))


def foreign_evidence(trajectories: Path | None) -> tuple[Any, ...]:
    """Return the default recipe and rows of a file, as an examination takes them."""
    from evotrainer.algorithm.code import NO_CODE
    from evotrainer.algorithm.rewards import terms_of
    from evotrainer.config import Config
    from evotrainer.evidence.foreign.reading import read_foreign_rows
    from evotrainer.evidence.rows import Rows

    assert trajectories is not None
    recipe, rows = Config(), list(read_foreign_rows(trajectories).rows.graded)
    budget = recipe.sampling.max_response_tokens * recipe.sampling.max_turns
    for place, row in enumerate(rows):
        known = {"correct": row.correct or 0.0, **row.reward_terms}
        terms = terms_of(known, row.num_tokens, budget, row.is_truncated)
        rows[place] = row.model_copy(update={"reward_terms": terms})
    return recipe, Rows.of(rows), [], NO_CODE


def _print(found: list[Any]) -> None:
    for one in found:
        print(f"{one['key']}: {'refused' if one['refusals'] else 'may train'}")
        for reason in one["refusals"]:
            print(f"  {reason}")
        if one["numbers"]:
            shown = [[name, *(f"{value:.4g}" for value in pair)] for name, pair in one["numbers"].items()]
            print_rows(["number", "without", "with"], shown)


@evidence.callback()
def evidences() -> None:
    """Look at what a trainer writes of its attempts."""


@evidence.command("check")
def check_evidence(
    path: Annotated[Path, typer.Argument(parser=named_path, metavar="PATH", help="A file, a folder or a pattern.")],
    source: Annotated[str, typer.Option("--from", help="Their format; without it, it is recognised.")] = "",
    columns: Columns = None,
    json: Json = False,
) -> None:
    """Say which columns of the evidence contract rows lack, and what that costs; 1 where a needed one is missing."""
    from cli.diagnose import mapping_of
    from evotrainer.diagnosis.contract import held
    from tasks.diagnose.foreign import diagnosed, read_evidence

    foreign, rows = read_evidence(path, source, mapping_of(columns))
    found = held(foreign.roles, rows, diagnosed(foreign, rows))
    needed = [one.wanted.name for one in found if one.wanted.is_required and not one.found_as]
    if json:
        cells = [{"column": one.wanted.name, "found_as": one.found_as, "checks": one.checks} for one in found]
        print_json({"columns": cells, "needed": needed, "notes": foreign.notes})
    else:
        _print_held(found, foreign.notes)
    if needed:
        raise SystemExit(1)


def _print_held(found: list[Any], notes: list[str]) -> None:
    """Print what is missing, those that are needed first, then what is there."""
    missing = sorted(
        (one for one in found if not one.found_as), key=lambda one: (not one.wanted.is_required, -one.checks)
    )
    cells = [
        [
            f"{one.wanted.name}{' (needed)' if one.wanted.is_required else ''}",
            one.wanted.kind,
            one.checks or "",
            one.wanted.without,
        ]
        for one in missing
    ]
    print_rows(["missing", "write", "checks silent", "without it unknown"], cells)
    print_rows(["found", "as"], [[one.wanted.name, one.found_as] for one in found if one.found_as])
    for note in notes:
        print(f"note: {note}")
