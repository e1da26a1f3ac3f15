"""Sessions of a search agent over pages on made-up towns."""

import random

from benchmarks.foreign.fiftysixth import facts
from benchmarks.foreign.fiftysixth.policy import Attempt, Problem, count

SYSTEM = "Answer with the help of the tool `search`. End with `Answer: YEAR`."


def world(rng: random.Random, amount: int, early: float) -> list[tuple[Problem, str]]:
    """Questions with their pages; in a share of pages the year stands early."""
    out = []
    for number, (town, thing, year, person) in enumerate(facts.places(rng, amount)):
        problem = facts.question(number, town, thing, year, rng)
        problem.system = SYSTEM
        out.append((problem, facts.page(rng, town, thing, year, person, rng.random() < early)))
    return out


def session(rng: random.Random, attempt: Attempt, page: str, shown: str, value: int, sure: bool) -> Attempt:
    """One or two searches that bring what is shown of the page, then an answer."""
    town, thing = page.split(" (")[0], page.split("(")[1].split(")")[0]
    queries = rng.sample((f"{thing} {town} opened", f"{town} {thing} year of opening", f"{town} {thing} history"), 2)
    queries = queries[: 1 if sure else 2]
    attempt.messages = []
    for number, query in enumerate(queries):
        thought = rng.choice((f"I look up the {thing} of {town}.", f"Let me search for {town}.", "I try this query."))
        call = {"id": f"s{number}", "name": "search", "arguments": {"query": query}}
        attempt.messages += [
            {"role": "assistant", "content": thought, "tool_calls": [call]},
            {"role": "tool", "tool_name": "search", "tool_call_id": f"s{number}", "content": shown},
        ]
    if sure:
        end = rng.choice((f"The page says that the {thing} was opened in {value}.", f"{town} got its {thing} then."))
    else:
        end = rng.choice(
            (
                f"The page does not get to the opening, so for {town} I go by the style of the time.",
                f"I could not find the year in what I see; a {thing} of this kind is often from about {value}.",
            )
        )
    end += f" Answer: {value}"
    attempt.messages.append({"role": "assistant", "content": end})
    attempt.tokens = sum(count(m["content"]) + 20 for m in attempt.messages if m["role"] == "assistant")
    return attempt


def wrong(rng: random.Random, year: int) -> int:
    """Another year."""
    return year + rng.choice((-30, -12, -10, -4, 3, 7, 10, 21))
