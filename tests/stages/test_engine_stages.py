"""The rollout and train stages on a campaign folder: what they write, and that their bytes repeat."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config
from evotrainer.config import Config, load_config
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.errors import PolicyError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals, read_tokens
from evotrainer.search import shares_rollout
from evotrainer.training.replicates import pass_rates
from tasks import rollout, train
from tasks.plan.pipeline import version_stages
from tests.base_policies import link_base_policy
from tests.judge_server import answer_in, serving, verdict
from tests.plain_records import version_spec
from tests.version_files import contents, write_backtest, write_problems


def _config() -> Config:
    config = Config()
    config.domain.data_path, config.engine.device = "data/digits", "cpu"
    config.budget.rollout_problems, config.budget.probe_problems, config.budget.max_steps = 9, 6, 2
    config.sampling.group_size, config.sampling.problems_per_step = 4, 5
    config.sampling.max_response_tokens = 6
    return config


def _write_version(files: CampaignFiles, version: str, *, accepted: bool, incumbent: str = "v000") -> None:
    own = files.version(version)
    own.spec.write(version_spec(version, "candidate", incumbent, campaign_seed=5))
    write_backtest(own, accepted, "" if accepted else "no effect")


@pytest.fixture
def files(tmp_path: Path, digit_policy: Path, digit_problems) -> CampaignFiles:
    files = CampaignFiles(tmp_path)
    write_problems(tmp_path / "data" / "digits", train=digit_problems[:60], probe=digit_problems[60:90])
    link_base_policy(files, digit_policy)
    save_config(files.config, _config())
    for version in ("v001", "v002"):
        _write_version(files, version, accepted=True)
        save_config(files.version(version).config, _config())
    return files


def test_candidates_see_the_same_attempts(files: CampaignFiles):
    rollout.run(files, "v001")
    rollout.run(files, "v002")
    one, two = (list(Rows.read(files.version(version).rollout)) for version in ("v001", "v002"))
    assert len(one) == (9 + 6) * 4
    assert [(r.problem_id, r.attempt, r.messages, r.seed) for r in one] == [
        (r.problem_id, r.attempt, r.messages, r.seed) for r in two
    ]
    assert {row.split for row in one} == {"train", "probe"}
    families = Counter(row.extra["family"] for row in one if row.split == "train")
    assert families == {"family0": 3 * 4, "family1": 3 * 4, "family2": 3 * 4}
    assert {turn.trajectory_id for turn in read_tokens(files.version("v001").rollout)} == {r.trajectory_id for r in one}


def test_a_version_trains_and_repeats_byte_for_byte(files: CampaignFiles):
    own = files.version("v001")
    rollout.run(files, "v001")
    train.run(files, "v001")
    summary = json.loads(own.training_summary.path.read_text())
    rows, signals = list(Rows.read(own.training)), read_signals(own.training)
    assert summary["trained"] and summary["num_steps"] == len(signals) == 2
    assert summary["policy_hash"] == policy_hash(own.model)
    assert summary["num_tokens"] == sum(row.num_tokens for row in rows)
    curve = json.loads(own.curve.read_text())
    assert [(point["step"], point["kl"]) for point in curve] == [(row.step, row.kl) for row in signals]
    assert json.loads((own.root / "costs" / "train.json").read_text()) == {"tokens": summary["num_tokens"]}
    before = contents(own.rollout, own.model, own.training)
    rollout.run(files, "v001")
    train.run(files, "v001")
    assert contents(own.rollout, own.model, own.training) == before
    assert json.loads(own.training_summary.path.read_text()) == summary


def test_a_warm_up_shows_worked_answers_of_the_train_split_and_repeats_byte_for_byte(files: CampaignFiles):
    own, config = files.version("v001"), _config()
    path = files.root / "data" / "digits" / "train.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    shown = (row | {"solution": f"<answer>{row['answer']}</answer>"} for row in rows)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in shown))
    config.warm_up.rows, config.warm_up.batch, config.warm_up.learning_rate = 12, 4, 1e-3
    for place in (files.config, own.config):
        save_config(place, config)
    own.spec.write(version_spec("v001", "warm_up", "v000", campaign_seed=5))
    train.run(files, "v001")
    before, summary = contents(own.model, own.training, own.root), own.training_summary.read()
    assert summary.trained and summary.num_steps == 3 and summary.policy_hash == policy_hash(own.model)
    assert len(Rows.read(own.training)) == 0 and all(point["loss"] > 0 for point in json.loads(own.curve.read_text()))
    train.run(files, "v001")
    assert contents(own.model, own.training, own.root) == before


def test_a_distillation_shows_right_attempts_at_train_problems_and_repeats_byte_for_byte(files: CampaignFiles):
    own, config = files.version("v001"), _config()
    config.init, config.warm_up.rounds, config.warm_up.attempts, config.warm_up.batch = "parent", 1, 2, 4
    for place in (files.config, own.config):
        save_config(place, config)
    own.spec.write(version_spec("v001", "distillation", "v000", campaign_seed=5))
    train.run(files, "v001")
    before, summary = contents(own.model, own.training, own.root), own.training_summary.read()
    rows = Rows.read(own.training)
    problems = {row.problem_id for row in rows}
    assert {row.split for row in rows} == {"train"} and len(rows) == 2 * len(problems)
    solved = {row.problem_id for row in rows if row.correct}
    assert 4 <= len(solved) < len(problems) and summary.num_steps == len(solved) // 4
    assert summary.num_tokens == sum(row.num_tokens for row in rows)
    train.run(files, "v001")
    assert contents(own.model, own.training, own.root) == before


def test_versions_of_one_recipe_differ_in_name_alone_and_a_retraining_draws_anew(files: CampaignFiles):
    for version in ("v001", "v002"):
        rollout.run(files, version)
        train.run(files, version)
    first, second = (files.version(version) for version in ("v001", "v002"))
    assert contents(first.model) == contents(second.model)
    spec = second.spec.read()
    second.spec.write(spec.model_copy(update={"replicate": 1}))
    train.run(files, "v002")
    assert contents(first.model) != contents(second.model)


def test_training_can_start_from_the_parent(files: CampaignFiles, digit_policy: Path):
    rollout.run(files, "v001")
    train.run(files, "v001")
    _write_version(files, "v003", accepted=True, incumbent="v001")
    config = _config()
    config.init, config.algorithm.learning_rate = "parent", 1e-12
    save_config(files.version("v003").config, config)
    rollout.run(files, "v003")
    train.run(files, "v003")
    rows = list(Rows.read(files.version("v003").training))
    parent = policy_hash(files.version("v001").model)
    assert all(row.policy_id.startswith(f"{parent}+v003.") for row in rows)
    assert {row.policy_id for row in Rows.read(files.version("v003").rollout)} == {parent}


def test_an_incumbent_that_is_not_what_was_trained_is_refused_by_name(files: CampaignFiles):
    rollout.run(files, "v001")
    train.run(files, "v001")
    weights = files.version("v001").model / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4] + b"\0\0\0\0")
    _write_version(files, "v003", accepted=True, incumbent="v001")
    with pytest.raises(PolicyError, match="v001/model is not the policy that was trained"):
        rollout.run(files, "v003")
    assert not files.version("v003").rollout.exists()


def test_a_refused_backtest_closes_the_version_untrained(files: CampaignFiles):
    own = files.version("v004")
    _write_version(files, "v004", accepted=False)
    config = load_config(files.config)
    config.domain.judge_url = "http://localhost:1/v1"
    save_config(own.config, config)
    train.run(files, "v004")
    assert (own.judge / "train.jsonl").read_bytes() == b""
    summary = json.loads(own.training_summary.path.read_text())
    assert summary["trained"] is False and summary["reason"] == "no effect" and summary["policy_hash"] is None
    assert [path.name for path in own.model.iterdir()] == ["WHY"]
    assert [path.name for path in own.training.iterdir()] == ["WHY"]


def test_an_overrun_is_labelled_and_keeps_its_evidence(files: CampaignFiles, digit_policy: Path):
    own = files.version("v001")
    config = _config()
    config.budget.max_train_seconds = 0.0
    save_config(own.config, config)
    rollout.run(files, "v001")
    train.run(files, "v001")
    summary = json.loads(own.training_summary.path.read_text())
    assert summary["trained"] is False and summary["label"] == "train_budget_overrun"
    assert [path.name for path in own.model.iterdir()] == ["WHY"]
    assert len(Rows.read(own.training)) == 5 * 4


def test_pass_rates_are_of_train_problems_and_skip_errors(files: CampaignFiles):
    rollout.run(files, "v001")
    rows = list(Rows.read(files.version("v001").rollout))
    broken = [row.model_copy(update={"correct": None}) if row.attempt == 0 else row for row in rows]
    rates = pass_rates(broken)
    assert set(rates) == {row.problem_id for row in rows if row.split == "train"}
    problem = next(iter(rates))
    expected = [row.correct for row in broken if row.problem_id == problem and row.correct is not None]
    assert rates[problem] == pytest.approx(sum(expected) / 3)


def test_a_judge_is_asked_once_and_its_record_repeats_the_stages(files):
    own = files.version("v001")
    with serving() as endpoint:
        endpoint.reply = lambda body, number: verdict(len(answer_in(body)) % 3 / 4)
        for path in (files.config, own.config):
            config = load_config(path)
            config.domain.judge_url, config.reward.judge = endpoint.url, 0.5
            save_config(path, config)
        rollout.run(files, "v001")
        train.run(files, "v001")
    rows = list(Rows.read(own.rollout)) + list(Rows.read(own.training))
    assert {row.reward_terms["judge"] for row in rows} <= {0.0, 0.25, 0.5}
    assert all(row.reward == row.correct + 0.5 * row.reward_terms["judge"] for row in rows)
    written = contents(own.rollout, own.training, own.model, own.judge)
    for folder in (own.rollout, own.training, own.model):
        shutil.rmtree(folder)
    rollout.run(files, "v001")  # the endpoint is gone
    train.run(files, "v001")
    assert contents(own.rollout, own.training, own.model, own.judge) == written


def test_a_shared_rollout_is_what_the_slot_would_have_sampled(files: CampaignFiles, monkeypatch):
    rollout.run(files, "v001")
    rollout.run(files, "v002")
    own = files.version("v002")
    sampled = contents(own.rollout)
    spec = own.spec
    spec.write(spec.read().model_copy(update={"shares": {"rollout": "v001"}, "slot": 1}))
    shutil.rmtree(own.rollout)
    monkeypatch.setattr(rollout, "open_policy", None)  # nothing is sampled
    rollout.run(files, "v002")
    assert contents(own.rollout) == sampled != contents(files.version("v001").rollout)
    assert json.loads((own.root / "costs" / "rollout.json").read_text()) == {"tokens": 0}


@pytest.mark.parametrize(
    ("share", "path", "is_shared"),
    [("auto", "", False), ("auto", "models/own", True), ("always", "", True), ("never", "models/own", False)],
)
def test_slots_share_a_rollout_unless_the_policy_is_embedded(files: CampaignFiles, share, path, is_shared):
    config = load_config(files.config)
    config.search.share_rollout, config.policy.path = share, path
    assert shares_rollout(config) == is_shared


def test_a_stage_declares_what_models_answered_as_an_output_that_stays(files):
    spec = files.version("v001").spec.read()
    for url, outs in (("", []), ("http://localhost:8000/v1", ["judge/rollout.jsonl", "judge/train.jsonl"])):
        config = load_config(files.config)
        config.domain.judge_url = url
        stages = [stage.as_dvc("v001", "../..") for stage in version_stages(files, config, spec, [])]
        declared = [
            name
            for stage in stages
            for out in stage["outs"]
            if isinstance(out, dict)
            for name, settings in out.items()
            if settings.get("persist")
        ]
        assert sorted(declared) == ["agent.jsonl", *outs]
