"""Linear layers whose weights lie as oneDNN multiplies them fastest, for the time of a rollout in float32 on a CPU.

A step of a rollout multiplies a few rows with all weights. torch lays the weights out anew in each product, which takes
a fifth of it, and half of that of a large output layer. Results differ from torch's own by rounding.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

LEAST_STEPS = 16
"""Steps that laying all weights out is worth: it takes the time of two or three."""


@contextmanager
def laid_out(model: nn.Module, num_rows: int, num_steps: int) -> Iterator[None]:
    """Let the model's linear layers multiply so for the time of a `with` block in which no weight changes."""
    modules: list[Any] = list(model.modules()) if num_steps >= LEAST_STEPS else []
    layers = [layer for layer in modules if _is_plain(layer)]
    try:
        for layer in layers:
            layer.forward = _multiply(layer.weight, layer.bias, num_rows)
        yield
    finally:
        for layer in layers:
            vars(layer).pop("forward", None)


def _is_plain(layer: Any) -> bool:
    is_float = type(layer) is nn.Linear and layer.weight.dtype == torch.float32
    return is_float and layer.weight.device.type == "cpu" and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")


def _multiply(weight: Tensor, bias: Tensor | None, num_rows: int) -> Any:
    laid = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), num_rows)
    return lambda values: torch.ops.mkldnn._linear_pointwise(values, laid, bias, "none", [], "")
