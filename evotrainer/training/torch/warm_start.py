"""The embedded base policy v0: a tiny policy, warm-started by supervision on synthetic demonstrations.

Reinforcement learning needs a policy that sometimes succeeds. This one is trained on next-token prediction of the
response, with AdamW and a cosine decay, for a fixed number of steps. The same configuration gives the same bytes: there
is no early stopping, and one thread, because the number of threads changes the last bits and more are slower at this
size. A second process plays the episodes in a fixed order. No problem set is read. The problems that were demonstrated
are written beside the policy and are no part of it (contamination.py compares them with the evaluated ones).
"""

import math
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import EmbeddedPolicyConfig
from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.base import ALPHABET, Demonstration
from evotrainer.domains.problem_sets.overlap import write_demonstrated
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.policy import Policy, prepare_torch
from evotrainer.engines.tiny.creation import create_policy
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.training.torch.adamw import AdamW

WARMUP_STEPS = 20
MAX_GRAD_NORM = 1.0
ADAM_BETAS = (0.9, 0.98)
PREFETCHED = 32
"""Batches that wait for their step at most."""

_Row = tuple[list[int], list[bool]]
"""The ids of an episode, and for each whether it is taught."""
_Batch = tuple[np.ndarray, np.ndarray, list[str]]
"""Ids [B, T+1], the weights [B, T] of predicting ids[1:], and what identifies the problems that were met meanwhile.

Not tensors: each would be fetched from the other process by a handshake, for which its busy interpreter lets us wait.
"""

Progress = Callable[[int, float], None]
"""Called after each step with the number of steps taken and the loss, nats a token."""


def warm_start(config: EmbeddedPolicyConfig, out: Path, progress: Progress) -> str:
    """Build the base policy in `out`, replacing what is there, and return its hash."""
    prepare_torch(1)
    with tempfile.TemporaryDirectory() as folder:
        blank = Path(folder) / "policy"
        create_policy(
            blank, config, ALPHABET, derive_seed(config.warm_start_seed, "weights"), find_domain(config.domain).pieces()
        )
        policy = EmbeddedPolicy.load(blank)
        demonstrated: set[str] = set()
        _train(policy, config, progress, demonstrated)
        saved = policy.save(out)
        write_demonstrated(out, sorted(demonstrated))
        return saved


def _train(policy: Policy, config: EmbeddedPolicyConfig, progress: Progress, demonstrated: set[str]) -> None:
    optimiser = AdamW(policy.model.parameters(), lr=config.warm_start_learning_rate, betas=ADAM_BETAS)
    batches = DataLoader(
        _Batches(policy.codec, config),
        batch_size=None,
        num_workers=1,
        prefetch_factor=PREFETCHED,
        collate_fn=_unchanged,
    )
    policy.model.train()
    for step, (ids, weights, identities) in enumerate(batches, start=1):
        demonstrated.update(identities)
        ids_BT, weights_BT = torch.from_numpy(ids), torch.from_numpy(weights)
        losses_BT = F.cross_entropy(policy.logits(ids_BT[:, :-1]).transpose(1, 2), ids_BT[:, 1:], reduction="none")
        loss = (losses_BT * weights_BT).sum() / weights_BT.sum()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.model.parameters(), MAX_GRAD_NORM)
        optimiser.param_groups[0]["lr"] = config.warm_start_learning_rate * _rate(step - 1, config.warm_start_steps)
        optimiser.step()
        progress(step, loss.item())


def _rate(step: int, num_steps: int) -> float:
    """Factor of the learning rate: linear warm-up, then cosine decay to zero."""
    return min(1.0, (step + 1) / WARMUP_STEPS) * 0.5 * (1 + math.cos(math.pi * step / num_steps))


class _Batches(IterableDataset[_Batch]):
    """The batches: `warm_start_pool` at a time, each of episodes of like length, in random order."""

    def __init__(self, codec: HfChatCodec, config: EmbeddedPolicyConfig) -> None:
        self._codec, self._config = codec, config

    def __iter__(self) -> Iterator[_Batch]:
        return islice(self._without_end(), self._config.warm_start_steps)

    def _without_end(self) -> Iterator[_Batch]:
        config = self._config
        examples = find_domain(config.domain).demonstrations(derive_seed(config.warm_start_seed, "demonstrations"))
        rng, size = Random(derive_seed(config.warm_start_seed, "batches")), config.warm_start_batch
        while True:
            pool = list(islice(examples, size * config.warm_start_pool))
            identities = [example.identity for example in pool]
            rows = [_token_ids(self._codec, example) for example in pool]
            if config.warm_start_pool > 1:
                rows.sort(key=lambda row: len(row[0]))
            starts = list(range(0, len(rows), size))
            rng.shuffle(starts)
            for start in starts:
                yield *_pad(rows[start : start + size], config.warm_start_context), identities
                identities = []


def _unchanged(batch: Any) -> Any:
    return batch


def _pad(rows: list[_Row], context_weight: float) -> tuple[np.ndarray, np.ndarray]:
    """Return ids [B, T+1], padded on the right, and the weights [B, T] of predicting ids[1:]."""
    longest = max(len(ids) for ids, _ in rows)
    ids_BT = np.zeros((len(rows), longest), dtype=np.int64)
    weights_BT = np.zeros((len(rows), longest - 1), dtype=np.float32)
    for row, (ids, is_taught) in enumerate(rows):
        ids_BT[row, : len(ids)] = ids
        weights_BT[row, : len(ids) - 1] = np.where(is_taught[1:], 1.0, context_weight)
    return ids_BT, weights_BT


def _token_ids(codec: HfChatCodec, example: Demonstration) -> _Row:
    """Return the ids of the episode as the policy would meet it, and for each whether it is taught."""
    ids = codec.encode(example.opening)
    is_taught = [False] * len(ids)
    for turn in example.turns:
        if len(is_taught) < len(ids):
            is_taught += [False] * (len(ids) - len(is_taught))
        sampled = codec.response_ids(turn.response)
        is_taught += [turn.is_taught] * len(sampled)
        ids = codec.extend(ids, sampled, turn.answers) if turn.answers else [*ids, *sampled]
    return ids[: len(is_taught)], is_taught
