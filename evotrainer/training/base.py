"""What a training engine must do, and how a run ends.

An engine owns its whole loop (OpenRLHF cannot be stepped), writes evidence and signals as it goes, and gives the same
bytes for the same arguments on one machine.
"""

import math
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.config import BudgetConfig, Config, config_to_dict, content_hash
from evotrainer.config.factors import RECIPE_GROUPS
from evotrainer.engines.base import RolloutEngine
from evotrainer.records import Message, Problem

Pair = tuple[Sequence[Message], str]
"""The messages of a prompt, and the answer that a policy is shown."""
OVERRUN = "train_budget_overrun"
"""Label of a run that the wall clock ended."""
CODE_FAILED = "intervention_code_failed"
"""Label of a run that code of its recipe ended: its rows have no reward, so there is nothing to learn from."""
DIVERGED = "weights_not_finite"
"""Label of a run whose updates ended in weights that are no numbers: there is no policy to score."""


@dataclass(frozen=True)
class TrainingRun:
    """One training run: a recipe, its start, its problems, its names and where it writes."""

    config: Config
    """The recipe."""
    init_path: Path
    """The policy that training starts from."""
    problems: Sequence[Problem]
    """The train pool."""
    out: Path
    """The folder of the outputs."""
    campaign: str
    """Name in the evidence."""
    version: str
    """Name in the evidence."""
    seed: int
    """Of all draws of the run."""
    scratch: Path
    """Keeps optimiser and RNG state for resumption, keyed by the recipe: a resumed run equals an undisturbed one bit
    by bit."""
    pass_rates: dict[str, float] = field(default_factory=dict)
    """{problem_id: cached pass rate}, for curricula."""
    code: RecipeCode = NO_CODE
    """The texts that the recipe names. An engine that cannot run a key's code refuses it with ConfigError; code that
    fails ends the run as CODE_FAILED."""


@dataclass(frozen=True)
class FitResult:
    """How a training run ended."""

    model_path: Path
    num_steps: int
    num_tokens: int
    label: str = ""
    """Empty, or the failure: OVERRUN, CODE_FAILED or DIVERGED."""
    detail: str = ""
    """What failed, in a few words."""
    policy_hash: str = ""
    """Content hash of the model; empty where the run failed."""


@dataclass(frozen=True)
class StepReplay:
    """One optimiser step of a recipe on a cached batch, from the same start. Margins in nats a token."""

    grad_norm: float
    update_norm: float
    cosine: float
    """Between this gradient and the first recipe's."""
    margin_change: float
    """Change of mean logprob of correct minus wrong attempts, on the half of the batch not trained on."""
    kl: float
    clip_fraction: float


StepReplayer = Callable[..., list[StepReplay]]
"""training.replay_steps."""


class TrainEngine(Protocol):
    """Trains a policy."""

    needs_rollout_engine: bool
    """Whether `fit` is given an engine that samples; one that samples by itself gets None."""

    def refusals(self, config: Config) -> list[str]:
        """Return one sentence for each setting that this engine cannot express; nothing is started or read."""
        ...

    def missing(self, config: Config) -> list[str]:
        """Return one sentence, with the remedy, for each thing that a run would lack here; nothing is started."""
        ...

    def fit(self, run: TrainingRun, rollout_engine: RolloutEngine | None) -> FitResult:
        """Train `run`; write its out/model (Hugging Face directory) and out/training (evidence, signals).

        Where the domain names a judge, its answers are recorded in out/judge/train.jsonl, or replayed from there.

        Args:
            run: what to train on what, and where to.
            rollout_engine: runs the policy at `run.init_path`. Training belongs to it from here on: it is synced with
                the trained weights before each step's rollouts, or takes over the weights where both lie in one
                process.

        """
        ...


def tokens_left(budget: BudgetConfig, num_tokens: int, num_steps: int) -> float:
    """Return the tokens that a run still samples: up to its budget of tokens, or to its last step at the usual size."""
    by_steps = (budget.max_steps - num_steps) * num_tokens / num_steps if num_steps else math.inf
    return min(budget.train_tokens - num_tokens, by_steps)


def shaping(config: Config) -> dict[str, Any]:
    """Return what of a configuration shapes a run: the recipe, domain and engine, and how far it goes."""
    values = config_to_dict(config)
    budget = {"train_tokens": config.budget.train_tokens, "max_steps": config.budget.max_steps}
    return {group: values[group] for group in (*RECIPE_GROUPS, "domain", "engine")} | budget


def run_key(run: TrainingRun, policy_id: str) -> str:
    """Return the name of a run's scratch folder: whatever shapes its result is in it."""
    items = [problem.model_dump() for problem in run.problems]
    played = [policy_id, items, run.pass_rates, run.campaign, run.version, run.seed]
    return content_hash([shaping(run.config), *played])


def replace_folder(source: Path, target: Path, *, keep_source: bool) -> None:
    """Put a folder in the place of another, moved or copied."""
    if target.exists():
        shutil.rmtree(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    if keep_source:
        shutil.copytree(source, target)
    else:
        shutil.move(source, target)
