"""Rows as trainers write them."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.ninth.episodes import Episode, Message


def _asked(e: Episode) -> list[Message]:
    system = [{"role": "system", "content": e.task.system}] if e.task.system else []
    return [*system, {"role": "user", "content": e.task.prompt}]


def _flat(message: Message) -> str:
    calls = "".join(
        f"\n<tool_call>\n{json.dumps(c, ensure_ascii=False)}\n</tool_call>" for c in message.get("tool_calls", ())
    )
    return message["content"] + calls


def decoded(messages: list[Message]) -> str:
    """Messages in the marks of a chat template, the policy's first turn open."""
    text = ""
    for number, m in enumerate(messages):
        if m["role"] == "tool":
            text += f"<|im_start|>user\n<tool_response>\n{m['content']}\n</tool_response><|im_end|>\n"
        elif m["role"] == "assistant":
            text += ("<|im_start|>assistant\n" if number else "") + _flat(m) + "<|im_end|>\n"
        else:
            text += f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n"
    return text.removesuffix("<|im_end|>\n")


def _prompt(e: Episode) -> str:
    return (
        "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in _asked(e)) + "<|im_start|>assistant\n"
    )


def own(episodes: list[Episode], **more: object) -> list[Row]:
    """A home-made log in the columns of docs/evidence.md."""
    rows = []
    for number, e in enumerate(episodes):
        row: Row = {
            "trajectory_id": f"t{number:05d}",
            "problem_id": e.task.id,
            "step": e.step,
            "attempt": e.attempt,
            "split": e.split,
            "domain": e.task.domain,
            "messages": _asked(e) + e.reply.messages,
            "reward": None if e.error else e.reward,
            "correct": None if e.error else float(e.right),
            "advantage": e.advantage,
            "stop_reason": e.stop,
            "error": e.error,
            "num_tokens": e.tokens,
            "is_truncated": e.stop in ("length", "max_tokens", "max_turns"),
        }
        if e.terms:
            row["reward_terms"] = dict(e.terms)
        if e.in_loss is not None:
            row["in_loss"] = e.in_loss
        rows.append(row | more | e.extra)
    return rows


def verl(episodes: list[Episode], is_graded: bool = True) -> list[Row]:
    """What verl's trainer writes to `rollout_data_dir`."""
    return [
        {
            "input": _prompt(e),
            "output": decoded(e.reply.messages),
            "gts": e.task.gold,
            "score": e.reward,
            "step": e.step + 1,
            **({"acc": e.right} if is_graded else {}),
            **e.terms,
            **e.extra,
        }
        for e in episodes
    ]


def trl(episodes: list[Episode]) -> list[Row]:
    """What TRL's `log_completions` writes."""
    return [
        {
            "step": e.step + 1,
            "prompt": _asked(e),
            "completion": e.reply.messages,
            **{f"{name}_reward": value for name, value in (e.terms or {"accuracy": e.reward}).items()},
            "advantage": e.advantage,
            **e.extra,
        }
        for e in episodes
    ]


def openrlhf(episodes: list[Episode]) -> list[Row]:
    """JSONL of OpenRLHF's inference with a reward."""
    return [
        {"input": e.task.prompt, "output": decoded(e.reply.messages), "reward": e.reward, "step": e.step, **e.extra}
        for e in episodes
    ]


def openai(episodes: list[Episode]) -> list[Row]:
    """Messages in OpenAI's form, with a reward beside."""
    rows = []
    for e in episodes:
        messages, number = _asked(e), 0
        for m in e.reply.messages:
            m = dict(m)
            if m["role"] == "tool":
                m = {"role": "tool", "tool_call_id": f"call_{number}", "content": m["content"]} | {
                    k: v for k, v in m.items() if k not in ("role", "content", "tool_name", "ok")
                }
            elif "tool_calls" in m:
                number += 1
                m["tool_calls"] = [
                    {
                        "id": f"call_{number}",
                        "type": "function",
                        "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                    }
                    for c in m["tool_calls"]
                ]
            messages.append(m)
        rows.append(
            {
                "task_id": e.task.id,
                "step": e.step,
                "sample": e.attempt,
                "messages": messages,
                "reward": e.reward,
                "finish_reason": e.stop,
                **e.terms,
                **e.extra,
            }
        )
    return rows


def prime(episodes: list[Episode], env: str) -> list[Row]:
    """Rollouts that prime-rl saves."""
    return [
        {
            "example_id": e.task.id,
            "task": env,
            "env_name": env,
            "step": e.step,
            "prompt": _asked(e),
            "completion": e.reply.messages,
            "answer": e.task.gold,
            "reward": e.reward,
            "advantage": e.advantage,
            "is_truncated": e.stop in ("length", "max_tokens"),
            "stop_condition": e.stop,
            **e.terms,
            **e.extra,
        }
        for e in episodes
    ]
