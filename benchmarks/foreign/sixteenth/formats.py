"""Rows as trainers write them."""

import json
from datetime import UTC, datetime, timedelta
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Task, Try

CHATML = {"system": "<|im_start|>system\n", "user": "<|im_start|>user\n", "assistant": "<|im_start|>assistant\n"}


def opening(task: Task) -> list[Row]:
    """The messages of the prompt."""
    system = [{"role": "system", "content": task.system}] if task.system else []
    return [*system, {"role": "user", "content": task.prompt}]


def tokens(text: str) -> int:
    """About the number of tokens of a text."""
    wide = sum(ord(sign) > 0x2E80 for sign in text)
    return max(1, round((len(text) - wide) / 3.7 + wide * 0.8))


def own(rng: Random, tries: list[Try], name: str) -> list[Row]:
    """A trainer's own table, with most columns of the evidence."""
    clock = datetime(2025, rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), tzinfo=UTC)
    rows, step = [], None
    for number, one in enumerate(tries):
        if one.step != step:
            clock, step = clock + timedelta(seconds=rng.randint(240, 700)), one.step
        size = tokens(one.text) + sum(tokens(json.dumps(c)) for turn in one.turns for c in turn.get("tool_calls", ()))
        seconds = one.seconds or round(size / rng.uniform(35, 70) + 1.5 * len(one.turns) * rng.uniform(0.4, 1.3), 2)
        rows.append(
            {
                "trajectory_id": f"{name}-{number:05d}",
                "split": one.split,
                "step": one.step,
                "problem_id": one.task.key,
                "group_id": one.group,
                "attempt": one.attempt,
                "messages": opening(one.task) + one.turns,
                "reward": one.reward,
                "reward_terms": one.terms,
                "correct": one.correct,
                "advantage": one.advantage,
                "in_loss": one.in_loss,
                "stop_reason": one.stop,
                "error": one.error,
                "num_turns": sum(turn["role"] == "assistant" for turn in one.turns),
                "num_tokens": size,
                "is_truncated": one.stop in ("max_tokens", "max_turns", "length"),
                "duration_seconds": seconds,
                "started_at": (clock + timedelta(seconds=rng.randint(0, 90))).isoformat(),
                "extra": {"family": one.task.family} | one.task.extra | one.extra,
            }
        )
    return rows


def flat(turns: list[Row]) -> str:
    """Messages after the prompt as one text with the marks of a chat."""
    parts = []
    for place, turn in enumerate(turns):
        if turn["role"] == "tool":
            parts.append(f"<|im_start|>user\n<tool_response>\n{turn['content']}\n</tool_response><|im_end|>\n")
            continue
        calls = "".join(f"\n<tool_call>\n{json.dumps(c)}\n</tool_call>" for c in turn.get("tool_calls", ()))
        lead = CHATML[turn["role"]] if place else ""
        end = "<|im_end|>\n" if place < len(turns) - 1 else ""
        parts.append(f"{lead}{turn['content']}{calls}{end}")
    return "".join(parts)


def verl(tries: list[Try]) -> list[Row]:
    """Dumps of verl, with what its reward function returned beside the score."""
    rows = []
    for one in tries:
        text = "".join(CHATML[m["role"]] + m["content"] + "<|im_end|>\n" for m in opening(one.task))
        row = {"input": text + CHATML["assistant"], "output": flat(one.turns), "gts": one.task.gold}
        row |= {"score": one.reward, "step": one.step, "uid": one.group, "advantage": one.advantage}
        if one.correct is not None:
            row["acc"] = one.correct
        rows.append(row | one.extra)
    return rows


def trl(tries: list[Try]) -> list[Row]:
    """Completions that TRL logs: a column for each reward function."""
    rows = []
    for one in tries:
        row = {"step": one.step, "prompt": opening(one.task), "completion": one.turns}
        row |= {f"{name}_reward": value for name, value in one.terms.items()}
        rows.append(row | {"advantage": one.advantage} | one.extra)
    return rows


def openrlhf(tries: list[Try]) -> list[Row]:
    """Input, output, reward, with the trainer's label and step beside."""
    return [
        {
            "input": (f"{one.task.system}\n\n" if one.task.system else "") + f"User: {one.task.prompt}\nAssistant: ",
            "output": flat(one.turns),
            "reward": one.reward,
            "step": one.step,
            "problem_id": one.task.key,
            "label": one.task.gold,
            "advantage": one.advantage,
        }
        | ({} if one.correct is None else {"correct": one.correct})
        | one.extra
        for one in tries
    ]


def openai_messages(turns: list[Row], mark: str) -> list[Row]:
    """Messages with calls as functions that have identities."""
    messages, waiting, count = [], [], 0
    for turn in turns:
        if turn["role"] == "tool":
            rest = {name: value for name, value in turn.items() if name not in ("tool_name", "ok")}
            messages.append(rest | {"tool_call_id": waiting.pop(0) if waiting else f"call_{mark}_x"})
            continue
        calls = []
        for one in turn.get("tool_calls", ()):
            count += 1
            waiting.append(f"call_{mark}_{count}")
            body = {"name": one["name"], "arguments": json.dumps(one["arguments"], ensure_ascii=False)}
            calls.append({"id": waiting[-1], "type": "function", "function": body})
        messages.append(turn | ({"tool_calls": calls} if calls else {}))
    return messages


def openai(tries: list[Try]) -> list[Row]:
    """Messages of a chat with the reward beside."""
    rows = []
    for number, one in enumerate(tries):
        mark = f"{one.step}{number:04d}"
        row = {"problem_id": one.task.key, "step": one.step, "split": one.split, "attempt": one.attempt}
        row |= {"messages": openai_messages(opening(one.task) + one.turns, mark), "reward": one.reward}
        row |= {"advantage": one.advantage, "finish_reason": one.stop}
        if one.correct is not None:
            row["correct"] = one.correct
        rows.append(row | one.task.extra | one.extra)
    return rows


def prime(tries: list[Try], name: str) -> list[Row]:
    """Rollouts of prime-rl in the older form of verifiers."""
    rows = []
    for number, one in enumerate(tries):
        mark = f"{one.step}{number:04d}"
        row = {"example_id": one.task.key, "env_name": name, "step": one.step, "prompt": opening(one.task)}
        row |= {"completion": openai_messages(one.turns, mark), "answer": one.task.gold, "reward": one.reward}
        row |= {"advantage": one.advantage, "correct_answer": one.correct, "is_truncated": one.stop == "max_turns"}
        row |= {"stop_condition": one.stop, "info": one.task.extra}
        rows.append(row | one.extra)
    return rows
