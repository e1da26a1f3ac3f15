"""Rows of several trainers, from attempts."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.rollouts import Episode, Message


def opening(e: Episode) -> list[Message]:
    """The messages of the prompt."""
    system = [{"role": "system", "content": e.task.system}] if e.task.system else []
    return [*system, {"role": "user", "content": e.task.prompt}]


def own(episodes: list[Episode], run: str) -> list[Row]:
    """Rows with columns of our own."""
    rows = []
    for e in episodes:
        family = {"family": e.task.family} if e.task.family else {}
        answer = {"answer": e.reply.answer} if e.reply.answer else {}
        row = {
            "trajectory_id": f"{run}-{e.step:03d}-{e.task.pid}-{e.attempt}",
            "split": e.split,
            "step": e.step,
            "problem_id": e.task.pid,
            "group_id": e.group,
            "attempt": e.attempt,
            "messages": opening(e) + e.reply.messages,
            "reward": e.reward,
            "reward_terms": e.terms,
            "correct": e.correct,
            "advantage": e.advantage,
            "in_loss": e.in_loss if e.split == "train" else None,
            "stop_reason": e.reply.stop,
            "error": e.error,
            "num_turns": sum(m["role"] == "assistant" for m in e.reply.messages),
            "num_tokens": e.tokens,
            "is_truncated": e.reply.stop in ("max_tokens", "max_turns"),
            "duration_seconds": e.seconds,
            "extra": {**family, **answer, **e.reply.extra, **e.extra},
        }
        rows.append({k: v for k, v in row.items() if not (k in ("correct", "reward_terms") and v in (None, {}))})
    return rows


def chatml(messages: list[Message]) -> str:
    """Whole turns with their marks."""
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def decoded(messages: list[Message]) -> str:
    """What a policy and its tools wrote, as a decoder prints it after the generation prompt."""
    parts = []
    for m in messages:
        calls = "".join(f"\n<tool_call>\n{json.dumps(c)}\n</tool_call>" for c in m.get("tool_calls", []))
        parts.append((m["role"], m["content"] + calls))
    first = parts[0][1]
    rest = "".join(f"<|im_end|>\n<|im_start|>{role}\n{text}" for role, text in parts[1:])
    return first + rest


def verl(episodes: list[Episode], **columns: str) -> list[Row]:
    """One row an attempt, as verl dumps rollouts; further columns by name."""
    return [
        {
            "input": chatml(opening(e)) + "<|im_start|>assistant\n",
            "output": decoded(e.reply.messages),
            "gts": e.task.gold,
            "score": e.reward,
            "step": e.step,
            **({} if e.correct is None else {"acc": e.correct}),
            **e.terms,
            "response_length": e.tokens,
            "finish_reason": "length" if e.reply.stop == "max_tokens" else "stop",
            **({} if e.advantage is None else {"advantage": e.advantage}),
            "uid": e.group,
            **columns,
            **e.reply.extra,
            **e.extra,
        }
        for e in episodes
    ]


def trl(episodes: list[Episode]) -> list[Row]:
    """As TRL logs completions, with one column for each reward function."""
    return [
        {
            "step": e.step,
            "prompt": opening(e),
            "completion": e.reply.messages,
            **{f"{name}_reward": value for name, value in e.terms.items()},
            "advantage": e.advantage,
            "solution": e.task.gold,
            "completion_length": e.tokens,
            **e.reply.extra,
            **e.extra,
        }
        for e in episodes
    ]


def openai(episodes: list[Episode], run: str) -> list[Row]:
    """Messages in OpenAI's form with what a run notes beside."""
    rows = []
    for e in episodes:
        messages: list[Message] = opening(e)
        for n, m in enumerate(e.reply.messages):
            clean = {"role": m["role"], "content": m["content"]}
            if "tool_calls" in m:
                c = m["tool_calls"][0]
                function = {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)}
                clean["tool_calls"] = [{"id": f"call_{n}", "type": "function", "function": function}]
            if m["role"] == "tool":
                clean["tool_call_id"] = f"call_{n - 1}"
            messages.append(clean)
        note = {
            "run": run,
            "finish_reason": e.reply.stop,
            "completion_tokens": e.tokens,
            "latency_s": e.seconds,
            **e.reply.extra,
            **e.extra,
        }
        graded = {} if e.correct is None else {"correct": e.correct}
        base = {"messages": messages, "problem_id": e.task.pid, "step": e.step, "split": e.split, "reward": e.reward}
        rows.append({**base, **graded, "advantage": e.advantage, "in_loss": e.in_loss, "error": e.error, **note})
    return rows


def prime(episodes: list[Episode], env: str) -> list[Row]:
    """Saved rollouts of prime-rl."""
    return [
        {
            "example_id": e.task.pid,
            "env_name": env,
            "step": e.step,
            "prompt": opening(e),
            "completion": e.reply.messages,
            "answer": e.task.gold,
            "reward": e.reward,
            "metrics": e.terms,
            "advantage": e.advantage,
            "is_truncated": e.reply.stop in ("max_tokens", "max_turns"),
            "stop_condition": e.reply.stop,
            "num_tokens": e.tokens,
            "info": {**e.reply.extra, **e.extra},
        }
        for e in episodes
    ]
