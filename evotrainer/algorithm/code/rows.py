"""What code of an intervention is given: plain JSON values under a frozen set of names (docs/interventions.md).

No identity, seed, place in the run or clock is among them, so equal attempts get equal values wherever they stand. Nor
is what the grader alone knows: neither the true answer nor tests nor its checks. A mask and a group filter also see the
reward, which a reward function is part of.
"""

import re
from collections.abc import Set
from typing import Any

from evotrainer.config.code import CODE_TERMS
from evotrainer.records import Message, Problem, Trajectory


def trajectory_row(row: Trajectory) -> dict[str, Any]:
    """Return what `reward` is given of a graded attempt: docs/interventions.md says what each field is."""
    said = [message.content for message in row.messages if message.role == "user"]
    return {
        "domain": row.domain,
        "family": str(row.extra.get("family", "")),
        "prompt": said[0] if said else "",
        "messages": [_message(message) for message in row.messages],
        "correct": row.reward_terms.get("correct", row.correct),
        "terms": {name: value for name, value in sorted(row.reward_terms.items()) if name not in CODE_TERMS},
        "format_ok": row.format_ok,
        "is_truncated": row.is_truncated,
        "stop_reason": row.stop_reason,
        "num_turns": row.num_turns,
        "num_tokens": row.num_tokens,
    }


def rewarded_row(row: Trajectory) -> dict[str, Any]:
    """Return what `correction` and `mask` are given of a rewarded attempt, and `keep` of each of its group."""
    return {**trajectory_row(row), "reward": row.reward}


def problem_row(problem: Problem, pass_rate: float) -> dict[str, Any]:
    """Return what `weight` is given of a problem."""
    return {
        "domain": problem.domain,
        "family": problem.family,
        "prompt": problem.prompt,
        "difficulty": problem.difficulty,
        "pass_rate": pass_rate,
    }


def _message(message: Message) -> dict[str, Any]:
    return {
        "role": message.role,
        "content": message.content,
        "tool_calls": [{"name": call.name, "arguments": call.arguments} for call in message.tool_calls],
        "tool_name": message.tool_name,
        "ok": message.ok,
        "num_tokens": message.num_tokens,
    }


def renamed(shown: dict[str, Any], names: Set[str]) -> dict[str, Any]:
    """Return what a function is given of a row or a problem, with these names of it replaced in the texts."""
    messages = [{**one, "content": _without(one["content"], names)} for one in shown.get("messages", ())]
    return {**shown, "prompt": _without(shown["prompt"], names), **({"messages": messages} if messages else {})}


def _without(text: str, names: Set[str]) -> str:
    """Return a text with names, where they stand as words of at least four letters, replaced by others as long."""
    for name in sorted(names):
        if len(name) >= 4 and name in text:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "x" * len(name), text)
    return text
