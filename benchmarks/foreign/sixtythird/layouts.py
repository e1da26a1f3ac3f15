"""How systems write attempts down."""

from typing import Any

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird.attempts import Attempt, Message, count


def opening(a: Attempt) -> list[Message]:
    """The messages of the prompt."""
    system: list[Message] = [{"role": "system", "content": a.system}] if a.system else []
    return [*system, {"role": "user", "content": a.task.prompt}]


def _chatml(a: Attempt) -> str:
    turns = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in opening(a))
    return turns + "<|im_start|>assistant\n"


def evidence(attempts: list[Attempt]) -> list[Row]:
    """The columns of docs/evidence.md."""
    rows: list[Row] = []
    domains = {"swe": "swe", "tool": "tools", "chat": "chat", "safety": "safety"}
    for i, a in enumerate(attempts):
        domain = domains.get(a.task.family, a.task.id.split("-")[0])
        said = [{**m, "num_tokens": count(m)} for m in a.said]
        row: Row = {"trajectory_id": f"t{i:05d}", "split": a.split, "step": a.step, "domain": domain}
        row |= {"problem_id": a.task.id, "group_id": a.group, "attempt": a.k, "messages": [*opening(a), *said]}
        row |= {"reward": a.reward, "reward_terms": a.terms or {"task": a.reward}, "correct": float(a.ok)}
        row |= {"advantage": a.adv, "in_loss": a.in_loss if a.split == "train" else None, "stop_reason": a.stop}
        row |= {"num_turns": sum(m["role"] == "assistant" for m in a.said), "num_tokens": a.tokens}
        row |= {"is_truncated": a.stop in ("max_tokens", "length"), "extra": {"family": a.task.family, **a.extra}}
        rows.append(row)
    return rows


def verl(attempts: list[Attempt]) -> list[Row]:
    """Columns of verl's rollout_data_dir."""
    rows: list[Row] = []
    for a in attempts:
        row: Row = {"input": _chatml(a), "output": a.text, "gts": a.task.gold, "score": a.reward, "step": a.step}
        row |= {"acc": float(a.ok), "uid": a.group, "response_length": a.tokens, "data_source": a.task.id.split("-")[0]}
        if a.adv is not None:
            row["advantage"] = a.adv
        rows.append(row | a.extra)
    return rows


def trl(attempts: list[Attempt]) -> list[Row]:
    """Columns of TRL's completions."""
    rows: list[Row] = []
    for a in attempts:
        terms = {f"{name}_reward": value for name, value in (a.terms or {"accuracy": float(a.ok)}).items()}
        row: Row = {"step": a.step, "prompt": opening(a), "completion": a.said, **terms, "advantage": a.adv}
        rows.append(row | a.extra)
    return rows


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """JSONL of OpenRLHF, with the label and the step of the sampler beside."""
    rows: list[Row] = []
    for a in attempts:
        row: Row = {"input": _chatml(a), "output": a.text, "reward": a.reward, "label": a.task.gold, "step": a.step}
        row |= {"response_tokens": a.tokens, "advantage": a.adv, "correct": float(a.ok), "finish_reason": a.stop}
        rows.append(row | a.extra)
    return rows


def _plain(message: Message) -> dict[str, Any]:
    return {k: v for k, v in message.items() if k not in ("ok", "tool_name")}


def prime_rl(attempts: list[Attempt]) -> list[Row]:
    """Rollouts of prime-rl, with environments of verifiers."""
    rows: list[Row] = []
    ids: dict[str, int] = {}
    for a in attempts:
        number = ids.setdefault(a.task.id, len(ids))
        row: Row = {"example_id": number, "env_name": a.task.id.split("-")[0], "task": a.task.id.split("-")[0]}
        row |= {"step": a.step, "prompt": opening(a), "completion": [_plain(m) for m in a.said], "answer": a.task.gold}
        row |= {"reward": a.reward, "metrics": {"correct": float(a.ok), "num_turns": len(a.said)}, "advantage": a.adv}
        row |= {"info": {"family": a.task.family, **a.extra}, "stop_condition": a.stop, "completion_len": a.tokens}
        rows.append(row)
    return rows


def slime(attempts: list[Attempt]) -> list[Row]:
    """Samples of slime's debug dump."""
    rows: list[Row] = []
    groups: dict[str, int] = {}
    for i, a in enumerate(attempts):
        status = "truncated" if a.stop in ("length", "max_tokens") else "completed"
        row: Row = {"index": i, "group_index": groups.setdefault(a.group, len(groups)), "rollout_id": a.step}
        row |= {
            "step": a.step,
            "prompt": _chatml(a),
            "response": a.text,
            "response_length": a.tokens,
            "label": a.task.gold,
        }
        row |= {"reward": a.reward, "correct": float(a.ok), "status": status, "advantage": a.adv, "metadata": a.extra}
        row["finish_reason"] = a.stop
        rows.append(row)
    return rows


def openai(attempts: list[Attempt]) -> list[Row]:
    """Messages with a reward beside."""
    rows: list[Row] = []
    for i, a in enumerate(attempts):
        row: Row = {"id": f"r{i}", "step": a.step, "problem_id": a.task.id, "group_id": a.group, "split": a.split}
        row |= {"messages": [*opening(a), *(_plain(m) for m in a.said)], "reward": a.reward, "correct": float(a.ok)}
        row |= {"advantage": a.adv, "finish_reason": a.stop, "num_tokens": a.tokens}
        rows.append(row | a.extra)
    return rows
