"""Which Prefect server a flow reports to: the configured one, that of `evotrainer serve`, else our own.

Our own server lives as long as the command. It is started here rather than by Prefect, whose ephemeral server
outlives a flow that is killed. Each server process has a database of its own, because SQLite does not serve two: a
campaign's lies in its scratch folder, that of `evotrainer serve` under scratch/prefect/, apart from the person's
~/.prefect. Prefect reads its settings when it is first imported, so this module is imported before it and does not
import it.
"""

import json
import os
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.errors import InfrastructureError, LineageError
from evotrainer.processes import OWNER_VARIABLE, is_alive, owner_token
from flows.serving.database import DATABASE_VARIABLE, create_database, database_url, prefect_home
from flows.serving.lost_server import answers, kept_running, watching_configured
from flows.serving.shutdown import exit_on_signal
from tasks.running.progress import progress

STARTUP_SECONDS = 300.0
POLL_SECONDS = 0.2
MAX_BUSY_SECONDS = 60.0
"""How long a server that listens may leave the first question without an answer."""
HEARTBEAT_SECONDS = 30
"""Between two signs of life of a run; infra/prefect/prefect.yaml has the same for the runs of a work pool."""

QUIET = {
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_INTERNAL_LEVEL": "CRITICAL",  # a lost server is said in one line
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": str(int(STARTUP_SECONDS)),
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
    "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": str(HEARTBEAT_SECONDS),
    "PREFECT_CLI_PROMPT": "false",
    "PREFECT_CLIENT_MAX_RETRIES": "50",  # of 0.2 s each, see server_app.py
    "DO_NOT_TRACK": "1",
}

_WITH_TABLES = {"PREFECT_SERVER_DATABASE_MIGRATE_ON_START": "false"}
"""For a database that was just copied; one that the person names in the environment is another."""


@contextmanager
def prefect_server(main: Path, database: Path) -> Iterator[str]:
    """Point Prefect at a running server during the block, else at one started on `database`; gives its API's URL."""
    configure(main)
    url = running_server(main)
    if url is not None:
        check_reachable(url)
        os.environ["PREFECT_API_URL"] = url
        with exit_on_signal(), watching_configured(url):
            yield url
        return
    with own_server(main, free_port(), database) as url, exit_on_signal():
        yield url


@contextmanager
def own_server(main: Path, port: int, database: Path) -> Iterator[str]:
    """Run a server on `port` and `database` during the block and point Prefect at it; gives its API's URL."""
    configure(main)
    is_new = create_database(main, database)
    url = f"http://127.0.0.1:{port}/api"
    os.environ["PREFECT_API_URL"] = url
    log = database.with_suffix(".log")
    log.unlink(missing_ok=True)
    command, environment = _command(port), _environment(url, database, is_new)

    def start() -> subprocess.Popen[bytes]:
        with log.open("a") as stream:
            return subprocess.Popen(command, stdout=stream, stderr=stream, cwd=main, env=environment)

    def until_ready(process: subprocess.Popen[bytes]) -> None:
        with progress().running("prefect", "server", log):
            _wait_until_healthy(url, process, log)

    try:
        with kept_running(start, until_ready):
            try:
                yield url
            finally:
                _send_pending_logs()
    finally:
        del os.environ["PREFECT_API_URL"]


def configure(main: Path) -> None:
    """Set Prefect's settings for this process and its children; what the person has set wins."""
    for key, value in QUIET.items():
        os.environ.setdefault(key, value)
    if configured_url() is None:
        home = prefect_home(main)
        home.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("PREFECT_HOME", str(home))


def running_server(main: Path) -> str | None:
    """Return the API's URL of the configured server, or of one that `evotrainer serve` runs in this checkout."""
    return configured_url() or _announced_url(main)


def configured_url() -> str | None:
    """Return the server that the person has set in the environment or in the active Prefect profile."""
    if url := os.environ.get("PREFECT_API_URL"):
        return url
    home = Path(os.environ.get("PREFECT_HOME", Path.home() / ".prefect"))
    path = Path(os.environ.get("PREFECT_PROFILES_PATH", home / "profiles.toml"))
    if not path.is_file():
        return None
    profiles = tomllib.loads(path.read_text())
    active = os.environ.get("PREFECT_PROFILE") or profiles.get("active", "")
    return profiles.get("profiles", {}).get(active, {}).get("PREFECT_API_URL")


def announce(main: Path, url: str) -> Path:
    """Write the URL of a server that other commands of this checkout use; return the file to remove at its end."""
    path = prefect_home(main) / "server.json"
    write_json_atomic(path, {"url": url, "owner": owner_token()})
    return path


def check_reachable(url: str) -> None:
    """Raise a one-line error when no Prefect server answers at `url`; one that is only slow has a minute."""
    end = time.monotonic() + MAX_BUSY_SECONDS
    found = answers(url)
    while found is None and time.monotonic() < end:  # something listens: each look waits for its answer
        found = answers(url)
    if not found:
        raise LineageError(
            f"no Prefect server answers at {url}: start it (`prefect server start`), or unset "
            "PREFECT_API_URL and one is started for you"
        )


def free_port() -> int:
    """Return a TCP port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_port_free(port: int) -> bool:
    """Tell whether a server can listen on this port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _send_pending_logs() -> None:
    """Let Prefect, if it was used, send its last log lines while the server still listens."""
    if "prefect" in sys.modules:
        from prefect.logging.handlers import APILogWorker

        APILogWorker.drain_all(timeout=5)


def _announced_url(main: Path) -> str | None:
    path = prefect_home(main) / "server.json"
    if not path.is_file():
        return None
    note = json.loads(path.read_text())
    return note["url"] if is_alive(note["owner"]) else None


def _command(port: int) -> list[str]:
    return [
        sys.executable,
        "-m",
        "uvicorn",
        "--factory",
        "flows.serving.server_app:create_app",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--log-level",
        "error",
        "--lifespan",
        "on",
    ]


def _environment(url: str, database: Path, is_new: bool) -> dict[str, str]:
    code = str(Path(__file__).resolve().parents[2])
    return {
        DATABASE_VARIABLE: database_url(database),
        **os.environ,
        OWNER_VARIABLE: owner_token(),
        "PYTHONPATH": code,
        "PREFECT_UI_API_URL": url,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        **(_WITH_TABLES if is_new and DATABASE_VARIABLE not in os.environ else {}),
    }


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTUP_SECONDS
    while not answers(url):
        if process.poll() is not None:
            lines = log.read_text().strip().splitlines() or ["no output"]
            raise InfrastructureError(f"the Prefect server ended while starting: {lines[-1]} (log: {log})")
        if time.monotonic() > deadline:
            raise InfrastructureError(f"the Prefect server did not answer within {STARTUP_SECONDS:.0f} s (log: {log})")
        time.sleep(POLL_SECONDS)  # uvicorn tells nobody when it begins to listen
