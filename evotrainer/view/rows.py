"""Attempts as the page shows them: filtered and sorted lists by page, one attempt with its turns, one group.

Nothing is copied a row: filters are conditions of diagnosis/conditions.py, over Arrow columns, and a page makes records
of its fifty rows alone.
"""

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.diagnosis.conditions import Conditions, floats, quoted
from evotrainer.diagnosis.reading import COLUMNS
from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign.roles import TOKENS
from evotrainer.evidence.schema import TERM_PREFIX

PAGE = 50
MAX_GROUP = 64
"""Attempts of a group that stand side by side."""
HEAD = 240
"""Characters of a text in a list."""
GROUP_TEXT = 6000
"""Characters of a text where the attempts of a group stand side by side."""
SECONDS = 20.0
"""Of processor time, for one filter."""
KEPT = 16
"""Lists of places that are remembered, so that a next page costs nothing."""
_WORD = re.compile(r'"([^"]+)"|(\S+)')
_SPOKEN = ("prompt", "response", "last")


@dataclass(frozen=True)
class Question:
    """Which rows are listed, in which order."""

    words: str = ""
    where: str = ""
    step: str = ""
    version: str = ""
    finding: str = ""
    sort: str = ""
    is_descending: bool = False


class ShownRows:
    """The rows of one moment."""

    def __init__(self, table: pa.Table, messages: pa.Table, findings: Mapping[str, np.ndarray]) -> None:
        """Take attempts, their messages by `place`, and the places that each finding is about."""
        self.table, self.messages, self._findings = table, messages, findings
        self._conditions = Conditions({"attempts": table, "messages": messages}, SECONDS)
        self._one_at_a_time = threading.Lock()
        self._found: dict[Question, np.ndarray] = {}

    def columns(self) -> list[dict[str, str]]:
        """Return every column that holds anything, with its kind and, where it is derived, its meaning."""
        return [
            {"name": name, "kind": _kind(self.table.schema.field(name).type), "meaning": COLUMNS.get(name, "")}
            for name in self.table.column_names
            if self._is_told(name)
        ]

    def _is_told(self, name: str) -> bool:
        column = self.table[name]
        is_text = _kind(column.type) == "text"
        return column.null_count < len(column) and not (is_text and pc.call_function("max", [column]).as_py() == "")

    def page(self, question: Question, offset: int, columns: list[str]) -> dict[str, Any]:
        """Return fifty rows of those that fit, and how many do; raises EvidenceError for a filter that is refused."""
        with self._one_at_a_time:
            places = self._found.get(question)
            if places is None:
                places = self._sorted(self._fitting(question), question)
                self._found = dict([*self._found.items(), (question, places)][-KEPT:])
        shown = places[offset : offset + PAGE]
        names = [one for one in columns if one in self.table.column_names]
        return {"total": len(places), "offset": offset, "rows": self._cells(shown, names, HEAD)}

    def row(self, name: str) -> dict[str, Any]:
        """Return an attempt: its columns, its messages in order, its tokens, and the findings that hold it."""
        place = self._place(name)
        values = self.table.slice(place, 1).to_pylist()[0]
        tokens = {one: values[one] for one in TOKENS if isinstance(values.get(one), list)}
        plain = {
            one: value
            for one, value in values.items()
            if value is not None and not isinstance(value, list | dict) and one not in _SPOKEN
        }
        wanted = pc.call_function("equal", [self.messages["place"], pa.scalar(place, pa.int64())])
        spoken = self.messages.filter(wanted).drop_columns(["place"]).to_pylist()
        return {
            "id": name,
            "columns": {one: value for one, value in plain.items() if not one.startswith(TERM_PREFIX)},
            "terms": {one.removeprefix(TERM_PREFIX): plain[one] for one in plain if one.startswith(TERM_PREFIX)},
            "messages": spoken,
            "tokens": tokens,
            "findings": [key for key, places in self._findings.items() if place in places],
        }

    def group(self, name: str) -> dict[str, Any]:
        """Return the attempts at the problem of this one in its step, with their texts."""
        codes = self.table["group"] if "group" in self.table.column_names else self.table["problem"]
        place = self._place(name)
        places = np.flatnonzero(floats(codes) == codes[place].as_py())
        terms = [one for one in self.table.column_names if one.startswith(TERM_PREFIX)]
        names = ["attempt", "reward", "correct", "advantage", "num_tokens", "stop_reason", "answer", "final", *terms]
        known = [one for one in (*names, "response") if one in self.table.column_names]
        values = self.table.slice(place, 1).to_pylist()[0]
        about = {one: values.get(one) for one in ("problem_id", "step", "version", "gold")}
        prompt = (values.get("prompt") or "")[:GROUP_TEXT]
        rows = self._cells(places[:MAX_GROUP], known, GROUP_TEXT)
        return {"total": len(places), "about": about, "prompt": prompt, "rows": rows}

    def _cells(self, places: np.ndarray, names: list[str], limit: int) -> list[dict[str, Any]]:
        wanted = list(dict.fromkeys(["trajectory_id", *names]))
        chosen = self.table.select(wanted).take(pa.array(places, pa.int64())).to_pylist()
        return [{name: _cell(value, limit) for name, value in row.items()} for row in chosen]

    def _place(self, name: str) -> int:
        place = pc.call_function("index", [self.table["trajectory_id"]], pc.IndexOptions(pa.scalar(name))).as_py()
        if place < 0:
            raise EvidenceError(f"no row has the id '{name[:80]}'")
        return place

    def _fitting(self, question: Question) -> np.ndarray:
        """Return the places of the rows that all parts of a question let through."""
        keep = np.ones(len(self.table), dtype=bool)
        for exact, plain in _WORD.findall(question.words):
            text = f"contains(lower(concat(text, ' ', tool, ' ', arguments)), {quoted((exact or plain).lower())})"
            holding = np.zeros_like(keep)
            holding[self._conditions.query(f"SELECT DISTINCT place FROM messages WHERE {text}")["place"]] = True
            keep &= holding
        if question.where:
            (found,) = self._conditions.evaluate([question.where])
            if not (pa.types.is_boolean(found.type) or pa.types.is_integer(found.type)):
                raise EvidenceError("this is no condition: write one that is true or false, like reward < 0.5")
            keep &= np.nan_to_num(floats(found)) != 0
        if question.step:
            keep &= floats(self.table["step"]) == _number(question.step)
        if question.version:
            same = pc.call_function("equal", [self.table["version"], pa.scalar(question.version)])
            keep &= np.nan_to_num(floats(same)) != 0
        if question.finding:
            keep &= np.isin(np.arange(len(keep)), self._findings.get(question.finding, np.zeros(0, np.int64)))
        return np.flatnonzero(keep)

    def _sorted(self, places: np.ndarray, question: Question) -> np.ndarray:
        """Return the places in the order of a column, unknown values last."""
        if not question.sort:
            return places
        if question.sort not in self.table.column_names or _kind(self.table[question.sort].type) == "list":
            raise EvidenceError(f"no column '{question.sort[:80]}' to sort by")
        values = self.table.select([question.sort]).take(pa.array(places, pa.int64()))
        direction = "descending" if question.is_descending else "ascending"
        keys = pc.SortOptions([(question.sort, direction, "at_end")])
        return places[pc.call_function("sort_indices", [values], keys).to_numpy()]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise EvidenceError(f"'{text[:40]}' is no step: write its number") from None


def _cell(value: Any, limit: int) -> Any:
    if isinstance(value, list | dict):
        return f"[{len(value)}]"
    return f"{value[:limit]}…" if isinstance(value, str) and len(value) > limit else value


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_nested(kind):
        return "list"
    if pa.types.is_boolean(kind):
        return "truth"
    return "text" if pa.types.is_string(kind) or pa.types.is_large_string(kind) else "number"
