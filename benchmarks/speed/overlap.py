"""What rollouts ahead of training save: the wall clock of a short training, by the latency of a simulated tool.

All settings train in one process, in turns. Time is that of a whole run, loading included. Runs of one lag and any
latency must end in the same policy: latency changes when things happen, and nothing else.
"""

import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.reports.markdown import markdown_table
from benchmarks.speed.slow_tool import LATENCIES
from conf.compose import compose_campaign
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.evidence.store import read_signals
from evotrainer.training import train
from evotrainer.training.base import TrainingRun

LAGS = (0, 1, 2)
LAST_STEPS = 4
_MODULE = "benchmarks.speed.slow_tool"


@dataclass(frozen=True)
class Overlap:
    """The median run of one latency and lag."""

    milliseconds: float
    lag: int
    seconds: float
    reward: float
    """Mean of the last steps."""
    mismatch: float | None
    """Mean |log ratio| of trainer and sampler in the last steps, nats a token; None where they take turns."""


def measure_overlap(root: Path, policy: Path, steps: int, repeats: int) -> Iterator[Overlap]:
    """Yield the measure of each latency and lag; raises RuntimeError where latency changed what was learned."""
    settings = list(product(LATENCIES, LAGS))
    _run(root, policy, "AT_ONCE", 0, steps)  # a warm-up: compiled rollouts and the sandbox's threads are started once
    found = [_run(root, policy, *setting, steps) for _ in range(repeats) for setting in settings]
    hashes: dict[int, str] = {}
    for index, (_name, lag) in enumerate(settings):
        own = found[index :: len(settings)]
        if any(policy_hash != hashes.setdefault(lag, policy_hash) for policy_hash, _ in own):
            raise RuntimeError(f"runs that are {lag} steps ahead ended in different policies")
        yield sorted((one for _, one in own), key=lambda one: one.seconds)[len(own) // 2]


def overlap_table(found: Iterable[Overlap]) -> str:
    """Return a Markdown table: seconds, and how many times faster than taking turns at the same latency."""
    measures = list(found)
    turns = {one.milliseconds: one.seconds for one in measures if one.lag == 0}
    return markdown_table(
        "latency, ms | steps ahead | s | ratio | reward | mismatch, nats",
        [
            [
                f"{one.milliseconds:g}",
                str(one.lag),
                f"{one.seconds:.2f}",
                f"{turns[one.milliseconds] / one.seconds:.2f}",
                f"{one.reward:.3f}",
                "" if one.mismatch is None else f"{one.mismatch:.3f}",
            ]
            for one in measures
        ],
    )


def _run(root: Path, policy: Path, name: str, lag: int, steps: int) -> tuple[str, Overlap]:
    config = compose_campaign(["domain=math", f"sampling.steps_ahead={lag}", f"budget.max_steps={steps}"])
    problems = load_problems(root, config.domain, "train")
    config.domain.name, config.tracking.trackers = f"{_MODULE}:{name}", []
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        started = time.monotonic()
        result = train(TrainingRun(config, policy, problems, out, "overlap", "v001", 0, Path(folder) / "scratch"))
        seconds = time.monotonic() - started
        last = [row.extra for row in read_signals(out / "training")][-LAST_STEPS:]
    gaps = [extra["mismatch_mean_abs"] for extra in last if "mismatch_mean_abs" in extra]
    reward = statistics.fmean(extra["reward"] for extra in last)
    return result.policy_hash, Overlap(LATENCIES[name], lag, seconds, reward, statistics.fmean(gaps) if gaps else None)
