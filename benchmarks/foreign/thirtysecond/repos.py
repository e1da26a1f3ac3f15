"""Bugs in repositories, and episodes of an agent that reads, edits and runs tests."""

import random

from benchmarks.foreign.thirtysecond.layouts import call, told
from benchmarks.foreign.thirtysecond.policy import Task, Try

AREAS = (
    ("dates", "parse_span", "text", "a range that crosses midnight loses a day", "text = with_next_day(text)"),
    ("paths", "join_parts", "parts", "a leading slash drops the parts before", "parts = [p.strip('/') for p in parts]"),
    ("money", "split_bill", "total", "cents go missing when a bill is split", "total = int(round(total * 100))"),
    ("tables", "align", "rows", "wide characters break the columns", "rows = [pad(r, display_width(r)) for r in rows]"),
    ("urls", "with_query", "url", "a fragment ends up before the query", "url, _, rest = url.partition('#')"),
    ("cache", "evict", "ages", "the newest entry is thrown out first", "ages = sorted(ages, key=ages.get)"),
    ("geo", "wrap", "lon", "longitudes of 180 become -180", "lon = 180 if lon == -180 else lon"),
    ("text", "wrap_lines", "line", "a word longer than the line is lost", "line = ' '.join(pieces(line))"),
    ("units", "convert", "value", "negative temperatures lose their sign", "value = float(value)"),
    ("queue", "retry", "job", "a job that failed once is never tried again", "job.attempts += 1"),
)
NAMES = ("tidal", "quillpen", "harborline", "mosspath", "ferrywire", "lanternbox", "oakbridge", "pebblekit")
READ = ("I read the module first.", "Let me see the function.", "The report names the place.", "First the source.")
TEST = ("Now the tests.", "I run the suite.", "Does it hold?", "Check it.")


def bugs(rng: random.Random, prefix: str = "", number: int = 80) -> list[Task]:
    """Bug reports, with a fix, something that misses, and thoughts about them."""
    pairs = rng.sample([(n, a) for n in NAMES for a in AREAS], number)
    out = []
    for name, (area, func, arg, symptom, fix) in pairs:
        head = f"def {func}({arg}, *rest):"
        question = (
            f"Repository {name}: in {name}/{area}.py, {symptom}. Found in release "
            f"{rng.randint(1, 4)}.{rng.randint(0, 19)}. Fix `{func}` so that the tests pass."
        )
        data = {
            "head": head,
            "path": f"{name}/{area}.py",
            "name": name,
            "fix": f"{head}\n    {fix}\n    return finish({arg}, *rest)",
            "miss": f"{head}\n    {arg} = {arg} or default\n    return finish({arg}, *rest)",
            "line": fix,
            "func": func,
            "thoughts": (
                f"The trouble is in {func}: {symptom}.",
                f"{func} treats {arg} as if nothing came before it.",
                f"A case in {area} is missed, which explains that {symptom}.",
            ),
        }
        out.append(Task(f"{prefix}{name}__{area}-{rng.randint(100, 999)}", question, fix, rng.gauss(0, 0.7), data))
    return out


def episode(rng: random.Random, t: Try, why: str, edit: str, result: str) -> list[dict]:
    """An agent's messages: it reads, edits once, runs the tests and ends."""
    d = t.task.data
    return [
        {"role": "user", "content": t.task.question},
        call("bash", rng.choice(READ), command=f"sed -n 1,60p {d['path']}"),
        told("bash", f"{d['head']}\n    return finish({d['head'].split('(')[1].split(',')[0]}, *rest)"),
        call("write_file", why, path=d["path"], content=edit),
        told("write_file", "ok"),
        call("bash", rng.choice(TEST), command="python -m unittest -q"),
        told("bash", result, ok="FAILED" not in result and "Error" not in result),
        {"role": "assistant", "content": rng.choice((
            f"I changed {d['func']} and leave it at that.",
            f"The edit to {d['path']} is in place.",
            f"That is my patch for {d['func']}.",
        ))},
    ]  # fmt: skip
