"""Starting a campaign, or finding the one that was started: its worktree and its frozen configuration.

All settings are checked before a worktree is made. Problems and policies from outside of the repository are copied in
and versioned by DVC, so that the campaign reproduces elsewhere. scratch/starting/NAME.json keeps the settings until the
branch of the campaign begins: a start that was cut short begins anew with them.
"""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from conf.compose import write_campaign
from evotrainer.campaign.documents import remove_partial, write_atomic, write_json_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.errors import EvoTrainerError, LineageError, PolicyError
from flows.workspace.checks import SIGNAL, Check, examine
from flows.workspace.closed_versions import certificate_commit, check_declared, check_open, restore_tracked
from flows.workspace.git import commit
from flows.workspace.memory import take_snapshot
from flows.workspace.own_files import OWN_CHECKS, import_files, outside_files
from flows.workspace.worktree import (
    Workspace,
    check_name,
    check_startable,
    clear,
    find_campaign,
    lay_out,
    name_branch,
    no_campaign,
)
from tasks.running.progress import progress

HEAD = ("preset", "tool calls")
"""Checks whose result the first lines of a campaign say, beside warnings."""
_NUM_SEEDS = 2**32
"""Size of the seed space of scheduled campaigns; a seed has at most ten digits."""


def fill_in(template: str, settings: Sequence[str], now: datetime) -> tuple[str, list[str]]:
    """Return a campaign's name, with %Y, %m, %d, %H, %M, %S of its template filled in, and its settings.

    Campaigns of one template differ in nothing but their names, and every draw is keyed by the campaign's seed. So that
    each is an experiment of its own, it gets a seed that follows from its name, unless one is set.
    """
    name = check_name(now.strftime(template))
    is_seeded = any(setting.partition("=")[0].strip().lstrip("+") == "seed" for setting in settings)
    if name == template or is_seeded:
        return name, list(settings)
    return name, [*settings, f"seed={derive_seed(0, 'campaign', name) % _NUM_SEEDS}"]


def known_settings(main: Path, name: str) -> list[str]:
    """Return what a name without settings means: those of a start that was cut short, none for a campaign that exists.

    Raises LineageError where there is neither.
    """
    if Workspace(main, name).exists():
        return []
    if (note := _note_of_start(main, name)).is_file():
        return json.loads(note.read_text(encoding="utf-8"))
    raise no_campaign(main, name)


def _note_of_start(main: Path, name: str) -> Path:
    return main / "scratch" / "starting" / f"{name}.json"


def examine_campaign(main: Path, name: str, overrides: Sequence[str]) -> list[Check]:
    """Return what is to be said of a campaign before it starts; raises LineageError for one that has started."""
    if Workspace(main, name).exists():
        raise LineageError(f"campaign '{name}' has started: `evotrainer campaign status {name}` says where it stands")
    return examine(main, overrides, CampaignFiles(main)).checks


def start_campaign(
    main: Path, name: str, overrides: Sequence[str], require_clean: bool, confirm: Callable[[], bool] = lambda: False
) -> Workspace:
    """Return the campaign with this name, started if it is new; raises when it was started with other settings.

    The campaign's lock must be held. `confirm` asks whether to start a training that has nothing to learn from.
    """
    workspace = Workspace(main, check_name(name))
    if not workspace.exists():
        return _start(main, name, overrides, require_clean, confirm)
    workspace = find_campaign(main, name)
    _note_of_start(main, name).unlink(missing_ok=True)
    remove_partial(workspace.root)
    if restored := restore_tracked(workspace):
        progress().line(f"restored as committed: {', '.join(restored)}")
    _check_same_settings(workspace, overrides)
    if certificate_commit(workspace) is None:
        check_declared(workspace)
    return workspace


def _start(
    main: Path, name: str, overrides: Sequence[str], require_clean: bool, confirm: Callable[[], bool]
) -> Workspace:
    note = _note_of_start(main, name)
    if note.is_file():
        shown = " ".join(overrides) or "the default settings"
        progress().line(f"the start of campaign '{name}' was cut short: it begins anew, with {shown}")
    write_json_atomic(note, list(overrides))
    try:
        workspace = _start_anew(main, name, overrides, require_clean, confirm)
    except (OSError, EvoTrainerError):  # it cannot start so: what is repeated needs other settings
        note.unlink(missing_ok=True)
        raise
    note.unlink()
    return workspace


def _start_anew(
    main: Path, name: str, overrides: Sequence[str], require_clean: bool, confirm: Callable[[], bool]
) -> Workspace:
    found = examine(main, overrides, embedded=None)
    for check in found.checks:
        if check.state == "warning" or check.name in HEAD:
            progress().line(f"{check.name}: {check.message}")
    found.raise_first()
    if any(check.name == SIGNAL for check in found.checks) and not confirm():
        raise PolicyError("not started, since training would have nothing to learn from (see above)")
    outside = outside_files(main, found.config)
    check_startable(main, name, require_clean)
    workspace = Workspace(main, name)
    try:
        _fill(workspace, found.config, overrides, outside)
    except (OSError, EvoTrainerError):  # the disk is full, as a rule: what was written must not fill it further
        clear(workspace)
        raise
    return workspace


def _fill(workspace: Workspace, config: Config, overrides: Sequence[str], outside: dict[str, Path]) -> None:
    """Make the worktree and its first commits; the branch begins last, so that a campaign with a branch is whole."""
    if changed := lay_out(workspace):
        progress().line(
            f"{len(changed)} uncommitted files became a snapshot on branch {workspace.branch}: "
            f"{', '.join(changed[:3])}{' ...' if len(changed) > 3 else ''}"
        )
    import_files(workspace, config, outside)
    write_atomic(workspace.overrides, "".join(f"{override}\n" for override in sorted(overrides)))
    write_campaign(workspace.files, config)
    own_checks = ["harness_plugins"] if OWN_CHECKS in config.harness.plugins else []
    commit(workspace.root, f"Start campaign {workspace.name}", ["conf", *own_checks])
    take_snapshot(workspace)
    name_branch(workspace)


def _check_same_settings(workspace: Workspace, overrides: Sequence[str]) -> None:
    used = workspace.overrides.read_text().splitlines()
    if overrides and sorted(overrides) != used:
        check_open(workspace)
        raise LineageError(
            f"campaign '{workspace.name}' was started with other settings ({' '.join(used) or 'none'}): "
            "leave the settings out to go on with it, or choose another name"
        )
