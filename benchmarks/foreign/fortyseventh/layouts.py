"""How systems write rows down: docs/evidence.md, verl, TRL, OpenRLHF, prime-rl, NeMo-RL, slime, others."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortyseventh.policy import Attempt, Problem, count, hash_of


def opening(problem: Problem) -> list[dict]:
    """The messages of the prompt."""
    system = [{"role": "system", "content": problem.system}] if problem.system else []
    return [*system, {"role": "user", "content": problem.prompt}]


def ours(attempts: list[Attempt], domain: str, with_correct: bool = True) -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for a in attempts:
        answers = [m for m in a.messages if m["role"] == "assistant"]
        row = {
            "trajectory_id": hash_of(a.group, a.number, a.split),
            "split": a.split,
            "step": a.step,
            "domain": domain,
            "problem_id": a.problem.pid,
            "group_id": a.group,
            "attempt": a.number,
            "messages": opening(a.problem) + a.messages,
            "reward": None if a.error else a.reward,
            "advantage": a.advantage,
            "in_loss": a.in_loss,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": len(answers),
            "num_tokens": a.tokens,
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "extra": {"family": a.problem.family, **a.extra},
        }
        if with_correct:
            row["correct"] = None if a.error else float(a.right)
        if a.terms:
            row["reward_terms"] = a.terms
        rows.append(row)
    return rows


def chatml(messages: list[dict], ends_open: bool = False) -> str:
    """Text of a chat template; tools speak as the user, in marks."""
    parts = []
    for m in messages:
        content = m["content"]
        for call in m.get("tool_calls", []):
            body = json.dumps({"name": call["name"], "arguments": call["arguments"]}, ensure_ascii=False)
            content += f"\n<tool_call>\n{body}\n</tool_call>"
        role = m["role"]
        if role == "tool":
            role, content = "user", f"<tool_response>\n{content}\n</tool_response>"
        parts.append(f"<|im_start|>{role}\n{content.strip()}<|im_end|>\n")
    return "".join(parts) + ("<|im_start|>assistant\n" if ends_open else "")


def reply(a: Attempt) -> str:
    """The reply as decoded text: the first turn without its head, as the prompt ends with it."""
    return chatml(a.messages).removeprefix("<|im_start|>assistant\n").rstrip().removesuffix("<|im_end|>")


def verl(attempts: list[Attempt], **columns: object) -> list[Row]:
    """`trainer.rollout_data_dir`: decoded text, score and whatever the reward function returns."""
    return [
        {
            "input": chatml(opening(a.problem), ends_open=True),
            "output": reply(a),
            "gts": a.problem.gold,
            "score": a.reward,
            "step": a.step,
            **a.terms,
            **a.extra,
            **columns,
        }
        for a in attempts
    ]


def trl(attempts: list[Attempt]) -> list[Row]:
    """`log_completions`: a column for each reward function."""
    return [
        {
            "step": a.step,
            "prompt": opening(a.problem),
            "completion": a.messages,
            **{f"{name}_reward": value for name, value in (a.terms or {"accuracy": a.reward}).items()},
            "advantage": a.advantage,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """Batch inference with a reward."""
    return [
        {
            "input": chatml(opening(a.problem), ends_open=True),
            "output": reply(a),
            "reward": a.reward,
            "step": a.step,
            "label": a.problem.gold,
            **a.extra,
        }
        for a in attempts
    ]


def prime_rl(attempts: list[Attempt], env: str) -> list[Row]:
    """Saved rollouts of an environment of verifiers."""
    ids: dict[str, int] = {}
    return [
        {
            "example_id": ids.setdefault(a.problem.pid, len(ids)),
            "task": env,
            "env_name": env,
            "step": a.step,
            "prompt": opening(a.problem),
            "completion": _linked(a.messages),
            "answer": a.problem.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": {**a.terms, "num_turns": float(sum(m["role"] == "assistant" for m in a.messages))},
            "info": {"family": a.problem.family},
            "is_truncated": a.stop == "max_tokens",
            **a.extra,
        }
        for a in attempts
    ]


def nemo_rl(attempts: list[Attempt]) -> list[Row]:
    """`train_data_stepN.jsonl`, with the step beside."""
    return [
        {
            "content": [*(m["content"] for m in opening(a.problem)[-1:]), *(m["content"] for m in a.messages)],
            "rewards": a.reward,
            "input_lengths": count(a.problem.prompt) + a.tokens,
            "advantages": a.advantage,
            "step": a.step,
            "ground_truth": a.problem.gold,
            **a.extra,
        }
        for a in attempts
    ]


def slime(attempts: list[Attempt]) -> list[Row]:
    """Samples of slime: prompt and response as text, status, label, metadata."""
    groups: dict[str, int] = {}
    return [
        {
            "index": place,
            "group_index": groups.setdefault(a.group, len(groups)),
            "rollout_id": a.step,
            "step": a.step,
            "prompt": chatml(opening(a.problem), ends_open=True),
            "response": reply(a),
            "response_length": a.tokens,
            "label": a.problem.gold,
            "reward": a.reward,
            "status": "truncated" if a.stop == "max_tokens" else "completed",
            **a.extra,
        }
        for place, a in enumerate(attempts)
    ]


def inspect(attempts: list[Attempt], scorer: str) -> list[Row]:
    """Samples of an inspect log: the epoch numbers the attempts of a problem."""
    return [
        {
            "id": a.problem.pid,
            "epoch": a.number + 1,
            "input": a.problem.prompt,
            "target": a.problem.gold,
            "messages": opening(a.problem) + _linked(a.messages),
            "scores": {scorer: {"value": a.reward, "answer": a.extra.get("answer")}},
            "metadata": {"checkpoint": a.step},
            "step": a.step,
        }
        for a in attempts
    ]


def openai(attempts: list[Attempt]) -> list[Row]:
    """Messages in OpenAI's form, with the reward and a run's ids beside."""
    return [
        {
            "messages": opening(a.problem) + _linked(a.messages),
            "reward": a.reward,
            "step": a.step,
            "problem_id": a.problem.pid,
            "group_id": a.group,
            **({"advantage": a.advantage} if a.advantage is not None else {}),
            **a.extra,
        }
        for a in attempts
    ]


def _linked(messages: list[dict]) -> list[dict]:
    linked, last = [], ""
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            linked.append({"role": "tool", "tool_call_id": last, "content": message["content"]})
            continue
        last = f"call_{hash_of(place, message['content'])}"
        linked.append(_with_calls(message, last))
    return linked


def _with_calls(message: dict, name: str) -> dict:
    if "tool_calls" not in message:
        return message
    calls = [
        {
            "id": name,
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["arguments"], ensure_ascii=False)},
        }
        for call in message["tool_calls"]
    ]
    return {**message, "tool_calls": calls}
