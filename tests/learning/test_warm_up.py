"""A warm-up: worked answers alone, none of them judged on, give a policy whose own answers have the asked form."""

import json
import shutil
from collections.abc import Iterable
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest
import torch

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from conf.compose import compose_campaign
from evotrainer.domains.frozen import problem_rows
from evotrainer.domains.math.grader import extract_answer
from evotrainer.domains.problem_sets.check import check_splits
from evotrainer.domains.problem_sets.loading import split_rows
from evotrainer.domains.problem_sets.overlap import read_demonstrated
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import ConfigError, DataError
from evotrainer.evidence.rows import Rows
from evotrainer.records import Message
from evotrainer.training.torch.supervised import SupervisedSettings, fit_supervised
from evotrainer.training.warm_up import read_demonstrations, right_attempts, warm_up, worked_answer
from tests.frozen_problems import built_in
from tests.plain_records import plain_row

ALPHABET = "\n" + "".join(map(chr, range(32, 127)))
SIZES = {"train": 2000, "probe": 200, "validation": 400, "test": 400}
FUNCTION_SIZES = {"train": 1000, "probe": 160, "validation": 240, "test": 400}


def exported(folder: Path, problems: Iterable[tuple[str, dict[str, Any]]]) -> Path:
    """Write problems as `evotrainer data export` does."""
    rows: dict[str, list[str]] = {}
    for split, row in problems:
        rows.setdefault(split, []).append(json.dumps(row))
    for split, lines in rows.items():
        (folder / f"{split}.jsonl").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(tmp_path_factory.mktemp("words"), problem_rows("words"))


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.mark.parametrize(("name", "domain", "sizes"), [("words", "math", SIZES), ("functions", "code", FUNCTION_SIZES)])
def test_no_problem_of_a_frozen_set_is_in_two_splits(tmp_path: Path, name: str, domain: str, sizes: dict) -> None:
    exported(tmp_path, problem_rows(name))
    assert check_splits(tmp_path, split_rows(tmp_path, domain)) == sizes


def test_every_worked_answer_of_the_word_problems_is_right(words: Path) -> None:
    shown = read_demonstrations(words, None, compose_campaign(["warm_up.rows=10000"]))
    assert len(shown.problems) == SIZES["train"]


ROW = {"problem": "What is 2 and 3?", "answer": "5", "solution": "2 + 3 = 5 <answer>5</answer>"}


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (
            {"solution": "2 + 3 = 5"},
            "1 of 1 demonstrations are no worked answers, like .*own.jsonl:1, .* lacks the asked form",
        ),
        ({"solution": "2 + 3 = 6 <answer>6</answer>"}, "whose answer is wrong: give each row a worked answer"),
        ({"solution": ""}, "whose answer has none"),
    ],
)
def test_what_is_no_worked_answer_is_refused(tmp_path: Path, words: Path, values: dict[str, str], told: str) -> None:
    own = write(tmp_path / "own.jsonl", ROW | values)
    with pytest.raises(DataError, match=told):
        read_demonstrations(own, words, compose_campaign(["warm_up.rows=640"]))


@pytest.mark.parametrize("split", ["validation", "test"])
def test_a_problem_that_is_judged_on_is_no_demonstration(tmp_path: Path, words: Path, split: str) -> None:
    judged = json.loads((words / f"{split}.jsonl").read_text().splitlines()[0])
    own = write(tmp_path / "own.jsonl", ROW, judged)
    with pytest.raises(DataError, match=f"1 demonstrations show problems that are judged on, like .* of {split}"):
        read_demonstrations(own, words, compose_campaign(["warm_up.rows=640"]))


def test_a_reference_program_is_the_worked_answer_of_a_code_problem(tmp_path: Path) -> None:
    rows = [row for split, row in islice(problem_rows("code"), 3)]
    write(tmp_path / "train.jsonl", *rows)
    shown = read_demonstrations(tmp_path, None, compose_campaign(["domain=code", "warm_up.rows=640"]))
    assert {worked_answer(problem) for problem in shown.problems} == {
        f"```python\n{row['reference']}\n```" for row in rows
    }


def test_right_attempts_at_problems_trained_on_are_demonstrations(words: Path) -> None:
    rows = {split: json.loads((words / f"{split}.jsonl").read_text().splitlines()[0]) for split in ("train", "test")}
    names = {split: split_rows(words, "math")[split][0].row_id for split in rows}
    texts = {"train": "So <answer>{}</answer>", "test": "<answer>{}</answer>"}
    tried = [
        plain_row(problem_id=names[split], attempt=n, correct=float(is_right), reward=1.0).model_copy(
            update={"messages": [Message(role="assistant", content=texts[split].format(rows[split]["answer"]))]}
        )
        for split in rows
        for n, is_right in enumerate([False, True, True])
    ]
    config = compose_campaign(["warm_up.rows=640"])
    shown = read_demonstrations(words, None, config, attempts=right_attempts(Rows.of(tried)))
    assert [one.problem_id for one in shown.problems] == [names["train"]], "what is judged on is left out"
    assert shown.answers == (f"So <answer>{rows['train']['answer']}</answer>",)
    with pytest.raises(DataError, match="none of the attempts is a right one"):
        read_demonstrations(words, None, config, attempts=right_attempts(Rows.of(tried[:1])))


def test_a_domain_of_many_turns_has_no_worked_answers(words: Path) -> None:
    with pytest.raises(ConfigError, match="no worked answers of one turn"):
        read_demonstrations(words, None, compose_campaign(["domain=swe"]))


def test_a_warm_up_gives_the_same_policy_each_time_and_names_what_it_showed(tmp_path: Path, digit_policy: Path) -> None:
    texts = [f"{''.join(letters)}{n % 10}" for n, letters in enumerate(permutations("abcd"))]
    rows = [{"problem": text, "answer": text[-1], "solution": f"<answer>{text[-1]}</answer>"} for text in texts]
    settings = ["warm_up.rows=8", "warm_up.batch=4", "warm_up.passes=2", "warm_up.learning_rate=1e-3"]
    config = compose_campaign([f"policy.path={digit_policy}", "engine.device=cpu", *settings])
    base = shutil.copytree(digit_policy, tmp_path / "base")
    (base / "README.md").write_text("---\nlicense: mit\n---\n# Digits\n")
    shown = read_demonstrations(write(tmp_path / "own.jsonl", *rows), None, config)
    found = [warm_up(config, base, shown, tmp_path / name) for name in ("one", "two")]
    assert found[0] == found[1]
    assert read_demonstrated(tmp_path / "one") == sorted(shown.identities)
    card = (tmp_path / "one" / "README.md").read_text()
    assert card.startswith("---\nlicense: mit\n---\n# A policy") and "| rows | 8 |" in card and "# Digits" in card


def blank(folder: Path) -> EmbeddedPolicy:
    prepare_torch(1)
    create_policy(folder, EmbeddedPolicyConfig(hidden_size=32, num_layers=1), ALPHABET, 0, ("<answer>", "</answer>"))
    return EmbeddedPolicy.load(folder)


def pairs(count: int):
    return [
        ((Message(role="user", content=problem.prompt),), f"<answer>{problem.answer}</answer>")
        for problem in islice(built_in("math", "train"), count)
    ]


def test_the_loss_falls_and_the_policy_learns_to_answer_in_the_format(tmp_path):
    policy, losses = blank(tmp_path / "policy"), []
    settings = SupervisedSettings(steps=100, batch=24, learning_rate=1e-2)
    fit_supervised(policy, pairs(200), settings, lambda step, loss: losses.append(loss))
    assert len(losses) == 100 and sum(losses[-20:]) / 20 < 0.5 * losses[0]
    engine = TorchRolloutEngine(policy)
    prompts = [engine.codec.encode(prompt) for prompt, _ in pairs(20)]
    completions = engine.generate(prompts, SamplingParams(max_tokens=16, temperature=0.0), [0] * len(prompts))
    answers = [extract_answer(engine.codec.decode(completion.token_ids).content) for completion in completions]
    assert sum(answer is not None for answer in answers) >= 18


def test_a_policy_in_bfloat16_learns_by_small_steps_and_stays_in_it(tmp_path):
    policy = blank(tmp_path / "policy")
    policy.model.to(torch.bfloat16)
    before = [value.detach().clone() for value in policy.model.parameters()]
    fit_supervised(policy, pairs(24), SupervisedSettings(steps=40, batch=8, learning_rate=3e-5))
    after = list(policy.model.parameters())
    assert {value.dtype for value in after} == {torch.bfloat16}
    moved = [(old != new).float().mean() for old, new in zip(before, after, strict=True) if old.ndim == 2]
    assert max(moved) > 0.05, "steps that bfloat16 cannot hold add up"


def test_a_batch_in_parts_has_the_gradient_of_the_whole(tmp_path):
    weights = []
    for name, tokens in (("whole", 0), ("parts", 64)):
        policy = blank(tmp_path / name)
        fit_supervised(policy, pairs(24), SupervisedSettings(steps=2, batch=24, pass_tokens=tokens))
        weights.append([value.detach() for value in policy.model.parameters()])
    for one, other in zip(*weights, strict=True):
        assert torch.allclose(one, other, atol=1e-4)
