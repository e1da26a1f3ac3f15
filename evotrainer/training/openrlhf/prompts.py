"""The files that a job reads: its prompts, and the agent function with what it needs.

A line of the prompts is one draw of a problem: our schedule draws the problems of each step, so that families come as
often as data.mixture says. OpenRLHF shuffles the lines. The text of a line is for its log; the episode is ours.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from evotrainer.algorithm.curriculum import ProblemSchedule
from evotrainer.campaign.atomic import write_atomic, write_json_atomic
from evotrainer.config import Config
from evotrainer.engines.codec import HfChatCodec
from evotrainer.records import Problem
from evotrainer.training.openrlhf.job import SOURCES
from evotrainer.training.openrlhf.spec import WorkerSpec

PROMPTS, AGENT, AGENT_SPEC, WORKER_SPEC = "prompts.jsonl", "agent.py", "agent.json", "worker.json"


def draw_problems(schedule: ProblemSchedule, config: Config) -> list[Problem]:
    """Return the problems of all steps of a run; a pool smaller than a step is drawn again until the run is full."""
    wanted = config.budget.max_steps * config.sampling.problems_per_step
    drawn: list[Problem] = []
    step = 0
    while len(drawn) < wanted:
        drawn += schedule.draw(step, config.sampling.problems_per_step, progress=0.0)
        step += 1
    return drawn[:wanted]


def write_prompts(path: Path, drawn: Sequence[Problem]) -> None:
    """Write one line a draw."""
    lines = [
        json.dumps(
            {"prompt": problem.prompt, "label": json.dumps({"draw": number, "problem_id": problem.problem_id})},
            ensure_ascii=False,
        )
        for number, problem in enumerate(drawn)
    ]
    write_atomic(path, "\n".join(lines) + "\n")


def write_agent(folder: Path, spec: WorkerSpec) -> None:
    """Write the agent function and what it and its workers read."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(__file__).with_name(AGENT), folder / AGENT)
    spec.write(folder / WORKER_SPEC)
    python = spec.config.engine.openrlhf.worker_python or sys.executable
    values = {
        "worker": [python, "-m", f"{__package__}.worker", str(folder / WORKER_SPEC)],
        "environment": {"PYTHONPATH": str(SOURCES)},
        "root": str(Path.cwd()),
        "max_turn_tokens": spec.config.sampling.max_response_tokens,
        "stop_ids": list(HfChatCodec.from_directory(spec.codec_path).stop_ids),
    }
    write_json_atomic(folder / AGENT_SPEC, values)
