"""Logits at some places of some sequences: of padded rows, or of one row in which the sequences lie end to end.

Only the places of sampled tokens pass the output layer, whose logits are most of what a large vocabulary costs.
"""

from typing import Any, cast

import torch
from torch import Tensor, nn

from evotrainer.engines.policy import dtype_name
from evotrainer.errors import ConfigError

PACKING_TOLERANCE = {"float32": 1e-4, "bfloat16": 0.3, "float16": 0.1}
"""Nats by which packing may move a logprob: rounding moves it by less, a sequence that sees another by far more."""


def placed_logits(model: nn.Module, ids: Tensor, places: Tensor) -> Tensor:
    """Return logits [N, V] of the places in ids [B, T]; the output layer sees the columns that hold one."""
    columns = places.any(0).nonzero()[:, 0]
    logits = model(ids, use_cache=False, logits_to_keep=columns).logits
    if logits.shape[1] != len(columns):  # an architecture that knows no logits_to_keep
        return logits[places]
    return logits[places[:, columns]]


def packed_logits(model: nn.Module, ids: Tensor, places: Tensor) -> Tensor:
    """Return logits [N, V] of the places in ids [B, T], computed in one row without padding.

    Positions begin anew with each sequence. From that transformers makes a block-diagonal mask (sdpa, eager), or
    lengths for flash attention, so that no token sees another sequence.
    """
    positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    last = (positions * places).amax(1, keepdim=True)
    kept = positions <= last  # [B, T]
    wanted = places[kept].nonzero()[:, 0]
    out = model(ids[kept][None], position_ids=positions[kept][None], use_cache=False, logits_to_keep=wanted)
    return out.logits[0] if out.logits.shape[1] == len(wanted) else out.logits[0, wanted]


@torch.no_grad()
def check_packing(model: nn.Module, device: torch.device) -> None:
    """Raise ConfigError where packed sequences see each other, as in a network with a recurrent state."""
    vocabulary = cast(Any, model).get_input_embeddings().weight.shape[0]
    ids = torch.randint(vocabulary, (3, 12), generator=torch.Generator().manual_seed(0)).to(device)
    places = torch.ones_like(ids, dtype=torch.bool)
    plain, packed = (run(model, ids, places).float().log_softmax(-1) for run in (placed_logits, packed_logits))
    gap = float((plain - packed).abs().max())
    if gap > PACKING_TOLERANCE[dtype_name(model)]:
        raise ConfigError(
            f"engine.packing=true changes logprobs of this architecture by {gap:.3g} nats, because its sequences see "
            "each other: set engine.packing=false"
        )
