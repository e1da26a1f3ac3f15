"""The same steps by TRL's GRPOTrainer: transformers samples, weights and their optimiser in bfloat16, no KL term.

TRL steps on the bfloat16 weights themselves; EvoTrainer on float32 copies, which takes four bytes a weight more.
"""

import json
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.model_steps.meter import meter_of
from benchmarks.model_steps.scale import Scale, questions

ROWS_A_PASS = 32
PROMPT = {"role": "user"}


def measure_trl(model: Path, scale: Scale, out: Path) -> None:
    """Take the steps and write what was measured to out/measured.json."""
    os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer  # pyright: ignore[reportPrivateImportUsage]

    meter = meter_of(scale.device)
    steps: list[float] = []
    rollouts: list[tuple[float, float]] = []

    rows, started = scale.problems * scale.group, time.monotonic()
    with TemporaryDirectory() as folder:
        asked = [{"prompt": [PROMPT | {"content": problem.prompt}]} for problem in questions(scale.problems)]
        trainer: Any = GRPOTrainer(
            model=str(model),
            args=_arguments(GRPOConfig, scale, folder),
            train_dataset=Dataset.from_list(asked * scale.steps),
            reward_funcs=_pay,
            callbacks=[_clock(steps)],
        )
        sample = trainer._generate_single_turn

        def noted(*given: Any, **named: Any) -> Any:
            _synchronize(torch)
            begun = time.monotonic()
            found = sample(*given, **named)
            _synchronize(torch)
            rollouts.append((begun, time.monotonic()))
            return found

        trainer._generate_single_turn = noted
        trainer.train()
        ended = time.monotonic()
    meter.close()
    rollout = sum(end - begin for begin, end in rollouts[1:])
    whole = steps[-1] - steps[1]
    tokens = rows * scale.tokens * (len(rollouts) - 1)
    found = {
        "peak": meter.peak([(started, ended)]),
        "peak_of_torch": torch.cuda.max_memory_reserved() if torch.cuda.is_available() else 0,
        "rollout_seconds": rollout / max(len(rollouts) - 1, 1),
        "update_seconds": (whole - rollout) / max(len(rollouts) - 1, 1),
        "rollout_tokens_per_second": tokens / rollout,
        "update_tokens_per_second": tokens / (whole - rollout),
        "rollout_use": meter.mean_use(rollouts[1:]),
        "step_use": meter.mean_use([(steps[1], steps[-1])]),
    }
    out.mkdir(parents=True)
    (out / "measured.json").write_text(json.dumps(found))


def _arguments(kind: Any, scale: Scale, folder: str) -> Any:
    """Return TRL's settings of the steps."""
    rows, on_gpu = scale.problems * scale.group, scale.device == "cuda"
    return kind(
        output_dir=folder,
        use_cpu=not on_gpu,
        bf16=on_gpu,
        report_to=[],
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
        gradient_checkpointing=False,
        max_steps=scale.steps,
        per_device_train_batch_size=min(rows, ROWS_A_PASS),
        gradient_accumulation_steps=max(rows // ROWS_A_PASS, 1),
        num_generations=scale.group,
        max_completion_length=scale.tokens,
        beta=0.0,
        learning_rate=1e-5,
        lr_scheduler_type="constant",
        model_init_kwargs={"dtype": "bfloat16"},
    )


def _clock(steps: list[float]) -> Any:
    """Return a callback that notes when each step begins, and when the last has ended."""
    import torch
    from transformers import TrainerCallback

    class Clock(TrainerCallback):
        def on_step_begin(self, *_: Any, **__: Any) -> None:
            _synchronize(torch)
            steps.append(time.monotonic())

        def on_train_end(self, *_: Any, **__: Any) -> None:
            _synchronize(torch)
            steps.append(time.monotonic())

    return Clock()


def _synchronize(torch: Any) -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def _pay(completions: list[Any], **_: Any) -> list[float | None]:
    return [len(messages[0]["content"]) % 5 / 4 for messages in completions]
