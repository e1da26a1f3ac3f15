"""Which column of a file is what: by name, by kind and by values, and reported, so that a wrong guess is seen.

Names come from names.yaml. Values decide between columns of one name: a text that never varies within a problem
while replies do is the reference, not the attempt's own answer; of several rewards the one that advantages follow.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from evotrainer.errors import ConfigError
from evotrainer.evidence.foreign.files import clear
from evotrainer.evidence.foreign.names import formats, names
from evotrainer.evidence.foreign.values import as_numbers, as_texts, codes_of, known_split, lost_numbers, no_error
from evotrainer.evidence.rows import TERM_PREFIX, is_number

_CORRECT_WORDS = frozenset({"correct", "accuracy", "acc", "solved", "passed", "pass", "resolved"})
_FUNCTIONS = ("reward", "rewards", "func", "fn")
"""Ends of names of reward functions, whose sum is the reward where no column holds it."""
LABEL = "label"
"""A column of truth values of this name is what a person says of attempts, for a question (diagnosis/checks.py)."""
_VERDICTS_WITHIN = ("state", "info", "extra", "metrics", "reward_terms")
_TAIL = 300
"""Characters at the end of a reply, where its own answer stands."""
_OWN_SHARE = 0.9
"""Share of unpaid replies that end with a column's text where the column is the attempts' own answer."""
_NUMBERS = ("attempt", "step", "advantage", "num_tokens", "mean_logprob", "duration_seconds", "duration_ms")
TOKENS = ("logprobs", "trainer_logprobs", "reference_logprobs", "loss_mask", "token_ids")
_TEXTS = ("version", "policy_id", "family", "run", "stop_reason", "started_at")


class Roles:
    """Columns of a file, taken one after another for what they are."""

    def __init__(
        self, columns: dict[str, pa.ChunkedArray], num_rows: int, source: str, mapping: Mapping[str, str]
    ) -> None:
        """Begin with columns as they stand in the file; those of what was said begin with @."""
        self.columns, self.num_rows, self.source = columns, num_rows, source
        self.found: dict[str, Any] = {}
        self.roles: dict[str, str] = {}
        self.notes: list[str] = []
        self.lower = {name.lower(): name for name in columns}
        for ours, theirs in mapping.items():
            self._map(ours, theirs)

    def _map(self, ours: str, theirs: str) -> None:
        """Take what a person named; an object is all columns within it."""
        within = [name for name in self.columns if name.startswith(f"{theirs}.")]
        if ours in ("prompt", "response", "messages"):
            return
        if theirs not in self.columns and not within:
            known = [name for name in self.columns if not name.startswith("@") and name not in ("file", "line")]
            has = ", ".join(clear(name, 40) for name in known[:30])
            raise ConfigError(f"the mapping of '{clear(ours, 60)}' names '{clear(theirs, 60)}', the rows have {has}")
        if ours.startswith(("reward_terms.", TERM_PREFIX)) or (ours == "reward_terms" and within):
            term = ours.removeprefix("reward_terms.").removeprefix(TERM_PREFIX)
            for name in within or [theirs]:
                last = name.removeprefix(f"{theirs}.") if within else term
                self.take(f"{TERM_PREFIX}{last}", name, self.numbers(name))
        else:
            self.take(ours, theirs, self.columns.get(theirs))

    def take(self, role: str, name: str, values: Any) -> None:
        """Give a column its role; `values` are what it holds in it."""
        self.found[role] = values
        self.roles[role] = name

    def candidates(self, role: str) -> list[str]:
        """Return the columns that a role's names fit, best first, without those that have a role."""
        found = []
        holders = () if role in names()["at_the_top"] else names()["within"]
        for known in names()[role]:
            for name in (known, *(f"{holder}.{known}" for holder in holders)):
                column = self.lower.get(name.lower())
                if column is not None and column not in found and column not in self.roles.values():
                    found.append(column)
        return found

    def numbers(self, name: str) -> np.ndarray | None:
        """Return a column as floats, NaN where it holds none; None where it holds mostly something else."""
        return as_numbers(self.columns[name])

    def texts(self, name: str) -> pa.ChunkedArray:
        """Return a column as text."""
        return as_texts(self.columns[name])

    def text(self, role: str, default: str | None = None) -> Any:
        """Return the texts of a role; the default where there is none."""
        if role not in self.found:
            return pa.chunked_array([pa.array([default] * self.num_rows, pa.string())])
        texts = self.texts(self.roles[role])
        return texts if default is None else texts.fill_null(default)

    def _first(self, role: str, fit: Callable[[Any], Any]) -> bool:
        """Take the first column of a role whose values fit, unless a person named one; tell whether there is one.

        `fit` returns what a column holds in the role, None where it holds something else.
        """
        if role in self.found:
            self.found[role] = (as_numbers if fit is _verdicts else fit)(self.found[role])
            return True
        for name in self.candidates(role):
            if (values := fit(self.columns[name])) is not None:
                self.take(role, name, values)
                return True
        return False

    def plain(self) -> None:
        """Take the roles that names and kinds alone tell."""
        for role in _NUMBERS:
            if role != "duration_ms" or "duration_seconds" not in self.found:
                self._first(role, as_numbers)
        if "duration_ms" in self.found:
            self.take("duration_seconds", self.roles.pop("duration_ms"), self.found.pop("duration_ms") / 1000)
        for role in TOKENS:
            self._first(role, _lists)
        for role in _TEXTS:
            self._first(role, self._families if role == "family" else _single)
        self._error()
        self._first("is_truncated", _verdicts)
        self._first("split", _splits)

    def _families(self, column: pa.ChunkedArray) -> pa.ChunkedArray | None:
        """Return a column whose values are of several rows each."""
        is_family = _single(column) is not None and codes_of(as_texts(column))[1] * 2 <= max(self.num_rows, 2)
        return column if is_family else None

    def _error(self) -> None:
        """Take the first column of errors that holds any, or the only one."""
        candidates = [] if "error" in self.found else self.candidates("error")
        for name in candidates:
            column = self.columns[name]
            if not (pa.types.is_string(column.type) or pa.types.is_boolean(column.type)):
                continue
            if len(candidates) == 1 or no_error(as_texts(column)).null_count < self.num_rows:
                self.take("error", name, column)
                break
        if "error" in self.found:
            self.found["error"] = no_error(as_texts(self.found["error"]))

    def pay(self) -> None:
        """Take reward, correctness, terms and what the loss holds."""
        self._terms_within()
        self._reward()
        self._correct()
        self._other_terms()
        terms = [one for one in self.terms() if "." not in self.roles[f"{TERM_PREFIX}{one}"]]
        functions = [one for one in terms if one.lower().endswith(_FUNCTIONS)]
        terms = functions or ([] if "correct" in self.found else terms)
        if "reward" not in self.found and terms:
            stacked = np.vstack([self.found[f"{TERM_PREFIX}{one}"] for one in terms])
            total = np.where(np.isnan(stacked).all(axis=0), np.nan, np.nansum(stacked, axis=0))
            self.take("reward", f"the sum of {', '.join(terms)}", total)
        if "reward" not in self.found and "correct" in self.found:
            self.take("reward", self.roles["correct"], self.found["correct"])
        self._first("format_ok", _verdicts)
        self._loss()

    def terms(self) -> list[str]:
        """Return the names of reward terms."""
        return [role.removeprefix(TERM_PREFIX) for role in self.found if role.startswith(TERM_PREFIX)]

    def _terms_within(self) -> None:
        holders = names()["terms_within"]
        for name in self.columns:
            parts = name.split(".")
            holder = next((place for place, part in enumerate(parts[:-1]) if part.lower() in holders), None)
            if holder is None or name in self.roles.values() or _is_count(parts[-1]):
                continue
            rest = [part for part in parts[holder + 1 :] if part != "score"]
            if parts[-1] == "weight" or (values := self.numbers(name)) is None:
                continue
            self.take(f"{TERM_PREFIX}{'.'.join(rest) or parts[-1]}", name, values)

    def _other_terms(self) -> None:
        """Take numbers that are named as terms, or equal the reward in every row."""
        table, reward = names(), self.found.get("reward")
        free = set(self.roles.values()) - {self.roles.get("correct")} | {self.roles.get("reward")}
        for name in self.columns:
            last = name.rsplit(".", 1)[-1]
            low = last.lower()
            if name.startswith("@") or f"{TERM_PREFIX}{last}" in self.found or name in free or "config" in name:
                continue
            is_named = low.endswith(tuple(table["term_ends"])) or low.startswith(tuple(table["term_starts"]))
            if (_is_count(low) and "reward" not in low) or not (is_named or (reward is not None and "." not in name)):
                continue
            values = self.numbers(name)
            if values is None or np.isnan(values).all():
                continue
            is_equal = reward is not None and np.array_equal(values, reward, equal_nan=True)
            is_equal &= len(np.unique(values[~np.isnan(values)])) > 1
            if is_named or (is_equal and name not in self.roles.values()):
                self.take(f"{TERM_PREFIX}{last}", name, values)

    def _reward(self) -> None:
        """Take the first column of numbers: of those that the format names, then of those with a name of rewards."""
        if "reward" in self.found:
            self.found["reward"] = as_numbers(self.found["reward"])
            return
        first = [name for name in formats()[self.source].get("reward", ()) if name in self.columns]
        for name in dict.fromkeys([*first, *self.candidates("reward")]):
            values = self.numbers(name)
            if values is None:
                continue
            if not np.isnan(values).all():
                self.take("reward", name, values)
                return
            self._note_lost(name, values)

    def note_lost(self) -> None:
        """Note which columns of numbers hold something else here and there; a reward term may lack a number."""
        for role, name in self.roles.items():
            values, column = self.found.get(role), self.columns.get(name)
            is_term = role.startswith(TERM_PREFIX) and column is not None and is_number(column.type)
            if isinstance(values, np.ndarray) and column is not None and not is_term:
                self._note_lost(name, values)

    def _note_lost(self, name: str, values: np.ndarray) -> None:
        if lost := lost_numbers(self.columns[name], values):
            counts = f"{len(lost)} of {self.num_rows} rows"
            note = f"'{clear(name, 60)}' is no number in {counts} ({clear(lost[0], 40)}): it is unknown there"
            self.notes += [note] if note not in self.notes else []

    def _correct(self) -> None:
        if "correct" in self.found:
            self.found["correct"] = as_numbers(self.found["correct"])
            return
        reward = self.roles.get("reward")
        named = [one for one in self.candidates("correct") if "." not in one or one.split(".")[0] in _VERDICTS_WITHIN]
        taken = [one for one in self.roles.values() if one in self.columns and (_is_verdict(one) or one == reward)]
        others = [one for one in self.columns if "." not in one and one not in taken and _is_verdict(one)]
        for name in (*named, *taken, *others):
            is_score = name == reward and not _is_verdict(name) and name not in names()["correct"]
            if is_score and not pa.types.is_boolean(self.columns[name].type):
                continue
            values = self.numbers(name)
            if values is not None and _is_binary(values) and self._is_known(values):
                self.take("correct", name, values)
                return

    def _is_known(self, values: np.ndarray) -> bool:
        """Tell whether most rows that are paid have a value."""
        reward = self.found.get("reward")
        is_paid = ~np.isnan(values if reward is None else reward)
        return bool((~np.isnan(values) & is_paid).sum() * 2 > is_paid.sum())

    def _loss(self) -> None:
        """Take a mask by attempt; one by token is `loss_mask`."""
        if self._first("in_loss", _verdicts) or not self._first("out_of_loss", _verdicts):
            return
        name = self.roles.pop("out_of_loss")
        self.take("in_loss", name, 1 - self.found.pop("out_of_loss"))
        self.notes.append(f"'{clear(name, 60)}' is read as a mask: an attempt where it holds is out of the loss")

    def answers(self, problem: np.ndarray) -> None:
        """Take the reference and the attempt's own answer, which values tell apart; `problem` are codes by row."""
        golds, owns = self.candidates("gold"), self.candidates("answer")
        golds = [name for name in golds if not (name == LABEL and pa.types.is_boolean(self.columns[name].type))]
        for name in [] if "gold" in self.found else golds:
            if self._is_reference(name, problem, name in owns):
                self.take("gold", name, self.texts(name))
                break
        for name in [] if "answer" in self.found else owns:
            if name in self.roles.values() or (name in golds and self._is_reference(name, problem, True)):
                continue
            self.take("answer", name, self.texts(name))
            break
        for role in ("gold", "answer"):
            if role in self.found:
                self.found[role] = as_texts(self.found[role])

    def _is_reference(self, name: str, problem: np.ndarray, is_unsure: bool) -> bool:
        """Tell whether a column is the reference: one value a problem, and no copy of how each reply ends."""
        values = self.texts(name)
        if values.null_count == self.num_rows:
            return False
        if not is_unsure:
            return True
        codes, num = codes_of(values)
        is_known = codes >= 0
        pairs = len(np.unique(problem[is_known] * num + codes[is_known]))
        num_problems = len(np.unique(problem[is_known]))
        if num_problems < is_known.sum():
            return pairs <= num_problems * 1.02
        return not self._ends_replies(values)

    def _ends_replies(self, values: pa.ChunkedArray) -> bool:
        """Tell whether unpaid replies end with the column's text nearly always: then they gave it themselves."""
        replies, reward = self.columns.get("@last"), self.found.get("reward", self.found.get("correct"))
        if replies is None or reward is None:
            return False
        places = np.flatnonzero(reward < np.nanmax(reward))[:200] if len(reward) and not np.isnan(reward).all() else []
        taken = pa.array(places, pa.int64())
        both = zip(values.take(taken).to_pylist(), replies.take(taken).to_pylist(), strict=True)
        pairs = [(answer, reply) for answer, reply in both if answer and reply]
        return len(pairs) > 4 and sum(answer in reply[-_TAIL:] for answer, reply in pairs) >= _OWN_SHARE * len(pairs)


def _verdicts(column: Any) -> np.ndarray | None:
    values = as_numbers(column)
    return values if values is not None and _is_binary(values) else None


def _lists(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    return column if pa.types.is_list(column.type) else None


def _single(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    return None if pa.types.is_nested(column.type) else column


def _splits(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    known = set(as_texts(column).unique().to_pylist()) - {None}
    return column if known and all(map(known_split, known)) else None


def _is_binary(values: np.ndarray) -> bool:
    known = values[~np.isnan(values)]
    return len(known) > 0 and bool(np.isin(known, (0.0, 1.0)).all())


def _is_verdict(name: str) -> bool:
    words = name.lower().rsplit(".", 1)[-1].replace("-", "_").split("_")
    return not _CORRECT_WORDS.isdisjoint(words)


def _is_count(name: str) -> bool:
    words = name.lower().replace("/", "_").replace("-", "_")
    parts = set(words.split("_"))
    return any(
        words.startswith(one) if one.endswith("_") else words.endswith(one) if one.startswith("_") else one in parts
        for one in names()["counts"]
    )
