"""Attempts of two policies, paired by problem, and in what they differ that two policies should share.

Attempts are rows of any system (foreign/). An attempt that infrastructure lost has no outcome. Greedy attempts are kept
apart from sampled ones.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import scipy

from evotrainer.errors import EvidenceError
from evotrainer.evidence.rows import EXTRA_PREFIX, Rows, labels_of
from evotrainer.records.base import count_of

LONG, SAME = 200, 0.05
"""Characters from which on two policies seldom say the same, and the share of such attempts that is no accident."""
MAX_TEXT = 40
"""Characters of a setting that a note shows."""
_SETTING = re.compile(
    r"(?:^|[._/])(?:temperature|top_[pk]|min_p|max_\w*(?:tokens|turns|len(?:gth)?)|system_prompt|template|precision|dtype)$"
)
"""Names of what two policies should share."""


@dataclass(frozen=True, eq=False)
class Side:
    """The attempts of one policy."""

    name: str
    rows: Rows
    values: np.ndarray
    """Outcome by row, NaN where the attempt was lost."""

    @cached_property
    def is_greedy(self) -> np.ndarray:
        """Whether a row was decoded greedily beside sampled ones, as its column `decoding` says."""
        name = f"{EXTRA_PREFIX}decoding"
        column = self.rows.table[name].to_pylist() if self.rows.has(name) else [None] * len(self.rows)
        found = np.array([value == "greedy" for value in column], dtype=bool)
        return found & ~found.all()

    @cached_property
    def is_lost(self) -> np.ndarray:
        """Whether a row has no outcome."""
        return np.isnan(self.values)


@dataclass(frozen=True, eq=False)
class Pairs:
    """The problems of both sides."""

    names: list[str]
    places: list[tuple[np.ndarray, np.ndarray]]
    """Places of the sampled rows of each side, by problem."""
    only: tuple[int, int]
    """Problems that one side alone has."""
    notes: list[str]


def side(name: str, rows: Rows, measure: str) -> Side:
    """Return the attempts of a policy with their outcomes.

    Raises:
        EvidenceError: no row has an outcome.

    """
    values = rows.numbers(measure).copy()
    lost = np.array([value is not None for value in rows.table["error"].to_pylist()])
    values[lost] = np.nan
    if np.isnan(values).all():
        raise EvidenceError(f"{name}: no attempt has a {measure}: map it in a file, --map")
    return Side(name, rows, values)


def measure_of(first: Rows, second: Rows) -> str:
    """Return `correct` where both sides have it, else `reward`; raises EvidenceError where they share neither."""
    for name in ("correct", "reward"):
        if first.has(name) and second.has(name):
            return name
    raise EvidenceError("the two sides share no measure: name the column of correct, or of reward, with --map")


def paired(first: Side, second: Side) -> Pairs:
    """Return the problems of both sides: by id, or by prompt where the ids name other prompts."""
    ids = tuple(_by_problem(one, "problem_id") for one in (first, second))
    notes: list[str] = []
    common = ids[0].keys() & ids[1].keys()
    odd = sum(_differs(first, ids[0][name], second, ids[1][name], "prompt") for name in common)
    if odd or not common:
        by_prompt = tuple(_by_problem(one, "prompt") for one in (first, second))
        shared = len(by_prompt[0].keys() & by_prompt[1].keys())
        if shared > len(common) - odd:
            notes.append(f"problems are paired by prompt: {odd} of {len(common)} shared ids name other prompts")
            ids, common = by_prompt, by_prompt[0].keys() & by_prompt[1].keys()
        elif odd:
            notes.append(f"{odd} of {len(common)} problems have another prompt on the second side")
    if golds := sum(_differs(first, ids[0][name], second, ids[1][name], "gold") for name in common):
        if 2 * golds > len(common):
            raise EvidenceError(
                f"{golds} of {len(common)} problems have another gold answer on the second side: they are other "
                "problems; map problem_id to a column that names a problem in both"
            )
        notes.append(f"{golds} of {len(common)} problems have another gold answer on the second side")
    order = sorted(common)
    return Pairs(
        order,
        [(ids[0][name], ids[1][name]) for name in order],
        (len(ids[0]) - len(common), len(ids[1]) - len(common)),
        notes,
    )


def circumstances(first: Side, second: Side) -> list[str]:
    """Return in what the sides differ that two policies should share: settings, limits, losses."""
    notes = []
    for name in filter(_SETTING.search, first.rows.table.column_names):
        values = [_setting(one, name) for one in (first, second)]
        if all(values) and values[0] != values[1]:
            notes.append(f"{name.removeprefix(EXTRA_PREFIX)} differs: {values[0]} and {values[1]}")
    marks = {"attempts lost and left out": [one.is_lost.astype(float) for one in (first, second)]}
    if first.rows.has("is_truncated") and second.rows.has("is_truncated"):
        marks["attempts cut by a limit"] = [one.rows.numbers("is_truncated") for one in (first, second)]
    for what, pair in marks.items():
        shares = [float(np.nanmean(one)) for one in pair]
        table = [[share * len(one), (1 - share) * len(one)] for share, one in zip(shares, pair, strict=True)]
        if scipy.stats.fisher_exact(np.round(table).astype(int)).pvalue < 0.01:
            notes.append(f"{what}: {shares[0]:.1%} and {shares[1]:.1%}")
    return notes


def shared(first: Side, second: Side, places: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[str]:
    """Return a note where attempts at the same problems are the same text: all of a side, or several long ones."""
    num, num_long, sizes = 0, 0, [0, 0]
    for pair in places:
        said = [_said(one, group) for one, group in zip((first, second), pair, strict=True)]
        same = said[0] & said[1]
        num += same.total()
        num_long += sum(count for (text, _), count in same.items() if len(text) >= LONG)
        sizes = [size + one.total() for size, one in zip(sizes, said, strict=True)]
    if num and (num == min(sizes) or num_long > SAME * min(sizes)):
        return [f"the sides share {count_of(num, 'attempt')} word for word: are they of two policies?"]
    return []


def _said(one: Side, places: np.ndarray) -> Counter[tuple[str, float]]:
    """Return how often the attempts at these places say what, with which outcome."""
    if not one.rows.has("response"):
        return Counter()
    texts = one.rows.table["response"].take(pa.array(places)).to_pylist()
    return Counter((text, value) for text, value in zip(texts, one.values[places].tolist(), strict=True) if text)


def _setting(one: Side, name: str) -> str:
    """Return the one value of a setting on a side; empty where it has none, or several."""
    known = one.rows.table[name].combine_chunks().drop_null().unique() if one.rows.has(name) else []
    return str(known[0].as_py())[:MAX_TEXT] if len(known) == 1 else ""


def _by_problem(one: Side, column: str) -> dict[str, np.ndarray]:
    """Return places of sampled rows by problem, in the order of the file."""
    labels = labels_of(one.rows.table[column].fill_null(""))
    places = [group[~one.is_greedy[group]] for group in one.rows.by(labels)]
    return {str(name): group for name, group in zip(labels.names, places, strict=True) if name and len(group)}


def _differs(first: Side, places: np.ndarray, second: Side, others: np.ndarray, column: str) -> bool:
    """Tell whether two problems have another text in a column that both sides know."""
    texts = [one.rows.table[column][int(place[0])].as_py() for one, place in ((first, places), (second, others))]
    return None not in texts and texts[0] != texts[1]
