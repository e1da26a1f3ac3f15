"""Evidence as checks read it: SQL conditions over attempts, of anybody: a shipped check, a person's file, a model.

A condition is one expression over the columns of `attempts`: no subquery, no other table. It is parsed before it runs.
The database reads no file, its configuration is locked, nothing can be written, and memory and time are limited
(evidence/views.py has the same rules for whole queries).
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import cached_property, lru_cache
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.errors import EvidenceError
from evotrainer.evidence.query import QueryResult
from evotrainer.evidence.rows import labels_of, one_array
from evotrainer.evidence.views import TOO_DEEP, check_select, first_line, lock
from evotrainer.records import Finding, Severity, Unjudged
from evotrainer.records.base import HELD, count_of

TABLE = "attempts"
ROW = "row_number_of_attempt"
"""Column of `attempts` in the database: a window function does not keep the order of rows."""
MAX_CHARACTERS = 4000
SECONDS = 60.0
MEGABYTES = 1024
_WATCH_SECONDS = 0.05
ENDED: ContextVar[threading.Event | None] = ContextVar("ended", default=None)
"""Set where nobody waits for answers any more: a query that runs ends, and its thread with it."""
EXAMPLES = 20
"""Attempts that a finding names."""
EXCERPT = 100
"""Characters of a text that a finding shows."""


class Conditions:
    """Tables of one set of evidence, `attempts` among them, in a database that can do nothing but read them."""

    def __init__(self, tables: Mapping[str, pa.Table], seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        """Register the tables; they are scanned where they lie and never copied."""
        self._database = duckdb.connect(
            config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        )
        self.table = tables[TABLE]
        numbered = self.table.append_column(ROW, pa.array(range(len(self.table)), pa.int64()))
        for name, table in {**tables, TABLE: numbered}.items():
            self._database.register(name, table)
        lock(self._database, [], megabytes)
        self._seconds = seconds
        self._known: dict[str, bool] = {}

    def is_known(self, column: str) -> bool:
        """Tell whether a column exists and is not null everywhere."""
        if column not in self._known:
            has = column in self.table.column_names
            self._known[column] = has and self.table[column].null_count < len(self.table)
        return self._known[column]

    def evaluate(self, expressions: Sequence[str]) -> list[pa.ChunkedArray]:
        """Return one column an expression, over all attempts in their order, in one SELECT.

        Raises:
            EvidenceError: an expression is refused or fails, or the time is over.

        """
        if not expressions:
            return []
        for one in expressions:
            columns_of(one)
        parts = ", ".join(f"({one}) AS c{i}" for i, one in enumerate(expressions))
        order = f" ORDER BY {ROW}" if any(" OVER " in one.upper() for one in expressions) else ""
        found = self.query(f"SELECT {parts} FROM {TABLE}{order}")
        return [found[f"c{i}"] for i in range(len(expressions))]

    def query(self, sql: str) -> pa.Table:
        """Return the answer to a SELECT of our own over the tables."""
        return self._run(lambda: self._database.sql(sql).to_arrow_table())

    def select(self, sql: str, max_rows: int) -> QueryResult:
        """Return the answer to one SELECT over the tables; raises EvidenceError where it is refused or fails."""
        check_select(sql)
        answer = self._run(lambda: self._database.execute(sql))
        columns = [column[0] for column in answer.description or []]
        rows = [[*row] for row in answer.fetchmany(max_rows + 1)]
        return QueryResult(columns, rows[:max_rows], len(rows) > max_rows)

    def _run(self, work: Callable[[], Any]) -> Any:
        done, ended = threading.Event(), ENDED.get() or threading.Event()
        watch = threading.Thread(target=_interrupt, args=(self._database, self._seconds, done, ended), daemon=True)
        watch.start()
        try:
            return work()
        except duckdb.InterruptException:
            if ended.is_set():
                raise SystemExit from None
            raise EvidenceError(f"it took more than {self._seconds:g} s of processor time") from None
        except duckdb.Error as error:
            raise EvidenceError(f"DuckDB says: {first_line(error)}") from None
        except RuntimeError as error:
            if str(error) == "Query interrupted":  # what DuckDB makes of Ctrl-C
                raise KeyboardInterrupt from None
            raise
        finally:
            done.set()
            watch.join()  # an interpreter that ends meanwhile would abort in it


class Evidence:
    """Attempts as checks judge them: conditions, and the arrays that tests need."""

    def __init__(self, conditions: Conditions, version: str = "") -> None:
        """Take the tables of `conditions`; `version` is whose findings they are."""
        self.conditions, self.table, self.version = conditions, conditions.table, version
        self.num_rows = len(self.table)
        self.places: dict[str, np.ndarray] = {}
        """Message of each finding -> places of all attempts that it is about."""

    def numbers(self, column: str) -> np.ndarray:
        """Return a column of numbers as floats; nan where it is unknown."""
        return floats(self.table[column]) if self.conditions.is_known(column) else np.full(self.num_rows, np.nan)

    def texts(self, column: str) -> np.ndarray:
        """Return a column as Python values, None where it is unknown."""
        if not self.conditions.is_known(column):
            return np.full(self.num_rows, None, object)
        return np.array([*self.table[column].to_pylist(), None], object)[:-1]

    def codes(self, column: str) -> np.ndarray:
        """Return a column of texts as numbers of its distinct values; unknown ones are one value."""
        return labels_of(self.table[column].fill_null("")).codes

    @cached_property
    def problem(self) -> np.ndarray:
        """The problem of each attempt as a code."""
        codes = self.numbers("problem")
        return np.where(np.isfinite(codes), codes, -1 - np.arange(self.num_rows)).astype(np.int64)

    @cached_property
    def group(self) -> np.ndarray:
        """The attempts at one problem in one step, as a code."""
        codes = self.numbers("group")
        return np.where(np.isfinite(codes), codes, self.problem).astype(np.int64)

    @cached_property
    def step(self) -> np.ndarray:
        """The optimiser step."""
        return self.numbers("step")

    @cached_property
    def reward(self) -> np.ndarray:
        """The reward; where none is recorded, the outcome."""
        return self.numbers("reward" if self.conditions.is_known("reward") else "correct")

    @cached_property
    def pay(self) -> np.ndarray:
        """The reward on a scale from 0, the least anybody gets, to 1; 0 itself is no pay even where all get more."""
        known = self.reward[np.isfinite(self.reward)]
        if not len(known):
            return self.reward
        low, high = min(0.0, float(known.min())), float(known.max())
        return (self.reward - low) / (high - low) if high > low else np.zeros(self.num_rows) + self.reward * 0

    @cached_property
    def is_right(self) -> np.ndarray:
        """Whether an attempt gives its gold answer, in whatever form."""
        return np.isin(self.texts("relation"), ("equal", "form", "ends"))

    @cached_property
    def is_held(self) -> np.ndarray:
        """Whether an attempt is of a split that no version trains on."""
        return np.isin(self.texts("split"), list(HELD))

    def num_problems(self, places: np.ndarray) -> int:
        """Return at how many problems these attempts are."""
        return len(np.unique(self.problem[places]))

    def ids(self, places: np.ndarray) -> list[str]:
        """Return the ids of attempts, of different problems first."""
        first = np.unique(self.problem[places], return_index=True)[1]
        order = np.concatenate([places[np.sort(first)], np.delete(places, first)])[:EXAMPLES]
        return [str(name) for name in self.table["trajectory_id"].take(pa.array(order, pa.int64())).to_pylist()]

    def finding(
        self, mode: str, severity: Severity, message: str, numbers: Mapping[str, float], places: np.ndarray
    ) -> Finding:
        """Return a finding on attempts at `places`."""
        places = np.asarray(places, np.int64)
        self.places[message] = places
        kept = {name: float(f"{value:.9g}") for name, value in numbers.items() if np.isfinite(value)}
        return Finding(
            mode=mode,
            severity=severity,
            diagnostic="",
            version=self.version,
            message=message,
            numbers=kept,
            trajectory_ids=self.ids(places) if len(places) else [],
            excerpt=self._excerpt(places),
        )

    def _excerpt(self, places: np.ndarray) -> str:
        """Return the end of what the policy wrote in the first of these attempts."""
        if not len(places) or "response" not in self.table.column_names:
            return ""
        text = " ".join((self.table["response"][int(places[0])].as_py() or "").split())
        return f"...{text[-EXCERPT:]}" if len(text) > EXCERPT else text or "(nothing)"

    def too_few(self, mode: str, places: np.ndarray) -> Unjudged:
        """Return that these attempts are too few to judge a mode."""
        text = f"too few to judge: {count_of(len(places), 'row')}, {count_of(self.num_problems(places), 'problem')}"
        return Unjudged(mode=mode, diagnostic="", missing=["rows"], advice=[text])


def quoted(text: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


@lru_cache(maxsize=1024)
def columns_of(expression: str) -> tuple[str, ...]:
    """Return the columns that an expression names; raises EvidenceError where it is anything but one expression."""
    if len(expression) > MAX_CHARACTERS:
        raise EvidenceError(f"a condition of {len(expression)} characters: write at most {MAX_CHARACTERS}")
    try:
        return _columns_of(expression)
    except RecursionError:
        raise EvidenceError(TOO_DEEP) from None


def _columns_of(expression: str) -> tuple[str, ...]:
    text = f"SELECT ({expression})"
    tree = json.loads(_parser().execute("SELECT json_serialize_sql(?)", [text]).fetchall()[0][0])
    if tree["error"]:
        raise EvidenceError(f"'{expression[:80]}' is no SQL condition: {tree['error_message']}")
    node = tree["statements"][0]["node"] if len(tree["statements"]) == 1 else {}
    plain = node.get("type") == "SELECT_NODE" and len(node["select_list"]) == 1
    if not plain or node["from_table"]["type"] != "EMPTY" or node["where_clause"] is not None:
        raise EvidenceError(f"'{expression[:80]}' is more than a condition: write one expression over columns")
    bound: set[str] = set()
    named: dict[str, None] = {}
    for one in _nodes(node["select_list"][0]):
        if one.get("class") in ("SUBQUERY", "STAR"):
            raise EvidenceError(f"'{expression[:80]}' reads another table: write one expression over columns")
        if one.get("class") == "LAMBDA":
            bound |= {part for side in _nodes(one["lhs"]) for part in side.get("column_names", ())}
        if one.get("class") == "COLUMN_REF":
            named[one["column_names"][-1]] = None
    return tuple(name for name in named if name not in bound)


@lru_cache(maxsize=1)
def _parser() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    lock(connection, [], MEGABYTES)
    return connection


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a parsed statement."""
    if isinstance(tree, dict):
        yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from _nodes(part)


def _interrupt(
    connection: duckdb.DuckDBPyConnection, seconds: float, done: threading.Event, ended: threading.Event
) -> None:
    """End a query after so much processor time: wall-clock time would end correct queries on a busy machine."""
    started = time.process_time()
    while not done.wait(_WATCH_SECONDS):
        if ended.is_set() or time.process_time() - started > seconds:
            connection.interrupt()


def floats(column: pa.ChunkedArray | pa.Array) -> np.ndarray:
    """Return a column of numbers or truth values as floats, null as nan."""
    cast = one_array(pc.cast(column, pa.float64(), safe=False))
    return np.asarray(cast.to_numpy(zero_copy_only=False), dtype=float)
