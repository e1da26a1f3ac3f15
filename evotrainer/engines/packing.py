"""Logits at the places of sampled tokens: of padded rows, or of rows that hold a prompt once and its attempts behind.

In a row of the second kind an attempt sees the prompt and itself, and its positions go on from the prompt's end. Logits
and gradients are those of one row an attempt, and the prompt is computed once (Prefix Grouper, arXiv 2506.05433).
The output layer sees the places alone: its logits are most of what a large vocabulary costs.

Legend: B sequences, T positions, R rows, W positions of a row, N places, V vocabulary.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn

from evotrainer.engines.policy import dtype_name

PACKING_TOLERANCE = {"float32": 1e-5, "bfloat16": 0.03, "float16": 0.01}
"""Mean KL divergence, nats, by which packing may move a prediction. Rounding to bfloat16 moves it by 0.004, an attempt
that sees another by 0.5 (SmolLM2-135M)."""
TAKES_MASKS = ("sdpa", "eager")
"""Kinds of attention that take a mask of pairs of positions."""


def padded_logits(model: nn.Module, ids: Tensor, places: Tensor) -> Tensor:
    """Return logits [N, V] of the places in ids [B, T], a row each, padded on the right."""
    return _logits_at(model, places.flatten().nonzero()[:, 0], input_ids=ids)


def packed_logits(model: nn.Module, ids: Tensor, places: Tensor, rows: Sequence[int]) -> Tensor:
    """Return logits [N, V] of the places in ids [B, T].

    Sequences with the same number in `rows` share a row. They agree up to their first place, which is their prompt.
    """
    laid = _lay_out(ids.cpu(), places.cpu(), rows)
    laid = _Rows(*(part.to(ids.device) for part in laid))
    return _logits_at(
        model, laid.places, input_ids=laid.ids, position_ids=laid.positions, attention_mask=_masks(model, laid)
    )


@torch.no_grad()
def can_pack(model: nn.Module, device: torch.device) -> bool:
    """Return whether attempts of one row leave each other alone in this network.

    They do not where a layer has a recurrent state, or where attention makes its own mask.
    """
    network = cast(Any, model)
    if network.config._attn_implementation not in TAKES_MASKS:
        return False
    vocabulary = network.get_input_embeddings().weight.shape[0]
    ids = torch.randint(vocabulary, (3, 12), generator=torch.Generator().manual_seed(0))
    ids[:, :4] = ids[0, :4]
    ids = ids.to(device)
    places = torch.ones_like(ids, dtype=torch.bool)
    places[:, :3] = False
    try:
        pair = padded_logits(model, ids, places), packed_logits(model, ids, places, [0, 0, 0])
    except Exception:  # each architecture that takes no mask refuses it by an error of its own
        return False
    plain, packed = (logits.float().log_softmax(-1) for logits in pair)
    moved = (plain.exp() * (plain - packed)).sum(-1).mean()
    return float(moved) <= PACKING_TOLERANCE[dtype_name(model)]


class _Rows(NamedTuple):
    """Prompts with their attempts, padded on the right."""

    ids: Tensor  # [R, W]
    positions: Tensor  # [R, W]
    owners: Tensor  # [R, W] 0 where the prompt lies, then the number of the attempt; -1 in the padding
    places: Tensor  # [N] which positions of all rows, counted through, are wanted


def _lay_out(ids: Tensor, places: Tensor, rows: Sequence[int]) -> _Rows:
    columns = torch.arange(ids.shape[1])
    starts = (places.int().argmax(1) + 1).tolist()  # the first place gives the first token of the answer
    ends = (places * (columns + 1)).amax(1).tolist()
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for sequence, (row, start, end) in enumerate(zip(rows, starts, ends, strict=True)):
        spans.setdefault(row, [(sequence, 0, start)]).append((sequence, start, max(start, end)))
    width = max(sum(end - begin for _, begin, end in row) for row in spans.values())
    laid_ids, positions = torch.zeros(2, len(spans), width, dtype=torch.long)
    owners, sources = torch.full_like(laid_ids, -1), torch.zeros_like(ids)
    for place, row in enumerate(spans.values()):
        at, prompt = 0, row[0][2]
        for owner, (sequence, begin, end) in enumerate(row):
            part = slice(at, at + end - begin)
            laid_ids[place, part], positions[place, part] = ids[sequence, begin:end], columns[begin:end]
            owners[place, part] = owner
            if owner:
                sources[sequence, begin - 1] = place * width + prompt - 1
                sources[sequence, begin:end] = place * width + torch.arange(at, part.stop)
            at = part.stop
    return _Rows(laid_ids, positions, owners, sources[places])


def _masks(model: nn.Module, rows: _Rows) -> Tensor | dict[str, Tensor]:
    """Return what is added to attention's scores, [R, 1, W, W]; by kind of layer where some have a window."""
    owners, positions = rows.owners, rows.positions
    earlier = torch.ones(2 * owners.shape[1:], dtype=torch.bool, device=owners.device).tril()
    sees = earlier & ((owners[:, :, None] == owners[:, None]) | (owners[:, None] == 0))  # [R, W, W]
    config, dtype = cast(Any, model).config.get_text_config(), cast(Any, model).get_input_embeddings().weight.dtype
    window, kinds = getattr(config, "sliding_window", None), set(getattr(config, "layer_types", None) or ())
    everything = _added(sees, dtype)
    if window is None or kinds == {"full_attention"}:
        return everything
    near = _added(sees & (positions[:, :, None] - positions[:, None] < window), dtype)
    return {"full_attention": everything, "sliding_attention": near} if kinds else near


def _added(sees: Tensor, dtype: torch.dtype) -> Tensor:
    hidden = torch.zeros(sees.shape, dtype=dtype, device=sees.device)
    return hidden.masked_fill_(~sees, torch.finfo(dtype).min)[:, None]


def _logits_at(model: nn.Module, places: Tensor, **inputs: Any) -> Tensor:
    """Return logits [N, V] of positions of all rows, counted through."""

    def select(layer: nn.Module, given: tuple[Any, ...]) -> tuple[Any, ...]:
        return (given[0].flatten(0, 1)[places][None], *given[1:])

    hook = cast(Any, model).get_output_embeddings().register_forward_pre_hook(select)
    try:
        return model(**inputs, use_cache=False).logits[0]
    finally:
        hook.remove()
