"""Contrasts: found where they are, at the stated rate where they are not, and the same for any order of rows."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.evolved.contrasts import between_outcomes, between_versions
from evotrainer.diagnosis.evolved.grammar import Term, terms_over
from evotrainer.evidence.frames import Frame, frame_of_rows
from tests.evidence_rows import healthy_rows

COVERED = ["num_tokens", "num_chars", "mean_logprob", "is_truncated", "format_ok"]


def _rows(seed: int, shift: float = 0.0) -> Frame:
    rng = np.random.default_rng(seed)
    rows = frame_of_rows(healthy_rows(seed, num_groups=30))
    for place in range(4):
        rows[f"noise_{place}"] = rng.poisson(2, len(rows))
    rows["planted"] = rng.normal(shift, 1.0, len(rows))
    return rows


def _many_covered(seed: int, shift: float = 0.0) -> tuple[Frame, list[str]]:
    """Return 18 groups of 8 attempts with 15 covered columns of noise, whose terms span about half of what varies."""
    rng = np.random.default_rng(seed)
    rows = pd.DataFrame(
        {
            "group": np.repeat(np.arange(18), 8),
            "family": "add",
            "reward": 0.0,
            "correct": rng.integers(0, 2, 144).astype(float),
        }
    )
    covered = [f"covered_{place}" for place in range(15)]
    noise = {name: rng.normal(size=144) for name in [*covered, "noise_0", "noise_1"]}
    return rows.assign(**noise, planted=rng.normal(size=144) + shift * rows["correct"]), covered


@pytest.mark.slow
def test_random_columns_are_named_no_more_often_than_stated():
    """20 searches at level 0.1: more than 6 would have a chance below 0.3%."""
    versions = outcomes = 0
    for seed in range(20):
        first, second = _rows(2 * seed), _rows(2 * seed + 1)
        terms = [term for term in terms_over(first) if not term.family]
        versions += between_versions(first, second, terms, seed)[0].p_value <= 0.1
        outcomes += between_outcomes(first, COVERED, seed)[0][0].p_value <= 0.1
    assert versions <= 6 and outcomes <= 6


def test_many_covered_columns_make_nothing_of_random_ones():
    """12 searches at level 0.1: more than 4 would have a chance below 0.5%."""
    found = [between_outcomes(*_many_covered(seed), seed)[0][0].p_value for seed in range(12)]
    assert sum(p_value <= 0.1 for p_value in found) <= 4


def test_a_planted_difference_between_outcomes_is_seen_beside_many_covered_columns():
    found, _ = between_outcomes(*_many_covered(0, shift=3.0), seed=0)
    assert found[0].term.column == "planted" and found[0].p_value <= 0.001 and found[0].size > 0
    assert min(contrast.p_value for contrast in found if contrast.term.column.startswith("noise")) > 0.05


def test_what_covered_columns_say_alone_leaves_nothing():
    rows = _rows(0)
    rows["answered"] = rows["correct"]
    found, num_terms = between_outcomes(rows, [*COVERED, "answered"], 0)
    assert num_terms == len(found) and {contrast.p_value for contrast in found} == {1.0}


def test_a_planted_difference_between_versions_comes_first():
    first, second = _rows(0), _rows(1, shift=1.0)
    found = between_versions(first, second, terms_over(first), seed=0)
    assert found[0].term.column == "planted" and found[0].p_value <= 0.001
    assert found[0].second > found[0].first and found[0].size > 0
    noise = [contrast for contrast in found if contrast.term.column.startswith("noise")]
    assert min(contrast.p_value for contrast in noise) > 0.05


def test_a_difference_in_the_mix_of_families_is_none():
    rows = _rows(0)
    rows["by_family"] = rows["family"].map({"add": 0.0, "subtract": 5.0, "multiply": 9.0}) + rows["noise_0"]
    groups = rows.groupby("family")["group"].unique()
    first = rows[rows["group"].isin([*groups["add"][:8], *groups["subtract"][:2], *groups["multiply"][:5]])]
    second = rows[rows["group"].isin([*groups["add"][8:], *groups["subtract"][2:], *groups["multiply"][5:]])]
    assert abs(first["by_family"].mean() - second["by_family"].mean()) > 0.5
    (found,) = between_versions(first, second, [Term("by_family", "mean")], seed=0)
    assert found.p_value > 0.05


@pytest.mark.parametrize("seed", [0, 1])
def test_the_order_of_rows_changes_nothing(seed):
    first, second = _rows(0), _rows(1, shift=0.5)
    terms = terms_over(first)[:60]
    plain = between_versions(first, second, terms, seed)
    shuffled = between_versions(first.sample(frac=1, random_state=seed), second, terms, seed)
    for one, other in zip(plain, shuffled, strict=True):
        assert one.term == other.term and one.size == pytest.approx(other.size) and one.p_value == other.p_value


def test_nothing_to_compare_is_no_contrast():
    rows = _rows(0)
    assert between_versions(rows.head(0), rows, [Term("planted", "mean")], 0) == []
    assert between_outcomes(rows.head(0), COVERED, 0) == ([], 0)
    assert between_outcomes(rows[rows["correct"] >= 1], COVERED, 0) == ([], 0)
    constant = pd.concat([rows.assign(planted=1.0)])
    assert between_versions(constant, constant, [Term("planted", "mean")], 0)[0].p_value == 1.0
