"""AdamW on a CPU, bit for bit torch.optim.AdamW's (Loshchilov and Hutter, arXiv 1711.05101).

Why one more: torch's optimisers load its compiler when they are made, nearly two seconds of every process that trains.
A test compares weights and moments after many steps.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

EPSILON = 1e-8


class AdamW:
    """Takes steps on parameters that have a gradient; it has the part of torch's interface that is used here."""

    def __init__(
        self, parameters: Iterable[Tensor], lr: float, betas: tuple[float, float], weight_decay: float = 0.0
    ) -> None:
        self.parameters = list(parameters)
        self.param_groups: list[dict[str, Any]] = [{"params": self.parameters, "lr": lr}]
        self.betas, self.weight_decay = betas, weight_decay
        self._steps = [0] * len(self.parameters)
        self._means = [torch.zeros_like(value, requires_grad=False) for value in self.parameters]
        self._squares = [torch.zeros_like(value, requires_grad=False) for value in self.parameters]

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients."""
        assert set_to_none, "zeros would count as gradients"
        for value in self.parameters:
            value.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Take one step."""
        for index, value in enumerate(self.parameters):
            if value.grad is not None:
                self._steps[index] += 1
                self._move(index, value, value.grad)

    def state_dict(self) -> dict[str, Any]:
        """Return counts and moments."""
        return {"steps": list(self._steps), "means": self._means, "squares": self._squares}

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Put counts and moments in place."""
        self._steps = list(state["steps"])
        for own, stored in zip([*self._means, *self._squares], [*state["means"], *state["squares"]], strict=True):
            own.copy_(stored)

    def _move(self, index: int, value: Tensor, grad: Tensor) -> None:
        rate, (beta1, beta2) = self.param_groups[0]["lr"], self.betas
        step, mean, square = self._steps[index], self._means[index], self._squares[index]
        if self.weight_decay:
            value.mul_(1 - rate * self.weight_decay)
        mean.lerp_(grad, 1 - beta1)
        square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        scale = (square.sqrt() / (1 - beta2**step) ** 0.5).add_(EPSILON)
        value.addcdiv_(mean, scale, value=-rate / (1 - beta1**step))
