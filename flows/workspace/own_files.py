"""What a campaign takes in from outside of the repository: problems, a policy, checks.

They are copied to imported/ of its worktree and versioned by DVC, so that the campaign reproduces elsewhere. Checks are
few lines of text: they become a folder of its harness_plugins/, in git.
"""

import shutil
from pathlib import Path

from evotrainer.campaign.documents import new_folder
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import copy_problems
from evotrainer.domains.problem_sets.rows import Reading
from evotrainer.errors import ConfigError
from flows.workspace.worktree import Workspace

IMPORTED = "imported"
_PROBLEMS, _POLICY, _AUDIT = (f"{IMPORTED}/{name}" for name in ("problems", "policy", "audit"))
OWN_CHECKS = "own_checks"
"""Folder of harness_plugins/ that holds the files of `harness.checks` in a campaign."""
_CHECKS = f"harness_plugins/{OWN_CHECKS}"


def outside_files(main: Path, config: Config) -> dict[str, Path]:
    """Return {place in the campaign: source} of what lies outside of the tracked tree, as checks.py found it."""
    found, built_in = outside_records(main, config), (main / "data").resolve()
    if (given := config.domain.data_path) and not (problems := source_of(main, given)).is_relative_to(built_in):
        found[_PROBLEMS] = problems
    if config.policy.path:
        found[_POLICY] = source_of(main, config.policy.path)
    return found


def outside_records(main: Path, config: Config) -> dict[str, Path]:
    """Return {place in the worktree: source} of audit and checks; ConfigError where one is not there."""
    found, built_in = dict[str, Path](), (main / "data").resolve()
    if (given := config.domain.audit_path) and not (audit := source_of(main, given)).is_relative_to(built_in):
        found[_AUDIT] = audit
        if not audit.exists():
            raise absent(main, "domain.audit_path", given)
    for name in config.harness.checks:
        from evotrainer.diagnosis.checks import load_checks  # DuckDB, which most starts do without

        source = source_of(main, name)
        if not source.is_file():
            raise ConfigError(f"harness.checks names {name}, which is no file: name a YAML file of checks")
        load_checks(source)
        if found.setdefault(f"{_CHECKS}/{source.stem}.yaml", source) != source:
            raise ConfigError(f"harness.checks names two files called {source.stem}: rename one")
    return found


def import_files(workspace: Workspace, config: Config, outside: dict[str, Path]) -> None:
    """Copy what lies outside into a campaign's worktree, and let the configuration name the copies."""
    for place, source in outside.items():
        target = workspace.root / place
        target.parent.mkdir(exist_ok=True)
        if place.startswith(_CHECKS):
            _copy_file(source, target)
            config.harness.plugins = list(dict.fromkeys([*config.harness.plugins, OWN_CHECKS]))
            config.harness.checks = []
        elif place == _AUDIT:  # under its own name, since its ending says how it is read
            path = source / "train.jsonl" if source.is_dir() else source
            _copy_file(path, target / path.name)
            config.domain.audit_path = f"{place}/{path.name}"
        elif place == _POLICY:
            with new_folder(target) as partial:  # what links lead to is copied: a hub's cache is all links
                shutil.copytree(source, partial, dirs_exist_ok=True)
            config.policy.path = place
        else:
            copy_problems(source, target, config.domain.name, reading_for(workspace.main, config))
            config.domain.data_path, config.domain.columns, config.domain.repositories = place, {}, ""


def _copy_file(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)


def source_of(main: Path, given: str) -> Path:
    """Return the absolute path that a setting means."""
    return (main / Path(given).expanduser()).resolve()


def absent(main: Path, key: str, given: str) -> ConfigError:
    """Return the error of a setting that names nothing, or no folder; it says where a relative path starts."""
    where = "" if Path(given).expanduser().is_absolute() else f" in {main}"
    state = "is a file, no folder" if source_of(main, given).exists() else f"does not exist{where}"
    wanted = "the folder of a Hugging Face model" if key == "policy.path" else "a file or folder"
    return ConfigError(f"{key}={given} {state}: name {wanted}")


def reading_for(main: Path, config: Config) -> Reading:
    """Return how the columns of a person's own problems are read."""
    given = config.domain.repositories
    return Reading(dict(config.domain.columns), str(source_of(main, given)) if given else "")
