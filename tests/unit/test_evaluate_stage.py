"""The evaluate and certify stages on a real tiny policy: rows, verdicts, duplicates, corruption, the sealed split."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evotrainer.config import Config, DomainConfig, EvaluateConfig, PolicyConfig, load_config, save_config
from evotrainer.engines.policy import load_policy, policy_hash, save_policy
from evotrainer.errors import EvidenceError, InfrastructureError, PolicyError
from evotrainer.evaluation import choose_problems, read_evaluation, score_table
from evotrainer.evidence import open_evidence, write_rows, write_signals
from evotrainer.interventions import build
from evotrainer.layout import CampaignFiles
from evotrainer.lineage import read_record, read_records, write_records
from evotrainer.records import (
    Backtest,
    Certificate,
    Condition,
    HarnessReport,
    Prediction,
    Problem,
    Proposal,
    Signals,
    Trajectory,
    Verdict,
    VersionSpec,
)
from tasks.certify import stage as certify
from tasks.evaluate import stage as evaluate

ROOT = Path(__file__).resolve().parents[2]


class Campaign:
    """A campaign whose versions get policies and training files by hand."""

    def __init__(self, root: Path, policy: Path, problems: Sequence[Problem]) -> None:
        self.files = CampaignFiles(root)
        self.base = policy
        self.config = Config(
            domain=DomainConfig(data_path="data"), policy=PolicyConfig(path=str(policy)),
            evaluate=EvaluateConfig(attempts=4, max_problems=12, max_response_tokens=8, bootstrap_samples=500),
        )  # fmt: skip
        save_config(self.files.config, self.config)
        self.files.data.mkdir()
        for split, part in {"validation": problems[:40], "test": problems[40:60]}.items():
            lines = [json.dumps({"id": f"{split}-{p.problem_id}", "problem": p.prompt, "answer": p.answer,
                                 "family": p.family}) for p in part]  # fmt: skip
            (self.files.data / f"{split}.jsonl").write_text("\n".join(lines))

    def plan(self, version: str, kind: Any, incumbent: str = "v000") -> None:
        own = self.files.version(version)
        spec = VersionSpec(campaign="c", version=version, generation=int(version[1:]), slot=0, kind=kind,
                           parents=[] if kind == "base" else [incumbent], incumbent=incumbent,
                           campaign_seed=3)  # fmt: skip
        own.root.mkdir(parents=True)
        own.spec.write_text(spec.model_dump_json())
        write_records(own.lineage, read_records(self.files))
        for folder in ("base", "math"):
            shutil.copytree(ROOT / "harness_plugins" / folder, own.plugins / folder)

    def train(self, version: str, policy: Path | None, label: str = "", reason: str = "") -> None:
        """Give a version the policy of `policy`, or leave it untrained."""
        own = self.files.version(version)
        intervention = build(
            self.config, {"algorithm.learning_rate": 1e-4}, author="rules", hypothesis="if then because",
            prediction=Prediction(metric="score", direction="up", size=0.1, low=0.0, high=0.3, probability=0.6),
            success=[Condition(metric="score", operator=">", value=0.0)], limits=[], parents=["v000"],
        )  # fmt: skip
        is_baseline = version == "v001"
        proposal = Proposal(version=version, pool=[] if is_baseline else [intervention], backtests=[], agent="rules",
                            chosen=None if is_baseline else intervention.intervention_id)  # fmt: skip
        own.proposal.write_text(proposal.model_dump_json())
        own.backtest.write_text(
            Backtest(
                intervention_id="",
                family="algorithm",
                accepted=policy is not None,
                reason=reason,
                predicted_effect=0.0,
                usable_groups_before=0.5,
                usable_groups_after=0.5,
                order_violations=0.0,
                mistruncated_correct=0.0,
            ).model_dump_json()
        )
        own.findings.write_text(HarnessReport(version=version, harness_version="h").model_dump_json())
        save_config(own.config, self.config)
        own.training.mkdir()
        own.model.mkdir()
        if policy is not None:
            shutil.copytree(policy, own.model, dirs_exist_ok=True)
            write_rows(own.training, 0, _training_rows(version))
            write_signals(own.training, [Signals(
                campaign="c", version=version, step=0, loss=0.1, grad_norm=0.5, kl=0.01, entropy=0.6,
                clip_fraction=0.0, mean_ratio=1.0, dead_group_ratio=0.2, kept_groups=1.0, num_tokens=100, seconds=0.0,
            )])  # fmt: skip
        own.training_summary.write_text(json.dumps({
            "trained": policy is not None and not label, "reason": reason, "label": label, "num_steps": 1,
            "num_tokens": 100, "policy_hash": policy_hash(policy) if policy else None}))  # fmt: skip

    def verdict(self, version: str) -> Verdict:
        return Verdict.model_validate_json(self.files.version(version).verdict.read_bytes())


def _training_rows(version: str) -> list[Trajectory]:
    return [
        Trajectory(trajectory_id=f"{version}.train.{p}.{a}", campaign="c", version=version, split="train", step=0,
                   domain="math", problem_id=f"t{p}", group_id=f"g{p}", attempt=a, seed=a, policy_id="p", messages=[],
                   reward=float(a % 2), reward_terms={"correct": float(a % 2)}, correct=float(a % 2),
                   stop_reason="stop", num_turns=1, num_tokens=4, is_truncated=False, format_ok=True, in_loss=True,
                   advantage=1.0 if a % 2 else -1.0)
        for p in range(4) for a in range(4)
    ]  # fmt: skip


@pytest.fixture(scope="session")
def sharper_policy(digit_policy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The digit policy with its head made steeper: it samples its best guess more often, and so scores higher."""
    import torch

    policy = load_policy(digit_policy)
    with torch.no_grad():
        policy.model.get_parameter("model.norm.weight").mul_(3.0)
    out = tmp_path_factory.mktemp("sharper") / "policy"
    save_policy(policy.model, digit_policy, out)
    return out


@pytest.fixture(scope="module")
def campaign(
    tmp_path_factory: pytest.TempPathFactory, digit_policy: Path, sharper_policy: Path, digit_problems: list[Problem]
) -> Campaign:
    """v000 and a better v001, both evaluated."""
    made = Campaign(tmp_path_factory.mktemp("evaluate") / "c", digit_policy, digit_problems)
    made.plan("v000", "base")
    evaluate.run(made.files, "v000")
    made.plan("v001", "baseline")
    made.train("v001", sharper_policy)
    evaluate.run(made.files, "v001")
    return made


@pytest.fixture
def copy(campaign: Campaign, tmp_path: Path) -> Campaign:
    """The campaign again, to change at will."""
    shutil.copytree(campaign.files.root, tmp_path / "c")
    changed = Campaign.__new__(Campaign)
    changed.files, changed.base, changed.config = CampaignFiles(tmp_path / "c"), campaign.base, campaign.config
    return changed


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
    assert record.cost["evaluate_tokens"] == sum(
        row.num_tokens for row in read_evaluation(campaign.files.version("v001").validation))  # fmt: skip


def test_the_draws_are_the_same_for_all_versions(campaign: Campaign) -> None:
    seeds = [{(row.problem_id, row.step, row.attempt): row.seed for row in
              read_evaluation(campaign.files.version(version).validation)} for version in ("v000", "v001")]  # fmt: skip
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0].values())) == len(seeds[0])


def test_the_score_is_what_a_query_says(campaign: Campaign) -> None:
    sql = "SELECT version, avg(correct) FROM trajectories GROUP BY 1"
    queried = dict(open_evidence(campaign.files).execute(sql).fetchall())
    assert queried == pytest.approx({name: campaign.verdict(name).score for name in ("v000", "v001")})


def test_an_evaluation_repeats_to_the_byte(copy: Campaign) -> None:
    own = copy.files.version("v001")
    paths = [*sorted(own.validation.rglob("*.parquet")), own.audit, own.verdict, own.metrics]
    before = [path.read_bytes() for path in paths]
    shutil.rmtree(own.validation)
    evaluate.run(copy.files, "v001")
    assert [path.read_bytes() for path in paths] == before
    assert "seconds" not in json.loads(own.audit.read_bytes())


def test_a_refused_version_is_closed_without_a_score(copy: Campaign) -> None:
    copy.plan("v002", "candidate", "v001")
    copy.train("v002", None, reason="the budget cuts 31% of correct answers")
    evaluate.run(copy.files, "v002")
    verdict, own = copy.verdict("v002"), copy.files.version("v002")
    assert (verdict.outcome, verdict.score) == ("rejected", None)
    assert verdict.reasons == ["the backtest refused it: the budget cuts 31% of correct answers"]
    assert [path.name for path in own.validation.iterdir()] == ["UNSCORED"]
    assert json.loads(own.metrics.read_bytes()) == {}
    assert read_record(copy.files, "v002").findings == []


def test_training_that_broke_off_is_closed_as_failed(copy: Campaign) -> None:
    copy.plan("v002", "candidate", "v001")
    copy.train("v002", None, label="train_budget_overrun", reason="stopped after step 3: train_budget_overrun")
    evaluate.run(copy.files, "v002")
    assert (copy.verdict("v002").outcome, copy.verdict("v002").label) == ("failed", "train_budget_overrun")


@pytest.mark.parametrize(("twin", "which"), [("v000", "base"), ("v001", "sharper")])
def test_an_equal_checkpoint_is_a_duplicate(copy: Campaign, sharper_policy: Path, twin: str, which: str) -> None:
    copy.plan("v002", "candidate", "v001")
    copy.train("v002", copy.base if which == "base" else sharper_policy)
    evaluate.run(copy.files, "v002")
    assert copy.verdict("v002").outcome == "rejected"
    assert f"bit by bit that of {twin}" in copy.verdict("v002").reasons[0]


def test_a_prediction_is_scored_against_the_incumbent(copy: Campaign, digit_policy: Path, tmp_path: Path) -> None:
    import torch

    policy = load_policy(digit_policy)
    with torch.no_grad():
        policy.model.get_parameter("model.norm.weight").mul_(0.2)
    save_policy(policy.model, digit_policy, tmp_path / "blunt")
    copy.plan("v002", "candidate", "v001")
    copy.train("v002", tmp_path / "blunt")
    evaluate.run(copy.files, "v002")
    verdict = copy.verdict("v002")
    assert [comparison.against for comparison in verdict.comparisons] == ["v001", "v000"]
    assert verdict.outcome == "rejected" and verdict.comparisons[0].high < 0
    assert verdict.prediction_observed == pytest.approx(verdict.comparisons[0].difference)
    assert verdict.prediction_hit is False


def test_a_policy_that_is_not_the_trained_one_is_named_and_never_used(copy: Campaign, digit_policy: Path) -> None:
    own = copy.files.version("v001")
    shutil.rmtree(own.validation)
    shutil.copytree(digit_policy, own.model, dirs_exist_ok=True)
    with pytest.raises(PolicyError, match=r"v001.model is not the policy that was trained"):
        evaluate.run(copy.files, "v001")
    assert not own.validation.exists()


def test_a_corrupt_checkpoint_is_named(copy: Campaign) -> None:
    weights = copy.files.version("v001").model / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(PolicyError, match=r"v001.model"):
        evaluate.run(copy.files, "v001")


def test_damaged_rows_of_the_incumbent_are_named(copy: Campaign) -> None:
    step = next(copy.files.version("v000").validation.rglob("trajectories/step_00000.parquet"))
    step.write_bytes(step.read_bytes()[:-1] + b"x")
    with pytest.raises(EvidenceError, match=r"v000.validation.*corrupt"):
        evaluate.run(copy.files, "v001")


def test_lost_attempts_of_the_base_stop_the_campaign(copy: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    from evotrainer.errors import GraderError
    from evotrainer.graders.math import MathGrader

    def fail(*_: Any) -> Any:
        raise GraderError("the worker died")

    monkeypatch.setattr(MathGrader, "grade", fail)
    with pytest.raises(InfrastructureError, match="100.0% of the base policy's attempts were lost"):
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
    assert open_evidence(copy.files).execute(sql).fetchone() == (0,)
    certify.run(copy.files, "certificate")
    path = copy.files.certificate / "certificate.json"
    certificate = Certificate.model_validate_json(path.read_bytes())
    assert certificate.incumbent == "v001"
    assert [score.version for score in certificate.scores] == ["v000", "v001"]
    assert [comparison.against for comparison in certificate.comparisons] == ["v000"]
    assert certificate.num_problems == 20 and certificate.comparisons[0].low > 0
    assert open_evidence(copy.files).execute(sql).fetchone() == (2 * 20 * 5,)
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
