"""A campaign that waits for a person: what it asks, what the answers do, and that nothing is asked twice."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.integration.conftest import SETTINGS, Repository
from tests.integration.test_flows_faults import wait_for

GATED = ["num_versions=2", *SETTINGS[1:], "autonomy=human_gated", "autonomy.gates=[proposal,completion]"]
STAGES_ALIVE = ("tasks.running.dvc_worker", "tasks/stage.sh", "-m tasks ")


@dataclass
class Gated:
    """The campaign, the process that runs it, and what stood there while it first waited."""

    repository: Repository
    process: subprocess.Popen[str]

    def waits_at(self, gate: str) -> bool:
        path = self.repository.campaign() / "scratch" / "gates" / "v002.json"
        return path.is_file() and json.loads(path.read_text())["gate"] == gate

    def answers(self) -> list[dict[str, str]]:
        path = self.repository.campaign() / "versions" / "v002" / "gates" / "answers.json"
        return json.loads(path.read_text()) if path.is_file() else []

    def answer(self, decision: str, *options: str) -> None:
        given = len(self.answers())
        self.repository.run("gate", "c", "v002", decision, *options)
        wait_for(lambda: len(self.answers()) > given)


@pytest.fixture
def gated(repository: Repository) -> Iterator[Gated]:
    process = repository.start("campaign", "run", "c", *GATED)
    try:
        yield Gated(repository, process)
    finally:
        process.kill()
        process.communicate()


def test_a_version_waits_is_revised_rolled_back_and_replayed(gated: Gated) -> None:
    wait_for(lambda: gated.waits_at("proposal") or gated.process.poll() is not None)
    (asked,) = gated.repository.json("gate", "c")  # type: ignore[misc]
    assert "**REVISE**" in asked["question"] and "Without an answer within 12 h: APPROVE" in asked["question"]
    assert not _stages_alive(gated.process.pid), "nothing holds an accelerator while a person thinks"
    first = _proposal(gated.repository)

    gated.answer("revise", "--text", "not this one")
    wait_for(lambda: gated.waits_at("proposal"))
    assert _proposal(gated.repository) != first, "the next candidate is taken"
    gated.answer("approve")
    wait_for(lambda: gated.waits_at("completion"))
    gated.answer("abort", "--text", "too costly to serve")
    gated.process.communicate(timeout=300)

    assert [(one["gate"], one["decision"]) for one in gated.answers()] == [
        ("proposal", "revise"),
        ("proposal", "approve"),
        ("completion", "abort"),
    ]
    assert gated.answers()[0]["candidate"] == first
    (record,) = [one for one in gated.repository.json("lineage", "c") if one["spec"]["version"] == "v002"]  # type: ignore[union-attr]
    assert record["verdict"]["outcome"] == "rejected"
    assert "rolled it back at completion: too costly to serve" in record["verdict"]["reasons"][-1]
    kept = gated.repository.campaign() / "versions" / "v002" / "verdict.json"
    assert json.loads(kept.read_text())["outcome"] == "kept", "the decision itself is never rewritten"

    shown = gated.repository.run("reproduce", "c", "v002", "--force")
    assert "identical" in shown.stdout
    assert "gates/answers.json" in gated.repository.run("receipt", "c", "v002").stdout


def _proposal(repository: Repository) -> str:
    path: Path = repository.campaign() / "versions" / "v002" / "proposal.json"
    return json.loads(path.read_text())["chosen"]


def _stages_alive(pid: int) -> list[str]:
    commands = [" ".join(child.cmdline()) for child in psutil.Process(pid).children(recursive=True)]
    return [command for command in commands if any(sign in command for sign in STAGES_ALIVE)]
