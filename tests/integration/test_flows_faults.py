"""A campaign that is killed, edited around, run twice: it goes on where it stood, with the code it started with."""

import os
import re
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from flows.workspace.start_campaign import start_campaign
from tests.integration.conftest import SETTINGS, Repository
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def training(
    repository: Repository, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Repository, subprocess.Popen[str], int]]:
    """A running campaign whose first training waits for a file; with the pid of the training stage.

    It starts a Prefect server of its own, since these tests kill it with the campaign.
    """
    repository.has_own_server = True
    started = tmp_path / "started"
    started.mkdir()
    repository.tell_stages(train={"started": str(started), "until": str(tmp_path / "go")})
    repository.environment["PREFECT_CLIENT_MAX_RETRIES"] = "1"  # a lost server is not waited for
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job of a script ignores it, and so would ours
    num_versions = 2 if request.function is test_killed_flow_takes_its_stage_along_and_the_next_run_goes_on else 1
    flow = repository.start("campaign", "run", "c", *SETTINGS, f"num_versions={num_versions}")
    signal.signal(signal.SIGINT, before)
    try:
        wait_for(lambda: any(started.iterdir()) or flow.poll() is not None)
        yield repository, flow, int(next(started.iterdir()).name)
    finally:
        flow.kill()
        flow.communicate()


def test_killed_flow_takes_its_stage_along_and_the_next_run_goes_on(
    training: tuple[Repository, subprocess.Popen[str], int],
) -> None:
    repository, flow, stage = training
    second = repository.run("campaign", "run", "c", status=1)
    assert second.stderr.strip() == (
        f"error: campaign 'c' is already running (pid {flow.pid}): wait for it, or stop it first"
    )
    children = psutil.Process(flow.pid).children(recursive=True)
    source = repository.root / "tasks" / "small_stages.py"
    source.write_text(source.read_text().replace("mark: original", "mark: edited"))
    (repository.root / "conf" / "config.yaml").write_text("not: yaml: at all\n")

    os.kill(flow.pid, signal.SIGKILL)
    flow.wait()
    wait_for(lambda: not psutil.pid_exists(stage))
    wait_for(lambda: not any(child.is_running() for child in children))
    repository.tell_stages()
    repository.run("campaign", "run", "c")

    versions = repository.campaign() / "versions"
    assert sorted(path.name for path in versions.iterdir()) == ["v000", "v001", "v002"]
    assert repository.git("tag", "--list", "version/c/*").split() == [f"version/c/v00{number}" for number in range(3)]
    for version in ("v001", "v002"):
        assert "mark: original" in (versions / version / "rollout" / "rows.txt").read_text()
    assert states_of(repository, "c") == ["COMPLETED", "CRASHED"]
    assert states_of(repository, "c-v001") == ["COMPLETED", "CRASHED"]


def test_a_campaign_goes_on_where_its_prefect_server_dies(
    training: tuple[Repository, subprocess.Popen[str], int], tmp_path: Path
) -> None:
    repository, flow, _ = training
    (server,) = servers_of(flow.pid)
    server.kill()
    wait_for(lambda: server.status() == psutil.STATUS_ZOMBIE)
    (tmp_path / "go").touch()
    wait_for(lambda: servers_of(flow.pid) or flow.poll() is not None)
    for starting in servers_of(flow.pid):
        starting.kill()
    out, error = flow.communicate(timeout=900)
    assert flow.returncode == 0, out + error
    assert "the Prefect server at http://127.0.0.1:" in error and "): the run goes on" in error
    assert "the Prefect server was killed while it started: another one starts" in error
    assert repository.git("tag", "--list", "version/c/*").split() == [f"version/c/v00{number}" for number in range(2)]
    trained = re.findall(r"^v001 train +\d+\.\d s$", error, re.MULTILINE)  # whole seconds tell how it goes on
    assert len(trained) == 1, "what had ended before is not repeated"


def test_an_interrupt_of_the_whole_group_ends_flow_and_stage_at_once(
    training: tuple[Repository, subprocess.Popen[str], int],
) -> None:
    """As terminals, `timeout` and service managers do: the server that Prefect would report to is told as well."""
    _, flow, stage = training
    children = psutil.Process(flow.pid).children(recursive=True)
    for process in [*(child for child in children if os.getpgid(child.pid) == os.getpgid(flow.pid)), flow]:
        process.send_signal(signal.SIGINT)
    out, error = flow.communicate(timeout=PATIENCE_SECONDS)
    assert flow.returncode == 128 + signal.SIGINT, out + error
    assert "interrupted: the same command goes on where it stood" in error.splitlines()
    wait_for(lambda: not psutil.pid_exists(stage))
    wait_for(lambda: not any(child.is_running() for child in children))


def servers_of(pid: int) -> list[psutil.Process]:
    """Return the Prefect servers that a process has started, and that live."""
    living = [one for one in psutil.Process(pid).children() if one.status() != psutil.STATUS_ZOMBIE]
    return [child for child in living if "prefect" in child.cmdline()]


def states_of(repository: Repository, run_name: str) -> list[str]:
    """Return the states of the flow runs with this name, as the temporary servers stored them."""
    with sqlite3.connect(repository.campaign() / "scratch" / "prefect" / "prefect.db") as database:
        rows = database.execute("SELECT state_type FROM flow_run WHERE name = ?", [run_name]).fetchall()
    return sorted(row[0] for row in rows)


def test_failure_shows_the_stages_own_error_and_how_to_rerun_it(repository: Repository) -> None:
    repository.tell_stages(evaluate={"fail": "the moon is in the way"})
    failed = repository.run("campaign", "run", "c", *SETTINGS, status=1)
    last = failed.stderr.strip().splitlines()[-1]
    assert last.startswith("error: v000 evaluate failed: the moon is in the way. Rerun it: (cd ")
    assert "Traceback" not in failed.stderr
    assert repository.git("tag", "--list").strip() == ""
    other = repository.run("campaign", "run", "c", "num_versions=9", status=1)
    assert other.stderr.startswith("error: campaign 'c' was started with other settings")

    repository.tell_stages()
    rerun = last.partition("Rerun it: ")[2]
    done = subprocess.run(["sh", "-c", rerun], capture_output=True, text=True, env=repository.shell())
    assert done.returncode == 0, done.stderr
    assert (repository.campaign() / "versions" / "v000" / "verdict.json").is_file()


def test_uncommitted_changes_become_a_snapshot_and_stay_where_they_are(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    source = repository.root / "tasks" / "small_stages.py"
    source.write_text(source.read_text().replace("mark: original", "mark: mine"))
    refused = repository.run("campaign", "run", "c", *SETTINGS, "--require-clean", status=1)
    assert "tasks/small_stages.py" in refused.stderr
    assert repository.git("branch", "--list", "campaign/*") == ""

    before = repository.git("status", "--porcelain")
    start_campaign(repository.root, "c", SETTINGS, require_clean=False)
    told = capsys.readouterr().err
    assert "1 uncommitted files became a snapshot on branch campaign/c: tasks/small_stages.py" in told
    assert repository.git("status", "--porcelain") == before == " M tasks/small_stages.py\n"
    assert "mark: mine" in repository.git("show", "campaign/c:tasks/small_stages.py")
    assert "mark: original" in repository.git("show", "main:tasks/small_stages.py")
