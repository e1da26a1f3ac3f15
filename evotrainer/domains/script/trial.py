"""One trial of a script: restore what is protected, train, measure, evaluate; all clocks and sizes are read outside.

Training and evaluation are two executions in the sandbox. Training gets the text to train on and nothing of the
held-out one; what it returns is the artifact, whose bytes are counted here. Evaluation runs the protected evaluator
on the artifact. What the trial prints or claims is not read.

The model's code runs inside the evaluator's execution, since it computes the probabilities: code that patches the
evaluator's own modules could forge a score. Edits of numbers cannot.
"""

import json
import math
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
    changed = []
    for name, text in originals.items():
        path = folder / name
        if name in task.editable or (path.is_file() and path.read_text(encoding="utf-8") == text):
            continue
        changed.append(name)
        path.write_text(text, encoding="utf-8")
    return changed


def run_trial(folder: Path, originals: Mapping[str, str], task: ScriptTask) -> Measured:
    """Return what the script in a folder is worth; `discard` where it is valid, until somebody compares it."""
    restored = restore(folder, originals, task)
    told = f"restored: {', '.join(restored)}" if restored else ""
    source = (folder / task.train).read_text(encoding="utf-8")
    try:
        trained = _execute(source, "train", (originals[task.data["train"]],), task.limits["train_seconds"])
        numbers = {"train_seconds": round(trained.cpu_seconds, 3)}
        if trained.outcome != "ok":
            return Measured(_failure(trained, "train_budget_overrun"), None, numbers, _said(trained) or told)
        numbers["artifact_bytes"] = float(len(json.dumps(trained.value)))
        if numbers["artifact_bytes"] > task.limits["artifact_bytes"]:
            return Measured("size_blocked", None, numbers, told)
        asked = (source, trained.value, originals[task.data["held"]])
        evaluated = _execute(originals[task.evaluate], "score", asked, task.limits["eval_seconds"])
    except SandboxError as error:
        return Measured("harness_abort", None, {}, str(error))
    numbers["eval_seconds"] = round(evaluated.cpu_seconds, 3)
    if evaluated.outcome != "ok":
        return Measured(_failure(evaluated, "eval_budget_overrun"), None, numbers, _said(evaluated) or told)
    return _judged(evaluated.value, numbers, task, told)


def _judged(score: Any, numbers: dict[str, float], task: ScriptTask, told: str) -> Measured:
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        return Measured("crash", None, numbers, f"the evaluator returned {score!r}")
    worst = task.limits["worst_score"]
    is_beyond = score > worst if task.better == "lower" else score < worst
    return Measured("disqualified" if is_beyond else "discard", float(score), numbers, told)


def _execute(source: str, function: str, arguments: tuple[Any, ...], seconds: float) -> Execution:
    site = sysconfig.get_paths()["purelib"]
    sandbox = shared_sandbox(preload=("numpy", "base64"), import_paths=(site,))
    limits = Limits(
        cpu_seconds=seconds, wall_seconds=seconds * SLACK + 10, memory_bytes=MEMORY_BYTES, output_bytes=16 * 1024**2
    )
    return sandbox.run(Program(source, function=function, arguments=arguments), limits)


def _failure(execution: Execution, overrun: TrialLabel) -> TrialLabel:
    if execution.outcome == "compile_error":
        return "preflight_crash"
    return overrun if execution.outcome == "timeout" else "crash"


def _said(execution: Execution) -> str:
    lines = execution.stderr.strip().splitlines()
    return f"{execution.outcome}: {lines[-1]}" if lines else execution.outcome
