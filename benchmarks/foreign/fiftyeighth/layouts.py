"""How systems write attempts down: the columns that each logs."""

import json
from typing import Any

from benchmarks.foreign.case import Row
from benchmarks.foreign.fiftyeighth.attempts import Attempt, count_tokens


def prompt_of(attempt: Attempt) -> list[dict[str, Any]]:
    """The prompt as messages."""
    head = [{"role": "system", "content": attempt.problem.system}] if attempt.problem.system else []
    return [*head, {"role": "user", "content": attempt.problem.prompt}]


def flat(attempt: Attempt) -> str:
    """The completion as one text; between turns the ChatML marks stay."""
    if len(attempt.messages) == 1:
        return str(attempt.messages[0]["content"])
    parts: list[str] = []
    for message in attempt.messages:
        calls = "".join(f"\n<tool_call>\n{json.dumps(c)}\n</tool_call>" for c in message.get("tool_calls", []))
        if message["role"] == "assistant":
            parts.append(f"{message['content']}{calls}<|im_end|>\n")
        else:
            parts.append(
                f"<|im_start|>user\n<tool_response>\n{message['content']}\n</tool_response><|im_end|>\n"
                "<|im_start|>assistant\n"
            )
    return "".join(parts)


def _openai(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    count = 0
    for message in messages:
        row = {k: v for k, v in message.items() if k not in ("tool_calls", "ok", "tool_name")}
        if "tool_calls" in message:
            row["tool_calls"] = []
            for call in message["tool_calls"]:
                count += 1
                function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
                row["tool_calls"].append({"id": f"call_{count}", "type": "function", "function": function})
        if message["role"] == "tool":
            row["tool_call_id"], row["name"] = f"call_{count}", message.get("tool_name", "")
        out.append(row)
    return out


def ours(attempts: list[Attempt]) -> list[Row]:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"t{i:05d}",
            "split": a.split,
            "step": a.step,
            "domain": a.problem.data.get("domain", "other"),
            "problem_id": a.problem.id,
            "group_id": a.group,
            "attempt": a.number,
            "messages": [*prompt_of(a), *a.messages],
            "reward": a.reward,
            "reward_terms": a.terms,
            "correct": a.correct,
            "advantage": a.advantage,
            "in_loss": a.in_loss,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": sum(m["role"] == "assistant" for m in a.messages),
            "num_tokens": a.tokens,
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "extra": {"family": a.problem.family, **a.extra},
        }
        for i, a in enumerate(attempts)
    ]


def verl(attempts: list[Attempt]) -> list[Row]:
    """The rollout dump of verl: one line an attempt, measures of the reward function beside."""
    return [
        {
            "input": "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in prompt_of(a))
            + "<|im_start|>assistant\n",
            "output": flat(a),
            "gts": a.problem.gold,
            "score": a.reward,
            "step": a.step,
            **({} if a.correct is None else {"acc": a.correct}),
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: list[Attempt]) -> list[Row]:
    """TRL's logged completions; `terms` are the reward functions' columns."""
    return [
        {
            "step": a.step,
            "prompt": a.problem.prompt,
            "completion": flat(a),
            **a.terms,
            "advantage": a.advantage,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """OpenRLHF's lines of samples with their reward."""
    return [
        {
            "input": a.problem.prompt,
            "output": flat(a),
            "reward": a.reward,
            "label": a.problem.gold,
            "step": a.step,
            "advantage": a.advantage,
            "response_length": a.tokens,
            **a.extra,
        }
        for a in attempts
    ]


def prime_rl(attempts: list[Attempt], env: str) -> list[Row]:
    """Rollouts that prime-rl saves, in the columns of verifiers."""
    return [
        {
            "example_id": a.problem.id,
            "env_name": env,
            "task": a.problem.family,
            "step": a.step,
            "prompt": prompt_of(a),
            "completion": _openai(a.messages),
            "answer": a.problem.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": a.terms,
            "info": {"difficulty": round(a.problem.level, 2)},
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            **a.extra,
        }
        for a in attempts
    ]


def nemo_rl(attempts: list[Attempt]) -> list[Row]:
    """NeMo-RL's training data lines, with the step that its file's name holds."""
    return [
        {
            "idx": i,
            "step": a.step,
            "content": [a.problem.prompt, flat(a)],
            "rewards": a.reward,
            "advantages": a.advantage,
            "input_lengths": count_tokens(len(a.problem.prompt)) + a.tokens,
            **a.extra,
        }
        for i, a in enumerate(attempts)
    ]


def slime(attempts: list[Attempt]) -> list[Row]:
    """Samples as slime's debug dump of rollouts holds them."""
    groups = {g: i for i, g in enumerate(dict.fromkeys(a.group for a in attempts))}
    return [
        {
            "group_index": groups[a.group],
            "index": i,
            "rollout_id": a.step,
            "step": a.step,
            "prompt": a.problem.prompt,
            "response": flat(a),
            "label": a.problem.gold,
            "reward": a.reward,
            "response_length": a.tokens,
            "status": "truncated" if a.stop == "max_tokens" else "completed",
            **a.extra,
        }
        for i, a in enumerate(attempts)
    ]


def messages(attempts: list[Attempt]) -> list[Row]:
    """JSONL of OpenAI messages with the reward beside."""
    return [
        {
            "messages": [*prompt_of(a), *_openai(a.messages)],
            "reward": a.reward,
            "task_id": a.problem.id,
            "problem_id": a.problem.id,
            "step": a.step,
            "sample": a.number,
            "finish_reason": "length" if a.stop == "max_tokens" else a.stop,
            **({} if a.correct is None else {"correct": a.correct}),
            **({} if a.advantage is None else {"advantage": a.advantage}),
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def inspect(attempts: list[Attempt]) -> list[Row]:
    """Samples of an inspect log."""
    return [
        {
            "id": a.problem.id,
            "epoch": a.number + 1,
            "input": a.problem.prompt,
            "target": a.problem.gold,
            "messages": [*prompt_of(a), *_openai(a.messages)],
            "output": {"choices": [{"message": _openai(a.messages)[-1], "stop_reason": a.stop}]},
            "scores": {"match": {"value": "C" if a.correct else "I", "answer": a.extra.get("answer", "")}},
            "metadata": {"family": a.problem.family, "checkpoint_step": a.step},
        }
        for a in attempts
    ]
