"""What an engine that runs a policy must do. What trains one stands in training/base.py.

RolloutEngine.generate takes prompt token ids and returns token ids with their logprobs: nothing is re-tokenised.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from evotrainer.actions.tool_call_formats import ToolSchemas
from evotrainer.records import Message


@dataclass(frozen=True)
class SamplingParams:
    """How tokens are drawn. Temperature 0 is greedy."""

    max_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0


@dataclass(frozen=True)
class Completion:
    """Sampled tokens of one prompt; `logprobs` in nats, under the untempered policy. Stops: stop or max_tokens."""

    token_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    stop_reason: str


class ChatCodec(Protocol):
    """Messages to token ids and back, by the policy's own chat template. `tools` are those that it may call."""

    def encode(self, messages: Sequence[Message], tools: ToolSchemas = ()) -> list[int]:
        """Return prompt ids that end where the assistant's turn begins; raises DataError for an unknown character."""
        ...

    def extend(self, context: Sequence[int], sampled: Sequence[int], messages: Sequence[Message]) -> list[int]:
        """Return the next turn's prompt: both id lists as they are, then the ids of the new messages."""
        ...

    def decode(self, token_ids: Sequence[int], tools: ToolSchemas = ()) -> Message:
        """Return the assistant message, tool calls parsed."""
        ...


class RolloutEngine(Protocol):
    """Runs a policy, in this process or on a server."""

    codec: ChatCodec
    policy_id: str
    """Content hash of the loaded weights."""

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Return one completion a prompt; each draws from its own generator, so the result ignores batching order."""
        ...


@runtime_checkable
class ServedEngine(Protocol):
    """Runs a policy on a server, which answers each request when it is done: episodes need not wait for each other.

    A server may accept new weights and keep the old ones (vLLM's reload on CPU does). It is used for the weights of
    `policy_id` alone, which logprobs of fixed ids show, computed from these weights; else `submit` raises PolicyError.
    """

    codec: ChatCodec
    policy_id: str

    def submit(self, prompt: Sequence[int], sampling: SamplingParams, seed: int) -> Future[Completion]:
        """Ask for one completion; its draws depend on `seed` alone.

        The result raises RolloutError if this completion was lost, ServerLostError if the server was.
        """
        ...


@runtime_checkable
class RemoteEngine(Protocol):
    """Runs what is trained, in memory that training does not share."""

    def sync(self, path: Path, canary: Any = None) -> None:
        """Load the weights at `path` and check their logprob canary; raises PolicyError if they did not arrive.

        Without `canary` the engine computes it.
        """
        ...

    def rest(self) -> None:
        """Free GPU memory, as far as the engine is set to, until the next completion is asked for."""
        ...
