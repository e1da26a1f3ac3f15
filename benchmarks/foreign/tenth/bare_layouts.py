"""Rows of systems that leave little: batch inference of OpenRLHF, results of verifiers."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth.core import Attempt
from benchmarks.foreign.tenth.layouts import opening
from benchmarks.foreign.tenth.machines import time_all


def openrlhf(attempts: list[Attempt], **columns: object) -> list[Row]:
    """Input, output and reward, with the step and the advantage beside."""
    return [
        {
            "input": a.task.prompt,
            "output": a.written,
            "reward": a.reward,
            "step": a.step,
            "label": a.task.gold,
            "accuracy": float(a.right),
            "advantage": a.advantage,
            "truncated": a.is_cut,
        }
        | a.extra
        | columns
        for a in attempts
    ]


def verifiers(rng: Random, attempts: list[Attempt], task: str, **columns: object) -> list[Row]:
    """Results with an example's number, prompt and completion, the terms of the rubric beside."""
    time_all(rng, attempts)
    return [
        {
            "example_id": int("".join(c for c in a.task.id if c.isdigit())),
            "prompt": opening(a),
            "completion": a.reply.turns,
            "answer": a.task.gold,
            "task": task,
            "step": a.step,
            "reward": a.reward,
            "advantage": a.advantage,
            **a.terms,
            "info": {"family": a.task.family},
            "generation_ms": round(a.seconds * 1000, 1),
            "scoring_ms": round(rng.uniform(2, 400), 1),
        }
        | a.extra
        | columns
        for a in attempts
    ]
