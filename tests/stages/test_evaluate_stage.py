"""The evaluate and certify stages on a real tiny policy: rows, verdicts, duplicates, corruption, the sealed split."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evotrainer.campaign.kept_batches import kept_batches
from evotrainer.campaign.repository import read_record, save_config
from evotrainer.config import load_config
from evotrainer.errors import InfrastructureError, PolicyError
from evotrainer.evidence.query import run_query
from evotrainer.records import Certificate, Problem, Trajectory
from evotrainer.rollouts import evaluation
from evotrainer.rollouts.evaluation import _play, choose_problems, read_evaluation, score_table
from tasks import certify, evaluate
from tests.evaluated_campaign import Campaign, scaled_policy


def test_the_base_is_scored_and_kept(campaign: Campaign) -> None:
    verdict = campaign.verdict("v000")
    rows = read_evaluation(campaign.files.version("v000").validation)
    assert (verdict.outcome, verdict.claim, verdict.comparisons) == ("kept", "base policy", [])
    assert len(rows) == 12 * 4 + 12
    assert {(row.step, row.extra["decoding"]) for row in rows} == {(0, "sampled"), (1, "greedy")}
    assert {row.split for row in rows} == {"validation"}
    assert verdict.score == score_table(rows).score
    assert verdict.greedy_score == score_table(rows, 1).score


def test_a_better_policy_is_compared_problem_by_problem(campaign: Campaign) -> None:
    verdict = campaign.verdict("v001")
    assert verdict.outcome == "promoted"
    assert [comparison.against for comparison in verdict.comparisons] == ["v000"]
    assert verdict.comparisons[0].num_problems == 12 and verdict.comparisons[0].attempts == 4
    assert verdict.score is not None and verdict.score > campaign.verdict("v000").score
    record = read_record(campaign.files, "v001")
    assert record.metrics["score"] == verdict.score
    assert record.metrics["difference"] == record.metrics["base_difference"] == verdict.comparisons[0].difference
    assert record.metrics["dead_group_ratio"] == 0.0, "harness metrics of the training rows stand beside the score"
    assert record.metrics["grad_norm"] == 0.5
    own = campaign.files.version("v001")
    folders = (own.validation, own.gate / "candidate", own.gate / "incumbent")
    rows = [row for folder in folders for row in read_evaluation(folder)]
    assert record.cost["evaluate_tokens"] == sum(row.num_tokens for row in rows)


def test_the_draws_are_the_same_for_all_versions(campaign: Campaign) -> None:
    seeds = [
        {
            (row.problem_id, row.step, row.attempt): row.seed
            for row in read_evaluation(campaign.files.version(version).validation)
        }
        for version in ("v000", "v001")
    ]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0].values())) == len(seeds[0])


def test_an_evaluation_repeats_to_the_byte(copy: Campaign) -> None:
    own = copy.files.version("v001")
    paths = [
        *sorted(own.validation.rglob("*.parquet")),
        *sorted(own.gate.rglob("*.*")),
        own.audit.path,
        own.verdict.path,
        own.metrics,
    ]
    before = [path.read_bytes() for path in paths]
    shutil.rmtree(own.validation)
    (own.gate / "candidate" / "trajectories" / "step_00099.parquet").touch()
    evaluate.run(copy.files, "v001")
    assert [path.read_bytes() for path in paths] == before
    assert not (own.gate / "candidate" / "trajectories" / "step_00099.parquet").exists()
    assert "seconds" not in json.loads(own.audit.path.read_bytes())


def test_an_evaluation_that_is_killed_goes_on_behind_its_finished_batches(
    copy: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, config = copy.files.version("v001"), load_config(copy.files.config)
    for path in (copy.files.config, own.config):
        save_config(path, replace(config, engine=replace(config.engine, batch_trajectories=16)))
    before = {path: path.read_bytes() for path in (*own.validation.rglob("*.parquet"), *own.gate.rglob("*.*"))}
    played: list[int] = []

    def play(*arguments: Any) -> list[Trajectory]:
        played.append(0)
        if len(played) in (3, 7):
            raise KeyboardInterrupt
        return _play(*arguments)

    monkeypatch.setattr(evaluation, "_play", play)
    monkeypatch.setattr(kept_batches(), "folder", tmp_path / "attempts")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            evaluate.run(copy.files, "v001")
    evaluate.run(copy.files, "v001")
    assert {path: path.read_bytes() for path in before} == before
    kept = len(list((tmp_path / "attempts").iterdir()))
    assert len(played) == kept + 2, "each batch but the two that were cut short is played once"
    kept_batches().drop()
    evaluate.run(copy.files, "v001")
    assert len(played) == 2 * kept + 2


def test_a_refused_version_is_closed_without_a_score(copy: Campaign) -> None:
    copy.plan("v002", "candidate", "v001")
    copy.train("v002", None, reason="the budget cuts 31% of correct answers")
    evaluate.run(copy.files, "v002")
    verdict, own = copy.verdict("v002"), copy.files.version("v002")
    assert (verdict.outcome, verdict.score) == ("rejected", None)
    assert verdict.reasons == ["the backtest refused it: the budget cuts 31% of correct answers"]
    assert [path.name for path in own.validation.iterdir()] == ["WHY"]
    assert [path.name for path in own.gate.iterdir()] == ["WHY"]
    assert json.loads(own.metrics.read_bytes()) == {}
    assert read_record(copy.files, "v002").findings == []


@pytest.mark.parametrize(("twin", "which"), [("v000", "base"), ("v001", "sharper")])
def test_an_equal_checkpoint_is_a_duplicate(copy: Campaign, sharper_policy: Path, twin: str, which: str) -> None:
    copy.plan("v002", "candidate", "v001")
    copy.train("v002", copy.base if which == "base" else sharper_policy)
    evaluate.run(copy.files, "v002")
    assert copy.verdict("v002").outcome == "rejected"
    assert f"bit by bit that of {twin}" in copy.verdict("v002").reasons[0]


def test_a_prediction_is_scored_against_the_incumbent(copy: Campaign, digit_policy: Path, tmp_path: Path) -> None:
    copy.plan("v002", "candidate", "v001")
    copy.train("v002", scaled_policy(digit_policy, 0.2, tmp_path / "blunt"))
    evaluate.run(copy.files, "v002")
    verdict = copy.verdict("v002")
    assert [comparison.against for comparison in verdict.comparisons] == ["v001", "v000"]
    assert verdict.outcome == "rejected" and verdict.comparisons[0].high < 0
    assert (copy.files.version("v002").gate / "WHY").read_text() == "its screening score is not above v001's\n"
    assert verdict.prediction_observed == pytest.approx(verdict.comparisons[0].difference)
    assert verdict.prediction_hit is False


def test_a_policy_that_is_not_the_trained_one_is_named_and_never_used(copy: Campaign, digit_policy: Path) -> None:
    own = copy.files.version("v001")
    shutil.rmtree(own.validation)
    shutil.copytree(digit_policy, own.model, dirs_exist_ok=True)
    with pytest.raises(PolicyError, match=r"v001.model is not the policy that was trained"):
        evaluate.run(copy.files, "v001")
    assert not own.validation.exists()


def test_lost_attempts_of_the_base_stop_the_campaign(copy: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    from evotrainer.domains.math.grader import MathGrader
    from evotrainer.errors import GraderError

    def fail(*_: Any) -> Any:
        raise GraderError("the worker died")

    monkeypatch.setattr(MathGrader, "grade", fail)
    with pytest.raises(InfrastructureError, match="100.0% of the attempts of the base policy were lost"):
        evaluate.run(copy.files, "v000")
    evaluate.run(copy.files, "v001")
    assert copy.verdict("v001").outcome == "inconclusive"
    assert copy.verdict("v001").score is None


def test_problems_take_turns_by_family_and_are_fixed_by_the_seed(digit_problems: list[Problem]) -> None:
    chosen = choose_problems(digit_problems, 12, 5)
    assert sorted(problem.family for problem in chosen) == [f"family{i}" for i in range(3) for _ in range(4)]
    assert choose_problems(digit_problems[::-1], 12, 5) == chosen
    assert choose_problems(digit_problems, 12, 6) != chosen
    assert len(choose_problems(digit_problems, 999, 5)) == len(digit_problems)


def test_the_sealed_split_is_read_once(copy: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "SELECT count(*) FROM all_trajectories WHERE split = 'test'"
    assert run_query(copy.files, sql).rows == [[0]]
    certify.run(copy.files, "certificate")
    path = copy.files.certificate / "certificate.json"
    certificate = Certificate.model_validate_json(path.read_bytes())
    assert certificate.incumbent == "v001"
    assert [score.version for score in certificate.scores] == ["v000", "v001"]
    assert [comparison.against for comparison in certificate.comparisons] == ["v000"]
    assert certificate.num_problems == 20 and certificate.comparisons[0].low > 0
    assert run_query(copy.files, sql).rows == [[2 * 20 * 5]]
    stored = path.read_bytes()
    shutil.rmtree(copy.files.version("v001").model)
    capsys.readouterr()
    certify.run(copy.files, "certificate")
    assert path.read_bytes() == stored
    assert "read before" in capsys.readouterr().out


def test_a_changed_policy_is_never_certified(copy: Campaign, digit_policy: Path) -> None:
    shutil.copytree(digit_policy, copy.files.version("v001").model, dirs_exist_ok=True)
    with pytest.raises(PolicyError, match="not the policy that was trained"):
        certify.run(copy.files, "certificate")
    assert not copy.files.certificate.exists()


def test_the_evaluator_is_the_campaigns_and_not_the_recipes(copy: Campaign) -> None:
    own = copy.files.version("v001")
    recipe = load_config(own.config)
    recipe.evaluate.attempts, recipe.evaluate.max_problems = 1, 2
    save_config(own.config, recipe)
    evaluate.run(copy.files, "v001")
    assert len(read_evaluation(own.validation)) == 60


def test_problems_that_are_trained_on_too_keep_every_version_from_promotion(
    copy: Campaign, digit_policy: Path, tmp_path: Path
) -> None:
    held = (copy.files.data / "validation.jsonl").read_text().splitlines()
    trained = [json.dumps(json.loads(line) | {"id": f"other-{place}"}) for place, line in enumerate(held[:2])]
    (copy.files.data / "train.jsonl").write_text("\n".join(trained))
    evaluate.run(copy.files, "v000")
    base = read_record(copy.files, "v000")
    assert base.metrics["trained_problems"] == 2 / 40
    assert ("problem_files", "invalid") in {(found.diagnostic, found.severity) for found in base.findings}
    copy.plan("v002", "candidate", "v000")
    copy.train("v002", scaled_policy(digit_policy, 9.0, tmp_path / "sharper"))
    evaluate.run(copy.files, "v002")
    assert copy.verdict("v002").outcome == "invalid"
    assert any(
        "2 of 60 problems that are judged on are trained on too" in reason for reason in copy.verdict("v002").reasons
    )
