"""Attempts that other systems wrote, as they come: files to columns, without a record a row.

The columns are described in docs/evidence.md. What a row does not say is null. Rows that cannot be read are left out,
counted and named; a file is refused only where most of its rows are such, with what to write in a mapping.
"""

import difflib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign.columns import Columns, is_series, refusal
from evotrainer.evidence.foreign.files import Part, clear, read_parts
from evotrainer.evidence.foreign.identity import Identity
from evotrainer.evidence.foreign.messages import Voice
from evotrainer.evidence.foreign.names import find_format, format_of
from evotrainer.evidence.foreign.plain_rows import PlainRows
from evotrainer.evidence.foreign.roles import TOKENS, Roles
from evotrainer.evidence.foreign.values import arrow, codes_of, is_cut, known_split, whole
from evotrainer.evidence.rows import EXTRA_PREFIX, TERM_PREFIX, Rows, combined
from evotrainer.records import Trajectory
from evotrainer.records.base import count_of

_MAX_SKIPPED = 20
"""Rows that were left out, of which the places are kept."""
_STEP = re.compile(r"(?:^|[/_-])(?:global_)?step[_-]?(\d+)(?=[/._-]|$)|/(\d+)\.jsonl")
"""prime-rl: rollouts/step_12/train_rollouts.jsonl; NeMo-RL: train_data_step12.jsonl; verl: 12.jsonl."""
_HELD = re.compile(r"(?:^|[_.-])(?:val|valid|validation|eval|dev)(?=[_.-])")
_SPOKEN = ("prompt", "response", "messages")
_MEASURES = {
    **dict.fromkeys(("reward", "correct", "advantage", "duration_seconds", "mean_logprob"), pa.float64()),
    "num_tokens": pa.int64(),
    "in_loss": pa.bool_(),
    "format_ok": pa.bool_(),
}
"""Columns of numbers and verdicts, null where the file does not hold them."""

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
    read = _Reading(source, mapping)
    for part in read_parts(path):
        read.add(part)
    return read.table(path)


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
        voice = Voice(*(mapping.get(name, "") for name in _SPOKEN)) if mapping.keys() & set(_SPOKEN) else None
        taken = frozenset(theirs for ours, theirs in mapping.items() if ours not in _SPOKEN)
        self.columns = Columns(taken, voice)
        self.plain = PlainRows()
        self.skipped: list[str] = []
        self.num_skipped = 0

    def add(self, part: Part) -> None:
        """Add the rows of a part; those that cannot be read are left out and counted."""
        shapes = Counter(tuple(row) for row in part.rows if type(row) is dict and row)
        usual = _usual_keys(shapes) if len(shapes) > 1 else set()
        rows: list[Any] = []
        lines: list[int] = []
        faults = [*part.faults]
        for row, line in zip(part.rows, part.lines, strict=True):
            if type(row) is not dict or not row:
                faults.append((line, f"no object but {_kind(row)}"))
            elif usual and len(usual & row.keys()) * 5 < len(usual):
                faults.append((line, "it has hardly any column of the other rows"))
            elif made := self.plain.of(row):
                rows += made
                lines += [line] * len(made)
            else:
                faults.append((line, "its values have not the form of its keys"))
        if shapes and not self.source:
            self.source = format_of(next(iter(shapes)))
        if rows:
            self.columns.add(rows, lines, part.file)
        self.num_skipped += len(faults)
        room = max(_MAX_SKIPPED - len(self.skipped), 0)
        self.skipped += [f"{clear(Path(part.file).name)}:{line}: {reason}" for line, reason in sorted(faults)[:room]]

    def table(self, path: Path) -> ForeignRows:
        """Return what was read."""
        num = self.columns.num_rows
        if self.num_skipped > num:
            lost = f"{self.num_skipped} of {num + self.num_skipped} rows cannot be read"
            raise EvidenceError(f"{clear(path)}: {lost}: {'; '.join(self.skipped[:3])}")
        if not num:
            raise EvidenceError(f"{clear(path)} holds no rows")
        found = self.columns.table()
        is_spoken = "@response" in found
        if not is_spoken and not is_series(found):
            raise EvidenceError(refusal(path, found))
        roles = Roles(found, num, self.source, self.mapping)
        table = _attempts(roles)
        rows = Rows(table, spoken=pa.concat_tables(self.columns.messages))
        roles.roles |= self.columns.voiced()
        if not is_spoken:
            roles.notes.append("a logged series, one row a step: it holds no attempts")
        if self.num_skipped:
            shown = "; ".join(self.skipped[:3])
            roles.notes.append(f"{count_of(self.num_skipped, 'row')} cannot be read, and left out: {shown}")
        more = self.num_skipped - len(self.skipped)
        skipped = [*self.skipped, *([f"and {more} more"] if more > 0 else [])]
        return ForeignRows(rows, self.source, roles.roles, [*roles.notes, *_ungraded(roles, table)], skipped)


def _usual_keys(shapes: Mapping[tuple[str, ...], int]) -> set[str]:
    """Return the keys that more than half of the rows have, where there are enough to know a row of another kind by."""
    num, counted = sum(shapes.values()), Counter[str]()
    for keys, count in shapes.items():
        counted.update(dict.fromkeys(keys, count))
    usual = {key for key, count in counted.items() if count * 2 > num}
    return usual if len(usual) > 2 and num > 4 else set()


def _kind(value: Any) -> str:
    return {list: "a list", str: "a text", type(None): "null", dict: "an empty object"}.get(type(value), "a number")


def _attempts(roles: Roles) -> pa.Table:
    """Return the table of attempts: roles first, then every other column under its own name."""
    found, num = roles.columns, roles.num_rows
    roles.plain()
    identity = Identity(roles)
    roles.pay()
    roles.answers(identity.problem)
    roles.note_lost()
    step, split = _steps(roles), pa.array(_splits(roles), pa.string())
    groups = identity.groups(step)
    group = combined(codes_of(split)[0], codes_of(groups)[0], step)
    made: dict[str, Any] = {
        "place": pa.array(np.arange(num)),
        "file": found["file"],
        "line": found["line"],
        "trajectory_id": identity.ids(found["file"], np.asarray(found["line"].to_pylist())),
        "run": identity.run if identity.run is not None else pa.repeat("", num),
        "version": roles.text("version", "foreign"),
        "policy_id": roles.text("policy_id", ""),
        "family": roles.text("family", ""),
        "split": split,
        "step": pa.array(step, mask=np.isnan(roles.found.get("step", step))),
        "problem_id": identity.problem_id,
        "group_id": groups,
        "problem": pa.array(identity.problem),
        "group": pa.array(group),
        "attempt": _attempt_numbers(roles, group),
        **{name: found.get(f"@{name}", pa.nulls(num, pa.string())) for name in ("prompt", "response", "last")},
        **{name: roles.found.get(name, pa.nulls(num, pa.string())) for name in ("gold", "answer")},
        **{one: arrow(roles.found[one], pa.float64()) for one in roles.found if one.startswith(TERM_PREFIX)},
    }
    if "mean_logprob" not in roles.found and "@mean_logprob" in found:
        roles.found["mean_logprob"] = roles.numbers("@mean_logprob")
    for name, kind in _MEASURES.items():
        values = roles.found.get(name)
        made[name] = pa.nulls(num, kind) if values is None else arrow(values, kind)
    made["error"] = roles.found.get("error", pa.nulls(num, pa.string()))
    made["stop_reason"] = roles.text("stop_reason")
    cut = roles.found.get("is_truncated")
    made["is_truncated"] = is_cut(made["stop_reason"]) if cut is None else arrow(cut, pa.bool_())
    made["num_turns"] = found.get("@num_turns", pa.nulls(num, pa.int64()))
    made["started_at"] = roles.text("started_at")
    named = set(roles.roles.values())
    made |= {name: roles.texts(name) for name in ("campaign", "domain") if name in found and name not in named}
    made |= {name: roles.found[name] for name in TOKENS if roles.found.get(name) is not None}
    for name, column in found.items():
        is_known = name.startswith("@") or name in named or name in ("file", "line")
        if not is_known or name.startswith("@messages_in_loss"):
            made[f"{EXTRA_PREFIX}{name.removeprefix('@').removeprefix('extra.')}"] = column
    return pa.table(made)


def _steps(roles: Roles) -> np.ndarray:
    """Return the step of each row: its column's, or what the name of the file or its folder says; 0 for neither."""
    if "step" in roles.found:
        return whole(roles.found["step"])
    file = roles.columns["file"]
    named = {one: ["".join(match) for match in _STEP.findall(one)] for one in file.unique().to_pylist()}
    if not any(named.values()):
        return np.zeros(len(file), np.int64)
    roles.roles["step"] = "the name of the file"
    return np.array([int(named[one][-1]) if named[one] else 0 for one in file.to_pylist()])


def _splits(roles: Roles) -> list[str]:
    """Return the split of each row: its column's, or validation where the name of its file says so, else train."""
    if "split" in roles.found:
        return [known_split(one) or "train" for one in roles.texts(roles.roles["split"]).to_pylist()]
    file = roles.columns["file"]
    held = {one: bool(_HELD.search(Path(one).name)) for one in file.unique().to_pylist()}
    if any(held.values()):
        roles.roles["split"] = "the name of the file"
    return ["validation" if held[one] else "train" for one in file.to_pylist()]


def _attempt_numbers(roles: Roles, group: np.ndarray) -> pa.Array:
    """Return the number of each attempt: its column's, or its place within its group."""
    given = roles.found.get("attempt")
    if given is not None and not np.isnan(given).any():
        return pa.array(whole(given))
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) != 0])
    found = np.empty(len(group), dtype=np.int64)
    found[order] = np.arange(len(group)) - np.repeat(starts, np.diff(np.r_[starts, len(group)]))
    return pa.array(found)


def _ungraded(roles: Roles, table: pa.Table) -> list[str]:
    """Return a note where replies have no grade, which says what a grader could use."""
    known = {name: table[name].null_count < table.num_rows for name in ("reward", "response", "gold")}
    if known["reward"] or not known["response"]:
        return []
    grades = f"; '{roles.roles['gold']}' holds references" if known["gold"] else ""
    if known["gold"] and "answer" in roles.roles:
        grades += f" and '{roles.roles['answer']}' answers: a grader can score them"
    return [f"no column holds a reward or a verdict{grades}"]
