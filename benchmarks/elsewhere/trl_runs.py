"""Real runs of another trainer: TRL trains an embedded policy, logs its completions, and they are diagnosed.

    python -m benchmarks.elsewhere.trl_runs POLICY PROBLEMS OUT [seed=N] [SETTING ...]

Each run is one setting of its GRPO trainer (trl_settings.py), healthy or with one mistake. Its RLOO trainer writes no
completions. POLICY is a directory of weights, PROBLEMS a file of problems with answers.
TRL is a development dependency.
"""

import contextlib
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from benchmarks.elsewhere.bench import Case, answer_of
from benchmarks.elsewhere.trl_rewards import NUMBER
from benchmarks.elsewhere.trl_settings import FAULTY, HEALTHY, RUNS, Problems

MAX_PROBLEMS, SEED = 400, 7


def train(name: str, policy: Path, problems: Problems, out: Path, seed: int = SEED) -> Path:
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
        "seed": seed,
        "use_cpu": True,
        "bf16": False,
        "disable_tqdm": True,
        "save_strategy": "no",
        "num_completions_to_print": 0,
    }
    config: Any = trl.GRPOConfig(**common | chosen.options)
    rows = [_row(problem) for problem in chosen.problems(problems)]
    trainer = trl.GRPOTrainer(
        model=str(policy), reward_funcs=list(chosen.rewards), args=config, train_dataset=Dataset.from_list(rows)
    )
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        trainer.train()
    return out / "completions"


def _row(problem: dict[str, Any]) -> dict[str, Any]:
    columns = {name: problem[name] for name in ("answer", "source") if name in problem}
    return {"prompt": [{"role": "user", "content": problem["problem"]}], **columns}


def main(policy: str, problems: str, out: str, *names: str) -> None:
    """Train under each setting and print what the harness says of it, and how many it is right about."""
    rows = [json.loads(line) for line in Path(problems).read_text().splitlines()]
    numeric = [row for row in rows if NUMBER.fullmatch(row["answer"])][:MAX_PROBLEMS]
    num_found = num_accused = 0
    seed = next((int(name.removeprefix("seed=")) for name in names if name.startswith("seed=")), SEED)
    chosen = tuple(name for name in names if name in RUNS) or tuple(RUNS)
    for name in chosen:
        folder = train(name, Path(policy), numeric, Path(out) / name, seed)
        found = [(one.severity, one.mode, one.message) for one in answer_of(Case(folder.name, folder)).judged]
        modes = RUNS[name].modes
        is_found = any(mode in modes for _, mode, _ in found)
        is_accused = not modes and any(severity in ("critical", "invalid") for severity, _, _ in found)
        num_found, num_accused = num_found + is_found, num_accused + is_accused
        verdict = ("found" if is_found else "MISSED") if modes else ("ACCUSED" if is_accused else "sound")
        print(f"{name}: {verdict}", *("; ".join(finding) for finding in found), sep="\n    ", flush=True)
    num_faulty, num_healthy = (len([name for name in chosen if name in part]) for part in (FAULTY, HEALTHY))
    print(f"{num_found} of {num_faulty} faults found, {num_accused} of {num_healthy} healthy runs accused")


if __name__ == "__main__":
    main(*sys.argv[1:])
