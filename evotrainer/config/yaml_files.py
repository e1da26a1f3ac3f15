"""YAML files: read as plain values, by libyaml where PyYAML was built with it, in a tenth of the time.

A file that a person hands over to a command may come from somebody else, and its path may be no plain file: a pipe
would be waited for without end, a device like /dev/zero be read without end. Anchors are refused, since a few lines of
them stand for billions of values, and so is what is nested deeply or large; all before any value is built.
"""

import os
import stat
from pathlib import Path
from typing import Any

import yaml

from evotrainer.errors import ConfigError

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_BYTES = 1 << 20
_MAX_DEPTH = 20
_KINDS = (
    (stat.S_ISDIR, "is a folder: name a file in it"),
    (stat.S_ISFIFO, "is a pipe, no plain file: write what it gives to a file first"),
    (stat.S_ISSOCK, "is a socket, no plain file: write what it gives to a file first"),
)
_MAX_NAME = 200
"""Characters of a path that are shown."""


def load_yaml(text: str) -> Any:
    """Return the values of a document; raises yaml.YAMLError. Tags that would build objects are refused."""
    return yaml.load(text, Loader=_LOADER)


def why_unreadable(path: Path) -> str:
    """Return why a path cannot be read as a plain file, a sentence with the remedy; empty where it can."""
    name = str(path) if len(str(path)) <= _MAX_NAME else f"{str(path)[:_MAX_NAME]}..."
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        has_link = path.is_symlink()
        return f"{name} {'is a link to a file that is not there' if has_link else 'does not exist'}: check its name"
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name too long, a byte 0 in it
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return f"{name} cannot be read ({reason}): name another file"
    if not stat.S_ISREG(mode):
        kind = next((words for is_kind, words in _KINDS if is_kind(mode)), "is a device, no plain file: name a file")
        return f"{name} {kind}"
    return "" if os.access(path, os.R_OK) else f"{name} cannot be read: you have no permission to"


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


def read_mapping(given: str) -> dict[str, str]:
    """Return {our name: name in the file} of `ours=theirs,ours=theirs`, or of a YAML file of `ours: theirs` lines.

    Raises ConfigError for anything else.
    """
    if "=" in given:
        pairs = [part.split("=") for part in given.split(",") if part.strip()]
        if any(len(pair) != 2 or not all(name.strip() for name in pair) for pair in pairs):
            raise ConfigError(f"{given!r} maps no columns: write OURS=THEIRS,OURS=THEIRS, or name a YAML file")
        return {ours.strip(): theirs.strip() for ours, theirs in pairs}
    values = read_yaml_file(Path(given), "maps no columns: write one a line, our name: name in the file")
    for ours, theirs in values.items():
        if not isinstance(theirs, str | int) or isinstance(theirs, bool):
            raise ConfigError(f"{given}: '{ours}' is mapped to no name: write it as text, our name: name in the file")
    return {str(ours): str(theirs) for ours, theirs in values.items()}


def _refuse_unbounded(text: str, path: Path) -> None:
    """Raise ConfigError for anchors, aliases and deep nesting, from the parser's events alone."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
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
