"""One trial of a script: restore what is protected, train, measure, evaluate; all clocks and sizes are read outside.

    train(text) ─► artifact ─► answer(artifact, question), one execution a question ─► score(answers, text)
                                            ▲
                      questions(held text) ─┘

Every execution is a process of its own in the sandbox. Code of the script and code of the evaluator never share one,
and no state goes from one question to the next, so that edited code cannot patch the evaluator or keep what it was
asked before. Training gets the text to train on and nothing of the held-out one; the bytes of its artifact are counted
here. What the trial prints or claims is not read.
"""

import json
import math
import shutil
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.domains.script.task import ScriptTask
from evotrainer.errors import SandboxError
from evotrainer.records import TrialLabel
from evotrainer.sandbox import Execution, Limits, Program
from evotrainer.sandbox.shared import shared_sandbox

MEMORY_BYTES = 2 * 1024**3
EVALUATOR_SECONDS = 60.0
"""Processor time of the evaluator's own functions, which no edit changes."""
SLACK = 2.0
"""Wall clock over processor time at which an execution is ended: a busy machine is not the script's fault."""


@dataclass(frozen=True)
class Measured:
    """What a trial came to. `numbers` holds train_seconds, eval_seconds and artifact_bytes, as far as it came."""

    label: TrialLabel
    score: float | None
    numbers: dict[str, float]
    notes: str = ""


def restore(folder: Path, originals: Mapping[str, str], task: ScriptTask) -> list[str]:
    """Write every protected file as it was; return the names of those that had been changed."""
    changed = [name for name in originals if name not in task.editable and _differs(folder, name, originals[name])]
    for name in changed:
        place(folder, name, originals[name])
    return changed


def place(folder: Path, name: str, text: str) -> None:
    """Write a file of a folder; a link or a folder that stands in its way is removed, and never followed."""
    path = folder / name
    for part in reversed([path, *path.parents][: len(Path(name).parts)]):
        is_wrong = part.is_symlink() or (part.exists() and part.is_dir() == (part == path))
        if is_wrong and part.is_dir() and not part.is_symlink():
            shutil.rmtree(part)
        elif is_wrong:
            part.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # a hard link elsewhere keeps its own text
    path.write_text(text, encoding="utf-8")


def _differs(folder: Path, name: str, text: str) -> bool:
    """Tell whether a file is another than it was, or not a plain file of the folder."""
    path = folder / name
    links = [part for part in [path, *path.parents][: len(Path(name).parts)] if part.is_symlink()]
    return bool(links) or not path.is_file() or path.read_bytes() != text.encode()


def run_trial(folder: Path, originals: Mapping[str, str], task: ScriptTask) -> Measured:
    """Return what the script in a folder is worth; `discard` where it is valid, until somebody compares it."""
    restored = restore(folder, originals, task)
    told = f"restored: {', '.join(restored)}" if restored else ""
    script = Script(folder, task)
    try:
        trained = script.call("train", (originals[task.data.train],), task.limits.train_seconds)
        numbers = {"train_seconds": round(trained.cpu_seconds, 3)}
        if trained.outcome != "ok":
            return Measured(_failure(trained, "train_budget_overrun"), None, numbers, _said(trained) or told)
        numbers["artifact_bytes"] = float(len(json.dumps(trained.value)))
        if numbers["artifact_bytes"] > task.limits.artifact_bytes:
            return Measured("size_blocked", None, numbers, told)
        ended = _evaluated(script, originals[task.evaluate], trained.value, originals[task.data.held])
    except SandboxError as error:
        return Measured("harness_abort", None, {}, str(error))
    numbers["eval_seconds"] = round(script.answer_seconds, 3)
    if ended.outcome != "ok":
        return Measured(_failure(ended, "eval_budget_overrun"), None, numbers, _said(ended) or told)
    return _judged(ended.value, numbers, task, told)


class Script:
    """The editable files of a folder, as they run."""

    def __init__(self, folder: Path, task: ScriptTask) -> None:
        self._task, self.answer_seconds = task, 0.0
        self._source = (folder / task.train).read_text(encoding="utf-8")
        self._modules = {name: (folder / name).read_text(encoding="utf-8") for name in task.modules}

    def call(self, function: str, arguments: tuple[Any, ...], seconds: float) -> Execution:
        """Run one function of the script."""
        return _execute(Program(self._source, function=function, arguments=arguments, files=self._modules), seconds)

    def answer(self, artifact: Any, question: Any) -> Execution:
        """Run one question within what is left of the evaluation's seconds."""
        left = max(self._task.limits.eval_seconds - self.answer_seconds, 0.01)
        found = self.call("answer", (artifact, question), left)
        self.answer_seconds += found.cpu_seconds
        return found


def _evaluated(script: Script, evaluator: str, artifact: Any, text: str) -> Execution:
    """Return the evaluator's execution, or the first one that did not end well."""
    asked = _execute(Program(evaluator, function="questions", arguments=(text,)), EVALUATOR_SECONDS)
    if asked.outcome != "ok":
        raise SandboxError(f"the evaluator's questions failed: {_said(asked)}")
    answers = []
    for question in asked.value:
        found = script.answer(artifact, question)
        if found.outcome != "ok":
            return found
        answers.append(found.value)
    return _execute(Program(evaluator, function="score", arguments=(answers, text)), EVALUATOR_SECONDS)


def _judged(score: Any, numbers: dict[str, float], task: ScriptTask, told: str) -> Measured:
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        return Measured("crash", None, numbers, f"the evaluator returned {score!r}")
    worst = task.limits.worst_score
    is_beyond = score > worst if task.better == "lower" else score < worst
    return Measured("disqualified" if is_beyond else "discard", float(score), numbers, told)


def _execute(program: Program, seconds: float) -> Execution:
    site = sysconfig.get_paths()["purelib"]
    sandbox = shared_sandbox(preload=("numpy", "base64"), import_paths=(site,))
    limits = Limits(
        cpu_seconds=seconds, wall_seconds=seconds * SLACK + 10, memory_bytes=MEMORY_BYTES, output_bytes=16 * 1024**2
    )
    return sandbox.run(program, limits)


def _failure(execution: Execution, overrun: TrialLabel) -> TrialLabel:
    if execution.outcome == "compile_error":
        return "preflight_crash"
    return overrun if execution.outcome == "timeout" else "crash"


def _said(execution: Execution) -> str:
    lines = execution.stderr.strip().splitlines()
    return f"{execution.outcome}: {lines[-1]}" if lines else execution.outcome
