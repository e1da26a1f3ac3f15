"""What is read first: the layer of findings whose predictions come true, causes before effects; and when a revision is
due.
"""

import pytest

from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, HarnessConfig
from evotrainer.diagnosis.evolved.gate import CAMPAIGN_LEVEL
from evotrainer.diagnosis.evolved.order_revision import best_layer, judge_order, order_revision
from evotrainer.diagnosis.evolved.revision_trigger import revision_trigger
from evotrainer.diagnosis.finding_order import CAUSES_FIRST, in_order
from evotrainer.domains.swe.access import SANITIZED_HISTORY
from evotrainer.records import Finding, Gap, VersionRecord
from tests.evolved_plugins import card
from tests.evolving_campaign import record, write_campaign

UNDER = {"rescored_under": SANITIZED_HISTORY}


def _invalid(mode: str) -> Finding:
    return Finding(mode=mode, severity="invalid", diagnostic=mode, version="v002", message="m")


def _predicted(version: str, mode: str, hit: bool) -> VersionRecord:
    made = record(version, "")
    assert made.intervention is not None
    return made.model_copy(
        update={
            "intervention": made.intervention.model_copy(update={"evidence": [mode, "rule:x"]}),
            "verdict": made.verdict.model_copy(update={"prediction_hit": hit}),
        }
    )


def test_the_layer_whose_predictions_come_true_is_read_first():
    signal = [_predicted(f"v{n:03d}", "dead_groups", True) for n in range(2, 8)]
    behaviour = [_predicted(f"v{n:03d}", "truncation", False) for n in range(8, 14)]
    gap = Gap(kind="failed_prediction", version="v013", message="missed")
    found = order_revision(gap, [*signal, *behaviour], "", "demo r13", [], 0, CAMPAIGN_LEVEL)
    assert found is not None
    plugin, judged = found
    assert (plugin.card.order, judged.status) == ("signal-first", "accepted")
    assert judged.separation is not None and judged.separation.p_value == pytest.approx(2 / 924), "of either layer"
    few = [
        order_revision(gap, [*signal, *behaviour[:count]], "", "demo r13", [], 0, CAMPAIGN_LEVEL) for count in (4, 2, 1)
    ]
    assert [one and one[1].status for one in few] == ["provisional", "provisional", None]
    assert order_revision(gap, [*signal, *behaviour], "signal-first", "demo r13", [], 0, CAMPAIGN_LEVEL) is None
    turned = card("signal_first", "order", alarm=None, order="behaviour-first", status="accepted")
    assert judge_order(turned, [*signal, *behaviour], 0, CAMPAIGN_LEVEL, is_new=False).status is None


def test_of_equally_bad_findings_causes_come_before_effects():
    given = [("warning", "action_collapse"), ("warning", "tool_failures"), ("critical", "truncation")]
    findings = [_invalid(mode).model_copy(update={"severity": severity}) for severity, mode in given]
    told = [one.mode for one in in_order(findings, CAUSES_FIRST)]
    assert told == ["truncation", "tool_failures", "action_collapse"]
    assert [one.mode for one in in_order(findings)] == ["truncation", "action_collapse", "tool_failures"]


@pytest.mark.parametrize("status", ["provisional", "accepted"])
@pytest.mark.parametrize(("inside", "outside", "is_kept"), [("11100", "11000", False), ("1110", "1000", True)])
def test_an_order_in_force_is_asked_for_its_chance_again(status, inside, outside, is_kept):
    """Its layer leads by no more than chance: with five hits and five misses it expires, with four nobody is sure."""
    trials = [("dead_groups", hit) for hit in inside] + [("truncation", hit) for hit in outside]
    records = [_predicted(f"v{n + 2:03d}", mode, hit == "1") for n, (mode, hit) in enumerate(trials)]
    order = card("signal_first", "order", alarm=None, order="signal-first", status=status)
    judged = judge_order(order, records, 0, CAMPAIGN_LEVEL, is_new=False)
    assert judged.status == (status if is_kept else None)
    assert ("no more than chance" in judged.reason) != is_kept


def test_a_rise_that_is_not_to_be_believed_is_no_hit():
    trials = [("dead_groups", True), ("dead_groups", False), ("truncation", True), ("truncation", False)]
    honest = [_predicted(f"v{n:03d}", mode, hit) for n, (mode, hit) in enumerate(trials, start=2)]
    sound = [_predicted(f"v{n:03d}", "dead_groups", True) for n in range(6, 9)]
    leak = {"findings": [_invalid("history_leak")], "rescored": 0.3, **UNDER}
    leaked = [one.model_copy(update=leak) for one in sound]
    assert best_layer(honest) is None and best_layer([*honest, *leaked]) is None
    assert best_layer([*honest, *sound]) == "signal"


def test_no_layer_leads_where_all_predictions_fare_alike():
    records = [
        _predicted(f"v{n:03d}", mode, n % 2 == 0)
        for n in range(2, 10)
        for mode in ["dead_groups" if n < 6 else "truncation"]
    ]
    assert best_layer(records) is None
    order = card("signal_first", "order", alarm=None, order="signal-first", status="accepted")
    assert judge_order(order, records, 0, CAMPAIGN_LEVEL, is_new=False).status is None


@pytest.mark.parametrize(
    ("labels", "due"),
    [((), None), (("good", "bad"), None), (("good", "bad", "bad"), "r04"), (("bad", "bad", "bad"), "r04")],
)
def test_a_revision_is_due_where_something_can_come_of_it(tmp_path, labels, due):
    files = write_campaign(tmp_path, ["good", *labels], num_groups=1, escalate_after=3)
    config = Config(harness=HarnessConfig(evolve=True, escalate_after=3))
    assert revision_trigger(files, config, read_records(files)) == due
    assert revision_trigger(files, Config(), read_records(files)) is None
    begun = files.revision(f"r{len(labels) + 1:02d}").root
    begun.mkdir(parents=True)
    (begun / "dvc.yaml").touch()
    assert revision_trigger(files, config, read_records(files)) == begun.name
