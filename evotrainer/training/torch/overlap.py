"""Rollouts that run while training does: batches are sampled k steps ahead, by the policy of k steps before.

    trains      step 0 | step 1 | step 2 | ...            k = sampling.steps_ahead = 1
    samples     0  1   |   2    |   3    | ...            batch 2 by the policy after step 0's update

The lag is fixed and not a race: batch t is sampled by the policy that was trained for max(0, t - k) steps, however
fast either side is. The same arguments therefore give the same bytes, and a resumed run those of an undisturbed one.
One thread samples, batch by batch. It samples while the tokens of the batches before are below the budget, and every
batch that it samples is trained on: k = 0 and k > 0 spend the budget by one rule.

A network that training shares with the torch engine cannot sample while it is changed: the sampler then has a network
of its own, and k + 1 sets of trained weights may wait for their turn.
"""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from types import TracebackType
from typing import Self

from evotrainer.algorithm.filters import GroupFilter
from evotrainer.config import BudgetConfig
from evotrainer.training.torch.rollout import Asked, Rollout

Load = Callable[[], None]
"""Puts a policy's weights into the engine that samples."""


class RolloutsAhead:
    """A queue of at most k + 1 batches. Leave it as a context manager: what was not begun is then dropped."""

    def __init__(
        self,
        sample: Callable[[Asked, int], Rollout],
        lag: int,
        budget: BudgetConfig,
        done: Sequence[Rollout] = (),
        trained: tuple[int, int] = (0, 0),
    ) -> None:
        """Continue a run of `trained` steps and tokens whose next batches, `done`, are sampled already."""
        self._sample, self._lag, self._budget = sample, lag, budget
        step, num_tokens = trained
        self._waiting: deque[Future[Rollout | None]] = deque(map(_finished, done))
        self._next_step = step + len(done)
        self._num_tokens = num_tokens + sum(rollout.num_tokens for rollout in done)
        """Sampled so far; the sampling thread alone reads and adds to it."""

    def __enter__(self) -> Self:
        """Return the queue."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drop what was not begun, and wait for what was."""
        for future in self._waiting:
            future.cancel()
        for future in self._waiting:
            if not future.cancelled():
                future.exception()

    def take(self, step: int, load: Load, group_filter: GroupFilter) -> Rollout | None:
        """Return the batch of this step, None where the budget is spent; further ones are begun.

        `load` brings the present policy, that of `step` steps, into force for the first batch that it samples.

        Raises:
            CodeError: code of the recipe failed while the batch was sampled.

        """
        is_loaded = False
        while self._next_step <= step + self._lag:
            asked = Asked(self._next_step, 0, group_filter)
            self._waiting.append(_sampling_thread().submit(self._begin, asked, step, None if is_loaded else load))
            is_loaded = True
            self._next_step += 1
        return self._waiting.popleft().result()

    def sampled(self) -> list[Rollout] | None:
        """Wait for the batches that were begun, and return them in order: the state of a run holds them.

        None where one of them failed: the failure is met when its step comes, and there is no state to keep.
        """
        if any(future.exception() is not None for future in self._waiting):
            return None
        return [rollout for future in self._waiting if (rollout := future.result()) is not None]

    def _begin(self, asked: Asked, policy_step: int, load: Load | None) -> Rollout | None:
        if self._num_tokens >= self._budget.train_tokens or asked.step >= self._budget.max_steps:
            return None
        if load is not None:
            load()
        rollout = self._sample(replace(asked, num_tokens=self._num_tokens), policy_step)
        self._num_tokens += rollout.num_tokens
        return rollout


def _finished(rollout: Rollout) -> "Future[Rollout | None]":
    future: Future[Rollout | None] = Future()
    future.set_result(rollout)
    return future


@cache
def _sampling_thread() -> ThreadPoolExecutor:
    """A thread that lives as long as the process: servers and sandboxes may end with the thread that started them."""
    return ThreadPoolExecutor(1, thread_name_prefix="rollouts")
