"""A policy on disk and in memory: an ordinary Hugging Face directory, loaded, saved and named by its content.

A Llama directory is run by llama.py, any other architecture by transformers; both give the same two things: logits of
whole sequences (training) and a decoder with a cache (rollout). Weights are held and saved in float32, so that the
policy on disk is exactly the policy that was trained; small updates would be lost in bfloat16.
Saving copies tokenizer and chat template byte for byte from the directory a policy came from.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.contexts import Memory
from evotrainer.engines.llama import Llama, LlamaCache, LlamaShape, is_plain_llama
from evotrainer.errors import PolicyError

READ_ROWS = 16
"""Rows that continue their contexts together: each is read from where the least known of them begins."""

WEIGHT_SUFFIXES = (".safetensors", ".bin", ".safetensors.index.json", ".bin.index.json")


class Decoder(Protocol):
    """A batch of sequences that grow by one token at a time."""

    def start(self, ids: Tensor, padding: Tensor, memories: Sequence[Memory | None] = ()) -> Tensor:
        """Take prompts [B, T], padded on the left by padding [B]; return logits [B, V] of the next token.

        What a row's memory holds of its first ids need not be computed again.
        """
        ...

    def append(self, tokens: Tensor) -> Tensor:
        """Take one token a row, [B]; return logits [B, V] of the next."""
        ...

    def keep(self, rows: Tensor) -> None:
        """Drop all rows but these."""
        ...

    def remember(self, row: int, start: int, end: int) -> Memory | None:
        """Return what is known of a row's ids in columns start to end; None where the decoder cannot give it back."""
        ...


class Policy:
    """A loaded policy. `policy_id` is the hash of the directory it was loaded from."""

    def __init__(self, model: nn.Module, config: dict[str, Any], path: Path, device: torch.device) -> None:
        self.model, self.config, self.path, self.device = model, config, path, device
        self.codec = HfChatCodec.from_directory(path)
        self.policy_id = policy_hash(path)
        self.max_positions = int(config.get("max_position_embeddings") or 2**31)

    def logits(self, ids: Tensor, places: Tensor | None = None) -> Tensor:
        """Return logits [B, T, V] of ids [B, T], padded on the right: a causal model needs no mask for that.

        `places` [B, T] of booleans: return those of N such positions, [N, V]. Of many turns few tokens were sampled.
        """
        if isinstance(self.model, Llama):
            return self.model(ids, places=places)
        logits = self.model(ids).logits
        return logits if places is None else logits[places]

    def decoder(self, max_length: int) -> Decoder:
        """Return an empty decoder for sequences of at most max_length tokens, padding included."""
        if isinstance(self.model, Llama):
            return LlamaDecoder(self.model, max_length)
        return TransformersDecoder(self.model)


class LlamaDecoder:
    """Decoding by llama.py's static cache."""

    def __init__(self, model: Llama, max_length: int) -> None:
        self.model, self.max_length = model, max_length
        self.cache: LlamaCache

    def start(self, ids: Tensor, padding: Tensor, memories: Sequence[Memory | None] = ()) -> Tensor:
        """Take prompts; return next logits [B, V]. Rows that continue a memory are read some at a time."""
        self.cache = LlamaCache(self.model.shape, padding, self.max_length, self.model.lm_head.weight.dtype)
        if not any(memories):
            return self.model(ids, self.cache)[:, -1]
        logits = [
            self._continue(ids, slice(first, first + READ_ROWS), memories[first : first + READ_ROWS])
            for first in range(0, len(ids), READ_ROWS)
        ]
        self.cache.length = ids.shape[1]
        return torch.cat(logits)

    def _continue(self, ids: Tensor, rows: slice, memories: Sequence[Memory | None]) -> Tensor:
        """Read rows from the first column that one of them does not know; return their next logits."""
        part = self.cache.part(rows)
        starts = part.padding.tolist()
        known = [start + (memory.num_ids if memory else 0) for start, memory in zip(starts, memories, strict=True)]
        part.length = min(*known, ids.shape[1] - 1)
        for block in (part.keys, part.values):
            block[..., : part.length, :] = 0.0  # what padding hides must be a number
        for row, (memory, start) in enumerate(zip(memories, starts, strict=True)):
            if memory is not None and (count := part.length - start) > 0:
                part.keys[:, row, :, start : part.length] = memory.keys[:, :, :count]
                part.values[:, row, :, start : part.length] = memory.values[:, :, :count]
        return self.model(ids[rows, part.length :], part)[:, -1]

    def append(self, tokens: Tensor) -> Tensor:
        """Take one token a row; return next logits [B, V]."""
        return self.model(tokens[:, None], self.cache)[:, -1]

    def keep(self, rows: Tensor) -> None:
        """Drop all rows but these."""
        self.cache.keep(rows)

    def remember(self, row: int, start: int, end: int) -> Memory | None:
        """Return what is known of a row's ids in columns start to end."""
        return Memory(self.cache.keys[:, row, :, start:end].clone(), self.cache.values[:, row, :, start:end].clone())


class TransformersDecoder:
    """Decoding by any transformers model, through past_key_values. It remembers nothing: caches differ too much."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.past: Any = None

    def start(self, ids: Tensor, padding: Tensor, memories: Sequence[Memory | None] = ()) -> Tensor:
        """Take prompts; return next logits [B, V]."""
        self.mask = (torch.arange(ids.shape[1], device=ids.device) >= padding[:, None]).long()  # [B, T]
        return self._forward(ids, (self.mask.cumsum(-1) - 1).clamp_(min=0))

    def append(self, tokens: Tensor) -> Tensor:
        """Take one token a row; return next logits [B, V]."""
        self.mask = torch.cat([self.mask, self.mask.new_ones(len(tokens), 1)], dim=1)
        return self._forward(tokens[:, None], self.mask.sum(-1, keepdim=True) - 1)

    def _forward(self, ids: Tensor, positions: Tensor) -> Tensor:
        out = self.model(
            input_ids=ids,
            attention_mask=self.mask,
            position_ids=positions,
            past_key_values=self.past,
            use_cache=True,
            logits_to_keep=1,
        )
        self.past = out.past_key_values
        return out.logits[:, -1]

    def keep(self, rows: Tensor) -> None:
        """Drop all rows but these."""
        self.past.batch_select_indices(rows)
        self.mask = self.mask[rows]

    def remember(self, row: int, start: int, end: int) -> Memory | None:
        """Return None."""
        return None


def prepare_torch(num_threads: int) -> None:
    """Fix the number of threads and choose deterministic kernels, for the whole process."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.set_num_threads(num_threads)
    torch.set_deterministic_debug_mode("error")  # use_deterministic_algorithms() loads the compiler: two seconds


def pick_device(name: str) -> torch.device:
    """Return the device that `engine.device` names: auto, cpu or cuda."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise PolicyError("engine.device=cuda, but torch finds no CUDA device here: use engine.device=auto")
    return torch.device(name)


def load_policy(path: Path, device: str = "cpu") -> Policy:
    """Load the policy in the directory `path`; raises PolicyError if it is absent, corrupt or of an unknown kind."""
    place = pick_device(device)
    config = _read_config(path)
    model = _load_llama(path, config) if _is_ours(path, config) else _load_transformers(path)
    return Policy(model.to(place).eval(), config, path, place)


def _read_config(path: Path) -> dict[str, Any]:
    try:
        return json.loads((path / "config.json").read_text())
    except FileNotFoundError:
        raise PolicyError(f"{path} is no policy: it has no config.json; give a Hugging Face model directory") from None
    except json.JSONDecodeError as error:
        raise PolicyError(f"{path / 'config.json'} is not JSON ({error}): restore the directory") from None


def _is_ours(path: Path, config: dict[str, Any]) -> bool:
    return is_plain_llama(config) and any(path.glob("*.safetensors"))


def _load_llama(path: Path, config: dict[str, Any]) -> Llama:
    model = Llama(LlamaShape.from_config(config))
    try:
        weights: dict[str, Tensor] = {}
        for file in sorted(path.glob("*.safetensors")):
            weights |= load_file(file)
        if model.shape.tie_embeddings:
            weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
        model.load_state_dict({name: value.float() for name, value in weights.items()})
    except (SafetensorError, RuntimeError, KeyError) as error:
        reason = str(error).strip().splitlines()[0]
        raise PolicyError(f"the weights in {path} are corrupt or do not fit its config.json: {reason}") from None
    return model


def _load_transformers(path: Path) -> nn.Module:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        return AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32, local_files_only=True)
    except Exception as error:  # every architecture and file format raises its own type
        reason = str(error).strip().splitlines()[0]
        raise PolicyError(f"transformers cannot load {path} as a causal language model: {reason}") from None


def save_policy(model: nn.Module, source: Path, out: Path) -> str:
    """Write the policy as a Hugging Face directory, all but the weights taken from `source`; return its hash.

    The same weights give the same bytes: one safetensors file with a single metadata entry.
    """
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    for file in sorted(source.iterdir()):
        if file.is_file() and not file.name.startswith(".") and not file.name.endswith(WEIGHT_SUFFIXES):
            shutil.copyfile(file, out / file.name)
    if isinstance(model, Llama):
        write_weights(model, out / "model.safetensors")
    else:
        cast(Any, model).save_pretrained(out)
    config = json.loads((out / "config.json").read_text())
    config.pop("torch_dtype", None)
    (out / "config.json").write_text(json.dumps(config | {"dtype": "float32"}, indent=2, sort_keys=True) + "\n")
    return policy_hash(out)


def write_weights(model: Llama, path: Path) -> None:
    """Write the weights as one safetensors file; a tied output layer is left out, as transformers does."""
    weights = {name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}
    if model.shape.tie_embeddings:
        del weights["lm_head.weight"]
    save_file(weights, path, metadata={"format": "pt"})


def policy_hash(path: Path) -> str:
    """Return the SHA-256 over names and bytes of the directory's files (first 16 hex digits)."""
    digest = hashlib.sha256()
    for file in sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")):
        digest.update(f"{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()[:16]
