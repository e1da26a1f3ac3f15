"""Plays OpenRLHF's process: reads the same files, calls the same agent function, writes what OpenRLHF writes.

Nothing is trained: a policy that is often right answers. STAND_IN (JSON) may name `die_at` (a step at which it fails),
`pause` (seconds a step), `lose` (a seed's remainder by 5 whose completion is lost) and `pids` (a file for its pid).
"""

import asyncio
import importlib.util
import json
import os
import random
import shutil
import struct
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from tokenizers import Tokenizer

CONTROL = json.loads(os.environ.get("STAND_IN", "{}"))


def flags(words):
    found, name = {}, ""
    for word in words:
        if word.startswith("--"):
            name = word[2:]
            found[name] = []
        else:
            found[name].append(word)
    return found


class Engine:
    """Answers with the last digit of the prompt, or with another."""

    def __init__(self, model):
        self.tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))

    async def generate(self, prompt_ids, params, multi_modal_data=None):
        rng = random.Random(params.seed)
        digits = [sign for sign in self.tokenizer.decode(prompt_ids) if sign.isdigit()]
        digit = digits[-1] if rng.random() < 0.6 else str((int(digits[-1]) + 1) % 10)
        ids = [
            *self.tokenizer.encode(f"<answer>{digit}</answer>", add_special_tokens=False).ids,
            *params.stop_token_ids,
        ]
        reason = "stop" if len(ids) <= params.max_tokens else "length"
        if "lose" in CONTROL and params.seed % 5 == CONTROL["lose"]:
            reason = "abort"
        ids = ids[: params.max_tokens]
        logprobs = [{token: SimpleNamespace(logprob=-rng.random())} for token in ids]
        output = SimpleNamespace(
            token_ids=ids, text=self.tokenizer.decode(ids), finish_reason=reason, logprobs=logprobs
        )
        return SimpleNamespace(outputs=[output])


def field(number, kind, content):
    return varint(number << 3 | kind) + content


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def sized(content):
    return varint(len(content)) + content


def log(path, step, values):
    for tag, value in values.items():
        scalar = field(1, 2, sized(tag.encode())) + field(2, 5, struct.pack("<f", value))
        summary = field(1, 2, sized(scalar))
        event = field(1, 1, struct.pack("<d", time.time())) + field(2, 0, varint(step)) + field(5, 2, sized(summary))
        with path.open("ab") as file:
            file.write(struct.pack("<QI", len(event), 0) + event + struct.pack("<I", 0))


def save(model, out):
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(model / "model.safetensors", out / "model.safetensors")
    (out / "config.json").write_text((model / "config.json").read_text())
    (out / "tokenizer_config.json").write_text("{}")


async def play(executor, engine, row, group_size, args):
    params = SimpleNamespace(max_tokens=int(args["rollout.max_new_tokens"][0]), logprobs=None, min_tokens=1)
    length = int(args["data.max_len"][0])
    return await asyncio.gather(
        *[executor.execute(row["prompt"], row["label"], params, length, None, engine) for _ in range(group_size)]
    )


async def train(args):
    model, checkpoints = Path(args["actor.model_name_or_path"][0]), Path(args["ckpt.path"][0])
    spec = importlib.util.spec_from_file_location("agent_module", args["train.agent_func_path"][0])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    executor, engine = module.AgentExecutor(), Engine(model)
    rows = [json.loads(line) for line in Path(args["data.prompt_dataset"][0]).read_text().splitlines()]
    random.Random(int(args["train.seed"][0])).shuffle(rows)
    size, group = int(args["rollout.batch_size"][0]), int(args["rollout.n_samples_per_prompt"][0])
    latest = checkpoints / "_actor" / "latest"
    step = int(latest.read_text().removeprefix("global_step")) if latest.is_file() else 0
    events = Path(args["logger.tensorboard_dir"][0]) / args["logger.wandb.run_name"][0]
    events.mkdir(parents=True, exist_ok=True)
    file = events / f"events.out.tfevents.{time.time_ns()}.here"
    for first in range(step * size, len(rows), size):
        if CONTROL.get("die_at") == step:
            raise RuntimeError("CUDA out of memory: there is no GPU at all")
        groups = [await play(executor, engine, row, group, args) for row in rows[first : first + size]]
        attempts = [attempt for members in groups for attempt in members]
        assert len({tuple(attempt["extra_logs"]) for attempt in attempts}) == 1
        step += 1
        rewards = [attempt["reward"] for attempt in attempts]
        values = {"policy_loss": 0.1 * step, "actor_grad_norm": 1.0, "entropy_loss": 0.7, "ppo_clip_ratio": 0.0}
        values |= {
            "kl": 0.01,
            "vllm_kl": 0.0,
            "reward": sum(rewards) / len(rewards),
            "rollout/num_samples": len(rewards),
        }
        log(file, step, {f"train/{name}": value for name, value in values.items()})
        print(f"Global step {step}: {values}", flush=True)
        if step % int(args["ckpt.save_steps"][0]) == 0:
            latest.parent.mkdir(parents=True, exist_ok=True)
            latest.write_text(f"global_step{step}")
            save(model, checkpoints / f"global_step{step}_hf")
        time.sleep(CONTROL.get("pause", 0))
    save(model, Path(args["ckpt.output_dir"][0]))


if __name__ == "__main__":
    if "pids" in CONTROL:
        Path(CONTROL["pids"]).write_text(str(os.getpid()))
    asyncio.run(train(flags(sys.argv[1:])))
    os._exit(0)
