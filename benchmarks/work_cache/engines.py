"""The engines of a process that shares its work: those of the product, each in a wrapper that keeps what it did."""

from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.work_cache.completions import SharedRolloutEngine
from benchmarks.work_cache.store import WorkStore
from benchmarks.work_cache.trainings import SharedTrainEngine
from evotrainer.engines import ROLLOUT_ENGINES
from evotrainer.training import TRAIN_ENGINES


@contextmanager
def sharing(store: WorkStore) -> Iterator[WorkStore]:
    """Register wrapped engines, so that what this process samples and trains is shared, until the block ends."""
    rollout, train = dict(ROLLOUT_ENGINES), dict(TRAIN_ENGINES)
    for name, open_engine in rollout.items():
        ROLLOUT_ENGINES[name] = lambda config, path, plain=open_engine: SharedRolloutEngine(
            plain(config, path), config.engine, store
        )
    for name, make_engine in train.items():
        TRAIN_ENGINES[name] = lambda plain=make_engine: SharedTrainEngine(plain(), store)
    try:
        yield store
    finally:
        ROLLOUT_ENGINES.update(rollout)
        TRAIN_ENGINES.update(train)
