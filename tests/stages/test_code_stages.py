"""An intervention by code from its file to a trained policy, again without the file, and how failing code ends."""

import json
import shutil
from pathlib import Path

import pytest

from cli.check import evidence_of, examined
from evotrainer.algorithm.code import RecipeCode
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_code, save_config, write_code
from evotrainer.config import load_config
from evotrainer.config.code import CODE_TERM, reference
from evotrainer.config.interventions import freeze_written, with_values
from evotrainer.errors import LineageError
from evotrainer.evidence.rows import Rows
from tasks import backtest as backtest_stage
from tasks import propose as propose_stage
from tasks import train as train_stage
from tests.code_sources import sources
from tests.invariant.test_backtests_stages import make_campaign, start
from tests.version_files import contents

PAID = """def reward(row):
    return 0.3 * row["correct"] + 0.1 * row["terms"]["format"] - 0.02 * (row["num_tokens"] % 3)
"""
UNSTABLE = "SEEN = []\ndef reward(row):\n    SEEN.append(1)\n    return 0.001 * (len(SEEN) % 100)\n"
YAML = """
reward: {{code: file:{name}.py}}
intervention:
  hypothesis: if answers of a length earn a little more then score moves because groups differ
  prediction: {{metric: score, direction: up, size: 0.01, low: -0.05, high: 0.1, probability: 0.5}}
"""
OUTPUTS = ("proposal.json", "agent.jsonl", "config.yaml", "code", "backtest.json", "model", "training", "training.json")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory, digit_policy, digit_problems, lineage) -> CampaignFiles:
    """A campaign whose v002 has gone from a written file to a trained policy."""
    settings = {"trainer.name": "written", "trainer.interventions": ["unstable", "paid"], "budget.max_steps": 2}
    files = make_campaign(tmp_path_factory.mktemp("campaign"), digit_policy, digit_problems, **settings)
    folder = tmp_path_factory.mktemp("person")
    for name, text in (("unstable", UNSTABLE), ("paid", PAID)):
        (folder / f"{name}.yaml").write_text(YAML.format(name=name))
        (folder / f"{name}.py").write_text(text)
    start(files, "v002", "candidate", lineage)
    freeze_written(folder, ["unstable", "paid"], files.version("v002").written)
    shutil.rmtree(folder)
    run(files)
    return files


def run(files: CampaignFiles) -> None:
    for stage in (propose_stage, backtest_stage, train_stage):
        stage.run(files, "v002")


def test_guards_refuse_one_file_and_the_other_is_backtested_and_trained(campaign):
    stored = campaign.version("v002")
    proposal, backtest = stored.proposal.read(), stored.backtest.read()
    assert proposal.choice is not None and proposal.choice.diff == {"reward.code": ("", reference(PAID))}
    assert ["no function of its argument" in reason for reason in proposal.refused] == [True]
    assert (backtest.family, backtest.accepted) == ("reward", True), backtest.reason
    assert backtest.numbers["quality_after"] != backtest.numbers["quality_before"]
    assert stored.training_summary.read().trained


def test_training_paid_each_row_what_a_backtest_pays_it(campaign):
    own = campaign.version("v002")
    config = load_config(own.config)
    rows = list(Rows.read(own.training))
    bare = [
        row.model_copy(
            update={"reward": None, "reward_terms": {k: v for k, v in row.reward_terms.items() if k != CODE_TERM}}
        )
        for row in rows
    ]
    again = RecipeCode(read_code(own.code, config)).rewarded(bare, config.reward)
    assert [(row.reward, row.reward_terms) for row in again] == [(row.reward, row.reward_terms) for row in rows]
    assert len({row.reward_terms[CODE_TERM] for row in rows}) > 1


def test_a_stored_version_is_what_code_is_examined_on(campaign):
    recipe, rows, problems, code = evidence_of(campaign, "v002")
    assert len(rows) == 36 * 4 and len(problems) == 100 and list(code.sources) == [recipe.reward.code]
    found = examined("reward.code", PAID, recipe, rows, problems, code)
    assert found["refusals"] == [] and found["numbers"]["order_violations"][0] == 0
    with pytest.raises(LineageError, match="no rollout and recipe"):
        evidence_of(campaign, "v009")


def test_the_version_repeats_byte_for_byte_from_its_frozen_inputs(campaign, tmp_path: Path):
    copy = CampaignFiles(tmp_path / "again")
    shutil.copytree(campaign.root, copy.root, symlinks=True, ignore=shutil.ignore_patterns(*OUTPUTS, "scratch"))
    save_config(copy.config, load_config(campaign.config))
    assert not (copy.root / "conf" / "intervention" / "paid.py").exists()
    run(copy)
    own, again = ([files.version("v002").root / name for name in OUTPUTS] for files in (campaign, copy))
    assert contents(*again) == contents(*own)


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("reward.code", "def reward(row):\n    return 1 / 0\n", "raised ZeroDivisionError"),
        ("filter.mask_code", "def mask(row):\n    return None\n", "true or false is meant"),
        ("filter.group_code", 'def keep(rows):\n    return rows[0]["secret"]\n', "raised KeyError"),
        ("data.weight_code", "def weight(problem):\n    return 0\n", "the weight 0"),
    ],
)
def test_code_that_fails_in_training_ends_the_run_and_pays_nobody_zero(campaign, tmp_path, key, text, reason):
    files = CampaignFiles(tmp_path / "failing")
    shutil.copytree(campaign.root, files.root, symlinks=True, ignore=shutil.ignore_patterns("scratch", "model"))
    own = files.version("v002")
    config = with_values(load_config(files.config), {key: reference(text)})
    save_config(own.config, config)
    write_code(own.code, config, sources(text))
    train_stage.run(files, "v002")
    summary = json.loads(own.training_summary.path.read_text())
    found = (summary["trained"], summary["label"], summary["num_steps"])
    assert found == (False, "intervention_code_failed", 0) and reason in summary["reason"]
    assert [path.name for path in own.model.iterdir()] == ["WHY"]
    assert [path.name for path in own.training.iterdir()] == ["WHY"]
