"""A slot without a lawful candidate is no version: it is replaced, up to where nothing is left to try."""

import pytest

from evotrainer.config import Config, SearchConfig
from evotrainer.records import VersionRecord
from evotrainer.search import make_search
from evotrainer.search.base import MOST_EMPTY, num_trained, places_left
from tests.evolving_campaign import labelled_campaign, record

SEARCHES = ["evotrainer", "hillclimb", "specialists", "gear_prompt", "gear_fixed", "gear_evolve"]


def with_empty(records: list[VersionRecord], count: int) -> list[VersionRecord]:
    first = len(records)
    return [*records, *(_empty(f"v{first + n:03d}") for n in range(count))]


def _empty(version: str) -> VersionRecord:
    return record(version, "", incumbent="v001", intervention=None, outcome="rejected")


@pytest.mark.parametrize("search", SEARCHES)
def test_an_empty_slot_is_replaced_by_another(search):
    config = Config(num_versions=3, search=SearchConfig(name=search))
    full = labelled_campaign("bad", "bad")
    assert not make_search(config).next_generation(full, config)
    records = with_empty(labelled_campaign("bad"), 1)
    assert len(make_search(config).next_generation(records, config)) == 1
    assert (num_trained(records), places_left(records, config)) == (2, 1)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_campaign_ends_where_slot_after_slot_is_empty(search):
    config = Config(num_versions=40, search=SearchConfig(name=search))
    some = with_empty(labelled_campaign("bad"), MOST_EMPTY - 1)
    assert make_search(config).next_generation(some, config)
    assert not make_search(config).next_generation(with_empty(some, 1), config)


def test_at_most_as_many_are_replaced_as_are_trained():
    config = Config(num_versions=3)
    assert places_left(with_empty(labelled_campaign("bad"), 4), config) == 0
