"""Episodes as rows of the trainers' formats."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysecond.course import Episode, Message


def tokens_of(e: Episode) -> int:
    """About how many tokens the policy wrote."""
    written = "".join(m["content"] + json.dumps(m.get("tool_calls", "")) for m in e.reply if m["role"] == "assistant")
    return e.extra.pop("num_tokens", None) or max(4, round(len(written.encode()) / 3.7))


def call(words: str, name: str, /, **arguments: object) -> Message:
    """A message that calls a tool."""
    return {"role": "assistant", "content": words, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: str, ok: bool = True) -> Message:
    """A tool's answer."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def say(content: str) -> list[Message]:
    """A reply of one message."""
    return [{"role": "assistant", "content": content}]


def own(rng: Random, episodes: list[Episode], run: str, domain: str) -> list[Row]:
    """The harness's own columns."""
    salt, rows = rng.randrange(16**6), []
    for number, e in enumerate(episodes):
        num_tokens = tokens_of(e)
        assistant = sum(m["role"] == "assistant" for m in e.reply)
        row = {
            "trajectory_id": f"{run}-{salt:06x}-{number:05d}",
            "version": run,
            "split": e.split,
            "step": e.step,
            "domain": domain,
            "problem_id": e.task.pid,
            "group_id": f"{e.split[0]}{e.step}-{e.task.pid}",
            "attempt": e.attempt,
            "seed": rng.randrange(2**31),
            "policy_id": f"{salt + 7919 * e.step:08x}",
            "messages": e.task.prompt + e.reply,
            "reward": e.reward,
            "reward_terms": e.terms,
            "correct": float(e.right),
            "advantage": e.advantage,
            "in_loss": e.split == "train" and e.advantage is not None,
            "stop_reason": e.stop,
            "num_turns": assistant,
            "num_tokens": num_tokens,
            "is_truncated": e.stop in ("max_tokens", "length", "max_turns"),
            "duration_seconds": round(num_tokens / rng.uniform(38, 60) + assistant * rng.uniform(0.3, 1.4), 2),
            "extra": {"family": e.task.family}
            | ({"ground_truth": e.task.gold} if e.task.gold and domain not in ("code", "swe") else {})
            | e.task.extra
            | e.extra,
        }
        rows.append(row | e.columns)
    return rows


def _chatml(messages: list[Message]) -> str:
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def verl(episodes: list[Episode]) -> list[Row]:
    """`rollout_data_dir`: decoded text and a score."""
    return [
        {
            "input": _chatml(e.task.prompt) + "<|im_start|>assistant\n",
            "output": e.text,
            "gts": e.task.gold,
            "score": e.reward,
            "step": e.step + 1,
            "acc": float(e.right),
            "advantage": e.advantage,
            "response_length": tokens_of(e),
            "data_source": e.task.family,
            "uid": e.task.pid,
        }
        | e.task.extra
        | e.extra
        | e.columns
        for e in episodes
    ]


def trl(episodes: list[Episode]) -> list[Row]:
    """`log_completions`: a column for each reward function."""
    return [
        {
            "step": e.step + 1,
            "prompt": e.task.prompt
            if not e.task.extra.get("as_text")
            else _chatml(e.task.prompt) + "<|im_start|>assistant\n",
            "completion": e.text if e.task.extra.get("as_text") else e.reply,
            **{f"{name}_reward": value for name, value in e.terms.items()},
            "advantage": e.advantage,
        }
        | {k: v for k, v in e.task.extra.items() if k != "as_text"}
        | e.extra
        | e.columns
        for e in episodes
    ]


def openrlhf(episodes: list[Episode]) -> list[Row]:
    """Input, output, reward."""
    return [
        {
            "input": "\n\n".join(m["content"] for m in e.task.prompt),
            "output": e.text,
            "reward": e.reward,
            "label": e.task.gold,
            "step": e.step,
            "advantage": e.advantage,
        }
        | e.task.extra
        | e.extra
        | e.columns
        for e in episodes
    ]


def as_openai(messages: list[Message]) -> list[Message]:
    """Calls with an id and arguments as JSON text."""
    out, number = [], 0
    for m in messages:
        m = {k: v for k, v in m.items() if k != "ok"}
        if "tool_calls" in m:
            number += 1
            calls = [
                {"id": f"call_{number}", "type": "function", "function": c | {"arguments": json.dumps(c["arguments"])}}
                for c in m["tool_calls"]
            ]
            m = m | {"tool_calls": calls}
        if m["role"] == "tool":
            m = {"role": "tool", "tool_call_id": f"call_{number}", "name": m["tool_name"], "content": m["content"]}
        out.append(m)
    return out


def openai(episodes: list[Episode]) -> list[Row]:
    """Messages with a reward beside."""
    return [
        {
            "id": f"{e.task.pid}/{e.step}/{e.attempt}",
            "messages": as_openai(e.task.prompt + e.reply),
            "reward": e.reward,
            "step": e.step,
            "problem_id": e.task.pid,
            "advantage": e.advantage,
            "finish_reason": e.stop,
            "completion_tokens": tokens_of(e),
        }
        | e.task.extra
        | e.extra
        | e.columns
        for e in episodes
    ]


def prime_rl(episodes: list[Episode], env: str) -> list[Row]:
    """Saved rollouts of prime-rl."""
    return [
        {
            "example_id": e.task.pid,
            "env_name": env,
            "task": e.task.family,
            "step": e.step,
            "prompt": e.task.prompt,
            "completion": as_openai(e.reply),
            "answer": e.task.gold,
            "reward": e.reward,
            "advantage": e.advantage,
            "is_truncated": e.stop == "length",
            "metrics": e.terms,
            "completion_len": tokens_of(e),
        }
        | e.task.extra
        | e.extra
        | e.columns
        for e in episodes
    ]
