"""AdamW over what a policy trains, with float32 weights beside those that are held in less.

In bfloat16 neighbouring numbers differ by a factor of about 1.004, so that most updates of a usual learning rate would
round to nothing. Where trained weights are not float32, the optimiser therefore keeps a float32 copy of each, adds the
micro-batches' gradients up in float32, steps on the copies and rounds them into the policy (mixed precision training,
arXiv 1710.03740, section 3.1). The policy that samples and that is stored is the rounded one. What the copies hold
beyond it lives as long as the run and is part of its resumable state.

    adamw       moments on the device, 8 bytes a trained weight
    adamw_8bit  moments in 8 bits by bitsandbytes (arXiv 2110.02861), about 2 bytes
    adamw_cpu   copies, gradients and moments in main memory: the device holds the policy alone, each step moves it once

Float32 weights on the device need no copy: then the steps are taken on the policy's own parameters. A policy of a
person's own takes torch's fused kernel, one pass over all weights: a quarter of the time of plain steps on a CPU.
"""

import importlib
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from evotrainer.config import AlgorithmConfig
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.policy import Policy
from evotrainer.errors import ConfigError

CPU = torch.device("cpu")


class Optimiser:
    """AdamW; `parameters` are what it steps on: the policy's own, or their float32 copies."""

    def __init__(self, policy: Policy, algorithm: AlgorithmConfig, kind: str = "adamw") -> None:
        self._trained = trained_parameters(policy)
        self._place = CPU if kind == "adamw_cpu" else policy.device
        self._has_copies = any(_needs_copy(value, self._place) for value in self._trained)
        self.parameters: list[Tensor] = [self._copy(value) for value in self._trained]
        self._hooks: list[RemovableHandle] = []
        self._adamw = _create_adamw(self.parameters, algorithm, kind, is_fused=isinstance(policy, TransformersPolicy))
        if self._has_copies:
            pairs = zip(self._trained, self.parameters, strict=True)
            self._hooks = [value.register_post_accumulate_grad_hook(_collector(copy)) for value, copy in pairs]

    def close(self) -> None:
        """Leave the policy's gradients to another optimiser."""
        self.zero_grad()
        for hook in self._hooks:
            hook.remove()

    def zero_grad(self) -> None:
        """Forget the gradients."""
        self._adamw.zero_grad(set_to_none=True)

    def set_rate(self, rate: float) -> None:
        """Set the learning rate of the next step."""
        for group in self._adamw.param_groups:
            group["lr"] = rate

    def clip_gradient(self, max_norm: float) -> Tensor:
        """Scale the gradient to at most this norm; return the norm that it had."""
        return torch.nn.utils.clip_grad_norm_(self.parameters, max_norm)

    def gradient(self) -> Tensor:
        """Return the gradient of all trained weights, [weights], in main memory."""
        parts = [value.grad if value.grad is not None else torch.zeros_like(value) for value in self.parameters]
        return torch.cat([part.flatten().cpu() for part in parts])

    @torch.no_grad()
    def step(self) -> None:
        """Take one step."""
        self._adamw.step()
        if self._has_copies:
            self._publish()

    def state_dict(self) -> dict[str, Any]:
        """Return moments and copies."""
        copies = [value.detach() for value in self.parameters] if self._has_copies else []
        return {"adamw": self._adamw.state_dict(), "copies": copies}

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Put moments and copies in place; the policy's weights follow from the copies."""
        self._adamw.load_state_dict(state["adamw"])
        for value, copy in zip(self.parameters, state["copies"], strict=self._has_copies):
            value.copy_(copy)
        if self._has_copies:
            self._publish()

    def _copy(self, value: Tensor) -> Tensor:
        if not self._has_copies:
            return value
        return value.detach().to(self._place, torch.float32, copy=True).requires_grad_()

    def _publish(self) -> None:
        for value, copy in zip(self._trained, self.parameters, strict=True):
            value.copy_(copy)


def trained_parameters(policy: Policy) -> list[nn.Parameter]:
    """Return the parameters that training changes: all of a whole model, of an adapted one the adapter's."""
    return [value for value in policy.model.parameters() if value.requires_grad]


def _needs_copy(value: Tensor, place: torch.device) -> bool:
    return value.dtype != torch.float32 or value.device.type != place.type


def _collector(copy: Tensor) -> Any:
    """Return a hook that adds a weight's gradient to its copy's and frees it."""

    def collect(value: Tensor) -> None:
        assert value.grad is not None
        if copy.grad is None:
            copy.grad = value.grad.to(copy.device, copy.dtype, copy=True)
        else:
            copy.grad += value.grad.to(copy.device, copy.dtype)
        value.grad = None

    return collect


def _create_adamw(
    parameters: list[Tensor], algorithm: AlgorithmConfig, kind: str, *, is_fused: bool
) -> torch.optim.Optimizer:
    settings: dict[str, Any] = {
        "lr": algorithm.learning_rate,
        "betas": (0.9, algorithm.adam_beta2),
        "weight_decay": algorithm.weight_decay,
    }
    if kind == "adamw_8bit":
        return _bitsandbytes().optim.AdamW8bit(parameters, **settings)
    return torch.optim.AdamW(parameters, **settings, foreach=False, fused=is_fused)


def _bitsandbytes() -> Any:
    try:
        return importlib.import_module("bitsandbytes")
    except ImportError:
        raise ConfigError("engine.optimiser=adamw_8bit needs bitsandbytes and a CUDA device: use adamw") from None
