"""Questions of school physics, and counts that only a search finds."""

from random import Random

from benchmarks.foreign.twentyninth.rollouts import Message, Reply, Task, call, say, told

QUESTIONS = [
    ("A cart of {a} kg is pushed with {n} N without friction. How fast is it after {b} s, in m/s?", "{n} / {a} * {b}"),
    ("A resistor of {a} ohm carries {b} A. Which power does it turn into heat, in W?", "{a} * {b} ** 2"),
    ("A pump lifts {a} kg of water by {b} m. Which work is done, in J, with g = 10?", "{a} * 10 * {b}"),
    ("A wave of {a} Hz has a length of {b} m. What is its speed in m/s?", "{a} * {b}"),
    ("A stone falls from rest for {a} s. How many metres does it fall with g = 10?", "5 * {a} ** 2"),
    ("A spring of {n} N/m is stretched by {b} cm. Which force in N does it take?", "{n} * {b} / 100"),
]


def physics_task(rng: Random, pid: str) -> Task:
    """A formula with numbers."""
    text, term = rng.choice(QUESTIONS)
    numbers = {"a": rng.randint(2, 80), "b": rng.randint(2, 40), "n": rng.randrange(20, 900, 4)}
    term = term.format(**numbers)
    value = f"{_value(term):g}"
    lab = rng.choice(["", "Lab sheet. ", "Quiz. ", "Homework. ", "Warm-up. "])
    return Task(pid, lab + text.format(**numbers), value, rng.gauss(0, 0.6), "physics", data={"term": term})


def _value(term: str) -> float:
    total = 0.0
    for part in term.split(" + "):
        product, sign = 1.0, "*"
        tokens = part.replace(" ** 2", "^").split(" ")
        for token in tokens:
            if token in "*/":
                sign = token
                continue
            number = float(token.rstrip("^")) ** (2 if token.endswith("^") else 1)
            product = product * number if sign == "*" else product / number
        total += product
    return round(total, 2)


def guess(rng: Random, task: Task, right: bool) -> str:
    """The value, or one near it."""
    if right:
        return task.gold
    value = float(task.gold)
    wrong = rng.choice([value * 10, value / 2, value + rng.randint(1, 30), value * 2])
    return f"{wrong:g}" if f"{wrong:g}" != task.gold else f"{value + 1:g}"


def by_head(rng: Random, task: Task, right: bool) -> Reply:
    """Answers without a tool."""
    answer = guess(rng, task, right)
    lead = rng.choice(["The formula gives", "Put in the numbers:", "From the definition,", "We need", "By the law,"])
    tail = rng.choice(["", " The unit fits.", " That is of the right size.", " No more is needed."])
    return Reply([say(f"{lead} {task.data['term']} = {answer}.{tail}\nAnswer: {answer}")], answer)


def by_tool(rng: Random, task: Task, right: bool) -> Reply:
    """Answers with one to three calls of a calculator; wrong attempts mistype the formula."""
    term = task.data["term"] if right else task.data["term"].replace("*", "+", 1)
    answer = f"{_value(term):g}"
    out: list[Message] = []
    if rng.random() < 0.35:
        first = term.split(" ")[0]
        out += [call("Check one factor first.", "python", {"code": f"print({first})"}), told("python", first)]
    lead = rng.choice(["I compute it.", "Let me calculate.", ""])
    out += [call(lead, "python", {"code": f"print(f'{{{term}:g}}')"}), told("python", answer)]
    if rng.random() < 0.3:
        again = {"code": f"v = {term}\nprint(f'{{v:g}}')"}
        out += [call("Once more to be sure.", "python", again), told("python", answer)]
    return Reply(
        [*out, say(f"{rng.choice(['So it is', 'The result is', 'This gives'])} {answer}.\nAnswer: {answer}")], answer
    )


def search_task(rng: Random, pid: str) -> Task:
    """A count over thousands of integers with three conditions."""
    top, a, b, s = (
        rng.randrange(1500, 4000, 50),
        rng.choice([6, 10, 14, 15]),
        rng.choice([9, 11, 21]),
        rng.randint(9, 20),
    )
    count = sum(1 for n in range(1, top + 1) if n % a and n % b and sum(map(int, str(n * n))) % s == s // 2)
    text = (
        f"How many positive integers n up to {top} are divisible by neither {a} nor {b} and "
        f"have a square whose digit sum leaves "
        f"remainder {s // 2} modulo {s}?"
    )
    return Task(pid, text, str(count), 6.5, "olympiad", data={"top": top, "a": a, "b": b, "s": s})


def stab(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """Estimates such a count."""
    d = task.data
    free = d["top"] - d["top"] // d["a"] - d["top"] // d["b"]
    answer = task.gold if right else str(max(1, round(free / d["s"] * rng.uniform(0.6, 1.7))))
    if answer == task.gold and not right:
        answer = str(int(answer) + 1)
    lead = rng.choice(
        ["Inclusion and exclusion first.", "Digit sums follow n^2 mod 9.", "We split by residues.", "Try small cases."]
    )
    mid = rng.choice(
        [
            f"About {free} integers remain.",
            f"Removing multiples leaves {free} or a little more.",
            f"{d['top']} - {d['top'] // d['a']} - ... = {free}",
        ]
    )
    tail = rng.choice(
        ["Assuming the residues are even,", "A sample of the first fifty suggests", "Hence roughly", "By symmetry"]
    )
    return Reply([say(f"{lead} {mid} {tail} {answer}.\n\n\\boxed{{{answer}}}")], answer)
