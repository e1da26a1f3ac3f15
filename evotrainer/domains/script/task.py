"""A folder with a training script: what is run, what may be edited, which limits hold (script.yaml)."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from evotrainer.errors import ConfigError
from evotrainer.records import Better

EXAMPLE = Path(__file__).with_name("example")
_KEYS = ("train", "evaluate", "data", "score", "better", "editable", "numbers", "seed", "limits")
_LIMITS = ("train_seconds", "eval_seconds", "artifact_bytes", "worst_score")


@dataclass(frozen=True)
class ScriptTask:
    """What script.yaml says. Paths are relative to its folder."""

    train: str
    """Defines train(text) -> artifact and answer(artifact, question) -> answer, all JSON values."""
    evaluate: str
    """Defines questions(text) -> list of questions and score(answers, text) -> number."""
    data: dict[str, str]
    """Files of the texts: train, and held, which training never sees."""
    score: str
    better: Better
    editable: tuple[str, ...]
    """The script, and modules that it may import from beside it."""
    numbers: dict[str, tuple[float, float]]
    """Constants at the top of the script that the rules may edit, with their ranges."""
    seed: str
    """The constant that repeats of one trial change."""
    limits: dict[str, float]

    @property
    def files(self) -> list[str]:
        """All files of a task."""
        return list(dict.fromkeys(["script.yaml", self.train, *self.editable, self.evaluate, *self.data.values()]))

    @property
    def modules(self) -> list[str]:
        """Editable files beside the script."""
        return [name for name in self.editable if name != self.train]


def read_task(folder: Path) -> ScriptTask:
    """Return the task of a folder; raises ConfigError that names what is missing."""
    path = folder / "script.yaml"
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path} does not exist: a script's folder holds one, like {EXAMPLE}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is no YAML: {' '.join(str(error).split())}") from None
    _check(path, values)
    task = ScriptTask(
        train=values["train"],
        evaluate=values["evaluate"],
        data=dict(values["data"]),
        score=values["score"],
        better=values["better"],
        editable=tuple(values["editable"]),
        numbers={name: (float(low), float(high)) for name, (low, high) in values["numbers"].items()},
        seed=values["seed"],
        limits={name: float(values["limits"][name]) for name in _LIMITS},
    )
    missing = [name for name in task.files if not (folder / name).is_file()]
    if missing:
        raise ConfigError(f"{folder} lacks {', '.join(missing)}, which its script.yaml names")
    numbers_in((folder / task.train).read_text(encoding="utf-8"), [*task.numbers, task.seed])
    return task


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


def _check(path: Path, values: Any) -> None:
    missing = [key for key in _KEYS if not isinstance(values, dict) or key not in values]
    if missing:
        raise ConfigError(f"{path} lacks {', '.join(missing)}: see {EXAMPLE / 'script.yaml'}")
    if absent := [name for name in _LIMITS if name not in values["limits"]]:
        raise ConfigError(f"{path} sets no limits.{absent[0]}: set all of {', '.join(_LIMITS)}")
    if values["better"] not in ("lower", "higher"):
        raise ConfigError(f"{path}: better={values['better']!r} is unknown: choose from lower, higher")
    if {"script.yaml", values["evaluate"], *values["data"].values()} & set(values["editable"]):
        raise ConfigError(f"{path}: script.yaml, the evaluator and the texts are protected: take them off editable")
    if values["train"] not in values["editable"]:
        raise ConfigError(f"{path}: name {values['train']} among the editable files")
    if outside := [name for name in values["editable"] if Path(name).is_absolute() or ".." in Path(name).parts]:
        raise ConfigError(f"{path}: editable file {outside[0]!r} lies outside of the folder")
