"""Whether a configuration can be used: the type, range or choices of every key, and rules that span two keys.

Hydra checks types when a person composes. An intervention, a hand-edited YAML file and a replayed proposal do not pass
through Hydra; all of them pass through here, before any compute is spent. Numbers come back in the declared type
(1 becomes 1.0 where a float is declared), so that equal recipes have equal hashes.
"""

import dataclasses
import math
from typing import Any, get_args, get_origin

from evotrainer.actions import action_classifier
from evotrainer.config import Config, config_from_dict, config_to_dict, flatten, limits
from evotrainer.config.campaign import check_operation
from evotrainer.config.code import CODE_KEYS, CODE_TERMS, is_reference
from evotrainer.config.schema import EngineConfig
from evotrainer.errors import ConfigError

CHOICES: dict[str, tuple[str, ...]] = dict(limits.declared(Config, limits.CHOICES))
"""Values of each key that names something, as its field declares them."""

OWN = frozenset(key for key, _ in limits.declared(Config, limits.OWN))
"""Keys that may also name an object of a person's own, as package.module:NAME."""

RANGES: dict[str, tuple[float, float]] = dict(limits.declared(Config, limits.RANGE))
"""Lowest and highest usable value of each number, as its field declares them."""


def validated(config: Config) -> Config:
    """Return `config` with every value in its declared type; raises ConfigError for the first that cannot be used."""
    config = config_from_dict(_typed(config_to_dict(config), Config))
    values = flatten(config_to_dict(config))
    for key, names in CHOICES.items():
        if values[key] not in names and not (key in OWN and limits.OWN_SIGN in values[key]):
            raise ConfigError(f"{key}={values[key]!r} is unknown: choose from {', '.join(names)}")
    for key, (low, high) in RANGES.items():
        if not low <= values[key] <= high:
            raise ConfigError(f"{key}={values[key]} is out of range: take a value from {low:g} to {high:g}")
    for key in CODE_KEYS:
        if values[key] and not is_reference(values[key]):
            raise ConfigError(f"{key}={values[key]!r} names no code: write file:<sha256>, the hash of the file's text")
    _check_pairs(config)
    action_classifier(config.harness.actions)
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
    if config.evaluate.measure == "pass" and config.evaluate.attempts < 8:
        raise ConfigError("evaluate.measure=pass needs evaluate.attempts of at least 8: two values of pass@4")
    if config.evaluate.measure != "mean" and config.evaluate.recipe_seeds:
        raise ConfigError(f"evaluate.recipe_seeds compares means: leave out evaluate.measure={config.evaluate.measure}")
    if config.evaluate.recipe_seeds == 1:
        raise ConfigError("evaluate.recipe_seeds=1 shows no spread between seeds: take 0 (off) or at least 2")
    _check_engine(config)
    check_operation(config.budget.total, config.autonomy)
    if config.autonomy.name != "full" and config.trainer.asks_model and config.search.candidates_per_generation > 1:
        raise ConfigError(
            f"autonomy={config.autonomy.name} with trainer={config.trainer.name} takes one candidate at a time, since "
            "a revision asks the model anew: set search.candidates_per_generation=1"
        )
    for term in CODE_TERMS:
        if term in config.reward.terms:
            raise ConfigError(f"reward.terms.{term} is taken by reward.{term}: give the term another name")
    weights = config.reward
    if weights.correct == 0 and weights.format == 0 and weights.partial == 0 and not any(weights.terms.values()):
        raise ConfigError("reward.correct, reward.format and reward.partial are all 0: nothing would be rewarded")


def _check_engine(config: Config) -> None:
    engine, plain = config.engine, EngineConfig()
    own = ("precision", "optimiser", "gradient_checkpointing", "micro_batch_tokens", "attention")
    changed = [name for name in own if getattr(engine, name) != getattr(plain, name)]
    changed += ["lora.rank"] if engine.lora.rank else []
    if changed and not config.policy.path:
        raise ConfigError(f"engine.{changed[0]} needs policy.path: the embedded policy trains whole, in float32")
    if engine.rollout == "vllm" and not (engine.vllm.url or engine.vllm.python):
        raise ConfigError(
            "engine.rollout=vllm needs a server: set engine=vllm, or engine.vllm.url to the address of one"
        )


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
