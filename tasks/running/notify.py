"""Notices of events: one JSON object for a command of a person, or posted to an address.

`tracking.notify` of a campaign names the command or the address.

A command line is that person's own and runs in a shell; the event is its standard input, so no text of a policy is ever
part of it. Neither a command nor an address can hold up or end the process that sends: each has a time limit.
"""

import asyncio
import json
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import httpx

from conf.compose import load_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import BudgetError, ConfigError, EvoTrainerError
from tasks.running.progress import progress

SECONDS = 10.0
"""What a command or an address may take."""
REASON = 200
"""Characters of a command's own words that are kept."""


@dataclass(frozen=True)
class Event:
    """What a notice is about."""

    kind: str
    """finding, condition, unreadable, idle; of a campaign verdict, gate, budget, certificate, failure."""
    cause: str
    message: str
    severity: str = "critical"
    step: int | None = None
    advice: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Any]] = ()

    def payload(self, run: str) -> dict[str, Any]:
        """Return the object that a command or an address gets; chat servers show `text` as the message."""
        return {"text": f"{run}: {self.severity} {self.cause}: {self.message}", "run": run, **asdict(self)}


def notify(target: str, run: str, event: Event) -> str:
    """Send a notice of an event; return why that failed, or nothing.

    Args:
        target: an address that begins with http:// or https://, or a command line; empty: none is sent.
        run: whose event it is.
        event: what the notice is about.

    """
    if not target:
        return ""
    send = _post if is_address(target) else _run
    outcome = [f"no answer within {SECONDS:g} s"]
    text = json.dumps(event.payload(run), default=str)

    def work() -> None:
        outcome[0] = send(target, text)

    sender = threading.Thread(target=work, daemon=True)
    sender.start()
    sender.join(SECONDS + 1)  # an address that answers a byte a minute never exceeds the client's own limit
    return outcome[0]


def is_address(target: str) -> bool:
    """Tell whether a target is an address, not a command line."""
    return target.startswith(("http://", "https://"))


def check_target(target: str) -> None:
    """Raise ConfigError for a command that this machine does not have."""
    words = target.split()
    if is_address(target) or not words or not words[0].replace("-", "").replace("/", "").replace(".", "").isalnum():
        return
    if subprocess.run(["sh", "-c", 'command -v "$1"', "sh", words[0]], capture_output=True).returncode:
        raise ConfigError(f"no command '{words[0]}' to notify by: name a command, or an address with http:// before it")


def _post(address: str, text: str) -> str:
    try:
        answer = httpx.post(address, content=text, headers={"content-type": "application/json"}, timeout=SECONDS)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())[:REASON]}"
    return f"the address answers with status {answer.status_code}" if answer.status_code >= 400 else ""


def _run(command: str, text: str) -> str:
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            command, shell=True, stdin=subprocess.PIPE, stdout=words, stderr=words, start_new_session=True
        )
        try:
            process.communicate(f"{text}\n".encode(), timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"the command took more than {SECONDS:g} s and was ended"
        words.seek(0)
        said = " ".join(words.read(1 << 16).decode(errors="replace").split())[-REASON:]
    return f"the command ends with status {process.returncode}: {said}" if process.returncode else ""


async def send_notice(files: CampaignFiles, kind: str, cause: str, message: str, severity: str = "info") -> None:
    """Send the notice of one event of a campaign to whom it names."""
    target = load_campaign(files).tracking.notify
    failed = await asyncio.to_thread(notify, target, files.root.name, Event(kind, cause, message, severity))
    if failed:
        progress().line(f"the notification failed: {failed}")


@asynccontextmanager
async def failure_notices(files: CampaignFiles) -> AsyncIterator[None]:
    """Send a notice of the error that ends the block, and raise it; that a budget is spent was told before."""
    try:
        yield
    except BudgetError:
        raise
    except Exception as error:  # whatever ends a campaign at night is told
        text = f"{error}; go on with it: evotrainer campaign run {files.root.name}"
        with suppress(EvoTrainerError):  # of a configuration that cannot be read: the first error counts
            await send_notice(files, "failure", type(error).__name__, text, "critical")
        raise
