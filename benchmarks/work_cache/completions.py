"""A rollout engine that keeps its completions: equal policy, prompts, limits and seeds are sampled once.

The last bits of a completion may depend on the turns before it, because an engine continues the contexts of its
previous call. So the key of a later turn holds the key of the turn before. An engine that finds the first turns of a
conversation and has to sample the next one repeats those first turns, which gives the bytes of an engine of its own.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.work_cache.store import WorkCost, WorkStore
from evotrainer.campaign.costs import cpu_seconds
from evotrainer.config import EngineConfig, content_hash
from evotrainer.engines.base import Completion, RolloutEngine, SamplingParams

KIND = "completions"
FILE = "completions.json"

Call = tuple[Sequence[Sequence[int]], SamplingParams, Sequence[int]]


class SharedRolloutEngine:
    """Samples with another engine, or takes the completions of the same call."""

    def __init__(self, engine: RolloutEngine, config: EngineConfig, store: WorkStore) -> None:
        self.plain, self._config, self._store = engine, config, store
        self.codec, self.policy_id = engine.codec, engine.policy_id
        self._previous_key = ""
        self._contexts: list[list[int]] = []
        """Prompts and completions of the previous call."""
        self._not_sampled: list[Call] = []
        """Calls of this conversation whose completions were found."""

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Return one completion a prompt, in order."""
        if not self._continues(prompts):
            self._previous_key, self._not_sampled = "", []
        key = content_hash([self._previous_key, self.policy_id, asdict(self._config), prompts, asdict(sampling), seeds])
        kept = self._store.find(KIND, key)
        completions = self._sample(key, (prompts, sampling, seeds)) if kept is None else _read(kept)
        if kept is not None:
            self._not_sampled.append((prompts, sampling, seeds))
        self._previous_key = key
        self._contexts = [[*prompt, *found.token_ids] for prompt, found in zip(prompts, completions, strict=True)]
        return completions

    def sync(self, path: Path) -> None:
        """Load the weights at `path`; a conversation starts anew."""
        self.plain.sync(path)
        self.policy_id, self._contexts = self.plain.policy_id, []

    def _continues(self, prompts: Sequence[Sequence[int]]) -> bool:
        """Tell whether these prompts continue the call before: all prompts of a turn do, or none."""
        first = list(prompts[0]) if prompts else []
        return any(first[: len(context)] == context for context in self._contexts)

    def _sample(self, key: str, call: Call) -> list[Completion]:
        for earlier in self._not_sampled:
            self.plain.generate(*earlier)
        self._not_sampled = []
        before = cpu_seconds()
        completions = self.plain.generate(*call)
        cost = WorkCost(sum(len(found.token_ids) for found in completions), round(cpu_seconds() - before, 3))
        self._store.keep(KIND, key, cost, lambda folder: _fill(folder, completions))
        return completions


def _fill(folder: Path, completions: Sequence[Completion]) -> None:
    (folder / FILE).write_text(json.dumps([asdict(found) for found in completions]) + "\n", encoding="utf-8")


def _read(folder: Path) -> list[Completion]:
    return [
        Completion(tuple(found["token_ids"]), tuple(found["logprobs"]), found["stop_reason"])
        for found in json.loads((folder / FILE).read_bytes())
    ]
