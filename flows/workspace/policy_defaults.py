"""A policy of another size than the embedded ones never trains on settings that were scaled for those.

The default learning rate and token budgets belong to a policy of width 64. A wider one gets the preset of its size,
unless a person names a preset; what a person sets goes before it. A wider policy that would still take over such a
setting is refused: a learning rate 64 times too high would spoil every version of a campaign.
"""

from collections.abc import Sequence
from pathlib import Path

from conf.compose import compose_campaign, groups
from evotrainer.config import Config, EmbeddedPolicyConfig, config_to_dict, flatten
from evotrainer.domains import DOMAINS
from evotrainer.engines.model_files import NAMES, read_shape, read_size, text_settings
from evotrainer.errors import ConfigError, PolicyError
from flows.workspace.own_files import source_of

SCALED = ("algorithm.learning_rate", "sampling.max_response_tokens", "evaluate.max_response_tokens")
"""Keys whose default was chosen for the embedded policies."""
MIN_RATIO = 4
"""Times their width from which a policy is of another size."""
RULE_WIDTH, RULE_RATE = 4096, 1e-6
"""Width and learning rate of the recipe that the rule scales (docs/recipe.md)."""
BY_SIZE = (("size_100m", 0.2e9), ("size_1b", 2e9), ("size_4b", 6e9), ("size_9b", 15e9))
"""Presets by the number of weights up to which each is meant."""
PROMPTS = {
    "math": "Reason step by step, and put your final answer within \\boxed{}.",
    "code": "Answer with one fenced block of Python.",
}
"""System prompts of domains whose answers have a form that a policy must be told."""


def size_preset(main: Path, config: Config, overrides: Sequence[str]) -> list[str]:
    """Return the overrides that a policy's size adds, which stand before a person's own; nothing where none are."""
    named = _named(overrides)
    policy = source_of(main, config.policy.path) if config.policy.path else None
    if policy is None or "preset" in named or not _is_of_another_size(policy):
        return []
    try:
        num_weights = read_shape(policy).num_weights
    except PolicyError:
        return []
    name = next((name for name, most in BY_SIZE if num_weights <= most), None)
    if name is None:
        return []
    prompt = PROMPTS.get(config.domain.name)
    is_silent = prompt and not config.domain.system_prompt and "domain.system_prompt" not in named
    return [f"preset={name}", *([f"domain.system_prompt='{prompt}'"] if is_silent else [])]


def check_defaults(policy: Path, config: Config, overrides: Sequence[str]) -> None:
    """Raise ConfigError where a policy of another size would train on defaults of the embedded ones."""
    if not _is_of_another_size(policy):
        return
    width = _width(policy)
    assert width is not None
    domain = [f"domain={config.domain.name}"] if config.domain.name in DOMAINS else []
    default = flatten(config_to_dict(compose_campaign(domain)))
    found = flatten(config_to_dict(config))
    named = _named(overrides)
    kept = [key for key in SCALED if found[key] == default[key] and key not in named]
    if kept:
        presets = ", ".join(name for name in groups()["preset"] if name != "none")
        raise ConfigError(
            f"the policy has width {width} and would take over {', '.join(f'{key}={found[key]:g}' for key in kept)}, "
            f"which are for the embedded policy of width {EmbeddedPolicyConfig().hidden_size}: set them (by the rule "
            f"of docs/recipe.md algorithm.learning_rate={RULE_RATE * RULE_WIDTH / width:.2g}), or name a preset "
            f"({presets})"
        )


def _named(overrides: Sequence[str]) -> set[str]:
    return {override.partition("=")[0].strip().lstrip("+") for override in overrides}


def _is_of_another_size(policy: Path) -> bool:
    width = _width(policy)
    return width is not None and width >= MIN_RATIO * EmbeddedPolicyConfig().hidden_size


def _width(policy: Path) -> int | None:
    """Return the hidden size that a policy's configuration states; None where it states none."""
    try:
        return read_size(policy, text_settings(policy), NAMES["hidden"])
    except PolicyError:
        return None
