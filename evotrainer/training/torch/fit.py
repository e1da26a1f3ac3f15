"""Training with plain torch: group-relative policy gradients on any local Hugging Face causal language model.

    draw problems ─► sync, roll out ─► mask, filter, refill ─► advantages ─► optimiser steps ─► rows

A run ends with the step that reaches the token budget. The same arguments give the same bytes on one machine: all
randomness is seeded by step, torch runs deterministic kernels, and nothing stored depends on the clock. The wall clock
can only abort a run. A killed run resumes from `scratch` and ends bit for bit as an undisturbed one.
Dropout is off, as in TRL: ratios compare two states of one network. The KL reference is the policy at the start.

Steps draw all their random numbers from seeds named by the step, so the state is weights, optimiser moments, counters,
the group filter's memory and the signals so far; evidence of finished steps lies beside it in `scratch`. The state file
appears whole or not at all. An unfinished step is repeated, with the same bytes.
"""

import shutil
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import torch

from evotrainer.actions import action_classifier
from evotrainer.algorithm.credit import Credit, assign_credit
from evotrainer.algorithm.curriculum import ProblemSchedule
from evotrainer.algorithm.filters import GroupFilter
from evotrainer.campaign.documents import replacing
from evotrainer.campaign.running import Pace, say
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, FilterConfig
from evotrainer.domains.judge import Judge, open_judge
from evotrainer.engines.base import RolloutEngine
from evotrainer.engines.policy import Policy, not_finite, prepare_torch
from evotrainer.errors import CodeError
from evotrainer.evidence.store import write_rows, write_signals
from evotrainer.records import Problem, Signals, TokenTurn, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.training.base import (
    CODE_FAILED,
    DIVERGED,
    OVERRUN,
    FitResult,
    TrainingRun,
    replace_folder,
    run_key,
    tokens_left,
)
from evotrainer.training.torch.batch import sequences_in_loss
from evotrainer.training.torch.optimiser import Optimiser
from evotrainer.training.torch.sync import publish, rest, take_over
from evotrainer.training.torch.update import UpdateSignals, settings_of, update_policy
from evotrainer.training.tracking import TrackedRun, Trackers

MAX_REFILLS = 3
PROGRESS_SECONDS = 2.0
SAVING_SHARE = 0.05
"""Share of the time that writing the state may take: a large policy is saved less often."""
STATE_FILE = "state.pt"
_COUNTERS = ("step", "num_tokens", "num_updates", "seconds")


@dataclass
class TrainingState:
    """Counters and memory of a run; weights and optimiser are written beside it."""

    group_filter: GroupFilter
    step: int = 0
    num_tokens: int = 0
    num_updates: int = 0
    seconds: float = 0.0
    """Wall clock used so far, over all parts of a resumed run; it never shapes the run."""
    signals: list[Signals] = field(default_factory=list)


@dataclass(frozen=True)
class StepSampler:
    """Samples groups of attempts for the steps of a run, and further ones for those that the filter drops."""

    run: TrainingRun
    engine: RolloutEngine
    schedule: ProblemSchedule
    judge: Judge | None

    def sample(self, step: int, tokens_before: int, group_filter: GroupFilter) -> tuple[Credit, list[TokenTurn]]:
        """Sample the groups of one step, whose draws it seeds; with refill, further ones for those that are dropped.

        Raises CodeError where code of the recipe failed.
        """
        config, wanted = self.run.config, self.run.config.sampling.problems_per_step
        rows: list[Trajectory] = []
        turns: list[TokenTurn] = []
        num_problems = 0
        progress = tokens_before / config.budget.train_tokens
        missing = wanted
        for _ in range(1 + MAX_REFILLS if config.filter.refill else 1):
            problems = self.schedule.draw(step, missing, progress, skip=num_problems)
            new_rows, new_turns = self._play(problems, step)
            rows, turns = rows + new_rows, turns + new_turns
            num_problems += len(problems)
            credit = assign_credit(rows, config, group_filter, self.run.code)
            missing = wanted - credit.num_kept
            num_tokens = tokens_before + sum(row.num_tokens for row in rows)
            if missing <= 0 or not problems or num_tokens >= config.budget.train_tokens:
                break
        return credit, turns

    def _play(self, problems: Sequence[Problem], step: int) -> tuple[list[Trajectory], list[TokenTurn]]:
        if not problems:
            return [], []
        run, attempts = self.run, range(self.run.config.sampling.group_size)
        rules = EpisodeRules.of(run.config, self.judge)
        identity = EpisodeIdentity(run.campaign, run.version, "train", run.seed, step)
        rows, turns = play_attempts(self.engine, [*product(problems, attempts)], rules, identity)
        return run.code.rewarded(rows, run.config.reward), turns


@dataclass(frozen=True)
class _Loop:
    """What stays the same over the steps of one run."""

    run: TrainingRun
    policy: Policy
    reference: Policy
    optimiser: Optimiser
    sampler: StepSampler
    folder: Path
    """Scratch folder of this run: state and the evidence of finished steps."""


def fit(run: TrainingRun, rollout_engine: RolloutEngine, checkpoint_seconds: float) -> FitResult:
    """Train as training/base.py says; an overrun leaves out/training and the state in scratch, but no model.

    `checkpoint_seconds`: least time between two writings of the state.
    """
    config, out = run.config, run.out
    prepare_torch(config.engine.num_threads, config.engine.device)
    group_filter = GroupFilter(config.filter)
    try:
        schedule = ProblemSchedule(run.problems, run.pass_rates, config.data, run.seed, run.code)
    except CodeError as error:
        return FitResult(out / "model", 0, 0, CODE_FAILED, str(error))
    policy, reference = take_over(rollout_engine, config, run.init_path, run.seed)
    folder = run.scratch / run_key(run, policy.policy_id)
    optimiser = Optimiser(policy, config.algorithm, config.engine.optimiser)
    state = load_state(folder, config.filter, policy.model, optimiser) or TrainingState(group_filter)
    if state.step == 0 and folder.exists():
        shutil.rmtree(folder)
    with open_judge(config.domain, out / "judge" / "train.jsonl") as judge:
        loop = _Loop(run, policy, reference, optimiser, StepSampler(run, rollout_engine, schedule, judge), folder)
        tracked = TrackedRun(config.tracking.project, run.campaign, run.version, run.scratch / "tracking")
        with closing(Trackers(config.tracking, tracked, state.signals)) as trackers:
            label, detail = _train(loop, state, trackers, checkpoint_seconds)
    if not label and (broken := not_finite(policy.model)) is not None:
        label, detail = DIVERGED, f"first: {broken}"
    write_signals(folder / "training", state.signals)
    replace_folder(folder / "training", out / "training", keep_source=bool(label))
    if label:
        return FitResult(out / "model", state.step, state.num_tokens, label, detail)
    saved_hash = policy.save(out / "model")
    shutil.rmtree(folder)
    return FitResult(out / "model", state.step, state.num_tokens, policy_hash=saved_hash)


def _train(loop: _Loop, state: TrainingState, trackers: Trackers, checkpoint_seconds: float) -> tuple[str, str]:
    """Take steps until the budget is reached; return label and detail of the failure, or nothing."""
    budget = loop.run.config.budget
    started, earlier = time.monotonic(), state.seconds
    reported = saved = started
    pause, pace = checkpoint_seconds, Pace()
    while state.step < budget.max_steps and state.num_tokens < budget.train_tokens:
        try:
            before = state.num_tokens
            _train_step(loop, state)
        except CodeError as error:
            return CODE_FAILED, str(error)
        trackers.log(state.signals[-1])
        pace.step(state.num_tokens - before)
        now = time.monotonic()
        state.seconds = earlier + now - started
        if state.seconds > budget.max_train_seconds:
            save_state(loop.folder, state, loop.policy.model, loop.optimiser)
            return OVERRUN, ""
        if now - saved >= pause and state.step < budget.max_steps:
            save_state(loop.folder, state, loop.policy.model, loop.optimiser)
            saved = time.monotonic()
            pause = max(checkpoint_seconds, (saved - now) / SAVING_SHARE)
        if now - reported >= PROGRESS_SECONDS:
            say(_progress_line(state, loop.run.config, pace))
            reported = now
    say(_progress_line(state, loop.run.config, pace))
    return "", ""


def _train_step(loop: _Loop, state: TrainingState) -> None:
    """Roll out, update, and write down one step; `state` moves on."""
    publish(loop.sampler.engine, loop.policy, loop.folder, f"{loop.policy.policy_id}+{loop.run.version}.{state.step}")
    credit, turns = loop.sampler.sample(state.step, state.num_tokens, state.group_filter)
    rest(loop.sampler.engine)
    sequences = sequences_in_loss(credit.rows, turns)
    seed = derive_seed(loop.run.seed, "minibatches", state.step)
    settings = settings_of(loop.run.config, loop.policy)
    networks = (loop.policy, loop.reference, loop.optimiser)
    signals = update_policy(*networks, sequences, settings, state.num_updates, seed)
    classifier = action_classifier(loop.run.config.harness.actions)
    write_rows(loop.folder / "training", state.step, credit.rows, turns, classifier)
    state.signals.append(_signals(loop, state, credit, signals))
    state.group_filter = credit.group_filter
    state.num_updates += loop.run.config.algorithm.num_minibatches if sequences else 0
    state.num_tokens += state.signals[-1].num_tokens
    state.step += 1


def _signals(loop: _Loop, state: TrainingState, credit: Credit, update: UpdateSignals) -> Signals:
    """Return the row of one step; `seconds` is 0, since stored bytes must repeat."""
    measured: dict[str, Any] = {name: value for name, value in vars(update).items() if name != "mismatch"}
    rewards = [row.reward for row in credit.rows if row.reward is not None]
    return Signals(
        campaign=loop.run.campaign,
        version=loop.run.version,
        step=state.step,
        dead_group_ratio=credit.num_dead / max(credit.num_groups, 1),
        kept_groups=credit.num_kept / max(credit.num_groups, 1),
        num_tokens=sum(row.num_tokens for row in credit.rows),
        seconds=0.0,
        extra={
            "reward": sum(rewards) / max(len(rewards), 1),
            "num_groups": float(credit.num_groups),
            "num_errors": float(sum(row.error is not None for row in credit.rows)),
            **_mismatch(loop.run.config, update),
        },
        **measured,
    )


def _mismatch(config: Config, update: UpdateSignals) -> dict[str, float]:
    """Return how far sampler and trainer disagree; nothing where one network is both."""
    if not config.policy.path:
        return {}
    return {f"mismatch_{name}": value for name, value in asdict(update.mismatch).items()}


def _progress_line(state: TrainingState, config: Config, pace: Pace) -> str:
    """Return one line: step, reward of the last step, speed, time left by tokens and steps."""
    speed = state.num_tokens / max(state.seconds, 1e-9)
    reward = state.signals[-1].extra["reward"] if state.signals else 0.0
    left = pace.left(tokens_left(config.budget, state.num_tokens, state.step))
    return f"step {state.step}  reward {reward:.3f}  {speed:.0f} tokens/s  {left}"


def save_state(folder: Path, state: TrainingState, model: torch.nn.Module, optimiser: Optimiser) -> None:
    """Replace the state file in `folder`."""
    memory = asdict(state.group_filter)
    memory.pop("config")
    values = {
        **{name: getattr(state, name) for name in _COUNTERS},
        "signals": [row.model_dump() for row in state.signals],
        "filter": memory,
        "model": {name: value.detach() for name, value in model.named_parameters() if value.requires_grad},
        "optimiser": optimiser.state_dict(),
    }
    with replacing(folder / STATE_FILE) as partial:
        torch.save(values, partial)


def load_state(
    folder: Path, config: FilterConfig, model: torch.nn.Module, optimiser: Optimiser
) -> TrainingState | None:
    """Put the saved weights and moments in place and return the counters; None where nothing was saved."""
    path = folder / STATE_FILE
    if not path.is_file():
        return None
    values: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    own = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in values["model"].items():
            own[name].copy_(value)
    optimiser.load_state_dict(values["optimiser"])
    state = TrainingState(GroupFilter(config, **values["filter"]), **{name: values[name] for name in _COUNTERS})
    state.signals = [Signals(**row) for row in values["signals"]]
    return state
