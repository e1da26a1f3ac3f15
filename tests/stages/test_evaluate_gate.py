"""Fresh rows in the evaluate stage: the noise floor of the base policy, rounds of both arms, side-effect limits."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evotrainer.campaign.repository import read_record, save_config
from evotrainer.config import load_config
from evotrainer.domains.math.grader import MathGrader
from evotrainer.errors import GraderError, InfrastructureError
from evotrainer.evidence.score_table import tabulate
from evotrainer.promotion.statistics import measure_noise
from evotrainer.records import Condition, HarnessReport, Problem, Trajectory
from evotrainer.rollouts.evaluation import read_evaluation, score_table
from tasks import evaluate
from tasks.evaluate import gate as fresh_rows
from tests.evaluated_campaign import Campaign, scaled_policy


def test_the_noise_floor_is_measured_on_two_evaluations_of_the_base(campaign: Campaign) -> None:
    own, verdict = campaign.files.version("v000"), campaign.verdict("v000")
    first, second = (score_table(read_evaluation(path)) for path in (own.validation, own.gate / "repeat"))
    assert verdict.noise_floor == measure_noise(first, second)
    assert verdict.noise_floor.difference == pytest.approx(second.score - first.score)
    assert campaign.verdict("v001").noise_floor == verdict.noise_floor, "the campaign's, for every version"


def test_promotion_rests_on_fresh_rows_of_both_arms(campaign: Campaign) -> None:
    own, claim = campaign.files.version("v001"), campaign.verdict("v001").gate
    arms = {arm: read_evaluation(own.gate / arm) for arm in ("candidate", "incumbent")}
    assert claim is not None and claim.outcome == "promoted"
    assert claim.alpha == pytest.approx(0.05 / campaign.config.num_versions)
    assert claim.attempts == len(arms["candidate"]) / 12 == len(arms["incumbent"]) / 12
    assert {row.version for row in arms["incumbent"]} == {"v000"}
    assert {row.split for rows in arms.values() for row in rows} == {"validation"}
    draws = {arm: {(row.problem_id, row.step, row.attempt): row.seed for row in rows} for arm, rows in arms.items()}
    assert draws["candidate"] == draws["incumbent"], "both arms share their draws"
    earlier = [read_evaluation(campaign.files.version(name).validation) for name in ("v000", "v001")]
    earlier.append(read_evaluation(campaign.files.version("v000").gate / "repeat"))
    assert not {row.seed for rows in earlier for row in rows} & set(draws["candidate"].values()), "fresh"
    means = {arm: tabulate(_numbered(rows)).means() for arm, rows in arms.items()}
    assert claim.estimate == pytest.approx((means["candidate"] - means["incumbent"]).mean())
    metrics = read_record(campaign.files, "v001").metrics
    assert (metrics["fresh_difference"], metrics["fresh_attempts"]) == (claim.estimate, claim.attempts)


def _numbered(rows: list[Trajectory]) -> list[Trajectory]:
    """Return the rows of several rounds as attempts of one."""
    return [row.model_copy(update={"attempt": 4 * row.step + row.attempt}) for row in rows]


def test_fresh_rows_of_two_versions_share_no_draw(copy: Campaign, sharper_policy: Path, tmp_path: Path) -> None:
    copy.plan("v002", "candidate", "v000")
    copy.train("v002", scaled_policy(sharper_policy, 1.5, tmp_path / "other"))
    evaluate.run(copy.files, "v002")
    seeds = [
        {row.seed for row in read_evaluation(copy.files.version(version).gate / "candidate")}
        for version in ("v001", "v002")
    ]
    assert seeds[0] and seeds[1] and not seeds[0] & seeds[1]


def test_the_greedy_gate_draws_no_fresh_rows(copy: Campaign) -> None:
    config = load_config(copy.files.config)
    config.evaluate.gate = "greedy"
    save_config(copy.files.config, config)
    evaluate.run(copy.files, "v001")
    own = copy.files.version("v001")
    assert (own.gate / "WHY").read_text() == "evaluate.gate=greedy decides by the screening rows\n"
    assert (copy.verdict("v001").outcome, copy.verdict("v001").gate) == ("promoted", None)


def test_a_limit_is_judged_on_fresh_rows_where_they_show_it(copy: Campaign, sharper_policy: Path) -> None:
    copy.plan("v002", "candidate", "v000")
    copy.train(
        "v002",
        scaled_policy(sharper_policy, 1.5, copy.files.root / "other"),
        limits=[
            Condition(metric="truncation_rate", operator="<=", value=0.4),
            Condition(metric="mean_tokens", operator="<=", value=100.0),
        ],
    )
    own = copy.files.version("v002")
    own.findings.write(HarnessReport(version="v002", harness_version="h", metrics={"truncation_rate": 0.1}))
    evaluate.run(copy.files, "v002")
    gate = copy.verdict("v002").gate
    assert gate is not None
    assert [(limit.metric, limit.margin, limit.outcome) for limit in gate.limits] == [
        ("truncation_rate", 0.3, "promoted")
    ]


@pytest.fixture
def lose(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str, int], bool]], None]:
    """Return a function that lets the grader fail on fresh rows alone, told by problem and number of the call."""
    grade, sample = MathGrader.grade, fresh_rows.sample_attempts

    def use(fails: Callable[[str, int], bool]) -> None:
        calls = iter(range(10**9))

        def flaky(self: MathGrader, problem: Problem, *arguments: Any) -> Any:
            if fails(problem.problem_id, next(calls)):
                raise GraderError("the worker died")
            return grade(self, problem, *arguments)

        def sampled(*arguments: Any) -> list[Trajectory]:
            with monkeypatch.context() as patched:
                patched.setattr(MathGrader, "grade", flaky)
                return sample(*arguments)

        monkeypatch.setattr(fresh_rows, "sample_attempts", sampled)

    return use


def test_fresh_attempts_lost_within_the_limit_are_drawn_again_and_counted(
    copy: Campaign, lose: Callable[[Callable[[str, int], bool]], None]
) -> None:
    lose(lambda _, call: call % 40 == 0)
    evaluate.run(copy.files, "v001")
    claim = copy.verdict("v001").gate
    assert claim is not None and (claim.outcome, copy.verdict("v001").outcome) == ("promoted", "promoted")
    rows = read_evaluation(copy.files.version("v001").gate / "candidate")
    assert 0.0 < claim.error_share < copy.config.evaluate.max_error_share
    assert all(row.error is None for row in rows) and any(row.extra.get("lost") == ["GraderError"] for row in rows)


def test_fresh_attempts_lost_beyond_the_limit_leave_it_undecided_never_worse(
    copy: Campaign, lose: Callable[[Callable[[str, int], bool]], None]
) -> None:
    lose(lambda _, call: call % 5 == 0)
    evaluate.run(copy.files, "v001")
    verdict = copy.verdict("v001")
    assert verdict.gate is not None and verdict.gate.error_share > copy.config.evaluate.max_error_share
    assert verdict.outcome == "inconclusive"
    assert any("of the fresh attempts of an arm, more than the 5.0% allowed" in why for why in verdict.reasons)


def test_a_problem_that_is_lost_in_every_draw_holds_the_gate(
    copy: Campaign, lose: Callable[[Callable[[str, int], bool]], None]
) -> None:
    lost = read_evaluation(copy.files.version("v001").validation)[0].problem_id
    lose(lambda problem, _: problem == lost)
    evaluate.run(copy.files, "v001")
    verdict = copy.verdict("v001")
    assert verdict.gate is not None and (verdict.gate.held, verdict.gate.attempts) == ((lost,), 0)
    assert verdict.outcome == "inconclusive"


def test_a_noise_floor_is_not_measured_on_what_is_left_of_an_evaluation(
    copy: Campaign, lose: Callable[[Callable[[str, int], bool]], None]
) -> None:
    lose(lambda _, call: call % 5 == 0)
    with pytest.raises(InfrastructureError, match="of the base policy's second evaluation were lost"):
        evaluate.run(copy.files, "v000")
