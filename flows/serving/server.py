"""Which Prefect server a flow reports to: the configured one, that of `evotrainer serve`, else one of its own.

A command's own server is `prefect server start`; it ends with the command. Its database lies in the folder that it is
given, because SQLite does not serve two servers: a campaign's in campaigns/NAME/scratch/prefect/, that of
`evotrainer serve` in scratch/prefect/, apart from the person's ~/.prefect. Prefect reads its settings when it is first
imported, so this module is imported before it and does not import it.

A server that dies does not end a campaign. The results of stages lie in DVC, so the run goes on where it stood, with a
server that is started in its place.
"""

import json
import os
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar

from evotrainer.campaign.documents import write_json_atomic
from evotrainer.errors import InfrastructureError, LineageError
from evotrainer.sandbox import kernel
from evotrainer.sandbox.processes import is_alive, owner_token
from tasks.running.progress import progress
from tasks.running.stage_process import where_full

STARTUP_SECONDS = 120.0
POLL_SECONDS = 0.2
MAX_FAILURES = 5
"""Of Prefect's server in one run; the next one ends it."""
MAX_BUSY_SECONDS = 60.0
"""How long a server that listens may leave the first question without an answer."""
HEARTBEAT_SECONDS = 30
"""Between two signs of life of a run; infra/prefect/prefect.yaml has the same for the runs of a work pool."""
SERVED = Path("scratch") / "prefect"
"""Where the server of `evotrainer serve` lies in the main checkout, and a campaign's own one in its worktree."""

QUIET = {
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_INTERNAL_LEVEL": "CRITICAL",  # a lost server is said in one line
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
    "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": str(HEARTBEAT_SECONDS),
    "PREFECT_CLI_PROMPT": "false",
    "DO_NOT_TRACK": "1",
}

T = TypeVar("T")


def run_with_server(main: Path, home: Path, run: Callable[[str], T]) -> T:
    """Return what `run` gives, which reports to the server at the URL that it gets; it is repeated where that fails.

    The server is the configured one, else one started in `home`, which also takes the place of one that is gone.
    """
    port, num_failures = free_port(), 0
    url = running_server(main)
    if url is not None:
        check_reachable(url)
    while True:
        if url is not None:
            use_server(url)
        with own_server(port, home) if url is None else nullcontext(url) as used:
            try:
                return run(used)
            except Exception as error:  # whatever a flow makes of a server that is gone
                num_failures += 1
                is_gone = _answers(used) is False
                if not (is_gone or _is_of_server(error)) or num_failures > MAX_FAILURES:
                    raise
                said = f"{'is gone' if is_gone else 'failed'} ({' '.join(str(error).split())[:200]})"
                progress().line(f"the Prefect server at {used} {said}: the run goes on")
        url = None if is_gone else url


def _is_of_server(error: Exception) -> bool:
    """Tell whether an error is an answer of a server that does not work as it should, and none of the flow."""
    import httpx
    from prefect.concurrency._asyncio import ConcurrencySlotAcquisitionError
    from prefect.exceptions import ObjectNotFound

    return isinstance(error, httpx.HTTPError | ConcurrencySlotAcquisitionError | ObjectNotFound)


@contextmanager
def own_server(port: int, home: Path) -> Iterator[str]:
    """Run a server with its database in `home` during the block and point Prefect at it; gives its API's URL."""
    home.mkdir(parents=True, exist_ok=True)
    url, log, note = f"http://127.0.0.1:{port}/api", home / "server.log", home / "server.json"
    os.environ.setdefault("PREFECT_HOME", str(home))
    use_server(url)
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    environment = {**os.environ, "PREFECT_HOME": str(home), "PREFECT_UI_API_URL": url}
    servers: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        with log.open("w") as stream:
            server = subprocess.Popen(
                [*command, "--log-level", "error"],
                stdout=stream,
                stderr=stream,
                env=environment,
                start_new_session=True,  # a signal to the whole group ends the flow first, which reports to this server
                preexec_fn=kernel.die_with_parent,
            )
        servers.append(server)

    try:
        with progress().running("prefect", "server", log):
            start()
            while not _is_healthy(url, servers[0], log):
                start()
                progress().line("the Prefect server was killed while it started: another one starts")
                servers.pop(0)
        write_json_atomic(note, {"url": url, "owner": owner_token()})
        yield url
    finally:
        _send_pending_logs()
        note.unlink(missing_ok=True)
        for server in servers:
            server.terminate()
            server.wait()
        os.environ.pop("PREFECT_API_URL", None)


def use_server(url: str) -> None:
    """Set Prefect's settings for this process and its children; what the person has set wins, but for the server."""
    for key, value in QUIET.items():
        os.environ.setdefault(key, value)
    os.environ["PREFECT_API_URL"] = url
    if "prefect" in sys.modules:  # its settings were read for another server
        from prefect.context import refresh_global_settings_context

        refresh_global_settings_context()


def running_server(main: Path) -> str | None:
    """Return the API's URL of the configured server, or of one that `evotrainer serve` runs in this checkout."""
    if url := configured_url():
        return url
    path = main / SERVED / "server.json"
    note = json.loads(path.read_text()) if path.is_file() else None
    return note["url"] if note and is_alive(note["owner"]) else None


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


def check_reachable(url: str) -> None:
    """Raise a one-line error when no Prefect server answers at `url`; one that is only slow has a minute."""
    end = time.monotonic() + MAX_BUSY_SECONDS
    while (found := _answers(url)) is None and time.monotonic() < end:
        pass  # something listens: each look waits for its answer
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
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _answers(url: str, timeout: float = 5.0) -> bool | None:
    """Tell whether a Prefect server at this URL is well; None where something listens and gives no answer in time."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=timeout) as response:
            return response.status == 200
    except TimeoutError:
        return None
    except urllib.error.URLError as error:
        return None if isinstance(error.reason, TimeoutError) else False
    except (OSError, ValueError):
        return False


def _send_pending_logs() -> None:
    """Let Prefect, if it was used, send its last log lines while the server still listens."""
    if "prefect" in sys.modules:
        from prefect.logging.handlers import APILogWorker

        APILogWorker.drain_all(timeout=5)


def _is_healthy(url: str, server: subprocess.Popen[bytes], log: Path) -> bool:
    """Wait until a server answers; return False where a signal ended it, and raise where it ended by itself."""
    deadline = time.monotonic() + STARTUP_SECONDS
    while not _answers(url):
        if (status := server.poll()) is not None:
            if status < 0:
                return False
            lines = log.read_text().strip().splitlines() or ["no output"]
            message = f"the Prefect server ended while starting: {lines[-1]} (log: {log})"
            raise InfrastructureError(where_full(log.parent, message))
        if time.monotonic() > deadline:
            raise InfrastructureError(f"the Prefect server did not answer within {STARTUP_SECONDS:.0f} s (log: {log})")
        time.sleep(POLL_SECONDS)  # uvicorn tells nobody when it begins to listen
    return True
