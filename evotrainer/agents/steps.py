"""Steps that a rule can take: how the new setting follows from the recipe and the evidence that it meets.

A step returns {flat key: new value}. Steps that multiply keep whole numbers whole, round to three digits, so that
recipes reached by different ways compare equal, and stay inside the ranges of validation.py.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from evotrainer.algorithm.kl_budget import headroom
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.validation import multiplied

Step = Callable[[Config, Mapping[str, float]], dict[str, Any]]
"""From the recipe and the reading (agents/base.py) to a setting."""


def constant(setting: Mapping[str, Any]) -> Step:
    """Set these values whatever they are now."""
    return lambda config, reading: dict(setting)


def reaching(key: str, *, least: float, most: float) -> Step:
    """Multiply a key by what takes a run to the distance of a healthy one, within [least, most].

    The bounds limit the extrapolation from one run; a run that is still far from its limit can be scaled again.
    """

    def step(config: Config, reading: Mapping[str, float]) -> dict[str, Any]:
        ratio = min(max(math.exp(headroom(reading.get("kl"), has_lost=reading.get("gain", 0.0) < 0)), least), most)
        return {key: multiplied(key, flatten(config_to_dict(config))[key], ratio)}

    return step


def scaled(
    ratios: Mapping[str, float], *, when_zero: float = 0.0, zero_below: float = 0.0, lowest: float = 0.0
) -> Step:
    """Multiply each key. From 0 the step goes to `when_zero`; a result below `zero_below` becomes 0."""

    def step(config: Config, reading: Mapping[str, float]) -> dict[str, Any]:
        flat = flatten(config_to_dict(config))
        setting = {}
        for key, ratio in ratios.items():
            new = multiplied(key, flat[key], ratio) if flat[key] else when_zero
            setting[key] = type(flat[key])(0 if new < zero_below else max(new, lowest))
        return setting

    return step


def swapped(grows: str, shrinks: str, ratio: int) -> Step:
    """Multiply one key and divide the other, so that their product stays."""

    def step(config: Config, reading: Mapping[str, float]) -> dict[str, Any]:
        flat = flatten(config_to_dict(config))
        return {grows: flat[grows] * ratio, shrinks: max(1, flat[shrinks] // ratio)}

    return step


def clip_higher(ratio: float) -> Step:
    """Raise the upper edge of the trust region, in proportion to the lower one."""

    def step(config: Config, reading: Mapping[str, float]) -> dict[str, Any]:
        edge = max(config.algorithm.clip_high, config.algorithm.clip_low) * ratio
        return {"algorithm.clip_low": config.algorithm.clip_low, "algorithm.clip_high": float(f"{edge:.3g}")}

    return step
