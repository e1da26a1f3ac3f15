"""Rows of OpenRLHF and prime-rl."""

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.core import Try
from benchmarks.foreign.nineteenth.formats import flat, openai_messages, prompt_of


def openrlhf(tries: list[Try]) -> list[Row]:
    """Give the rows of OpenRLHF."""
    return [
        {
            "input": f"{t.task.system}\n\n{t.task.prompt}".strip(),
            "output": flat(t),
            "reward": t.reward,
            "label": t.task.gold,
            "step": t.step,
            "correct": float(t.right),
            "advantage": t.advantage,
            "truncated": t.stop == "length",
            **t.task.extra,
            **t.extra,
        }
        for t in tries
        if not t.error
    ]


def prime(tries: list[Try], env: str) -> list[Row]:
    """Give the rollouts that prime-rl saves."""
    return [
        {
            "example_id": t.task.id,
            "env_name": env,
            "step": t.step,
            "prompt": prompt_of(t),
            "completion": openai_messages(t),
            "answer": t.task.gold,
            "reward": t.reward,
            "correct_answer": None if t.error else float(t.right),
            "advantage": t.advantage,
            "is_truncated": t.stop == "length",
            "stop_condition": "has_error" if t.error else "max_seq_len" if t.stop == "length" else "has_final_answer",
            "error": t.error,
            "timing_generation_ms": int(t.seconds * 1000),
            **t.task.extra,
            **t.extra,
        }
        for t in tries
    ]
