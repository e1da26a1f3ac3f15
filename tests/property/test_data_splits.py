from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evotrainer.problem_sets.similarity import LIMIT, jaccard, shingles, similar_pairs
from evotrainer.problem_sets.splits import OWN_SHARES, SHARES, split_of


@pytest.mark.parametrize("shares", [SHARES, OWN_SHARES])
def test_shares_are_met_and_do_not_depend_on_the_last_digit(shares):
    assert sum(shares.values()) == pytest.approx(1)
    for last in range(10):
        found = Counter(split_of(f"add:{index} {last}", shares) for index in range(3000))
        for name, share in shares.items():
            assert found[name] / 3000 == pytest.approx(share, abs=0.04)


@given(st.text(), st.sampled_from([SHARES, OWN_SHARES]))
def test_every_text_has_a_split(text, shares):
    assert split_of(text, shares) in shares


words = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12).map(" ".join)


@given(st.lists(words, max_size=8))
def test_reported_pairs_are_similar_and_equal_texts_are_joined(texts):
    pairs = similar_pairs(texts)
    for left, right in pairs:
        assert left < right
        assert jaccard(shingles(texts[left]), shingles(texts[right])) >= LIMIT
    for right, text in enumerate(texts):
        if text in texts[:right]:
            assert any(right in pair for pair in pairs)
