"""Attempts as rows of several systems."""

import hashlib
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.rollouts import Sample


def digest(*parts: object) -> str:
    """A short hash."""
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:12]


def chatml(messages: list[dict]) -> str:
    """Decoded text with marks of roles."""
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def _named(**texts: str) -> dict[str, str]:
    """The columns that hold anything."""
    return {name: text for name, text in texts.items() if text}


def own(rng: Random, samples: list[Sample], run: str, domain: str) -> list[Row]:
    """The columns of the evidence."""
    clock = datetime(2026, rng.randint(1, 9), rng.randint(1, 27), rng.randint(0, 22), tzinfo=UTC)
    salt = rng.getrandbits(40)
    rows = []
    for s in samples:
        turns = sum(m["role"] == "assistant" for m in s.reply.messages)
        begun = clock + timedelta(seconds=s.step * 540 + rng.uniform(0, 160))
        extra = {"family": s.task.family} | _named(answer=s.reply.answer, ground_truth=s.task.gold)
        rows.append(
            {
                "trajectory_id": f"{run}-{digest(salt, s.split, s.step, s.task.id, s.attempt)}",
                "campaign": run,
                "version": "main",
                "split": s.split,
                "step": s.step,
                "domain": domain,
                "problem_id": s.task.id,
                "group_id": f"{s.split}/{s.step}/{s.task.id}",
                "attempt": s.attempt,
                "seed": rng.getrandbits(31),
                "policy_id": digest(salt, s.extra.get("sampled_from", s.step)),
                "messages": s.task.prompt + s.reply.messages,
                "reward": s.reward,
                "reward_terms": s.terms,
                "correct": None if s.error else float(s.right),
                "advantage": s.advantage,
                "in_loss": s.in_loss if s.split == "train" else None,
                "stop_reason": s.stop,
                "error": s.error,
                "num_turns": turns,
                "num_tokens": s.tokens,
                "is_truncated": s.stop == "length",
                "duration_seconds": round(
                    2.5 + s.tokens / 55 + 1.8 * turns + rng.expovariate(0.5) + 120 * bool(s.error), 2
                ),
                "started_at": begun.isoformat(timespec="seconds"),
                "extra": extra | s.task.extra | s.reply.facts | s.extra,
            }
        )
    return rows


def verl(samples: list[Sample]) -> list[Row]:
    """Rows of verl's folder of rollouts."""
    return [
        {
            "input": chatml(s.task.prompt) + "<|im_start|>assistant\n",
            "output": chatml(s.reply.messages)[len("<|im_start|>assistant\n") :],
            **_named(gts=s.task.gold),
            "score": s.reward,
            "acc": float(s.right),
            "step": s.step,
            "uid": digest(s.split, s.step, s.task.id),
            "data_source": s.task.family,
            "response_length": s.tokens,
            "advantage": s.advantage,
            **s.task.extra,
            **s.reply.facts,
            **s.extra,
        }
        for s in samples
    ]


def trl(samples: list[Sample]) -> list[Row]:
    """Rows of TRL's logged completions: one column a reward function."""
    return [
        {
            "step": s.step,
            "prompt": s.task.prompt,
            "completion": s.reply.messages,
            **{f"{name}_reward": value for name, value in s.terms.items()},
            "advantage": s.advantage,
            "solution": s.task.gold,
            **s.task.extra,
            **s.reply.facts,
            **s.extra,
        }
        for s in samples
    ]


def openai(samples: list[Sample]) -> list[Row]:
    """Messages with the reward beside; calls of tools in OpenAI's form are made by the tasks."""
    return [
        {
            "id": f"roll-{digest(s.split, s.step, s.task.id, s.attempt)}",
            "messages": s.task.prompt + s.reply.messages,
            "reward": s.reward,
            "correct": None if s.error else float(s.right),
            "finish_reason": s.stop,
            "step": s.step,
            "task": s.task.id,
            "problem_id": s.task.id,
            "advantage": s.advantage,
            "usage": {"completion_tokens": s.tokens},
            "category": s.task.family,
            **s.task.extra,
            **s.reply.facts,
            **s.extra,
        }
        for s in samples
    ]


def prime_rl(samples: list[Sample], env: str) -> list[Row]:
    """Saved rollouts of prime-rl, in the older form of verifiers' results."""
    return [
        {
            "example_id": s.task.id,
            "env_name": env,
            "task": s.task.family,
            "step": s.step,
            "prompt": s.task.prompt,
            "completion": s.reply.messages,
            "answer": s.task.gold,
            "reward": s.reward,
            "advantage": s.advantage,
            "metrics": {"correct_answer": float(s.right), "num_turns": float(len(s.reply.messages) // 2 + 1)},
            "is_truncated": s.stop == "length",
            "stop_condition": s.stop,
            "completion_len": s.tokens,
            "info": s.task.extra,
            **s.reply.facts,
            **s.extra,
        }
        for s in samples
    ]


def nemo_rl(samples: list[Sample]) -> list[Row]:
    """Rows of NeMo-RL's log of data, with the step and the outcome beside."""
    return [
        {
            "content": [m["content"] for m in s.task.prompt + s.reply.messages],
            "rewards": s.reward,
            "step": s.step,
            "correct": float(s.right),
            "advantage": s.advantage,
            "ground_truth": s.task.gold,
            **s.task.extra,
            **s.reply.facts,
            **s.extra,
        }
        for s in samples
    ]


def openrlhf(samples: list[Sample]) -> list[Row]:
    """Rows of OpenRLHF: texts and a reward, with some columns beside."""
    return [
        {
            "input": "\n\n".join(m["content"] for m in s.task.prompt),
            "output": s.own_text,
            "reward": s.reward,
            "step": s.step,
            "datasource": s.task.family,
            **_named(label=s.task.gold),
            **s.task.extra,
            **s.reply.facts,
            **s.extra,
        }
        for s in samples
    ]
