"""Messages of a policy and its tools, and small helps for texts."""

from random import Random


def say(text: str) -> dict:
    """A message of the policy."""
    return {"role": "assistant", "content": text}


def call(text: str, name: str, **arguments: object) -> dict:
    """A message of the policy with one tool call."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def tool(name: str, text: str, ok: bool = True) -> dict:
    """The answer of a tool."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def pick(rng: Random, *options: str) -> str:
    """One of some phrasings."""
    return rng.choice(options)


def near(rng: Random, value: int, spread: int = 9) -> int:
    """Another whole number close by."""
    return value + rng.choice([d for d in range(-spread, spread + 1) if d and value + d > 0])


OPENERS = (
    "Let me work through this.",
    "I'll take it step by step.",
    "Start from what is given.",
    "First I write down the quantities.",
    "Okay.",
    "We can do this directly.",
    "Set it up first.",
    "Reading the question again:",
)
CHECKS = (
    "Checking once more, the numbers agree.",
    "A quick check by going backwards gives the same.",
    "That is of the size I expected.",
    "Nothing was left out.",
    "Units are consistent.",
    "The other way round works too.",
)


def opener(rng: Random) -> str:
    """How a reply begins."""
    return rng.choice(OPENERS)


def check(rng: Random, progress: float) -> str:
    """A sentence of checking, which a trained policy writes more often."""
    return f" {rng.choice(CHECKS)}" if rng.random() < 0.25 + 0.5 * progress else ""
