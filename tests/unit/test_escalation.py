"""Escalation: which versions count as failed, where the search goes back to, and what is taken back first."""

import pytest

from evotrainer.agents import ProposalContext
from evotrainer.agents.rules import removals
from evotrainer.config import Config, HarnessConfig
from evotrainer.config.interventions import with_values
from evotrainer.records import HarnessReport, VersionRecord
from evotrainer.search.escalation import MARK, escalation, last_good
from tests.evolving_campaign import comparison, promoted_claim, record

ESCALATING = Config(harness=HarnessConfig(escalate_after=3))


def _changed(made: VersionRecord, spec: dict, verdict: dict) -> VersionRecord:
    return made.model_copy(
        update={"spec": made.spec.model_copy(update=spec), "verdict": made.verdict.model_copy(update=verdict)}
    )


def _chain(*last: str) -> list[VersionRecord]:
    """Return two promoted changes in a row, v002 and v003, and versions over the last of them."""
    won = [record("v002", "good", outcome="promoted"), record("v003", "good", outcome="promoted", incumbent="v002")]
    return [
        record("v000", ""),
        record("v001", "good", outcome="promoted"),
        *won,
        *(record(name, "bad", incumbent="v003") for name in last),
    ]


@pytest.mark.parametrize(
    ("spec", "verdict", "counts"),
    [
        ({}, {}, True),
        ({}, {"outcome": "failed", "score": None}, True),
        ({}, {"outcome": "invalid"}, True),
        ({"kind": "merge"}, {}, True),
        ({"kind": "baseline"}, {}, False),
        ({}, {"score": None}, False),
        ({}, {"outcome": "inconclusive"}, False),
    ],
)
def test_what_trained_in_vain_or_broke_off_counts_and_what_never_trained_does_not(spec, verdict, counts):
    *before, third = _chain("v004", "v005", "v006")
    found = escalation([*before, _changed(third, spec, verdict)], ESCALATING)
    assert (found.failed if found else None) == (("v004", "v005", "v006") if counts else None)


def test_the_search_goes_back_to_the_newest_good_version_and_not_to_one_known_bad():
    records = _chain("v004")
    assert last_good(records) == "v003"
    gate = promoted_claim("v002")
    below_base = [comparison("v002", 0.0, 0.3), comparison("v000", -0.1)]
    records[3] = _changed(records[3], {}, {"gate": gate, "comparisons": below_base})
    assert last_good(records) == "v002"


def test_the_newest_addition_is_taken_back_first_and_what_is_gone_already_is_not():
    records = _chain("v004", "v005", "v006")
    found = escalation(records, ESCALATING)
    assert found is not None
    added = [{key: new for key, (_, new) in made.intervention.diff.items()} for made in records if made.intervention]
    report = HarnessReport(version="v007", harness_version="h")
    moved_on = added[1] | {key: 2 * value for key, value in added[0].items()}
    for settings, versions in ((added[0] | added[1], ("v003", "v002")), (moved_on, ("v003",))):
        context = ProposalContext(with_values(ESCALATING, settings), "v003", 7, report, records)
        assert [one.evidence for one in removals(context, found)] == [[f"{MARK}removal of {name}"] for name in versions]
