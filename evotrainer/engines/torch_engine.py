"""Rollout with plain torch: batched decoding with a cache, for any local Hugging Face causal language model.

Prompts of similar length are generated together, in batches padded on the left; finished rows are dropped. Equal
prompts are read once.
Each trajectory has its own generator (Philox keyed by its seed) and one uniform number a token, which the cumulative
distribution turns into a token. A row's tokens therefore do not depend on the other rows of its batch, within floating
point: another batch shape changes logprobs by about 1e-6. The same calls give the same bytes.

A policy may have a sampler of its own that takes whole batches: that of an embedded policy on a CPU is compiled
(tiny/compiled/). What follows here is its reference, and serves everything else: GPUs, other models, top_p.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from evotrainer.config import Config
from evotrainer.engines.base import ChatCodec, Completion, SamplingParams
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.policy import Decoder, Policy, completions, prepare_torch, uniforms
from evotrainer.engines.tiny.policy import EmbeddedPolicy

BLOCK = 256  # tokens whose mass is added up before one of them is looked for
DROP_SHARE = 0.8  # rows are dropped once fewer than this share of the batch is alive: each drop copies the cache


def load_policy(config: Config, path: Path) -> Policy:
    """Load a policy of this campaign; raises PolicyError if it is absent, corrupt or of an unknown kind.

    The configuration decides which class runs it, and not the directory: both kinds can be Llamas. All versions of a
    campaign descend from one base policy, so one answer holds for all.
    """
    engine = config.engine
    if config.policy.path:
        policy = TransformersPolicy.load(path, engine.device, config.policy.path, engine)
    else:
        policy = EmbeddedPolicy.load(path, engine.device)
    policy.codec.given_format = config.policy.tool_call_format
    return policy


class TorchRolloutEngine:
    """Runs a policy with torch; its weights may be trained meanwhile."""

    def __init__(self, policy: Policy, batch_trajectories: int = 512, is_compiled: bool = False) -> None:
        self.policy, self.batch_trajectories, self.is_compiled = policy, batch_trajectories, is_compiled
        self.codec: ChatCodec = policy.codec
        self.policy_id = policy.policy_id

    @classmethod
    def from_config(cls, config: Config, path: Path) -> "TorchRolloutEngine":
        """Load the policy at `path`; sets torch's threads for the process."""
        prepare_torch(config.engine.num_threads, config.engine.device)
        return cls(load_policy(config, path), config.engine.batch_trajectories, config.engine.compiled)

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Return one completion a prompt, in order; a prompt that fills the context gets an empty one (max_tokens)."""
        found: dict[int, Completion] = {}
        sampler = self.policy.sampler() if self.is_compiled and sampling.top_p == 1 else None
        draw = self._generate_batch if sampler is None else sampler.generate
        order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
        for start in range(0, len(order), self.batch_trajectories):
            batch = order[start : start + self.batch_trajectories]
            drawn = draw([prompts[i] for i in batch], sampling, [seeds[i] for i in batch])
            found |= zip(batch, drawn, strict=True)
        return [found[index] for index in range(len(prompts))]

    @torch.inference_mode()
    def _generate_batch(
        self, prompts: list[Sequence[int]], sampling: SamplingParams, seeds: list[int]
    ) -> list[Completion]:
        device = self.policy.device
        room = torch.tensor([min(sampling.max_tokens, self.policy.max_positions - len(prompt)) for prompt in prompts])
        num_steps = max(int(room.max()), 0)
        batch = _Batch(prompts, num_steps, room.clamp(min=0), torch.tensor(self.policy.codec.stop_ids))
        if num_steps == 0:
            return batch.completions()
        uniform = torch.from_numpy(uniforms(seeds, num_steps))  # [B, S] float64
        with self.policy.rollout_pass(len(prompts), num_steps):
            decoder, logits = self._read(prompts, num_steps)
            for step in range(num_steps):
                draws = uniform[batch.alive, step].to(device)
                tokens, logprobs = sample(logits, sampling.temperature, sampling.top_p, draws)
                kept = batch.add(step, tokens.cpu(), logprobs.cpu())
                if kept is not None:
                    if not len(kept):
                        break
                    decoder.keep(kept.to(device))
                    tokens = tokens[kept.to(device)]
                if step + 1 < num_steps:
                    logits = decoder.append(tokens)
        return batch.completions()

    def _read(self, prompts: list[Sequence[int]], num_steps: int) -> tuple[Decoder, Tensor]:
        """Return a decoder that has read the prompts, padded on the left, and its logits [B, V]."""
        longest, device = max(map(len, prompts)), self.policy.device
        rows = [torch.tensor(prompt, dtype=torch.long) for prompt in prompts]
        ids = pad_sequence(rows, True, self.policy.codec.pad_id, "left")
        padding = torch.tensor([longest - len(prompt) for prompt in prompts])
        decoder = self.policy.decoder(longest + num_steps)
        return decoder, decoder.start(ids.to(device), padding.to(device))


class _Batch:
    """What has been sampled. `alive` maps the decoder's rows to the batch's; finished ones may linger there."""

    def __init__(self, prompts: Sequence[Sequence[int]], num_steps: int, room: Tensor, stop_ids: Tensor) -> None:
        self.prompts, num_rows = prompts, len(prompts)
        self.tokens = torch.zeros(num_rows, num_steps, dtype=torch.long)
        self.logprobs = torch.zeros(num_rows, num_steps)
        self.lengths = torch.zeros(num_rows, dtype=torch.long)
        self.stopped = torch.zeros(num_rows, dtype=torch.bool)
        self.room, self.stop_ids = room, stop_ids
        self.alive = torch.arange(num_rows)
        self.running = room > 0  # [rows of the decoder]

    def add(self, step: int, tokens: Tensor, logprobs: Tensor) -> Tensor | None:
        """Record one token a row; return the decoder rows to keep, or None while dropping is not worth a copy."""
        rows = self.alive[self.running]
        self.tokens[rows, step] = tokens[self.running]
        self.logprobs[rows, step] = logprobs[self.running]
        self.lengths[rows] = step + 1
        ended = torch.isin(tokens, self.stop_ids)
        self.stopped[rows] = ended[self.running]
        self.running &= ~ended & (self.room[self.alive] > step + 1)
        num_running = int(self.running.sum())
        if num_running > DROP_SHARE * len(self.alive):
            return None
        kept = self.running.nonzero()[:, 0]
        self.alive, self.running = self.alive[kept], self.running[kept]
        return kept

    def completions(self) -> list[Completion]:
        return completions(self.tokens, self.logprobs, self.lengths, self.stopped)


def sample(logits: Tensor, temperature: float, top_p: float, uniform: Tensor) -> tuple[Tensor, Tensor]:
    """Draw a token a row from logits [B, V] with the uniform numbers [B]; return tokens and untempered logprobs [B].

    top_p keeps the most probable tokens up to the one that reaches the mass, as usual. Temperature 0 is greedy.
    """
    plain = logits.float()  # [B, V]
    highest, likeliest = plain.max(-1, keepdim=True)
    mass = (plain - highest).exp_()
    normaliser = highest[:, 0] + mass.sum(-1).log()
    if temperature == 0:
        tokens = likeliest
    else:
        if temperature != 1:
            mass = ((plain - highest) / temperature).exp_()
        tokens = _draw(_nucleus(mass, top_p) if top_p < 1 else mass, uniform)
    return tokens[:, 0], plain.gather(-1, tokens)[:, 0] - normaliser


def _draw(mass: Tensor, uniform: Tensor) -> Tensor:
    """Return the token [B, 1] at which the cumulative mass [B, V] reaches a share [B]: its block first, then itself."""
    blocks = F.pad(mass, (0, -mass.shape[-1] % BLOCK)).unflatten(-1, (-1, BLOCK))
    ends = blocks.sum(-1, dtype=torch.double).cumsum(-1)
    wanted = uniform[:, None] * ends[:, -1:]
    block = torch.searchsorted(ends, wanted, right=True).clamp_(max=ends.shape[-1] - 1)
    before = F.pad(ends, (1, 0)).gather(-1, block)
    within = blocks.take_along_dim(block[..., None], 1)[:, 0].double().cumsum(-1)
    places = torch.searchsorted(within, wanted - before, right=True).clamp_(max=BLOCK - 1)
    return (block * BLOCK + places).clamp_(max=mass.shape[-1] - 1)


def _nucleus(mass: Tensor, top_p: float) -> Tensor:
    mass = mass / mass.sum(-1, keepdim=True)
    ordered, places = torch.sort(mass, dim=-1, descending=True, stable=True)
    before = ordered.cumsum(-1) - ordered  # mass of the more probable tokens
    return torch.zeros_like(mass).scatter(-1, places, ordered.masked_fill(before >= top_p, 0.0))
