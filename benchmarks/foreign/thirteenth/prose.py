"""Ways to write out a solution."""

from collections.abc import Callable, Sequence
from random import Random

from benchmarks.foreign.thirteenth.rollouts import Message

LINKS = ("", "", "", "Then: ", "Next, ", "Now ", "- ")


def near(gold: int) -> Callable[[Random], str]:
    """Wrong numbers that a slip would give."""
    shifts = (-20, -11, -10, -9, -4, -3, -2, -1, 1, 2, 3, 5, 9, 10, 12, 18, 30)
    return lambda rng: str(gold + rng.choice(shifts) if rng.random() < 0.75 else gold * 2 + rng.randint(1, 9))


def worked(
    rng: Random, openings: Sequence[str], lines: Sequence[str], end: str, links: Sequence[str] = LINKS
) -> list[Message]:
    """One message: an opening, lines of work of which one may be left out, and the end."""
    kept = list(lines)
    if len(kept) > 2 and rng.random() < 0.25:
        kept.pop(rng.randrange(len(kept)))
    first = rng.choice(list(openings))
    body = [rng.choice(list(links)) + line for line in kept]
    gap = "\n\n" if rng.random() < 0.2 else "\n"
    return [said(gap.join([*([first] if first else []), *body, end]))]


def said(text: str, *calls: dict) -> Message:
    """What the policy says, with calls."""
    return {"role": "assistant", "content": text, **({"tool_calls": list(calls)} if calls else {})}


def call(name: str, **arguments: object) -> dict:
    """A call of a tool."""
    return {"name": name, "arguments": arguments}


def heard(name: str, text: str, ok: bool = True) -> Message:
    """What a tool answers."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}
