"""A whole campaign whose trainer agent asks a model: flows, worktree, DVC, git, and reproduction without a call.

Rollout, propose and backtest are the real stages on the digit policy; the others are small ones.
"""

import json
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

from evotrainer.agents.claude.access import VARIABLE
from evotrainer.errors import AgentError
from flows.workspace.start_campaign import start_campaign
from tests.integration.conftest import ROOT, Repository, copy_tree, module_of
from tests.messages_server import Endpoint, Reply, serving
from tests.scripted_expert import Expert
from tests.version_files import write_problems
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.slow

KEY = "sk-ant-campaign-0123456789"
KILLED_AT = 3
REAL = ("rollout", "propose", "backtest")
SETTINGS = [
    *("trainer=claude", "trainer.model=scripted", "trainer.prices.scripted=[4,20,5,0.2]", "trainer.pool_size=3"),
    *("num_versions=3", "search.merge=false", "memory=none", "engine.device=cpu"),
    *("budget.rollout_problems=12", "budget.probe_problems=3", "budget.probe_rollouts=4"),
    *("sampling.max_response_tokens=6", "sampling.group_size=4", "sampling.problems_per_step=8"),
]


def _with_real_stages(template: Path, root: Path, policy: Path) -> Repository:
    """Return a scratch repository whose base policy is the digit policy and whose proposals are real."""
    copy_tree(template, root)
    for stage in REAL:
        shutil.copy(module_of(ROOT, stage), module_of(root, stage))
    module_of(root, "base_policy").write_text(
        "import shutil\n\n\ndef run(files, policy):\n"
        f"    shutil.rmtree(files.policy(policy), ignore_errors=True)\n"
        f"    shutil.copytree({str(policy)!r}, files.policy(policy))\n"
    )
    repository = Repository(root)
    repository.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-am", "real proposals")
    return repository


def _run_until_killed(repository: Repository, endpoint: Endpoint, *given: str) -> None:
    """Start the campaign, and kill it while it waits for its third answer."""
    answer, waiting, gone = Expert(), threading.Event(), threading.Event()

    def reply(body: dict[str, Any], number: int) -> Reply:
        if number == KILLED_AT:
            waiting.set()
            gone.wait(PATIENCE_SECONDS)
            return "drop"
        return answer(body, number)

    endpoint.reply = reply
    flow = repository.start("campaign", "run", "c", *SETTINGS, *given)
    wait_for(lambda: waiting.is_set() or flow.poll() is not None)
    assert flow.poll() is None, flow.communicate()
    stages = psutil.Process(flow.pid).children(recursive=True)
    flow.kill()
    flow.communicate()
    wait_for(lambda: not any(stage.is_running() for stage in stages))
    gone.set()


@pytest.fixture(scope="module")
def finished(template, tmp_path_factory, digit_policy, digit_problems) -> tuple[Repository, Endpoint]:
    """A finished campaign `c` and the endpoint that it asked, which is gone by now."""
    folder = tmp_path_factory.mktemp("claude")
    repository = _with_real_stages(template, folder / "main", digit_policy)
    problems = folder / "digits"
    splits = {"train": (0, 60), "probe": (60, 75), "validation": (75, 95), "test": (95, None)}
    write_problems(problems, **{name: digit_problems[slice(*part)] for name, part in splits.items()})
    with serving() as endpoint:
        repository.environment |= {VARIABLE: KEY}
        given = [f"trainer.base_url={endpoint.url}", f"domain.data_path={problems}"]
        _run_until_killed(repository, endpoint, *given)
        repository.run("campaign", "run", "c")
    del repository.environment[VARIABLE]
    return repository, endpoint


def test_one_conversation_serves_the_generation_and_its_candidates_are_tried(finished):
    repository, endpoint = finished
    assert endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"
    versions = repository.campaign() / "versions"
    one, other = (json.loads((versions / name / "proposal.json").read_text()) for name in ("v002", "v003"))
    assert all(one[part] == other[part] for part in ("pool", "backtests", "diagnosis"))
    assert one["chosen"] != other["chosen"] and "../v002/proposal.json" in (versions / "v003" / "dvc.yaml").read_text()
    assert {each["author"] for each in one["pool"]} == {"claude"} and one["diagnosis"]["bottleneck"]
    assert {each["factor"] for each in one["pool"]} == {"learning_rate", "group_size"}
    assert (versions / "v003" / "agent.jsonl").read_bytes() == b""
    tags = repository.git("tag", "--list", "version/c/*").split()
    assert tags == [f"version/c/v00{number}" for number in range(4)]


def test_after_a_kill_only_the_question_without_an_answer_is_asked_again(finished):
    _, endpoint = finished
    asked = [question["messages"] for question in endpoint.requests]
    assert len(asked) == 4 and asked[KILLED_AT] == asked[KILLED_AT - 1]


def test_tokens_and_dollars_stand_in_the_ledger(finished):
    repository, _ = finished
    cost = json.loads((repository.campaign() / "versions" / "v002" / "costs" / "propose.json").read_text())
    assert cost["tokens"] == 3300 and cost["dollars"] == pytest.approx(0.018) and cost["seconds"] > 0
    shared = json.loads((repository.campaign() / "versions" / "v003" / "costs" / "propose.json").read_text())
    assert shared["dollars"] == 0
    receipt = json.loads((repository.campaign() / "versions" / "v002" / "receipt.json").read_text())
    assert receipt["costs"]["propose_dollars"] == pytest.approx(0.018)


def test_nothing_of_the_campaign_holds_the_key(finished):
    repository, _ = finished
    held = [path for path in repository.root.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert held == []
    shown = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=repository.root, capture_output=True, check=True
    ).stdout
    assert b"trainer agent" in shown and KEY.encode() not in shown


def test_a_version_is_reproduced_to_the_byte_without_key_or_endpoint(finished, tmp_path):
    repository, endpoint = finished
    subprocess.run(["git", "clone", "--quiet", str(repository.root), str(tmp_path / "clone")], check=True)
    asked = len(endpoint.requests)
    remote = str(repository.root / "storage")
    shown = Repository(tmp_path / "clone").json("reproduce", "c", "v002", "--force", "--remote", remote)
    assert isinstance(shown, dict) and shown["is_reproduced"], shown["difference"]
    assert "propose" in shown["stages_run"] and len(endpoint.requests) == asked


def test_a_start_without_a_key_is_refused(finished, monkeypatch):
    repository, _ = finished
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(AgentError, match="set ANTHROPIC_API_KEY, .*trainer=rules"):
        start_campaign(repository.root, "keyless", ["trainer=claude"], False)
    assert "keyless" not in repository.git("branch", "--list")
