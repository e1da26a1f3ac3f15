"""`evotrainer serve` against a real Prefect server: the typed form, a run asked for through the API, and cron."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from flows.serving.server import free_port
from tests.integration.conftest import SETTINGS, Repository
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
BUSY_ATTEMPTS = 30


class Api:
    """The few calls of Prefect's REST API that a person's script would make.

    A server whose database is busy answers 503; Prefect's own client asks again, and so does this one.
    """

    def __init__(self, port: int):
        self.url = f"http://127.0.0.1:{port}/api"

    def call(self, method: str, path: str, body: object = None) -> Any:
        request = urllib.request.Request(
            f"{self.url}{path}",
            method=method,
            data=json.dumps(body or {}).encode(),
            headers={"Content-Type": "application/json"},
        )
        for attempts_left in reversed(range(BUSY_ATTEMPTS)):
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    return json.loads(response.read() or "null")
            except HTTPError as error:
                if error.code != HTTPStatus.SERVICE_UNAVAILABLE or not attempts_left:
                    raise
                time.sleep(1)
        raise AssertionError("unreachable")

    def deployments(self) -> dict[str, Any]:
        try:
            return {found["name"]: found for found in self.call("POST", "/deployments/filter")}
        except OSError:
            return {}

    def ended_run(self, deployment: dict[str, Any]) -> dict[str, Any]:
        """Wait for a run of the deployment to end, well or badly, and return it."""
        ended = {"state": {"type": {"any_": ["COMPLETED", "FAILED", "CRASHED"]}}}
        query = {"flow_runs": ended, "deployments": {"id": {"any_": [deployment["id"]]}}}
        wait_for(lambda: self.call("POST", "/flow_runs/filter", query))
        return self.call("POST", "/flow_runs/filter", query)[0]


@pytest.fixture(scope="module")
def served(finished: Repository) -> Iterator[tuple[Repository, Api]]:
    """`evotrainer serve` with a schedule that fires every minute, going on with the finished campaign."""
    port = free_port()
    alone = replace(finished, has_own_server=True)
    process = alone.start("serve", "--port", str(port))
    api = Api(port)
    try:
        wait_for(lambda: len(api.deployments()) == 3 or process.poll() is not None)
        every_minute = {"schedule": {"cron": "* * * * *"}, "parameters": {"name": "c"}, "slug": "every-minute"}
        api.call("POST", f"/deployments/{api.deployments()['campaign']['id']}/schedules", [every_minute])
        yield alone, api
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def test_form_is_typed(served: tuple[Repository, Api]) -> None:
    _, api = served
    form = api.deployments()["campaign"]["parameter_openapi_schema"]["properties"]
    assert {"name", "domain", "data_path", "policy_path", "autonomy", "until", "dollars", "overrides"} < set(form)
    assert form["require_clean"]["type"] == "boolean"
    assert {"evotrainer", "hillclimb"} < set(form["search"]["enum"])
    assert (form["num_versions"]["type"], form["num_versions"]["maximum"]) == ("integer", 999)
    assert all(field.get("description") for field in form.values()), "every field has its help"


def test_schedule_fires_and_a_run_asked_for_completes(served: tuple[Repository, Api]) -> None:
    repository, api = served
    campaigns, versions = (api.deployments()[name] for name in ("campaign", "version"))
    fired = api.ended_run(campaigns)
    assert (fired["state_type"], fired["auto_scheduled"]) == ("COMPLETED", True)
    assert "campaign:c" in fired["tags"]

    # Without further firings nothing else holds the campaign when the version is asked for.
    api.call("PATCH", f"/deployments/{campaigns['id']}", {"paused": True})
    wait_for(lambda: repository.json("campaign", "status", "c")["running_pid"] is None)  # type: ignore[index]
    asked = {"parameters": {"campaign": "c", "version": "v003"}}
    api.call("POST", f"/deployments/{versions['id']}/create_flow_run", asked)
    run = api.ended_run(versions)
    assert (run["state_type"], run["parameters"]) == ("COMPLETED", asked["parameters"])
    assert repository.json("campaign", "status", "c")["versions"] == 4  # type: ignore[index]


def test_a_schedule_is_given_listed_and_replaced(served: tuple[Repository, Api]) -> None:
    repository, api = served
    for cron in ("0 22 1 1 *", "0 21 1 1 *"):
        repository.run("campaign", "schedule", "night", "--cron", cron, "--until", "07:00", "num_versions=9")
    (kept,) = [one for one in repository.json("campaign", "schedule") if one["name"].startswith("night")]  # type: ignore[union-attr]
    assert (kept["cron"], kept["until"], kept["overrides"]) == ("0 21 1 1 *", "07:00", ["num_versions=9"])
    assert len(api.deployments()["campaign"]["schedules"]) == 2


def test_commands_use_the_server_that_is_served(served: tuple[Repository, Api]) -> None:
    repository, api = served
    before = {run["id"] for run in api.call("POST", "/flow_runs/filter")}
    repository.run("campaign", "run", "c", *SETTINGS)
    started = [run for run in api.call("POST", "/flow_runs/filter") if run["id"] not in before]
    assert started and all("evotrainer" in run["tags"] for run in started)


def test_watch_over_dead_runs_is_installed_once(served: tuple[Repository, Api]) -> None:
    _, api = served
    url = {**os.environ, "PREFECT_API_URL": api.url}
    subprocess.run([sys.executable, "-m", "flows.serving.runs", "3"], cwd=ROOT, env=url, check=True, timeout=300)
    assert api.call("GET", "/concurrency_limits/tag/train")["concurrency_limit"] == 3
    found = [rule["name"] for rule in api.call("POST", "/automations/filter")]
    assert found.count("evotrainer: its runs whose heartbeat stopped") == 1
