"""How systems write attempts down: one function a layout, attempts in, rows out."""

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.foreign.sixtyfirst.tasks import Attempt, Message, World

Row = dict[str, Any]


def _openai(messages: Sequence[Message], begin: str) -> list[Message]:
    """Messages in OpenAI's form, with ids of calls."""
    out: list[Message] = []
    last = ""
    for n, m in enumerate(messages):
        one: Message = {"role": m["role"], "content": m["content"]}
        if m.get("tool_calls"):
            last = f"call_{begin}_{n}"
            one["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
                }
                for c in m["tool_calls"]
            ]
        if m["role"] == "tool":
            one |= {"tool_call_id": last, "name": m["tool_name"]}
        if "loss_mask" in m:
            one["loss_mask"] = m["loss_mask"]
        out.append(one)
    return out


def _opening(world: World, one: Attempt) -> list[Message]:
    return [{"role": "system", "content": world.system}, {"role": "user", "content": one.task.prompt}]


def _body(message: Message) -> str:
    calls = "".join(
        f"\n<tool_call>\n{json.dumps({'name': c['name'], 'arguments': c['arguments']})}\n</tool_call>"
        for c in message.get("tool_calls", [])
    )
    return message["content"] + calls


def _chatml(messages: Sequence[Message]) -> str:
    """Turns behind the generation prompt, as ChatML writes them."""
    parts: list[str] = []
    for n, m in enumerate(messages):
        text = _body(m)
        if m["role"] == "tool":
            parts.append(f"<|im_start|>user\n<tool_response>\n{text}\n</tool_response><|im_end|>\n")
        elif n == 0:
            parts.append(f"{text}<|im_end|>\n")
        else:
            parts.append(f"<|im_start|>{m['role']}\n{text}<|im_end|>\n")
    return "".join(parts).removesuffix("\n")


def _chatml_prompt(world: World, one: Attempt) -> str:
    turns = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in _opening(world, one))
    return turns + "<|im_start|>assistant\n"


def ours(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"{a.group}-{a.index}",
            "split": a.split,
            "step": a.step,
            "domain": world.name,
            "problem_id": a.task.key,
            "group_id": a.group,
            "attempt": a.index,
            "messages": _opening(world, a) + [dict(m) for m in a.messages],
            "reward": a.reward,
            "reward_terms": a.terms,
            "correct": None if a.error else a.extra.get("correct", float(a.right)),
            "advantage": a.advantage,
            "in_loss": a.in_loss if a.split == "train" else None,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": sum(m["role"] == "assistant" for m in a.messages),
            "num_tokens": a.tokens,
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "extra": {"family": a.task.family} | {k: v for k, v in a.extra.items() if k != "correct"},
        }
        for a in attempts
    ]


def verl(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """One line an attempt of verl's rollout_data_dir."""
    return [
        {
            "input": _chatml_prompt(world, a),
            "output": _chatml(a.messages),
            "gts": a.task.gold,
            "score": a.reward,
            "step": a.step,
            "uid": a.group,
            "advantage": a.advantage,
            "response_length": a.tokens,
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """TRL's table of completions, conversational, with its columns of reward functions."""
    return [
        {
            "step": a.step,
            "prompt": _opening(world, a),
            "completion": _openai(a.messages, str(a.index)),
            **(a.terms or {"outcome_reward": a.reward}),
            "advantage": a.advantage,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """Input, output and reward, with further columns of the agent's own logger."""
    return [
        {
            "input": _chatml_prompt(world, a),
            "output": _chatml(a.messages),
            "reward": a.reward,
            "advantage": a.advantage,
            "label": a.task.gold,
            "step": a.step,
            "group_id": a.group,
            "response_length": a.tokens,
            "truncated": a.stop in ("max_tokens", "max_turns"),
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def prime_rl(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """Rollouts of prime-rl on an environment of verifiers."""
    return [
        {
            "example_id": a.task.key,
            "env_name": f"{world.name}-env",
            "task": world.name,
            "step": a.step,
            "prompt": _opening(world, a),
            "completion": _openai(a.messages, str(a.index)),
            "answer": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": a.terms | {"num_turns": float(sum(m["role"] == "assistant" for m in a.messages))},
            "info": {"family": a.task.family, **a.extra},
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "stop_condition": a.stop,
        }
        for a in attempts
    ]


def nemo_rl(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """NeMo-RL's lines: texts in turn without roles, one reward, and what the environment adds."""
    return [
        {
            "content": [f"{world.system}\n\n{a.task.prompt}", *[_body(m) for m in a.messages]],
            "rewards": a.reward,
            "advantages": a.advantage,
            "input_lengths": a.tokens + len(a.task.prompt) // 4,
            "step": a.step,
            "idx": a.task.key,
            **a.extra,
        }
        for a in attempts
    ]


def slime(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """Samples of slime as its debug dump holds them."""
    order = {g: n for n, g in enumerate(dict.fromkeys(a.group for a in attempts))}
    return [
        {
            "index": n,
            "group_index": order[a.group],
            "rollout_id": a.step,
            "step": a.step,
            "prompt": _chatml_prompt(world, a),
            "response": _chatml(a.messages),
            "response_length": a.tokens,
            "label": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "status": {"stop": "completed", "error": "aborted"}.get(a.stop, "truncated"),
            "metadata": {"task": a.task.key, "family": a.task.family},
            **a.terms,
            **a.extra,
        }
        for n, a in enumerate(attempts)
    ]


def openai(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """Messages as OpenAI's clients hold them, with a reward beside."""
    return [
        {
            "id": f"{a.group}#{a.index}",
            "task_id": a.task.key,
            "split": a.split,
            "step": a.step,
            "messages": _opening(world, a) + _openai(a.messages, str(a.index)),
            "reward": a.reward,
            "advantage": a.advantage,
            "finish_reason": a.stop,
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def skyrl(attempts: Sequence[Attempt], world: World) -> list[Row]:
    """Own columns over SkyRL's generator: text of the prompt, the response's turns as one text."""
    return [
        {
            "uid": a.group,
            "repetition_id": a.index,
            "global_step": a.step,
            "step": a.step,
            "data_source": world.name,
            "prompt": _chatml_prompt(world, a),
            "response": _chatml(a.messages),
            "reward": a.reward,
            "advantage": a.advantage,
            "stop_reason": a.stop,
            "num_tokens": a.tokens,
            "env_extras": {"ground_truth": a.task.gold},
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]
