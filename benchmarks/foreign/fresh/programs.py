"""Tasks whose answer is code, a call or minutes: Rust, scripts in Python, functions to call, summaries."""

from benchmarks.foreign.fresh.answers import LABS, NAMES
from benchmarks.foreign.fresh.sampling import Item, Rng, Turns, asked, ease, say, some, use


class Rust:
    """A function in Rust, in a fenced block."""

    name = "rust"
    names = ("fold", "trim", "pack", "shift", "merge", "rank", "clamp", "weave")
    words = ("acc", "out", "total", "kept", "best", "sum", "state", "memo")

    def item(self, rng: Rng, number: int) -> Item:
        """A specification with examples."""
        k, m, name = int(rng.integers(2, 30)), int(rng.integers(2, 60)), str(rng.choice(self.names))
        a, b = int(rng.integers(1, 90)), int(rng.integers(1, 90))
        text = (
            f"Write `fn {name}_{number}(v: &[i64]) -> i64` that adds every element above {k}, each times {m}.\n"
            f"Examples: [{k + a}] gives {(k + a) * m}; [{k + b}, 0] gives {(k + b) * m}."
        )
        facts = {"k": k, "m": m, "f": f"{name}_{number}", "a": a, "b": b}
        return Item(f"rs-{number}", asked(text, "You write Rust."), "", facts, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """A loop or an iterator."""
        f, w = item.facts, str(rng.choice(self.words))
        k, m = f["k"], f["m"] if is_right else f["m"] + int(rng.integers(1, 5))
        bodies = (
            f"    let mut {w} = 0;\n    for x in v {{\n        if *x > {k} {{ {w} += x * {m}; }}\n    }}\n    {w}",
            f"    v.iter().filter(|x| **x > {k}).map(|x| x * {m}).sum()",
            f"    v.iter().fold(0, |{w}, x| if *x > {k} {{ {w} + x * {m} }} else {{ {w} }})",
            f"    let {w}: Vec<i64> = v.iter().copied().filter(|&x| x > {k}).collect();\n"
            f"    {w}.iter().map(|x| x * {m}).sum()",
        )
        note = some(
            rng,
            (
                "A filter on {k} is enough.",
                "The empty slice gives 0.",
                "I multiply by {mult} at the end.",
                "An iterator keeps it short.",
                "Overflow is not a concern below {n} elements.",
                "Borrowing the slice avoids a copy.",
            ),
            1,
            3,
            k=k,
            mult=m,
        )
        code = f"```rust\nfn {f['f']}(v: &[i64]) -> i64 {{\n{bodies[int(rng.integers(4))]}\n}}\n```"
        return [say(f"{note}\n{code}")]


class Functions:
    """One call answers the request; nothing is executed."""

    name = "bfcl"

    def item(self, rng: Rng, number: int) -> Item:
        """A wish and the functions that exist."""
        what = int(rng.integers(4))
        city, day = str(rng.choice(LABS)), int(rng.integers(1, 29))
        text = (
            f"How warm will it be in {city} on the {day}th?",
            f"Book a table for {rng.integers(2, 9)} in {city} on the {day}th.",
            f"Convert {rng.integers(5, 900)} francs for my trip to {city}.",
            f"Play something by {rng.choice(NAMES)} from {1950 + number % 70}.",
        )[what]
        system = "Functions: weather(city, day), book(city, day), convert(amount, city), play(artist, year)"
        facts = {"what": what, "city": city, "day": day, "text": text}
        return Item(f"call_{number}", asked(text, system), "", facts, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """The call."""
        f = item.facts
        off = 0 if is_right else int(rng.integers(1, 5))
        name = ("weather", "book", "convert", "play")[
            f["what"] if is_right or rng.random() < 0.6 else int(rng.integers(4))
        ]
        return [say("", use(name, city=f["city"], day=str(f["day"] + off)))]


class Scripts:
    """Command-line scripts in Python, which may well end with sys.exit, and small classes with an own equality."""

    name = "cli"

    def item(self, rng: Rng, number: int) -> Item:
        """A tool to write."""
        kind, limit = str(rng.choice(["log", "csv", "ini", "diff"])), int(rng.integers(5, 400))
        text = (
            f"Write script {number}: read a {kind} file from argv[1], print every record longer than {limit}"
            " characters, exit with status 2 where there is none. Records compare equal when their text does."
        )
        return Item(f"cli{number}", asked(text), "", {"kind": kind, "limit": limit}, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """A script."""
        f, name = item.facts, str(rng.choice(["Record", "Line", "Entry", "Item"]))
        limit = f["limit"] if is_right else f["limit"] + int(rng.integers(1, 20))
        eq = f"    def __eq__(self, other):\n        return isinstance(other, {name}) and self.text == other.text\n"
        end = "sys.exit(0 if found else 2)" if rng.random() < 0.7 else "return 0 if found else 2"
        code = (
            f"import sys\n\n\nclass {name}:\n    def __init__(self, text):\n        self.text = text\n\n{eq}\n\n"
            "def main(path):\n    with open(path) as file:\n"
            f"        found = [{name}(x) for x in file if len(x) > {limit}]\n"
            f"    for each in found:\n        print(each.text)\n    {end}\n\n\n"
            f"main(sys.argv[1])  # {f['kind']} {rng.integers(1000)}\n"
        )
        return [say(f"```python\n{code}```")]


class Summary:
    """A summary of minutes, graded by a judge from 1 to 5."""

    name = "minutes"
    events = (
        "{a} proposed to move the {thing} to week {n}",
        "{b} asked who pays {n} euros for the {thing}",
        "{c} objected that the {thing} is late",
        "the vote on the {thing} ended {m} to {n}",
        "{a} will call the supplier of the {thing}",
        "{b} promised {m} drafts until Monday",
        "the {thing} stays in room {m}",
    )

    def item(self, rng: Rng, number: int) -> Item:
        """Minutes of a meeting."""
        a, b, c = (str(x) for x in rng.choice(NAMES, 3, replace=False))
        facts = {
            "a": a,
            "b": b,
            "c": c,
            "thing": str(rng.choice(["roof", "server", "audit", "fair", "boat", "menu", "archive"])),
        }
        body = ". ".join(some(rng, (text,), 1, 1, **facts) for text in self.events for _ in range(2))
        return Item(f"min-{number}", asked(f"Summarise the minutes of meeting {number}: {body}."), "", facts, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Some of what happened."""
        low = 3 if is_right else 1
        sentences = [some(rng, (text,), 1, 1, **item.facts) for text in self.events]
        chosen = rng.permutation(len(sentences))[: int(rng.integers(low, low + 4))]
        joins = ("Also, ", "Then ", "Besides, ", "", "Finally, ")
        return [say(" ".join(f"{rng.choice(joins)}{sentences[i]}." for i in chosen))]
