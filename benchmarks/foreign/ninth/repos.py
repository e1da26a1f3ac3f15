"""Bugs in repositories, fixed by an agent with a shell and an editor."""

from random import Random

from benchmarks.foreign.ninth.episodes import Message, Reply, Task, call, tell
from benchmarks.foreign.ninth.wording import coined, say

Bug = tuple[str, str, str, str, str, str]
"""Module, function, line, fixed line, a wrong fix, issue."""
BUGS: tuple[Bug, ...] = (
    ("pager", "page_count", "return total // size", "return -(-total // size)", "return total // size + 1",
     "The last page is lost when the total is no multiple of the page size."),
    ("slugs", "slugify", 'return text.lower().replace(" ", "-")', 'return "-".join(text.lower().split())',
     'return text.strip().lower().replace(" ", "-")', "Double blanks in a title end up as double dashes in the URL."),
    ("retry", "delay", "return base * attempt", "return min(cap, base * 2**attempt)", "return base * 2 * attempt",
     "Backoff grows linearly, though the documentation promises doubling up to the cap."),
    ("money", "to_cents", "return int(amount * 100)", "return round(amount * 100)", "return int(amount * 100 + 1)",
     "to_cents(19.99) returns 1998."),
    ("cache", "evict", "self.items.popitem()", "self.items.popitem(last=False)", "self.items.clear()",
     "A full cache drops its newest entry, not the oldest."),
    ("dates", "is_leap", "return year % 4 == 0", "return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)",
     "return year % 4 == 0 and year % 100 != 0", "1900 and 2100 are reported as leap years."),
    ("ranges", "overlaps", "return a.start < b.end", "return a.start < b.end and b.start < a.end",
     "return a.start <= b.end", "Ranges that lie behind one another count as overlapping."),
    ("headers", "lookup", "return self.values[name]", "return self.values[name.lower()]",
     "return self.values.get(name)", "Header look-ups fail unless the name is spelt in lower case."),
    ("tree", "depth", "return 1 + max(child.depth() for child in self.children)",
     "return 1 + max((child.depth() for child in self.children), default=0)",
     "return max(child.depth() for child in self.children or [self])", "depth() raises ValueError on a leaf."),
    ("merge", "deep_merge", "target.update(source)",
     "for k, v in source.items():\n        target[k] = deep_merge(target.get(k, {}), v) if isinstance(v, dict) else v",
     "target = {**source, **target}", "Nested settings are replaced as a whole when two files are merged."),
)  # fmt: skip
CHECKS = {
    "page_count": "page_count(21, 10) == 3",
    "slugify": 'slugify("A  tale") == "a-tale"',
    "delay": "delay(1, 3, cap=60) == 8",
    "to_cents": "to_cents(19.99) == 1999",
    "evict": "first_key not in cache",
    "is_leap": "not is_leap(1900)",
    "overlaps": "not overlaps(Range(5, 9), Range(1, 2))",
    "lookup": 'headers.lookup("ETag") == "x"',
    "depth": "Node().depth() == 1",
    "deep_merge": 'deep_merge({"a": {"b": 1}}, {"a": {"c": 2}}) == {"a": {"b": 1, "c": 2}}',
}
"""What a regression test of the function asserts."""
SYSTEM = "You repair repositories. Use bash and edit; call submit when the issue is fixed."


def repo_task(rng: Random) -> Task:
    """An issue of a repository."""
    module, function, line, fix, wrong, issue = rng.choice(BUGS)
    package = coined(rng, 2).lower() + rng.choice(("", "lib", "kit", "_core"))
    path = f"{rng.choice(('src/', '', 'lib/'))}{package}/{module}.py"
    test = f"tests/test_{module}.py"
    prompt = say(rng, f"Repository {package}, issue #{rng.randint(12, 3900)}: ") + say(
        rng, f"{issue} «This hit us in production.|Seen on the main branch.|Came with the last release.|»"
    ) + f" See `{function}` in {path}."  # fmt: skip
    facts = {
        "package": package, "path": path, "test": test, "function": function, "line": line, "fix": fix, "wrong": wrong,
        "number": rng.randint(14, 160), "at": rng.randint(20, 210), "commit": f"{rng.getrandbits(28):07x}",
        "failing": rng.choice((0, 1, 1, 2, 3)),
    }  # fmt: skip

    def solve(r: Random, right: bool) -> Reply:
        messages = look(r, facts) + edit(r, facts, right) + tests(r, facts, right)
        if r.random() < 0.5:
            messages += call("bash", {"command": "git diff --stat"}, f" {path} | 2 +-\n 1 file changed")
        return Reply(close(r, facts, messages))

    return Task(prompt, fix, "swe", solve, SYSTEM, data=facts)


def look(r: Random, f: dict) -> list[Message]:
    """Find the place."""
    found = f"{f['path']}:{f['at']}:def {f['function']}("
    messages = call("bash", {"command": say(r, f"«grep -rn|rg -n» '«def |»{f['function']}' .")}, found,
                    say(r, ("«I look for the function first.|Where is it defined?|Start by locating "
                    "the code.|»")))  # fmt: skip
    low = f["at"] - r.randint(1, 9)
    code = f"def {f['function']}(...):\n    {f['line']}"
    return messages + call("bash", {"command": f"sed -n '{low},{f['at'] + r.randint(8, 30)}p' {f['path']}"}, code,
                           say(r, "«Let me read it.|Now the body.|»"))  # fmt: skip


def edit(r: Random, f: dict, right: bool) -> list[Message]:
    """Change the line."""
    new = f["fix"] if right else f["wrong"]
    thought = say(
        r, "«The line does not do what the issue asks.|This is the culprit.|I change this line.|The cause is clear»"
    )
    return call("edit", {"path": f["path"], "old": f["line"], "new": new}, "1 replacement made", thought)


def tests(r: Random, f: dict, right: bool) -> list[Message]:
    """Run the visible tests; they show most wrong fixes."""
    n, failed = f["number"], 0 if right else f["failing"]
    end = f"{failed} failed, {n - failed} passed" if failed else f"{n} passed"
    return call("bash", {"command": say(r, ("python -m pytest «-q|-x -q|» "
    f"{f['test']}"))}, f"{end} in {r.uniform(0.4, 9):.2f}s",
                say(r, "«Run the tests.|Check with the suite.|»"), not failed)  # fmt: skip


def close(r: Random, f: dict, done: list[Message]) -> list[Message]:
    """What was done, handed in with a word that owns up to failing tests."""
    if any(m.get("ok") is False for m in done):
        end = (
            "«Some tests of the module still fail|A test still fails after this», «so the fix is partial.|I "
            "ran out of ideas.»"
        )
    else:
        end = "«Handed in.|Nothing else was touched.|The change is one line.»"
    text = say(r, f"«I changed|I edited|I worked on» `{f['function']}`« in {f['path']}|». ") + say(r, end)
    return [*done, *call("submit", {}, "submitted"), tell(text)]
