"""What an intervention may change: the factors, their keys, the family that decides how each is backtested.

`flatten(child) - flatten(parent)` gives the changed keys; they must all belong to one factor. A factor of several keys
is declared here and nowhere else. Whatever is in no factor is protected: problem sets, evaluator, seeds, budget,
engines, search. `settings` are those that a proposer without knowledge may draw from; a factor of code has none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from evotrainer.config import Config, config_to_dict, content_hash, flatten
from evotrainer.config.code import CODE_KEYS
from evotrainer.errors import InterventionError

Family = Literal["reward", "filter", "algorithm", "sampling", "data"]


@dataclass(frozen=True)
class Factor:
    """One thing that a version can change. `settings` maps each key to a value, one dict a setting."""

    name: str
    keys: tuple[str, ...]
    settings: tuple[dict[str, Any], ...]
    meaning: str
    multiples: tuple[float, ...] = ()
    """Settings of a first key whose scale is the domain's own: its value times each of these."""

    @property
    def family(self) -> Family:
        """The group of its keys, which decides how it is backtested."""
        return cast(Family, self.keys[0].partition(".")[0])

    def choices(self, config: Config) -> list[dict[str, Any]]:
        """Return the settings to draw from in a campaign of this configuration."""
        key = self.keys[0]
        value = flatten(config_to_dict(config))[key]
        return [*self.settings, *({key: max(1, round(value * multiple))} for multiple in self.multiples)]


def _one(key: str, *values: Any) -> tuple[dict[str, Any], ...]:
    return tuple({key: value} for value in values)


_FACTORS = (
    Factor("learning_rate", ("algorithm.learning_rate",),
           _one("algorithm.learning_rate", 3.2e-5, 6.4e-5, 1.28e-4, 1.92e-4, 3.2e-4), "step size of AdamW"),
    Factor("loss", ("algorithm.loss",),
           _one("algorithm.loss", "grpo", "bnpo", "dr_grpo", "dapo", "gspo"), "weighting of tokens and form of ratios"),
    Factor("advantage", ("algorithm.advantage",),
           _one("algorithm.advantage", "group_std", "group_mean", "batch_std"), "normalisation of rewards"),
    Factor("clip", ("algorithm.clip_low", "algorithm.clip_high"),
           ({"algorithm.clip_low": 0.2, "algorithm.clip_high": 0.2},
            {"algorithm.clip_low": 0.2, "algorithm.clip_high": 0.27},
            {"algorithm.clip_low": 0.1, "algorithm.clip_high": 0.1}), "trust region of the ratio"),
    Factor("dual_clip", ("algorithm.dual_clip",), _one("algorithm.dual_clip", 0.0, 3.0),
           "bound of the ratio for negative advantages"),
    Factor("kl", ("algorithm.kl_coefficient", "algorithm.kl_estimator"),
           ({"algorithm.kl_coefficient": 0.0, "algorithm.kl_estimator": "k3"},
            {"algorithm.kl_coefficient": 0.001, "algorithm.kl_estimator": "k3"},
            {"algorithm.kl_coefficient": 0.04, "algorithm.kl_estimator": "k3"}), "pull towards the base policy"),
    Factor("entropy", ("algorithm.entropy_coefficient",),
           _one("algorithm.entropy_coefficient", 0.0, 0.003, 0.01), "bonus on the entropy of tokens"),
    Factor("minibatches", ("algorithm.num_minibatches",), _one("algorithm.num_minibatches", 1, 2, 4),
           "optimiser steps on each batch of rollouts"),
    Factor("optimiser", ("algorithm.adam_beta2", "algorithm.max_grad_norm"),
           ({"algorithm.adam_beta2": 0.999, "algorithm.max_grad_norm": 1.0},
            {"algorithm.adam_beta2": 0.95, "algorithm.max_grad_norm": 1.0},
            {"algorithm.adam_beta2": 0.999, "algorithm.max_grad_norm": 0.2}), "memory and bound of the update"),
    Factor("format_reward", ("reward.format",), _one("reward.format", 0.0, 0.1, 0.3), "pay for the format"),
    Factor("length_reward", ("reward.length_penalty", "reward.overlong_penalty"),
           ({"reward.length_penalty": 0.0, "reward.overlong_penalty": 0.0},
            {"reward.length_penalty": 0.1, "reward.overlong_penalty": 0.0},
            {"reward.length_penalty": 0.0, "reward.overlong_penalty": 0.5}), "price of length"),
    Factor("partial_reward", ("reward.partial",), _one("reward.partial", 0.0, 0.2, 0.5),
           "pay for answers that are partly right"),
    Factor("code_reward", ("reward.code",), (), "pay by a function of the row"),
    Factor("code_correction", ("reward.correction",), (), "what audited rows show that the reward pays wrongly"),
    Factor("group_filter",
           ("filter.group", "filter.keep_ratio", "filter.min_keep", "filter.ema_decay", "filter.refill"),
           (*_one("filter.group", "none", "group_variance", "std", "ragen_v1", "ragen_v2"),
            {"filter.group": "group_variance", "filter.refill": True}),
           "which groups reach the loss, and whether others take the place of the rest"),
    Factor("refill", ("filter.refill",), _one("filter.refill", False, True),
           "replace groups that the filter drops, at the price of tokens"),
    Factor("trajectory_mask", ("filter.mask_truncated",), _one("filter.mask_truncated", False, True),
           "whether cut trajectories reach the loss"),
    Factor("code_mask", ("filter.mask_code",), (),
           "attempts that a function of the row leaves out of the loss"),
    Factor("code_filter", ("filter.group_code",), (),
           "groups that a function of their rows leaves out of the loss"),
    Factor("temperature", ("sampling.temperature", "sampling.top_p"),
           ({"sampling.temperature": 1.0, "sampling.top_p": 1.0},
            {"sampling.temperature": 0.8, "sampling.top_p": 1.0},
            {"sampling.temperature": 1.2, "sampling.top_p": 1.0},
            {"sampling.temperature": 1.0, "sampling.top_p": 0.95}),
           "spread of training rollouts"),
    Factor("group_size", ("sampling.group_size", "sampling.problems_per_step"),
           ({"sampling.group_size": 4, "sampling.problems_per_step": 32},
            {"sampling.group_size": 8, "sampling.problems_per_step": 16},
            {"sampling.group_size": 16, "sampling.problems_per_step": 8}),
           "attempts a problem against problems a step"),
    Factor("batch_size", ("sampling.problems_per_step",), _one("sampling.problems_per_step", 8, 16, 32),
           "problems a step: smaller batches, more steps of the same token budget"),
    Factor("response_budget", ("sampling.max_response_tokens", "sampling.max_turns"),
           (), "tokens and turns an attempt may take", multiples=(0.5, 0.67, 1.0, 1.33)),
    Factor("curriculum", ("data.curriculum", "data.band_low", "data.band_high"),
           _one("data.curriculum", "none", "easy_first", "hard_first", "band"), "order of the train pool"),
    Factor("mixture", ("data.mixture",), _one("data.mixture", "uniform", "by_failure", "by_signal"),
           "weights of the families"),
    Factor("code_weight", ("data.weight_code",), (),
           "weights of problems by a function of the problem"),
)  # fmt: skip

CORRECTION = Factor(
    "correction",
    ("algorithm.correction", "algorithm.correction_cap"),
    (
        {"algorithm.correction": "none"},
        {"algorithm.correction": "token_tis", "algorithm.correction_cap": 2.0},
        {"algorithm.correction": "token_mask", "algorithm.correction_cap": 5.0},
        {"algorithm.correction": "seq_tis", "algorithm.correction_cap": 2.0},
        {"algorithm.correction": "seq_mask", "algorithm.correction_cap": 2.0},
    ),
    "weight for what sampler and trainer disagree in",
)
"""A factor where the policy is a person's own: the embedded one is sampled by the network that is trained."""

FACTORS: dict[str, Factor] = {factor.name: factor for factor in _FACTORS}
"""Factors of every recipe."""

EPISODE_MASKS = ("filter.mask_abandon", "filter.mask_idle", "filter.mask_echo")
"""Masks of episodes with tools: a factor of the domains that have them (domains/base.py)."""

RECIPE_GROUPS: tuple[Family, ...] = ("algorithm", "reward", "filter", "sampling", "data")


def factor_table(own: Sequence[Factor]) -> dict[str, Factor]:
    """Return the factors of every recipe with those of a domain, family by family."""
    ordered = sorted([*_FACTORS, *own], key=lambda factor: RECIPE_GROUPS.index(factor.family))
    return {factor.name: factor for factor in ordered}


def term_factors(config: Config, own: Sequence[Factor]) -> list[Factor]:
    """Return a factor for each of the weights in reward.terms that no factor of the domain has."""
    owned = {key for factor in own for key in factor.keys}
    keys = {name: f"reward.terms.{name}" for name in config.reward.terms}
    return [
        Factor(f"{name}_reward", (key,), _one(key, 0.0, 0.1, 0.3), f"pay for the term {name}")
        for name, key in keys.items()
        if key not in owned
    ]


def families_of(keys: Iterable[str]) -> set[Family]:
    """Return the families of the factors that own these keys."""
    groups = {key.partition(".")[0] for key in keys}
    return {family for family in RECIPE_GROUPS if family in groups}


def effective_recipe(config: Config) -> dict[str, Any]:
    """Return {flat key: value} of the recipe, with the default in place of every value that cannot have an effect.

    With one optimiser step a batch the policy that is trained is the policy that sampled: all ratios are 1, no clip
    binds, a ratio a sequence has the gradient of ratios a token, and the batch is the minibatch. A coefficient of 0
    needs no estimator, no filter needs no limits and leaves nothing to refill, no band needs no edges. The pay of a
    judge that is not there does nothing, nor does a correction where the trained network itself samples. Code and
    episode masks that are off have no key.
    """
    values, default = config_to_dict(config), config_to_dict(Config())
    flat = flatten({group: values[group] for group in RECIPE_GROUPS})
    dormant: list[str] = []
    is_on_policy = config.algorithm.num_minibatches == 1
    if is_on_policy:
        dormant += ["algorithm.clip_low", "algorithm.clip_high", "algorithm.dual_clip"]
    if config.algorithm.kl_coefficient == 0:
        dormant += ["algorithm.kl_estimator"]
    if config.filter.group == "none":
        dormant += [key for key in FACTORS["group_filter"].keys if key != "filter.group"]
    if config.data.curriculum != "band":
        dormant += ["data.band_low", "data.band_high"]
    if not config.domain.judge_url:
        dormant += ["reward.judge"]
    if not config.policy.path or config.algorithm.correction == "none":
        flat = {key: value for key, value in flat.items() if key not in CORRECTION.keys}
    reset = flatten(default)
    absent = [key for key in (*CODE_KEYS, *EPISODE_MASKS) if not flat[key]]
    for key in [*absent, *([] if config.reward.terms else ["reward.terms"])]:
        del flat[key]
    flat |= {key: reset[key] for key in dormant}
    if is_on_policy:
        flat["algorithm.loss"] = _SAME_AT_ONE_STEP.get(config.algorithm.loss, config.algorithm.loss)
    return flat


_SAME_AT_ONE_STEP = {"gspo": "grpo", "dapo": "bnpo"}
"""Losses that equal another one where each batch gives one optimiser step."""


def recipe_hash(config: Config) -> str:
    """Return the hash of what a recipe effectively is: two versions with equal hashes are duplicates."""
    return content_hash(effective_recipe(config) | {"init": config.init})


def changed_keys(parent: Config, child: Config) -> dict[str, tuple[Any, Any]]:
    """Return {flat key: (old, new)} of all keys whose values differ."""
    old, new = flatten(config_to_dict(parent)), flatten(config_to_dict(child))
    keys = sorted(old.keys() | new.keys())
    return {key: (old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)}


def factors_of(keys: set[str], table: Mapping[str, Factor] = FACTORS) -> list[Factor]:
    """Return the fewest factors of `table` that cover `keys`; raises InterventionError for a protected key."""
    covering = [factor for factor in table.values() if keys <= set(factor.keys)]
    if covering:
        return [min(covering, key=lambda factor: len(factor.keys))]
    found: list[Factor] = []
    for key in sorted(keys):
        owners = [factor for factor in table.values() if key in factor.keys]
        if not owners:
            raise InterventionError(f"'{key}' is protected: an intervention may change {', '.join(table)}")
        owner = max(owners, key=lambda factor: (len(keys.intersection(factor.keys)), -len(factor.keys)))
        if owner not in found:
            found.append(owner)
    return found
