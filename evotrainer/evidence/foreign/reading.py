"""Attempts that other systems wrote, as they come: files to columns, without a record a row.

The columns are described in docs/evidence.md. What a row does not say is null. Rows that cannot be read are left out,
counted and named; a file is refused only where most of its rows are such, with what to write in a mapping.
"""

import difflib
import gc
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign.columns import Columns, is_series, refusal
from evotrainer.evidence.foreign.files import clear, read_parts
from evotrainer.evidence.foreign.identity import Identity, combined
from evotrainer.evidence.foreign.messages import Spoken, Voice
from evotrainer.evidence.foreign.names import find_format, format_of
from evotrainer.evidence.foreign.plain_rows import PlainRows
from evotrainer.evidence.foreign.roles import TOKENS, Roles
from evotrainer.evidence.foreign.values import arrow, codes_of, is_cut, split_name
from evotrainer.evidence.rows import EXTRA_PREFIX, TERM_PREFIX, Rows
from evotrainer.records import Trajectory

_MAX_SKIPPED = 20
"""Rows that were left out, of which the places are kept."""
_STEP = re.compile(r"(?:^|[/_-])(?:global_)?step[_-]?(\d+)(?=[/._-]|$)|/(\d+)\.jsonl")
"""prime-rl: rollouts/step_12/train_rollouts.jsonl; NeMo-RL: train_data_step12.jsonl; verl: 12.jsonl."""
_HELD = re.compile(r"(?:^|[_.-])(?:val|valid|validation|eval|dev)(?=[_.-])")
_SPOKEN = ("prompt", "response", "messages")


_OURS = frozenset({*Trajectory.model_fields, "prompt", "response", "gold", "answer", "family", "run"})


@dataclass(frozen=True)
class ForeignRows:
    """Rows of another system as columns."""

    rows: Rows
    """One row an attempt."""
    source: str
    """The format that the file was taken for."""
    roles: dict[str, str]
    """Which column of the file was taken as id, problem, group, step, gold, answer, reward, correct, ..."""
    notes: list[str]
    """How the rows were read, for a person."""
    skipped: list[str]
    """Rows that could not be read: place and reason, and how many more."""

    @property
    def messages(self) -> pa.Table:
        """place, turn, role (system, user, assistant, call, tool), text, tool, arguments, is_policy, ok; made once."""
        return self.rows.messages


def read_foreign_rows(path: Path, source: str = "", columns: Mapping[str, str] | None = None) -> ForeignRows:
    """Return all attempts of a file, a folder or a pattern of files as columns.

    Args:
        path: the files.
        source: the format, by its name in names.yaml; empty: recognised.
        columns: {our name: name in the file}, which may lead into an object, like info.reward.

    Raises:
        EvidenceError: a file cannot be read, or holds no attempts; the message says what to map.

    """
    if source:
        find_format(source)
    mapping = dict(columns or {})
    check_mapping(mapping)
    pa.set_memory_pool(pa.system_memory_pool())  # which gives back what parts of a file took
    read = _Reading(source, mapping)
    with _uncollected():
        for part in read_parts(path):
            read.add(part.rows, part.lines, part.file)
            read.skip(part.file, part.faults)
    return read.table(path)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Do without the collector of cycles: rows hold none, and it would walk all of a part again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


_Kept = tuple[list[Any], list[int]]
"""Plain rows, and the line of each."""


def check_mapping(columns: Mapping[str, str], where: str = "the mapping") -> None:
    """Raise EvidenceError for a mapping to a name that is like one of ours; any other is kept as a column."""
    for name in columns:
        near = difflib.get_close_matches(name, _OURS, n=1, cutoff=0.8)
        if near and name not in _OURS and not name.startswith(("reward_terms.", TERM_PREFIX)):
            raise EvidenceError(f"{where} names '{clear(name, 60)}', no column of ours: did you mean {near[0]}?")


class _Reading:
    """Files on their way to columns."""

    def __init__(self, source: str, mapping: dict[str, str]) -> None:
        self.source, self.mapping = source, mapping
        spoken = {ours: mapping[ours] for ours in _SPOKEN if ours in mapping}
        voice = (
            Voice(spoken.get("prompt", ""), spoken.get("response", ""), spoken.get("messages", "")) if spoken else None
        )
        taken = frozenset(theirs for ours, theirs in mapping.items() if ours not in _SPOKEN)
        self.columns = Columns(taken, voice)
        self.plain = PlainRows()
        self.sources: Counter[str] = Counter()
        self.skipped: list[str] = []
        self.num_skipped = 0

    def add(self, rows: list[Any], lines: list[int], file: str) -> None:
        """Add the rows of a part; those that are no objects are left out."""
        objects = [(row, line) for row, line in zip(rows, lines, strict=True) if type(row) is dict and row]
        if len(objects) < len(rows):
            others = ((row, line) for row, line in zip(rows, lines, strict=True) if type(row) is not dict or not row)
            self.skip(file, [(line, f"no object but {_kind(row)}") for row, line in others])
        shapes = Counter(tuple(row) for row, _ in objects)
        if not shapes:
            return
        if not self.sources:
            self.sources[format_of(next(iter(shapes)))] += 1
        kept: _Kept = ([], [])
        usual = _usual_keys(shapes)
        if len(shapes) == 1:
            self._keep(objects, next(iter(shapes)), file, kept)
        for row, line in objects if len(shapes) > 1 else ():
            if usual and len(usual & row.keys()) * 5 < len(usual):
                self.skip(file, [(line, "it has hardly any column of the other rows")])
            else:
                self._keep([(row, line)], tuple(row), file, kept)
        if kept[0]:
            self.columns.add(*kept, file)

    def _keep(self, rows: list[Any], keys: tuple[str, ...], file: str, kept: _Kept) -> None:
        """Add rows of the same keys to those that are kept, each attempt with the line of its row."""
        for made, line in zip(self.plain.of([row for row, _ in rows], keys), [line for _, line in rows], strict=True):
            if not made:
                self.skip(file, [(line, "its values have not the form of its keys")])
            kept[0].extend(made)
            kept[1].extend([line] * len(made))

    def skip(self, file: str, faults: list[tuple[int, str]]) -> None:
        """Count rows that are left out."""
        self.num_skipped += len(faults)
        room = _MAX_SKIPPED - len(self.skipped)
        self.skipped += [f"{clear(Path(file).name)}:{line}: {reason}" for line, reason in faults[: max(room, 0)]]

    def table(self, path: Path) -> ForeignRows:
        """Return what was read."""
        num = self.columns.num_rows
        if self.num_skipped > num:
            lost = f"{self.num_skipped} of {num + self.num_skipped} rows cannot be read"
            raise EvidenceError(f"{clear(path)}: {lost}: {'; '.join(self.skipped[:3])}")
        if not num:
            raise EvidenceError(f"{clear(path)} holds no rows")
        self.source = self.source or next(iter(self.sources))
        found = self.columns.table()
        pa.default_memory_pool().release_unused()
        kinds = ("@response",) if "@response" in found else ()
        if not kinds and not is_series(found):
            raise EvidenceError(refusal(path, found))
        roles = Roles(found, num, self.source, self.mapping, self.columns.prompt_names)
        table = _attempts(roles, found, num)
        spoken = Spoken(table, self.columns.messages, self.columns.shapes)
        roles.roles |= _voiced(self.columns)
        if not kinds:
            roles.notes.append("a logged series, one row a step: it holds no attempts")
        rows = Rows(table, spoken=spoken.table)
        del found
        pa.default_memory_pool().release_unused()
        return ForeignRows(rows, self.source, roles.roles, _notes(roles, table, self), self._skipped())

    def _skipped(self) -> list[str]:
        more = self.num_skipped - len(self.skipped)
        return [*self.skipped, *([f"and {more} more"] if more > 0 else [])]


def _usual_keys(shapes: Mapping[tuple[str, ...], int]) -> set[str]:
    """Return the keys that more than half of the rows have, where there are enough to know a row of another kind by."""
    num, counted = sum(shapes.values()), Counter[str]()
    for keys, count in shapes.items():
        counted.update(dict.fromkeys(keys, count))
    usual = {key for key, count in counted.items() if count * 2 > num}
    return usual if len(usual) > 2 and num > 4 else set()


def _kind(value: Any) -> str:
    return {list: "a list", str: "a text", type(None): "null", dict: "an empty object"}.get(type(value), "a number")


def _attempts(roles: Roles, found: dict[str, Any], num: int) -> pa.Table:
    """Return the table of attempts: roles first, then every other column under its own name."""
    roles.plain()
    identity = Identity(roles)
    roles.pay()
    roles.answers(identity.problem)
    step, splits = _steps(roles, found["file"]), pa.array(_splits(roles, found["file"]), pa.string())
    groups = identity.groups(step, pa.chunked_array([splits]))
    group = combined([codes_of(pa.chunked_array([one]))[0] for one in (splits, groups)] + [step.astype(np.int64)])
    made: dict[str, Any] = {
        "place": pa.array(np.arange(num)),
        "file": found["file"],
        "line": found["line"],
        "trajectory_id": identity.ids(found["file"], np.asarray(found["line"].to_pylist())),
        "run": identity.run if identity.run is not None else pa.repeat("", num),
        "version": _text(roles, "version", num, "foreign"),
        "policy_id": _text(roles, "policy_id", num, ""),
        "family": _text(roles, "family", num, ""),
        "split": splits,
        "step": pa.array(step.astype(np.int64)),
        "problem_id": identity.problem_id,
        "group_id": groups,
        "problem": pa.array(identity.problem),
        "group": pa.array(group),
        "attempt": _attempt_numbers(roles, group),
        **{name: found.get(f"@{name}", pa.nulls(num, pa.string())) for name in ("prompt", "response", "last")},
        **{name: roles.found.get(name, pa.nulls(num, pa.string())) for name in ("gold", "answer")},
        **{one: arrow(roles.found[one], pa.float64()) for one in roles.found if one.startswith(TERM_PREFIX)},
        **_measures(roles, found, num),
        **_ends(roles, num),
        **_counts(found, num),
        "started_at": _text(roles, "started_at", num, None),
        **{
            name: roles.texts(name)
            for name in ("campaign", "domain")
            if name in found and name not in roles.roles.values()
        },
        **{name: roles.found[name] for name in TOKENS if name in roles.found},
    }
    named = set(roles.roles.values())
    for name, column in found.items():
        if name.startswith("@messages_in_loss") or not (
            name.startswith("@") or name in named or name in ("file", "line")
        ):
            made[f"{EXTRA_PREFIX}{name.removeprefix('@').removeprefix('extra.')}"] = column
    return pa.table(made)


def _counts(found: dict[str, Any], num: int) -> dict[str, Any]:
    """Return turns, calls and answers of tools; in files without any call, those of several turns may hide in texts."""
    counts = {
        name: found.get(f"@{name}", pa.nulls(num, pa.int64())) for name in ("num_turns", "num_calls", "num_answers")
    }
    if not any(pc.call_function("sum", [counts[name]]).as_py() for name in ("num_calls", "num_answers")):
        is_known = pc.call_function("less", [counts["num_turns"], 2])
        for name in ("num_calls", "num_answers"):
            counts[name] = pc.call_function("if_else", [is_known, counts[name], pa.scalar(None, pa.int64())])
    return counts


def _steps(roles: Roles, file: Any) -> np.ndarray:
    """Return the step of each row: its column's, or what the name of the file or its folder says; 0 for neither."""
    if "step" in roles.found:
        return np.nan_to_num(roles.found["step"])
    named = {one: ["".join(match) for match in _STEP.findall(one)] for one in file.unique().to_pylist()}
    if not any(named.values()):
        return np.zeros(len(file))
    roles.roles["step"] = "the name of the file"
    return np.array([float(named[one][-1]) if named[one] else 0.0 for one in file.to_pylist()])


def _splits(roles: Roles, file: Any) -> list[str]:
    """Return the split of each row: its column's, or validation where the name of its file says so, else train."""
    if "split" in roles.found:
        return [split_name(one) for one in roles.texts(roles.roles["split"]).to_pylist()]
    held = {one: bool(_HELD.search(Path(one).name)) for one in file.unique().to_pylist()}
    if any(held.values()):
        roles.roles["split"] = "the name of the file"
    return ["validation" if held[one] else "train" for one in file.to_pylist()]


def _attempt_numbers(roles: Roles, group: np.ndarray) -> pa.Array:
    given = roles.found.get("attempt")
    return pa.array(_counted(group) if given is None or np.isnan(given).any() else given.astype(np.int64))


def _measures(roles: Roles, found: dict[str, Any], num: int) -> dict[str, Any]:
    """Return the columns of numbers and verdicts, null where the file does not say them."""
    if "mean_logprob" not in roles.found and "@mean_logprob" in found:
        roles.found["mean_logprob"] = roles.numbers("@mean_logprob")
    kinds = dict.fromkeys(("reward", "correct", "advantage", "duration_seconds", "mean_logprob"), pa.float64())
    kinds |= {"num_tokens": pa.int64(), "in_loss": pa.bool_(), "format_ok": pa.bool_()}
    values = {name: roles.found.get(name) for name in kinds}
    return {
        name: pa.nulls(num, kind) if values[name] is None else arrow(values[name], kind) for name, kind in kinds.items()
    }


def _ends(roles: Roles, num: int) -> dict[str, Any]:
    """Return how attempts ended; whether a limit cut them is known by a column of it, or by stop reasons."""
    stop = pa.chunked_array([pa.nulls(num, pa.string())])
    stop = roles.texts(roles.roles["stop_reason"]) if "stop_reason" in roles.found else stop
    cut = arrow(roles.found["is_truncated"], pa.bool_()) if "is_truncated" in roles.found else is_cut(stop)
    return {"error": roles.found.get("error", pa.nulls(num, pa.string())), "stop_reason": stop, "is_truncated": cut}


def _text(roles: Roles, role: str, num: int, default: str | None) -> Any:
    if role in roles.found:
        texts = roles.texts(roles.roles[role])
        return texts if default is None else texts.fill_null(default)
    return pa.array([default] * num, pa.string())


def _counted(group: np.ndarray) -> np.ndarray:
    """Return the number of each row within its group, in order."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) != 0])
    counted = np.arange(len(group)) - np.repeat(starts, np.diff(np.r_[starts, len(group)]))
    found = np.empty(len(group), dtype=np.int64)
    found[order] = counted
    return found


def _voiced(columns: Columns) -> dict[str, str]:
    """Return which columns what was said was read from, those of most rows."""
    counted: dict[str, str] = {}
    for voice in columns.voices.values() or ([columns.voice] if columns.voice else []):
        for role, name in (("prompt", voice.asked), ("response", voice.said), ("messages", voice.messages)):
            if name and (role not in counted or columns.used.get(name, 0) > columns.used.get(counted[role], 0)):
                counted[role] = name
    return counted


def _notes(roles: Roles, table: pa.Table, read: _Reading) -> list[str]:
    found = list(roles.notes)
    if read.num_skipped:
        found.append(f"{read.num_skipped} rows cannot be read and are left out: {'; '.join(read.skipped[:3])}")
    is_paid = table["reward"].null_count < table.num_rows
    if not is_paid and table["response"].null_count < table.num_rows:
        grades = ""
        if table["gold"].null_count < table.num_rows:
            grades = f"; '{roles.roles['gold']}' holds references" + (
                f" and '{roles.roles['answer']}' answers: a grader can score them" if "answer" in roles.roles else ""
            )
        found.append(f"no column holds a reward or a verdict{grades}")
    return found
