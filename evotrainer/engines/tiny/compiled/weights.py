"""The weights of an embedded policy in the layout that the compiled pass reads: panels of columns, end to end."""

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from evotrainer.engines.tiny.compiled.forward import Weights
from evotrainer.engines.tiny.compiled.instructions import PANEL
from evotrainer.engines.tiny.llama import Llama, LlamaShape


def pack(model: Llama) -> Weights:
    """Return the weights of a network as they are now."""
    named = {name.removesuffix(".weight"): _array(value) for name, value in model.state_dict().items()}
    layers = [f"model.layers.{index}" for index in range(model.shape.num_layers)]

    def products(*names: str) -> np.ndarray:
        return np.stack([_panels(*(named[f"{layer}.{name}"] for name in names)) for layer in layers])

    norms = [[named[f"{layer}.{place}_layernorm"] for place in ("input", "post_attention")] for layer in layers]
    cos, sin = _angles(model.shape)
    return Weights(
        embedding=named["model.embed_tokens"],
        norms=np.array(norms),
        attention=products("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
        attention_out=products("self_attn.o_proj"),
        gated=products("mlp.gate_proj", "mlp.up_proj"),
        down=products("mlp.down_proj"),
        last_norm=named["model.norm"],
        head=_panels(named["lm_head"]),
        cos=cos,
        sin=sin,
    )


@lru_cache(maxsize=4)
def _angles(shape: LlamaShape) -> tuple[np.ndarray, np.ndarray]:
    """Return cosines and sines of the rotary angles, [positions, D/2]."""
    half = torch.arange(0, shape.head_dim, 2, dtype=torch.float) / shape.head_dim
    angles = torch.arange(shape.max_positions)[:, None].float() * (1.0 / shape.rope_theta**half)
    return _array(angles.cos()), _array(angles.sin())


def _array(value: Tensor) -> np.ndarray:
    return np.array(value.detach().numpy(), np.float32, order="C")


def _panels(*parts: np.ndarray) -> np.ndarray:
    """Return the columns [columns, depth] of all parts as [P, depth, PANEL]; zeros fill the last panel."""
    whole = np.concatenate(parts)
    count = -(-len(whole) // PANEL)
    padded = np.zeros((count * PANEL, whole.shape[1]), np.float32)
    padded[: len(whole)] = whole
    return np.ascontiguousarray(padded.reshape(count, PANEL, -1).transpose(0, 2, 1))
