"""`evotrainer campaign check`: all that is wrong with a campaign's settings, said before anything starts."""

import json
import math
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from conf.compose import compose_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import PolicyError
from evotrainer.records import Problem
from evotrainer.training.tracking import PACKAGES
from flows.serving.server import free_port
from flows.workspace.checks import Examination, Start, examine, examine_ahead
from flows.workspace.policy_checks import BY_SIZE, look_at_memory
from flows.workspace.preflight import Measured, Tried, campaign_time, describe
from flows.workspace.preflight import shown as duration
from tests.chat_templates import write_tokenizer
from tests.judge_server import serving
from tests.model_directories import edit_config

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def rows_of(problems: Sequence[Problem]) -> str:
    rows = [{"id": p.problem_id, "problem": p.prompt, "answer": p.answer} for p in problems]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture
def own(tmp_path: Path, digit_problems: list[Problem]) -> str:
    """The setting of a person's own problems."""
    (tmp_path / "own.jsonl").write_text(rows_of(digit_problems))
    return f"domain.data_path={tmp_path / 'own.jsonl'}"


@pytest.fixture
def policy(tmp_path: Path, digit_policy: Path) -> Path:
    """A policy to damage."""
    return shutil.copytree(digit_policy, tmp_path / "model")


def shown(found: Examination, name: str) -> list[str]:
    return [f"{check.state} {check.message}" for check in found.checks if check.name == name]


def write_wide_model(folder: Path, num_weights: int) -> Path:
    """A folder of a wide model whose weights are 0: a sparse file."""
    write_tokenizer(folder, "hermes")
    shape = [num_weights // 1024, 1024]
    header = json.dumps(
        {"model.embed_tokens.weight": {"dtype": "BF16", "shape": shape, "data_offsets": [0, 2 * math.prod(shape)]}}
    )
    weights = folder / "model.safetensors"
    weights.write_bytes(len(header).to_bytes(8, "little") + header.encode())
    os.truncate(weights, weights.stat().st_size + 2 * math.prod(shape))
    config = {"hidden_size": 1024, "num_hidden_layers": 1, "num_attention_heads": 8, "vocab_size": 1000}
    (folder / "config.json").write_text(json.dumps({"model_type": "llama", **config}))
    return folder


def test_an_own_policy_and_own_problems_are_measured_a_few_answers_graded_and_the_time_estimated(
    tmp_path: Path, own: str, digit_policy: Path
) -> None:
    settings = [own, f"policy.path={digit_policy}", "engine.device=cpu"]
    found = examine(ROOT, [*settings, "num_versions=3", "budget.max_steps=20"], embedded=CampaignFiles(tmp_path))
    assert found.errors == []
    (power,), (answers,), (time,) = (shown(found, name) for name in ("power", "answers", "time"))
    assert power.startswith("warning") and "validation rows: gains under" in power and "add problems" in power
    assert answers.startswith("ok 16 problems, 64 answers: ") and "of 16 groups of 4 have a signal" in answers
    assert time.startswith("ok ") and " for 3 versions: " in time and " s a training step, about " in time
    assert all(shown(found, name) for name in ("settings", "problems", "policy", "device", "memory", "disk"))


def test_the_time_of_a_campaign_follows_from_what_was_measured(own: str) -> None:
    sizes = ["num_versions=2", "evaluate.attempts=8", "evaluate.max_problems=8", "budget.max_steps=10"]
    start = Start(ROOT, (), compose_campaign([own, *sizes]), (), None)
    quick = campaign_time(start, Measured(1.0, 20.0, 0.0, 2.0, 100.0)).message
    slow = campaign_time(start, Measured(2.0, 20.0, 0.0, 4.0, 100.0)).message
    cut = campaign_time(start, Measured(1.0, 20.0, 1.0, 2.0, 100.0)).message
    assert "for 2 versions: 1 s an attempt, 32 s a training step, about 10 steps" in quick
    assert slow.partition(" ")[0] != quick.partition(" ")[0]
    assert cut.split(" for ")[0] != quick.split(" for ")[0], "answers that were cut may get longer"
    assert [duration(seconds) for seconds in (40, 120, 7200, 200_000)] == ["40 s", "2 min", "2 h", "2.3 days"]


def test_all_bad_rows_are_listed_and_what_else_is_wrong_beside_them(tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text('{"id": "1", "problem": \n{"id": "2", "problem": "2+2=", "answer": "4"}\n[1]\n')
    settings = [f"domain.data_path={tmp_path / 'own.jsonl'}", "policy.path=nowhere"]
    found = examine(ROOT, settings, embedded=None)
    assert [row.split(": ")[0].rpartition(":")[2] for row in shown(found, "row")] == ["1", "3"]
    assert shown(found, "problems") == ["error 2 of 3 rows cannot be used"]
    assert shown(found, "policy") == [
        f"error policy.path=nowhere does not exist in {ROOT}: name the folder of a Hugging Face model"
    ]
    assert len(found.errors) == 2


def test_a_file_in_the_place_of_a_policy_is_told_to_be_one(tmp_path: Path) -> None:
    (weights := tmp_path / "model.safetensors").touch()
    found = examine(ROOT, [f"policy.path={weights}"], embedded=None)
    wanted = "is a file, no folder: name the folder of a Hugging Face model"
    assert shown(found, "policy") == [f"error policy.path={weights} {wanted}"]


@pytest.mark.parametrize("kind", ["torch", "openrlhf"])
def test_of_a_policy_that_cannot_be_read_one_error_is_told_and_nothing_of_its_memory(policy: Path, kind: str) -> None:
    for damage in (
        lambda: (policy / "model.safetensors").write_bytes(b""),
        lambda: (policy / "config.json").write_text("{}"),
        lambda: (policy / "config.json").write_text("["),
    ):
        damage()
        found = examine(ROOT, [f"policy.path={policy}", f"engine={kind}"], embedded=None)
        assert len(shown(found, "policy")) == 1 and shown(found, "policy")[0].startswith(f"error {policy}/")
        assert not any(shown(found, name) for name in ("device", "memory", "answers"))


def test_a_network_without_an_estimate_is_refused_unless_none_is_wanted(policy: Path) -> None:
    edit_config(policy, vocab_size=0)
    start = Start(ROOT, (), compose_campaign([f"policy.path={policy}", "engine.device=cpu"]), (), None)
    with pytest.raises(PolicyError, match="names no vocab_size, so its memory cannot be estimated: set"):
        look_at_memory(start)
    start.config.engine.check_memory = False
    assert [check.state for check in look_at_memory(start)] == ["ok", "warning"]


def test_a_statement_under_two_ids_is_described(tmp_path: Path, digit_problems: list[Problem]) -> None:
    twice = [*digit_problems, *(p.model_copy(update={"problem_id": f"{p.problem_id}b"}) for p in digit_problems[:2])]
    (tmp_path / "own.jsonl").write_text(rows_of(twice))
    found = examine(ROOT, [f"domain.data_path={tmp_path / 'own.jsonl'}"], embedded=None)
    assert any("2 rows state the problem of another row under another id" in text for text in shown(found, "problems"))


@pytest.mark.parametrize(("num_weights", "preset"), [(100_000_000, "size_100m"), (600_000_000, "size_1b")])
def test_a_policy_of_another_size_trains_on_the_preset_of_its_size(tmp_path: Path, num_weights: int, preset: str):
    policy = write_wide_model(tmp_path / "policy", num_weights)
    settings = [f"policy.path={policy}", "engine.check_memory=false", "sampling.max_response_tokens=99"]
    config = (found := examine_ahead(ROOT, settings)).config
    (told,) = shown(found, "preset")
    assert preset in dict(BY_SIZE) and told.startswith(f"ok {preset}, by its size: algorithm.learning_rate=")
    assert config.sampling.max_response_tokens == 99, "what a person sets goes before a preset"
    assert ", sampling.max_response_tokens=99, " in told
    assert "\\boxed{}" in config.domain.system_prompt and config.algorithm.learning_rate < 1e-5
    assert examine_ahead(ROOT, [*settings, "preset=none"]).config.algorithm.learning_rate > 1e-5


def test_a_base_without_a_signal_is_told_so_with_what_to_do() -> None:
    none = Tried(num=64, groups=16, mixed=0, solved=0, well_formed=16, cut=9, lost=1, tokens=640)
    counts, warning = describe(none)
    assert counts.message == (
        "16 problems, 64 answers: 25% have the asked form, 0% are right, 0 of 16 groups of 4 have a signal, 10 tokens "
        "an answer, 9 were cut by the limit of tokens, 1 could not be graded"
    )
    assert (warning.name, warning.state) == ("signal", "warning")
    for remedy in ("evotrainer policy sft", "take easier problems", "an example in domain.system_prompt"):
        assert remedy in warning.message
    every = describe(replace(none, solved=64, cut=0, lost=0))[-1]
    assert every.name == "signal" and "no problem has right answers and wrong ones" in every.message


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("budget.total.until=2020-01-01T00:00", "is past: name a time to come"),
        ("trainer.name=os:system", "no class of an Agent"),
        ("search.name=os:system", "no class of a SearchStrategy"),
        ("domain.columns=foo=bar", ""),
    ],
)
def test_a_setting_that_no_campaign_can_follow_is_an_error_before_one_starts(setting: str, told: str) -> None:
    (error,) = examine_ahead(ROOT, [setting]).errors
    assert told in str(error)


def test_a_template_that_would_not_end_is_refused_in_a_process_of_its_own(own: str, policy: Path) -> None:
    (policy / "chat_template.jinja").write_text("{% for a in range(10**9) %}{% endfor %}")
    found = examine(ROOT, [own, f"policy.path={policy}", "engine.device=cpu"], embedded=None)
    assert len(found.errors) == 1 and "template" in str(found.errors[0]) and str(policy) in str(found.errors[0])


def test_what_would_fail_hours_later_is_found_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACKAGES, "wandb", "no_such_package")
    found = examine(ROOT, ["tracking.trackers=[jsonl,wandb]", f"domain.judge_url=http://127.0.0.1:{free_port()}"], None)
    assert shown(found, "settings")[0].startswith("error tracking.trackers=wandb needs no_such_package")
    assert "does not answer" in shown(found, "endpoints")[0] and len(found.errors) == 2
    with serving() as judge:
        judge.models = ["one"]
        for model, states in (("one", []), ("two", ["warning"])):
            found = examine(ROOT, [f"domain.judge_url={judge.url}", f"domain.judge_model={model}"], None)
            assert [check.state for check in found.checks if check.name == "endpoint"] == states
        assert judge.requests == [], "nothing is asked of a model"
    (own := tmp_path / "own").mkdir()
    text = "a farmer has many cows and some sheep on the meadow behind the barn: how many animals are there?"
    before = "Think of something else entirely before you go on reading what is asked of you here. " * 3
    asked = {"train": before + text, "validation": text, "probe": "1 + 2 = ?", "test": "2 + 3 = ?"}
    for split, problem in asked.items():
        (own / f"{split}.jsonl").write_text(json.dumps({"id": split, "problem": problem, "answer": "4"}))
    warned = shown(examine_ahead(ROOT, [f"domain.data_path={own}"]), "problems")
    assert any("stands in others, like validation in train (train)" in line for line in warned)
