import math

import pytest
from scipy import stats

from benchmarks.worlds.paired_seeds import seed_difference
from evotrainer.errors import EvidenceError

ONE, OTHER = {0: 61.0, 1: 64.5, 2: 60.0, 3: 66.0}, {0: 60.0, 1: 61.0, 2: 60.5, 3: 62.0, 4: 99.0}


def test_the_interval_is_that_of_the_paired_t_test():
    found = seed_difference(ONE, OTHER)
    peer = stats.ttest_rel(list(ONE.values()), [OTHER[seed] for seed in ONE]).confidence_interval(0.95)
    assert found.num_seeds == 4
    assert (found.mean, found.low, found.high) == pytest.approx((2.0, peer.low, peer.high))
    assert not found.is_sure


def test_a_difference_that_no_seed_contradicts_is_sure_and_mirrored():
    found = seed_difference({0: 5.0, 1: 5.2, 2: 4.9}, {0: 1.0, 1: 1.1, 2: 1.0})
    other = seed_difference({0: 1.0, 1: 1.1, 2: 1.0}, {0: 5.0, 1: 5.2, 2: 4.9})
    assert found.is_sure and other.is_sure
    assert (other.mean, other.low, other.high) == pytest.approx((-found.mean, -found.high, -found.low))


def test_one_seed_has_no_interval_and_equal_differences_have_no_width():
    alone = seed_difference({0: 2.0}, {0: 1.0, 1: 5.0})
    assert (alone.num_seeds, alone.mean, alone.low, alone.is_sure) == (1, 1.0, None, False)
    equal = seed_difference({0: 2.0, 1: 3.0}, {0: 1.0, 1: 2.0})
    assert (equal.low, equal.high) == (1.0, 1.0)


@pytest.mark.parametrize(("one", "match"), [({7: 1.0}, "no seed in common"), ({0: math.nan}, "no number")])
def test_what_cannot_be_compared_is_an_error(one: dict[int, float], match: str):
    with pytest.raises(EvidenceError, match=match):
        seed_difference(one, OTHER)
