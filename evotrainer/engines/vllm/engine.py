"""A rollout engine whose policy runs on a vLLM server.

Completions are drawn by the server, each under its own seed. Equal seeds give equal draws, but logprobs, and with them
now and then a token, depend in their last bits on what else the server computes at the same time.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from evotrainer.config import Config, PolicyConfig
from evotrainer.engines.base import ChatCodec, Completion, SamplingParams
from evotrainer.engines.checkpoint import open_checkpoint, policy_hash
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.model_files import max_positions
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.vllm import completions
from evotrainer.engines.vllm.canary import Canary
from evotrainer.engines.vllm.server import PolicyServer, shared_server
from evotrainer.errors import ServerLostError


class VllmRolloutEngine:
    """Runs the policy at `path` on a server, which may serve those of other engines in between."""

    def __init__(self, server: PolicyServer, path: Path, policy: PolicyConfig) -> None:
        self._server, self._base = server, policy.path
        self._checkpoint = open_checkpoint(path, policy.path)
        self._codec = HfChatCodec.from_directory(self._checkpoint.base, policy.tool_call_format)
        self.codec: ChatCodec = self._codec
        self.policy_id = policy_hash(path)
        self._max_positions = max_positions(self._checkpoint.base) or 2**31

    @classmethod
    def from_config(cls, config: Config, path: Path) -> "VllmRolloutEngine":
        """Return an engine for the policy at `path`; the server is needed only when the first completion is."""
        prepare_torch(config.engine.num_threads)
        return cls(shared_server(config), path, config.policy)

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Return one completion a prompt, in order; raises RolloutError if one of them is lost."""
        asked = [self.submit(prompt, sampling, seed) for prompt, seed in zip(prompts, seeds, strict=True)]
        try:
            return [future.result() for future in asked]
        finally:
            for future in asked:
                future.cancel()

    def submit(self, prompt: Sequence[int], sampling: SamplingParams, seed: int) -> Future[Completion]:
        """Ask for one completion; a prompt that fills the context gets an empty one (max_tokens)."""
        self._server.serve(self._checkpoint, self.policy_id)
        room = min(sampling.max_tokens, min(self._max_positions, self._server.max_tokens) - len(prompt))
        if room <= 0:
            empty: Future[Completion] = Future()
            empty.set_result(Completion((), (), "max_tokens"))
            return empty
        return self._server.client.start(self._complete(prompt, replace(sampling, max_tokens=room), seed))

    def sync(self, path: Path, canary: Canary | None = None) -> None:
        """Load the weights at `path` and check their logprob canary; raises PolicyError if they did not arrive."""
        self._checkpoint, self.policy_id = open_checkpoint(path, self._base), policy_hash(path)
        self._server.serve(self._checkpoint, self.policy_id, canary)

    def rest(self) -> None:
        """Let the server free GPU memory (engine.vllm.sleep) until it is needed again."""
        self._server.rest()

    async def _complete(self, prompt: Sequence[int], sampling: SamplingParams, seed: int) -> Completion:
        body: dict[str, Any] = completions.request(self._server.model, prompt, sampling, seed, self._codec.stop_ids)
        try:
            answer = await self._server.client.ask(completions.PATH, body)
        except ServerLostError as error:
            raise self._server.gone(error) from None
        return completions.read(answer, prompt, sampling.max_tokens, self._codec.stop_ids)
