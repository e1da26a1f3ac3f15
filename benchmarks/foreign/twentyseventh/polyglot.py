"""Short programs in four languages, run in a sandbox."""

import re
from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import say, town

CODE = {
    "python": ("a, b = map(int, input().split())\nprint({e})", "python main.py"),
    "cpp": ("#include <iostream>\nint main() {{ long a, b; std::cin >> a >> b; "
            "std::cout << ({e}); }}", "g++ -O2 main.cpp"),
    "java": ("import java.util.*;\nclass Main {{ public static void main(String[] x) {{ Scanner "
             "s = new Scanner(System.in); "
             "long a = s.nextLong(), b = s.nextLong(); System.out.println({e}); }} }}", "javac Main.java"),
    "go": ('package main\n\nimport "fmt"\n\nfunc main() {{\n\tvar a, b int\n\tfmt.Scan(&a, '
           '&b)\n\tfmt.Println({e})\n}}', "go run main.go"),
}  # fmt: skip
WISHES = (
    ("the perimeter of a field A by B", "2 * (a + b)", "a + b"),
    ("the area of a field A by B", "a * b", "2 * a * b"),
    ("how many more boats A is than twice B", "a - 2 * b", "a - b"),
    ("the sum of A and B, tripled", "3 * (a + b)", "3 * a + b"),
    ("the square of A reduced by B", "a * a - b", "a - b * b"),
    ("A tons in sacks of 7, what remains, plus B", "a % 7 + b", "a / 7 + b"),
)


def task(rng: Random) -> Task:
    """A wish and a language."""
    language = rng.choices(list(CODE), (3, 2, 2, 3))[0]
    what, good, bad = rng.choice(WISHES)
    name = {"cpp": "C++", "java": "Java", "go": "Go", "python": "Python"}[language]
    place, top = town(rng), rng.randint(20, 900)
    question = f"For the harbour office of {place}: read A and B (up to {top}) and print {what}. Use {name}."
    facts = {"good": good, "bad": bad, "town": place, "top": top}
    return Task(question, good, family=language, shown={"language": language}, facts=facts)


NAMES = (("a", "b"), ("n", "m"), ("x", "y"), ("p", "q"), ("length", "width"), ("first", "second"), ("u", "v"))


def named(rng: Random, code: str) -> str:
    """The same program with names of its own for the two numbers."""
    first, second = rng.choice(NAMES)
    return re.sub(r"\b[ab]\b", lambda found: first if found[0] == "a" else second, code)


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A program in its fence."""
    code = named(rng, CODE[task.family][0].format(e=task.facts["good" if right else "bad"]))
    office = task.facts["town"]
    note = say(
        rng,
        f"[Here is the program|This reads both numbers and prints the value|A short program suffices|As wished]"
        f"[ for {office}| for the office| for values up to {task.facts['top']}|]:",
    )
    ending = say(rng, "[\nIt runs in constant time.|\nNo edge cases remain.|\nBoth numbers stand on one line.|]")
    return Reply([speak(f"{note}\n```{task.family}\n{code}\n```{ending}")], code)


POLYGLOT = Domain(task, reply)
