"""How trainers and evaluation tools write attempts down."""

import json
from collections.abc import Sequence

from benchmarks.foreign.sixtieth.policy import Attempt, count_tokens

Rows = list[dict]


def evidence(attempts: Sequence[Attempt], domain: str, system: str = "") -> Rows:
    """Columns of docs/evidence.md."""
    rows = []
    for a in attempts:
        head = [{"role": "system", "content": system}] if system else []
        row = {
            "trajectory_id": f"{a.group}-{a.index}",
            "split": a.split,
            "step": a.step,
            "domain": domain,
            "problem_id": a.task.id,
            "group_id": a.group,
            "attempt": a.index,
            "messages": [*head, {"role": "user", "content": a.prompt}, *a.messages()],
            "reward": a.reward,
            "reward_terms": a.terms or {"correct": a.reward},
            "correct": float(a.right),
            "advantage": a.advantage if a.split == "train" else None,
            "in_loss": a.in_loss if a.split == "train" else None,
            "stop_reason": a.stop,
            "num_turns": sum(m["role"] == "assistant" for m in a.messages()),
            "num_tokens": a.num_tokens,
            "is_truncated": a.stop == "max_tokens",
            "extra": {"family": a.task.family, "answer": a.answer},
        }
        row.update(a.extra)
        rows.append(row)
    return rows


def verl(attempts: Sequence[Attempt]) -> Rows:
    """`trainer.rollout_data_dir` of verl, special tokens left out."""
    return [
        {
            "input": f"user\n{a.prompt}\nassistant\n",
            "output": a.text,
            "gts": a.task.gold,
            "score": a.reward,
            "step": a.step,
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: Sequence[Attempt]) -> Rows:
    """`log_completions` of TRL: functions of the reward, then the advantage."""
    return [
        {
            "step": a.step,
            "prompt": [{"role": "user", "content": a.prompt}],
            "completion": [{"role": "assistant", "content": a.text}],
            **(a.terms or {"accuracy_reward": a.reward}),
            "advantage": round(a.advantage, 6),
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: Sequence[Attempt]) -> Rows:
    """Saved samples of OpenRLHF: input in ChatML, output, reward."""
    return [
        {
            "input": f"<|im_start|>user\n{a.prompt}<|im_end|>\n<|im_start|>assistant\n",
            "output": a.text,
            "reward": a.reward,
            "step": a.step,
            "label": a.task.gold,
            "response_length": a.num_tokens,
            **a.extra,
        }
        for a in attempts
    ]


def prime_rl(attempts: Sequence[Attempt], env: str) -> Rows:
    """Rollouts that prime-rl saves, of an environment of verifiers."""
    return [
        {
            "example_id": a.task.id,
            "env_name": env,
            "task": env,
            "step": a.step,
            "prompt": [{"role": "user", "content": a.prompt}],
            "completion": _called(a.messages()),
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": a.terms or {"correct_answer": float(a.right)},
            "info": {"family": a.task.family},
            "stop_condition": a.stop,
            "answer": a.task.gold,
            **a.extra,
        }
        for a in attempts
    ]


def nemo_rl(attempts: Sequence[Attempt]) -> Rows:
    """Rows of NeMo-RL's train_data files, the step beside."""
    return [
        {
            "content": [a.prompt, *(m["content"] for m in a.messages())],
            "rewards": a.reward,
            "input_lengths": count_tokens(a.prompt) + a.num_tokens,
            "step": a.step,
            **a.extra,
        }
        for a in attempts
    ]


def slime(attempts: Sequence[Attempt]) -> Rows:
    """Samples of slime, dumped by rollout."""
    numbers = {name: i for i, name in enumerate(dict.fromkeys(a.group for a in attempts))}
    return [
        {
            "step": a.step,
            "group_index": numbers[a.group],
            "index": i,
            "prompt": a.prompt,
            "response": a.text,
            "label": a.task.gold,
            "reward": a.reward,
            "response_length": a.num_tokens,
            "status": "truncated" if a.stop == "max_tokens" else "completed",
            "metadata": {"family": a.task.family},
            **a.extra,
        }
        for i, a in enumerate(attempts)
    ]


def openai(attempts: Sequence[Attempt]) -> Rows:
    """Messages in OpenAI's form with reward beside."""
    return [
        {
            "messages": [{"role": "user", "content": a.prompt}, *_called(a.messages())],
            "reward": a.reward,
            "correct": float(a.right),
            "advantage": a.advantage,
            "step": a.step,
            "problem_id": a.task.id,
            "group_id": a.group,
            "finish_reason": a.stop,
            **a.extra,
        }
        for a in attempts
    ]


def inspect(attempts: Sequence[Attempt], scorer: str, model: str) -> Rows:
    """Samples of a log of inspect; an attempt's index is its epoch."""
    return [
        {
            "id": a.task.id,
            "epoch": a.index + 1,
            "input": a.prompt,
            "target": a.task.gold,
            "messages": [{"role": "user", "content": a.prompt}, *a.messages()],
            "output": {"model": model, "completion": a.text, "stop_reason": a.stop},
            "scores": {scorer: {"value": "C" if a.reward else "I", "answer": a.text, "explanation": a.text}},
            "metadata": {"category": a.task.family},
            **a.extra,
        }
        for a in attempts
    ]


def plain(attempts: Sequence[Attempt]) -> Rows:
    """A script of one's own."""
    return [
        {
            "step": a.step,
            "problem_id": a.task.id,
            "prompt": a.prompt,
            "response": a.text,
            "reward": a.reward,
            "advantage": a.advantage,
            "n_tokens": a.num_tokens,
            "finish_reason": a.stop,
            **a.extra,
        }
        for a in attempts
    ]


def _called(messages: Sequence[dict]) -> Rows:
    """Calls in OpenAI's form: arguments as text, ids that tools answer to."""
    out, number = [], 0
    for message in messages:
        new = dict(message)
        if message.get("tool_calls"):
            number += 1
            new["tool_calls"] = [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in message["tool_calls"]
            ]
        elif message["role"] == "tool":
            new = {**new, "tool_call_id": f"call_{number}"}
        out.append(new)
    return out
