"""The formats in which systems hand over their rollouts."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth.core import Episode, World


def _prompt(e: Episode, world: World) -> list[dict]:
    head = [{"role": "system", "content": world.system}] if world.system else []
    return [*head, {"role": "user", "content": e.task.prompt}]


def _tokens(rng: Random, e: Episode) -> int:
    return max(3, round(e.chars / rng.uniform(3.3, 4.1)))


def own(rng: Random, episodes: list[Episode], world: World, **columns: object) -> list[Row]:
    """Rows in the columns of the docs."""
    tag = f"{rng.getrandbits(32):08x}"
    rows = []
    for number, e in enumerate(episodes):
        rows.append(
            {
                "trajectory_id": f"{tag}-{number:05d}",
                "split": e.split,
                "step": e.step,
                "domain": world.name,
                "problem_id": e.task.id,
                "group_id": f"{e.split}-{e.step}-{e.task.id}",
                "attempt": e.attempt,
                "messages": _prompt(e, world) + e.reply.messages,
                "reward": e.reward,
                "reward_terms": e.terms,
                "correct": None if e.error else float(e.right),
                "advantage": e.advantage,
                "in_loss": e.in_loss if e.split == "train" else None,
                "stop_reason": e.stop,
                "error": e.error,
                "num_turns": sum(m["role"] == "assistant" for m in e.reply.messages),
                "num_tokens": _tokens(rng, e),
                "is_truncated": e.stop in ("max_tokens", "max_turns"),
                "duration_seconds": e.seconds,
                "extra": {"family": e.task.family, "answer": e.reply.answer} | e.task.extra | e.extra | columns,
            }
        )
    return rows


def _decoded(messages: list[dict]) -> str:
    parts = []
    for m in messages:
        calls = "".join(
            "\n<tool_call>\n" + json.dumps({"name": c["name"], "arguments": c["arguments"]}) + "\n</tool_call>"
            for c in m.get("tool_calls", ())
        )
        text = m["content"] + calls
        if m["role"] == "tool":
            parts.append(f"<|im_start|>user\n<tool_response>\n{text}\n</tool_response><|im_end|>\n")
        else:
            parts.append(f"<|im_start|>{m['role']}\n{text.strip()}<|im_end|>\n")
    return "".join(parts)


def verl(episodes: list[Episode], world: World) -> list[Row]:
    """Rows of verl's folder of rollouts; what its writer logs beside stands in columns."""
    head = "<|im_start|>assistant\n"
    return [
        {
            "input": _decoded(_prompt(e, world)) + head,
            "output": _decoded(e.reply.messages).removeprefix(head),
            "gts": e.task.gold,
            "score": 0.0 if e.reward is None else e.reward,
            "step": e.step,
            "data_source": world.name,
            "uid": e.task.id,
            "acc": float(e.right),
            "pred": e.reply.answer,
        }
        | ({} if e.advantage is None else {"advantage": e.advantage})
        | e.extra
        for e in episodes
        if not e.error
    ]


def trl(episodes: list[Episode], world: World) -> list[Row]:
    """Rows of TRL's log of completions: a column for each reward function."""
    return [
        {
            "step": e.step,
            "prompt": _prompt(e, world),
            "completion": e.reply.messages,
            **{f"{name}_reward": value for name, value in e.terms.items()},
            "advantage": e.advantage,
        }
        | e.extra
        for e in episodes
        if not e.error
    ]


def openai(rng: Random, episodes: list[Episode], world: World) -> list[Row]:
    """Messages in OpenAI's form with a reward beside."""
    rows = []
    for e in episodes:
        messages, ids = [], []
        for m in _prompt(e, world) + e.reply.messages:
            m = {k: v for k, v in m.items() if k not in ("tool_name", "ok")}
            if m.get("tool_calls"):
                ids = [f"call_{rng.getrandbits(40):010x}" for _ in m["tool_calls"]]
                forms = [{"name": c["name"], "arguments": json.dumps(c["arguments"])} for c in m["tool_calls"]]
                m["tool_calls"] = [
                    {"id": i, "type": "function", "function": f} for i, f in zip(ids, forms, strict=True)
                ]
            elif m["role"] == "tool":
                m["tool_call_id"] = ids.pop(0) if ids else ""
            messages.append(m)
        row = {"messages": messages, "reward": e.reward, "correct": None if e.error else int(e.right), "step": e.step}
        named = {"task_id": e.task.id, "sample": e.attempt, "finish_reason": e.stop, "ground_truth": e.task.gold}
        rows.append(row | named | {"advantage": e.advantage, "error": e.error, "split": e.split} | e.extra)
    return rows


def prime_rl(rng: Random, episodes: list[Episode], world: World) -> list[Row]:
    """Saved rollouts of prime-rl in their older, flat form."""
    return [
        {
            "example_id": int(e.task.id.rsplit("-", 1)[1]),
            "env_name": world.name,
            "step": e.step,
            "prompt": _prompt(e, world),
            "completion": e.reply.messages,
            "answer": e.task.gold,
            "reward": e.reward,
            "advantage": e.advantage,
            "metrics": e.terms,
            "correct_answer": None if e.error else float(e.right),
            "is_truncated": e.stop in ("max_tokens", "max_turns"),
            "stop_condition": e.stop,
            "error": e.error,
            "generation_ms": round(e.seconds * 1000),
            "completion_len": _tokens(rng, e),
        }
        | e.extra
        for e in episodes
    ]


def openrlhf(episodes: list[Episode], world: World) -> list[Row]:
    """Lines of OpenRLHF's batch inference with a reward."""
    return [
        {
            "input": _decoded(_prompt(e, world)) + "<|im_start|>assistant\n",
            "output": e.last["content"],
            "reward": e.reward,
            "step": e.step,
            "label": e.task.gold,
            "accuracy": float(e.right),
        }
        | e.extra
        for e in episodes
        if not e.error
    ]
