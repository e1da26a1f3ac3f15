"""A small repository that renders reports: tasks with a function to mend, its snapshot, and the tools' answers."""

import random

from benchmarks.foreign.thirtythird.policy import Task, call, hear

PARTS = ("header", "footer", "totals", "legend", "index", "summary", "badges", "margin")
FLAWS = {
    "drops the last row": ("rows[:-1]", "rows"),
    "sorts names by length": ("key=len", "key=str.casefold"),
    "rounds down": ("int(value)", "round(value)"),
    "forgets the unit": ('f"{value}"', 'f"{value} kg"'),
    "starts counting at zero": ("enumerate(rows)", "enumerate(rows, 1)"),
}
OPEN = (
    "I begin with the file that the report names.",
    "First I look at how this part is rendered.",
    "The failing part should be easy to find.",
    "Let me read the code before I change it.",
    "I open the renderer to see what happens.",
)


def repairs(rng: random.Random, count: int) -> list[Task]:
    """Reports of a flaw."""
    pairs = rng.sample([(part, flaw) for part in PARTS for flaw in FLAWS], count)
    tasks = []
    for number, (part, flaw) in enumerate(pairs):
        text = (
            f"The {part} renderer {flaw}. Mend src/render_{part}.py; tests/test_{part}.py compares with its snapshot."
        )
        tasks.append(Task(f"fix-{number:02d}", text, "", part, rng.gauss(-0.2, 0.9), {"part": part, "flaw": flaw}))
    return tasks


def look(rng: random.Random, task: Task) -> list[dict]:
    """Reading the renderer."""
    part, bad = task.data["part"], FLAWS[task.data["flaw"]][0]
    path = f"src/render_{part}.py"
    source = f"def render_{part}(rows):\n    # writes the {part}\n    return layout({bad})\n"
    return [call(rng.choice(OPEN), "read_file", path=path), hear(source, "read_file")]


def edit(rng: random.Random, task: Task, right: bool) -> list[dict]:
    """Editing the renderer."""
    part, (bad, good) = task.data["part"], FLAWS[task.data["flaw"]]
    new = good if right else rng.choice([pair[1] for pair in FLAWS.values() if pair[1] != good])
    path = f"src/render_{part}.py"
    why = rng.choice(
        (f"It uses {bad}, which {task.data['flaw']}.", f"{new} should be right here.", "This line is at fault.")
    )
    return [
        call(why, "edit_file", path=path, old=f"layout({bad})", new=f"layout({new})"),
        hear(f"edited {path}", "edit_file"),
    ]


def check(task: Task, passed: bool) -> list[dict]:
    """Running the test."""
    path = f"tests/test_{task.data['part']}.py"
    told = (
        "1 passed in 0.11s" if passed else f"FAILED {path}::test_snapshot - AssertionError: snapshot differs\n1 failed"
    )
    return [call("I run the test.", "run_tests", path=path), hear(told, "run_tests", passed)]
