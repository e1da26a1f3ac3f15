"""A folder with a training script: what is run, what may be edited, which limits hold (script.yaml)."""

import re
from pathlib import Path, PurePosixPath
from typing import Annotated, Self

import yaml
from annotated_types import MinLen
from pydantic import AfterValidator, FiniteFloat, PositiveFloat, PositiveInt, ValidationError, model_validator

from evotrainer.campaign.documents import first_error
from evotrainer.errors import ConfigError
from evotrainer.records import Better
from evotrainer.records.base import Record

EXAMPLE = Path(__file__).with_name("example")
_SETTINGS = "script.yaml"


def _inside(name: str) -> str:
    """Return a path of the folder in its one spelling, so that no other spelling makes a protected file editable."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{name!r} lies outside of the folder")
    return str(path)


def _range(bounds: tuple[float, float]) -> tuple[float, float]:
    if bounds[0] > bounds[1]:
        raise ValueError(f"{bounds[0]:g} to {bounds[1]:g} is no range: the lower bound comes first")
    return bounds


FileName = Annotated[str, AfterValidator(_inside)]
Bounds = Annotated[tuple[FiniteFloat, FiniteFloat], AfterValidator(_range)]
Word = Annotated[str, MinLen(1)]


class Texts(Record):
    """Files of the texts."""

    train: FileName
    held: FileName
    """Which training never sees."""


class TrialLimits(Record):
    """What a trial may take, and the worst score that still counts."""

    train_seconds: PositiveFloat
    eval_seconds: PositiveFloat
    artifact_bytes: PositiveInt
    worst_score: FiniteFloat


class ScriptTask(Record):
    """What script.yaml says. Paths are relative to its folder."""

    train: FileName
    """Defines train(text) -> artifact and answer(artifact, question) -> answer, all JSON values."""
    evaluate: FileName
    """Defines questions(text) -> list of questions and score(answers, text) -> number."""
    data: Texts
    score: Word
    better: Better
    editable: tuple[FileName, ...]
    """The script, and modules that it may import from beside it."""
    numbers: dict[str, Bounds]
    """Constants at the top of the script that the rules may edit, with their ranges."""
    seed: Word
    """The constant that repeats of one trial change."""
    limits: TrialLimits

    @model_validator(mode="after")
    def _protects(self) -> Self:
        if found := {_SETTINGS, self.evaluate, self.data.train, self.data.held} & set(self.editable):
            raise ValueError(f"{min(found)} is protected: take it off editable")
        if self.train not in self.editable:
            raise ValueError(f"name {self.train} among the editable files")
        return self

    @property
    def files(self) -> list[str]:
        """All files of a task."""
        return list(dict.fromkeys([_SETTINGS, self.train, *self.editable, self.evaluate, *self.data_files]))

    @property
    def data_files(self) -> tuple[str, str]:
        """The files of the texts."""
        return self.data.train, self.data.held

    @property
    def modules(self) -> list[str]:
        """Editable files beside the script."""
        return [name for name in self.editable if name != self.train]


def read_task(folder: Path) -> ScriptTask:
    """Return the task of a folder; raises ConfigError that names what is missing or wrong."""
    path = folder / _SETTINGS
    try:
        task = ScriptTask.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ConfigError(f"{path} does not exist: a script's folder holds one, like {EXAMPLE}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        raise ConfigError(f"{path}: {first_error(error)}; see {EXAMPLE / _SETTINGS}") from None
    missing = [name for name in task.files if not (folder / name).is_file()]
    if missing:
        raise ConfigError(f"{folder} lacks {', '.join(missing)}, which its {_SETTINGS} names")
    for name in task.files:
        _check_text(folder / name)
    numbers_in((folder / task.train).read_text(encoding="utf-8"), [*task.numbers, task.seed])
    return task


def _check_text(path: Path) -> None:
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no UTF-8 text, which all files of a script's folder must be") from None


def numbers_in(source: str, names: list[str]) -> dict[str, float]:
    """Return the constants of a script; raises ConfigError for one that it does not set at the top."""
    found = {}
    for name in names:
        match = re.search(rf"^{re.escape(name)} = ([-+\d.eE]+)$", source, re.MULTILINE)
        if match is None:
            raise ConfigError(f"the script sets no number {name}: write a line like '{name} = 1' at its top")
        found[name] = float(match.group(1)) if re.search(r"[.eE]", match.group(1)) else int(match.group(1))
    return found


def with_number(source: str, name: str, value: float) -> str:
    """Return the script with one constant set."""
    return re.sub(rf"^{re.escape(name)} = .*$", f"{name} = {value!r}", source, count=1, flags=re.MULTILINE)
