"""The columns in which trainers and harnesses write rollouts."""

import json
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.runs import Attempt, count
from benchmarks.foreign.twentyseventh.words import hexes


def asked(a: Attempt) -> list[dict]:
    """The prompt's messages."""
    system = [{"role": "system", "content": a.task.system}] if a.task.system else []
    return [*system, {"role": "user", "content": a.task.question}]


def own(rng: Random, attempts: list[Attempt], domain: str, gold: bool = True) -> list[Row]:
    """Rows in the columns of the evidence."""
    start = datetime(2026, rng.randint(1, 8), rng.randint(1, 28), rng.randint(0, 23), tzinfo=UTC)
    run = hexes(rng, 6)
    rows = []
    for place, a in enumerate(attempts):
        turns = [dict(t) for t in a.reply.turns]
        for t in turns:
            if t["role"] == "assistant":
                t |= {"num_tokens": count(t), "mean_logprob": round(a.logprob + rng.gauss(0, 0.02), 4)}
        extra = {"family": a.task.family or domain, "answer": a.reply.answer}
        extra |= {"ground_truth": a.task.gold} if gold else {}
        rows.append(
            {
                "trajectory_id": f"{run}-{place:05d}",
                "step": a.step,
                "split": a.split,
                "domain": domain,
                "problem_id": a.task.uid,
                "group_id": f"{run}-{a.split[:2]}{a.step}-{a.task.uid}",
                "attempt": a.number,
                "messages": [*asked(a), *turns],
                "reward": a.reward,
                "reward_terms": a.terms,
                "correct": None if a.error else float(a.right),
                "advantage": a.advantage,
                "in_loss": a.in_loss and a.error is None,
                "stop_reason": a.stop,
                "error": a.error,
                "num_turns": sum(t["role"] == "assistant" for t in turns),
                "num_tokens": a.tokens,
                "is_truncated": a.stop == "length",
                "duration_seconds": a.seconds,
                "started_at": (start + timedelta(minutes=11 * a.step, seconds=place % 97)).isoformat(),
                "extra": extra | a.task.shown | a.reply.shown | a.shown,
            }
        )
    return rows


def joined(a: Attempt) -> str:
    """The turns as decoded text, calls and tools in their marks."""
    parts = []
    for t in a.reply.turns:
        calls = [f"<tool_call>\n{json.dumps(c)}\n</tool_call>" for c in t.get("tool_calls") or ()]
        text = "\n".join(part for part in (t["content"], *calls) if part)
        parts.append(text if t["role"] == "assistant" else f"<|im_end|>\n<|im_start|>{t['role']}\n{text}<|im_end|>\n")
    return "".join(parts)


def verl(attempts: list[Attempt], **columns: object) -> list[Row]:
    """What `trainer.rollout_data_dir` holds."""
    rows = []
    for a in attempts:
        prompt = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in asked(a))
        row = {"input": f"{prompt}<|im_start|>assistant\n", "output": joined(a), "gts": a.task.gold, "score": a.reward}
        row |= {"step": a.step, "acc": float(a.right), "response_length": a.tokens, "advantage": a.advantage}
        rows.append(row | columns | a.task.shown | a.reply.shown | a.shown)
    return rows


def trl(attempts: list[Attempt]) -> list[Row]:
    """What `log_completions` holds: a column for each reward function."""
    rows = []
    for a in attempts:
        rewards = {f"{name}_reward": value for name, value in a.terms.items()}
        prompt = "\n\n".join(m["content"] for m in asked(a))
        row = {"step": a.step, "prompt": prompt, "completion": joined(a), **rewards, "advantage": a.advantage}
        rows.append(row | {"solution": a.task.gold} | a.task.shown | a.reply.shown | a.shown)
    return rows


def openai_messages(attempts: list[Attempt]) -> list[Row]:
    """Messages in OpenAI's form, the rest beside."""
    rows = []
    for place, a in enumerate(attempts):
        turns, last = [], ""
        for number, t in enumerate(a.reply.turns):
            turn = {key: value for key, value in t.items() if key not in ("tool_calls", "tool_name", "ok")}
            for c in t.get("tool_calls") or ():
                last = f"call_{place:04d}{number:02d}"
                function = {"name": c["name"], "arguments": json.dumps(c["arguments"])}
                turn["tool_calls"] = [{"id": last, "type": "function", "function": function}]
            turns.append(turn | ({"tool_call_id": last, "name": t["tool_name"]} if t["role"] == "tool" else {}))
        row = {"messages": [*asked(a), *turns], "reward": a.reward, "advantage": a.advantage, "step": a.step}
        row |= {"problem_id": a.task.uid, "finish_reason": a.stop, "completion_tokens": a.tokens}
        rows.append(row | a.task.shown | a.reply.shown | a.shown)
    return rows


def saved(attempts: list[Attempt], env: str, **columns: object) -> list[Row]:
    """Saved rollouts of prime-rl and results of verifiers: prompt and completion as messages."""
    rows = []
    for a in attempts:
        row = {"example_id": int(a.task.uid.rsplit("-", 1)[1]), "env_name": env, "prompt": asked(a)}
        row |= {"completion": a.reply.turns, "answer": a.task.gold, "reward": a.reward, "advantage": a.advantage}
        row |= {"step": a.step, "is_truncated": a.stop == "length", "stop_condition": a.stop, "metrics": a.terms}
        rows.append(row | columns | a.task.shown | a.reply.shown | a.shown)
    return rows


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """Prompt, output and reward in one line each."""
    rows = []
    for a in attempts:
        row = {"input": "\n\n".join(m["content"] for m in asked(a)), "output": joined(a), "reward": a.reward}
        rows.append(row | {"step": a.step, "response_length": a.tokens} | a.task.shown | a.reply.shown | a.shown)
    return rows
