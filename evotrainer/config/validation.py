"""Whether a configuration can be used: the type, range or choices of every key, and what keys owe each other.

Hydra checks types when a person composes; an intervention, a hand-edited YAML file and a replayed proposal do not pass
through Hydra. All of them pass through here, so that a bad value is refused before anything is paid for. Numbers come
back in the declared type (1 becomes 1.0 where a float is declared): equal recipes then have equal hashes.
"""

import dataclasses
import math
from typing import Any, get_args, get_origin

from evotrainer.actions import turn_kinds
from evotrainer.config import Config, config_from_dict, config_to_dict, flatten
from evotrainer.errors import ConfigError

CHOICES: dict[str, tuple[Any, ...]] = {
    "domain.name": ("math", "code", "swe"),
    "engine.device": ("auto", "cpu", "cuda"),
    "algorithm.loss": ("grpo", "bnpo", "dr_grpo", "dapo", "gspo"),
    "algorithm.advantage": ("group_std", "group_mean", "batch_std"),
    "algorithm.kl_estimator": ("k1", "k2", "k3"),
    "filter.group": ("none", "group_variance", "std", "ragen_v1", "ragen_v2"),
    "filter.std_mode": ("ema", "absolute"),
    "data.curriculum": ("none", "easy_first", "hard_first", "band"),
    "data.mixture": ("uniform", "by_failure", "by_signal"),
    "trainer.name": ("rules", "random", "shuffled"),
    "memory.name": ("branch", "none"),
    "search.name": ("evotrainer", "hillclimb"),
    "evaluate.gate": ("sequential", "paired", "greedy"),
    "init": ("base", "parent"),
}
"""Values of the keys that name something."""

_NO_LIMIT = math.inf

RANGES: dict[str, tuple[float, float]] = {
    "engine.num_threads": (1, 1024),
    "engine.batch_trajectories": (1, 1_000_000),
    "engine.micro_batch_trajectories": (1, 1_000_000),
    "algorithm.learning_rate": (1e-9, 1),
    "algorithm.clip_low": (0.001, 0.999),
    "algorithm.clip_high": (0.001, 10),
    "algorithm.dual_clip": (0, 100),
    "algorithm.kl_coefficient": (0, 10),
    "algorithm.entropy_coefficient": (0, 1),
    "algorithm.num_minibatches": (1, 64),
    "algorithm.max_grad_norm": (1e-6, 1e6),
    "algorithm.weight_decay": (0, 1),
    "algorithm.warmup_steps": (0, 1_000_000),
    "algorithm.adam_beta2": (0.5, 0.99999),
    "reward.correct": (0, 10),
    "reward.format": (0, 10),
    "reward.length_penalty": (0, 10),
    "reward.overlong_penalty": (0, 10),
    "reward.partial": (0, 10),
    "reward.search_before_edit": (0, 10),
    "reward.edit_then_test": (0, 10),
    "reward.judge": (0, 10),
    "filter.keep_ratio": (0.01, 0.999),
    "filter.min_keep": (0, 1),
    "filter.ema_decay": (0.001, 1),
    "filter.absolute_std": (0, 10),
    "sampling.temperature": (0.05, 5),
    "sampling.top_p": (0.01, 1),
    "sampling.group_size": (2, 1024),
    "sampling.problems_per_step": (1, 65536),
    "sampling.max_response_tokens": (1, 1_000_000),
    "sampling.max_turns": (1, 1000),
    "data.band_low": (0, 1),
    "data.band_high": (0, 1),
    "trainer.pool_size": (1, 64),
    "search.candidates_per_generation": (1, 64),
    "budget.train_tokens": (1, _NO_LIMIT),
    "budget.max_steps": (1, _NO_LIMIT),
    "budget.rollout_problems": (1, 1_000_000),
    "budget.probe_problems": (0, 1_000_000),
    "budget.probe_rollouts": (0, 1_000_000),
    "budget.max_train_seconds": (1, _NO_LIMIT),
    "evaluate.attempts": (1, 1024),
    "evaluate.max_problems": (2, 1_000_000),
    "evaluate.max_response_tokens": (1, 1_000_000),
    "evaluate.max_turns": (1, 1000),
    "evaluate.temperature": (0, 5),
    "evaluate.bootstrap_samples": (100, 10_000_000),
    "evaluate.confidence": (0.5, 0.9999),
    "evaluate.max_error_share": (0, 1),
    "harness.escalate_after": (0, 100),
    "harness.max_new_diagnostics": (0, 100),
    "harness.plugin_seconds": (0.1, 3600),
    "harness.plugin_megabytes": (256, 1_000_000),
    "harness.diagnostic_seconds": (1, 36_000),
    "harness.diagnostic_megabytes": (256, 1_000_000),
    "evaluate.max_redraws": (0, 100),
    "evaluate.regraded_rows": (0, 1_000_000),
    "evaluate.error_budget": (1e-6, 0.05),
    "evaluate.max_gate_attempts": (4, 4096),
    "evaluate.recipe_seeds": (0, 512),
    "seed": (0, 2**62),
    "num_versions": (1, 999),
}
"""Lowest and highest usable value of each number, both allowed."""


def validated(config: Config) -> Config:
    """Return `config` with every value in its declared type; raises ConfigError for the first that cannot be used."""
    config = config_from_dict(_typed(config_to_dict(config), Config))
    for key, value in flatten(config_to_dict(config)).items():
        if key in CHOICES and value not in CHOICES[key]:
            raise ConfigError(f"{key}={value!r} is unknown: choose from {', '.join(map(str, CHOICES[key]))}")
        if key in RANGES:
            low, high = RANGES[key]
            if not low <= value <= high:
                raise ConfigError(f"{key}={value} is out of range: take a value from {low:g} to {high:g}")
    _check_pairs(config)
    turn_kinds(config.harness.turn_kinds)
    return config


def multiplied(key: str, value: float, ratio: float) -> float:
    """Return `value` times `ratio`, rounded and clamped to the key's range, of the value's own type."""
    low, high = RANGES[key]
    new = min(max(value * ratio, low), high)
    return round(new) if isinstance(value, int) else float(f"{new:.3g}")


def _check_pairs(config: Config) -> None:
    if config.data.band_low >= config.data.band_high:
        raise ConfigError(f"data.band_low={config.data.band_low} must be below data.band_high={config.data.band_high}")
    if 0 < config.algorithm.dual_clip <= 1:
        raise ConfigError(f"algorithm.dual_clip={config.algorithm.dual_clip} must be 0 (off) or above 1")
    if config.evaluate.gate == "sequential" and config.evaluate.attempts < 2:
        raise ConfigError("evaluate.gate=sequential needs evaluate.attempts of at least 2: one shows no noise")
    if config.evaluate.recipe_seeds == 1:
        raise ConfigError("evaluate.recipe_seeds=1 shows no spread between seeds: take 0 (off) or at least 2")
    weights = config.reward
    if weights.correct == 0 and weights.format == 0 and weights.partial == 0:
        raise ConfigError("reward.correct, reward.format and reward.partial are all 0: nothing would be rewarded")


def _typed(values: dict[str, Any], schema: Any, prefix: str = "") -> dict[str, Any]:
    typed = {}
    for field in dataclasses.fields(schema):
        key, value = f"{prefix}{field.name}", values[field.name]
        nested = dataclasses.is_dataclass(field.type)
        typed[field.name] = _typed(value, field.type, f"{key}.") if nested else _as_type(key, value, field.type)
    return typed


def _as_type(key: str, value: Any, kind: Any) -> Any:
    """Return `value` as the declared `kind`: a scalar type, list[scalar] or dict[str, scalar]."""
    if get_origin(kind) is list:
        if not isinstance(value, list | tuple):
            raise ConfigError(f"{key}={value!r} must be a list")
        return [_as_type(key, item, get_args(kind)[0]) for item in value]
    if get_origin(kind) is dict:
        if not isinstance(value, dict):
            raise ConfigError(f"{key}={value!r} must map names to values")
        return {str(name): _as_type(f"{key}.{name}", item, get_args(kind)[1]) for name, item in value.items()}
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind is Any:
        return value
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)) and kind is not float:
        return value
    words = {float: "a finite number", int: "a whole number", bool: "true or false", str: "text"}
    raise ConfigError(f"{key}={value!r} must be {words[kind]}")
