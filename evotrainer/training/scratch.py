"""The scratch folder of one training run: its name, and how what it made becomes an output."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from evotrainer.config import Config, config_to_dict, content_hash
from evotrainer.config.factors import RECIPE_GROUPS
from evotrainer.records import Problem


def run_key(
    config: Config,
    policy_id: str,
    problems: Sequence[Problem],
    pass_rates: dict[str, float],
    campaign: str,
    version: str,
    seed: int,
) -> str:
    """Return the name of a run's scratch folder: whatever shapes its result is in it."""
    values = config_to_dict(config)
    shaped_by = [*RECIPE_GROUPS, "domain", "engine"]
    budget = {"train_tokens": config.budget.train_tokens, "max_steps": config.budget.max_steps}
    recipe = {group: values[group] for group in shaped_by} | budget
    items = [problem.model_dump() for problem in problems]
    return content_hash([recipe, policy_id, items, pass_rates, campaign, version, seed])


def replace_folder(source: Path, target: Path, *, keep_source: bool) -> None:
    """Put a folder in the place of another, moved or copied."""
    if target.exists():
        shutil.rmtree(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    if keep_source:
        shutil.copytree(source, target)
    else:
        shutil.move(source, target)
