"""The code that a version's recipe runs, as files: written by its propose stage, read by the stages that run it.

    versions/v003/code/index.json        {key: file:<sha256>}; {} for a recipe without code
    versions/v003/code/<sha256>.py       the texts

The folder holds all that the recipe names, the code of its ancestors too. So a version runs, and is reproduced from its
tag, without the file that a person wrote and without another version's folder. Earlier texts come from the frozen
lineage (inputs/lineage.json), whose interventions carry them.
"""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evotrainer.campaign.documents import write_atomic
from evotrainer.config import Config
from evotrainer.config.code import FILE_SIGN, code_of, reference, short, source_of
from evotrainer.errors import LineageError
from evotrainer.records import VersionRecord

INDEX = "index.json"


def write_code(folder: Path, config: Config, sources: Mapping[str, str]) -> None:
    """Write the code that a recipe names; raises InterventionError where a text is missing or was changed."""
    named = code_of(config)
    texts = {value: source_of(value, sources) for value in named.values()}
    shutil.rmtree(folder, ignore_errors=True)
    for value, text in texts.items():
        write_atomic(folder / f"{value.removeprefix(FILE_SIGN)}.py", text)
    write_atomic(folder / INDEX, json.dumps(named, indent=1, sort_keys=True) + "\n")


def read_code(folder: Path, config: Config) -> dict[str, str]:
    """Return {reference: text} of the code that a recipe names; raises LineageError where a file is not as frozen."""
    return {value: _read(folder, value) for value in code_of(config).values()}


def sources_of(records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {reference: text} of all code that earlier versions introduced."""
    found = [record.intervention.files for record in records if record.intervention is not None]
    return {value: text for files in found for value, text in files.items()}


def texts_of(values: Iterable[Any], records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {reference: text} of those values that name code which an earlier version introduced."""
    known = sources_of(records)
    return {value: known[value] for value in values if isinstance(value, str) and value in known}


def _read(folder: Path, value: str) -> str:
    path = folder / f"{value.removeprefix(FILE_SIGN)}.py"
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise LineageError(f"{path} cannot be read ({error}): restore it with git checkout") from None
    if reference(text) != value:
        raise LineageError(f"{path} is not the text of {short(value)}: restore it with git checkout")
    return text
