"""A policy in memory: what training and rollout ask of it, whatever computes it.

The embedded policy (tiny/) and any other checkpoint (hf.py) give the same two things: logits of whole sequences, for
training, and a decoder with a cache, for rollout. Weights are saved in the dtype that they are held in, so that the
policy on disk is exactly the policy that was trained.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
import torch
from torch import Tensor, nn

from evotrainer.campaign.documents import write_json_atomic
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.checkpoint import Checkpoint, copy_without_weights, policy_hash, read_model_config
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.model_files import max_positions
from evotrainer.errors import PolicyError
from evotrainer.sandbox.kernel import num_processors


class Decoder(Protocol):
    """A batch of sequences that grow by one token at a time."""

    def start(self, ids: Tensor, padding: Tensor) -> Tensor:
        """Take prompts [B, T], padded on the left by padding [B]; return logits [B, V] of the next token."""
        ...

    def append(self, tokens: Tensor) -> Tensor:
        """Take one token a row, [B]; return logits [B, V] of the next."""
        ...

    def keep(self, rows: Tensor) -> None:
        """Drop all rows but these."""
        ...


class Sampler(Protocol):
    """Samples whole responses at once, without a decoder."""

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Return one completion a prompt, in order."""
        ...


def completions(tokens: Any, logprobs: Any, lengths: Any, stopped: Any) -> list[Completion]:
    """Return what was drawn into arrays: tokens and logprobs [B, S], of each row its length and whether it stopped."""
    columns = (each.tolist() for each in (tokens, logprobs, lengths, stopped))
    return [
        Completion(tuple(ids[:length]), tuple(values[:length]), "stop" if has_stopped else "max_tokens")
        for ids, values, length, has_stopped in zip(*columns, strict=True)
    ]


def uniforms(seeds: Sequence[int], count: int) -> np.ndarray:
    """Return the uniform numbers of each row's draws, [B, count]; each row has its own generator."""
    return np.stack([np.random.Generator(np.random.Philox(key=seed)).random(count) for seed in seeds])


class Policy(ABC):
    """A loaded policy. `policy_id` is the hash of the directory it was loaded from."""

    def __init__(self, model: nn.Module, checkpoint: Checkpoint, device: torch.device) -> None:
        self.model, self.checkpoint, self.device = model.to(device).eval(), checkpoint, device
        self.path = checkpoint.path
        self.config = read_model_config(checkpoint.base)
        self.codec = HfChatCodec.from_directory(checkpoint.base)
        self.policy_id = policy_hash(self.path)
        if (broken := not_finite(self.model)) is not None:
            raise PolicyError(f"{self.path} has weights that are no numbers (first: {broken}): restore them")
        self.max_positions = max_positions(checkpoint.base) or 2**31

    @property
    def shares_prompts(self) -> bool:
        """Whether the prompt of a group can be computed once."""
        return False

    @classmethod
    @abstractmethod
    def load(cls, path: Path, device: str = "cpu") -> Self:
        """Load the policy in the directory `path`; raises PolicyError if it is absent, corrupt or of another kind."""

    @abstractmethod
    def logits(self, ids: Tensor, places: Tensor | None = None, rows: Sequence[int] | None = None) -> Tensor:
        """Return logits [B, T, V] of ids [B, T], padded on the right: a causal model needs no mask for that.

        `places` [B, T] of booleans: return those of N such positions, [N, V]. Of many turns few tokens were sampled.
        `rows` [B]: sequences with the same number have one prompt, which is computed once; see `shares_prompts`.
        """

    def training_pass(self) -> AbstractContextManager[None]:
        """Return the context of one forward and backward pass; whole models are the same in training and rollout."""
        return nullcontext()

    def rollout_pass(self, num_rows: int, num_steps: int) -> AbstractContextManager[None]:
        """Return the context of decoding so many rows for at most so many steps."""
        return nullcontext()

    @abstractmethod
    def decoder(self, max_length: int) -> Decoder:
        """Return an empty decoder for sequences of at most max_length tokens, padding included."""

    def sampler(self) -> Sampler | None:
        """Return a sampler of the present weights, where this policy has one on this device."""
        return None

    @abstractmethod
    def write_weights(self, out: Path) -> None:
        """Write the weights into the directory `out`; equal weights give equal bytes."""

    def save(self, out: Path) -> str:
        """Write a Hugging Face directory, all but the weights taken from where it was loaded; return its hash."""
        copy_without_weights(self.path, out)
        self.write_weights(out)
        config: dict[str, Any] = read_model_config(out)
        config.pop("torch_dtype", None)
        write_json_atomic(out / "config.json", config | {"dtype": dtype_name(self.model)}, indent=2)
        return policy_hash(out)


def not_finite(model: nn.Module) -> str | None:
    """Return the name of the first weights that hold a value which is not finite, or None."""
    for name, weights in model.named_parameters():
        if weights.is_floating_point() and not bool(torch.isfinite(weights).all()):
            return name
    return None


def dtype_name(model: nn.Module) -> str:
    """Return the name of the dtype that a network's weights are held in, like bfloat16."""
    return str(next(model.parameters()).dtype).removeprefix("torch.")


def prepare_torch(num_threads: int, device: str = "cpu") -> None:
    """Fix the number of threads and choose deterministic kernels, for the whole process.

    On a CPU every kernel in use has a deterministic form, and one without is an error. CUDA has none for some of them
    (cumsum is one): there torch takes what it has and warns of the rest.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    os.environ.setdefault("FLASH_ATTENTION_DETERMINISTIC", "1")
    torch.set_num_threads(num_threads or num_processors())
    on_cuda = pick_device(device).type == "cuda"
    # use_deterministic_algorithms() loads the compiler: two seconds
    torch.set_deterministic_debug_mode("warn" if on_cuda else "error")
    # nothing reads what was not written
    torch.utils.deterministic.fill_uninitialized_memory = False  # pyright: ignore[reportAttributeAccessIssue]
    if on_cuda:
        torch.backends.cuda.enable_cudnn_sdp(False)  # it plans anew for each length, and is not deterministic


def pick_device(name: str) -> torch.device:
    """Return the device that `engine.device` names: auto, cpu or cuda."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise PolicyError("engine.device=cuda, but torch finds no CUDA device here: use engine.device=auto")
    return torch.device(name)
