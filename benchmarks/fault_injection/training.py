"""Real training runs of the embedded math policy: evidence for failure modes of reward, signal and optimiser.

A run is short and stored; cases and controls draw groups of it, step by step, with the advantages that training gave
them. What the policy then scores on held problems is the run's validation.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from evotrainer.campaign.repository import save_config
from evotrainer.config import Config, load_config
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import SamplingParams
from evotrainer.errors import EvoTrainerError
from evotrainer.evidence.frames import Frame, load_signals
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import write_rows
from evotrainer.records import Problem
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.training import train
from evotrainer.training.base import TrainingRun

NUM_ATTEMPTS = 6


@dataclass(frozen=True, eq=False)
class Run:
    """The evidence of one training run, as frames."""

    config: Config
    training: Frame
    validation: Frame
    signals: Frame


def train_runs(
    config: Config,
    policy: Path,
    trained: Sequence[Problem],
    held: Sequence[Problem],
    folder: Path,
    seeds: Sequence[int],
    progress: Callable[[str], None],
) -> list[Run]:
    """Return one run a seed; those that lie in `folder` are read, the others are trained and stored there."""
    runs = []
    for seed in seeds:
        own = folder / f"run-{seed}"
        if not (own / "config.yaml").is_file():
            progress(f"math: training run {seed}")
            _train(config, policy, trained, held, own, seed)
        runs.append(
            Run(
                load_config(own / "config.yaml"),
                Rows.read(own / "training").frame(),
                Rows.read(own / "validation").frame(),
                load_signals(own / "training"),
            )
        )
    return runs


def _train(
    config: Config, policy: Path, trained: Sequence[Problem], held: Sequence[Problem], own: Path, seed: int
) -> None:
    shutil.rmtree(own, ignore_errors=True)
    result = train(
        TrainingRun(
            config,
            policy,
            trained,
            own,
            campaign="bench",
            version="v001",
            seed=seed,
            pass_rates={},
            scratch=own / "scratch",
        )
    )
    if result.label:
        raise EvoTrainerError(f"a training run of the failure-mode benchmark failed ({result.label}): repeat the bench")
    limits = config.sampling
    rules = EpisodeRules(config.domain, SamplingParams(limits.max_response_tokens), limits.max_turns, config.reward)
    engine = create_rollout_engine(config, result.model_path)
    rows, _ = play_attempts(
        engine, [*product(held, range(NUM_ATTEMPTS))], rules, EpisodeIdentity("bench", "v001", "validation", seed)
    )
    write_rows(own / "validation", 0, rows)
    shutil.rmtree(own / "scratch", ignore_errors=True)
    shutil.rmtree(result.model_path)
    save_config(own / "config.yaml", config)  # last: what has it is complete
