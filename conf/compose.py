"""Composition: overrides that a person typed to a campaign's configuration; a version's diff to its file.

The one module that knows Hydra. It composes values and nothing else: no class is ever instantiated from a file. Hydra
keeps its state in process-wide globals, so composing holds a lock. What a campaign runs on is frozen once, with all
effective values, in conf/campaign.yaml of its worktree; a version is that file plus `+intervention=v003`, whose file
names its parent and holds only what changes (style: lightning-hydra-template's experiment files).

Overrides are checked here before Hydra sees them, because its messages run over many lines and do not name the
nearest key. Hydra reads and merges the chosen groups; values are then set as it sets them, after all groups.
"""

import difflib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config
from evotrainer.config import Config, config_from_dict, config_to_dict, flatten, load_config
from evotrainer.config.code import code_of
from evotrainer.config.interventions import BLOCK
from evotrainer.config.limits import OWN_SIGN, load_named
from evotrainer.config.validation import validated
from evotrainer.config.yaml_files import read_mapping
from evotrainer.domains import access_policy
from evotrainer.domains.reward_terms import load_terms
from evotrainer.errors import ConfigError
from evotrainer.records import Intervention

CONF = Path(__file__).resolve().parent

COLUMNS = "domain.columns"
"""A mapping, which is also written as `--map` takes it."""
NO_GROUPS = {BLOCK, "__pycache__"}
"""Folders of conf/ that offer no options: diffs, and what Python leaves."""

_LOCK = threading.Lock()


ConfigStore.instance().store(name="schema", node=Config)


def groups() -> dict[str, list[str]]:
    """Return {group: its options}, as the files in conf/ give them."""
    folders = sorted(path for path in CONF.iterdir() if path.is_dir() and path.name not in NO_GROUPS)
    return {folder.name: sorted(path.stem for path in folder.glob("*.yaml")) for folder in folders}


def compose_campaign(overrides: Sequence[str]) -> Config:
    """Return the configuration that these overrides make of the default; raises ConfigError in one line."""
    config = validated(config_from_dict(_composed([_checked(override) for override in overrides])))
    _find_own(config)
    _check_written(config)
    if config.reward.judge > 0 and not config.domain.judge_url:
        raise ConfigError(f"reward.judge={config.reward.judge} needs a judge: set domain.judge_url to its endpoint")
    return config


def _check_written(config: Config) -> None:
    """Refuse code in a campaign's own recipe, and names of written interventions that nobody would read."""
    for key in code_of(config):
        raise ConfigError(
            f"{key} changes by an intervention: write one in conf/intervention/ and name it in trainer.interventions"
        )
    is_written, names = config.trainer.name == "written", config.trainer.interventions
    if is_written and not names:
        raise ConfigError("trainer=written needs trainer.interventions=[NAME]: files of conf/intervention/")
    if names and not is_written and OWN_SIGN not in config.trainer.name:
        raise ConfigError(f"trainer={config.trainer.name} reads no written interventions: take trainer=written")


def _find_own(config: Config) -> None:
    """Import what a configuration names of a person's own, so that a wrong name is refused before a campaign starts."""
    access_policy(config.domain)
    load_terms(config.domain.terms)
    for key, name in (("trainer.name", config.trainer.name), ("search.name", config.search.name)):
        if OWN_SIGN in name:
            load_named({}, key, name)


def write_campaign(files: CampaignFiles, config: Config) -> None:
    """Freeze a campaign's effective values in its worktree."""
    save_config(files.config, validated(config))


def load_campaign(files: CampaignFiles) -> Config:
    """Return a campaign's frozen configuration; raises ConfigError for a value that cannot be used."""
    return validated(load_config(files.config))


def write_intervention(files: CampaignFiles, version: str, intervention: Intervention, base: str | None) -> None:
    """Write a version's diff as a Hydra file on top of that of version `base`, or of the campaign alone if None."""
    changes: dict[str, Any] = {}
    for key, (_, new) in intervention.diff.items():
        *path, name = key.split(".")
        node = changes
        for group in path:
            node = node.setdefault(group, {})
        node[name] = new
    block = intervention.model_dump(mode="json")
    block["diff"] = {key: list(change) for key, change in intervention.diff.items()}
    _write(files, version, base, changes, block)


def write_unchanged(files: CampaignFiles, version: str, base: str | None, hypothesis: str) -> None:
    """Write the empty diff of a version: `base`'s recipe, or the campaign's own where it is None."""
    _write(files, version, base, {}, {"hypothesis": hypothesis})


def _write(
    files: CampaignFiles, version: str, base: str | None, changes: dict[str, Any], block: dict[str, Any]
) -> None:
    content = {"defaults": [base, "_self_"] if base else ["_self_"], **changes, BLOCK: block}
    path = files.intervention(version)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)
    write_atomic(path, f"# @package _global_\n{text}")


@dataclass(frozen=True)
class _Checked:
    """An override of a known key: the option of a group, or a value that is set after all groups."""

    key: str
    value: Any
    is_group: bool = False
    is_added: bool = False
    """Whether the key is an entry of a mapping, which may not be there yet."""


def _composed(overrides: Sequence[_Checked]) -> dict[str, Any]:
    """Return the values of conf/config.yaml under overrides, in their order."""
    config = _compose(CONF, "config", [f"{one.key}={one.value}" for one in overrides if one.is_group])
    try:
        for one in overrides:
            if not one.is_group:
                OmegaConf.update(config, one.key, one.value, merge=True, force_add=one.is_added)
    except OmegaConfBaseException as error:
        raise ConfigError(_one_line(error)) from None
    return _contained(config)


def _compose(folder: Path, name: str, overrides: Sequence[str]) -> DictConfig:
    with _LOCK:
        try:
            with initialize_config_dir(config_dir=str(folder.resolve()), version_base="1.3"):
                return compose(config_name=name, overrides=list(overrides))
        except (HydraException, OmegaConfBaseException) as error:
            raise ConfigError(_one_line(error)) from None


def _contained(config: DictConfig) -> dict[str, Any]:
    """Return plain values, references between keys resolved."""
    try:
        values = OmegaConf.to_container(config, resolve=True)
    except OmegaConfBaseException as error:
        raise ConfigError(_one_line(error)) from None
    assert isinstance(values, dict)
    return {str(key): value for key, value in values.items()}


@cache
def _defaults() -> dict[str, Any]:
    return flatten(config_to_dict(Config()))


def _checked(override: str) -> _Checked:
    """Return an override of a known key; raises ConfigError for one that cannot be used."""
    name, _, given = override.partition("=")
    if name.strip() == COLUMNS and given.strip() and not given.strip().startswith("{"):
        return _Checked(COLUMNS, read_mapping(given.strip()), is_added=True)
    try:
        parsed = OverridesParser.create().parse_override(override)
    except HydraException:
        if literal := _literal(override):
            return literal
        raise ConfigError(
            f"'{override}' is not an override: write KEY=VALUE, with quotes around special signs"
        ) from None
    if parsed.is_delete() or parsed.is_sweep_override():
        raise ConfigError(f"'{override}' is not possible here: give each key one value")
    key, options = parsed.key_or_group, groups()
    if key in options:
        return _checked_option(key, parsed, options[key])
    flat = _defaults()
    if key in flat and not isinstance(flat[key], dict):
        return _Checked(key, parsed.value())
    parts = key.split(".")
    if any(isinstance(flat.get(".".join(parts[:end])), dict) for end in range(1, len(parts) + 1)):
        return _Checked(key, parsed.value(), is_added=True)
    owner = key.rpartition(".")[0]
    siblings = [name for name in flat if name.rpartition(".")[0] == owner] if owner else []
    known = f" ({owner} has {', '.join(name.rpartition('.')[2] for name in siblings)})" if siblings else ""
    listed = "" if known else "; `evotrainer config` lists all keys"
    hint = _nearest(key, [*flat, *options]) or listed
    raise ConfigError(f"unknown key '{key}'{hint}{known}")


def _literal(override: str) -> _Checked | None:
    """Return a text that Hydra's grammar has no place for, like `End with <answer>.`, where its key takes texts."""
    key, sign, text = override.partition("=")
    takes_text = bool(sign) and isinstance(_defaults().get(key), str)
    return _Checked(key, text) if takes_text and "${" not in text else None


def _checked_option(group: str, parsed: Override, options: list[str]) -> _Checked:
    value = parsed.value()
    if value not in options:
        raise ConfigError(f"{group}={value} is unknown: choose from {', '.join(options)}")
    return _Checked(group, value, is_group=True)


def _nearest(word: str, choices: Sequence[str]) -> str:
    """Return the nearest names as a clause, by the whole name or by its last part."""
    by_last = {choice.rpartition(".")[2]: choice for choice in choices}
    near = difflib.get_close_matches(word, choices, n=3, cutoff=0.6)
    near += [by_last[last] for last in difflib.get_close_matches(word.rpartition(".")[2], by_last, n=3, cutoff=0.7)]
    names = list(dict.fromkeys(near))[:3]
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _one_line(error: Exception) -> str:
    """Return what went wrong in a Hydra or OmegaConf error: the innermost message and the key it is about."""
    while error.__cause__ is not None and isinstance(error.__cause__, HydraException | OmegaConfBaseException):
        error = error.__cause__
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    key = next((line.partition(":")[2].strip() for line in lines if line.startswith("full_key:")), "")
    return f"{key}: {lines[0]}" if key and key not in lines[0] else lines[0]
