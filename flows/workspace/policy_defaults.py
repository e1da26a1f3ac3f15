"""A policy of another size than the embedded ones never trains on settings that were scaled for those.

The default learning rate and token budgets belong to a policy of width 64. A wider one that would take them over is
refused, unless a person set the key: a learning rate 64 times too high would spoil every version of a campaign.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from conf.compose import compose_campaign, groups
from evotrainer.config import Config, EmbeddedPolicyConfig, config_to_dict, flatten
from evotrainer.domains import DOMAINS
from evotrainer.errors import ConfigError

SCALED = ("algorithm.learning_rate", "sampling.max_response_tokens", "evaluate.max_response_tokens")
"""Keys whose default was chosen for the embedded policies."""
MIN_RATIO = 4
"""Times their width from which a policy is of another size."""
RULE_WIDTH, RULE_RATE = 4096, 1e-6
"""Width and learning rate of the recipe that the rule scales (docs/recipe.md)."""


def check_defaults(policy: Path, config: Config, overrides: Sequence[str]) -> None:
    """Raise ConfigError where a policy of another size would train on defaults of the embedded ones."""
    width = _width(policy)
    if width is None or width < MIN_RATIO * EmbeddedPolicyConfig().hidden_size:
        return
    domain = [f"domain={config.domain.name}"] if config.domain.name in DOMAINS else []
    default = flatten(config_to_dict(compose_campaign(domain)))
    found = flatten(config_to_dict(config))
    named = {override.partition("=")[0].strip().lstrip("+") for override in overrides}
    kept = [key for key in SCALED if found[key] == default[key] and key not in named]
    if kept:
        presets = ", ".join(name for name in groups()["preset"] if name not in ("none", "paper"))
        raise ConfigError(
            f"the policy has width {width} and would take over {', '.join(f'{key}={found[key]:g}' for key in kept)}, "
            f"which are for the embedded policy of width {EmbeddedPolicyConfig().hidden_size}: set them (by the rule "
            f"of docs/recipe.md algorithm.learning_rate={RULE_RATE * RULE_WIDTH / width:.2g}), or name a preset "
            f"({presets})"
        )


def _width(policy: Path) -> int | None:
    """Return the hidden size that a policy's configuration states; None where it states none."""
    try:
        values = json.loads((policy / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    inner = values.get("text_config") if isinstance(values.get("text_config"), dict) else values
    width = inner.get("hidden_size") or inner.get("n_embd") or inner.get("d_model")
    return width if isinstance(width, int) else None
