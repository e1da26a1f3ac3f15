"""What machines stamp on attempts: tokens, seconds, hosts, hashes of policies, times."""

import hashlib
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.foreign.tenth.core import Attempt


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return max(1, round(len(text) / 3.7))


def policy(run: str, step: int) -> str:
    """Hash of the weights that a step samples from."""
    return hashlib.sha256(f"{run}/{step}".encode()).hexdigest()[:12]


def run_name(rng: Random, stem: str) -> str:
    """A run's name with the hash of its recipe."""
    return f"{stem}-{rng.getrandbits(24):06x}"


def time_all(rng: Random, attempts: list[Attempt]) -> None:
    """Seconds of each attempt, by what it wrote and called; a few wait in a queue."""
    speed = rng.uniform(38, 70)
    for a in attempts:
        calls = sum(t["role"] == "tool" for t in a.reply.turns)
        wait = rng.expovariate(0.08) if rng.random() < 0.05 else 0.0
        a.seconds = a.seconds or round(
            1.5 + tokens(a.written) / speed * rng.lognormvariate(0, 0.2) + calls * rng.uniform(0.4, 1.9) + wait, 2
        )


def start_of(rng: Random) -> datetime:
    """When a run began."""
    return datetime(2026, rng.randint(1, 9), rng.randint(1, 28), rng.randrange(24), rng.randrange(60), tzinfo=UTC)


def stamp(start: datetime, step: int, second: float) -> str:
    """Time within a step, as text."""
    return (start + timedelta(seconds=step * 417 + second)).strftime("%Y-%m-%dT%H:%M:%SZ")


def logprob(rng: Random, step: int) -> float:
    """Mean logprob of a turn: a little surer with the steps."""
    return round(min(-0.02, -0.52 + 0.008 * step + rng.gauss(0, 0.06)), 4)
