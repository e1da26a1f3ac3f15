"""The scratch folder of one training run: its name, and how what it made becomes an output."""

import shutil
from pathlib import Path

from evotrainer.config import config_to_dict, content_hash
from evotrainer.config.factors import RECIPE_GROUPS
from evotrainer.training.base import TrainingRun


def run_key(run: TrainingRun, policy_id: str) -> str:
    """Return the name of a run's scratch folder: whatever shapes its result is in it."""
    values = config_to_dict(run.config)
    shaped_by = [*RECIPE_GROUPS, "domain", "engine"]
    budget = {"train_tokens": run.config.budget.train_tokens, "max_steps": run.config.budget.max_steps}
    recipe = {group: values[group] for group in shaped_by} | budget
    items = [problem.model_dump() for problem in run.problems]
    return content_hash([recipe, policy_id, items, run.pass_rates, run.campaign, run.version, run.seed])


def replace_folder(source: Path, target: Path, *, keep_source: bool) -> None:
    """Put a folder in the place of another, moved or copied."""
    if target.exists():
        shutil.rmtree(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    if keep_source:
        shutil.copytree(source, target)
    else:
        shutil.move(source, target)
