"""A few answers of the base policy, sampled and graded before anything is started.

They are sampled in a process of their own, which has SECONDS: a policy that is too slow for that is told as such.
"""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.config import Config, config_from_dict, config_to_dict
from evotrainer.domains.problem_sets.columns import Reading
from evotrainer.domains.problem_sets.loading import problem_of, split_rows
from evotrainer.engines import create_rollout_engine
from evotrainer.errors import PolicyError
from evotrainer.records import Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import choose_problems, sample_attempts
from flows.workspace.check import Check
from flows.workspace.checks.base import Start
from flows.workspace.checks.budget import tokens_tried
from flows.workspace.checks.machine import shape_of
from flows.workspace.own_files import reading_for

NUM_PROBLEMS, ATTEMPTS = 8, 2
MAX_TOKENS = 512
SECONDS = 20.0
REMEDY = (
    "no group would hold a correct attempt, so training learns nothing: take easier problems or a policy that solves "
    "some, raise evaluate.max_response_tokens and sampling.max_response_tokens, or say the wanted form of an answer in "
    "domain.system_prompt"
)


@dataclass(frozen=True)
class Tried:
    """What came of the attempts."""

    num: int
    solved: int
    well_formed: int
    cut: int
    lost: int
    tokens: int


def look_at_answers(start: Start) -> list[Check]:
    """Let the base policy answer training problems; nothing where it is not there yet.

    Raises PolicyError where a person's own policy fails at it, and the campaign would run it the same way.
    """
    policy = start.own_policy or start.trained
    if policy is not None and shape_of(policy) is None:
        return []
    if policy is None:
        return [Check("answers", "ok", "none are tried: the embedded policy is trained when the campaign starts")]
    reading = reading_for(start.main, start.config)
    problems = start.own_problems or start.main / start.config.domain.data_path
    request = {
        "config": config_to_dict(start.config),
        "policy": str(policy),
        "problems": str(problems),
        "columns": dict(reading.columns),
        "repositories": reading.repositories,
    }
    command = [sys.executable, "-m", __name__]
    try:
        done = subprocess.run(
            command, input=json.dumps(request), capture_output=True, text=True, timeout=SECONDS, cwd=start.main
        )
    except subprocess.TimeoutExpired:
        return [
            Check("answers", "warning", f"{NUM_PROBLEMS * ATTEMPTS} took more than {SECONDS:.0f} s: none were judged")
        ]
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        reason = f"the base policy cannot answer: {lines[-1][:300]}"
        if start.own_policy and start.config.engine.train == start.config.engine.rollout == "torch":
            raise PolicyError(reason)  # the campaign would run it the same way
        return [Check("answers", "warning", reason)]
    tried = Tried(**json.loads(done.stdout.splitlines()[-1]))
    return [_told(tried), *tokens_tried(start, tried.tokens / tried.num)]


def _told(tried: Tried) -> Check:
    text = f"{tried.solved} of {tried.num} tried answers are correct, {tried.well_formed} have the wanted form"
    text += f", {tried.cut} were cut by the limit of tokens" if tried.cut else ""
    text += f", {tried.lost} could not be graded" if tried.lost else ""
    return Check("answers", "ok", text) if tried.solved else Check("answers", "warning", f"{text}; {REMEDY}")


def try_answers(config: Config, policy: Path, problems: Path, reading: Reading) -> Tried:
    """Sample and grade a few answers with the engine of this process, whatever engine the campaign takes."""
    config.engine.rollout = "torch"
    config.evaluate.max_response_tokens = min(config.evaluate.max_response_tokens, MAX_TOKENS)
    rows = split_rows(problems, config.domain.name, reading)["train"]
    found = [problem_of(row, config.domain.name, "train") for row in rows]
    chosen = choose_problems(found, NUM_PROBLEMS, config.seed)
    identity = EpisodeIdentity("check", BASE_VERSION, "check", config.seed)
    return _counted(sample_attempts(create_rollout_engine(config, policy), chosen, ATTEMPTS, config, identity))


def _counted(rows: list[Trajectory]) -> Tried:
    return Tried(
        num=len(rows),
        solved=sum(bool(row.correct) for row in rows),
        well_formed=sum(bool(row.format_ok) for row in rows),
        cut=sum(row.is_truncated for row in rows),
        lost=sum(row.error is not None for row in rows),
        tokens=sum(row.num_tokens for row in rows),
    )


def main() -> None:
    """Read a request from standard input, and print what came of it as JSON."""
    request = json.load(sys.stdin)
    reading = Reading(request["columns"], request["repositories"])
    places = (Path(request["policy"]), Path(request["problems"]))
    print(json.dumps(asdict(try_answers(config_from_dict(request["config"]), *places, reading))))


if __name__ == "__main__":
    main()
