"""The base policy at work before anything starts: it is loaded, answers a few problems, and trains a few steps.

    checks.py ─► python -m flows.workspace.preflight ─► chat template ─► answers ─► training
                 a process of its own, which may be ended      one line of JSON at the end of its standard output

A chat template of somebody else may loop: it has limits of processor time and memory. Answers and training have none: a
model on a CPU takes its time, and a line says how far it is.
"""

import json
import math
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evotrainer.actions.tool_call_formats import ToolSchemas
from evotrainer.campaign.allowance import CERTIFIED_POLICIES, EVALUATIONS_OF_BASE, sealed_share
from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, config_from_dict, config_to_dict
from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.loading import problem_of, split_rows
from evotrainer.domains.problem_sets.rows import Reading
from evotrainer.engines import create_rollout_engine
from evotrainer.errors import EvoTrainerError, PolicyError
from evotrainer.records import Message, Problem, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import choose_problems, sample_attempts
from evotrainer.training.base import TrainingRun
from flows.workspace.checks import SIGNAL, Check, Start, num_judged
from flows.workspace.own_files import reading_for
from tasks.running.progress import progress

NUM_PROBLEMS, ATTEMPTS = 16, 4
AT_ONCE = 4
"""Problems between two lines of progress."""
NUM_TRAINED = 3
"""Problems of the training step."""
MAX_TOKENS = 512
TEMPLATE_SECONDS = 5
"""Of processor time: a template takes milliseconds."""
MEMORY_BYTES = 4 << 30
LONG_TEXT = "What follows? " * 20_000
UNSOLVED = (
    "no answer is right, so that training would learn nothing: warm the policy up on worked answers (init=parent "
    "warm_up.rows=640, or `evotrainer policy sft POLICY DATA OUT`), take easier problems, show the wanted form of an "
    "answer with an example in domain.system_prompt, or raise sampling.max_response_tokens and "
    "evaluate.max_response_tokens where answers are cut"
)
ALIKE = (
    "no problem has right answers and wrong ones, so that training would learn next to nothing: take problems that the "
    "policy solves now and then"
)


@dataclass(frozen=True)
class Tried:
    """What came of the attempts, and of the groups of them at one problem."""

    num: int
    groups: int
    mixed: int
    """Groups whose attempts are paid unlike: those that training learns from."""
    solved: int
    well_formed: int
    cut: int
    lost: int
    tokens: int


def try_policy(start: Start, is_timed: bool) -> list[Check]:
    """Let the base policy work in a process; nothing where it is not there yet.

    Fixes the format of a person's policy's tool calls in the configuration. With `is_timed` the time of the campaign is
    estimated too. Raises PolicyError where a person's own policy fails at what the campaign would do the same way.
    """
    policy = start.own_policy or start.trained
    if policy is None:
        return [Check("answers", "ok", "none are tried: the embedded policy is unpacked when the campaign starts")]
    reading = reading_for(start.main, start.config)
    # else another program runs it, which may know networks that transformers here does not
    is_ours = start.config.engine.train == start.config.engine.rollout == "torch"
    request = {
        "config": config_to_dict(start.config),
        "policy": str(policy),
        "is_own": start.own_policy is not None,
        "is_timed": is_timed,
        "tools": list(find_domain(start.config.domain.name).tools()),
        "problems": str(start.problems),
        "columns": dict(reading.columns),
        "repositories": reading.repositories,
    }
    answer = _asked(start.main, request)
    if "error" in answer:
        if start.own_policy and (answer["phase"] == "template" or is_ours):
            raise PolicyError(answer["error"])
        return [Check("answers", "warning", answer["error"])]
    found: list[Check] = []
    if answer.get("tools"):
        start.config.policy.tool_call_format = answer["tools"]["tool_call_format"]
        found.append(Check("tool calls", "ok", f"{answer['tools']['tool_call_format']}, {answer['tools']['source']}"))
    tried = Tried(**answer["tried"])
    looked = describe(tried)
    if start.config.warm_up.rows:  # answers come to have the asked form there
        looked = [one for one in looked if one.name != SIGNAL]
    found += looked
    if "measured" in answer:
        found.append(campaign_time(start, Measured(**answer["measured"])))
    return found


def describe(tried: Tried) -> list[Check]:
    """Return what came of the attempts, for a person; a warning where training would have nothing to learn from."""
    text = (
        f"{tried.groups} problems, {tried.num} answers: {tried.well_formed / tried.num:.0%} have the asked form, "
        f"{tried.solved / tried.num:.0%} are right, {tried.mixed} of {tried.groups} groups of "
        f"{tried.num // tried.groups} have a signal, {tried.tokens / tried.num:.0f} tokens an answer"
    )
    text += f", {tried.cut} were cut by the limit of tokens" if tried.cut else ""
    text += f", {tried.lost} could not be graded" if tried.lost else ""
    found = [Check("answers", "ok", text)]
    return found if tried.mixed else [*found, Check(SIGNAL, "warning", ALIKE if tried.solved else UNSOLVED)]


def _asked(main: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Return what the process found; {"phase", "error"} where it ended early, by itself or by a limit."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "policy.log"
        with progress().running("check", "policy", log), log.open("w") as stream:
            command = [sys.executable, "-m", __name__]
            done = subprocess.run(
                command, input=json.dumps(request), stdout=subprocess.PIPE, stderr=stream, text=True, cwd=main
            )
        lines = log.read_text(errors="replace").strip().splitlines()
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if answers and ("error" in answers[-1] or done.returncode == 0):
        return {key: value for answer in answers for key, value in answer.items()}
    phase = next((answer["phase"] for answer in reversed(answers) if "phase" in answer), "answers")
    how = "takes too long or too much memory" if done.returncode < 0 else (lines or ["no output"])[-1][:300]
    return {"phase": phase, "error": f"the base policy at {request['policy']} fails ({phase}): {how}"}


def _measure(request: dict[str, Any]) -> None:
    """Do all that is asked for, and print a line of JSON before each phase and after the last."""
    config, policy = config_from_dict(request["config"]), Path(request["policy"])
    config.engine.rollout = config.engine.train = "torch"
    if request["is_own"]:
        _enter("template", TEMPLATE_SECONDS)
        print(json.dumps({"tools": _template(policy, config, request["tools"])}))
    _enter("answers", None)
    reading = Reading(request["columns"], request["repositories"])
    rows = split_rows(Path(request["problems"]), config.domain.name, reading)["train"]
    problems = [problem_of(row, config.domain.name, "train") for row in rows]
    attempts, seconds = try_answers(config, policy, choose_problems(problems, NUM_PROBLEMS, config.seed))
    tried = counted(attempts)
    print(json.dumps({"tried": asdict(tried)}))
    if request["is_timed"]:
        _enter("training", None)
        step, tokens = _training_step(config, policy, choose_problems(problems, NUM_TRAINED, config.seed))
        measured = Measured(seconds / tried.num, tried.tokens / tried.num, tried.cut / tried.num, step, tokens)
        print(json.dumps({"measured": asdict(measured)}))


def _enter(phase: str, seconds: int | None) -> None:
    """Name what comes next, and limit the processor time and memory that it may take from here on."""
    print(json.dumps({"phase": phase}), flush=True)
    print(phase, file=sys.stderr, flush=True)
    spent = math.ceil(time.process_time())
    for kind, limit in ((resource.RLIMIT_CPU, spent + (seconds or 0)), (resource.RLIMIT_DATA, MEMORY_BYTES)):
        _, most = resource.getrlimit(kind)
        resource.setrlimit(kind, (limit if seconds else most, most))


def _template(policy: Path, config: Config, tools: ToolSchemas) -> dict[str, str] | None:
    from evotrainer.engines.codec import HfChatCodec, tool_use

    codec = HfChatCodec.from_directory(policy, config.policy.tool_call_format)
    try:
        codec.template.render([Message(role="user", content=LONG_TEXT)], open_turn=True)
        codec.template.end_of_turn()
        return asdict(tool_use(codec, tools, config.domain.system_prompt)) if tools else None
    except PolicyError as error:
        text = str(error).replace("the chat template ", f"the chat template of {policy} ", 1)
        raise PolicyError(text if "take a" in text else f"{text}: correct it, or take another policy") from None


def try_answers(config: Config, policy: Path, problems: list[Problem]) -> tuple[list[Trajectory], float]:
    """Sample and grade a few answers; return them and the seconds that they took."""
    limit = min(config.evaluate.max_response_tokens, MAX_TOKENS)
    config = replace(config, evaluate=replace(config.evaluate, max_response_tokens=limit))
    engine = create_rollout_engine(config, policy)
    identity = EpisodeIdentity("check", BASE_VERSION, "check", config.seed)
    rows: list[Trajectory] = []
    started = time.monotonic()
    for first in range(0, len(problems), AT_ONCE):
        rows += sample_attempts(engine, problems[first : first + AT_ONCE], ATTEMPTS, config, identity)
        print(f"answers {len(rows)}/{ATTEMPTS * len(problems)}", file=sys.stderr, flush=True)
    return rows, time.monotonic() - started


def counted(rows: list[Trajectory]) -> Tried:
    """Count what came of attempts."""
    paid: dict[str, set[float]] = {row.problem_id: set() for row in rows}
    for row in rows:
        if row.reward is not None:
            paid[row.problem_id].add(round(row.reward, 9))
    return Tried(
        num=len(rows),
        groups=len(paid),
        mixed=sum(len(found) > 1 for found in paid.values()),
        solved=sum(bool(row.correct) for row in rows),
        well_formed=sum(bool(row.format_ok) for row in rows),
        cut=sum(row.is_truncated for row in rows),
        lost=sum(row.error is not None for row in rows),
        tokens=sum(row.num_tokens for row in rows),
    )


def _training_step(config: Config, policy: Path, problems: list[Problem]) -> tuple[float, float]:
    """Return seconds and sampled tokens a problem of one optimiser step, its rollouts included.

    A run of two steps beside one of a single step: what a run takes to start falls out.
    """
    sampling = replace(config.sampling, problems_per_step=len(problems))
    one, two = (
        _trained(replace(config, sampling=sampling, budget=replace(config.budget, max_steps=steps)), policy, problems)
        for steps in (1, 2)
    )
    step = two[0] - one[0] if two[0] > one[0] else two[0] / 2  # of a step too short to tell from the start
    return step / len(problems), two[1] / 2 / len(problems)


def _trained(config: Config, policy: Path, problems: list[Problem]) -> tuple[float, int]:
    """Return the seconds and the sampled tokens of a training whose outputs are thrown away."""
    from evotrainer.training import train

    with TemporaryDirectory() as folder:
        seed = derive_seed(config.seed, "check")
        out, scratch = Path(folder) / "out", Path(folder) / "scratch"
        run = TrainingRun(config, policy, problems, out, "check", BASE_VERSION, seed, scratch)
        started = time.monotonic()
        num_tokens = train(run).num_tokens
        return time.monotonic() - started, num_tokens


FASTER, SLOWER = 0.7, 1.5
"""Of a machine and answers that stay as measured: larger batches are faster, longer answers slower."""


@dataclass(frozen=True)
class Measured:
    """What the base policy took on this machine."""

    attempt_seconds: float
    attempt_tokens: float
    cut: float
    """Share of the attempts that the limit of tokens cut."""
    step_seconds: float
    """Of a training step, a problem, with its rollouts."""
    step_tokens: float
    """Sampled in a training step, a problem."""


def campaign_time(start: Start, measured: Measured) -> Check:
    """Return how long the campaign would take, as a range; a warning where that is not known."""
    config, most = start.config, start.config.evaluate.max_problems
    evaluation = min(num_judged(start), most) * (config.evaluate.attempts + 1)  # the greedy one is the last
    if not evaluation:
        return Check("time", "warning", "how long the campaign takes is not known: there are no validation problems")
    if not config.engine.train == config.engine.rollout == "torch":
        return Check("time", "warning", "how long it takes is not measured: it samples or trains by another program")
    steps = num_steps(start, measured)
    training = steps * config.sampling.problems_per_step * measured.step_seconds
    problems = config.budget.rollout_problems + config.budget.probe_problems
    sampled = problems * config.sampling.group_size * measured.attempt_seconds
    judged = evaluation * measured.attempt_seconds
    ends = (EVALUATIONS_OF_BASE + CERTIFIED_POLICIES * sealed_share(start.problems, most)) * judged
    warm_up, tried = config.warm_up, config.warm_up.rounds * len(start.own_rows().get("train", []))
    # a worked answer is one attempt that nobody samples: about half of a problem's step
    answers = (warm_up.rows + tried / 2) * warm_up.passes * measured.step_seconds / 2
    ends += warm_up.stages * (sampled + judged) + answers + tried * warm_up.attempts * measured.attempt_seconds
    longer = 1 + measured.cut * (max(1.0, config.evaluate.max_response_tokens / max(1.0, measured.attempt_tokens)) - 1)
    low = FASTER * (ends + config.num_versions * (sampled + judged + training))
    high = SLOWER * longer * (ends + config.num_versions * (sampled + 2 * judged + training))
    version, warmed = sampled + judged + training, " and a warm-up" if warm_up.stages else ""
    step = config.sampling.problems_per_step * measured.step_seconds
    text = (
        f"{shown(low)} to {shown(high)} for {config.num_versions} versions{warmed}: "
        f"{shown(measured.attempt_seconds)} an attempt, {shown(step)} a training step, about {steps} steps and "
        f"{shown(version)} a version"
    )
    return Check("time", "ok", text)


def num_steps(start: Start, measured: Measured) -> int:
    """Return the optimiser steps of a training: it ends with the step that reaches its tokens, or at its steps."""
    budget = start.config.budget
    tokens = measured.step_tokens * start.config.sampling.problems_per_step
    return max(1, min(budget.max_steps, round(budget.train_tokens / max(1.0, tokens))))


def shown(seconds: float) -> str:
    """Return a duration as a person reads it: 40 s, 12 min, 3.5 h, 2.1 days."""
    for unit, size, most in (("s", 1, 90), ("min", 60, 5400), ("h", 3600, 172_800)):
        if seconds < most:
            return f"{seconds / size:.2g} {unit}"
    return f"{seconds / 86_400:.2g} days"


def main() -> None:
    """Read a request from standard input; errors of ours are the last line."""
    try:
        _measure(json.load(sys.stdin))
    except EvoTrainerError as error:
        print(json.dumps({"error": str(error)}))


if __name__ == "__main__":
    main()
