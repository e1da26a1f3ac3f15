"""How systems write attempts down: own columns, verl, TRL, OpenRLHF, prime-rl, slime, inspect, OpenAI messages."""

import json

from benchmarks.foreign.fiftyfifth.talk import Attempt, num_tokens

Row = dict


def opening(one: Attempt) -> list[dict]:
    """The messages that the policy was shown first."""
    problem = one.problem
    return [{"role": "system", "content": problem.system}, {"role": "user", "content": problem.prompt}]


def own(attempts: list[Attempt]) -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for one in attempts:
        replies = [m | {"num_tokens": num_tokens(m)} if m["role"] == "assistant" else m for m in one.messages]
        row = {
            "trajectory_id": f"{one.group}-{one.index}",
            "split": one.split,
            "step": one.step,
            "problem_id": one.problem.pid,
            "group_id": one.group,
            "attempt": one.index,
            "messages": opening(one) + replies,
            "reward": one.reward,
            "advantage": one.advantage,
            "stop_reason": one.stop,
            "num_turns": sum(m["role"] == "assistant" for m in one.messages),
            "num_tokens": one.tokens,
            "is_truncated": one.stop in ("max_tokens", "max_turns"),
        }
        if one.terms:
            row["reward_terms"] = one.terms
        rows.append(row | one.extra)
    return rows


def openai_messages(messages: list[dict]) -> list[dict]:
    """Calls with their arguments as JSON text and ids that answers refer to."""
    out, last = [], ""
    for place, message in enumerate(messages):
        new = {key: message[key] for key in ("role", "content")}
        if calls := message.get("tool_calls"):
            last = f"call_{place}"
            new["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
                }
                for c in calls
            ]
        if message["role"] == "tool":
            new["tool_call_id"] = last
        out.append(new | {key: message[key] for key in ("loss_mask",) if key in message})
    return out


def openai(attempts: list[Attempt]) -> list[Row]:
    """Messages with a reward beside."""
    return [
        {
            "messages": openai_messages(opening(one) + one.messages),
            "reward": one.reward,
            "task_id": one.problem.pid,
            "step": one.step,
            "sample": one.index,
            "finish_reason": one.stop,
        }
        | one.extra
        for one in attempts
    ]


def _body(message: dict) -> str:
    calls = [json.dumps({"name": c["name"], "arguments": c["arguments"]}) for c in message.get("tool_calls", ())]
    return "\n".join([message["content"], *(f"<tool_call>\n{text}\n</tool_call>" for text in calls)]).strip()


def chatml(messages: list[dict]) -> str:
    """Turns between the marks of ChatML; what tools say is a user's turn."""
    parts = []
    for message in messages:
        role, text = message["role"], _body(message)
        if role == "tool":
            role, text = "user", f"<tool_response>\n{text}\n</tool_response>"
        parts.append(f"<|im_start|>{role}\n{text}<|im_end|>\n")
    return "".join(parts)


def verl(attempts: list[Attempt]) -> list[Row]:
    """Rows of `trainer.rollout_data_dir`, special tokens kept."""
    return [
        {
            "input": chatml(opening(one)) + "<|im_start|>assistant\n",
            "output": chatml(one.messages).removeprefix("<|im_start|>assistant\n"),
            "gts": one.problem.gold,
            "score": one.reward,
            "step": one.step,
        }
        | one.extra
        for one in attempts
    ]


def slime(attempts: list[Attempt]) -> list[Row]:
    """Samples of slime: one text of prompt, one of response."""
    return [
        {
            "index": number,
            "problem_id": one.problem.pid,
            "rollout_id": one.step,
            "step": one.step,
            "prompt": chatml(opening(one)) + "<|im_start|>assistant\n",
            "response": chatml(one.messages).removeprefix("<|im_start|>assistant\n"),
            "response_length": one.tokens,
            "label": one.problem.gold,
            "reward": one.reward,
            "status": "truncated" if one.stop in ("max_tokens", "max_turns") else "completed",
        }
        | one.extra
        for number, one in enumerate(attempts)
    ]


def trl(attempts: list[Attempt]) -> list[Row]:
    """`log_completions`: a column for each reward function."""
    return [
        {
            "step": one.step,
            "prompt": opening(one),
            "completion": openai_messages(one.messages),
            **{f"{name}_reward": value for name, value in (one.terms or {"task": one.reward}).items()},
            "advantage": one.advantage,
        }
        | one.extra
        for one in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """Batch inference with a reward."""
    return [
        {
            "input": f"{one.problem.system}\n\n{one.problem.prompt}",
            "output": "\n".join(_body(m) for m in one.messages),
            "reward": one.reward,
            "label": one.problem.gold,
            "step": one.step,
        }
        | one.extra
        for one in attempts
    ]


def prime_rl(attempts: list[Attempt], env: str) -> list[Row]:
    """Saved rollouts of prime-rl, as verifiers makes them."""
    return [
        {
            "example_id": one.problem.pid,
            "env_name": env,
            "task": one.problem.family,
            "step": one.step,
            "prompt": opening(one),
            "completion": openai_messages(one.messages),
            "answer": one.problem.gold,
            "reward": one.reward,
            "advantage": one.advantage,
            "metrics": one.terms or {"task_reward": one.reward},
            "info": {"num_turns": sum(m["role"] == "assistant" for m in one.messages)},
            "is_truncated": one.stop in ("max_tokens", "max_turns"),
            "stop_condition": one.stop,
        }
        | one.extra
        for one in attempts
    ]


def inspect(attempts: list[Attempt], scorer: str, explain: dict[int, str] | None = None) -> list[Row]:
    """Samples of an inspect log; epochs are the attempts at one task."""
    explain = explain or {}
    return [
        {
            "id": one.problem.pid,
            "epoch": one.step * 100 + one.index + 1,
            "input": one.problem.prompt,
            "target": one.problem.gold,
            "messages": openai_messages(opening(one) + one.messages),
            "output": {"completion": one.messages[-1]["content"], "stop_reason": one.stop},
            "scores": {scorer: {"value": one.reward, "answer": one.answer, "explanation": explain.get(id(one), "")}},
            "metadata": {"family": one.problem.family},
        }
        | one.extra
        for one in attempts
    ]
