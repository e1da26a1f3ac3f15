"""Which attempts belong together: problem, group, run and id of each row, by its columns and by what was asked.

An id names a problem where each of its rows asks the same. An id that is different in every row of a prompt names the
attempt. An id that holds several prompts is reported, and prompts are the problems.
"""

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from evotrainer.evidence.foreign.files import clear
from evotrainer.evidence.foreign.names import names
from evotrainer.evidence.foreign.roles import Roles
from evotrainer.evidence.foreign.values import codes_of
from evotrainer.evidence.rows import one_array


class Identity:
    """Problem, group, run and id by row."""

    def __init__(self, roles: Roles) -> None:
        """Find them, in order: later ones rest on earlier ones."""
        self.roles, self.num_rows = roles, roles.num_rows
        self.prompt, self.num_prompts = codes_of(roles.columns.get("@prompt", pa.nulls(self.num_rows, pa.string())))
        if (self.prompt < 0).sum() * 2 > self.num_rows:
            self.num_prompts = 0  # most rows have none
        self.problem_id = self._problem()
        self.problem, self.num_problems = codes_of(self.problem_id)
        self.run = self._runs()

    def _problem(self) -> pa.Array:
        roles = self.roles
        if "problem_id" in roles.found:
            return _text_array(roles.texts(roles.roles["problem_id"]))
        has_prompts = self.num_prompts > 1
        candidates = []
        for name in roles.candidates("problem_id"):
            if pa.types.is_nested(roles.columns[name].type):
                continue
            ids = roles.texts(name)
            codes, num = codes_of(ids)
            is_alike = num == 1 and self.num_rows > 1 and (has_prompts or not self.num_prompts)
            if is_alike or ids.null_count > self.num_rows // 2:
                self._note_alike(name, num, ids)
                continue
            candidates.append((name, ids, codes, num))
        if not has_prompts and candidates:
            roles.roles["problem_id"] = candidates[0][0]
            return _text_array(candidates[0][1])
        for name, ids, codes, num in candidates:
            if self._pairs(codes) <= num * 1.02 and not self._is_of_attempts(num):
                roles.roles["problem_id"] = name
                return _text_array(ids)
        for one in candidates:
            if (found := self._as_it_is(*one)) is not None:
                return found
        return self._of_prompts()

    def _pairs(self, codes: np.ndarray) -> int:
        """Return how many pairs of an id and a prompt there are."""
        return len(np.unique(codes * (self.num_prompts + 1) + self.prompt))

    def _is_of_attempts(self, num: int) -> bool:
        """Tell whether ids differ in nearly all rows though prompts repeat."""
        return num >= self.num_rows * 0.99 and self.num_prompts * 2 <= self.num_rows

    def _note_alike(self, name: str, num: int, ids: Any) -> None:
        if num == 1 and name.rsplit(".", 1)[-1] in names()["strong_ids"] and self.num_rows > 1 and ids.null_count == 0:
            self.roles.notes.append(
                f"'{clear(name, 60)}' is {clear(ids[0].as_py(), 40)} in all rows: no id of a problem"
            )

    def _as_it_is(self, name: str, ids: Any, codes: np.ndarray, num: int) -> pa.Array | None:
        """Return ids that name problems though they hold several prompts; None where prompts are the problems."""
        last = name.rsplit(".", 1)[-1]
        if self._is_of_attempts(num) or last not in names()["strong_ids"]:
            return None
        if self.num_prompts >= self.num_rows * 0.9 and num * 2 <= self.num_rows and "." not in name:
            self.roles.roles["problem_id"] = name  # each attempt is asked in words of its own
            return _text_array(ids)
        shown = clear(name, 60)
        if self._is_grouped(codes):  # two columns agree: attempts begin in different states
            self.roles.notes.append(f"'{shown}' holds several prompts an id, and so do groups: they are not split")
            self.roles.roles["problem_id"] = name
            return _text_array(ids)
        counts = f"{num} ids, {self.num_prompts} prompts, {self._pairs(codes)} pairs of them"
        self.roles.notes.append(f"'{shown}' holds several prompts an id ({counts}): prompts are the problems")
        return None

    def _is_grouped(self, codes: np.ndarray) -> bool:
        """Tell whether a column of groups holds several attempts a group, each of one id and of several prompts."""
        for name in self.roles.candidates("group_id"):
            groups, num = codes_of(self.roles.texts(name))
            pairs = len(np.unique(groups * (int(codes.max()) + 2) + codes))
            if (groups >= 0).all() and pairs == num and num * 2 <= self.num_rows and self._pairs(groups) > num * 1.02:
                return True
        return False

    def _of_prompts(self) -> pa.Array:
        """Return names of problems by what was asked; of rows that do not tell, all is one problem or each its own."""
        if self.num_prompts:
            self.roles.roles["problem_id"] = "a hash of the prompt"
            prompts = self.roles.columns["@prompt"].unique().drop_null().to_pylist()
            named = [sha256(prompt.encode()).hexdigest()[:16] for prompt in prompts]
            return pa.array(["" if code < 0 else named[code] for code in self.prompt.tolist()], pa.string())
        self.roles.notes.append(
            "no column names the problem of a row, and none holds a prompt: each row counts as a problem of its own"
        )
        return pa.array([str(place) for place in range(self.num_rows)], pa.string())

    def groups(self, step: np.ndarray) -> pa.Array:
        """Return the group of each row: as the file has it, else the problem; runs of one file apart."""
        roles = self.roles
        group = None
        for name in roles.candidates("group_id"):
            codes, num = codes_of(roles.texts(name)) if not pa.types.is_list(roles.columns[name].type) else (None, 0)
            if codes is None or num < 2 or (codes < 0).any():
                continue
            if num > self.num_rows * 0.99 and not name.lower().startswith("group"):
                continue
            mixed = len(np.unique(codes * self.num_problems + self.problem)) - num
            if mixed * 2 > num and num > 1:
                roles.notes.append(f"'{clear(name, 60)}' holds several problems a group: groups are problems")
                continue
            group = _text_array(roles.texts(name))
            roles.roles["group_id"] = name
            break
        if "group_id" in roles.found:
            group = _text_array(roles.texts(roles.roles["group_id"]))
        base = group if group is not None else self.problem_id
        texts = base.to_pylist()
        if self.run is not None:
            texts = [f"{run}/{one}" for run, one in zip(self.run.to_pylist(), texts, strict=True)]
        if group is None:
            texts = self._drawn_again(texts, step)
        return pa.array(texts, pa.string())

    def _drawn_again(self, texts: list[str], step: np.ndarray) -> list[str]:
        """Return groups, those apart whose attempts are counted from the start again at one problem of a step."""
        attempt = self.roles.found.get("attempt")
        if attempt is None or np.isnan(attempt).any():
            return texts
        sizes = Counter(zip(texts, step.tolist(), strict=True))
        counts = Counter(key[:2] for key in set(zip(texts, step.tolist(), attempt.tolist(), strict=True)))
        if sum(counts[key] == 1 and size > 1 for key, size in sizes.items()) * 2 > len(sizes):
            return texts  # attempts of a group are not counted
        return _numbered(texts, zip(texts, step.tolist(), attempt.tolist(), strict=True))

    def _runs(self) -> pa.Array | None:
        """Return the run of each row, by a column that is named so and has several values; None without one."""
        if "run" not in self.roles.found:
            return None
        texts = self.roles.texts(self.roles.roles["run"])
        codes, num = codes_of(texts)
        return _text_array(texts) if num > 1 and (codes >= 0).all() else None

    def ids(self, file: Any, line: np.ndarray) -> pa.Array:
        """Return an id for each row: a column whose values all differ, else file and line."""
        roles = self.roles
        for name in (
            [roles.roles["trajectory_id"]] if "trajectory_id" in roles.found else roles.candidates("trajectory_id")
        ):
            if pa.types.is_list(roles.columns[name].type):
                continue
            texts = roles.texts(name)
            codes, num = codes_of(texts)
            if num == self.num_rows and (codes >= 0).all():
                roles.roles["trajectory_id"] = name
                return _text_array(texts)
            if name.lower() in ("trajectory_id", "rollout_id") and num < self.num_rows:
                roles.notes.append(
                    f"'{clear(name, 60)}' has {num} values in {self.num_rows} rows: rows are named by file and line"
                )
        known = {one: Path(one).name for one in file.unique().to_pylist()}
        found = [f"{known[one]}:{number}" for one, number in zip(file.to_pylist(), line.tolist(), strict=True)]
        return pa.array(_numbered(found, found), pa.string())


def _numbered(texts: Iterable[str], keys: Iterable[Any]) -> list[str]:
    """Return the texts; those whose key is there again end with how often it was."""
    seen: Counter[Any] = Counter()
    found = []
    for text, key in zip(texts, keys, strict=True):
        seen[key] += 1
        found.append(text if seen[key] == 1 else f"{text}#{seen[key]}")
    return found


def _text_array(texts: Any) -> pa.Array:
    """Return texts as one array, empty where they are null."""
    return one_array(texts).fill_null("")
