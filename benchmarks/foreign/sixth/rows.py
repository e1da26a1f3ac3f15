"""Attempts as rows of the systems that log them."""

import hashlib
from typing import Any

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixth.runs import Attempt, Message


def _asked_text(one: Attempt) -> str:
    return "\n".join(f"{message['role']}\n{message['content']}" for message in one.problem.asked) + "\nassistant\n"


def own(one: Attempt, domain: str, terms: dict[str, float] | None = None) -> Row:
    """Return a row in EvoTrainer's columns."""
    row: dict[str, Any] = {
        "trajectory_id": f"s{one.step:03d}-g{one.group}-a{one.number}",
        "split": "train",
        "step": one.step,
        "domain": domain,
        "problem_id": one.problem.name,
        "group_id": f"s{one.step}/{one.problem.name}",
        "attempt": one.number,
        "messages": [*one.problem.asked, *one.said],
        "reward": one.reward,
        "correct": float(one.is_right),
        "advantage": one.advantage,
        "in_loss": True,
        "num_turns": sum(message["role"] == "assistant" for message in one.said),
        "num_tokens": one.num_tokens,
        "stop_reason": "stop",
    }
    return {**row, **({"reward_terms": terms} if terms else {}), **one.columns}


def chat(one: Attempt) -> Row:
    """Return a row of OpenAI's messages with a reward beside."""
    row = {"step": one.step, "messages": [*one.problem.asked, *one.said]}
    return {**row, "reward": one.reward, "advantage": one.advantage, "finish_reason": "stop", **one.columns}


def verl(one: Attempt, answer: str) -> Row:
    """Return a row of verl's rollout dump."""
    row = {"input": _asked_text(one), "output": one.text, "gts": one.problem.gold, "score": one.reward}
    return {**row, "step": one.step, "acc": float(one.is_right), "pred": answer, **one.columns}


def trl(one: Attempt, rewards: dict[str, float]) -> Row:
    """Return a row of TRL's log of completions."""
    row = {"step": one.step, "prompt": one.problem.asked, "completion": one.said}
    return {**row, **rewards, "advantage": one.advantage, **one.columns}


def openrlhf(one: Attempt) -> Row:
    """Return a row of OpenRLHF's batch inference, with what a patched trainer adds."""
    row = {"input": _asked_text(one), "output": one.text, "reward": one.reward, "step": one.step}
    return {**row, "advantage": one.advantage, **one.columns}


def nemo_rl(one: Attempt) -> Row:
    """Return a row of NeMo-RL's training data; its lists of one are those of its logger."""
    texts = ["\n".join(str(message["content"]) for message in one.problem.asked), one.text]
    row: dict[str, Any] = {"content": [texts], "rewards": [one.reward], "step": one.step, "idx": one.number}
    row |= {"input_lengths": [len(texts[0]) // 4 + one.num_tokens], "advantages": [one.advantage]}
    return {**row, **one.columns}


def verifiers(one: Attempt, metrics: dict[str, float], env: str = "") -> Row:
    """Return a row of verifiers' results; of prime-rl where the environment is named."""
    row: dict[str, Any] = {
        "example_id": int(hashlib.sha256(one.problem.name.encode()).hexdigest()[:6], 16),
        "prompt": one.problem.asked,
        "completion": one.said,
        "answer": one.problem.gold,
        "reward": one.reward,
        "metrics": metrics,
        "is_completed": True,
        "is_truncated": False,
        "stop_condition": "completed",
        "step": one.step,
    }
    named = {"env_name": env, "advantage": one.advantage} if env else {}
    return {**row, **named, **one.columns}


def last(said: list[Message]) -> str:
    """Return the last line that the policy wrote."""
    return str(said[-1]["content"]).strip().splitlines()[-1]
