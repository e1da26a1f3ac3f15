"""A term's SQL is its definition; searches compute it in memory. Both must agree, on odd rows too."""

import numpy as np
import pytest

from evotrainer.diagnosis.evolved.grammar import Term, terms_over
from evotrainer.diagnosis.evolved.measure import Rows, value_of
from evotrainer.diagnosis.evolved.plugin_inputs import PluginInput
from evotrainer.evidence.frame_query import query_frames
from evotrainer.evidence.frames import Frame, frame_of_rows
from tests.evidence_rows import healthy_rows


def odd_rows(seed: int) -> Frame:
    """Return rows with unknown values, truth values, counts of parts, negative numbers and a hostile family name."""
    rng = np.random.default_rng(seed)
    rows = frame_of_rows(healthy_rows(seed, num_groups=30))
    rows["num_whole"] = rng.poisson(3, len(rows))
    rows["num_part"] = rng.binomial(rows["num_whole"], 0.4)
    rows["half_known"] = np.where(rng.random(len(rows)) < 0.3, np.nan, rng.normal(size=len(rows)))
    rows['quo"ted'] = rng.normal(-3, 1, len(rows))
    rows["family"] = rows["family"].replace({"add": "it's; DROP TABLE rows"})
    return rows


def test_memory_and_sql_give_the_same_number():
    rows = odd_rows(0)
    terms = terms_over(rows)
    assert {term.statistic for term in terms} == {"mean", "share", "quantile", "ratio", "spread"}
    assert {term.part for term in terms} == {"all", "correct", "wrong", "difference"}
    assert Term("num_part", "ratio", over="num_whole") in terms
    assert len({term.sql for term in terms}) == len(terms)
    terms = terms[::3]
    columns = sorted({column for term in terms for column in term.columns})
    queries = {str(place): term.sql for place, term in enumerate(terms)}
    (answers,) = query_frames([PluginInput(rows, rows, rows).only(columns).frames], queries, 5.0, 1024).numbers
    measured = Rows(rows)
    for place, term in enumerate(terms):
        assert answers[str(place)] == pytest.approx(value_of(term, measured), rel=1e-9, abs=1e-12), term.sql


def test_what_is_not_there_is_not_measured_by_either():
    rows = odd_rows(0)
    solved = rows[rows["correct"] >= 1]
    nothing = [
        Term("num_tokens", "mean", part="wrong"),
        Term("num_tokens", "mean", part="difference"),
        Term("num_tokens", "mean", family="none"),
        Term("num_tool_calls", "ratio", over="num_tool_bigrams"),
    ]
    columns = ["num_tokens", "num_tool_calls", "num_tool_bigrams"]
    queries = {str(place): term.sql for place, term in enumerate(nothing)}
    (answers,) = query_frames([PluginInput(solved, solved, solved).only(columns).frames], queries, 5.0, 1024).numbers
    assert set(answers.values()) == {None}
    assert all(np.isnan(value_of(term, Rows(solved))) for term in nothing)


def test_names_of_terms_are_names_of_plugins_and_differ():
    from evotrainer.diagnosis.evolved.cards import NAME

    names = [term.name for term in terms_over(odd_rows(0))]
    assert len(set(names)) == len(names)
    assert all(NAME.fullmatch(name) for name in names)
