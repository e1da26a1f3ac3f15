"""`evotrainer engine | intervention check`: a recipe for an engine, and code on rows."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.opening import checkout, version_of
from cli.output import Json, RowsPath, Settings, print_json, print_rows
from cli.program import Listing

if TYPE_CHECKING:
    from evotrainer.config import Config
    from evotrainer.training.base import EngineReport

engine = typer.Typer(cls=Listing, no_args_is_help=True, help="Check the engines of a configuration.")
intervention = typer.Typer(cls=Listing, no_args_is_help=True, help="Look at an intervention before it is tried.")


@engine.callback()
def engines() -> None:
    """Check the engines of a configuration."""


@engine.command("check")
def check_engine(settings: Settings = None, json: Json = False) -> None:
    """Show what the training engine makes of a recipe, what it refuses, and what either engine lacks; 1 where one does.

    Nothing is started and nothing is written.
    """
    from conf.compose import compose_campaign
    from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
    from evotrainer.engines import policy_path
    from evotrainer.training import create_train_engine

    config = compose_campaign(settings or [])
    policy = policy_path(CampaignFiles(checkout()), config, BASE_VERSION)
    report, lacking = create_train_engine(config).examine(config, policy), _rollout_lacks(config, policy)
    if json:
        print_json({**vars(report), "rollout_missing": lacking})
    else:
        _show(config.engine.train, report)
        print(f"engine.rollout={config.engine.rollout}: {f'cannot start: {lacking}' if lacking else 'can start'}")
    raise typer.Exit(1 if report.refused or report.missing or lacking else 0)


def _rollout_lacks(config: "Config", policy: Path) -> str:
    """Return why the rollout engine cannot start here, or nothing."""
    from evotrainer.engines import absent_policy, check_rollout_engine
    from evotrainer.errors import EvoTrainerError

    try:
        check_rollout_engine(config)
    except EvoTrainerError as error:
        return str(error)
    return absent_policy(config, policy)


def _show(name: str, report: "EngineReport") -> None:
    if report.mapping:
        print_rows(["keys", "what becomes of them"], report.mapping)
    for title in ("refused", "missing", "differs"):
        for sentence in getattr(report, title):
            print(f"{title}: {sentence}")
    if report.command:
        print(f"command: {shlex.join(report.command)}")
    print(f"engine.train={name}: {'cannot start' if report.refused or report.missing else 'can start'}")


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
    from evotrainer.algorithm.code.examination import examine
    from evotrainer.errors import EvidenceError

    if (on is None) == (trajectories is None):
        raise EvidenceError("say what to examine it on: --on NAME/VERSION, or --trajectories FILE")
    evidence = stored_evidence(on) if on is not None else foreign_evidence(trajectories)
    found = [examine(key, source, *evidence) for key, source in code_sources(file)]
    is_refused = any(one.refusals for one in found)
    if json:
        shown = [{"key": one.key, "numbers": one.numbers, "refusals": one.refusals} for one in found]
        print_json({"file": str(file), "may_train": not is_refused, "code": shown})
    else:
        _print(found)
    raise typer.Exit(1 if is_refused else 0)


def code_sources(file: Path) -> list[tuple[str, str]]:
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
    from evotrainer.errors import LineageError
    from evotrainer.evidence.rows import Rows

    own = files.version(version)
    if not (own.rollout.is_dir() and own.config.is_file()):
        raise LineageError(f"{version} has no rollout and recipe: name a version that was proposed, like v001")
    recipe = load_config(own.config)
    problems = load_problems(files.root, recipe.domain, "train")
    return recipe, list(Rows.read(own.rollout)), problems, RecipeCode(read_code(own.code, recipe))


def foreign_evidence(trajectories: Path | None) -> tuple[Any, ...]:
    """Return the default recipe and rows of a file, as an examination takes them."""
    from evotrainer.algorithm.code import NO_CODE
    from evotrainer.config import Config
    from evotrainer.evidence.foreign.reading import read_foreign_rows

    assert trajectories is not None
    return Config(), list(read_foreign_rows(trajectories).rows), [], NO_CODE


def _print(found: list[Any]) -> None:
    for one in found:
        print(f"{one.key}: {'refused' if one.refusals else 'may train'}")
        for reason in one.refusals:
            print(f"  {reason}")
        if one.numbers:
            print_rows(["number", "value"], [[name, f"{value:.4g}"] for name, value in one.numbers.items()])
