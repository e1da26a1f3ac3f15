"""How systems write attempts down."""

import hashlib
import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortyfirst.policy import Attempt, Message, count_tokens


def _prompt(a: Attempt) -> list[Message]:
    system = [{"role": "system", "content": a.problem.system}] if a.problem.system else []
    return [*system, {"role": "user", "content": a.problem.prompt}]


def _flat(messages: list[Message]) -> str:
    parts = []
    for m in messages:
        called = "".join(f"\n<tool_call>{json.dumps(c, ensure_ascii=False)}</tool_call>" for c in _calls(m))
        parts.append(m["content"] + called)
    return "\n".join(parts)


def _calls(message: Message) -> list[dict]:
    return message.get("tool_calls", [])


def ours(attempts: list[Attempt], domain: str, run: str = "run") -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for i, a in enumerate(attempts):
        graded = a.reward is not None
        rows.append(
            {
                "trajectory_id": f"{run}-{i:05d}",
                "campaign": run,
                "split": a.split,
                "step": a.step,
                "domain": domain,
                "problem_id": a.problem.name,
                "group_id": a.group,
                "attempt": a.number,
                "policy_id": hashlib.sha256(f"{run}{a.step}{a.extra.get('run', '')}".encode()).hexdigest()[:12],
                "messages": [*_prompt(a), *a.messages],
                "reward": a.reward,
                "reward_terms": a.terms,
                "correct": float(a.right) if graded else None,
                "advantage": a.advantage,
                "in_loss": a.in_loss,
                "stop_reason": a.stop,
                "error": a.error,
                "num_turns": sum(m["role"] == "assistant" for m in a.messages),
                "num_tokens": a.tokens,
                "is_truncated": a.stop in ("max_tokens", "max_turns"),
                "extra": dict(a.extra),
            }
        )
    return rows


def verl(attempts: list[Attempt]) -> list[Row]:
    """`trainer.rollout_data_dir`."""
    rows = []
    for a in attempts:
        system = f"<|im_start|>system\n{a.problem.system}<|im_end|>\n" if a.problem.system else ""
        text = f"{system}<|im_start|>user\n{a.problem.prompt}<|im_end|>\n<|im_start|>assistant\n"
        row = {"input": text, "output": _flat(a.messages), "gts": a.problem.gold, "score": a.reward, "step": a.step}
        rows.append(row | {"acc": float(a.right), "uid": a.group} | a.extra)
    return rows


def trl(attempts: list[Attempt]) -> list[Row]:
    """`log_completions`: one column a reward function."""
    rows = []
    for a in attempts:
        terms = {f"{name}_reward": value for name, value in a.terms.items()}
        text = {"step": a.step, "prompt": a.problem.prompt, "completion": _flat(a.messages)}
        rows.append(text | terms | {"advantage": a.advantage} | a.extra)
    return rows


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """Batch inference with a reward, with the step beside."""
    return [
        {"input": a.problem.prompt, "output": _flat(a.messages), "reward": a.reward, "step": a.step} | a.extra
        for a in attempts
    ]


def prime(attempts: list[Attempt], task: str) -> list[Row]:
    """Rollouts of prime-rl in the columns of verifiers."""
    return [
        {
            "example_id": a.problem.name,
            "task": task,
            "env_name": task,
            "step": a.step,
            "prompt": _prompt(a),
            "completion": openai_messages(a.messages),
            "answer": a.problem.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": dict(a.terms),
            "info": dict(a.extra),
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "stop_condition": a.stop,
        }
        for a in attempts
    ]


def openai_messages(messages: list[Message]) -> list[Message]:
    """Calls and answers in OpenAI's form, with ids."""
    out, last, count = [], "", 0
    for m in messages:
        if _calls(m):
            made = []
            for c in _calls(m):
                last, count = f"call_{count}", count + 1
                text = json.dumps(c["arguments"], ensure_ascii=False)
                made.append({"id": last, "type": "function", "function": {"name": c["name"], "arguments": text}})
            out.append({"role": "assistant", "content": m["content"], "tool_calls": made})
        elif m["role"] == "tool":
            out.append({"role": "tool", "tool_call_id": last, "content": m["content"]})
        else:
            out.append({"role": m["role"], "content": m["content"]})
    return out


def openai(attempts: list[Attempt]) -> list[Row]:
    """Messages as JSONL, with reward and step beside."""
    return [
        {"messages": [*_prompt(a), *openai_messages(a.messages)], "reward": a.reward, "step": a.step} | a.extra
        for a in attempts
    ]


def nemo_rl(attempts: list[Attempt]) -> list[Row]:
    """`train_data_step*.jsonl`, the step of the file's name beside."""
    return [
        {
            "content": [a.problem.prompt, *(_flat([m]) for m in a.messages)],
            "rewards": a.reward,
            "input_lengths": count_tokens(a.problem.prompt) + a.tokens,
            "step": a.step,
            "idx": i,
        }
        for i, a in enumerate(attempts)
    ]


def slime(attempts: list[Attempt]) -> list[Row]:
    """Dumped samples of slime."""
    groups = {key: i for i, key in enumerate(dict.fromkeys((a.step, a.group) for a in attempts))}
    return [
        {
            "group_index": groups[a.step, a.group],
            "index": i,
            "prompt": a.problem.prompt,
            "response": _flat(a.messages),
            "response_length": count_tokens(_flat(a.messages)),
            "label": a.problem.gold,
            "reward": a.reward,
            "status": "truncated" if a.stop == "max_tokens" else "completed",
            "step": a.step,
            "metadata": dict(a.extra),
        }
        for i, a in enumerate(attempts)
    ]


def inspect(attempts: list[Attempt], scorer: str = "match") -> list[Row]:
    """Samples of an evaluation log."""
    return [
        {
            "id": a.problem.name,
            "epoch": a.number + 1,
            "input": a.problem.prompt,
            "target": a.problem.gold,
            "messages": [*_prompt(a), *openai_messages(a.messages)],
            "output": {"model": "local/policy", "completion": a.messages[-1]["content"], "stop_reason": a.stop},
            "scores": {scorer: {"value": "C" if a.right else "I", "answer": a.messages[-1]["content"].split()[-1]}},
            "metadata": dict(a.extra),
        }
        for a in attempts
    ]
