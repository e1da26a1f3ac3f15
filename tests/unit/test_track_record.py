"""What the lineage says of a direction: that it failed, or that one more step along it is worth a try."""

import pytest

from evotrainer.agents.track_record import continuations, direction, failed_directions
from evotrainer.campaign.lineage import incumbent
from evotrainer.config import Config
from evotrainer.config.interventions import with_values
from evotrainer.records import VersionRecord
from tests.campaign_writer import make_intervention
from tests.evolving_campaign import comparison, record

FASTER = make_intervention(Config(), {"algorithm.learning_rate": 1.28e-4}, "score", 0.05)
BEFORE = [record("v000", ""), record("v001", "good", outcome="promoted")]


def tried(difference: float, version: str = "v002", **values) -> VersionRecord:
    """Return a version whose learning rate was doubled, and which moved by so much against v001."""
    made = record(version, "", **{"intervention": FASTER} | values)
    moved = made.verdict.model_copy(update={"comparisons": [comparison("v001", difference, 0.3)]})
    return made.model_copy(update={"verdict": moved})


@pytest.mark.parametrize(
    ("difference", "reigning", "goes_on", "has_failed"),
    [
        (0.02, "v001", True, False),
        (-0.02, "v001", False, True),
        (0.0, "v001", False, False),
        (0.02, "v003", False, False),
    ],
)
def test_what_was_kept_goes_on_with_a_gain_over_the_incumbent_and_fails_with_a_loss(
    difference, reigning, goes_on, has_failed
):
    records = [*BEFORE, tried(difference)]
    assert bool(continuations(records, Config(), reigning)) is goes_on
    assert (direction(FASTER.diff) in failed_directions(records, reigning)) is has_failed


def test_of_two_winners_the_one_on_the_way_to_the_incumbent_goes_on():
    records = [*BEFORE, *(tried(0.05, name, outcome="promoted") for name in ("v002", "v003"))]
    found = [made.spec.version for made, _ in continuations(records, Config(), incumbent(records))]
    assert found == [incumbent(records)]


def test_a_step_from_nothing_has_no_ratio_to_go_on_by():
    off = with_values(Config(), {"algorithm.kl_coefficient": 0.0})
    on = make_intervention(off, {"algorithm.kl_coefficient": 0.01}, "score", 0.05)
    assert continuations([*BEFORE, tried(0.02, intervention=on)], off, "v001") == []
