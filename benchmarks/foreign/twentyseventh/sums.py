"""Word problems of two steps."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import musing, person, say, town

STORIES = (
    ("A bakery in {town} packs {a} rolls into each crate and sends out {b} crates. On the road {c} rolls are crushed. "
     "How many rolls arrive whole?", "mul_sub", "rolls"),
    ("{who} reads {a} pages on each of {b} evenings and then {c} pages on Sunday. How many pages is that in all?",
     "mul_add", "pages"),
    ("A ferry to {town} carries {a} cars on every crossing. After {b} crossings {c} more cars wait for the last boat, "
     "which takes them all. How many cars were carried?", "mul_add", "cars"),
    ("{who} sells {a} jars of honey on each of {b} market days. {c} jars are brought back "
     "broken and refunded. How many "
     "sales remain?", "mul_sub", "jars"),
    ("A school in {town} has {b} classes of {a} pupils. {c} pupils are ill today. How many are present?", "mul_sub",
     "pupils"),
    ("A printer makes {a} posters an hour for {b} hours; {who} adds {c} posters drawn by hand. How many posters are "
     "there?", "mul_add", "posters"),
    ("In an orchard near {town} there are {b} rows of {a} trees. A storm fells {c}. How many trees still stand?",
     "mul_sub", "trees"),
    ("{who} saves {a} kroner a week for {b} weeks and finds {c} kroner in an old coat. How much money is that?",
     "mul_add", "kroner"),
)  # fmt: skip


def task(rng: Random) -> Task:
    """A story with three numbers."""
    story, kind, unit = rng.choice(STORIES)
    a, b, c = rng.randint(12, 96), rng.randint(4, 19), rng.randint(5, 44)
    value = a * b + c if kind == "mul_add" else a * b - c
    question = story.format(a=a, b=b, c=c, who=person(rng), town=town(rng))
    system = "Solve the problem. Put the final number in \\boxed{}."
    return Task(question, str(value), family=kind, system=system, facts={"n": (a, b, c, kind), "unit": unit})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """The two steps, one of them wrong where the attempt is."""
    a, b, c, kind = task.facts["n"]
    slip = 0 if right else rng.choice((-20, -10, -2, -1, 1, 2, 10, 30))
    middle = a * b + slip
    sign, value = ("+", middle + c) if kind == "mul_add" else ("-", middle - c)
    lines = [
        say(
            rng, f"[First|To begin|Let us see]: {b} times {a} [{task.facts['unit']}|of them] [makes|is|gives] {middle}."
        ),
        *musing(rng, 0, 3 if progress < 0.5 else 2),
        say(rng, f"[Then|Next|After that] {middle} {sign} {c} = {value}."),
        say(rng, f"[So the answer is|The result:|That leaves us with|Final answer:] \\boxed{{{value}}}"),
    ]
    return Reply([speak(say(rng, "[ |\n]").join(lines))], str(value))


SUMS = Domain(task, reply)
