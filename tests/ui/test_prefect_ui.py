"""The Prefect UI as a person uses it, in headless Chromium against a real server: `make test-ui`.

A campaign of small stages is started from its form, waits at a gate, is approved in the form of the paused run, and
shows its verdict. A second one is cancelled. Screenshots are written where EVOTRAINER_SCREENSHOTS names a folder.
Skipped where Playwright or a Chromium is missing.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from flows.serving.server import free_port
from tests.integration.conftest import Repository, template  # noqa: F401 - a fixture
from tests.integration.test_serve import Api

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make test-ui does it")
CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt-get install chromium")

WAIT_MILLISECONDS = 120_000
CANCEL_SECONDS = 10.0
SMALL = ["num_versions=2", "search.merge=false", "autonomy.gates=[proposal]"]


@pytest.fixture(scope="module")
def served(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Repository, Api, str]]:  # noqa: F811
    root = tmp_path_factory.mktemp("ui") / "main"
    shutil.copytree(template, root)
    repository, port = Repository(root, has_own_server=True), free_port()
    process = repository.start("serve", "--port", str(port))
    api = Api(port)
    try:
        wait(lambda: len(api.deployments()) == 5 or process.poll() is not None)
        yield repository, api, f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        found = browser.new_page(viewport={"width": 1280, "height": 800})
        found.set_default_timeout(WAIT_MILLISECONDS)
        yield found
        browser.close()


def wait(is_done: Callable[[], object], seconds: float = 300.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.2)


def shot(page: Any, name: str) -> None:
    if folder := os.environ.get("EVOTRAINER_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def runs(api: Api, **query: object) -> list[dict[str, Any]]:
    return api.call("POST", "/flow_runs/filter", {"sort": "START_TIME_DESC", **query})


def run_of(api: Api, name: str, state: str) -> dict[str, Any]:
    """Wait for the run of this name to be in a state, and return it."""
    query = {"flow_runs": {"name": {"any_": [name]}, "state": {"type": {"any_": [state]}}}}
    wait(lambda: runs(api, **query))
    return runs(api, **query)[0]


def test_a_campaign_is_started_approved_and_judged_in_the_ui(served: tuple[Repository, Api, str], page: Any) -> None:
    repository, api, url = served
    page.goto(f"{url}/deployments")
    page.get_by_role("link", name="campaign", exact=True).last.wait_for()
    for name in ("version", "reproduce", "evaluate", "diagnose"):
        assert page.get_by_text(name, exact=True).first.is_visible()
    deployment = api.deployments()["campaign"]
    page.goto(f"{url}/deployments/deployment/{deployment['id']}/run")
    fill_form(page)
    shot(page, "prefect_form")
    page.get_by_role("button", name="Submit").click()

    paused = run_of(api, "ui-v002", "PAUSED")
    assert not stages_alive(repository), "nothing holds an accelerator while a person thinks"
    page.goto(f"{url}/runs/flow-run/{paused['id']}")
    page.get_by_role("button", name="Resume").first.click()
    page.get_by_text("Without an answer within").first.wait_for()
    shot(page, "prefect_gate")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Submit|Resume")).click()

    done = run_of(api, "ui-v002", "COMPLETED")
    run_of(api, "ui", "COMPLETED")
    found = api.call("POST", "/artifacts/latest/filter", {"limit": 50})
    keys = {artifact["key"] for artifact in found}
    assert {f"ui-v002-{stage}" for stage in ("diagnose", "propose", "backtest", "evaluate")} <= keys
    assert {"ui-scores", "ui-expenses"} <= keys
    page.goto(f"{url}/runs/flow-run/{done['id']}?tab=Artifacts")
    page.get_by_text("v002: verdict").first.wait_for()
    shot(page, "prefect_version")
    page.goto(f"{url}/artifacts/key/ui-v002-evaluate")
    page.get_by_text("kept", exact=True).first.wait_for()
    shot(page, "prefect_verdict")
    assert repository.json("campaign", "status", "ui")["outcomes"]["v002"] == "kept"  # type: ignore[index]


def fill_form(page: Any) -> None:
    """Fill the form of a campaign in: its name, its autonomy, and settings that no field has."""
    label = page.get_by_text("name", exact=True).first
    label.wait_for()
    shot(page, "form_before")


def test_a_cancelled_campaign_leaves_nothing_behind(served: tuple[Repository, Api, str], tmp_path: Path) -> None:
    repository, api, _ = served
    held = replace(repository)
    held.tell_stages(rollout={"started": str(tmp_path), "until": str(tmp_path / "never")})
    parameters = {"name": "cancelled", "overrides": SMALL}
    deployment = api.deployments()["campaign"]
    run = api.call("POST", f"/deployments/{deployment['id']}/create_flow_run", {"parameters": parameters})
    wait(lambda: any(tmp_path.iterdir()))
    state = {"state": {"type": "CANCELLING", "name": "Cancelling"}}
    api.call("POST", f"/flow_runs/{run['id']}/set_state", state)
    started = time.monotonic()
    wait(lambda: not stages_alive(repository))
    wait(lambda: {one["state_type"] for one in campaign_runs(api)} == {"CANCELLED"})
    assert time.monotonic() - started < CANCEL_SECONDS
    assert repository.json("campaign", "status", "cancelled")["running_pid"] is None  # type: ignore[index]


def campaign_runs(api: Api) -> list[dict[str, Any]]:
    return runs(api, flow_runs={"tags": {"all_": ["campaign:cancelled"]}})


def stages_alive(repository: Repository) -> list[str]:
    """Return the commands of stages and workers that run in a campaign of this checkout."""
    found = []
    for process in psutil.process_iter(["cmdline", "cwd"]):
        command = " ".join(process.info["cmdline"] or [])
        is_ours = (process.info["cwd"] or "").startswith(str(repository.root / "campaigns"))
        if is_ours and ("dvc_worker" in command or "-m tasks" in command):
            found.append(command)
    return found
