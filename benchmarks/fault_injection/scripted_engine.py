"""A rollout engine that plays scripts: whole episodes in real environments, without a network.

A script is taken when an episode starts and gives its assistant messages in order; after its last one messages are
empty. A message counts one token for four characters. Logprobs are drawn from the turn's seed, so that attempts
differ. A message above the limit of a turn is cut, as with any policy.
"""

from collections.abc import Callable, Sequence

import numpy as np

from evotrainer.actions.tool_call_formats import ToolSchemas
from evotrainer.engines.base import ChatCodec, Completion, SamplingParams
from evotrainer.records import Message

Script = Callable[[], Sequence[Message]]
"""Gives the assistant messages of the next episode."""

CHARACTERS_A_TOKEN = 4
_LOGPROB_SHAPE, _LOGPROB_SCALE = 8.0, 0.05
_FILLER = -1


class ScriptedEngine:
    """Plays scripts."""

    policy_id = "scripted"

    def __init__(self, script: Script) -> None:
        self._scripts = _ScriptCodec(script)
        self.codec: ChatCodec = self._scripts

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Return the next message of each episode."""
        return [self._complete(prompt, sampling, seed) for prompt, seed in zip(prompts, seeds, strict=True)]

    def _complete(self, prompt: Sequence[int], sampling: SamplingParams, seed: int) -> Completion:
        place, length = self._scripts.say(prompt)
        is_cut = length > sampling.max_tokens
        ids = (place, *[_FILLER] * (min(length, sampling.max_tokens) - 1))
        logprobs = -np.random.default_rng(seed).gamma(_LOGPROB_SHAPE, _LOGPROB_SCALE, len(ids))
        return Completion(ids, tuple(logprobs.tolist()), "max_tokens" if is_cut else "stop")


class _ScriptCodec:
    """A prompt is the number of its episode and one token for each past turn; a message's first token is its index."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._episodes: list[Sequence[Message]] = []
        self._said: list[Message] = []

    def encode(self, messages: Sequence[Message], tools: ToolSchemas = ()) -> list[int]:
        """Return the prompt of a new episode."""
        self._episodes.append(self._script())
        return [len(self._episodes) - 1]

    def extend(self, context: Sequence[int], sampled: Sequence[int], messages: Sequence[Message]) -> list[int]:
        """Return the prompt of the next turn."""
        return [*context, sampled[0]]

    def decode(self, token_ids: Sequence[int], tools: ToolSchemas = ()) -> Message:
        """Return the message that a place stands for."""
        return self._said[token_ids[0]]

    def say(self, prompt: Sequence[int]) -> tuple[int, int]:
        """Return the place of an episode's next message, and its length in tokens."""
        episode, turn = self._episodes[prompt[0]], len(prompt) - 1
        message = episode[turn] if turn < len(episode) else Message(role="assistant")
        self._said.append(message)
        calls = "".join(f"{call.name}{call.arguments}" for call in message.tool_calls)
        return len(self._said) - 1, 1 + len(message.content + calls) // CHARACTERS_A_TOKEN
