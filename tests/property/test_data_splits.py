from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evotrainer.campaign.seeds import derive_seed
from evotrainer.domains.problem_sets.duplicates import LIMIT, jaccard, shingles, similar_pairs
from evotrainer.domains.problem_sets.loading import OWN_SHARES, split_of


@pytest.mark.parametrize("shares", [OWN_SHARES, {"train": 0.9, "test": 0.1}])
def test_shares_are_met_and_do_not_depend_on_the_last_digit(shares):
    assert sum(shares.values()) == pytest.approx(1)
    for last in range(10):
        found = Counter(split_of(f"add:{index} {last}", shares) for index in range(3000))
        for name, share in shares.items():
            assert found[name] / 3000 == pytest.approx(share, abs=0.04)


words = st.lists(st.sampled_from("ab"), min_size=1, max_size=12).map(" ".join)


@given(st.lists(words, max_size=8))
def test_pairs_are_those_of_comparing_every_pair_of_different_texts(texts):
    sets = [shingles(text) for text in texts]
    assert similar_pairs(texts) == [
        (left, right)
        for right in range(len(texts))
        for left in range(right)
        if jaccard(sets[left], sets[right]) >= LIMIT
        and left == sets.index(sets[left])
        and (right == sets.index(sets[right]) or sets[left] == sets[right])
    ]


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_neighbouring_draws_differ(problem, attempt):
    seeds = {
        derive_seed(0, "rollout", problem, attempt),
        derive_seed(0, "rollout", problem, attempt + 1),
        derive_seed(0, "validation", problem, attempt),
        derive_seed(1, "rollout", problem, attempt),
        derive_seed(0, "rollout", problem, attempt, replicate=1),
    }
    assert len(seeds) == 5
