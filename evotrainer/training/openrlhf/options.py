"""The map from a configuration to OpenRLHF 0.11.2. Its rows are options.yaml; docs/openrlhf.md shows them.

What OpenRLHF cannot express is refused with what to choose instead, before anything starts. What it expresses a little
differently is named, so that two engines are compared with open eyes. A key of the recipe without a row is refused once
it leaves its default.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.factors import RECIPE_GROUPS

_MISMATCH = {"clip_token": ("token", "clip"), "mask_token": ("token", "mask"), "mask_sequence": ("seq", "mask")}


@dataclass(frozen=True)
class Note:
    """Something to know about some settings: `what` names them, `text` says what differs or what to choose instead."""

    what: str
    when: dict[str, Any]
    text: str

    def holds(self, values: dict[str, Any]) -> bool:
        """Tell whether the settings are so."""
        return all(_matches(values[name], wanted) for name, wanted in self.when.items())


@dataclass(frozen=True)
class Option:
    """A row: keys, where they take effect (flags, agent, prompts or watch), flags, and what does not go."""

    keys: tuple[str, ...]
    place: str
    how: str
    flags: dict[str, Any]
    refused: tuple[Note, ...]
    differs: tuple[Note, ...]


def _read_options() -> tuple[Option, ...]:
    rows = yaml.safe_load(Path(__file__).with_name("options.yaml").read_text(encoding="utf-8"))
    return tuple(
        Option(
            tuple(row["keys"]),
            row["place"],
            row["how"],
            row.get("flags", {}),
            tuple(Note(**note) for note in row.get("refused", ())),
            tuple(Note(**note) for note in row.get("differs", ())),
        )
        for row in rows
    )


OPTIONS = _read_options()


def flags_of(config: Config) -> dict[str, tuple[Any, ...]]:
    """Return {flag: its values} of all rows; a switch has no values."""
    values = _values(config)
    return {name: found for option in OPTIONS for name, found in _flags(option, values).items()}


def mapping(config: Config) -> list[tuple[str, str]]:
    """Return the keys of each row with the flags that they become, or with where they take effect."""
    values, rows = _values(config), []
    for option in OPTIONS:
        flags = [" ".join([name, *map(str, found)]) for name, found in _flags(option, values).items()]
        rows.append((", ".join(option.keys), " ".join(flags) or f"{option.place}: {option.how}"))
    return rows


def refusals(config: Config) -> list[str]:
    """Return one sentence for each setting that OpenRLHF cannot express: its name, and what to choose instead."""
    unmapped = [f"{key}: OpenRLHF has no counterpart: leave it at its default" for key in _unmapped(config)]
    return [*_notes(config, "refused"), *unmapped]


def differences(config: Config) -> list[str]:
    """Return one sentence for each setting that OpenRLHF expresses a little differently from engine.train=torch."""
    return _notes(config, "differs")


def refills(config: Config) -> bool:
    """Tell whether OpenRLHF is to sample further problems for groups that the filter drops."""
    return config.filter.refill and config.filter.group == "group_variance"


def _notes(config: Config, kind: str) -> list[str]:
    values = _values(config)
    notes: list[Note] = [note for option in OPTIONS for note in getattr(option, kind)]
    return [f"{note.what}: {note.text}" for note in notes if note.holds(values)]


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
    num_engines = own.num_engines or num_gpus // own.tensor_parallel
    share, response = max(1, train_batch // num_gpus), sampling.max_response_tokens * sampling.max_turns
    most = max(1, config.engine.micro_batch_tokens // response)
    level, mode = _MISMATCH.get(own.mismatch, (None, None))
    return {
        "num_engines": num_engines,
        "gpus_divide": train_batch % num_gpus == 0,
        "engines_fill_gpus": num_engines * own.tensor_parallel == num_gpus,
        # trajectories of one pass of a GPU without packing: they must divide its share of a step
        "micro_batch": max(size for size in range(1, share + 1) if share % size == 0 and size <= most),
        "packed_tokens": own.tokens_per_gpu if own.packing else None,
        "is_flash": own.attention.startswith("flash"),
        "is_async": own.async_queue > 0,
        "async_queue": own.async_queue or None,
        "generated_problems": own.generated_problems or None,
        "generated_too_few": 0 < own.generated_problems < sampling.problems_per_step,
        "mismatch_level": level or "off",
        "mismatch_mode": mode,
        "mismatch_limits": (own.mismatch_low, own.mismatch_high) if level else None,
        "several_save_steps": own.save_steps > 1,
    }
