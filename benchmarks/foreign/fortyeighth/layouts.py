"""How systems write attempts down."""

import hashlib
from collections.abc import Callable

from benchmarks.foreign.fortyeighth.attempts import Try, tokens

Row = dict


def _id(*parts: object) -> str:
    return hashlib.sha1(":".join(map(str, parts)).encode()).hexdigest()[:12]


def _calls_of_openai(turn: dict, place: int) -> dict:
    if not turn.get("tool_calls"):
        return turn
    calls = [
        {"id": f"call_{place}_{k}", "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}}
        for k, c in enumerate(turn["tool_calls"])
    ]
    return {**turn, "tool_calls": calls}


def _chat(one: Try, system: str = "") -> list[dict]:
    head = [{"role": "system", "content": system}] if system else []
    return [*head, {"role": "user", "content": one.asked}, *one.messages()]


def ours(tries: list[Try], domain: str, system: str = "", **extra: Callable) -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for one in tries:
        group = f"{one.split}-{one.step}-{one.task.id}"
        own = [turn for turn in one.messages() if turn["role"] == "assistant"]
        row = {
            "trajectory_id": _id(group, one.group, one.number),
            "split": one.split,
            "step": one.step,
            "domain": domain,
            "problem_id": one.task.id,
            "group_id": group,
            "attempt": one.number,
            "messages": _chat(one, system),
            "reward": one.reward,
            "reward_terms": one.terms,
            "correct": None if one.error else float(one.right),
            "advantage": one.advantage,
            "in_loss": one.in_loss if one.split == "train" else None,
            "stop_reason": one.stop,
            "error": one.error,
            "num_turns": len(own),
            "num_tokens": one.tokens,
            "is_truncated": one.stop in ("max_tokens", "max_turns"),
            "extra": {"family": one.task.family, **({"answer": one.answer} if one.answer else {}), **one.extra},
        }
        rows.append({**row, **{name: value(one) for name, value in extra.items()}})
    return rows


def _templated(one: Try, system: str) -> str:
    head = f"<|im_start|>system\n{system}<|im_end|>\n" if system else ""
    return f"{head}<|im_start|>user\n{one.asked}<|im_end|>\n<|im_start|>assistant\n"


def _joined(one: Try) -> str:
    parts = []
    for place, turn in enumerate(one.messages()):
        if place and turn["role"] != "assistant":
            parts.append(f"<|im_end|>\n<|im_start|>{turn['role']}\n{turn['content']}<|im_end|>\n")
        else:
            parts.append(("<|im_start|>assistant\n" if place else "") + turn["content"])
    return "".join(parts)


def verl(tries: list[Try], system: str = "You are a helpful assistant.", **extra: Callable) -> list[Row]:
    """The rollout dump of verl."""
    return [
        {
            "input": _templated(one, system),
            "output": _joined(one),
            "gts": one.task.gold,
            "score": one.reward,
            "step": one.step + 1,
            **one.extra,
            **{name: value(one) for name, value in extra.items()},
        }
        for one in tries
    ]


def trl(tries: list[Try], chat: bool = True, **extra: Callable) -> list[Row]:
    """Logged completions of TRL: one column a reward function."""
    return [
        {
            "step": one.step + 1,
            "prompt": [{"role": "user", "content": one.asked}] if chat else one.asked,
            "completion": one.messages() if chat else one.text,
            **{f"{name}_reward": value for name, value in one.terms.items()},
            "advantage": one.advantage,
            **one.extra,
            **{name: value(one) for name, value in extra.items()},
        }
        for one in tries
    ]


def openrlhf(tries: list[Try], **extra: Callable) -> list[Row]:
    """Lines of OpenRLHF, with the columns that a group added."""
    return [
        {
            "input": one.asked,
            "output": _joined(one),
            "reward": one.reward,
            "step": one.step,
            "response_length": one.tokens,
            **one.extra,
            **{name: value(one) for name, value in extra.items()},
        }
        for one in tries
    ]


def prime_rl(tries: list[Try], env: str, system: str = "", **extra: Callable) -> list[Row]:
    """Saved rollouts of prime-rl over an environment of verifiers."""
    rows = []
    for one in tries:
        head = [{"role": "system", "content": system}] if system else []
        turns = [_calls_of_openai(turn, place) for place, turn in enumerate(one.messages())]
        rows.append(
            {
                "example_id": one.task.id,
                "task": env,
                "env_name": env,
                "step": one.step,
                "prompt": [*head, {"role": "user", "content": one.asked}],
                "completion": turns,
                "answer": one.task.gold,
                "reward": one.reward,
                "advantage": one.advantage,
                "metrics": {**one.terms, "num_turns": len([t for t in turns if t["role"] == "assistant"])},
                "info": {"family": one.task.family, **one.extra},
                "is_truncated": one.stop in ("max_tokens", "max_turns"),
                "stop_condition": one.stop,
                **{name: value(one) for name, value in extra.items()},
            }
        )
    return rows


def nemo_rl(tries: list[Try], **extra: Callable) -> list[Row]:
    """Training data as NeMo-RL logs them."""
    rows = []
    for place, one in enumerate(tries):
        row = {
            "content": [one.asked, *[turn["content"] for turn in one.messages()]],
            "rewards": one.reward,
            "input_lengths": tokens(one.asked) + one.tokens,
            "idx": place,
            "step": one.step,
            **one.extra,
        }
        rows.append({**row, **{name: value(one) for name, value in extra.items()}})
    return rows


def slime(tries: list[Try], **extra: Callable) -> list[Row]:
    """Samples of slime's rollout dump."""
    size = 1 + max(one.number for one in tries)
    return [
        {
            "group_index": place // size,
            "index": place,
            "step": one.step,
            "prompt": one.asked,
            "response": _joined(one),
            "label": one.task.gold,
            "reward": one.reward,
            "response_length": one.tokens,
            "status": "truncated" if one.stop in ("max_tokens", "length") else "completed",
            **one.extra,
            **{name: value(one) for name, value in extra.items()},
        }
        for place, one in enumerate(tries)
    ]


def inspect_log(tries: list[Try], scorer: str = "match", **extra: Callable) -> list[Row]:
    """Samples of a log of inspect."""
    return [
        {
            "id": one.task.id,
            "epoch": one.number + 1,
            "input": one.asked,
            "target": one.task.gold,
            "messages": _chat(one),
            "output": {"completion": one.text, "stop_reason": one.stop},
            "scores": {scorer: {"value": "C" if one.right else "I", "answer": one.answer, "explanation": one.text}},
            "metadata": {"family": one.task.family, **one.extra},
            **{name: value(one) for name, value in extra.items()},
        }
        for one in tries
    ]


def openai(tries: list[Try], system: str = "", **extra: Callable) -> list[Row]:
    """Messages in OpenAI's form, with what an own loop writes beside."""
    rows = []
    for one in tries:
        turns = [_calls_of_openai(turn, place) for place, turn in enumerate(_chat(one, system))]
        row = {"messages": turns, "reward": one.reward, "step": one.step, "task_id": one.task.id, "rollout": one.number}
        rows.append({**row, **one.extra, **{name: value(one) for name, value in extra.items()}})
    return rows


def plain(tries: list[Try], **extra: Callable) -> list[Row]:
    """Lines of a script of one's own."""
    return [
        {
            "step": one.step,
            "question": one.asked,
            "response": _joined(one),
            "reward": one.reward,
            **one.extra,
            **{name: value(one) for name, value in extra.items()},
        }
        for one in tries
    ]
