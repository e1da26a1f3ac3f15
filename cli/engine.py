"""`evotrainer engine`: what the engines of a configuration would do, before anything is started."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.output import Json, print_json, print_rows
from cli.program import Listing

if TYPE_CHECKING:
    from evotrainer.config import Config
    from evotrainer.training.base import EngineReport

app = typer.Typer(cls=Listing, no_args_is_help=True, help="Check the engines of a configuration.")


@app.callback()
def group() -> None:
    """Check the engines of a configuration."""


@app.command()
def check(
    settings: Annotated[list[str] | None, typer.Argument(help="KEY=VALUE, as for a campaign.")] = None,
    json: Json = False,
) -> None:
    """Show what the training engine makes of a recipe, what it refuses, and what either engine lacks; 1 where one does.

    Nothing is started and nothing is written.
    """
    from conf.compose import compose_campaign
    from evotrainer.training import create_train_engine

    config = compose_campaign(settings or [])
    policy = _policy(config)
    report, rollout = create_train_engine(config).examine(config, policy), _rollout_lacks(config, policy)
    if json:
        print_json({**vars(report), "rollout_missing": rollout})
    else:
        _show(config.engine.train, report)
        print(f"engine.rollout={config.engine.rollout}: {f'cannot start: {rollout}' if rollout else 'can start'}")
    raise typer.Exit(1 if report.refused or report.missing or rollout else 0)


def _rollout_lacks(config: "Config", policy: Path) -> str:
    """Return why the rollout engine cannot start here, or nothing."""
    from evotrainer.engines import absent_policy, check_rollout_engine
    from evotrainer.errors import EvoTrainerError

    try:
        check_rollout_engine(config)
    except EvoTrainerError as error:
        return str(error)
    return absent_policy(config, policy)


def _policy(config: "Config") -> Path:
    from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
    from evotrainer.engines import policy_path
    from flows.workspace.worktree import project_root

    return policy_path(CampaignFiles(project_root()), config, BASE_VERSION)


def _show(engine: str, report: "EngineReport") -> None:
    if report.mapping:
        print_rows(["keys", "what becomes of them"], report.mapping)
    for title in ("refused", "missing", "differs"):
        for sentence in getattr(report, title):
            print(f"{title}: {sentence}")
    if report.command:
        print(f"command: {shlex.join(report.command)}")
    state = "cannot start" if report.refused or report.missing else "can start"
    print(f"engine.train={engine}: {state}")
