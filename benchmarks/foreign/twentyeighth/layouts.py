"""How systems write attempts down."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth.rollouts import Episode, say


def _asked(e: Episode, system: str) -> list[dict]:
    head = [say("system", system)] if system else []
    return [*head, *e.task.data.get("history", []), say("user", e.task.prompt)]


def own(episodes: list[Episode], run: str, system: str = "") -> list[Row]:
    """Columns of docs/evidence.md."""
    rows = []
    for number, e in enumerate(episodes):
        turns = [{**m, "mean_logprob": e.logprob} if m["role"] == "assistant" else m for m in e.messages]
        rows.append(
            {
                "trajectory_id": f"{run}-{number:05d}",
                "split": e.split,
                "step": e.step,
                "problem_id": e.task.key,
                "group_id": e.group,
                "attempt": e.attempt,
                "messages": _asked(e, system) + turns,
                "reward": round(e.reward, 4),
                "reward_terms": e.terms,
                "correct": float(e.right),
                "advantage": e.advantage,
                "in_loss": e.in_loss,
                "stop_reason": e.stop,
                "num_tokens": e.tokens,
                "num_turns": sum(m["role"] == "assistant" for m in e.messages),
                "extra": {"family": e.task.family, "ground_truth": e.task.gold, **e.extra},
            }
        )
    return rows


def chatml(messages: list[dict]) -> str:
    """Turns as text of Qwen's template."""
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def verl(episodes: list[Episode], system: str = "You are a helpful assistant.") -> list[Row]:
    """Rows of `trainer.rollout_data_dir`."""
    return [
        {
            "input": chatml(_asked(e, system)) + "<|im_start|>assistant\n",
            "output": e.text if len(e.messages) == 1 else chatml(e.messages)[len("<|im_start|>assistant\n") :],
            "gts": e.task.gold,
            "score": round(e.reward, 4),
            "acc": float(e.right),
            "step": e.step,
            "uid": e.group,
            "advantage": e.advantage,
            "response_length": e.tokens,
            **e.extra,
        }
        for e in episodes
    ]


def trl(episodes: list[Episode], system: str = "") -> list[Row]:
    """Rows of `log_completions`; terms are the columns of reward functions."""
    return [
        {
            "step": e.step,
            "prompt": _asked(e, system),
            "completion": e.messages,
            **e.terms,
            "advantage": e.advantage,
            **e.extra,
        }
        for e in episodes
    ]


def openai(episodes: list[Episode], system: str = "") -> list[Row]:
    """Messages of OpenAI's form with reward beside."""
    rows = []
    for number, e in enumerate(episodes):
        rows.append(
            {
                "id": f"chatcmpl-{number:06d}",
                "step": e.step,
                "problem_id": e.task.key,
                "messages": _asked(e, system) + [_call(m) for m in e.messages],
                "reward": round(e.reward, 4),
                "advantage": e.advantage,
                "finish_reason": e.stop,
                "usage": {"completion_tokens": e.tokens},
                **e.extra,
            }
        )
    return rows


def _call(message: dict) -> dict:
    if not message.get("tool_calls"):
        return message
    calls = [
        {
            "id": c.get("id", "call_0"),
            "type": "function",
            "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
        }
        for c in message["tool_calls"]
    ]
    return {**message, "tool_calls": calls}


def prime(episodes: list[Episode], env: str, system: str = "") -> list[Row]:
    """Saved rollouts of prime-rl, from an environment of verifiers."""
    return [
        {
            "example_id": e.task.key,
            "env_name": env,
            "run": "train",
            "step": e.step,
            "prompt": _asked(e, system),
            "completion": [_call(m) for m in e.messages],
            "answer": e.task.gold,
            "reward": round(e.reward, 4),
            "metrics": {**e.terms, "num_turns": sum(m["role"] == "assistant" for m in e.messages)},
            "advantage": e.advantage,
            "stop_condition": e.stop,
            "completion_len": e.tokens,
            **e.extra,
        }
        for e in episodes
    ]


def openrlhf(episodes: list[Episode]) -> list[Row]:
    """Input, output and reward as OpenRLHF writes them."""
    return [
        {
            "input": e.task.prompt,
            "output": e.text,
            "reward": round(e.reward, 4),
            "label": e.task.gold,
            "global_step": e.step,
            "step": e.step,
            "advantage": e.advantage,
            **e.extra,
        }
        for e in episodes
    ]


def inspect(episodes: list[Episode], scorer: str) -> list[Row]:
    """Samples of inspect logs; the step of the checkpoint stands beside."""
    return [
        {
            "id": e.task.key,
            "epoch": e.attempt + 1,
            "step": e.step,
            "input": e.task.prompt,
            "target": e.task.gold,
            "messages": [*_asked(e, ""), *e.messages],
            "output": {"completion": e.text, "stop_reason": e.stop, "usage": {"output_tokens": e.tokens}},
            "scores": {scorer: {"value": "C" if e.reward else "I", **e.extra}},
        }
        for e in episodes
    ]
