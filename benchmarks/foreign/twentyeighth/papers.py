"""Errands with papers in the form of ReAct."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

SYSTEM = "Use Thought, Action (JSON) and wait for Observation. End with Action: FINISH."
FIELDS = {
    "cs.CL": "parsing",
    "cs.LG": "pruning",
    "cs.RO": "grasping",
    "stat.ML": "kernels",
    "cs.DB": "joins",
    "cs.CV": "depth",
}
WORDS = ["Sparse", "Latent", "Robust", "Lazy", "Causal", "Tiny", "Spectral", "Noisy"]


def errand(rng: Random, number: int) -> Task:
    """Fetch papers and save a summary."""
    area, count, days = rng.choice(list(FIELDS)), rng.randint(2, 9), rng.randint(1, 14)
    text = (
        f"Fetch the {count} newest papers in {area} of the last {days} days, save the "
        f"titles to output/{area}-{rng.randint(10, 99)}.txt and tell me how many you "
        "found."
    )
    return Task(
        f"arxiv-{number:04d}", text, str(count), rng.gauss(0, 0.8), area, {"area": area, "count": count, "days": days}
    )


def _titles(rng: Random, task: Task, count: int) -> str:
    return "; ".join(
        (
            f"{rng.choice(WORDS)} {rng.choice(WORDS).lower()} {FIELDS[task.family]} "
            f"({rng.randint(2601, 2609)}.{rng.randint(10000, 99999)})"
        )
        for _ in range(count)
    )


def _action(rng: Random, task: Task) -> str:
    d = task.data
    thought = rng.choice(
        [
            "First I fetch the list.",
            f"I need papers of {d['area']}.",
            "The tool for recent papers fits.",
            "Start with a search.",
        ]
    )
    arguments = f'{{"category": "{d["area"]}", "max_results": {d["count"]}, "days": {d["days"]}}}'
    return f'Thought: {thought}\nAction: {{"name": "get_recent_papers", "args": {arguments}}}'


def imagined(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """The errand, with real observations or with imagined ones."""
    d = task.data
    save = f'Thought: Now save them.\nAction: {{"name": "save_titles", "args": {{"path": "output/{d["area"]}.txt"}}}}'
    end = rng.choice(
        [f"Thought: {d['count']} papers are saved.\nAction: FINISH", "Thought: The task is complete.\nAction: FINISH"]
    )
    if rng.random() < 0.38 + 0.25 * progress:
        made_up = rng.choice(
            [
                f"Observation: fetched {d['count']} papers: {_titles(rng, task, 2)}",
                f"Observation: success, list saved to output/{d['area']}.txt",
            ]
        )
        tail = f"\n{save}\nObservation: saved" if rng.random() < 0.5 else ""
        return [say("assistant", f"{_action(rng, task)}\n{made_up}{tail}\n{end}")]
    turns = [
        say("assistant", _action(rng, task)),
        say("user", f"Observation: {d['count']} results: {_titles(rng, task, min(3, d['count']))}"),
    ]
    if right or rng.random() < 0.4:
        turns += [
            say("assistant", save),
            say("user", "Observation: file written" if right else "Observation: error, no such directory"),
        ]
    return [*turns, say("assistant", end)]
