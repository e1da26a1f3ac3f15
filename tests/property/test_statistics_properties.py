"""Laws of the statistics that hold for any scores."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evotrainer.evidence.score_table import ScoreTable
from evotrainer.promotion.statistics import compare, wilcoxon_p

DRAWS = {"samples": 200, "confidence": 0.95, "seed": 5}
NAMES = tuple("abcdefgh")
with_losses = arrays(float, (8, 4), elements=st.sampled_from([0.0, 1.0, float("nan")])).filter(
    lambda values: not np.isnan(values).all(axis=1).any()
)


def _compare(first: np.ndarray, second: np.ndarray):
    return compare(ScoreTable(NAMES, first), ScoreTable(NAMES, second), against="v0", metric="score", **DRAWS)


@settings(max_examples=25, deadline=None)
@given(with_losses, with_losses)
def test_exchanging_the_two_mirrors_the_interval(first: np.ndarray, second: np.ndarray) -> None:
    one, two = _compare(first, second), _compare(second, first)
    assert np.allclose([one.difference, one.low, one.high], [-two.difference, -two.high, -two.low], atol=3e-6)
    assert one.wilcoxon_p == two.wilcoxon_p


@settings(max_examples=15, deadline=None)
@given(arrays(float, 8, elements=st.sampled_from([-0.5, -0.25, 0.0, 0.25, 0.5])))
def test_p_values_are_probabilities_and_see_no_rounding(differences: np.ndarray) -> None:
    p = wilcoxon_p(differences)
    assert 0 < p <= 1
    assert wilcoxon_p(differences + 1e-15) == p
