"""The Prefect UI as a person uses it, in headless Chromium against a real server: `make test-ui`.

A campaign of small stages is started from its form, waits at a gate, is approved in the form of the paused run, and
shows its verdict. Another one is cancelled. Screenshots are written where EVOTRAINER_SCREENSHOTS names a folder.
Skipped without that command, and where Playwright or a Chromium is missing.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from flows.serving.server import free_port
from tests.integration.conftest import Repository, make_repository
from tests.integration.test_serve import Api

if os.environ.get("EVOTRAINER_UI_TESTS") != "1":
    pytest.skip("minutes in a browser: make test-ui", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make test-ui does it")
NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in NAMES if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt-get install chromium")

SIZE = {"width": 1280, "height": 800}
WAIT_MILLISECONDS = 120_000
AUTONOMY = 4
"""Place of `autonomy` among the choices of the form."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Repository, Api, str]]:
    root = tmp_path_factory.mktemp("ui") / "main"
    root.mkdir()
    repository, port = make_repository(root), free_port()
    repository.has_own_server = True
    repository.tell_stages()
    process = repository.start("serve", "--port", str(port))
    api = Api(port)
    try:
        wait(lambda: len(api.deployments()) == 3 or process.poll() is not None)
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
        found = browser.new_page(viewport=SIZE)
        found.set_default_timeout(WAIT_MILLISECONDS)
        yield found
        browser.close()


def test_a_campaign_is_started_approved_and_judged_in_the_ui(served: tuple[Repository, Api, str], page: Any) -> None:
    repository, api, url = served
    assert {"campaign", "version", "reproduce"} == set(api.deployments())
    page.goto(f"{url}/deployments/deployment/{api.deployments()['campaign']['id']}/run")
    fill_form(page)
    page.get_by_role("button", name="Submit").click()

    paused = run_of(api, "ui-v002", "PAUSED")
    assert not stages_alive(repository), "nothing holds an accelerator while a person thinks"
    page.goto(f"{url}/runs/flow-run/{paused['id']}")
    page.get_by_role("button", name="Resume").first.click()
    page.get_by_text("Without an answer within 12 h: APPROVE").first.wait_for()
    shot(page, "prefect_gate")
    page.get_by_role("dialog").get_by_role("button", name="Submit").click()

    run_of(api, "ui", "COMPLETED")
    page.goto(f"{url}/runs/flow-run/{paused['id']}")
    for stage in ("rollout", "diagnose", "propose", "backtest", "train", "evaluate"):
        assert len(task_runs(api, paused["id"], stage)) == 1, "one run a version, with its six tasks"
    page.get_by_text("Completed", exact=True).first.wait_for()
    page.wait_for_timeout(2000)  # the graph is drawn after the page
    shot(page, "prefect_version")

    made = {artifact["key"]: artifact for artifact in api.call("POST", "/artifacts/latest/filter", {"limit": 50})}
    assert {f"ui-v002-{stage}" for stage in ("diagnose", "propose", "backtest", "evaluate")} <= set(made)
    assert "ui-scores" in made
    page.goto(f"{url}/artifacts/artifact/{made['ui-v002-evaluate']['latest_id']}")
    page.get_by_text("v002: verdict").last.wait_for()
    page.get_by_text("kept").first.wait_for()
    page.goto(f"{url}/artifacts/artifact/{made['ui-scores']['latest_id']}")
    page.get_by_text("v002", exact=True).first.wait_for()
    shot(page, "prefect_scores")
    assert repository.json("campaign", "status", "ui")["outcomes"]["v002"] == "kept"  # type: ignore[index]


def test_a_cancelled_campaign_leaves_nothing_behind(served: tuple[Repository, Api, str], tmp_path: Path) -> None:
    repository, api, _ = served
    repository.tell_stages(rollout={"started": str(tmp_path), "until": str(tmp_path / "never")})
    parameters = {"name": "cancelled", "num_versions": 1}
    deployment = api.deployments()["campaign"]
    run = api.call("POST", f"/deployments/{deployment['id']}/create_flow_run", {"parameters": parameters})
    wait(lambda: any(tmp_path.iterdir()))
    assert stages_alive(repository)
    state = {"state": {"type": "CANCELLING", "name": "Cancelling"}}
    api.call("POST", f"/flow_runs/{run['id']}/set_state", state)
    started = time.monotonic()
    wait(lambda: not stages_alive(repository) and states_of(api, "campaign:cancelled") <= {"CANCELLED", "COMPLETED"})
    print(f"cancelled: no stage and no open run after {time.monotonic() - started:.1f} s")
    assert repository.json("campaign", "status", "cancelled")["running_pid"] is None  # type: ignore[index]


def fill_form(page: Any) -> None:
    """Fill the form of a campaign in: its name, its autonomy, its length, and a setting that no field has."""
    page.get_by_text("its name;").wait_for()
    page.locator("textarea").first.fill("ui")
    page.locator(".p-select-button__control").nth(AUTONOMY).click()
    page.keyboard.press("ArrowDown")
    page.get_by_text("human_gated", exact=True).last.click()
    page.locator("input[type=number]").first.fill("2")
    page.set_viewport_size({"width": 1280, "height": 1400})  # the form as a whole, from its name on
    page.locator("textarea").first.scroll_into_view_if_needed()
    shot(page, "prefect_form")
    page.set_viewport_size(SIZE)
    before = page.locator("textarea").count()
    page.get_by_role("button", name="Add item").click()
    page.locator("textarea").nth(before).fill("autonomy.gates=[proposal]")


def wait(is_done: Callable[[], object], seconds: float = 300.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.2)


def shot(page: Any, name: str) -> None:
    if folder := os.environ.get("EVOTRAINER_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def run_of(api: Api, name: str, state: str) -> dict[str, Any]:
    """Wait for the run of this name to be in a state, and return it."""
    query = {"flow_runs": {"name": {"any_": [name]}, "state": {"type": {"any_": [state]}}}}
    wait(lambda: api.call("POST", "/flow_runs/filter", query))
    return api.call("POST", "/flow_runs/filter", query)[0]


def task_runs(api: Api, run: str, stage: str) -> list[dict[str, Any]]:
    query = {"flow_runs": {"id": {"any_": [run]}}, "task_runs": {"tags": {"all_": ["stage", stage]}}}
    return api.call("POST", "/task_runs/filter", query)


def states_of(api: Api, tag: str) -> set[str]:
    found = api.call("POST", "/flow_runs/filter", {"flow_runs": {"tags": {"all_": [tag]}}})
    return {run["state_type"] for run in found}


def stages_alive(repository: Repository) -> list[str]:
    """Return the commands of stages that run in a campaign of this checkout."""
    found = []
    for process in psutil.process_iter(["cmdline", "cwd"]):
        command = " ".join(process.info["cmdline"] or [])
        is_ours = (process.info["cwd"] or "").startswith(str(repository.root / "campaigns"))
        if is_ours and ("-m dvc" in command or "-m tasks" in command):
            found.append(command)
    warm = [command for command in found if "warm_stages" in command]
    return [command for command in found if command not in warm] + warm[1:]  # one waits, and forks for each stage
