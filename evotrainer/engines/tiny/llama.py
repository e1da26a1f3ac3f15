"""Llama in plain torch, over the same directory, parameter names and numbers as transformers' LlamaForCausalLM.

Only embedded policies use it. Why a second implementation: importing transformers takes about five seconds, and every
stage of every version is a process of its own. Decoding a small policy is bound by Python, where a static cache and
short operations count. A test holds logits and gradients equal to transformers'. It does not do what the embedded
policies lack: grouped heads, biases, scaled rotary embeddings, other activations (`is_plain_llama` says no).
Source: Touvron et al. (arXiv 2302.13971); rotary embeddings in the half-split layout of Hugging Face checkpoints.

Legend: B rows, T positions, C hidden size, H heads, D head size, V vocabulary.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class LlamaShape:
    """What a config.json says about the network."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_layers: int
    num_heads: int
    rms_norm_eps: float
    rope_theta: float
    max_positions: int
    tie_embeddings: bool

    @property
    def head_dim(self) -> int:
        """Size of a head."""
        return self.hidden_size // self.num_heads

    @property
    def is_even(self) -> bool:
        """Whether products have the depths that the compiled pass takes: multiples of 4."""
        return self.head_dim % 4 == self.intermediate_size % 4 == 0

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "LlamaShape":
        """Read the values of a config.json, with Llama's defaults for absent ones."""
        return cls(
            vocab_size=config["vocab_size"],
            hidden_size=config["hidden_size"],
            intermediate_size=config["intermediate_size"],
            num_layers=config["num_hidden_layers"],
            num_heads=config["num_attention_heads"],
            rms_norm_eps=config.get("rms_norm_eps", 1e-6),
            rope_theta=_rope(config).get("rope_theta") or config.get("rope_theta", 10_000.0),
            max_positions=config.get("max_position_embeddings", 2048),
            tie_embeddings=config.get("tie_word_embeddings", False),
        )


def _rope(config: dict[str, Any]) -> dict[str, Any]:
    return config.get("rope_parameters") or config.get("rope_scaling") or {}


def is_plain_llama(config: dict[str, Any]) -> bool:
    """Return whether this module computes what the config.json describes."""
    rope, num_heads = _rope(config), config.get("num_attention_heads")
    return (
        config.get("model_type") == "llama"
        and config.get("num_key_value_heads", num_heads) in (None, num_heads)
        and not (config.get("attention_bias") or config.get("mlp_bias"))
        and rope.get("rope_type", rope.get("type", "default")) == "default"
        and config.get("hidden_act", "silu") == "silu"
        and not config.get("attention_dropout")
        and config.get("quantization_config") is None
    )


class LlamaDecoder:
    """Decoding with keys and values of all layers at fixed places, filled up to `length`."""

    def __init__(self, model: "Llama", max_length: int) -> None:
        self.model, self.max_length, self.length = model, max_length, 0

    def start(self, ids: Tensor, padding: Tensor) -> Tensor:
        """Take prompts; return next logits [B, V]."""
        shape, dtype, device = self.model.shape, self.model.lm_head.weight.dtype, padding.device
        size = (shape.num_layers, len(padding), shape.num_heads, self.max_length, shape.head_dim)
        self.keys = torch.empty(size, dtype=dtype, device=device)  # [L, B, H, T, D]
        self.values = torch.empty(size, dtype=dtype, device=device)
        self.padding, self.length = padding, 0  # [B] positions before the first token of each row
        hidden = torch.arange(self.max_length, device=device) < padding[:, None]
        self.bias = torch.zeros(hidden.shape, dtype=dtype, device=device).masked_fill_(hidden, -torch.inf)  # [B, T]
        return self.model(ids, self)[:, -1]

    def append(self, tokens: Tensor) -> Tensor:
        """Take one token a row; return next logits [B, V]."""
        return self.model(tokens[:, None], self)[:, -1]

    def keep(self, rows: Tensor) -> None:
        """Drop all rows but these."""
        self.keys, self.values = self.keys[:, rows], self.values[:, rows]
        self.padding, self.bias = self.padding[rows], self.bias[rows]


class RMSNorm(nn.Module):
    """Root-mean-square normalisation, in float32 as Llama does."""

    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """Return x [..., C], each vector scaled to unit mean square times the weight."""
        wide = x.float()
        return self.weight * (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.eps)).to(x.dtype)


def _rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    return x * cos + x.roll(x.shape[-1] // 2, -1) * sin


class Attention(nn.Module):
    """Causal self-attention."""

    def __init__(self, shape: LlamaShape, layer: int) -> None:
        super().__init__()
        self.layer, self.head_dim = layer, shape.head_dim
        size = shape.hidden_size
        self.q_proj, self.k_proj = nn.Linear(size, size, bias=False), nn.Linear(size, size, bias=False)
        self.v_proj, self.o_proj = nn.Linear(size, size, bias=False), nn.Linear(size, size, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, cache: LlamaDecoder | None, bias: Tensor | None) -> Tensor:
        """Return [B, T, C]; with a cache, keys and values of x are appended to it."""
        heads = (*x.shape[:2], -1, self.head_dim)
        query = _rotate(self.q_proj(x).view(heads), cos, sin).transpose(1, 2)  # [B, H, T, D]
        key = _rotate(self.k_proj(x).view(heads), cos, sin).transpose(1, 2)  # [B, H, T, D]
        value = self.v_proj(x).view(heads).transpose(1, 2)
        if cache is not None:
            start, end = cache.length, cache.length + x.shape[1]
            cache.keys[self.layer, :, :, start:end] = key
            cache.values[self.layer, :, :, start:end] = value
            key, value = cache.keys[self.layer, :, :, :end], cache.values[self.layer, :, :, :end]
        out = self._attend(query, key, value, bias)  # [B, H, T, D]
        return self.o_proj(out.transpose(1, 2).flatten(2))

    def _attend(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None) -> Tensor:
        if bias is None or query.shape[2] > 1:
            return F.scaled_dot_product_attention(query, key, value, attn_mask=bias, is_causal=bias is None)
        # One position a row: two small batched products beat the fused kernel, which pays for its blocks.
        weights = (query @ key.transpose(2, 3)).mul_(self.head_dim**-0.5).add_(bias).softmax(-1)  # [B, H, 1, T]
        return weights @ value


class MLP(nn.Module):
    """Gated feed-forward layer."""

    def __init__(self, shape: LlamaShape) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False)
        self.up_proj = nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False)
        self.down_proj = nn.Linear(shape.intermediate_size, shape.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return [B, T, C]."""
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """One block."""

    def __init__(self, shape: LlamaShape, layer: int) -> None:
        super().__init__()
        self.self_attn = Attention(shape, layer)
        self.mlp = MLP(shape)
        self.input_layernorm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)
        self.post_attention_layernorm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, cache: LlamaDecoder | None, bias: Tensor | None) -> Tensor:
        """Return [B, T, C]."""
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, cache, bias)
        return x + self.mlp(self.post_attention_layernorm(x))


class Blocks(nn.Module):
    """The stack of blocks."""

    def __init__(self, shape: LlamaShape) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.layers = nn.ModuleList(Layer(shape, layer) for layer in range(shape.num_layers))
        self.norm = RMSNorm(shape.hidden_size, shape.rms_norm_eps)


class Llama(nn.Module):
    """A causal language model; parameter names are those of a Hugging Face checkpoint."""

    def __init__(self, shape: LlamaShape) -> None:
        super().__init__()
        self.shape = shape
        self.model = Blocks(shape)
        self.lm_head = nn.Linear(shape.hidden_size, shape.vocab_size, bias=False)
        if shape.tie_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight
        half = torch.arange(0, shape.head_dim, 2, dtype=torch.float) / shape.head_dim
        self.inverse_frequency = nn.Buffer(1.0 / shape.rope_theta**half, persistent=False)

    def forward(self, ids: Tensor, cache: LlamaDecoder | None = None, places: Tensor | None = None) -> Tensor:
        """Return logits [B, T, V] of ids [B, T]; with a cache, of the last position only, [B, 1, V].

        `places` [B, T] of booleans: return those of N such positions, [N, V].

        Without a cache rows start at position 0 and may be padded on the right. With one, the first call may be
        padded on the left as the cache says, and each later call appends.
        """
        positions = torch.arange(ids.shape[1], device=ids.device)[None]  # [1 or B, T]
        bias = None
        if cache is not None:
            positions = (positions + cache.length - cache.padding[:, None]).clamp_(min=0)
            bias = self._bias(cache, ids.shape[1])
        cos, sin = self._rotary(positions)
        x = self.model.embed_tokens(ids)
        for layer in self.model.layers:
            x = layer(x, cos, sin, cache, bias)
        if cache is not None:
            cache.length += ids.shape[1]
            x = x[:, -1:]
        if places is not None:
            x = x[places]
        return self.lm_head(self.model.norm(x))

    def _rotary(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return cosines and signed sines [B, T, 1, D]: the sign of the half-split rotation is folded in."""
        angles = positions[:, :, None, None].float() * self.inverse_frequency  # [B, T, 1, D/2]
        cos, sin, dtype = angles.cos(), angles.sin(), self.lm_head.weight.dtype
        return torch.cat([cos, cos], -1).to(dtype), torch.cat([-sin, sin], -1).to(dtype)

    @staticmethod
    def _bias(cache: LlamaDecoder, num_new: int) -> Tensor:
        """Return the additive mask [B, 1, new, end]; a padded query sees itself, so that no row is empty."""
        end = cache.length + num_new
        if num_new == 1:
            return cache.bias[:, None, None, :end]
        query = torch.arange(cache.length, end, device=cache.bias.device)[:, None]
        key = torch.arange(end, device=cache.bias.device)[None]
        seen = ((key <= query) & (key >= cache.padding[:, None, None])) | (key == query)  # [B, new, end]
        bias = torch.zeros(seen.shape, dtype=cache.bias.dtype, device=seen.device)
        return bias.masked_fill_(~seen, -torch.inf)[:, None]
