"""Rows as trainers write them down."""

import json
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.core import Try


def prompt_of(t: Try) -> list[Row]:
    """Messages before the policy's first."""
    head = [{"role": "system", "content": t.task.system}] if t.task.system else []
    return [*head, {"role": "user", "content": t.task.prompt}]


def measure(rng: Random, t: Try) -> None:
    """Note how many tokens each message has and how likely they were, unless that is noted."""
    for m in t.messages:
        if m["role"] == "assistant" and "mean_logprob" not in m:
            m["num_tokens"] = len(m["content"] or "") // 4 + 3 + len(str(m.get("tool_calls", ""))) // 5
            m["mean_logprob"] = round(-abs(rng.gauss(0.5 - 0.12 * t.skill + 0.06 * (not t.right), 0.07)), 4)


def own(rng: Random, tries: list[Try], domain: str) -> list[Row]:
    """Give rows in the columns of docs/evidence.md."""
    clock = datetime(2026, rng.randrange(1, 9), rng.randrange(1, 28), rng.randrange(24), tzinfo=UTC)
    rows = []
    for t in tries:
        measure(rng, t)
        clock += timedelta(seconds=rng.uniform(0.2, 3.0))
        messages = [dict(m) for m in t.messages]
        rows.append(
            {
                "trajectory_id": f"{domain}-{t.split[:2]}-{t.step}-{t.task.id}-{t.number}",
                "split": t.split,
                "step": t.step,
                "domain": domain.split("-")[0],
                "problem_id": t.task.id,
                "group_id": f"{t.split}/{t.step}/{t.task.id}",
                "attempt": t.number,
                "messages": prompt_of(t) + messages,
                "reward": t.reward,
                "reward_terms": t.terms,
                "correct": None if t.error else float(t.right),
                "advantage": t.advantage,
                "in_loss": t.in_loss,
                "stop_reason": {"length": "max_tokens"}.get(t.stop, t.stop),
                "error": t.error,
                "num_turns": sum(m["role"] == "assistant" for m in messages),
                "num_tokens": t.tokens,
                "is_truncated": t.stop == "length",
                "duration_seconds": t.seconds,
                "started_at": clock.isoformat(timespec="seconds"),
                "extra": {
                    "family": t.task.family,
                    **({"answer": t.answer, "ground_truth": t.task.gold} if t.task.gold else {}),
                    **t.task.extra,
                    **t.extra,
                },
            }
        )
    return rows


def openai(tries: list[Try], **constants: object) -> list[Row]:
    """Give OpenAI's messages with marks beside."""
    return [
        {
            "id": f"{t.task.id}_{t.step}_{t.number}",
            "split": t.split,
            "step": t.step,
            "problem_id": t.task.id,
            "messages": prompt_of(t) + openai_messages(t),
            "reward": t.reward,
            "correct": None if t.error else float(t.right),
            "advantage": t.advantage,
            "finish_reason": t.stop,
            "error": t.error,
            "latency_s": t.seconds,
            **constants,
            **t.task.extra,
            **t.extra,
        }
        for t in tries
    ]


def openai_messages(t: Try) -> list[Row]:
    """Give the messages after the prompt in OpenAI's form."""
    messages, last = [], ""
    for place, m in enumerate(t.messages):
        if m["role"] == "tool":
            messages.append({"role": "tool", "tool_call_id": last, "content": m["content"]})
            continue
        made = {k: v for k, v in m.items() if k != "tool_calls"}
        if m.get("tool_calls"):
            last = f"call_{t.step}{t.number}{place}"
            one = m["tool_calls"][0]
            function = {"name": one["name"], "arguments": json.dumps(one["arguments"], ensure_ascii=False)}
            made["tool_calls"] = [{"id": last, "type": "function", "function": function}]
        messages.append(made)
    return messages


def verl(tries: list[Try]) -> list[Row]:
    """Give the rows of verl's rollout folder; attempts lost to machines are not written there."""
    return [
        {
            "input": "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in prompt_of(t))
            + "<|im_start|>assistant\n",
            "output": flat(t),
            "gts": t.task.gold or f'{{"num_tests": {t.task.extra["num_tests"]}}}',
            "score": t.reward,
            "step": t.step,
            "acc": float(t.right),
            **({"pred": t.answer} if t.answer else {}),
            "uid": f"{t.task.id}",
            "advantage": t.advantage,
            "finish_reason": t.stop,
            **({"split": t.split} if t.split != "train" else {}),
            **t.task.extra,
            **t.extra,
        }
        for t in tries
        if not t.error
    ]


def flat(t: Try) -> str:
    """Give all messages after the prompt as one decoded text."""
    parts = []
    for m in t.messages:
        if m["role"] == "assistant":
            calls = "".join(
                f"\n<tool_call>\n{json.dumps(c, ensure_ascii=False)}\n</tool_call>" for c in m.get("tool_calls", [])
            )
            parts.append((m["content"] or "") + calls)
        else:
            mark = "tool_response" if m["role"] == "tool" else "observation"
            parts.append(
                f"<|im_end|>\n<|im_start|>user\n<{mark}>\n{m['content']}\n</{mark}><|im_end|>\n<|im_start|>assistant\n"
            )
    return "".join(parts)


def trl(tries: list[Try]) -> list[Row]:
    """Give the rows of TRL's `log_completions`: the reward functions' columns, no total."""
    return [
        {
            "step": t.step,
            "prompt": prompt_of(t),
            "completion": openai_messages(t),
            **{f"{name}_reward": value for name, value in t.terms.items()},
            "advantage": t.advantage,
            **t.task.extra,
            **t.extra,
        }
        for t in tries
        if not t.error
    ]
