"""Rollouts of an embedded policy beside Hugging Face generate: the same weights, prompts and greedy tokens.

Both sides give tokens and logprobs. An episode of many turns is recorded once and its calls are replayed on both sides:
ours remembers contexts between the calls, generate reads each again. Of generate's caches the one that is faster here
is taken; it never compiles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForCausalLM
from transformers.utils.logging import disable_progress_bar

from benchmarks.speed.measure import Measure, compare, cpu_seconds
from conf.compose import compose_campaign
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.contexts import ContextStore
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes

CACHES = ("dynamic", "static")
TOLERANCE = 5e-5
"""Nats; float32 logprobs of rare tokens differ by this much between any two orders of the same sums."""
GROUP = 8


@dataclass(frozen=True)
class Call:
    """One call of an engine."""

    prompts: list[list[int]]
    max_tokens: int


class Recorder(TorchRolloutEngine):
    """Notes the calls that episodes make."""

    def __init__(self, policy: EmbeddedPolicy) -> None:
        super().__init__(policy, is_compiled=True)
        self.calls: list[Call] = []

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Sample as the engine does."""
        self.calls.append(Call([list(prompt) for prompt in prompts], sampling.max_tokens))
        return super().generate(prompts, sampling, seeds)


def measure_rollouts(root: Path, policy: Path, domain: str, counts: Sequence[int]) -> list[Measure]:
    """Return a measure for each number of episodes, of a policy of this domain, on problems in the checkout `root`."""
    prepare_torch(1)
    disable_progress_bar()
    config = compose_campaign([f"domain={domain}"])
    recorded = {count: _record(root, config, policy, count) for count in counts}
    ours = TorchRolloutEngine(EmbeddedPolicy.load(policy), is_compiled=True)
    theirs = Generate(policy)
    found = []
    for count, calls in recorded.items():
        theirs.choose_cache(calls)
        found.append(
            compare(
                f"rollout, {domain}, {count} episodes of {len(calls)} turns",
                f"Hugging Face generate, {theirs.cache} cache",
                lambda calls=calls: _replay(ours, calls),
                lambda calls=calls: theirs.replay(calls),
                f"greedy tokens, logprobs to {TOLERANCE:g}",
                _is_equal,
            )
        )
    return found


def _record(root: Path, config: Config, policy: Path, count: int) -> list[Call]:
    """Return the calls of greedy episodes; the attempts at one problem are a group, as in training."""
    recorder = Recorder(EmbeddedPolicy.load(policy))
    rules = EpisodeRules(
        config.domain,
        SamplingParams(config.sampling.max_response_tokens, 0.0),
        config.sampling.max_turns,
        config.reward,
    )
    problems = load_problems(root, config.domain, "train")[: count // GROUP]
    run_episodes(recorder, problems, GROUP, rules, EpisodeIdentity("speed", "v000", "speed", 0))
    return recorder.calls


def _replay(engine: TorchRolloutEngine, calls: Sequence[Call]) -> list[Completion]:
    engine._contexts = ContextStore()
    found: list[Completion] = []
    for call in calls:
        found += engine.generate(call.prompts, SamplingParams(call.max_tokens, 0.0), range(len(call.prompts)))
    return found


class Generate:
    """Hugging Face generate over the same directory."""

    def __init__(self, policy: Path) -> None:
        self.model: Any = AutoModelForCausalLM.from_pretrained(policy).eval()
        self.stop_ids = torch.tensor(EmbeddedPolicy.load(policy).codec.stop_ids)
        self.cache = CACHES[0]

    def choose_cache(self, calls: Sequence[Call]) -> None:
        """Take the cache that needs less time for these calls."""
        seconds = {}
        for self.cache in CACHES:
            self.replay(calls)
            seconds[self.cache] = cpu_seconds(lambda: self.replay(calls))
        self.cache = min(seconds, key=lambda cache: seconds[cache])

    @torch.inference_mode()
    def replay(self, calls: Sequence[Call]) -> list[Completion]:
        """Return the completions of all calls."""
        return [completion for call in calls for completion in self._generate(call)]

    def _generate(self, call: Call) -> list[Completion]:
        longest = max(map(len, call.prompts))
        ids = torch.zeros(len(call.prompts), longest, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, prompt in enumerate(call.prompts):
            ids[row, longest - len(prompt) :] = torch.tensor(prompt)
            mask[row, longest - len(prompt) :] = 1
        drawn = self.model.generate(
            ids,
            attention_mask=mask,
            do_sample=False,
            max_new_tokens=call.max_tokens,
            return_dict_in_generate=True,
            output_logits=True,
            cache_implementation=self.cache,
            disable_compile=True,
        )
        tokens = drawn.sequences[:, longest:]
        logprobs = torch.stack(drawn.logits, 1).float().log_softmax(-1).gather(-1, tokens[..., None])[..., 0]
        is_stop = torch.isin(tokens, self.stop_ids)
        lengths = torch.where(is_stop.any(1), is_stop.int().argmax(1) + 1, tokens.shape[1]).tolist()
        stopped = is_stop.any(1).tolist()
        return [
            Completion(
                tuple(tokens[row, :length].tolist()),
                tuple(logprobs[row, :length].tolist()),
                "stop" if stopped[row] else "max_tokens",
            )
            for row, length in enumerate(lengths)
        ]


def _is_equal(ours: Sequence[Completion], theirs: Sequence[Completion]) -> bool:
    return all(
        (one.token_ids, one.stop_reason) == (other.token_ids, other.stop_reason)
        and np.allclose(one.logprobs, other.logprobs, rtol=0, atol=TOLERANCE)
        for one, other in zip(ours, theirs, strict=True)
    )
