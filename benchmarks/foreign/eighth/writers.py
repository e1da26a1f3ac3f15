"""Rows as trainers write them."""

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighth.course import Attempt


def _prompt(attempt: Attempt) -> list[Row]:
    task = attempt.task
    system = [{"role": "system", "content": task.system}] if task.system else []
    return [*system, {"role": "user", "content": task.prompt}]


def _answer(attempt: Attempt) -> Row:
    return {"answer": attempt.reply.answer} if attempt.reply.answer else {}


def verl(attempts: list[Attempt], first: int = 1) -> list[Row]:
    """verl's `rollout_data_dir`: decoded text, special tokens left out."""
    return [
        {
            "input": "".join(f"{m['role']}\n{m['content']}\n" for m in _prompt(a)) + "assistant\n",
            "output": a.reply.text,
            "gts": a.task.gold,
            "score": a.reward,
            "step": a.step + first,
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: list[Attempt], chat: bool = False) -> list[Row]:
    """TRL's `log_completions`."""
    return [
        {
            "step": a.step + 1,
            "prompt": _prompt(a) if chat else a.task.prompt,
            "completion": a.reply.messages if chat else a.reply.text,
            **(a.terms or {"accuracy_reward": a.reward}),
            "advantage": a.advantage,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """OpenRLHF's JSONL of prompts, outputs and rewards, with what a wrapper adds."""
    return [
        {
            "input": a.task.prompt,
            "output": a.reply.text,
            "reward": a.reward,
            "step": a.step,
            "label": a.task.gold,
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def prime_rl(attempts: list[Attempt], environment: str) -> list[Row]:
    """prime-rl's saved rollouts."""
    return [
        {
            "example_id": int("".join(c for c in a.task.key if c.isdigit()) or 0),
            "env_name": environment,
            "prompt": _prompt(a),
            "completion": a.reply.messages,
            "answer": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "step": a.step,
            "is_truncated": a.stop in ("length", "max_turns"),
            "stop_condition": a.stop,
            "metrics": {"correct_answer": float(a.right), **a.terms},
            **a.extra,
        }
        for a in attempts
    ]


def verifiers(attempts: list[Attempt], task: str) -> list[Row]:
    """Verifiers' `results.jsonl` of the older versions, with the step that a trainer adds."""
    return [
        {
            "example_id": int("".join(c for c in a.task.key if c.isdigit()) or 0),
            "task": task,
            "prompt": _prompt(a),
            "completion": a.reply.messages,
            "answer": a.task.gold,
            "reward": a.reward,
            "step": a.step,
            "info": dict(a.task.extra),
            "stop_condition": a.stop,
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def openai(attempts: list[Attempt], **constant: object) -> list[Row]:
    """Messages in OpenAI's form with what a home-made loop keeps beside."""
    return [
        {
            "messages": [*_prompt(a), *a.reply.messages],
            "reward": a.reward,
            "step": a.step,
            "task_id": a.task.key,
            "finish_reason": a.stop,
            **a.terms,
            **a.extra,
            **constant,
        }
        for a in attempts
    ]


def own(attempts: list[Attempt], run: str, domain: str = "math", first: int = 0) -> list[Row]:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"{run}-{a.split}-{a.step + first:04d}-{a.task.key}-{a.number:02d}",
            "version": run,
            "split": a.split,
            "step": a.step + first,
            "domain": domain,
            "problem_id": a.task.key,
            "attempt": a.number,
            "messages": [*_prompt(a), *a.reply.messages],
            "reward": a.reward,
            "reward_terms": a.terms or ({} if a.reward is None else {"correct": a.reward}),
            "correct": None if a.error else float(a.right),
            "advantage": a.advantage,
            "in_loss": a.in_loss,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": sum(m["role"] == "assistant" for m in a.reply.messages),
            "num_tokens": a.tokens,
            "is_truncated": a.stop in ("length", "max_tokens", "max_turns"),
            "extra": {"family": a.task.family, **_answer(a), **a.task.extra, **a.extra},
        }
        for a in attempts
    ]
