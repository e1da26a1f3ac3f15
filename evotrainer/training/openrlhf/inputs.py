"""What a job is given: its folder, its command line, its prompts, and the agent function with what that needs.

A line of the prompts is one draw of a problem: our schedule draws the problems of each step, so that families come as
often as data.mixture says. OpenRLHF shuffles the lines. The text of a line is for its log; the episode is ours.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evotrainer.algorithm.curriculum import ProblemSchedule
from evotrainer.campaign.documents import write_atomic, write_json_atomic
from evotrainer.config import Config
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.model_files import max_positions
from evotrainer.errors import ConfigError
from evotrainer.records import Problem
from evotrainer.records.base import Record
from evotrainer.training.openrlhf.job import SOURCES
from evotrainer.training.openrlhf.options import flags_of

SEED_BITS = 31
"""OpenRLHF seeds numpy, which takes no more than 32 bits."""
AGENT, PROMPTS, WORKER_SPEC = "agent.py", "prompts.jsonl", "worker.json"


class RunFiles:
    """The folder of a run, in scratch: it must lie at the same path on every node."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.job, self.log = folder / "job", folder / "log.txt"
        self.rows, self.judge = folder / "rows", folder / "judge"
        """Episodes, one file a group, and answers of the judge, one file a worker."""
        self.events = folder / "tensorboard"
        self.checkpoints, self.model = folder / "checkpoints", folder / "model"
        """DeepSpeed's state with the Hugging Face directories of the last steps, and the policy of a whole run."""


class WorkerSpec(Record):
    """What a worker needs to play episodes, the same for all workers of a run."""

    config: Config
    problems: dict[str, Problem]
    campaign: str
    version: str
    seed: int
    policy_id: str
    codec_path: Path
    """A Hugging Face directory, of which tokenizer and chat template are read."""
    rows_path: Path
    judge_path: Path


def arguments(config: Config, init_path: Path, seed: int, files: RunFiles) -> list[str]:
    """Return the arguments of OpenRLHF's trainer, for a configuration that it can express.

    Raises:
        ConfigError: the model's longest sequence is not known, or too short.

    """
    flags: dict[str, tuple[Any, ...]] = {
        "--actor.model_name_or_path": (init_path.resolve(),),
        "--train.agent_func_path": (files.job / AGENT,),
        "--data.prompt_dataset": (files.job / PROMPTS,),
        "--data.input_key": ("prompt",),
        "--data.label_key": ("label",),
        "--data.max_len": (_context_tokens(config, init_path),),
        **flags_of(config),
        "--train.seed": (seed % 2**SEED_BITS,),
        "--ckpt.output_dir": (files.model,),
        "--ckpt.path": (files.checkpoints,),
        "--ckpt.save_hf": (),
        "--ckpt.load_enable": (),
        "--ckpt.max_num": (2,),
        "--ckpt.best_metric_key": ("none",),
        "--logger.logging_steps": (1,),
        "--logger.tensorboard_dir": (files.events,),
        "--logger.wandb.run_name": ("run",),
    }
    return [word for flag, values in flags.items() for word in (flag, *map(str, values))]


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
    labels = (json.dumps({"draw": place, "problem_id": each.problem_id}) for place, each in enumerate(drawn))
    lines = (
        json.dumps({"prompt": each.prompt, "label": label}, ensure_ascii=False)
        for each, label in zip(drawn, labels, strict=True)
    )
    write_atomic(path, "".join(f"{line}\n" for line in lines))


def write_agent(folder: Path, spec: WorkerSpec) -> None:
    """Write the agent function and what it and its workers read."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(__file__).with_name(AGENT), folder / AGENT)
    write_atomic(folder / WORKER_SPEC, spec.model_dump_json())
    python = spec.config.engine.openrlhf.worker_python or sys.executable
    values = {
        "worker": [python, "-m", f"{__package__}.worker", str(folder / WORKER_SPEC)],
        "environment": {"PYTHONPATH": str(SOURCES)},
        "root": str(Path.cwd()),
        "max_turn_tokens": spec.config.sampling.max_response_tokens,
        "stop_ids": list(HfChatCodec.from_directory(spec.codec_path).stop_ids),
    }
    write_json_atomic(folder / "agent.json", values)


def _context_tokens(config: Config, init_path: Path) -> int:
    """Return the longest sequence, prompt and all turns; raises ConfigError where the model's own limit is unknown."""
    allowed = max_positions(init_path)
    wanted = config.engine.openrlhf.context_tokens or allowed
    if not wanted:
        raise ConfigError(f"{init_path} names no max_position_embeddings: set engine.openrlhf.context_tokens")
    if allowed and wanted > allowed:
        raise ConfigError(f"engine.openrlhf.context_tokens={wanted}: the model allows {allowed}")
    return wanted
