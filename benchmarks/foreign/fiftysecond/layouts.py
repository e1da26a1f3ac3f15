"""How systems write rows down."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.fiftysecond.learning import Attempt, count


def _prompt(attempt: Attempt) -> list[dict]:
    system = [{"role": "system", "content": attempt.task.system}] if attempt.task.system else []
    return [*system, {"role": "user", "content": attempt.task.prompt}]


def ours(attempts: list[Attempt], domain: str) -> list[Row]:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"{each.group}-{each.number}",
            "split": each.split,
            "step": each.step,
            "domain": domain,
            "problem_id": each.task.id,
            "group_id": each.group,
            "attempt": each.number,
            "messages": _prompt(each) + each.turns,
            "reward": None if each.error else each.reward,
            "reward_terms": each.terms or {"score": each.reward},
            "correct": None if each.error else each.correct,
            "advantage": each.advantage,
            "in_loss": each.in_loss,
            "stop_reason": each.stop,
            "error": each.error,
            "num_turns": sum(turn["role"] == "assistant" for turn in each.turns),
            "num_tokens": each.tokens,
            "is_truncated": each.stop in ("max_tokens", "max_turns"),
            "extra": {"family": each.task.family, **each.extra},
        }
        for each in attempts
    ]


def _spoken(turn: dict) -> str:
    calls = "".join(
        "\n<tool_call>\n" + json.dumps({"name": one["name"], "arguments": one["arguments"]}) + "\n</tool_call>"
        for one in turn.get("tool_calls", [])
    )
    return turn["content"] + calls


def verl(attempts: list[Attempt]) -> list[Row]:
    """Files of verl's rollout_data_dir: texts without special tokens."""
    rows = []
    for each in attempts:
        shown = "".join(f"{turn['role']}\n{turn['content']}\n" for turn in _prompt(each)) + "assistant\n"
        parts = []
        for turn in each.turns:
            if turn["role"] == "assistant":
                parts.append(_spoken(turn))
            else:
                parts.append(f"\nuser\n<tool_response>\n{turn['content']}\n</tool_response>\nassistant\n")
        said = "".join(parts).removesuffix("assistant\n")
        row = {"input": shown, "output": said, "gts": each.task.gold, "score": each.reward}
        row |= {"step": each.step, "uid": each.group, "data_source": each.task.family}
        if each.correct is not None:
            row["acc"] = each.correct
        if each.advantage is not None:
            row["advantage"] = each.advantage
        rows.append(row | each.extra)
    return rows


def trl(attempts: list[Attempt]) -> list[Row]:
    """TRL's log_completions: a column for each reward function."""
    rows = []
    for each in attempts:
        terms = each.terms or {"accuracy_reward": each.reward}
        row = {"step": each.step, "prompt": _prompt(each), "completion": each.turns, **terms}
        rows.append(row | {"advantage": each.advantage} | each.extra)
    return rows


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """OpenRLHF: input, output and reward, in ChatML."""
    rows = []
    for each in attempts:
        shown = "".join(f"<|im_start|>{turn['role']}\n{turn['content']}<|im_end|>\n" for turn in _prompt(each))
        row = {"input": shown + "<|im_start|>assistant\n", "output": each.text, "reward": each.reward}
        row |= {"step": each.step, "response_length": each.tokens}
        if each.task.gold:
            row["label"] = each.task.gold
        if each.advantage is not None:
            row["advantage"] = each.advantage
        rows.append(row | each.extra)
    return rows


def _openai(turns: list[dict]) -> list[dict]:
    out, last = [], ""
    for place, turn in enumerate(turns):
        new = {"role": turn["role"], "content": turn["content"]}
        if turn.get("tool_calls"):
            last = f"call_{place}"
            new["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": one["name"], "arguments": json.dumps(one["arguments"])},
                }
                for one in turn["tool_calls"]
            ]
        if turn["role"] == "tool":
            new |= {"tool_call_id": last, "name": turn["tool_name"]}
        out.append(new | {key: turn[key] for key in ("loss_mask",) if key in turn})
    return out


def prime_rl(attempts: list[Attempt], environment: str) -> list[Row]:
    """Rollouts that prime-rl saves, of an environment of verifiers."""
    return [
        {
            "example_id": each.task.id,
            "task": each.task.family,
            "env_name": environment,
            "step": each.step,
            "prompt": _prompt(each),
            "completion": _openai(each.turns),
            "answer": each.task.gold,
            "reward": each.reward,
            "advantage": each.advantage,
            "metrics": each.terms or {"reward": each.reward},
            "info": each.task.data.get("info", {}),
            "is_truncated": each.stop in ("max_tokens", "max_turns"),
            "completion_tokens": each.tokens,
            **each.extra,
        }
        for each in attempts
    ]


def nemo_rl(attempts: list[Attempt]) -> list[Row]:
    """NeMo-RL's train_data: texts in turn, without roles; the step that the file's name holds stands beside."""
    return [
        {
            "content": [each.task.prompt, each.text],
            "rewards": each.reward,
            "input_lengths": count(each.task.prompt) + each.tokens,
            "idx": place,
            "step": each.step,
            "advantage": each.advantage,
            **each.extra,
        }
        for place, each in enumerate(attempts)
    ]


def slime(attempts: list[Attempt]) -> list[Row]:
    """Samples of slime."""
    groups = {name: place for place, name in enumerate(dict.fromkeys(each.group for each in attempts))}
    return [
        {
            "index": place,
            "group_index": groups[each.group],
            "step": each.step,
            "prompt": each.task.prompt,
            "response": each.text,
            "response_length": each.tokens,
            "label": each.task.gold,
            "reward": each.reward,
            "status": "truncated" if each.stop == "max_tokens" else "completed",
            **({} if each.advantage is None else {"advantage": each.advantage}),
            **each.extra,
        }
        for place, each in enumerate(attempts)
    ]


def openai(attempts: list[Attempt]) -> list[Row]:
    """JSONL of messages as OpenAI has them, the reward beside."""
    return [
        {
            "id": f"{each.group}/{each.number}",
            "problem_id": each.task.id,
            "step": each.step,
            "split": each.split,
            "messages": _prompt(each) + _openai(each.turns),
            "reward": each.reward,
            **({} if each.correct is None else {"correct": each.correct}),
            **({} if each.advantage is None else {"advantage": each.advantage}),
            "finish_reason": "length" if each.stop == "max_tokens" else each.stop,
            **each.extra,
        }
        for each in attempts
    ]
