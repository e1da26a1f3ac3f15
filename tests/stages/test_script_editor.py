"""A training script edited by a model behind a real endpoint: any text of editable files, by the laws, resumable."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from conf.compose import compose_campaign
from evotrainer.agents import AgentRecord, make_editor
from evotrainer.agents.claude.tools import MAX_REFUSALS
from evotrainer.campaign.trials import find_trials
from evotrainer.domains.script.search import ScriptSearch
from evotrainer.errors import ConfigError
from evotrainer.records import TrialSet
from tests.messages_server import Endpoint, message, results_in, use

TRAIN = (
    "def train(text):\n    return {'guess': 0.0}\n\n\ndef answer(artifact, question):\n    return artifact['guess']\n"
)
EVALUATE = (
    "def questions(text):\n    return [1, 2]\n\n\n"
    "def score(answers, text):\n    return sum(abs(answer - float(text)) for answer in answers)\n"
)
TASK = {
    "train": "train.py",
    "evaluate": "evaluate.py",
    "data": {"train": "shown.txt", "held": "held.txt"},
    "score": "error",
    "better": "lower",
    "editable": ["train.py", "helper.py"],
    "numbers": {},
    "seed": "SEED",
    "limits": {"train_seconds": 2, "eval_seconds": 2, "artifact_bytes": 100, "worst_score": 50},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "task"
    made.mkdir()
    texts = {"train.py": f"SEED = 0\n\n\n{TRAIN}", "helper.py": "GUESS = 1.0\n", "evaluate.py": EVALUATE}
    for name, text in {**texts, "shown.txt": "7", "held.txt": "7", "script.yaml": yaml.safe_dump(TASK)}.items():
        (made / name).write_text(text)
    return made


def edit(*passages: tuple[str, str, str], expected: float = -2.0, change: str = "a better guess") -> dict[str, Any]:
    named = [dict(zip(("file", "old", "new"), passage, strict=True)) for passage in passages]
    said = {"change": change, "because": "the guess is far off", "expected": expected, "probability": 0.8}
    return {**said, "passages": named}


def run(root: Path, folder: Path, endpoint: Endpoint, num_trials: int) -> tuple[TrialSet, list[str]]:
    settings = ["trainer=claude", f"trainer.base_url={endpoint.url}", "memory=none"]
    search = ScriptSearch(root, folder, "guess")
    with AgentRecord(search.folder / "agent.jsonl") as record:
        return search.run(num_trials, make_editor(compose_campaign(settings), record, 0)), record.refused


BY_HELPER = edit(("train.py", "SEED = 0", "from helper import GUESS\n\nSEED = 0"), ("train.py", "0.0", "GUESS"))
CLOSER = edit(("helper.py", "GUESS = 1.0", "GUESS = 6.0"))
FURTHER = edit(("helper.py", "", "GUESS = 20.0\n"), expected=-1.0, change="a larger guess")
BROKEN = edit(("train.py", "return artifact['guess']", "return artifact['guess'"), change="a typo")


def test_edits_of_any_text_are_tried_kept_and_gone_on_with(folder, endpoint, tmp_path):
    answers = [message(use("propose", **one)) for one in (BY_HELPER, CLOSER, FURTHER, BROKEN)]
    endpoint.reply = lambda body, number: answers[number - 1]
    first, _ = run(tmp_path, folder, endpoint, 2)
    found, _ = run(tmp_path, folder, endpoint, 4)
    assert found == find_trials(tmp_path, "guess") and found.trials[:3] == first.trials
    assert [trial.label for trial in found.trials] == ["baseline", "keep", "keep", "discard", "preflight_crash"]
    assert [trial.score for trial in found.trials] == [14.0, 12.0, 2.0, 26.0, None]
    assert [trial.hit for trial in found.trials[1:4]] == [True, True, False] and found.trials[2].parents == ["001"]
    work = tmp_path / "runs" / "guess" / "work"
    assert (work / "helper.py").read_text() == "GUESS = 6.0\n" and "import GUESS" in (work / "train.py").read_text()
    assert len(endpoint.requests) == 4 and "held.txt" not in json.dumps(endpoint.requests)
    assert "trial 002" in endpoint.requests[2]["messages"][0]["content"][0]["text"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (edit(("evaluate.py", "", "def score(a, t):\n    return 0\n")), "'evaluate.py' is protected"),
        (edit(("../../outside.py", "", "x")), "is no file of this script"),
        (edit(("train.py", "no such line", "x")), "stands 0 times"),
        (edit(("helper.py", "GUESS", "GUESS")), "changes nothing"),
    ],
)
def test_what_breaks_a_law_goes_back_with_its_reason(folder, endpoint, tmp_path, bad, reason):
    endpoint.reply = lambda body, number: message(use("propose", **(bad if number <= MAX_REFUSALS else BY_HELPER)))
    before = {path.name: path.read_text() for path in folder.iterdir()}
    found, refused = run(tmp_path, folder, endpoint, 1)
    told = [results_in(request)[0]["content"] for request in endpoint.requests[1:]]
    assert len(told) == MAX_REFUSALS and all(reason in one for one in told) and reason in refused[0]
    assert [trial.label for trial in found.trials] == ["baseline", "keep"]
    assert {path.name: path.read_text() for path in folder.iterdir()} == before
    assert not (tmp_path / "outside.py").exists()


def test_a_script_that_was_tried_is_refused_and_other_agents_edit_none(folder, endpoint, tmp_path):
    answers = [FURTHER, FURTHER]
    endpoint.reply = lambda body, number: message(use("propose", **answers[min(number, 2) - 1]))
    found, refused = run(tmp_path, folder, endpoint, 3)
    assert len(found.trials) == 2 and "trial 001 had exactly this script" in refused[0]
    with pytest.raises(ConfigError, match="edits no script: choose from rules, claude"):
        make_editor(compose_campaign(["trainer=random"]), AgentRecord(tmp_path / "a.jsonl"), 0)
