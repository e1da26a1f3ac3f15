"""Small functions to write, with the verdicts of tests."""

import random

from benchmarks.foreign.fortyseventh.policy import Problem
from benchmarks.foreign.fortyseventh.voice import lead

SPECS = {
    "long_words": (
        "the words of `text` with more than {k} letters, in order",
        "return [w for w in text.split() if len(w) > {k}]",
        "return [w for w in text.split() if len(w) >= {k}]",
        "text",
    ),
    "every_nth": (
        "every {k}th item of `items`, starting with the first",
        "return items[::{k}]",
        "return items[{k}::{k}]",
        "items",
    ),
    "chunked": (
        "`items` in lists of {k}, the last one may be shorter",
        "return [items[i : i + {k}] for i in range(0, len(items), {k})]",
        "return [items[i : i + {k}] for i in range(0, len(items) - {k}, {k})]",
        "items",
    ),
    "top_scores": (
        "the {k} largest of `scores`, largest first",
        "return sorted(scores, reverse=True)[:{k}]",
        "return sorted(scores)[-{k}:]",
        "scores",
    ),
    "rotated": (
        "`items` rotated to the left by {k}",
        "cut = {k} % len(items) if items else 0\n    return items[cut:] + items[:cut]",
        "return items[{k}:] + items[:{k}]",
        "items",
    ),
    "clamped": (
        "each of `values`, but at most {k}",
        "return [min(v, {k}) for v in values]",
        "return [max(v, {k}) for v in values]",
        "values",
    ),
    "multiples": (
        "the sum of those of `values` that {k} divides",
        "return sum(v for v in values if v % {k} == 0)",
        "return sum(v for v in values if v // {k} == 0)",
        "values",
    ),
}
WHERE = ["for a report", "for the nightly import", "for a classroom app", "for our label printer", "for a game server"]


def _program(rng: random.Random, name: str, k: int, right: bool) -> str:
    _, good, bad, argument = SPECS[name]
    note = rng.choice(["", f'    """{name.replace("_", " ").capitalize()} by {k}."""\n', ""])
    return f"def {name}({argument}):\n{note}    {(good if right else bad).format(k=k)}"


class Pairs:
    """Two functions at once: a reply is right where both are."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """Two specifications."""
        names = rng.sample(sorted(SPECS), 2)
        sizes = [rng.randint(2, 24) for _ in names]
        said = [f"`{n}({SPECS[n][3]})` returns {SPECS[n][0].format(k=k)}" for n, k in zip(names, sizes, strict=True)]
        prompt = f"Write two functions {rng.choice(WHERE)}: {said[0]}, and {said[1]}. Python, in one code block."
        gold = "; ".join(SPECS[n][1].format(k=k) for n, k in zip(names, sizes, strict=True))
        return Problem(f"pair-{number:04d}", prompt, gold, "pair", "", 0.0, {"names": names, "sizes": sizes})

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """A sentence and both programs."""
        names, sizes = problem.facts["names"], problem.facts["sizes"]
        good = (True, True) if right else rng.choice([(True, False), (False, True), (False, False)])
        programs = [_program(rng, n, k, ok) for n, k, ok in zip(names, sizes, good, strict=True)]
        why = [
            f"`{names[0]}` comes first, then `{names[1]}`.",
            "They share nothing.",
            f"{sizes[0]} and {sizes[1]} are fixed.",
        ]
        body = "\n\n\n".join(programs)
        text = f"{lead(rng, f'`{names[0]}` and `{names[1]}`')}{rng.choice(why)}\n```python\n{body}\n```"
        return [{"role": "assistant", "content": text}]


class Functions:
    """One function each, with a number in its specification."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A specification."""
        name, k = rng.choice(sorted(SPECS)), rng.randint(2, 24)
        said, good, _, argument = SPECS[name]
        prompt = (
            f"Write `{name}({argument})` {rng.choice(WHERE)}: it returns {said.format(k=k)}. Python, in a code block."
        )
        facts = {"k": k, "name": name, "argument": argument}
        return Problem(f"py-{number:04d}", prompt, good.format(k=k), name, "", 0.0, facts)

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """A sentence and a program."""
        f = problem.facts
        program = _program(rng, f["name"], f["k"], right)
        why = [
            f"`{f['name']}` needs no import; {f['k']} is the only constant.",
            f"A single expression over {f['argument']} does it.",
            f"I take care of {f['k']} as the bound and keep the order of {f['argument']}.",
            f"An empty {f['argument']} should give an empty result or zero.",
        ]
        topic = rng.choice([f["argument"], f"the bound {f['k']}"])
        code = f"```python\n{program}\n```"
        return [{"role": "assistant", "content": f"{lead(rng, topic)}{rng.choice(why)}\n{code}"}]
