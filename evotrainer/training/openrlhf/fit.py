"""One training run by OpenRLHF: prepare its files, start or resume its job, watch it, and take home what it made.

    draw problems ─► files ─► job ─► watch: tokens, time, checkpoints ─► evidence ─► policy

The watch decides the end. A run ends with the first checkpoint at or after its token budget, or when OpenRLHF has
taken all steps; the wall clock can only abort it. A run that was killed or failed goes on from its last checkpoint;
episodes after it are played again. Unlike engine.train=torch a run does not repeat bit by bit: GPUs and the order in
which episodes end differ.
"""

import json
import shutil
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from evotrainer.actions import action_classifier
from evotrainer.algorithm.curriculum import ProblemSchedule
from evotrainer.campaign.chat_endpoint import merge_record
from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.ledger import usage
from evotrainer.campaign.running import Pace, say
from evotrainer.config import Config
from evotrainer.domains.judge import open_judge
from evotrainer.engines.base import RolloutEngine
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.errors import CodeError, ConfigError
from evotrainer.records import Problem
from evotrainer.training.base import CODE_FAILED, OVERRUN, FitResult, TrainingRun, replace_folder, run_key, tokens_left
from evotrainer.training.openrlhf.evidence import (
    GroupFolder,
    Step,
    complete_steps,
    logged_numbers,
    steps_of,
    write_evidence,
)
from evotrainer.training.openrlhf.inputs import (
    PROMPTS,
    RunFiles,
    WorkerSpec,
    arguments,
    draw_problems,
    write_agent,
    write_prompts,
)
from evotrainer.training.openrlhf.job import (
    Job,
    is_whole,
    keep_last,
    missing,
    resumed_step,
    take_model,
    whole_checkpoints,
)
from evotrainer.training.openrlhf.options import refusals
from evotrainer.training.openrlhf.worker import KNOWN_ANSWERS
from evotrainer.training.tracking import TrackedRun, Trackers

PROGRESS_SECONDS = 2.0
STATE = "state.json"


@dataclass(frozen=True)
class _End:
    """How the job ended: after so many steps, with its weights at `model`, or with the label of a failure."""

    num_steps: int
    model: Path | None
    label: str = ""


class OpenRLHFTrainEngine:
    """Trains a policy with OpenRLHF."""

    needs_rollout_engine = False

    def refusals(self, config: Config) -> list[str]:
        """Return one sentence for each setting that OpenRLHF cannot express."""
        return refusals(config)

    def missing(self, config: Config) -> list[str]:
        """Return what a job would lack."""
        return missing(config.engine.openrlhf)

    def fit(self, run: TrainingRun, rollout_engine: RolloutEngine | None) -> FitResult:
        """Train as training/base.py says; raises ConfigError before anything starts, PolicyError for a failed job."""
        config, init_path, out = run.config, run.init_path, run.out
        start = policy_hash(init_path)
        files = RunFiles((run.scratch / run_key(run, start)).resolve())
        words = arguments(config, init_path, run.seed, files)
        try:
            schedule = ProblemSchedule(run.problems, run.pass_rates, config.data, run.seed, run.code)
            drawn = draw_problems(schedule, config)
        except CodeError as error:
            return FitResult(out / "model", 0, 0, CODE_FAILED, str(error))
        spec = WorkerSpec(
            config=config,
            problems={problem.problem_id: problem for problem in drawn},
            campaign=run.campaign,
            version=run.version,
            seed=run.seed,
            policy_id=f"{start}+{run.version}",
            codec_path=init_path.resolve(),
            rows_path=files.rows,
            judge_path=files.judge,
        )
        _prepare(files, spec, drawn, out / "judge" / "train.jsonl")
        watch = _Watch(config, files)
        end = watch.finished() or watch.run(words)
        return self._take_home(watch, end, spec, init_path, out)

    def _take_home(self, watch: "_Watch", end: _End, spec: WorkerSpec, init_path: Path, out: Path) -> FitResult:
        files, config = watch.files, watch.config
        steps = watch.steps()[: end.num_steps]
        shutil.rmtree(files.folder / "training", ignore_errors=True)
        classifier = action_classifier(config.harness.actions)
        has_kl = config.algorithm.kl_coefficient > 0
        names = (spec.campaign, spec.version)
        signals = write_evidence(steps, files.events, files.folder / "training", names, classifier, has_kl)
        replace_folder(files.folder / "training", out / "training", keep_source=False)
        tracked = TrackedRun(config.tracking.project, *names, files.folder.parent / "tracking")
        with closing(Trackers(config.tracking, tracked)) as trackers:
            for row in signals:
                trackers.log(row)
        for record in sorted(files.judge.glob("*.jsonl")):
            merge_record(record, out / "judge" / "train.jsonl")
        num_tokens = sum(group.num_tokens for step in steps for group in step)
        if end.model is None:
            return FitResult(out / "model", len(steps), num_tokens, end.label)
        saved = take_model(end.model, init_path, out / "model")
        shutil.rmtree(files.folder)
        return FitResult(out / "model", len(steps), num_tokens, policy_hash=saved)


def _prepare(files: RunFiles, spec: WorkerSpec, drawn: Sequence[Problem], answers: Path) -> None:
    """Check the environment and write what the job reads; nothing is written where it is not there."""
    lacking = missing(spec.config.engine.openrlhf)
    if lacking:
        raise ConfigError("; ".join(lacking))
    with open_judge(spec.config.domain, answers):  # a judge that is not there ends the stage before any GPU is taken
        pass
    for folder in (files.job, files.rows, files.judge):
        folder.mkdir(parents=True, exist_ok=True)
    merge_record(answers, files.judge / KNOWN_ANSWERS)
    write_prompts(files.job / PROMPTS, drawn)
    write_agent(files.job, spec)


class _Watch:
    """Looks at a job until it ends, or ends it."""

    def __init__(self, config: Config, files: RunFiles) -> None:
        self.config, self.files = config, files
        self._groups = GroupFolder(files.rows)
        self._counted: tuple[int, int] | None = None
        self._pace = Pace()
        self._state = files.folder / STATE
        self._seconds = float(json.loads(self._state.read_text())["seconds"]) if self._state.is_file() else 0.0

    def steps(self) -> list[Step]:
        """Return the groups of each step so far."""
        return steps_of(self._groups.groups(), self.config.sampling.problems_per_step)

    def finished(self) -> _End | None:
        """Return the end of a run that an earlier process did not take home."""
        return self._reached_budget() or (self._own_end() if is_whole(self.files.model) else None)

    def run(self, words: Sequence[str]) -> _End:
        """Start or resume the job, and return how it ended; it is stopped where this process is interrupted."""
        self._go_back(resumed_step(self.files.checkpoints))
        started, earlier, reported = time.monotonic(), self._seconds, 0.0
        job = Job(self.config.engine.openrlhf, words, self.files.log)
        try:
            while True:
                has_ended = job.ended()
                self._seconds = earlier + time.monotonic() - started
                write_json_atomic(self._state, {"seconds": self._seconds})
                self._count()
                end = self._own_end() if has_ended else self._reached_budget() or self._overrun()
                if (time.monotonic() - reported >= PROGRESS_SECONDS or end) and self._groups.groups():
                    say(self._progress())
                    reported = time.monotonic()
                if end:
                    return end
                keep_last(self.files.checkpoints)
                time.sleep(self.config.engine.openrlhf.poll_seconds)  # between looks at a job of hours
        finally:
            job.stop()

    def _count(self) -> None:
        """Count what the job's workers have sampled since this process began to watch it."""
        groups = self._groups.groups()
        found = (sum(group.num_tokens for group in groups), sum(len(group.rewards) for group in groups))
        before, self._counted = self._counted or found, found
        if found > before:
            self._pace.step(found[0] - before[0])
        usage().tokens += max(0, found[0] - before[0])
        usage().trajectories += max(0, found[1] - before[1])

    def _go_back(self, num_steps: int) -> None:
        """Forget what came after the checkpoint from which the job goes on."""
        self._groups.keep([group for step in self.steps()[:num_steps] for group in step])
        for number, path in whole_checkpoints(self.files.checkpoints).items():
            if number > num_steps:
                shutil.rmtree(path)

    def _own_end(self) -> _End:
        """Return the end of a job that took all its steps."""
        logged = logged_numbers(self.files.events)
        return _End(max(logged, default=len(self._complete()) - 1) + 1, self.files.model)

    def _reached_budget(self) -> _End | None:
        """Return the end at the first checkpoint that is at or after the token budget."""
        needed = self._budget_steps()
        found = whole_checkpoints(self.files.checkpoints)
        reached = [number for number in found if needed is not None and number >= needed]
        return _End(min(reached), found[min(reached)]) if reached else None

    def _budget_steps(self) -> int | None:
        """Return after how many steps the token budget is reached; None while it is not."""
        spent = 0
        for number, step in enumerate(self._complete(), start=1):
            spent += sum(group.num_tokens for group in step)
            if spent >= self.config.budget.train_tokens:
                return number
        return None

    def _complete(self) -> list[Step]:
        return complete_steps(self.steps(), self.config.sampling.problems_per_step)

    def _overrun(self) -> _End | None:
        if self._seconds <= self.config.budget.max_train_seconds:
            return None
        return _End(len(self._complete()), None, OVERRUN)

    def _progress(self) -> str:
        """Return one line: step, reward of the last step, speed, time left by tokens and steps."""
        groups, steps = self._groups.groups(), self._complete()
        num_tokens = sum(group.num_tokens for group in groups)
        speed = num_tokens / max(self._seconds, 1e-9)
        rewards = [reward for group in (steps[-1] if steps else []) for reward in group.rewards]
        reward = sum(rewards) / max(len(rewards), 1)
        left = self._pace.left(tokens_left(self.config.budget, num_tokens, len(steps)))
        return f"step {len(steps)}  reward {reward:.3f}  {speed:.0f} tokens/s  {left}"
