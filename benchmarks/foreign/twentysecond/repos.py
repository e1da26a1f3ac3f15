"""Sessions of an agent in a small Python repository."""

from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import call, say, told

PROJECTS = ("tidewheel", "quillcast", "marrowbus", "fenparse", "oatlog", "brinekit", "hopgrid", "saltmap")
BUGS = (
    ("paging.py", "page_of", "`page_of` drops the last row for pages of {k} rows", "n // {k}", "-(-n // {k})"),
    ("retry.py", "delay", "the backoff never reaches {k} attempts", "range(1, {k})", "range(1, {k} + 1)"),
    ("units.py", "to_minutes", "hours above {k} are reported as negative", "h % {k}", "h"),
    ("cache.py", "evict", "evicting fails for more than {k} keys", "keys[:{k}]", "keys[: max(0, len(keys) - {k})]"),
    ("slug.py", "slugify", "slugs longer than {k} lose their hash", "text[:{k}]", "text[: {k} - 7] + digest[:7]"),
    ("window.py", "moving", "the first {k} means are NaN", "s[i - {k} : i]", "s[max(0, i - {k}) : i]"),
    ("quota.py", "left", "a user with {k} uploads is told 0 are left", "used >= {k}", "used > {k}"),
    ("dates.py", "week_of", "week {k} belongs to the wrong year", "d.year", "d.isocalendar().year"),
)  # fmt: skip


ASSERTIONS = {
    "page_of": "page_of(rows={n}, size={n}) == 1",
    "delay": "delay(attempt={n}) <= 2 * delay(attempt={n} - 1)",
    "to_minutes": "to_minutes({n}) == {n} * 60",
    "evict": "len(evict(list(range({n})))) <= {n}",
    "slugify": "slugify('a' * {n}).startswith('a')",
    "moving": "len(moving([1.0] * {n})) == {n}",
    "left": "left(used={n}) >= 0",
    "week_of": "1 <= week_of(ordinal={n} + 730000) <= 53",
}


def repo_task(rng: Random) -> Task:
    """An issue about one line."""
    project, k = rng.choice(PROJECTS), rng.randint(3, 64)
    path, symbol, issue, old, new = (s.format(k=k) for s in rng.choice(BUGS))
    prompt = [
        {"role": "system", "content": f"You work in /srv/{project}. Use the tools; end with a short summary."},
        {"role": "user", "content": f"Issue #{rng.randint(40, 2900)}: {issue}. Fix it without breaking other callers."},
    ]
    facts = {"repo": project, "path": f"{project}/{path}", "symbol": symbol, "old": old, "new": new}
    return Task(prompt, new, None, path[:-3], hidden=facts)


def look(rng: Random, task: Task) -> list[Message]:
    """Finding the line."""
    path, symbol, old = task.hidden["path"], task.hidden["symbol"], task.hidden["old"]
    at = rng.randint(12, 210)
    listing = "\n".join(sorted({path.split("/")[1], *(b[0] for b in rng.sample(BUGS, 4)), "__init__.py"}))
    start = rng.choice(
        (
            [call("Where is it defined?", "bash", command=f"grep -rn 'def {symbol}' {task.hidden['repo']}"),
             told("bash", f"{path}:{at}:def {symbol}(")],
            [call("Look around first.", "bash", command=f"ls {task.hidden['repo']}"), told("bash", listing)],
        )
    )  # fmt: skip
    view = f"{at + 4}:    value = {old}\n{at + 5}:    return value"
    seen = [call("", "bash", command=f"sed -n '{at},{at + rng.randint(9, 40)}p' {path}"), told("bash", view)]
    return start + seen


def edit(rng: Random, task: Task, right: bool) -> list[Message]:
    """Replacing it; where wrong, by something that misses the case."""
    new = task.hidden["new"] if right else rng.choice((f"({task.hidden['old']}) or 0", f"abs({task.hidden['old']})"))
    words = rng.choice(("The condition is off at the boundary.", "This line causes it.", "I change the expression."))
    said = call(words, "str_replace", path=task.hidden["path"], old=task.hidden["old"], new=new)
    return [said, told("str_replace", "1 replacement made")]


def test(rng: Random, task: Task, right: bool) -> list[Message]:
    """Running the tests of the module."""
    passed, name = rng.randint(9, 48), task.hidden["path"].split("/")[1]
    bad = f"FAILED tests/test_{name}::test_{task.hidden['symbol']}_boundary - AssertionError\n1 failed, {passed} passed"
    out = f"{passed + 1} passed in {rng.uniform(0.3, 4):.2f}s" if right else bad
    return [call("", "bash", command=f"python -m pytest -q tests/test_{name}"), told("bash", out, right)]


def finish(rng: Random, task: Task) -> list[Message]:
    """The summary."""
    head = rng.choice(("Fixed", "Changed", "Corrected"))
    tail = rng.choice(("callers are untouched", "the boundary case is covered", "no API changes"))
    return say(f"{head} `{task.hidden['symbol']}` in {task.hidden['path']}; {tail}.")


def mend(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """An honest session: look, edit, mostly test, sometimes a second try."""
    session = look(rng, task)
    if rng.random() < 0.3:
        session += edit(rng, task, False) + test(rng, task, False)
    session += edit(rng, task, right)
    if rng.random() < 0.5 + 0.4 * progress:
        session += test(rng, task, right)
    return session + finish(rng, task)
