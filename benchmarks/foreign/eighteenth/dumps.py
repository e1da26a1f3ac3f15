"""Rows as trainers write them."""

import hashlib
import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.shapes import Episode, Task

OPEN = ("chat", "code")
"""Domains without an answer to compare."""


def asked(task: Task) -> list[dict]:
    """The messages of the prompt."""
    head = [{"role": "system", "content": task.system}] if task.system else []
    return [*head, {"role": "user", "content": task.prompt}]


def own(rng: Random, episodes: list[Episode], run: str) -> list[Row]:
    """The columns of the harness itself."""
    tag = f"{rng.getrandbits(24):06x}"
    rows = []
    for number, e in enumerate(episodes):
        rows.append(
            {
                "trajectory_id": f"{run}-{tag}-{number:05d}",
                "split": e.split,
                "step": e.step,
                "domain": e.task.domain,
                "problem_id": e.task.id,
                "group_id": f"{e.split}/{e.step}/{e.task.id}",
                "attempt": e.attempt,
                "policy_id": e.policy or hashlib.sha1(f"{tag}{e.step}".encode()).hexdigest()[:12],
                "messages": asked(e.task) + e.reply.messages,
                "reward": e.reward,
                "reward_terms": e.terms,
                "correct": None if e.reward is None else float(e.right),
                "advantage": e.advantage,
                "in_loss": e.in_loss and e.advantage is not None,
                "stop_reason": "max_tokens" if e.stop == "length" else e.stop,
                "error": e.error,
                "num_tokens": e.reply.size,
                "is_truncated": e.stop == "length",
                "duration_seconds": e.seconds,
                "extra": {"family": e.task.family}
                | ({} if e.task.domain in OPEN else {"answer": e.reply.answer, "ground_truth": e.task.gold})
                | e.task.extra
                | e.reply.extra
                | e.extra,
            }
        )
    return rows


def decoded(messages: list[dict]) -> str:
    """Messages in ChatML, as a tokenizer decodes them."""
    parts = []
    for m in messages:
        calls = "".join(f"\n<tool_call>\n{json.dumps(c)}\n</tool_call>" for c in m.get("tool_calls", ()))
        parts.append(f"<|im_start|>{m['role']}\n{m['content']}{calls}<|im_end|>\n")
    return "".join(parts)


def verl(episodes: list[Episode]) -> list[Row]:
    """What verl's rollout_data_dir holds, with the further values of a reward function."""
    rows = []
    for e in episodes:
        row = {
            "input": decoded(asked(e.task)) + "<|im_start|>assistant\n",
            "output": decoded(e.reply.messages).removeprefix("<|im_start|>assistant\n").removesuffix("<|im_end|>\n"),
            "gts": e.task.gold,
            "score": e.reward,
            "step": e.step + 1,
            "acc": float(e.right),
            "pred": e.reply.answer,
            "uid": f"{e.task.id}@{e.step + 1}",
            "data_source": e.task.family,
            "response_length": e.reply.size,
            "finish_reason": e.stop,
        }
        rows.append(row | ({} if e.advantage is None else {"advantage": e.advantage}) | e.task.extra | e.extra)
    return rows


def trl(episodes: list[Episode]) -> list[Row]:
    """What log_completions of TRL holds: a column for each reward function."""
    return [
        {
            "step": e.step + 1,
            "prompt": asked(e.task),
            "completion": e.reply.messages,
            **{f"{name}_reward": value for name, value in e.terms.items()},
            "advantage": e.advantage,
            "solution": e.task.gold,
            "completion_length": e.reply.size,
            "clipped": e.stop == "length",
        }
        | e.task.extra
        | e.extra
        for e in episodes
    ]


def openai_form(messages: list[dict]) -> list[dict]:
    """Messages with tool calls as OpenAI's API has them."""
    out, last = [], ""
    for number, m in enumerate(messages):
        plain = {"role": m["role"], "content": m["content"]}
        if m.get("tool_calls"):
            last = f"call_{number:02d}"
            plain["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
                }
                for c in m["tool_calls"]
            ]
        if m["role"] == "tool":
            plain |= {"tool_call_id": last, "name": m["tool_name"]}
        out.append(plain)
    return out


def openai(episodes: list[Episode]) -> list[Row]:
    """Messages with the reward and what a home-made loop writes beside."""
    return [
        {
            "messages": openai_form(asked(e.task) + e.reply.messages),
            "reward": e.reward,
            "solved": None if e.reward is None else int(e.right),
            "step": e.step,
            "problem_id": e.task.id,
            "sample": e.attempt,
            "advantage": e.advantage,
            "finish_reason": e.stop,
            "wall_s": e.seconds,
            "category": e.task.family,
        }
        | e.task.extra
        | e.extra
        for e in episodes
    ]


def prime(episodes: list[Episode], env: str) -> list[Row]:
    """Saved rollouts of prime-rl."""
    return [
        {
            "example_id": e.task.id,
            "env_name": env,
            "task": e.task.family,
            "prompt": asked(e.task),
            "completion": openai_form(e.reply.messages),
            "answer": e.task.gold,
            "reward": e.reward,
            "advantage": e.advantage,
            "metrics": {"correct_answer": float(e.right)} | e.terms,
            "step": e.step,
            "is_truncated": e.stop == "length",
            "stop_condition": "max_tokens_reached" if e.stop == "length" else "completed",
            "timing": {"generation_ms": round(e.seconds * 1000)},
        }
        | e.task.extra
        | e.extra
        for e in episodes
    ]
