"""Rows in the columns of our evidence and of other trainers."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.rollouts import Attempt, Message


def asked(a: Attempt) -> list[Message]:
    """The messages that the policy was given."""
    system = [{"role": "system", "content": a.task.system}] if a.task.system else []
    return [*system, {"role": "user", "content": a.task.prompt}]


def _hex(rng: Random, digits: int = 8) -> str:
    return f"{rng.getrandbits(4 * digits):0{digits}x}"


def _openai(messages: list[Message]) -> list[Message]:
    done, last = [], "call_0"
    for number, m in enumerate(messages):
        m = dict(m)
        if m.get("tool_calls"):
            last = f"call_{number}"
            m["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in m["tool_calls"]
            ]
        if m["role"] == "tool":
            m = {k: v for k, v in m.items() if k not in ("ok", "tool_name")} | {"tool_call_id": last}
        done.append(m)
    return done


def _plain(messages: list[Message]) -> str:
    parts = []
    for m in messages:
        calls = "".join(
            f"\n<tool_call>\n{json.dumps(c, ensure_ascii=False)}\n</tool_call>" for c in m.get("tool_calls", [])
        )
        parts.append(f"<|im_start|>{m['role']}\n{m['content']}{calls}<|im_end|>")
    return "\n".join(parts)


def own(rng: Random, attempts: list[Attempt], run: str, pace: float = 60.0) -> list[Row]:
    """Columns of our own evidence."""
    tag, base, rows = f"{run}-{_hex(rng, 4)}", rng.uniform(-0.72, -0.58), []
    hashes: dict[int, str] = {}
    for index, a in enumerate(attempts):
        likely = base + 0.22 * a.progress
        said = [
            m | ({"mean_logprob": round(likely + rng.gauss(0, 0.05), 4)} if m["role"] == "assistant" else {})
            for m in a.messages
        ]
        rows.append(
            {
                "trajectory_id": f"{tag}-{index:05d}",
                "step": a.step,
                "split": a.split,
                "problem_id": a.task.key,
                "group_id": f"{a.step}:{a.task.key}" if a.split == "train" else f"{a.split}{a.step}:{a.task.key}",
                "attempt": a.number,
                "seed": rng.getrandbits(31),
                "policy_id": hashes.setdefault(a.step, _hex(rng, 12)),
                "messages": asked(a) + said,
                "reward": None if a.reward is None else round(a.reward, 5),
                "reward_terms": a.terms,
                "correct": a.correct,
                "advantage": a.advantage if a.split == "train" else None,
                "in_loss": a.in_loss if a.split == "train" else None,
                "stop_reason": {"length": "max_tokens"}.get(a.stop, a.stop),
                "error": a.error,
                "num_turns": sum(m["role"] == "assistant" for m in said),
                "num_tokens": a.tokens,
                "is_truncated": a.stop in ("length", "max_turns"),
                "duration_seconds": round(a.tokens / pace + rng.lognormvariate(0.4, 0.5), 2),
                "extra": {"family": a.task.family, "answer": a.answer, **a.task.extra, **a.extra},
            }
        )
    return rows


def verl(rng: Random, attempts: list[Attempt], **columns: object) -> list[Row]:
    """Rows of verl's `rollout_data_dir`."""
    rows = []
    for a in attempts:
        first = a.messages[0]["content"] if len(a.messages) == 1 else _plain(a.messages)
        rows.append(
            {
                "input": _plain(asked(a)) + "\n<|im_start|>assistant\n",
                "output": first,
                "gts": a.task.gold,
                "score": None if a.reward is None else round(a.reward, 5),
                "step": a.step,
                **({} if a.correct is None else {"acc": a.correct}),
                **({} if a.advantage is None else {"advantage": a.advantage}),
                "data_source": a.task.family,
                "uid": f"{a.task.key}@{a.step}",
                "response_length": a.tokens,
                "finish_reason": a.stop,
                **columns,
                **a.extra,
            }
        )
    return rows


def trl(rng: Random, attempts: list[Attempt], kind: str = "accuracy_reward") -> list[Row]:
    """Rows of TRL's logged completions."""
    return [
        {
            "step": a.step,
            "prompt": asked(a),
            "completion": _openai(a.messages),
            **(a.terms if len(a.terms) > 1 else {kind: a.reward}),
            "advantage": a.advantage,
            "solution": a.task.gold,
            "completion_length": a.tokens,
            "clipped": a.stop == "length",
            **a.extra,
        }
        for a in attempts
    ]


def openai(rng: Random, attempts: list[Attempt], **columns: object) -> list[Row]:
    """OpenAI's messages with the grade beside."""
    return [
        {
            "id": f"samp_{_hex(rng)}",
            "step": a.step,
            "problem_id": a.task.key,
            "messages": _openai(asked(a) + a.messages),
            "reward": a.reward,
            **({} if a.correct is None else {"correct": a.correct}),
            **({} if a.advantage is None else {"advantage": a.advantage}),
            "finish_reason": a.stop,
            "completion_tokens": a.tokens,
            "task_type": a.task.family,
            **columns,
            **a.extra,
        }
        for a in attempts
    ]


def prime_rl(rng: Random, attempts: list[Attempt], env: str = "") -> list[Row]:
    """Saved rollouts of prime-rl, in the older form with one row a rollout."""
    numbers: dict[str, int] = {}
    return [
        {
            "example_id": numbers.setdefault(a.task.key, len(numbers)),
            "env_name": env or a.task.family,
            "step": a.step,
            "prompt": asked(a),
            "completion": _openai(a.messages),
            "answer": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": {"correct_answer": a.correct, "num_turns": sum(m["role"] == "assistant" for m in a.messages)},
            "is_truncated": a.stop == "length",
            "completion_len": a.tokens,
            "sampling_temperature": 1.0,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(rng: Random, attempts: list[Attempt], **columns: object) -> list[Row]:
    """JSONL of OpenRLHF, with the step beside."""
    return [
        {
            "input": _plain(asked(a)),
            "output": a.text,
            "reward": a.reward,
            "step": a.step,
            "prompt_id": a.task.key,
            "response_tokens": a.tokens,
            **({} if a.advantage is None else {"advantage": a.advantage}),
            **columns,
            **a.extra,
        }
        for a in attempts
    ]
