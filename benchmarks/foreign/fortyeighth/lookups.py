"""Questions with retrieval over an invented gazetteer."""

import random

from benchmarks.foreign.fortyeighth.attempts import Task, Try, is_new

STEMS = ["Har", "Velm", "Osk", "Trin", "Bel", "Quor", "Nast", "Ild", "Morv", "Sel", "Dran", "Ket", "Ulm", "Fenn"]
ENDS = ["wick", "stad", "holm", "ora", "ely", "mouth", "gard", "ina", "borg", "ford"]
FIRST = ["Agnes", "Tobias", "Mirela", "Olaf", "Petra", "Casper", "Yrsa", "Henrik", "Salome", "Edwin", "Liv", "Marek"]
LAST = [
    "Brandt",
    "Okafor",
    "Lindqvist",
    "Varga",
    "Moreau",
    "Sato",
    "Kowal",
    "Ferrer",
    "Dahl",
    "Novak",
    "Ismail",
    "Reyes",
]
WORKS = ["lighthouse", "covered market", "iron bridge", "botanical garden", "observatory", "town theatre", "dry dock"]
SYSTEM = "Answer with the search tool. Finish with 'Answer: ...' in as few words as possible."


def pool(rng: random.Random, count: int) -> list[Task]:
    """Different questions with the documents that answer them."""
    tasks = []
    while len(tasks) < count:
        number = len(tasks)
        town, work = rng.choice(STEMS) + rng.choice(ENDS), rng.choice(WORKS)
        who, year = f"{rng.choice(FIRST)} {rng.choice(LAST)}", rng.randint(1790, 1935)
        born, cost = year - rng.randint(27, 61), rng.randint(12, 90) * 1000
        family = rng.choice(["who", "when", "born"])
        ask = {
            "who": f"Who designed the {work} of {town}?",
            "when": f"In which year was the {work} of {town} opened?",
            "born": f"In which year was the designer of the {work} of {town} born?",
        }[family]
        if not is_new(tasks, ask):
            continue
        gold = {"who": who, "when": str(year), "born": str(born)}[family]
        data = {"town": town, "work": work, "who": who, "year": year, "born": born, "cost": cost}
        tasks.append(Task(f"gaz-{number:04d}", ask, gold, family, data))
    return tasks


def passages(rng: random.Random, task: Task, person: bool, good: bool) -> list[str]:
    """What the index holds for a query: the documents, or others near them."""
    d = task.data
    other = rng.choice(STEMS) + rng.choice(ENDS)
    far = (
        f"{other} is a parish on the northern shore. Its fair in {rng.choice(['May', 'June', 'October'])} draws about "
        f"{rng.randint(2, 30)} hundred visitors, and the ferry runs {rng.randint(2, 9)} times a day."
    )
    if not good:
        return [far, f"{d['town']} has a museum of nets and a school for pilots. Its harbour freezes in hard winters."]
    if person:
        return [
            f"{d['who']}, born in {d['born']} as the child of a miller, studied drawing and kept an office of six.",
            far,
        ]
    return [
        f"The {d['work']} of {d['town']} stands above the old quay. The council voted {d['cost']} crowns for it "
        f"after a long dispute over the site. It was opened in {d['year']} to plans by {d['who']}.",
        far,
    ]


def call(query: str, thought: str) -> dict:
    """A turn that searches."""
    return {
        "role": "assistant",
        "content": thought,
        "tool_calls": [{"name": "search", "arguments": f'{{"query": "{query}"}}'}],
    }


def told(texts: list[str]) -> dict:
    """What the search tool answers."""
    found = "\n".join(f"[{place}] {text}" for place, text in enumerate(texts, 1))
    return {"role": "tool", "tool_name": "search", "content": found or "no results"}


def query_for(rng: random.Random, task: Task, good: bool) -> tuple[str, str]:
    """A query and the thought before it."""
    d = task.data
    if good:
        query = rng.choice(
            [f"{d['work']} of {d['town']}", f"{d['town']} {d['work']} history", f"{d['town']} {d['work']}"]
        )
    else:
        query = rng.choice([f"{d['work']}", f"who built things in {d['town']}", f"famous {d['work']} designers"])
    thought = rng.choice(
        [
            f"I know nothing about {d['town']}, so I search.",
            f"The question is about the {d['work']}; let me look it up.",
            f"I should find a page on the {d['work']} in {d['town']}.",
        ]
    )
    return query, thought


def conclude(rng: random.Random, task: Task, right: bool) -> tuple[str, str]:
    """The last message, and its answer."""
    d = task.data
    answer = task.gold
    if not right:
        near = d["born"] if task.family == "when" else d["year"]
        answer = (
            f"{rng.choice(FIRST)} {rng.choice(LAST)}"
            if task.family == "who"
            else str(near + rng.choice([0, 1, -3, 10]))
        )
        if answer == task.gold:
            answer = "unknown"
    lead = rng.choice(
        [
            f"From what I read about the {d['work']} of {d['town']}, this is settled.",
            f"The passage on {d['town']} says enough.",
            "That is as much as the pages give me.",
            f"Putting the pages on the {d['work']} together:",
        ]
    )
    return f"{lead}\nAnswer: {answer}", answer


def answering(rng: random.Random, task: Task, chance: float, step: int) -> Try:
    """Search once or more, then answer; right where the page was found and read well."""
    turns, found = [], False
    for _ in range(rng.choice([1, 2, 2, 3])):
        found = rng.random() < 0.35 + 0.65 * chance
        query, thought = query_for(rng, task, found)
        turns += [call(query, thought), told(passages(rng, task, False, found))]
        if found:
            break
    if found and task.family == "born":
        turns += [
            call(task.data["who"], f"The designer was {task.data['who']}. Now the year of birth."),
            told(passages(rng, task, True, True)),
        ]
    right = found and rng.random() < 0.55 + 0.43 * chance
    text, answer = conclude(rng, task, right)
    turns.append({"role": "assistant", "content": text})
    return Try(task, text, right, answer, turns)
