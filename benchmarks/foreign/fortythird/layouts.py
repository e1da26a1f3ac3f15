"""How systems write attempts down."""

import json
from collections.abc import Iterable
from typing import Any

from benchmarks.foreign.fortythird.policy import Attempt

Row = dict[str, Any]


def _chatml(messages: list[dict]) -> str:
    turns = [f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages]
    return "".join(turns) + "<|im_start|>assistant\n"


def _openai(messages: list[dict]) -> list[dict]:
    out, number = [], 0
    for message in messages:
        if message.get("tool_calls"):
            number += 1
            calls = [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in message["tool_calls"]
            ]
            rest = {k: v for k, v in message.items() if k != "tool_calls"}
            out.append({**rest, "tool_calls": calls})
        elif message["role"] == "tool":
            rest = {k: v for k, v in message.items() if k not in ("tool_name", "ok")}
            out.append({**rest, "tool_call_id": f"call_{number}"})
        else:
            out.append(dict(message))
    return out


def columns(attempts: Iterable[Attempt], domain: str, run: str = "run") -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for a in attempts:
        row = {
            "trajectory_id": f"{run}-{a.split}-{a.step:03d}-{a.problem}-{a.number}",
            "campaign": run,
            "split": a.split,
            "step": a.step,
            "domain": domain,
            "problem_id": a.problem,
            "group_id": f"{a.split}-{a.step}-{a.problem}",
            "attempt": a.number,
            "messages": [*a.prompt, *a.reply],
            "reward": a.reward,
            "correct": a.correct,
            "advantage": a.advantage,
            "in_loss": a.in_loss,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": sum(m["role"] == "assistant" for m in a.reply),
            "num_tokens": a.tokens,
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "extra": {**({"answer": a.answer} if a.answer else {}), **a.extra},
        }
        if a.terms:
            row["reward_terms"] = a.terms
        rows.append(row)
    return rows


def verl(attempts: Iterable[Attempt], **more: str) -> list[Row]:
    """What `trainer.rollout_data_dir` holds: decoded texts, the gold answer and the score."""
    return [
        {
            "input": _chatml(a.prompt),
            "output": a.text,
            "gts": a.gold,
            "score": a.reward,
            "step": a.step + 1,
            **a.extra,
            **more,
        }
        for a in attempts
    ]


def trl(attempts: Iterable[Attempt], is_chat: bool = False) -> list[Row]:
    """Completions of GRPOTrainer: a column a reward function, and the advantage."""
    return [
        {
            "step": a.step + 1,
            "prompt": a.prompt if is_chat else "\n\n".join(m["content"] for m in a.prompt),
            "completion": a.reply if is_chat else a.text,
            **a.terms,
            "advantage": a.advantage,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: Iterable[Attempt]) -> list[Row]:
    """Input, output and reward of a line."""
    return [
        {
            "input": "\n".join(m["content"] for m in a.prompt),
            "output": a.text,
            "reward": a.reward,
            "global_step": a.step,
            "step": a.step,
            **a.extra,
        }
        for a in attempts
    ]


def prime(attempts: Iterable[Attempt], env: str) -> list[Row]:
    """Saved rollouts of prime-rl: messages of prompt and completion, metrics, advantage."""
    return [
        {
            "example_id": int(a.problem),
            "task": env,
            "env_name": env,
            "step": a.step,
            "prompt": _openai(a.prompt),
            "completion": _openai(a.reply),
            "answer": a.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": a.terms,
            "info": a.extra,
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
        }
        for a in attempts
    ]


def verifiers(attempts: Iterable[Attempt], env: str) -> list[Row]:
    """Results of a verifiers environment, with the step that a training script adds."""
    return [
        {
            "example_id": int(a.problem),
            "step": a.step,
            "prompt": _openai(a.prompt),
            "completion": _openai(a.reply),
            "answer": a.gold,
            "task": env,
            "info": a.extra,
            "reward": a.reward,
            **a.terms,
        }
        for a in attempts
    ]


def slime(attempts: Iterable[Attempt]) -> list[Row]:
    """Samples of slime as its debug dump holds them."""
    status = {"stop": "completed", "max_tokens": "truncated", "error": "aborted"}
    return [
        {
            "rollout_id": a.step,
            "step": a.step,
            "group_index": int(a.problem),
            "index": place,
            "prompt": "\n".join(m["content"] for m in a.prompt),
            "response": a.text,
            "response_length": a.tokens,
            "label": a.gold,
            "reward": a.reward,
            "status": status.get(a.stop, a.stop),
            "metadata": a.extra,
        }
        for place, a in enumerate(attempts)
    ]


def openai(attempts: Iterable[Attempt]) -> list[Row]:
    """Messages of OpenAI's form with the score beside."""
    return [
        {
            "id": f"{a.step}/{a.problem}/{a.number}",
            "step": a.step,
            "problem_id": a.problem,
            "messages": _openai([*a.prompt, *a.reply]),
            "score": a.reward,
            "finish_reason": a.stop,
            **a.extra,
        }
        for a in attempts
    ]


def inspect(attempts: Iterable[Attempt], scorer: str) -> list[Row]:
    """Samples of a log of inspect."""
    return [
        {
            "id": a.problem,
            "epoch": a.number + 1,
            "input": a.prompt[-1]["content"],
            "target": a.gold,
            "messages": [*a.prompt, *a.reply],
            "output": {
                "model": "openai/policy",
                "completion": a.text,
                "stop_reason": a.stop,
                "choices": [{"message": a.reply[-1], "stop_reason": a.stop}],
            },
            "scores": {scorer: {"value": a.reward, "answer": a.answer, "explanation": a.extra.get("explanation", "")}},
            "metadata": {k: v for k, v in a.extra.items() if k != "explanation"},
        }
        for a in attempts
    ]
