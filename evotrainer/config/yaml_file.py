"""A small YAML file that a person hands over to a command, like a mapping of columns.

It may come from somebody else. Anchors are refused, since a few lines of them stand for billions of values, and so is
what is nested deeply or large; all before any value is built.
"""

from pathlib import Path
from typing import Any

import yaml

from evotrainer.config.plain_file import why_unreadable
from evotrainer.config.plain_yaml import LOADER, load_yaml
from evotrainer.errors import ConfigError

_MAX_BYTES = 1 << 20
_MAX_DEPTH = 20


def read_yaml_file(path: Path, otherwise: str) -> dict[str, Any]:
    """Return the object in a YAML file; raises ConfigError, with `otherwise` where it holds anything else."""
    if reason := why_unreadable(path):
        raise ConfigError(reason)
    if path.stat().st_size > _MAX_BYTES:
        raise ConfigError(f"{path} is over {_MAX_BYTES} bytes: write what is needed alone")
    try:
        text = path.read_text(encoding="utf-8-sig")
        _refuse_unbounded(text, path)
        values = load_yaml(text)
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no UTF-8 text: save it as UTF-8") from None
    except (ValueError, yaml.YAMLError) as error:
        raise ConfigError(f"{path} cannot be read as YAML: {_reason(error)}") from None
    if not isinstance(values, dict):
        raise ConfigError(f"{path} {otherwise}")
    return values


def _refuse_unbounded(text: str, path: Path) -> None:
    """Raise ConfigError for anchors, aliases and deep nesting, from the parser's events alone."""
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        where = f"{path}:{event.start_mark.line + 1}"
        if getattr(event, "anchor", None) is not None:
            raise ConfigError(f"{where}: anchors and aliases (&name, *name) are not read: write each value out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            raise ConfigError(f"{where}: nested too deeply: at most {_MAX_DEPTH} levels")


def _reason(error: Exception) -> str:
    """Return what is wrong and in which line."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if mark is None or problem is None:
        return " ".join(str(error).split())
    return f"line {mark.line + 1}: {' '.join(str(problem).split())}"
