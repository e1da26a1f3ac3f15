"""The hard stop inside a stage: a thread that adds up what the campaign spends, and ends the process at a limit.

It runs only where the campaign has a budget (budget.total). Every second it notes what this stage has used, so that
stages beside this one count it. The flow removes the outputs of a stage that was stopped (dvc.py); training
goes on from its scratch state once the budget is raised.
"""

import _thread
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from evotrainer.campaign.allowance import clock_path, read_allowance, reserved_for_others
from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.layout import CampaignFiles, Subject, SubjectKind
from evotrainer.campaign.ledger import SECONDS_AN_HOUR, Amounts, amount_text, held_accelerators, note_path, usage
from evotrainer.config import Config, load_config
from evotrainer.errors import BUDGET_STATUS, RETRY_STATUS

WATCH_SECONDS = 1.0
GRACE_SECONDS = 8.0
"""What a stage has to leave by itself; computation outside of Python does not see the interrupt."""


class BudgetWatch:
    """Counts one stage from here on, and watches it where its campaign has a limit and was run here.

    A version that is reproduced elsewhere is not charged to the campaign.
    """

    def __init__(self, files: CampaignFiles, subject: Subject, stage: str, end: Callable[[], None]) -> None:
        self._files, self._subject, self._stage, self._end = files, subject, stage, end
        self._started = time.monotonic()
        self._config: Config | None = None
        self.reason = ""
        """Why the stage was stopped."""
        self.status = BUDGET_STATUS
        """The exit status of a stage that was stopped."""
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._note = note_path(files, subject, stage)

    def start(self) -> None:
        """Begin to watch; raises ConfigError where the campaign's configuration cannot be read."""
        self._config = load_config(self._files.config) if self._files.config.is_file() else None
        is_limited = self._config is not None and self._config.budget.total.is_limited
        if is_limited and self._subject.kind in COUNTED and clock_path(self._files).is_file():
            self._thread = threading.Thread(target=self._watch, args=(self._config,), name="budget", daemon=True)
            self._thread.start()

    def measured(self) -> dict[str, float]:
        """Return what the stage used, as its cost file has it; only what it used at all."""
        used = self._used()
        counts = {"trajectories": used.trajectories, "accelerator_seconds": used.accelerator_hours * SECONDS_AN_HOUR}
        return {name: round(value, 3) for name, value in counts.items() if value}

    def charged(self) -> None:
        """Drop the note: the stage's cost file stands."""
        if self._thread is not None:
            self._stopped.set()
            self._thread.join()
            self._note.unlink(missing_ok=True)

    def _used(self) -> Amounts:
        hours = (time.monotonic() - self._started) / SECONDS_AN_HOUR
        held = held_accelerators(self._config, self._stage) if self._config is not None else 0
        return Amounts(
            tokens=usage().tokens, trajectories=usage().trajectories, accelerator_hours=hours * held, hours=hours
        )

    def _watch(self, config: Config) -> None:
        try:
            while not self._stopped.wait(WATCH_SECONDS):
                write_json_atomic(self._note, self._used().as_dict())
                if reason := overrun(self._files, config, self._subject):
                    self._stop(reason, BUDGET_STATUS)
        except Exception as error:  # whatever it was: a stage that nobody watches might spend without a limit
            self._stop(f"its budget could not be watched: {type(error).__name__}: {error}", RETRY_STATUS)

    def _stop(self, reason: str, status: int) -> None:
        """End the stage; does not return."""
        self.reason, self.status = reason, status
        _thread.interrupt_main()  # what the stage holds open is closed on its way out: a job, a server
        time.sleep(GRACE_SECONDS)  # this thread ends with the main one: only a stage that hangs goes on here
        print(f"error: {' '.join(reason.split())}", file=sys.stderr, flush=True)
        self._end()
        os._exit(status)


COUNTED = (SubjectKind.VERSION, SubjectKind.REVISION, SubjectKind.CERTIFICATE)


def overrun(files: CampaignFiles, config: Config, subject: Subject) -> str | None:
    """Return which limit a stage of `subject` has reached, in one line; None for none."""
    found = read_allowance(files, config)
    certificate = Amounts() if subject.kind is SubjectKind.CERTIFICATE else found.certificate
    if found.limits.hours <= certificate.hours:
        until = config.budget.total.until
        end = f"at {until}" if until else "after budget.total.hours"
        return f"its run must end {end}, and the certificate needs the time that is left"
    reserved = replace(certificate + reserved_for_others(files, subject.name, found), hours=0.0)
    beyond = (found.spent + reserved).beyond(found.limits)
    if not beyond:
        return None
    name = beyond[0]
    used, limit, held = (getattr(one, name) for one in (found.spent, found.limits, reserved))
    return (
        f"the campaign has spent {amount_text(name, used)} of budget.total.{name}={limit:g}"
        f"{f', and {amount_text(name, held)} are held for its certificate and open versions' if held else ''}"
    )
