"""Starting a campaign, or finding the one that was started: its worktree and its frozen configuration.

All settings are checked before anything is written. Problems and policies from outside of the repository are copied in
and versioned by DVC, so that the campaign reproduces elsewhere.
"""

import os
import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from conf.compose import compose_campaign, write_campaign
from evotrainer.agents import ProposalContext, check_agent
from evotrainer.agents.written import build_written
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.config.written import read_written
from evotrainer.diagnosis.harness import Harness
from evotrainer.domains import domain_tools
from evotrainer.domains.problem_sets.check import check_set
from evotrainer.domains.problem_sets.columns import Reading, reading_of
from evotrainer.domains.problem_sets.copying import copy_problems, is_whole
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.tool_use import tool_use
from evotrainer.errors import ConfigError, HarnessError, LineageError
from evotrainer.records import HarnessReport
from evotrainer.training import check_trainable
from flows.workspace.git import commit, untracked
from flows.workspace.memory import take_snapshot
from flows.workspace.policy_defaults import check_defaults
from flows.workspace.worktree import Workspace, check_name, create, delete, find_campaign
from tasks.running.progress import progress

IMPORTED = "imported"
RECORD = "agent.jsonl"
_ANSWERS = f"{IMPORTED}/answers"
_AUDIT = f"{IMPORTED}/audit"
_PLUGINS = "harness_plugins"
_INTERVENTIONS = "conf/intervention"
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


def start_campaign(main: Path, name: str, overrides: Sequence[str], require_clean: bool) -> Workspace:
    """Return the campaign with this name, started if it is new; raises when it was started with other settings."""
    if not Workspace(main, check_name(name)).exists():
        return _start(main, name, overrides, require_clean)
    workspace = find_campaign(main, name)
    if not workspace.files.config.is_file():
        delete(workspace)  # killed between branch and first commit: nothing of value is there
        return _start(main, name, overrides, require_clean)
    _check_same_settings(workspace, overrides)
    return workspace


def _start(main: Path, name: str, overrides: Sequence[str], require_clean: bool) -> Workspace:
    config = compose_campaign(overrides)
    check_trainable(config)
    check_agent(config)
    _check_plugins(main, config)
    _check_written(main, config)
    outside = _outside(main, config)
    if config.policy.path:
        check_defaults(_source(main, config.policy.path), config, overrides)
    _check_tools(main, config)
    workspace, changed = create(main, name, require_clean)
    if changed:
        progress().line(
            f"{len(changed)} uncommitted files became a snapshot on branch {workspace.branch}: "
            f"{', '.join(changed[:3])}{' ...' if len(changed) > 3 else ''}"
        )
    _import(main, workspace, config, outside)
    (workspace.root / "conf" / "overrides.txt").write_text("".join(f"{override}\n" for override in sorted(overrides)))
    write_campaign(workspace.files, config)
    commit(workspace.root, f"Start campaign {name}", ["conf"])
    take_snapshot(workspace)
    return workspace


def _check_same_settings(workspace: Workspace, overrides: Sequence[str]) -> None:
    used = (workspace.root / "conf" / "overrides.txt").read_text().splitlines()
    if overrides and sorted(overrides) != used:
        raise LineageError(
            f"campaign '{workspace.name}' was started with other settings ({' '.join(used) or 'none'}): "
            "leave the settings out to go on with it, or choose another name"
        )


def _check_plugins(main: Path, config: Config) -> None:
    """Raise HarnessError for diagnostics that do not load, and for those that git does not track."""
    Harness(main / _PLUGINS, config.harness)
    lost = untracked(main, [f"{_PLUGINS}/{folder}" for folder in config.harness.folders])
    if lost:
        raise HarnessError(
            f"git does not know {', '.join(lost[:3])}{' ...' if len(lost) > 3 else ''}, so that the campaign would run "
            f"without it: `git add {lost[0]}`, or move it out of {_PLUGINS}/"
        )


def _check_tools(main: Path, config: Config) -> None:
    """Fix the format of the policy's tool calls, and say which; raises PolicyError where it cannot use tools."""
    tools = domain_tools(config.domain)
    if not (tools and config.policy.path):
        return
    codec = HfChatCodec.from_directory(_source(main, config.policy.path), config.policy.tool_call_format)
    found = tool_use(codec, tools, config.domain.system_prompt)
    config.policy.tool_call_format = found.tool_call_format
    progress().line(f"tool calls: {found.tool_call_format}, {found.source}")


def _source(main: Path, given: str) -> Path:
    return (main / Path(given).expanduser()).resolve()


def _check_written(main: Path, config: Config) -> None:
    """Raise ConfigError for written interventions that break a law on the campaign's recipe or are unknown to git."""
    context = ProposalContext(config, BASE_VERSION, 0, HarnessReport(version=BASE_VERSION, harness_version=""), [])
    folder = CampaignFiles(main).interventions
    for name in config.trainer.interventions:
        written = read_written(folder / f"{name}.yaml")
        build_written(written, context)
        lost = untracked(main, [f"{_INTERVENTIONS}/{file}" for file in (f"{name}.yaml", *written.beside)])
        if lost:
            raise ConfigError(f"git does not know {lost[0]}, so that the campaign would lack it: `git add {lost[0]}`")


def _outside(main: Path, config: Config) -> dict[str, Path]:
    """Return {place in the campaign: source} of what lies outside of the tracked tree.

    Raises:
        ConfigError: it does not exist.
        DataError: own problems are malformed, or the same problem stands in two splits.

    """
    found: dict[str, Path] = {}
    for kind, given in (("problems", config.domain.data_path), ("policy", config.policy.path)):
        source = _source(main, given) if given else None
        if source is None or (kind == "problems" and source.is_relative_to(main / "data")):
            continue
        if not source.exists():
            raise ConfigError(f"{'domain.data_path' if kind == 'problems' else 'policy.path'}={given} does not exist")
        if kind == "problems":
            check_set(source, config.domain.name, _reading(main, config))
            found[f"{IMPORTED}/{kind}{'.jsonl' if is_whole(source) else ''}"] = source
        else:
            found[f"{IMPORTED}/{kind}"] = source
    if config.domain.audit_path and not _source(main, config.domain.audit_path).is_relative_to(main / "data"):
        found[_AUDIT] = _source(main, config.domain.audit_path)
        if not found[_AUDIT].exists():
            raise ConfigError(f"domain.audit_path={config.domain.audit_path} does not exist")
    if config.trainer.replay_from:
        found[_ANSWERS] = _replayed(main, config.trainer.replay_from)
    return found


def _replayed(main: Path, given: str) -> Path:
    """Return the folder whose recorded answers are replayed: a campaign of this checkout, or any other folder."""
    for source in (Workspace(main, given).root, main / Path(given).expanduser()):
        if any(source.glob(f"versions/*/{RECORD}")):
            return source.resolve()
    raise ConfigError(f"trainer.replay_from={given} holds no versions/vNNN/{RECORD}: name a campaign or its folder")


def _import(main: Path, workspace: Workspace, config: Config, outside: dict[str, Path]) -> None:
    for place, source in outside.items():
        target = workspace.root / place
        target.parent.mkdir(exist_ok=True)
        if place == _ANSWERS:
            _copy_answers(source, target)
            config.trainer.replay_from = place
        elif place == _AUDIT:
            config.domain.audit_path = _copy_audit(source, target)
        elif place.startswith(f"{IMPORTED}/problems"):
            copy_problems(source, target, config.domain.name, _reading(main, config))
            config.domain.data_path, config.domain.columns, config.domain.repositories = place, {}, ""
        else:
            copy_policy(source, target)
            config.policy.path = place


def copy_policy(source: Path, target: Path) -> None:
    """Copy a policy's folder into the campaign; raises ConfigError that names a link in it.

    A link may lead to any file of the person, which the campaign would then keep, and push to its remote.
    """
    for folder, folders, names in os.walk(source):
        for name in (*folders, *names):
            path = Path(folder, name)
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise ConfigError(
                    f"policy.path: {path} is a link or no plain file: copy the folder with `cp -rL` first"
                )
    shutil.copytree(source, target, symlinks=True)


def _copy_answers(source: Path, target: Path) -> None:
    for path in sorted([*source.glob(f"versions/*/{RECORD}"), *source.glob(f"harness/*/{RECORD}")]):
        copied = target / path.relative_to(source)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copied)


def _copy_audit(source: Path, target: Path) -> str:
    """Copy the audit's file under its own name, since its ending says how it is read; return its place."""
    path = source / "train.jsonl" if source.is_dir() else source
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, target / path.name)
    return f"{_AUDIT}/{path.name}"


def _reading(main: Path, config: Config) -> Reading:
    given = config.domain.repositories
    return reading_of(config.domain, str(_source(main, given)) if given else "")
