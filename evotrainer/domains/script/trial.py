"""A folder with a training script (script.yaml), and one trial of it: train, evaluate.

    train(text) ─► artifact ─► answer(artifact, question), one execution a question ─► score(answers, text)
                                            ▲
                      questions(held text) ─┘

Every execution is a process of its own in the sandbox (docs/search.md): no state goes from one question to the next, so
that edited code cannot keep what it was asked before. What the trial prints or claims is not read.
"""

import json
import math
import re
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Self

import yaml
from pydantic import AfterValidator, FiniteFloat, PositiveFloat, PositiveInt, ValidationError, model_validator

from evotrainer.campaign.documents import first_error
from evotrainer.errors import ConfigError, SandboxError
from evotrainer.records import Better, TrialLabel
from evotrainer.records.base import Record
from evotrainer.sandbox import Execution, Limits, Program
from evotrainer.sandbox.sandbox import shared_sandbox

EXAMPLE = Path(__file__).parents[3] / "docs/examples/script"
EVALUATOR_SECONDS = 60.0
"""Processor time of the evaluator's own functions, which no edit changes."""
SLACK = 2.0
"""Wall clock over processor time at which an execution is ended: a busy machine is not the script's fault."""
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


class Texts(Record):
    """Files of the texts: to train on, and held out, which training never sees."""

    train: FileName
    held: FileName


class TrialLimits(Record):
    """What a trial may take, and the worst score that still counts."""

    train_seconds: PositiveFloat
    eval_seconds: PositiveFloat
    artifact_bytes: PositiveInt
    worst_score: FiniteFloat


class ScriptTask(Record):
    """What script.yaml says; the example's names the meaning of each key."""

    train: FileName
    evaluate: FileName
    data: Texts
    score: str
    better: Better
    editable: tuple[FileName, ...]
    numbers: dict[str, Annotated[tuple[FiniteFloat, FiniteFloat], AfterValidator(_range)]]
    seed: str
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
        found = (_SETTINGS, self.train, *self.editable, self.evaluate, self.data.train, self.data.held)
        return list(dict.fromkeys(found))


def read_task(folder: Path) -> ScriptTask:
    """Return the task of a folder; raises ConfigError that names what is missing or wrong."""
    path = folder / _SETTINGS
    try:
        task = ScriptTask.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
        texts = {name: (folder / name).read_text(encoding="utf-8") for name in task.files}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{folder} is no script's folder, like {EXAMPLE}: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        raise ConfigError(f"{path}: {first_error(error)}; see {EXAMPLE / _SETTINGS}") from None
    numbers_in(texts[task.train], [*task.numbers, task.seed])
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


@dataclass(frozen=True)
class Measured:
    """What a trial came to. `numbers` holds train_seconds, eval_seconds and artifact_bytes, as far as it came."""

    label: TrialLabel
    score: float | None
    numbers: dict[str, float]
    notes: str = ""


def run_trial(originals: Mapping[str, str], edited: Mapping[str, str], task: ScriptTask) -> Measured:
    """Return what a script is worth: its files with edited texts of editable ones; protected files are the originals.

    A valid one is `discard` until somebody compares it.
    """
    texts = {name: edited.get(name, originals[name]) for name in task.editable}
    source, evaluator, held = texts.pop(task.train), originals[task.evaluate], originals[task.data.held]
    numbers: dict[str, float] = {}

    def run(function: str, arguments: tuple[Any, ...], seconds: float) -> Execution:
        return _execute(Program(source, function=function, arguments=arguments, files=texts), seconds)

    def judge(function: str, *arguments: Any) -> Execution:
        return _execute(Program(evaluator, function=function, arguments=arguments), EVALUATOR_SECONDS)

    try:
        trained = run("train", (originals[task.data.train],), task.limits.train_seconds)
        numbers["train_seconds"] = round(trained.cpu_seconds, 3)
        if trained.outcome != "ok":
            return Measured(_failure(trained, "train_budget_overrun"), None, numbers, _said(trained))
        numbers["artifact_bytes"] = float(len(json.dumps(trained.value)))
        if numbers["artifact_bytes"] > task.limits.artifact_bytes:
            return Measured("size_blocked", None, numbers)
        asked = judge("questions", held)
        if asked.outcome != "ok":
            raise SandboxError(f"the evaluator's questions failed: {_said(asked)}")
        answers, spent = [], 0.0
        for question in asked.value:
            answered = run("answer", (trained.value, question), max(task.limits.eval_seconds - spent, 0.01))
            spent += answered.cpu_seconds
            if answered.outcome != "ok":
                return Measured(_failure(answered, "eval_budget_overrun"), None, numbers, _said(answered))
            answers.append(answered.value)
        numbers["eval_seconds"] = round(spent, 3)
        ended = judge("score", answers, held)
    except SandboxError as error:
        return Measured("harness_abort", None, {}, str(error))
    score = ended.value
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        return Measured("crash", None, numbers, f"the evaluator returned {score!r}: {_said(ended)}")
    worst = task.limits.worst_score
    is_beyond = score > worst if task.better == "lower" else score < worst
    return Measured("disqualified" if is_beyond else "discard", float(score), numbers)


def _execute(program: Program, seconds: float) -> Execution:
    sandbox = shared_sandbox(preload=("numpy", "base64"), import_paths=(sysconfig.get_paths()["purelib"],))
    wall = seconds * SLACK + 10
    return sandbox.run(program, Limits(seconds, wall, memory_bytes=2 * 1024**3, output_bytes=16 * 1024**2))


def _failure(execution: Execution, overrun: TrialLabel) -> TrialLabel:
    if execution.outcome == "compile_error":
        return "preflight_crash"
    return overrun if execution.outcome == "timeout" else "crash"


def _said(execution: Execution) -> str:
    lines = execution.stderr.strip().splitlines()
    return f"{execution.outcome}: {lines[-1]}" if lines else execution.outcome
