"""Real healthy runs of another trainer: TRL trains an embedded policy, logs its completions, and they are diagnosed.

    python -m benchmarks.foreign.trl_runs POLICY PROBLEMS OUT

Each run is one setting of its GRPO trainer: GRPO, Dr. GRPO, DAPO, advantages scaled over the batch with KL in the loss,
groups of two, a graded reward, a hot policy. Its RLOO trainer writes no completions.
POLICY is a directory of weights, PROBLEMS a file of problems with answers, of whole talks where a row has `messages`
(chat_policy.py makes both). TRL is a development dependency.
"""

import importlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.foreign.bench import read_and_diagnosed

_NUMBER = re.compile(r"-?\d+")


@dataclass(frozen=True)
class TrlRun:
    """A setting of TRL."""

    options: dict[str, Any] = field(default_factory=dict)
    reward: str = "accuracy_reward"


RUNS = {
    "grpo": TrlRun(),
    "dr_grpo": TrlRun(options={"loss_type": "dr_grpo", "scale_rewards": "none"}),
    "dapo": TrlRun(options={"loss_type": "dapo", "epsilon_high": 0.28}),
    "batch_scaled_kl": TrlRun(options={"scale_rewards": "batch", "beta": 0.04}),
    "groups_of_two": TrlRun(options={"num_generations": 2}),
    "graded": TrlRun(reward="near_reward"),
    "hot": TrlRun(options={"temperature": 1.3, "learning_rate": 2e-4}),
}


def accuracy_reward(completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    """1 where the last number of a completion is the answer."""
    return [float(_last(text) == right) for text, right in zip(map(_text, completions), answer, strict=True)]


def near_reward(completions: list[Any], answer: list[str], **columns: Any) -> list[float]:
    """1 for the answer, less for a number farther from it, 0 for none."""
    pairs = zip(map(_text, completions), answer, strict=True)
    return [0.0 if not _last(text) else 1 / (1 + abs(int(_last(text)) - int(right)) / 10) for text, right in pairs]


def train(name: str, policy: Path, problems: list[dict], out: Path) -> Path:
    """Train by TRL under the setting `name`; return the folder of its logged completions."""
    trl: Any = importlib.import_module("trl")
    from datasets import Dataset

    chosen = RUNS[name]
    common: dict[str, Any] = {
        "output_dir": str(out),
        "report_to": [],
        "log_completions": True,
        "logging_steps": 1,
        "max_steps": 12,
        "per_device_train_batch_size": 64,
        "num_generations": 8,
        "max_completion_length": 96,
        "learning_rate": 1e-4,
        "seed": 7,
        "use_cpu": True,
        "bf16": False,
        "disable_tqdm": True,
        "save_strategy": "no",
        "num_completions_to_print": 0,
    }
    config: Any = trl.GRPOConfig(**common | chosen.options)
    reward: Callable[..., list[float]] = globals()[chosen.reward]
    rows = [{"prompt": _messages(problem), "answer": problem["answer"]} for problem in problems]
    trainer = trl.GRPOTrainer(
        model=str(policy), reward_funcs=[reward], args=config, train_dataset=Dataset.from_list(rows)
    )
    trainer.train()
    return out / "completions"


def _messages(problem: dict) -> list[dict[str, str]]:
    return problem.get("messages") or [{"role": "user", "content": problem["problem"]}]


def _text(completion: Any) -> str:
    return completion if isinstance(completion, str) else completion[0]["content"]


def _last(text: str) -> str:
    found = _NUMBER.findall(text)
    return found[-1] if found else ""


def main(policy: str, problems: str, out: str, *names: str) -> None:
    """Train under each setting and print what the harness says of it."""
    import json

    rows = [json.loads(line) for line in Path(problems).read_text().splitlines()]
    numeric = [row for row in rows if _NUMBER.fullmatch(row["answer"])][:400]
    for name in names or RUNS:
        folder = train(name, Path(policy), numeric, Path(out) / name)
        found = [finding for finding in read_and_diagnosed(folder) if finding[0] != "info"]
        print(f"{name}: {len(found)} findings", *("; ".join(finding) for finding in found), sep="\n    ", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
