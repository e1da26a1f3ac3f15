"""A server that ends is started again; one that is not ours and is gone ends the flow with one line."""

import subprocess
import sys

import psutil
import pytest

from flows.serving.lost_server import LOST_STATUS, answers, kept_running
from flows.serving.server import free_port
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

WATCH = """
import sys, time
from flows.serving.lost_server import watching_configured
with watching_configured(sys.argv[1]):
    time.sleep(600)
"""


def test_a_server_of_ours_is_started_again_until_the_block_ends(capsys: pytest.CaptureFixture[str]) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(["sleep", "600"]))
        return started[-1]

    with kept_running(start, lambda process: None):
        for _ in range(2):
            number = len(started)
            started[-1].kill()
            wait_for(lambda expected=number + 1: len(started) == expected)
    assert len(started) == 3 and not psutil.pid_exists(started[-1].pid)
    assert capsys.readouterr().err.count("the Prefect server ended: it is started again") == 2


def test_a_configured_server_that_is_gone_ends_the_process_with_one_line() -> None:
    url = f"http://127.0.0.1:{free_port()}/api"
    assert answers(url) is False
    done = subprocess.run([sys.executable, "-c", WATCH, url], capture_output=True, text=True, check=False)
    assert done.returncode == LOST_STATUS
    assert done.stderr.splitlines() == [
        f"error: the Prefect server at {url} no longer answers: the same command goes on where it stood, once a server "
        "is there"
    ]
