"""How lines of work become the text of an attempt."""

from random import Random

from benchmarks.foreign.twentyfirst.messages import say
from benchmarks.foreign.twentyfirst.rollouts import Now, Reply, Solve, Task

OPEN = (
    "Let me work through this.",
    "We go step by step.",
    "First, what is given.",
    "I'll set this up carefully.",
    "Start from the data in the question.",
    "Okay, so",
    "Let's see.",
    "Here is my reasoning.",
    "",
)
CHECK = (
    "Quick check: the size is plausible.",
    "That agrees with a rough estimate.",
    "Let me verify the last line once more; it holds.",
    "Units are consistent.",
    "Nothing else in the question changes this.",
    "I re-read the question and this is what it asks for.",
)
CLOSE = {
    "boxed": ("So the answer is $\\boxed{%s}$.", "Therefore $\\boxed{%s}$", "Hence \\boxed{%s}."),
    "line": ("Answer: %s", "Final answer: %s", "**Answer:** %s"),
    "tag": ("<answer>%s</answer>", "<answer> %s </answer>", "<answer>%s</answer>"),
    "total": ("Total: Fr. %s", "Antwort: %s", "**Total Fr. %s**"),
    "hash": ("#### %s", "#### %s", "\n#### %s"),
}


GERMAN_OPEN = (
    "Ich rechne Posten für Posten.",
    "Zuerst die einzelnen Beträge.",
    "Gerne, hier die Rechnung.",
    "Also:",
    "",
)
GERMAN_CHECK = ("Die Grössenordnung stimmt.", "Überschlagen passt das.", "Die Rundung ist berücksichtigt.")


def teller(form: str = "boxed", gap: str = "\n", german: bool = False) -> Solve:
    """Tell the work of a task, and close with its answer in one form."""
    opens, checks = (GERMAN_OPEN, GERMAN_CHECK) if german else (OPEN, CHECK)

    def solve(rng: Random, task: Task, right: bool, now: Now) -> Reply:
        lines, answer = task.work(rng, right)
        body = [rng.choice(opens), *lines]
        if rng.random() < 0.4:
            body.append(rng.choice(checks))
        body.append(rng.choice(CLOSE[form]) % answer)
        return Reply([say(gap.join(line for line in body if line))], answer)

    return solve


def _once_more(rng: Random, task: Task, right: bool, answer: str) -> list[str]:
    for _ in range(60):
        lines, other = task.work(rng, right)
        if other == answer:
            return lines
    return []


def thinker(form: str = "boxed") -> Solve:
    """Think longer as training goes on: the work is gone through again and compared."""

    def solve(rng: Random, task: Task, right: bool, now: Now) -> Reply:
        lines, answer = task.work(rng, right)
        body = [rng.choice(OPEN), *lines]
        for _ in range(int(rng.random() + 2.6 * now.share * rng.uniform(0.6, 1.3))):
            again = _once_more(rng, task, right, answer) or lines
            body += [rng.choice(("Wait, let me redo that.", "Double-check:", "Another pass to be safe.")), *again]
            body.append(rng.choice(("Same result.", "Consistent with before.", "Good, it matches.")))
        thought = "\n".join(line for line in body if line)
        return Reply([say(f"<think>\n{thought}\n</think>\n\n" + rng.choice(CLOSE[form]) % answer)], answer)

    return solve
