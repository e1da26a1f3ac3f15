"""Layouts: how the systems of this part write a row down."""

import hashlib
import json

from benchmarks.foreign.fiftysixth.policy import Attempt


def _prompt(attempt: Attempt) -> list[dict]:
    system = [{"role": "system", "content": attempt.problem.system}] if attempt.problem.system else []
    return [*system, {"role": "user", "content": attempt.problem.prompt}]


def chatml(attempt: Attempt) -> str:
    """The prompt as a ChatML template renders it."""
    turns = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in _prompt(attempt))
    return turns + "<|im_start|>assistant\n"


def verl(attempt: Attempt, /, **more: object) -> dict:
    """A line of verl's `rollout_data_dir`."""
    return {
        "input": chatml(attempt),
        "output": attempt.text,
        "gts": attempt.problem.gold,
        "score": attempt.reward,
        "step": attempt.step,
        **attempt.extra,
        **more,
    }


def trl(attempt: Attempt, /, **more: object) -> dict:
    """A row of TRL's logged completions; terms are the columns of reward functions."""
    return {
        "step": attempt.step,
        "prompt": attempt.problem.prompt,
        "completion": attempt.text,
        **attempt.terms,
        "advantage": attempt.advantage,
        **attempt.extra,
        **more,
    }


def openrlhf(attempt: Attempt, /, **more: object) -> dict:
    """A line of OpenRLHF's samples with rewards."""
    return {
        "input": attempt.problem.prompt,
        "output": attempt.text,
        "reward": attempt.reward,
        "global_step": attempt.step,
        "step": attempt.step,
        "response_length": attempt.tokens,
        **attempt.extra,
        **more,
    }


def verifiers(attempt: Attempt, /, env: str, **more: object) -> dict:
    """A rollout of verifiers as prime-rl saves it."""
    return {
        "example_id": attempt.problem.id,
        "task": env,
        "prompt": _prompt(attempt),
        "completion": attempt.messages,
        "answer": attempt.problem.gold,
        "reward": attempt.reward,
        "metrics": attempt.terms,
        "info": {"family": attempt.problem.family, "group": attempt.group},
        "stop_condition": attempt.stop,
        "step": attempt.step,
        **attempt.extra,
        **more,
    }


def nemo(attempt: Attempt, /, **more: object) -> dict:
    """A line of NeMo-RL's `train_data_stepN.jsonl`, with the step beside."""
    return {
        "content": [attempt.problem.prompt, attempt.text],
        "rewards": attempt.reward,
        "input_lengths": round((len(attempt.problem.prompt) + len(attempt.text)) / 4.1),
        "idx": attempt.index,
        "step": attempt.step,
        **attempt.extra,
        **more,
    }


def slime(attempt: Attempt, /, **more: object) -> dict:
    """A sample of slime's debug rollout data."""
    return {
        "group_index": attempt.group,
        "index": attempt.index,
        "prompt": attempt.problem.prompt,
        "response": attempt.text,
        "response_length": attempt.tokens,
        "label": attempt.problem.gold,
        "reward": attempt.reward,
        "status": {"stop": "completed", "length": "truncated"}.get(attempt.stop, attempt.stop),
        "rollout_id": attempt.step,
        "step": attempt.step,
        **attempt.extra,
        **more,
    }


def inspect(attempt: Attempt, /, scorer: str, **more: object) -> dict:
    """A sample of an inspect log."""
    return {
        "id": attempt.problem.id,
        "epoch": attempt.index + 1,
        "input": attempt.problem.prompt,
        "target": attempt.problem.gold,
        "messages": [*_prompt(attempt), *attempt.messages],
        "scores": {scorer: {"value": "C" if attempt.reward else "I", "answer": attempt.text}},
        "metadata": {"family": attempt.problem.family},
        "step": attempt.step,
        **more,
    }


def openai(attempt: Attempt, /, **more: object) -> dict:
    """Messages in OpenAI's form with a reward beside."""
    return {
        "messages": [*_prompt(attempt), *attempt.messages],
        "reward": attempt.reward,
        "problem_id": attempt.problem.id,
        "group_id": f"g{attempt.group}",
        "step": attempt.step,
        **attempt.extra,
        **more,
    }


def own(attempt: Attempt, /, split: str = "train", **more: object) -> dict:
    """The columns of docs/evidence.md."""
    name = f"{split}-{attempt.step}-{attempt.group}-{attempt.index}"
    replies = [m for m in attempt.messages if m["role"] == "assistant"]
    spoken = [m["content"] + json.dumps(m.get("tool_calls", "")) for m in replies]
    return {
        "trajectory_id": hashlib.sha256((name + attempt.problem.id).encode()).hexdigest()[:16],
        "split": split,
        "step": attempt.step,
        "problem_id": attempt.problem.id,
        "group_id": f"{split}-{attempt.step}-{attempt.group}",
        "attempt": attempt.index,
        "messages": [*_prompt(attempt), *attempt.messages],
        "reward": attempt.reward,
        "reward_terms": attempt.terms or {"outcome": attempt.reward},
        "correct": float(attempt.right),
        "advantage": attempt.advantage,
        "stop_reason": attempt.stop,
        "num_turns": len(replies),
        "num_tokens": sum(round(len(s) / 4.1) for s in spoken),
        "is_truncated": attempt.stop in ("length", "max_tokens"),
        "extra": {"family": attempt.problem.family},
        **attempt.extra,
        **more,
    }
