"""Rows as several systems write them."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth.attempts import Attempt


def asked(a: Attempt) -> list[dict]:
    """The messages of the prompt."""
    system = [{"role": "system", "content": a.task.system}] if a.task.system else []
    return [*system, {"role": "user", "content": a.task.prompt}]


def own(rng: Random, attempts: list[Attempt], domain: str, graded: bool = False) -> list[Row]:
    """The harness's columns; a graded reward names no correctness."""
    run = f"{domain}-{rng.randrange(16**5):05x}"
    rows = []
    for number, a in enumerate(attempts):
        row = {
            "trajectory_id": f"{run}-{number:06d}",
            "problem_id": a.task.id,
            "group_id": f"{a.split[:2]}{a.step}-{a.task.id}",
            "attempt": a.attempt,
            "step": a.step,
            "split": a.split,
            "domain": domain,
            "messages": asked(a) + a.reply.messages,
            "reward": a.reward,
            "reward_terms": a.terms,
            "advantage": a.advantage,
            "in_loss": a.in_loss if a.split == "train" else None,
            "stop_reason": a.stop,
            "error": a.error,
            "num_tokens": a.tokens,
            "is_truncated": a.stop == "max_tokens",
            "duration_seconds": round(a.tokens * rng.uniform(0.011, 0.03) + rng.expovariate(0.7), 2),
            "extra": {"family": a.task.family, **a.reply.extra, **a.extra},
        }
        if a.reply.answer or a.task.gold:
            row["extra"]["answer"] = a.reply.answer
        if a.task.gold and not graded:
            row["extra"]["ground_truth"] = a.task.gold
        if not graded:
            row["correct"] = None if a.error else float(a.right)
        rows.append(row)
    return rows


def chatml(messages: list[dict]) -> str:
    """Messages as text, calls and answers of tools in tags."""
    parts = []
    for m in messages:
        role, body = m["role"], m["content"]
        for called in m.get("tool_calls", ()):
            body += f"\n<tool_call>\n{json.dumps(called, ensure_ascii=False)}\n</tool_call>"
        if role == "tool":
            role, body = "user", f"<tool_response>\n{body}\n</tool_response>"
        parts.append(f"<|im_start|>{role}\n{body}<|im_end|>\n")
    return "".join(parts)


def sampled(a: Attempt) -> str:
    """The attempt as text; one that was cut has no end of its turn."""
    text = chatml(a.reply.messages).rstrip()
    return text.removesuffix("<|im_end|>") if a.stop == "max_tokens" else text


def verl(attempts: list[Attempt]) -> list[Row]:
    """verl's dump of rollouts, with the further columns of its reward function."""
    head = "<|im_start|>assistant\n"
    return [
        {
            "input": chatml(asked(a)) + head,
            "output": sampled(a)[len(head) :],
            "gts": a.task.gold,
            "score": a.reward,
            "step": a.step,
            "acc": float(a.right),
            "pred": a.reply.answer,
            "uid": a.task.id,
            "data_source": a.task.family,
            "advantage": a.advantage,
            "response_length": a.tokens,
            "finish_reason": "length" if a.stop == "max_tokens" else a.stop,
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: list[Attempt]) -> list[Row]:
    """TRL's log of completions; the reward functions are columns."""
    return [
        {
            "step": a.step,
            "prompt": asked(a),
            "completion": [{"role": "assistant", "content": a.text}],
            **{f"{name}_reward": value for name, value in (a.terms or {"accuracy": a.reward}).items()},
            "advantage": a.advantage,
            **({"solution": a.task.gold} if a.task.gold else {}),
            **a.extra,
        }
        for a in attempts
    ]


def openai(rng: Random, attempts: list[Attempt]) -> list[Row]:
    """Messages as OpenAI's interface writes them, with the reward beside."""
    rows = []
    for a in attempts:
        messages, last = asked(a), ""
        for m in a.reply.messages:
            if m["role"] == "tool":
                messages.append({"role": "tool", "tool_call_id": last, "content": m["content"]})
                continue
            message = {"role": "assistant", "content": m["content"]}
            if "tool_calls" in m:
                called, last = m["tool_calls"][0], f"call_{rng.randrange(16**8):08x}"
                arguments = json.dumps(called["arguments"], ensure_ascii=False)
                function = {"name": called["name"], "arguments": arguments}
                message["tool_calls"] = [{"id": last, "type": "function", "function": function}]
            messages.append(message)
        row = {"task_id": a.task.id, "iteration": a.step, "messages": messages, "reward": a.reward}
        row |= {"step": a.step, "problem_id": a.task.id, "sample": a.attempt, "split": a.split}
        row |= {"advantage": a.advantage, "finish_reason": a.stop, "category": a.task.family}
        rows.append(row | a.reply.extra | a.extra)
    return rows
