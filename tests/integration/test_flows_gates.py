"""A campaign that waits for a person: what it asks, what the answers do, and that nothing is asked twice."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.integration.conftest import SETTINGS, Repository
from tests.integration.test_flows_faults import wait_for

pytestmark = pytest.mark.slow

NOTICES = "campaigns/c/scratch/notices"
GATED = [
    *("num_versions=2", *SETTINGS[1:], "autonomy=human_gated", "autonomy.gates=[proposal,completion]"),
    f"tracking.notify='cat >> {NOTICES}'",
]
NO_TEXT = "REVISE at the completion is a text for the trainer agent, and trainer=written reads none: APPROVE or ABORT"
STAGES_ALIVE = ("-m dvc", "tasks/stage.sh", "-m tasks ")


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

    def fill_in(self, decision: str, text: str = "") -> None:
        """Send the form of the paused run, as the Prefect page does; a server that is busy (503) is asked again."""
        path = f"{self.repository.server}/flow_runs/{self._paused()['id']}/resume"
        done: list[httpx.Response] = []

        def is_taken() -> bool:
            done.append(httpx.post(path, json={"run_input": {"decision": decision, "text": text}}, timeout=60))
            return done[-1].status_code != httpx.codes.SERVICE_UNAVAILABLE

        wait_for(is_taken)
        assert done[-1].json().get("status") == "ACCEPT", f"{done[-1].status_code}: {done[-1].text}"

    def form_says(self, text: str) -> bool:
        """Tell whether the description of the form that waits starts with this text."""
        run = self._paused()
        if not run:
            return False
        key = f"paused-{run['state']['state_details']['pause_key']}-description"
        found = httpx.get(f"{self.repository.server}/flow_runs/{run['id']}/input/{key}", timeout=60)
        return found.is_success and found.json().startswith(f"**{text}**")

    def _paused(self) -> dict[str, Any]:
        """Return the flow run of v002 that is paused; empty where none is."""
        wanted = {"flow_runs": {"state": {"type": {"any_": ["PAUSED"]}}}}
        found = httpx.post(f"{self.repository.server}/flow_runs/filter", json=wanted, timeout=60).json()
        return next((run for run in found if run["parameters"].get("version") == "v002"), {})


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

    gated.answer("REVISE", "--text", "not this one")
    wait_for(lambda: gated.waits_at("proposal"))
    assert _proposal(gated.repository) != first, "the next candidate is taken"
    gated.answer("approve")
    wait_for(lambda: gated.waits_at("completion"))
    refused = gated.repository.run("gate", "c", "v002", "revise", status=1)
    assert refused.stderr.strip() == f"error: {NO_TEXT}"
    gated.fill_in("REVISE")
    wait_for(lambda: gated.form_says(NO_TEXT))
    assert len(gated.answers()) == 2, "a revision that nobody would read is no answer"
    gated.fill_in("ABORT", "too costly to serve")
    gated.process.communicate(timeout=300)

    notices = [json.loads(line) for line in (gated.repository.root / NOTICES).read_text().splitlines()]
    seen = [(one["kind"], one["cause"]) for one in notices if one["message"].startswith("v002")]
    gates = [("gate", "proposal"), ("gate", "proposal"), ("gate", "completion")]
    assert seen == [*gates, ("verdict", "rejected")] and notices[-1]["kind"] == "certificate"
    assert [(one["gate"], one["decision"]) for one in gated.answers()] == [
        ("proposal", "revise"),
        ("proposal", "approve"),
        ("completion", "abort"),
    ]
    assert gated.answers()[0]["candidate"] == first
    assert all(datetime.fromisoformat(one["at"]) < datetime.now() for one in gated.answers())
    told = gated.repository.run("why", "c", "v002").stdout
    assert "a person answered REVISE, of " in told and ': "not this one"' in told
    assert "a person answered ABORT, of " in told and ': "too costly to serve"' in told
    (record,) = [one for one in gated.repository.json("lineage", "c") if one["spec"]["version"] == "v002"]  # type: ignore[union-attr]
    assert record["verdict"]["outcome"] == "rejected"
    assert 'rolled it back at its completion ("too costly to serve")' in record["verdict"]["reasons"][-1]
    kept = gated.repository.campaign() / "versions" / "v002" / "verdict.json"
    assert json.loads(kept.read_text())["outcome"] == "kept", "the decision itself is never rewritten"

    shown = gated.repository.run("reproduce", "c", "v002", "--force")
    assert "identical" in shown.stdout


def _proposal(repository: Repository) -> str:
    path: Path = repository.campaign() / "versions" / "v002" / "proposal.json"
    return json.loads(path.read_text())["chosen"]


def _stages_alive(pid: int) -> list[str]:
    commands = [" ".join(child.cmdline()) for child in psutil.Process(pid).children(recursive=True)]
    return [command for command in commands if any(sign in command for sign in STAGES_ALIVE)]
