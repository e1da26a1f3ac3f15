"""How systems write attempts down."""

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfifth.course import Message, Task, Try, count


def head(task: Task) -> list[Message]:
    """The messages of the prompt."""
    system = [{"role": "system", "content": task.system}] if task.system else []
    return [*system, {"role": "user", "content": task.prompt}]


def _openai(messages: Sequence[Message]) -> list[Message]:
    """Calls in OpenAI's form, with ids."""
    out, last, number = [], "", 0
    for message in messages:
        one = {key: value for key, value in message.items() if key not in ("tool_calls", "tool_name", "ok")}
        if message.get("tool_calls"):
            calls = []
            for made in message["tool_calls"]:
                number, last = number + 1, f"call_{number + 1}"
                function = {"name": made["name"], "arguments": json.dumps(made["arguments"])}
                calls.append({"id": last, "type": "function", "function": function})
            one["tool_calls"] = calls
        if message["role"] == "tool":
            one["tool_call_id"] = last
        out.append(one)
    return out


def _chatml(messages: Sequence[Message]) -> str:
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def _flat(one: Try) -> str:
    """All that followed the prompt, as decoded text."""
    turns = one.messages()
    if len(turns) == 1:
        return turns[0]["content"]
    return turns[0]["content"] + "<|im_end|>\n" + _chatml(turns[1:])


def columns(tries: Sequence[Try], domain: str, measured: bool = True) -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for number, one in enumerate(tries):
        row: Row = {
            "trajectory_id": f"t{number:05d}",
            "split": one.split,
            "step": one.step,
            "domain": domain,
            "problem_id": one.task.pid,
            "group_id": one.group,
            "attempt": one.attempt,
            "seed": one.seed,
            "messages": head(one.task) + one.messages(),
            "reward": one.reward,
            "reward_terms": one.terms,
            "advantage": one.advantage,
            "in_loss": one.in_loss,
            "stop_reason": one.stop,
            "error": one.error,
            "num_turns": sum(m["role"] == "assistant" for m in one.messages()),
            "num_tokens": one.tokens(),
            "is_truncated": one.stop in ("max_tokens", "max_turns"),
            "extra": {"family": one.task.family, **({"answer": one.answer} if one.answer else {}), **one.more},
        }
        if measured:
            row["correct"] = None if one.error else float(one.is_right)
        if one.policy:
            row["policy_id"] = one.policy
        rows.append(row)
    return rows


def verl(tries: Sequence[Try], measured: bool = True) -> list[Row]:
    """What verl's `rollout_data_dir` holds."""
    rows = []
    for one in tries:
        row: Row = {
            "input": _chatml(head(one.task)) + "<|im_start|>assistant\n",
            "output": _flat(one),
            "gts": one.task.gold,
            "score": one.reward,
            "step": one.step,
            "uid": one.group,
            "response_length": one.tokens(),
        }
        if measured:
            row["acc"] = float(one.is_right)
        if one.advantage is not None:
            row["advantage"] = one.advantage
        rows.append(row | one.terms | one.more)
    return rows


def trl(tries: Sequence[Try], gold: str = "solution") -> list[Row]:
    """TRL's completions, with a column a reward function."""
    rows = []
    for one in tries:
        terms = one.terms or {"accuracy_reward": one.reward}
        row: Row = {"step": one.step, "prompt": head(one.task), "completion": _openai(one.messages()), **terms}
        row["advantage"] = one.advantage
        if one.task.gold:
            row[gold] = one.task.gold
        rows.append(row | one.more)
    return rows


def openrlhf(tries: Sequence[Try], label: str = "label") -> list[Row]:
    """OpenRLHF's JSONL."""
    rows = []
    for one in tries:
        row: Row = {"input": "\n".join(m["content"] for m in head(one.task)), "output": _flat(one)}
        row |= {"reward": one.reward, "step": one.step, "prompt_id": one.task.pid, "total_length": one.tokens()}
        if one.task.gold:
            row[label] = one.task.gold
        if one.advantage is not None:
            row["advantage"] = one.advantage
        rows.append(row | one.terms | one.more)
    return rows


def verifiers(tries: Sequence[Try], env: str, **metrics: Any) -> list[Row]:
    """Rollouts of verifiers as prime-rl saves them. Metrics are functions of an attempt, by name."""
    ids: dict[str, int] = {}
    rows = []
    for one in tries:
        example = ids.setdefault(one.task.pid, len(ids))
        calls = sum(len(m.get("tool_calls", ())) for m in one.messages())
        measured = {name: float(measure(one)) for name, measure in metrics.items()}
        row: Row = {
            "example_id": example,
            "task": env,
            "step": one.step,
            "prompt": head(one.task),
            "completion": _openai(one.messages()),
            "answer": one.task.gold,
            "reward": one.reward,
            "info": {"source": one.task.family, **one.task.more},
            "stop_condition": one.stop,
            "metrics": measured | ({"total_tool_calls": float(calls)} if calls else {}),
        }
        if one.advantage is not None:
            row["advantage"] = one.advantage
        rows.append(row | one.more)
    return rows


def nemo_rl(tries: Sequence[Try]) -> list[Row]:
    """NeMo-RL's logged batches."""
    rows = []
    for number, one in enumerate(tries):
        contents = [m["content"] for m in head(one.task) + one.messages() if m["role"] != "system"]
        row: Row = {"idx": number, "step": one.step, "content": contents, "rewards": one.reward}
        row |= {"input_lengths": count(one.task.prompt) + one.tokens(), "prompt_key": one.task.pid}
        if one.advantage is not None:
            row["advantages"] = one.advantage
        rows.append(row | one.more)
    return rows


def slime(tries: Sequence[Try]) -> list[Row]:
    """Samples of slime's rollout dumps."""
    groups: dict[str, int] = {}
    rows = []
    for number, one in enumerate(tries):
        status = {"max_tokens": "truncated", "error": "aborted"}.get(one.stop, "completed")
        row: Row = {
            "index": number,
            "group_index": groups.setdefault(one.group, len(groups)),
            "rollout_id": one.step,
            "step": one.step,
            "prompt": _chatml(head(one.task)) + "<|im_start|>assistant\n",
            "response": _flat(one),
            "response_length": one.tokens(),
            "label": one.task.gold,
            "reward": one.reward,
            "status": status,
        }
        if one.advantage is not None:
            row["advantage"] = one.advantage
        rows.append(row | one.more)
    return rows


def inspect_log(tries: Sequence[Try], scorer: str) -> list[Row]:
    """Samples of an inspect log."""
    rows = []
    for one in tries:
        text = one.messages()[-1]["content"]
        score = {"value": one.reward, "answer": one.answer, "explanation": one.more.get("explanation", "")}
        rows.append(
            {
                "id": one.task.pid,
                "epoch": one.attempt + 1,
                "input": one.task.prompt,
                "target": one.task.gold,
                "messages": head(one.task) + _openai(one.messages()),
                "scores": {scorer: score},
                "output": {"model": one.policy or "policy", "completion": text, "stop_reason": one.stop},
                "metadata": {"step": one.step, "family": one.task.family, **one.more},
            }
        )
    return rows


def chats(tries: Sequence[Try]) -> list[Row]:
    """OpenAI messages with a reward beside."""
    rows = []
    for one in tries:
        row: Row = {"id": f"{one.task.pid}/{one.step}/{one.attempt}", "step": one.step, "problem_id": one.task.pid}
        row |= {"messages": _openai(head(one.task) + one.messages()), "reward": one.reward, "finish_reason": one.stop}
        if one.advantage is not None:
            row["advantage"] = one.advantage
        rows.append(row | one.terms | one.more)
    return rows
