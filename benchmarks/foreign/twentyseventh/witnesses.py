"""Programs that print a number: the only right one, or any that has some property."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import say, town

ANY = (
    ("an integer from 0 to 9 that "
     "is not A + B", ("s = a + b", "print({w})"), ("9 if s != 9 else 0", "(s + 1) % 10", "0 if s else 5")),
    ("any multiple of A greater than B", ("k = b // a + {w}", "print(a * k)"), ("1", "2", "3")),
    ("two positive integers whose difference is A", ("x = {w}", "print(x + a, x)"), ("1", "b", "2")),
    ("an even number strictly between A and A + B + 4", ("x = a + {w}", "print(x + x % 2)"), ("1", "2", "b + 1")),
)  # fmt: skip
ONE = (
    ("the sum of A and B", ("print(a + b)",), ("print(a - b)",)),
    ("the larger of A and B", ("print(max(a, b))",), ("print(a)",)),
    ("how many multiples of 3 lie between A and A + B, both included", ("print((a + b) // 3 - (a - 1) // 3)",),
     ("print(b // 3)",)),
    ("the remainder of A times B by 97", ("print(a * b % 97)",), ("print(a % 97 * b)",)),
)  # fmt: skip


def task(rng: Random) -> Task:
    """A statement with its kind."""
    many = rng.random() < 0.46
    what, code, others = rng.choice(ANY if many else ONE)
    a_top, b_top = rng.randint(4, 60), rng.randint(3, 40)
    question = (
        f"At the port of {town(rng)} two counts A (at most {a_top}) and B (at most {b_top}) "
        f"stand in one line. Print {what}. "
        + ("If there are several, print any of them. " if many else "")
        + "Write a Python program that reads standard input."
    )
    family = "any answer accepted" if many else "one answer"
    return Task(
        question, code[-1], family=family, facts={"many": many, "code": code, "others": others, "top": (a_top, b_top)}
    )


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A program; `witness` numbers the valid way that it took, 0 being the reference's."""
    code, others, witness = task.facts["code"], task.facts["others"], 0
    if task.facts["many"] and right:
        witness = rng.choices(range(3), (2, 5, 4))[0]
        body = [line.format(w=others[witness]) for line in code]
    elif task.facts["many"]:
        body = ["print(a)" if rng.random() < 0.5 else "print(-1)"]
    else:
        body = list(code if right else others)
    read = rng.choice(("a, b = map(int, input().split())", "a, b = (int(x) for x in input().split())"))
    note = say(
        rng, "[Reading both counts and printing at once|A direct program|No loop is needed|This follows the statement]."
    )
    lines = "\n".join(
        [read, *(["# " + say(rng, "[valid by construction|as asked]")] if rng.random() < 0.3 else []), *body]
    )
    return Reply([speak(f"{note}\n```python\n{lines}\n```")], body[-1], {"witness": witness})


WITNESSES = Domain(task, reply)
