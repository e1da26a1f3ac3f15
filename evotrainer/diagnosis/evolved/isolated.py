"""Runs evolved diagnostics: SELECTs in the query process, modules in the sandbox.

Answers are checked as untrusted data: finite numbers under the plugin's own name, and ids of rows that it was shown.
Text that a plugin prints or raises never reaches a report; only the class of its error does. A failure affects that
plugin alone. A machine without a sandbox raises SandboxError.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from evotrainer.diagnosis.evolved.cards import Plugin, is_own_metric
from evotrainer.diagnosis.evolved.plugin_inputs import PluginInput, to_columns
from evotrainer.evidence.frame_query import query_frames
from evotrainer.sandbox import Limits, Program, describe_end
from evotrainer.sandbox.shared import shared_sandbox

MAX_METRICS = 20
MAX_ROWS = 20
_WALL_FACTOR = 12.0
"""Wall-clock limit of a module as a multiple of its processor time."""
_PRELOAD = ("numpy", "pandas")

_RUNNER = """
import pandas as pd

from analyzer import analyze


def run(tables):
    frames = {name: pd.DataFrame({column: pd.Series(values, dtype={"number": "float64", "text": "str"}[kind])
              for column, (kind, values) in columns.items()}) for name, columns in tables.items()}
    return analyze(**frames)
"""
"""What the sandbox runs: the module stands beside it as analyzer.py."""


@dataclass(frozen=True)
class PluginLimits:
    """What one plugin may take on one set of evidence."""

    seconds: float = 10.0
    megabytes: int = 1024


@dataclass(frozen=True)
class Reading:
    """What a plugin says of one input: numbers by name, and the rows it names; or why it failed."""

    metrics: dict[str, float] = field(default_factory=dict)
    trajectory_ids: list[str] = field(default_factory=list)
    failure: str = ""


@dataclass(frozen=True)
class Readings:
    """`by_input[i][name]` is what plugin `name` says of input i; `seconds` is what each took over all inputs."""

    by_input: list[dict[str, Reading]]
    seconds: dict[str, float]


def read_plugins(plugins: Sequence[Plugin], inputs: Sequence[PluginInput], limits: PluginLimits) -> Readings:
    """Return what plugins with a source say of each input; raises SandboxError where modules cannot be run at all."""
    answered = _run_queries([plugin for plugin in plugins if plugin.card.kind == "metric"], inputs, limits)
    for plugin in plugins:
        if plugin.card.kind == "analyzer":
            started = time.perf_counter()
            for given, found in zip(inputs, answered.by_input, strict=True):
                found[plugin.card.name] = _run_module(plugin, given, limits)
            answered.seconds[plugin.card.name] = time.perf_counter() - started
    return answered


def _run_queries(plugins: Sequence[Plugin], inputs: Sequence[PluginInput], limits: PluginLimits) -> Readings:
    found: list[dict[str, Reading]] = [{} for _ in inputs]
    seconds: dict[str, float] = {}
    # Plugins that read the same columns share tables; a query that names a column its card does not declare fails.
    by_columns: dict[tuple[str, ...], list[Plugin]] = {}
    for plugin in plugins:
        by_columns.setdefault(tuple(sorted(set(plugin.card.columns))), []).append(plugin)
    for columns, sharing in by_columns.items():
        places = [i for i, given in enumerate(inputs) if given.has(columns)]
        queries = {plugin.card.name: plugin.source for plugin in sharing}
        frames = [inputs[i].only(columns).frames for i in places]
        answers = query_frames(frames, queries, limits.seconds, limits.megabytes)
        seconds |= answers.seconds
        for i, numbers in zip(places, answers.numbers, strict=True):
            found[i] |= {name: _of_query(name, value) for name, value in numbers.items()}
    return Readings([{p.card.name: answers.get(p.card.name, Reading()) for p in plugins} for answers in found], seconds)


def _of_query(name: str, value: float | None | str) -> Reading:
    if isinstance(value, str):
        return Reading(failure=value)
    return Reading({} if value is None else {name: value})


def _run_module(plugin: Plugin, given: PluginInput, limits: PluginLimits) -> Reading:
    if not given.has(plugin.card.columns):
        return Reading()
    shown = given.only(plugin.card.columns)
    program = Program(
        _RUNNER,
        function="run",
        arguments=({name: to_columns(frame) for name, frame in shown.frames.items()},),
        files={"analyzer.py": plugin.source},
    )
    sandbox = shared_sandbox(_PRELOAD, (str(Path(pd.__file__).resolve().parents[1]),))
    bounds = Limits(
        cpu_seconds=limits.seconds, wall_seconds=limits.seconds * _WALL_FACTOR, memory_bytes=limits.megabytes << 20
    )
    execution = sandbox.run(program, bounds)
    if execution.outcome != "ok":
        return Reading(failure=describe_end(execution, bounds))
    return _checked(plugin.card.name, execution.value, set(shown.rows["trajectory_id"]))


def _checked(name: str, value: Any, known_ids: set[str]) -> Reading:
    """Return a module's answer as a Reading; one that is no answer is a failure with the reason."""
    if not isinstance(value, Mapping) or not set(value) <= {"metrics", "trajectory_ids"}:
        return Reading(failure="returned something else than {'metrics': ..., 'trajectory_ids': ...}")
    metrics, ids = value.get("metrics", {}), value.get("trajectory_ids", [])
    if not isinstance(metrics, Mapping) or len(metrics) > MAX_METRICS:
        return Reading(failure=f"returned metrics that are no table of at most {MAX_METRICS} names")
    for key, number in metrics.items():
        if not is_own_metric(name, key):
            return Reading(failure="returned a metric under a name that is not its own")
        if not _is_finite(number):
            return Reading(failure=f"returned {key} that is no finite number")
    if not isinstance(ids, list) or not all(isinstance(i, str) and i in known_ids for i in ids):
        return Reading(failure="named rows that it was not shown")
    return Reading({key: float(number) for key, number in sorted(metrics.items())}, ids[:MAX_ROWS])


def _is_finite(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False
