"""Rows in the forms that trainers leave behind."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth.core import Attempt
from benchmarks.foreign.tenth.machines import logprob, policy, run_name, stamp, start_of, time_all, tokens


def opening(a: Attempt) -> list[Row]:
    """The prompt as messages."""
    system = [{"role": "system", "content": a.task.system}] if a.task.system else []
    return [*system, {"role": "user", "content": a.task.prompt}]


def own(rng: Random, attempts: list[Attempt], stem: str, domain: str, **columns: object) -> list[Row]:
    """Rows in the columns of the evidence."""
    run, start = run_name(rng, stem), start_of(rng)
    time_all(rng, attempts)
    rows = []
    for place, a in enumerate(attempts):
        turns = [
            t | {"num_tokens": tokens(t.get("content") or ""), "mean_logprob": logprob(rng, a.step)}
            if t["role"] == "assistant"
            else t
            for t in a.reply.turns
        ]
        told = [t for t in turns if t["role"] == "assistant"]
        row = {
            "trajectory_id": f"{run}-{place:05d}",
            "split": a.split,
            "step": a.step,
            "domain": domain,
            "problem_id": a.task.id,
            "group_id": a.group,
            "attempt": a.number,
            "seed": rng.getrandbits(31),
            "policy_id": policy(run, a.step),
            "messages": opening(a) + turns,
            "reward": a.reward,
            "reward_terms": a.terms,
            "correct": None if a.error else float(a.right),
            "advantage": a.advantage,
            "in_loss": a.in_loss if a.split == "train" else None,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": len(told),
            "num_tokens": sum(t["num_tokens"] for t in told),
            "is_truncated": a.is_cut,
            "duration_seconds": a.seconds,
            "started_at": stamp(start, a.step, place % 60 * 2.3),
            "extra": {"family": a.task.family, "answer": a.reply.answer} | a.task.facts | a.reply.facts | columns,
        }
        row["extra"] |= {k: v for k, v in a.extra.items() if k not in row}
        rows.append(row | {k: v for k, v in a.extra.items() if k in row})
    return rows


def verl(rng: Random, attempts: list[Attempt], **columns: object) -> list[Row]:
    """Rows of verl's rollout dump, with prompts under the ChatML template."""
    time_all(rng, attempts)
    rows = []
    for a in attempts:
        prompt = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in opening(a))
        row = {
            "input": f"{prompt}<|im_start|>assistant\n",
            "output": a.written + ("" if a.is_cut else "<|im_end|>"),
            "gts": a.task.gold,
            "score": a.reward,
            "step": a.step,
            "acc": float(a.right),
            "pred": a.reply.answer,
            "uid": a.group,
            "data_source": a.task.family,
            "response_length": tokens(a.written),
        }
        if a.advantage is not None:
            row["advantage"] = a.advantage
        rows.append(row | a.task.facts | a.reply.facts | a.extra | columns)
    return rows


def trl(rng: Random, attempts: list[Attempt], conversational: bool = True, **columns: object) -> list[Row]:
    """Rows of TRL's logged completions: a column a reward function."""
    rows = []
    for a in attempts:
        row = {
            "step": a.step,
            "prompt": opening(a) if conversational else a.task.prompt,
            "completion": a.reply.turns if conversational else a.written,
            **{f"{name}_reward": value for name, value in a.terms.items()},
            "advantage": a.advantage,
        }
        rows.append(row | a.extra | columns)
    return rows


def openai(rng: Random, attempts: list[Attempt], **columns: object) -> list[Row]:
    """Messages as the chat API has them, with outcomes beside."""
    start = start_of(rng)
    time_all(rng, attempts)
    rows = []
    for place, a in enumerate(attempts):
        turns = [_chat_turn(t, f"{place:05d}", number) for number, t in enumerate(a.reply.turns)]
        row = {
            "id": f"chatcmpl-{rng.getrandbits(48):012x}",
            "step": a.step,
            "task_id": a.task.id,
            "problem_id": a.task.id,
            "group_id": a.group,
            "sample": a.number,
            "messages": opening(a) + turns,
            "reward": a.reward,
            "correct": None if a.error else float(a.right),
            "advantage": a.advantage,
            "finish_reason": a.stop,
            "error": a.error,
            "num_tokens": tokens(a.written),
            "started_at": stamp(start, a.step, place % 48 * 3.1),
            "latency_s": a.seconds,
        }
        rows.append(row | a.task.facts | a.reply.facts | a.extra | columns)
    return rows


def _chat_turn(turn: Row, name: str, number: int) -> Row:
    if turn["role"] == "tool":
        kept = {k: v for k, v in turn.items() if k not in ("tool_name", "ok")}
        return kept | {"tool_call_id": f"call_{name}_{number - 1}"}
    if not turn.get("tool_calls"):
        return turn
    calls = [
        {
            "id": f"call_{name}_{number}",
            "type": "function",
            "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
        }
        for c in turn["tool_calls"]
    ]
    return turn | {"tool_calls": calls}


def prime(rng: Random, attempts: list[Attempt], env: str, **columns: object) -> list[Row]:
    """Saved rollouts of prime-rl: prompt and completion as messages, measures and advantage beside."""
    time_all(rng, attempts)
    rows = []
    for place, a in enumerate(attempts):
        turns = [_chat_turn(t, f"{place:05d}", number) for number, t in enumerate(a.reply.turns)]
        row = {
            "example_id": int("".join(c for c in a.task.id if c.isdigit())),
            "env_name": env,
            "step": a.step,
            "prompt": opening(a),
            "completion": turns,
            "answer": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": a.terms,
            "is_truncated": a.is_cut,
            "stop_condition": a.stop,
            "error": a.error,
            "timing": {"generation_ms": round(a.seconds * 1000), "scoring_ms": rng.randint(3, 90)},
        }
        rows.append(row | a.extra | columns)
    return rows
