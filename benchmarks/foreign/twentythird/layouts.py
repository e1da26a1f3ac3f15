"""Attempts as rows of several trainers."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.rollouts import Attempt, Message


def tokens(a: Attempt) -> int:
    """About how many tokens the policy wrote."""
    calls = sum(len(str(m.get("tool_calls", ""))) for m in a.messages)
    return max(1, round((sum(len(m["content"]) for m in a.messages if m["role"] == "assistant") + calls) / 3.7))


def asked(a: Attempt) -> list[Message]:
    """The messages of the prompt."""
    system = [{"role": "system", "content": a.task.system}] if a.task.system else []
    return [*system, {"role": "user", "content": a.task.prompt}]


def own(attempts: list[Attempt], run: str) -> list[Row]:
    """Rows with all columns that are known."""
    rows: list[Row] = []
    for a in attempts:
        row: Row = {
            "trajectory_id": f"{run}-{a.split[:3]}-{a.step:03d}-{a.task.id}-{a.number}",
            "split": a.split,
            "step": a.step,
            "problem_id": a.task.id,
            "group_id": f"{a.split[:3]}{a.step}:{a.task.id}",
            "attempt": a.number,
            "messages": asked(a) + a.messages,
            "reward": a.reward,
            "reward_terms": a.terms,
            "correct": a.correct,
            "advantage": a.advantage,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": sum(m["role"] == "assistant" for m in a.messages),
            "num_tokens": tokens(a),
            "is_truncated": a.stop in ("max_tokens", "length"),
            "extra": {"family": a.task.family} | a.task.extra | a.extra,
        }
        if a.in_loss is not None:
            row["in_loss"] = a.in_loss
        rows.append(row)
    return rows


def verl(attempts: list[Attempt]) -> list[Row]:
    """Rows of verl's rollout dumps: decoded text of both sides."""
    rows: list[Row] = []
    for a in attempts:
        turns = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in asked(a))
        row: Row = {
            "input": f"{turns}<|im_start|>assistant\n",
            "output": a.text,
            "gts": a.task.gold,
            "score": a.reward,
            "step": a.step,
            "acc": a.correct,
            "uid": f"{a.step}-{a.task.id}",
        }
        if a.advantage is not None:
            row["advantage"] = a.advantage
        rows.append(row | a.task.extra | a.extra)
    return rows


def trl(attempts: list[Attempt]) -> list[Row]:
    """Rows of TRL's completions, with a column for each reward function."""
    return [
        {
            "step": a.step,
            "prompt": asked(a),
            "completion": a.messages,
            **{f"{name}_reward": value for name, value in a.terms.items()},
            "advantage": a.advantage,
            **a.task.extra,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """Rows of OpenRLHF: text in, text out, a reward."""
    return [
        {
            "input": a.task.prompt,
            "output": a.text,
            "reward": a.reward,
            "step": a.step,
            "problem_id": a.task.id,
            "label": a.task.gold,
            "correct": a.correct,
            **a.task.extra,
            **a.extra,
        }
        for a in attempts
    ]


def _openai(message: Message, place: int) -> Message:
    plain = {k: v for k, v in message.items() if k not in ("tool_calls", "tool_name", "ok")}
    if message.get("tool_calls"):
        plain["tool_calls"] = [
            {
                "id": f"call_{place}",
                "type": "function",
                "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
            }
            for c in message["tool_calls"]
        ]
    if message["role"] == "tool":
        plain |= {"tool_call_id": f"call_{place - 1}", "name": message["tool_name"]}
    return plain


def openai(attempts: list[Attempt]) -> list[Row]:
    """Messages as OpenAI writes them, with the grade beside."""
    return [
        {
            "messages": [_openai(m, i) for i, m in enumerate(asked(a) + a.messages)],
            "reward": a.reward,
            "step": a.step,
            "problem_id": a.task.id,
            "split": a.split,
            "finish_reason": a.stop,
            **({} if a.correct is None else {"correct": a.correct}),
            **({} if a.advantage is None else {"advantage": a.advantage}),
            **a.task.extra,
            **a.extra,
        }
        for a in attempts
    ]


def prime(attempts: list[Attempt], environment: str) -> list[Row]:
    """Rows of prime-rl's saved rollouts."""
    return [
        {
            "example_id": a.task.id,
            "env_name": environment,
            "step": a.step,
            "prompt": asked(a),
            "completion": [_openai(m, i) for i, m in enumerate(a.messages)],
            "answer": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": a.terms,
            "correct": a.correct,
            "stop_condition": a.stop,
            "is_truncated": a.stop == "length",
            **a.task.extra,
            **a.extra,
        }
        for a in attempts
    ]
