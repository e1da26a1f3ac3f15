"""Rows of prime-rl, OpenRLHF and verifiers."""

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth.attempts import Attempt
from benchmarks.foreign.twentysixth.dumps import asked, chatml


def prime(attempts: list[Attempt], env: str) -> list[Row]:
    """prime-rl's saved rollouts."""
    return [
        {
            "example_id": a.task.id,
            "env_name": env,
            "task": a.task.family,
            "step": a.step,
            "prompt": asked(a),
            "completion": a.reply.messages,
            "answer": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "is_truncated": a.stop == "max_tokens",
            "stop_condition": a.stop,
            "metrics": {"correct_answer": float(a.right), **a.terms},
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """Prompt and answer as text with the reward."""
    return [
        {
            "input": chatml(asked(a)) + "<|im_start|>assistant\n",
            "output": a.text,
            "reward": a.reward,
            "step": a.step,
            "prompt_id": a.task.id,
            "source": a.task.family,
            "advantage": a.advantage,
            "total_length": a.tokens,
            **a.extra,
        }
        for a in attempts
    ]


def verifiers(attempts: list[Attempt], env: str) -> list[Row]:
    """Results of a verifiers environment, one row a rollout."""
    return [
        {
            "example_id": a.task.id,
            "task": env,
            "step": a.step,
            "split": a.split,
            "prompt": asked(a),
            "completion": a.reply.messages,
            "answer": a.task.gold,
            "reward": a.reward,
            "correct_answer": float(a.right),
            "info": {"family": a.task.family},
            **({} if a.advantage is None else {"advantage": a.advantage}),
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]
