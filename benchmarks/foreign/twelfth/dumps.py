"""Rows of decoded text: verl, TRL, OpenRLHF."""

import json
from collections.abc import Sequence

from benchmarks.foreign.case import Row
from benchmarks.foreign.twelfth.layouts import prompt_of
from benchmarks.foreign.twelfth.rollouts import Episode


def wrapped(messages: Sequence[dict]) -> str:
    """A prompt in ChatML, ready for the policy's turn."""
    turns = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)
    return turns + "<|im_start|>assistant\n"


def spoken(messages: Sequence[dict]) -> str:
    """All that follows the prompt, with calls and their answers between marks."""
    parts = []
    for m in messages:
        if m["role"] == "tool":
            parts.append(f"<tool_response>\n{m['content']}\n</tool_response>")
            continue
        calls = "".join(
            f"\n<tool_call>\n{json.dumps(c, ensure_ascii=False)}\n</tool_call>" for c in m.get("tool_calls", ())
        )
        parts.append(m["content"] + calls)
    return "\n".join(parts)


def verl(episodes: Sequence[Episode]) -> list[Row]:
    """Lines of `rollout_data_dir`."""
    return [
        {
            "input": e.extra.get("raw_input") or wrapped(prompt_of(e)),
            "output": spoken(e.messages),
            "gts": e.task.gold,
            "score": e.reward,
            "step": e.step,
            "acc": float(e.right),
            "data_source": e.task.family,
            "uid": e.group,
            "response_length": e.tokens,
            "advantage": e.advantage,
        }
        | {k: v for k, v in e.extra.items() if k not in ("raw_input", "system_prompt")}
        for e in episodes
    ]


def trl(episodes: Sequence[Episode]) -> list[Row]:
    """Rows of `log_completions`; terms are the columns of the reward functions."""
    return [
        {"step": e.step, "prompt": wrapped(prompt_of(e)), "completion": spoken(e.messages), "advantage": e.advantage}
        | {f"{name}_reward": value for name, value in e.terms.items()}
        | {k: v for k, v in e.extra.items() if k != "system_prompt"}
        for e in episodes
    ]


def openrlhf(episodes: Sequence[Episode]) -> list[Row]:
    """Lines of batch inference with a reward."""
    return [
        {
            "input": wrapped(prompt_of(e)),
            "output": spoken(e.messages),
            "reward": e.reward,
            "step": e.step,
            "label": e.task.gold,
            "datasource": e.task.family,
        }
        | {k: v for k, v in e.extra.items() if k != "system_prompt"}
        for e in episodes
    ]
