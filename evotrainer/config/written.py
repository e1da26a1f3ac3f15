"""Interventions that a person wrote: a YAML file of conf/intervention/ with the code that it names beside it.

    reward:
      code: file:brief.py            the text of conf/intervention/brief.py
    intervention:
      hypothesis: if ... then ... because ...
      prediction: {metric: score, direction: up, size: 0.02, low: -0.02, high: 0.08, probability: 0.5}

The values are what changes; the block `intervention` says why. A code file is read here and named by its hash, so that
what is proposed no longer depends on the file.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.config.code import CODE_KEYS, FILE_SIGN, check_source, reference
from evotrainer.config.schema import flatten
from evotrainer.config.yaml_files import read_yaml_file
from evotrainer.errors import ConfigError

BLOCK = "intervention"
"""Key of an intervention file that holds what is no configuration."""


@dataclass(frozen=True)
class WrittenIntervention:
    """The content of one file: a setting, the words that explain it, and the texts of its code."""

    name: str
    setting: dict[str, Any]
    """{flat key: value}; code by its reference."""
    block: dict[str, Any]
    files: dict[str, str]
    """{reference: text}."""
    beside: tuple[str, ...]
    """Names of the code files."""


def read_written(path: Path) -> WrittenIntervention:
    """Return the intervention in a YAML file; raises ConfigError naming the file and what to change."""
    needs = f"needs a block '{BLOCK}' with hypothesis and prediction: see docs/interventions.md"
    values = read_yaml_file(path, needs)
    block = values.get(BLOCK)
    if not isinstance(block, dict) or not {"hypothesis", "prediction"} <= block.keys():
        raise ConfigError(f"{path} {needs}")
    setting = flatten({key: value for key, value in values.items() if key not in (BLOCK, "defaults")})
    files: dict[str, str] = {}
    beside: list[str] = []
    for key in sorted(CODE_KEYS.keys() & setting.keys()):
        if not setting[key]:
            continue
        name, text = _read_code(path, key, str(setting[key]))
        setting[key] = reference(text)
        files[setting[key]] = text
        beside.append(name)
    return WrittenIntervention(path.stem, setting, block, files, tuple(beside))


def freeze_written(folder: Path, names: Sequence[str], target: Path) -> None:
    """Copy the interventions of these names, and the code beside them, to the folder `target`."""
    for name in names:
        path = folder / f"{name}.yaml"
        target.mkdir(parents=True, exist_ok=True)
        for file in (path.name, *read_written(path).beside):
            shutil.copyfile(folder / file, target / file)


def _read_code(path: Path, key: str, value: str) -> tuple[str, str]:
    """Return name and text of the file beside `path` that a key names."""
    name = value.removeprefix(FILE_SIGN)
    if not value.startswith(FILE_SIGN) or Path(name).name != name:
        raise ConfigError(f"{path}: {key}={value!r} names no file beside it: write file:NAME.py")
    try:
        text = (path.parent / name).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {key} names {name}, which cannot be read: {error}") from None
    check_source(key, text)
    return name, text
