"""Rows with roles: own columns, messages of OpenAI's form, saved rollouts of prime-rl."""

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twelfth.rollouts import Episode


def prompt_of(episode: Episode) -> list[dict]:
    """The messages before the attempt."""
    system = episode.extra.get("system_prompt", episode.task.system)
    asked = {"role": "user", "content": episode.task.prompt}
    return [{"role": "system", "content": system}, asked] if system else [asked]


def digest(text: str) -> str:
    """A short hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def own(rng: Random, episodes: Sequence[Episode], run: str) -> list[Row]:
    """The columns of the table of trajectories."""
    start = datetime(2026, rng.randint(1, 9), rng.randint(1, 28), rng.randint(0, 20), tzinfo=UTC)
    name = f"{run}-{rng.randrange(16**4):04x}"
    return [_own(rng, e, name, start) for e in episodes]


def _own(rng: Random, e: Episode, name: str, start: datetime) -> Row:
    began = start + timedelta(minutes=11 * e.step, seconds=rng.uniform(0, 200))
    extra = {k: v for k, v in e.extra.items() if k not in ("system_prompt", "policy_id")}
    return {
        "trajectory_id": f"{name}/{e.group}/{e.attempt}",
        "version": name,
        "split": e.split,
        "step": e.step,
        "problem_id": e.task.key,
        "group_id": digest(f"{name}/{e.group}"),
        "attempt": e.attempt,
        "seed": rng.randrange(2**31),
        "policy_id": e.extra.get("policy_id", digest(f"{name}@{e.step}")),
        "messages": prompt_of(e) + e.messages,
        "reward": e.reward,
        "reward_terms": e.terms,
        "correct": None if e.error else float(e.right),
        "advantage": e.advantage,
        "in_loss": e.in_loss if e.split == "train" else None,
        "stop_reason": {"length": "max_tokens"}.get(e.stop, e.stop),
        "error": e.error,
        "num_turns": sum(m["role"] == "assistant" for m in e.messages),
        "num_tokens": e.tokens,
        "is_truncated": e.stop in ("length", "max_turns"),
        "duration_seconds": e.seconds,
        "started_at": began.isoformat(timespec="seconds"),
        "extra": {"family": e.task.family, "answer": e.answer} | extra,
    }


def chat(messages: Sequence[dict]) -> list[dict]:
    """Messages in OpenAI's form."""
    found: list[dict] = []
    number = 0
    for m in messages:
        made = {"role": m["role"], "content": m["content"]}
        if m.get("tool_calls"):
            number += 1
            made["tool_calls"] = [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in m["tool_calls"]
            ]
        if m["role"] == "tool":
            made["tool_call_id"] = f"call_{number}"
        if "loss_mask" in m:
            made["loss_mask"] = m["loss_mask"]
        found.append(made)
    return found


def openai(episodes: Sequence[Episode]) -> list[Row]:
    """Messages with the reward beside."""
    return [
        {
            "id": digest(f"{e.group}#{e.attempt}"),
            "step": e.step,
            "problem": e.task.key,
            "sample": e.attempt,
            "messages": chat(prompt_of(e) + e.messages),
            "reward": e.reward,
            "advantage": e.advantage,
            "finish_reason": e.stop,
            "completion_tokens": e.tokens,
        }
        | {"terms": e.terms, "category": e.task.family}
        | {k: v for k, v in e.extra.items() if k != "system_prompt"}
        for e in episodes
    ]


def prime(episodes: Sequence[Episode], env: str) -> list[Row]:
    """Rollouts that the orchestrator of prime-rl saves."""
    numbers = {key: n for n, key in enumerate(dict.fromkeys(e.task.key for e in episodes))}
    return [
        {
            "example_id": numbers[e.task.key],
            "env_name": env,
            "task": e.task.family,
            "step": e.step,
            "prompt": chat(prompt_of(e)),
            "completion": chat(e.messages),
            "answer": e.task.gold,
            "reward": e.reward,
            "advantage": e.advantage,
            "is_truncated": e.stop in ("length", "max_turns"),
            "stop_condition": e.stop,
            "metrics": {k: round(v, 4) for k, v in e.terms.items()}
            | {"num_turns": sum(m["role"] == "assistant" for m in e.messages)},
            "correct": float(e.right),
            "info": {k: v for k, v in e.extra.items() if k != "system_prompt"},
            "generation_ms": round(e.seconds * 1000),
        }
        for e in episodes
    ]
