"""Questions about tables, answered with Python in a sandbox."""

from random import Random

from benchmarks.foreign.ninth.episodes import Message, Reply, Task, call, tell
from benchmarks.foreign.ninth.wording import GOODS, TOWNS, key, say

SYSTEM = "You are a data analyst. Use the python tool, then state the answer as <answer>...</answer>."
MEASURES = ("revenue", "returns", "visits", "litres", "claims", "downtime", "weight_kg", "hours")


def table_task(rng: Random) -> Task:
    """A question about one file."""
    file = f"{rng.choice(('data', 'export', 'q', 'log', 'raw'))}_{key(rng, '', 4)}.csv"
    column, by = rng.choice(MEASURES), rng.choice(("town", "product"))
    names = rng.sample(TOWNS if by == "town" else GOODS, rng.randint(5, 9))
    totals = {n: round(rng.uniform(40, 9000), 1) for n in names}
    ask = rng.choice(("top", "mean", "gap", "share"))
    total, high, low = sum(totals.values()), max(totals, key=totals.__getitem__), min(totals.values())
    one = rng.choice(names)
    text, gold, code = {
        "top": (f"Which {by} has the «highest|largest» total {column}?", high,
                f"df.groupby('{by}')['{column}'].sum().sort_values()"),
        "mean": (f"What is the mean of the total {column} per {by}, to one decimal?", f"{total / len(names):.1f}",
                 f"df.groupby('{by}')['{column}'].sum().mean()"),
        "gap": (f"By how much does the best {by} exceed the worst in total {column}, to one decimal?",
                f"{totals[high] - low:.1f}", f"df.groupby('{by}')['{column}'].sum().agg(['max', 'min'])"),
        "share": (f"What share of the total {column}, in percent to one decimal, comes from {one}?",
                  f"{100 * totals[one] / total:.1f}", f"df.groupby('{by}')['{column}'].sum() / df['{column}'].sum()"),
    }[ask]  # fmt: skip
    facts = {
        "file": file,
        "column": column,
        "by": by,
        "totals": totals,
        "code": code,
        "ask": ask,
        "rows": rng.randint(300, 90000),
    }
    prompt = say(rng, f"The file {file} «lists|records» {column} by {by}, «one line a day|one line per entry». {text}")

    def solve(r: Random, right: bool) -> Reply:
        answer = gold if right else slip(r, facts, gold)
        is_off, other = not right and ask != "share" and r.random() < 0.5, r.choice((".mean()", ".median()", ".max()"))
        used = code.replace(".sum()", other) if is_off else code
        if is_off:
            answer = slip(Random(facts["file"] + other), facts, gold)
        messages = peek(r, facts) + compute(r, used, printed(facts, answer if is_off else gold))
        return Reply([*messages, state(r, answer)], answer)

    return Task(prompt, gold, "data", solve, SYSTEM, data=facts)


def slip(r: Random, f: dict, gold: str) -> str:
    """A wrong answer of the same sort."""
    if f["ask"] == "top":
        return r.choice([n for n in f["totals"] if n != gold])
    return f"{float(gold) * r.choice((0.5, 0.87, 0.93, 1.08, 1.21, 2)) + r.choice((0.3, 1.1)):.1f}"


def peek(r: Random, f: dict) -> list[Message]:
    """Load the file and look at its head."""
    code = f"import pandas as pd\ndf = pd.read_csv('{f['file']}')\n" + r.choice(
        ("print(df.shape)", "print(df.head(4))")
    )
    rows = "\n".join(f"{i}  {n}  {f['totals'][n] / 37:.1f}" for i, n in enumerate(list(f["totals"])[:4]))
    answer = f"({f['rows']}, 3)" if "shape" in code else f"   {f['by']}  {f['column']}\n{rows}"
    return call("python", {"code": code}, answer, say(r, "«I load the file first.|A look at the data.|»"))


def printed(f: dict, gold: str) -> str:
    """What the sandbox prints."""
    if f["ask"] == "top":
        values = sorted(f["totals"].values())
        names = [n for n in sorted(f["totals"], key=f["totals"].__getitem__) if n != gold]
        return "\n".join(f"{n:<14}{v:.1f}" for n, v in zip([*names, gold], values, strict=True))
    if f["ask"] == "gap":
        low = min(f["totals"].values())
        return f"max    {low + float(gold):.1f}\nmin    {low:.1f}"
    if f["ask"] == "share":
        return "\n".join(f"{n:<14}{v / sum(f['totals'].values()):.6f}" for n, v in f["totals"].items())
    return f"{float(gold):.6f}"


def compute(r: Random, code: str, answer: str) -> list[Message]:
    """Compute the figure."""
    thought = say(r, "«Now the grouping.|Group and aggregate.|That is one line of pandas.|»")
    return call("python", {"code": r.choice(("print({})", "res = {}\nprint(res)", "{}")).format(code)}, answer, thought)


def state(r: Random, answer: str) -> Message:
    """State the answer."""
    return tell(
        say(r, "«The table gives|From the output|So the result is|The figure asked for:»")
        + f" <answer>{answer}</answer>"
    )
