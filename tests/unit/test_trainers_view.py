from evotrainer.agents.agent_view import agent_view
from evotrainer.campaign.repository import read_records
from evotrainer.records import Confirmation, Finding, MetricShift


def found(diagnostic, *rows, reads_validation=False):
    return Finding(
        mode=diagnostic,
        severity="warning",
        diagnostic=diagnostic,
        version="v000",
        message="m",
        trajectory_ids=list(rows),
        reads_validation=reads_validation,
    )


def test_an_agent_sees_score_and_interval_and_nothing_else_of_validation(campaign_writer):
    campaign_writer.add("v000", 0.0, generation=0, kind="base", incumbent="v000", parents=[])
    record = read_records(campaign_writer.files)[0]
    record = record.model_copy(
        update={
            "findings": [
                found("flaky_grading", "v000.validation.0.p.1"),
                found("my_gap", reads_validation=True),
                found("truncation", "v000.train.0.p.1", "v000.validation.0.p.1"),
                found("dead_groups", "v000.train.0.p.1"),
            ],
            "metrics": {"score": 0.5, "score_low": 0.4, "greedy_score": 0.8, "train_validation_gap": 0.1, "kl": 0.2},
            "verdict": record.verdict.model_copy(update={"score": 0.5, "greedy_score": 0.8}),
        }
    )
    seen = agent_view([record])[0]
    assert [finding.diagnostic for finding in seen.findings] == ["dead_groups"]
    assert seen.metrics == {"score": 0.5, "score_low": 0.4, "kl": 0.2}
    assert (seen.verdict.score, seen.verdict.greedy_score) == (0.5, None)


def test_of_fresh_seeds_an_agent_sees_the_claim_but_no_metric_of_validation_rows(campaign_writer):
    campaign_writer.add("v000", 0.0, generation=0, kind="base", incumbent="v000", parents=[])
    shifts = [
        MetricShift(metric=name, said="still", difference=0.1, came_true=True)
        for name in ("train_validation_gap", "truncation_rate")
    ]
    asked = Confirmation(
        version="v000",
        prediction=shifts[0],
        controls=tuple(shifts),
        attribution="FIRED",
        reasons=["train_validation_gap moved by +0.1"],
    )
    record = read_records(campaign_writer.files)[0].model_copy(update={"confirmation": asked})
    seen = agent_view([record])[0].confirmation
    assert seen is not None and seen.attribution == "FIRED"
    assert (seen.prediction, [control.metric for control in seen.controls], seen.reasons) == (
        None,
        ["truncation_rate"],
        [],
    )
