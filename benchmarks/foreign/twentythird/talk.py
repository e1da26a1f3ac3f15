"""Messages, and the words in which solutions are told."""

from random import Random

from benchmarks.foreign.twentythird.rollouts import Message

OPENERS = (
    "Let me set this up.",
    "First, collect what is given.",
    "Okay, start from the quantities.",
    "We work step by step.",
    "Let's see what is asked.",
    "I'll go through this in order.",
    "Start with the known values.",
    "Hmm, let me think.",
    "Reading the question again:",
    "To solve this, break it into parts.",
    "This is a short calculation.",
    "Right.",
)
LINKS = ("So ", "Then ", "Next, ", "Now ", "From this, ", "", "", "That means ", "Hence ", "Which gives: ")
CHECKS = (
    "Quick check of the arithmetic: it holds.",
    "Plugging back in, the numbers agree.",
    "Units are consistent.",
    "Wait, let me recount that. Yes, same result.",
    "Doing it the other way round leads to the same.",
    "The size of this looks plausible.",
    "No remainder is left over.",
    "I double-checked the last multiplication.",
)
CLOSERS = (
    "Therefore",
    "Thus the result:",
    "In the end we get",
    "Final result:",
    "So the answer is",
    "We conclude:",
    "Hence",
)


def say(text: str) -> Message:
    """A message of the policy."""
    return {"role": "assistant", "content": text}


def call(text: str, name: str, **arguments: object) -> Message:
    """A message of the policy that calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str, ok: bool = True) -> Message:
    """What a tool answers."""
    return {"role": "tool", "content": text, "tool_name": name, "ok": ok}


def lead(line: str, rng: Random) -> str:
    """A line of working with a word before it."""
    link = rng.choice(LINKS)
    return link + (line[0].lower() + line[1:] if link and line[1:2].islower() else line)


def working(rng: Random, lines: list[str]) -> str:
    """Lines of working as this sample tells them."""
    parts = [rng.choice(OPENERS)] if rng.random() < 0.7 else []
    parts += [lead(line, rng) for line in lines]
    if rng.random() < 0.45:
        parts.append(rng.choice(CHECKS))
    return rng.choice((" ", "\n", "\n\n")).join(parts)


def boxed(rng: Random, lines: list[str], answer: str) -> str:
    """Working that ends in a box."""
    return f"{working(rng, lines)}\n\n{rng.choice(CLOSERS)} $\\boxed{{{answer}}}$."


def lettered(rng: Random, lines: list[str], answer: str) -> str:
    """Working that ends in a line with the answer."""
    return f"{working(rng, lines)}\n\nAnswer: {answer}"
