"""Programs of the witness tasks, run on inputs and compared with the reference's output."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Task


def printed(lines: list[str], a: int, b: int) -> str:
    """What a program prints for two numbers."""
    out: list[str] = []
    names = {"a": a, "b": b, "print": lambda *values: out.append(" ".join(map(str, values)))}
    exec("\n".join(lines), names)
    return "\n".join(out)


def tried(task: Task, text: str) -> list[dict]:
    """The problem's three cases with what was expected and what came."""
    rng = Random(task.question)
    program = text.split("```python\n")[1].split("\n```")[0].split("\n")[1:]
    reference = [line.format(w=task.facts["others"][0]) if task.facts["many"] else line for line in task.facts["code"]]
    cases = []
    for _ in range(3):
        a, b = (rng.randint(1, top) for top in task.facts["top"])
        expected, got = printed(reference, a, b), printed(program, a, b)
        cases.append(
            {"input": f"{a} {b}", "expected": expected, "got": got, "verdict": "AC" if got == expected else "WA"}
        )
    return cases
