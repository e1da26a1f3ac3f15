"""Whether a server serves the weights of a checkpoint: logprobs of fixed prompts, computed here and asked there.

A server may accept new weights and keep the old ones, or mix both; it then answers as before. The canary goes the way
of rollouts: it samples a token after each prompt, through the prefix cache, and compares the most probable tokens. It
samples at temperature 0.5, so logprobs of the tempered distribution, which a server may be set to give, are found too.

A small update moves logprobs by less than two programs differ in bfloat16. The movement since the last check is
therefore compared as well: a server that stands still while the checkpoint moves is stale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import Policy
from evotrainer.engines.vllm.completions import request
from evotrainer.errors import PolicyError

LENGTHS = (8, 40, 160)
"""Tokens of the prompts: the longest fills whole blocks of the prefix cache."""
ASKED, KNOWN = 8, 64
"""Most probable tokens that are asked for, and those that are known of the checkpoint: ties may order differently."""
SAMPLING = SamplingParams(1, temperature=0.5)
TOLERANCE = {"float32": 2e-3, "float16": 0.1, "bfloat16": 0.4}
"""Nats by which the logprobs of two programs may differ, by the type of the served weights."""
RESOLUTION = {"float32": 2e-5, "float16": 5e-3, "bfloat16": 4e-2}
"""Nats that a checkpoint must move by before a server can be seen to stand still."""
STILL_SHARE = 0.1
"""A server that moved by less than this share of what its checkpoint moved stands still."""

Logprobs = list[dict[int, float]]
"""Of each prompt, {token id: logprob} of the most probable next tokens."""


@dataclass(frozen=True)
class Canary:
    """The prompts, and what a checkpoint makes of them."""

    policy_id: str
    prompts: tuple[tuple[int, ...], ...]
    expected: Logprobs


@torch.inference_mode()
def compute(policy: Policy, policy_id: str) -> Canary:
    """Return the canary of a policy in memory, computed in its own type."""
    longest, size = policy.max_positions - 1, policy.codec.tokenizer.get_vocab_size()
    prompts = tuple(_prompt(min(length, longest), size) for length in LENGTHS)
    expected = []
    for prompt in prompts:
        logits = policy.logits(torch.tensor([prompt], device=policy.device))[0, -1]
        top = logits.float().log_softmax(-1).topk(min(KNOWN, len(logits)))
        expected.append(dict(zip(top.indices.tolist(), top.values.tolist(), strict=True)))
    return Canary(policy_id, prompts, expected)


def questions(canary: Canary, model: str) -> list[dict[str, Any]]:
    """Return the requests that ask a server for its side."""
    return [request(model, prompt, SAMPLING, 0, (), top=ASKED) for prompt in canary.prompts]


def answered(answers: Sequence[dict[str, Any]]) -> Logprobs:
    """Return what a server makes of the prompts; raises PolicyError where it gives no logprobs by token id."""
    try:
        found = [answer["choices"][0]["logprobs"]["top_logprobs"][0] for answer in answers]
        return [{int(name.removeprefix("token_id:")): float(value) for name, value in top.items()} for top in found]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        raise PolicyError("the server gives no logprobs by token id: it must run vLLM 0.10.2 or newer") from None


def objection(canary: Canary, served: Logprobs, before: tuple[Canary, Logprobs] | None, dtype: str) -> str:
    """Return why the served weights are not the checkpoint's, or nothing; `before` is the last check that passed."""
    off = max(_distance(expected, given) for expected, given in zip(canary.expected, served, strict=True))
    if off > TOLERANCE[dtype]:
        return f"canary logprobs are off by {off:.3g} nats, {TOLERANCE[dtype]:g} are allowed"
    if before is None or before[0].prompts != canary.prompts:
        return ""
    moved = max(_movement(old, new) for old, new in zip(before[0].expected, canary.expected, strict=True))
    followed = max(_movement(old, new) for old, new in zip(before[1], served, strict=True))
    if moved > RESOLUTION[dtype] and followed < STILL_SHARE * moved:
        return f"the checkpoint's logprobs moved by {moved:.3g} nats and the server's by {followed:.3g}"
    return ""


def _distance(expected: dict[int, float], given: dict[int, float]) -> float:
    """Return by how much both sides differ at least.

    A token that a side does not list is no more probable there than the last one that it lists. `given` holds the
    sampled token too, however improbable.
    """
    floor, cut = min(expected.values()), sorted(given.values(), reverse=True)[:ASKED][-1]
    both = [abs(expected[token] - value) for token, value in given.items() if token in expected]
    only_given = [value - floor for token, value in given.items() if token not in expected]
    only_expected = [value - cut for token, value in expected.items() if token not in given]
    return max([0.0, *both, *only_given, *only_expected])


def _movement(old: dict[int, float], new: dict[int, float]) -> float:
    return max((abs(old[token] - new[token]) for token in old.keys() & new.keys()), default=float("inf"))


def _prompt(length: int, size: int) -> tuple[int, ...]:
    return tuple(np.random.default_rng([length, size]).integers(0, size, length).tolist())
