"""How systems write attempts down: a row a shot, in the columns of each system."""

import json
from collections.abc import Iterable
from typing import Any

from benchmarks.foreign.case import Row
from benchmarks.foreign.fiftyninth.shots import Shot, count, said

ASSISTANT = "<|im_start|>assistant\n"


def asked(shot: Shot) -> list[dict[str, Any]]:
    """The prompt as messages."""
    system = [{"role": "system", "content": shot.task.system}] if shot.task.system else []
    return [*system, {"role": "user", "content": shot.task.prompt}]


def chatml(shot: Shot) -> str:
    """The prompt as Qwen's template makes it."""
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in asked(shot)) + ASSISTANT


def ours(shots: Iterable[Shot], domain: str, version: str = "v001") -> list[Row]:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"{shot.split}-{shot.step}-{shot.task.id}-{shot.attempt}",
            "version": version,
            "split": shot.split,
            "step": shot.step,
            "domain": domain,
            "problem_id": shot.task.id,
            "group_id": shot.group,
            "attempt": shot.attempt,
            "messages": [*asked(shot), *shot.turns],
            "reward": shot.reward,
            "correct": float(shot.right),
            "advantage": shot.advantage,
            "stop_reason": shot.stop,
            "num_turns": sum(turn["role"] == "assistant" for turn in shot.turns),
            "num_tokens": shot.tokens,
            "is_truncated": shot.stop in ("max_tokens", "max_turns"),
            "extra": {"family": shot.task.family, "answer": shot.answer},
            **shot.extra,
        }
        for shot in shots
    ]


def verl(shots: Iterable[Shot], measure: str = "acc") -> list[Row]:
    """What verl dumps of a step; special tokens are left in."""
    return [
        {
            "input": chatml(shot),
            "output": shot.text,
            "gts": shot.task.gold,
            "score": shot.reward,
            "step": shot.step,
            measure: float(shot.right),
            "data_source": shot.task.family,
            "uid": shot.group,
            **({} if shot.advantage is None else {"advantage": shot.advantage}),
            **shot.extra,
        }
        for shot in shots
    ]


def trl(shots: Iterable[Shot], **rewards: str) -> list[Row]:
    """TRL's table of completions; `rewards` names columns of reward functions by the key in `shot.extra`."""
    return [
        {
            "step": shot.step,
            "prompt": shot.task.prompt,
            "completion": shot.text,
            **{column: shot.extra[key] if key else shot.reward for column, key in rewards.items()},
            "advantage": shot.advantage,
        }
        for shot in shots
    ]


def openrlhf(shots: Iterable[Shot]) -> list[Row]:
    """OpenRLHF's lines of input, output and reward."""
    return [
        {
            "input": chatml(shot),
            "output": shot.text,
            "reward": shot.reward,
            "label": shot.task.gold,
            "step": shot.step,
            "response_length": shot.tokens,
            **shot.extra,
        }
        for shot in shots
    ]


def prime(shots: Iterable[Shot], env: str) -> list[Row]:
    """Rollouts that prime-rl saves of a verifiers environment."""
    return [
        {
            "example_id": shot.task.id,
            "env_name": env,
            "task": shot.task.family,
            "step": shot.step,
            "prompt": asked(shot),
            "completion": [calling(turn) for turn in shot.turns],
            "answer": shot.task.gold,
            "reward": shot.reward,
            "advantage": shot.advantage,
            "info": {"difficulty": round(shot.task.hard, 2)},
            "metrics": {"correct_answer": float(shot.right), "num_turns": float(len(shot.turns))},
            "is_truncated": shot.stop == "max_tokens",
            "stop_condition": shot.stop,
            **shot.extra,
        }
        for shot in shots
    ]


def nemo(shots: Iterable[Shot]) -> list[Row]:
    """NeMo-RL's training data, with the step of the file beside."""
    return [
        {
            "idx": index,
            "step": shot.step,
            "content": [shot.task.prompt, *(said(turn) for turn in shot.turns)],
            "rewards": shot.reward,
            "input_lengths": count(shot.task.prompt) + shot.tokens,
            "advantages": shot.advantage,
            **shot.extra,
        }
        for index, shot in enumerate(shots)
    ]


def slime(shots: Iterable[Shot]) -> list[Row]:
    """Samples as slime dumps them for debugging."""
    return [
        {
            "group_index": shot.group,
            "index": index,
            "rollout_id": shot.step,
            "step": shot.step,
            "prompt": shot.task.prompt,
            "response": shot.text,
            "response_length": shot.tokens,
            "label": shot.task.gold,
            "reward": shot.reward,
            "status": "truncated" if shot.stop == "max_tokens" else "completed",
            "metadata": {"family": shot.task.family},
            **({} if shot.advantage is None else {"advantage": shot.advantage}),
            **shot.extra,
        }
        for index, shot in enumerate(shots)
    ]


def inspect(shots: Iterable[Shot], scorer: str) -> list[Row]:
    """Samples of inspect logs, epochs as attempts."""
    return [
        {
            "id": shot.task.id,
            "epoch": shot.attempt + 1,
            "input": shot.task.prompt,
            "target": shot.task.gold,
            "messages": [*asked(shot), *(calling(turn) for turn in shot.turns)],
            "output": {"completion": shot.text, "stop_reason": shot.stop},
            "scores": {scorer: {"value": "C" if shot.reward > 0.5 else "I", "answer": shot.answer}},
            "metadata": {"step": shot.step},
            "step": shot.step,
            **shot.extra,
        }
        for shot in shots
    ]


def openai(shots: Iterable[Shot]) -> list[Row]:
    """Messages in OpenAI's form with the reward beside."""
    return [
        {
            "id": f"s{shot.step}-{shot.task.id}-{shot.attempt}",
            "problem_id": shot.task.id,
            "step": shot.step,
            "messages": [*asked(shot), *(calling(turn) for turn in shot.turns)],
            "reward": shot.reward,
            "solved": float(shot.right),
            "advantage": shot.advantage,
            "finish_reason": shot.stop,
            **shot.extra,
        }
        for shot in shots
    ]


def calling(turn: dict[str, Any]) -> dict[str, Any]:
    """A message with its calls in OpenAI's form."""
    if not turn.get("tool_calls"):
        return {key: value for key, value in turn.items() if key != "tool_name"}
    calls = [
        {
            "id": f"call_{place}",
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
        }
        for place, call in enumerate(turn["tool_calls"])
    ]
    return {**turn, "tool_calls": calls}
