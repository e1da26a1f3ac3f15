"""A configuration as plain values: read from and written to YAML without Hydra, flattened, hashed."""

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

from evotrainer.config.schema import Config
from evotrainer.config.yaml_files import read_yaml_file
from evotrainer.errors import ConfigError


def config_from_dict(values: dict[str, Any]) -> Config:
    """Build a Config from nested plain values; raises TypeError on an unknown key."""
    return _built(Config, values)


def _built(kind: Any, values: dict[str, Any]) -> Any:
    nested = {field.name: field.type for field in dataclasses.fields(kind) if dataclasses.is_dataclass(field.type)}
    return kind(**{key: _built(nested[key], value) if key in nested else value for key, value in values.items()})


def config_to_dict(config: Config) -> dict[str, Any]:
    """Return nested plain values, in declaration order."""
    return dataclasses.asdict(config)


def load_config(path: Path) -> Config:
    """Return the Config in a plain YAML file, without Hydra; raises ConfigError naming the file."""
    try:
        return config_from_dict(read_yaml_file(path, "is no configuration: keys stand in groups"))
    except (TypeError, AttributeError) as error:
        raise ConfigError(f"{path} is not a configuration: {' '.join(str(error).split())}") from None


def config_text(config: Config) -> str:
    """Return all effective values as plain YAML, in declaration order."""
    return yaml.safe_dump(config_to_dict(config), sort_keys=False, allow_unicode=True)


def flatten(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return {'algorithm.learning_rate': 6.4e-05, ...} of nested values; lists stay values."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{prefix}{key}"
        flat.update(flatten(value, f"{name}.") if isinstance(value, dict) and value else {name: value})
    return flat


def content_hash(values: Any) -> str:
    """Return the first 16 hex digits of the SHA-256 of the canonical JSON of `values`."""
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
