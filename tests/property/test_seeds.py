from hypothesis import given
from hypothesis import strategies as st

from evotrainer.campaign.seeds import derive_seed

parts = st.lists(st.text(max_size=8) | st.integers(0, 10**6), max_size=4)


@given(st.integers(0, 2**31), st.text(max_size=8), parts)
def test_a_seed_repeats_and_fits_in_63_bits(campaign_seed, purpose, values):
    seed = derive_seed(campaign_seed, purpose, *values)
    assert seed == derive_seed(campaign_seed, purpose, *values)
    assert 0 <= seed < 2**63


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
