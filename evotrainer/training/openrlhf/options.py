"""The map from a configuration to OpenRLHF 0.11.2. Its rows are options.yaml; docs/openrlhf.md shows them.

What OpenRLHF cannot express is refused with what to choose instead, before anything starts. A key of the recipe without
a row is refused once it leaves its default.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.factors import RECIPE_GROUPS


@dataclass(frozen=True)
class Refusal:
    """What does not go: `what` names some settings, `text` says what to choose instead."""

    what: str
    when: dict[str, Any]
    text: str

    def holds(self, values: dict[str, Any]) -> bool:
        """Tell whether the settings are so."""
        return all(_matches(values[name], wanted) for name, wanted in self.when.items())


@dataclass(frozen=True)
class Option:
    """A row: keys, flags, and what does not go."""

    keys: tuple[str, ...]
    flags: dict[str, Any]
    refused: tuple[Refusal, ...]


def _read_options() -> tuple[Option, ...]:
    rows = yaml.safe_load(Path(__file__).with_name("options.yaml").read_text(encoding="utf-8"))
    return tuple(
        Option(tuple(row["keys"]), row.get("flags", {}), tuple(Refusal(**each) for each in row.get("refused", ())))
        for row in rows
    )


OPTIONS = _read_options()


def flags_of(config: Config) -> dict[str, tuple[Any, ...]]:
    """Return {flag: its values} of all rows, and of a person's own, which go before; a switch has no values."""
    values = _values(config)
    flags = {name: found for option in OPTIONS for name, found in _flags(option, values).items()}
    name = ""
    for word in config.engine.openrlhf.arguments:
        name = word if word.startswith("--") else name
        flags[name] = () if word == name else (*flags.get(name, ()), word)
    return {name: found for name, found in flags.items() if found not in (("false",), ("False",))}


def refusals(config: Config) -> list[str]:
    """Return one sentence for each setting that OpenRLHF cannot express: its name, and what to choose instead."""
    values = _values(config)
    named = [f"{each.what}: {each.text}" for option in OPTIONS for each in option.refused if each.holds(values)]
    return [*named, *(f"{key}: OpenRLHF has no counterpart: leave it at its default" for key in _unmapped(config))]


def refills(config: Config) -> bool:
    """Tell whether OpenRLHF is to sample further problems for groups that the filter drops."""
    return config.filter.refill and config.filter.group == "group_variance"


def _flags(option: Option, values: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    found = {name: _resolved(asked, values) for name, asked in option.flags.items()}
    return {
        name: () if value is True else value if isinstance(value, tuple) else (value,)
        for name, value in found.items()
        if value is not None and value is not False
    }


def _resolved(asked: Any, values: dict[str, Any]) -> Any:
    if isinstance(asked, list):
        return tuple(_resolved(each, values) for each in asked)
    if isinstance(asked, str):
        return asked[1:] if asked.startswith("=") else values[asked]
    return asked


def _matches(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return bool(value) == wanted
    return value in wanted if isinstance(wanted, list) else value == wanted


def _unmapped(config: Config) -> list[str]:
    """Return the recipe's keys without a row whose values are not the default."""
    mapped = {key for option in OPTIONS for key in option.keys}
    plain, default = config_to_dict(config), config_to_dict(Config())
    values, defaults = (flatten({group: tree[group] for group in RECIPE_GROUPS}) for tree in (plain, default))
    return [
        key
        for key, value in values.items()
        if not any(key == known or key.startswith(f"{known}.") for known in mapped) and value != defaults.get(key)
    ]


def _values(config: Config) -> dict[str, Any]:
    """Return all keys of the configuration, flat, and what rows derive from them."""
    return flatten(config_to_dict(config)) | _of_recipe(config) | _of_hardware(config)


def _of_recipe(config: Config) -> dict[str, Any]:
    algorithm, masks = config.algorithm, config.filter
    num_updates = config.budget.max_steps * algorithm.num_minibatches
    trajectories = config.sampling.problems_per_step * config.sampling.group_size
    is_sequence_mean = algorithm.loss in ("grpo", "gspo")
    return {
        "policy_loss": "gspo" if algorithm.loss == "gspo" else "ppo",
        "loss_mean": "seq-mean-token-mean" if is_sequence_mean else "token-mean",
        "estimator": {"group_std": "group_norm", "group_mean": "dr_grpo"}.get(algorithm.advantage),
        # the ratio whose product with the run's steps, rounded up, is warmup_steps
        "warmup_ratio": (algorithm.warmup_steps - 0.5) / num_updates if algorithm.warmup_steps else 0.0,
        "dual_clip": algorithm.dual_clip or None,
        "dual_clip_is_low": 0 < algorithm.dual_clip < 1 + algorithm.clip_high,
        "kl_is_on": algorithm.kl_coefficient > 0,
        "kl_estimator": algorithm.kl_estimator if algorithm.kl_coefficient > 0 else None,
        "train_batch": trajectories // algorithm.num_minibatches,
        "several_minibatches": algorithm.num_minibatches > 1,
        "minibatches_divide": trajectories % algorithm.num_minibatches == 0,
        "refills": refills(config),
        "refill_range": (0.0, 1.0) if refills(config) else None,
        "masks": masks.mask_truncated or masks.mask_abandon or masks.mask_idle or masks.mask_echo,
        "is_tempered": config.sampling.temperature != 1,
        "several_turns": config.sampling.max_turns > 1,
    }


def _of_hardware(config: Config) -> dict[str, Any]:
    own, sampling = config.engine.openrlhf, config.sampling
    num_gpus = own.num_nodes * own.gpus_per_node
    train_batch = sampling.problems_per_step * sampling.group_size // config.algorithm.num_minibatches
    share, response = max(1, train_batch // num_gpus), sampling.max_response_tokens * sampling.max_turns
    most = max(1, config.engine.micro_batch_tokens // response)
    return {
        "num_gpus": num_gpus,
        "gpus_divide": train_batch % num_gpus == 0,
        # trajectories of one pass of a GPU without packing: they must divide its share of a step
        "micro_batch": max(size for size in range(1, share + 1) if share % size == 0 and size <= most),
    }
