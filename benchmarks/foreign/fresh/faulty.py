"""How a faulty kind is made: a run is played, changed, given advantages, changed again, and written."""

from collections.abc import Callable, Sequence

from benchmarks.foreign import estimators as by
from benchmarks.foreign.case import Kind, Row
from benchmarks.foreign.fresh import writing as rows_of
from benchmarks.foreign.fresh.sampling import Plan, Rng, Sample, give_advantages, play

Change = Callable[[Rng, list[Sample]], list[Sample]]
Write = Callable[[Sequence[Sample]], list[Row]]


def faulty(
    name: str,
    plan: Plan,
    modes: str,
    change: Change,
    write: Write = rows_of.as_own,
    estimator: by.Estimator | None = by.grpo,
    after: Change | None = None,
    source: str = "",
) -> Kind:
    """Return a kind of faulty runs: `change` before advantages are given, `after` behind them."""

    def build(rng: Rng) -> list[Row]:
        samples = change(rng, play(rng, plan))
        if estimator is not None:
            give_advantages(rng, samples, estimator)
        return write(samples if after is None else after(rng, samples))

    return Kind(name, build, tuple(modes.split()), source)


def unchanged(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Change nothing before advantages."""
    return samples
