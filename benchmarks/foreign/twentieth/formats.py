"""Rows as trainers write them."""

import json
from random import Random
from zlib import crc32

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.episodes import Episode


def _prompt(e: Episode) -> list[dict]:
    head = [{"role": "system", "content": e.task.system}] if e.task.system else []
    return [*head, {"role": "user", "content": e.task.prompt}]


def own(rng: Random, episodes: list[Episode], run: str, gold: bool = True) -> list[Row]:
    """Give the columns of docs/evidence.md."""
    rows = []
    for e in sorted(episodes, key=lambda e: e.step):
        reference = {"ground_truth": e.task.gold} if gold and e.task.gold else {}
        turns = [
            {"mean_logprob": round(-0.44 + 0.11 * e.progress + rng.gauss(0, 0.035), 4)} | t
            if t["role"] == "assistant"
            else t
            for t in e.reply.turns
        ]
        answer = {"answer": e.reply.answer} if e.task.gold else {}
        rows.append(
            {
                "trajectory_id": f"{run}-{e.split[:2]}-{e.step:03d}-{e.task.pid}-{e.attempt}",
                "split": e.split,
                "step": e.step,
                "problem_id": e.task.pid,
                "group_id": f"{e.split}/{e.step}/{e.task.pid}",
                "attempt": e.attempt,
                "seed": rng.randrange(2**31),
                "policy_id": f"{crc32(f'{run}{e.step}'.encode()):08x}",
                "messages": _prompt(e) + turns,
                "reward": e.reward,
                "reward_terms": e.terms,
                "correct": None if e.reward is None else float(e.right),
                "advantage": e.advantage,
                "in_loss": e.in_loss,
                "stop_reason": {"length": "max_tokens"}.get(e.stop, e.stop),
                "error": e.error,
                "num_turns": sum(t["role"] == "assistant" for t in turns),
                "num_tokens": e.tokens,
                "is_truncated": e.stop == "length",
                "duration_seconds": round(1.5 + e.tokens / 42 * rng.uniform(0.8, 1.5), 2),
                "extra": {"family": e.task.family} | answer | reference | e.extra,
            }
        )
    return rows


def verl(episodes: list[Episode]) -> list[Row]:
    """Give what verl's rollout dump holds: decoded text, score, reference, further measures."""
    rows = []
    for e in sorted(episodes, key=lambda e: e.step):
        head = f"system\n{e.task.system}\n" if e.task.system else ""
        rows.append(
            {
                "input": f"{head}user\n{e.task.prompt}\nassistant\n",
                "output": e.reply.text,
                "gts": e.task.gold,
                "score": e.reward,
                "step": e.step + 1,
                "acc": float(e.right),
                "uid": f"{e.task.pid}@{e.step}",
                "data_source": e.task.family,
                "response_length": e.tokens,
                "finish_reason": e.stop,
                "advantage": e.advantage,
            }
            | e.extra
        )
    return rows


def trl(episodes: list[Episode]) -> list[Row]:
    """Give what TRL logs of completions: one column for each reward function."""
    return [
        {
            "step": e.step + 1,
            "prompt": _prompt(e),
            "completion": e.reply.turns,
            **{f"{name}_reward": value for name, value in e.terms.items()},
            "advantage": e.advantage,
            "finish_reason": e.stop,
        }
        | ({"solution": e.task.gold} if e.task.gold else {})
        | e.extra
        for e in sorted(episodes, key=lambda e: e.step)
    ]


def openrlhf(episodes: list[Episode]) -> list[Row]:
    """Give OpenRLHF's input, output and reward."""
    return [
        {
            "input": f"Human: {e.task.prompt}\nAssistant: ",
            "output": e.reply.text,
            "reward": e.reward,
            "step": e.step,
            "advantage": e.advantage,
            "response_tokens": e.tokens,
            "truncated": e.stop == "length",
        }
        | e.extra
        for e in sorted(episodes, key=lambda e: e.step)
    ]


def nemo(episodes: list[Episode]) -> list[Row]:
    """Give NeMo-RL's texts in turn, and rewards."""
    return [
        {
            "content": [e.task.prompt, *(t["content"] for t in e.reply.turns)],
            "rewards": e.reward,
            "advantage": e.advantage,
            "step": e.step + 1,
            "input_lengths": len(e.task.prompt) // 4 + e.tokens,
        }
        | e.extra
        for e in sorted(episodes, key=lambda e: e.step)
    ]


def _openai_turns(e: Episode) -> list[dict]:
    turns, number, last = [], 0, ""
    for turn in e.reply.turns:
        if turn.get("tool_calls"):
            number += 1
            last = f"call_{e.task.pid.replace('-', '')}{e.attempt}{number:02d}"
            calls = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in turn["tool_calls"]
            ]
            turns.append(turn | {"tool_calls": calls})
        elif turn["role"] == "tool":
            turns.append({k: v for k, v in turn.items() if k != "tool_name"} | {"tool_call_id": last})
        else:
            turns.append(turn)
    return turns


def openai(episodes: list[Episode]) -> list[Row]:
    """Give messages in OpenAI's form with the reward beside."""
    return [
        {
            "id": f"{e.task.pid}_s{e.step}_{e.attempt}",
            "problem_id": e.task.pid,
            "step": e.step,
            "split": e.split,
            "messages": _prompt(e) + _openai_turns(e),
            "reward": e.reward,
            "correct": int(e.right),
            "advantage": e.advantage,
            "finish_reason": e.stop,
        }
        | e.extra
        for e in sorted(episodes, key=lambda e: e.step)
    ]


def prime(episodes: list[Episode], env: str) -> list[Row]:
    """Give the rollouts that prime-rl saves of an environment of verifiers."""
    return [
        {
            "example_id": int(e.task.pid.rsplit("-", 1)[1]),
            "env_name": env,
            "step": e.step,
            "prompt": _prompt(e),
            "completion": _openai_turns(e),
            "answer": e.task.gold,
            "reward": e.reward,
            "advantage": e.advantage,
            "is_truncated": e.stop == "length",
            "metrics": e.terms,
        }
        | e.extra
        for e in sorted(episodes, key=lambda e: e.step)
    ]
