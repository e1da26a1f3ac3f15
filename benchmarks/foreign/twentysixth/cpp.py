"""Small C++ functions, compiled and run against hidden cases in a pod."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

GOALS = {
    "filter": ("the sum of all elements of a vector that are divisible by {n}", "if (x % {n} == 0) s += x;"),
    "count": ("how many elements of a vector are larger than {n}", "if (x > {n}) s += 1;"),
    "clip": ("the sum of a vector after each element is capped at {n}", "s += std::min<long>(x, {n});"),
    "weight": ("the sum of a vector with each element times {n}", "s += x * {n}L;"),
    "distance": ("the sum of the distances of all elements from {n}", "s += std::abs(x - {n}L);"),
}
MEMORY = {"filter": 61, "count": 44, "clip": 57, "weight": 70, "distance": 66}


def task(rng: Random) -> Task:
    """One function over a vector."""
    family, number = rng.choice(list(GOALS)), rng.randint(2, 499)
    name = pick(rng, "solve", "total", "answer", "compute", "tally")
    prompt = f"Write a C++17 function `long {name}(const std::vector<long>& v)` that returns "
    prompt += (
        GOALS[family][0].format(n=number)
        + f". Vectors hold up to {rng.choice((1, 2, 5))}{'0' * rng.randint(4, 7)} items."
    )
    line = GOALS[family][1].format(n=number)
    return Task(family, prompt, "", extra={"name": name, "line": line, "peak_mib": MEMORY[family]})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """A loop; wrong ones are off in a sign, a bound or the start."""
    line, start, var = t.extra["line"], "0", pick(rng, "x", "e", "item", "val")
    if not right:
        change = rng.randrange(3)
        line = line.replace("==", "!=").replace(" > ", " >= ").replace("min", "max").replace("s += x *", "s -= x *")
        line = line.replace("s += std::abs", "s -= std::abs") if change else line.replace("s +=", "s =")
        start = "1" if change == 2 else "0"
    line = line.replace("x", var) if var != "x" else line
    line = line.replace(f"ma{var}", "max")
    sign = f"long {t.extra['name']}(const std::vector<long>& v)"
    code = f"{sign} {{\n    long s = {start};\n    for (long {var} : v) {{ {line} }}\n    return s;\n}}"
    talk = pick(rng, "One pass suffices.", "A plain loop:", "Linear time, constant memory.", "Here it is.", "")
    tests = Random(t.prompt).randint(8, 14)
    passed = tests if right else rng.randint(0, tests - 1)
    extra = {
        "tests_passed": passed,
        "tests_total": tests,
        "exit_code": 0 if right else 1,
        "node": f"pod-{rng.randrange(6)}",
    }
    return Reply([say(f"{talk}\n```cpp\n#include <vector>\n{code}\n```".strip())], code, extra)


WORLD = World(task, reply)
