"""Keys of how a campaign is run: what it may spend as a whole, when it must end, and where it asks a person.

They change no byte of a version that runs to its verdict. They decide which versions there are.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from evotrainer.config.limits import choice, number
from evotrainer.errors import ConfigError

GATES = ("diagnosis", "proposal", "backtest", "completion")
"""Where a version may wait for a person, in the order of its stages."""


@dataclass
class TotalBudgetConfig:
    """What the whole campaign may spend, its certificate included; 0: no limit."""

    accelerator_hours: float = number(0.0, 0, 1_000_000_000)
    """Hours of GPUs: the seconds of each stage times the GPUs that it holds."""
    dollars: float = number(0.0, 0, 1_000_000_000)
    """Answers of the trainer agent's model, and accelerator hours at accelerator_price."""
    tokens: int = number(0, 0)
    """Tokens that policies sample, and those that the trainer agent's model reads and writes."""
    trajectories: int = number(0, 0)
    """Attempts at problems: in rollouts, training, evaluations and the certificate."""
    hours: float = number(0.0, 0, 1_000_000)
    """Wall clock of the campaign's runs, waiting for a person included."""
    until: str = ""
    """Local time at which a run must have ended: 07:00 is the next one after its start; or 2026-11-24T07:00."""
    accelerator_price: float = number(0.0, 0, 1_000_000)
    """Dollars of one accelerator hour."""

    @property
    def is_limited(self) -> bool:
        """Whether any limit is set."""
        limits = (self.accelerator_hours, self.dollars, self.tokens, self.trajectories, self.hours)
        return any(limits) or bool(self.until)


@dataclass
class AutonomyConfig:
    """Where a campaign waits for a person (docs/operations.md)."""

    name: str = choice("full", "human_gated", "escalate")
    """human_gated: each candidate waits at its gates; escalate: after failures in a row, until one is promoted."""
    gates: list[str] = field(default_factory=lambda: list(GATES))
    """Stages after which a candidate waits: diagnosis, proposal, backtest, completion."""
    timeout_hours: float = number(12.0, 0.001, 8760)
    """How long a gate waits for an answer."""
    on_timeout: str = choice("approve", "abort")
    """The answer that a gate takes when nobody gave one in time."""
    escalate_after: int = number(2, 1, 100)
    """escalate: failed versions in a row after which gates are in force."""


def end_of_run(until: str, start: datetime) -> datetime:
    """Return the time at which a run that starts at `start` must have ended; raises ConfigError for other texts.

    `start` has no zone or that of `until`; 07:00 is the next seven o'clock.
    """
    if re.fullmatch(r"\d{1,2}:\d{2}", until):
        hour, minute = map(int, until.split(":"))
        if hour < 24 and minute < 60:
            end = start.replace(hour=hour, minute=minute, second=0, microsecond=0)
            return end if end > start else end + timedelta(days=1)
    try:
        found = datetime.fromisoformat(until)
    except ValueError:
        raise ConfigError(f"budget.total.until={until!r} is no time: write 07:00, or 2026-11-24T07:00") from None
    return found if start.tzinfo is not None or found.tzinfo is None else found.astimezone().replace(tzinfo=None)


def check_operation(total: TotalBudgetConfig, autonomy: AutonomyConfig) -> None:
    """Raise ConfigError for an end that is no time, and for a gate that does not exist."""
    if total.until:
        end_of_run(total.until, datetime.now())
    for gate in autonomy.gates:
        if gate not in GATES:
            raise ConfigError(f"autonomy.gates names '{gate}': choose from {', '.join(GATES)}")
