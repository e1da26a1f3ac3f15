"""Word problems and reasoning that solves them, or slips on the way."""

import random

from benchmarks.foreign.fortyninth.attempts import Attempt, Task, say
from benchmarks.foreign.fortyninth.families import ENGLISH, FERRY, HUERTO, KASSE, TANK, Family

OPENERS = {
    "en": (
        "Let me go through this step by step.",
        "First I sort what is given.",
        "I start with what the question asks for.",
        "We can work this out in order.",
        "The numbers suggest a short chain of sums.",
        "",
    ),
    "de": (
        "Ich rechne das der Reihe nach.",
        "Schauen wir zuerst, was gegeben ist.",
        "Gehen wir Schritt für Schritt vor.",
    ),
    "es": ("Vamos paso a paso.", "Primero miro los datos.", "Lo calculo en orden."),
}
CHECKS = {
    "en": (
        "A quick check of the size of this number shows nothing odd.",
        "Going back over the lines I see no other quantity that matters.",
        "That uses every number of the question once.",
        "The order of these operations cannot be swapped, so I keep it.",
        "",
        "",
    ),
    "de": ("Das passt zur Größe der Zahlen.", "Ich prüfe es noch einmal: die Rechnung stimmt so.", ""),
    "es": ("El tamaño del resultado parece razonable.", "Repaso las cuentas y las dejo así.", ""),
}
CLOSERS = {
    "en": ("The answer is \\boxed{{{z}}}.", "So we get \\boxed{{{z}}}.", "Final answer: \\boxed{{{z}}}"),
    "de": ("Die Antwort ist \\boxed{{{z}}}.", "Ergebnis: \\boxed{{{z}}}"),
    "es": ("La respuesta es \\boxed{{{z}}}.", "Resultado: \\boxed{{{z}}}"),
}
SYSTEM = "Reason in the language of the question, then give the final number in \\boxed{}."


def shown(env: dict, family: Family, comma: bool = True) -> dict:
    """The numbers as the language writes them."""
    if not family.cents:
        return env
    money = {"p", "q", "n", "x", "y", "s", "z"}
    return {k: coin(v, comma) if k in money and isinstance(v, int) else v for k, v in env.items()}


def coin(cents: int, comma: bool) -> str:
    """An amount of cents in euros."""
    return f"{cents / 100:.2f}".replace(".", "," if comma else ".")


def solved(family: Family, env: dict, slip: int = -1, by: int = 0) -> dict:
    """All numbers of a solution that slips at one step."""
    out = dict(env)
    for i, (name, value, _) in enumerate(family.steps):
        out[name] = value(out) + (by if i == slip else 0)
    return out


def task_of(rng: random.Random, family: Family, hard: float | None = None) -> Task:
    """A problem of the family."""
    env = family.draw(rng)
    full = solved(family, env)
    gold = coin(full["z"], False) if family.cents else str(full["z"])
    prompt = rng.choice(family.prompts).format(**shown(env, family))
    level = rng.gauss(0, 0.9) if hard is None else hard
    return Task("math", family.name, prompt, gold, level, SYSTEM, {"family": family, "env": env})


def sums(rng: random.Random) -> Task:
    """A word problem in English."""
    return task_of(rng, rng.choice(ENGLISH))


def long_sums(rng: random.Random) -> Task:
    """A word problem in English whose numbers have several digits more."""
    family = rng.choice((TANK, FERRY))
    env = family.draw(rng)
    env = {name: number * (rng.randint(51, 99) if name == "a" else rng.randint(11, 49)) for name, number in env.items()}
    prompt = rng.choice(family.prompts).format(**env)
    data = {"family": family, "env": env}
    return Task("math", f"long_{family.name}", prompt, str(solved(family, env)["z"]), rng.gauss(1.5, 0.6), SYSTEM, data)


def german(rng: random.Random) -> Task:
    """A word problem in German, with decimals."""
    return task_of(rng, KASSE)


def spanish(rng: random.Random) -> Task:
    """A word problem in Spanish."""
    return task_of(rng, HUERTO)


def wrong_numbers(rng: random.Random, task: Task) -> dict:
    """The numbers of a solution that ends wrong."""
    family, env = task.data["family"], task.data["env"]
    gold = solved(family, env)["z"]
    for _ in range(20):
        by = rng.choice([-20, -12, -10, -6, -4, -3, -2, -1, 1, 2, 3, 5, 7, 10, 11, 20])
        full = solved(family, env, rng.randrange(len(family.steps)), by)
        if full["z"] != gold:
            return full
    return solved(family, env, len(family.steps) - 1, 10)


def written(rng: random.Random, task: Task, right: bool, t: float = 0.5, brief: float = 0.0) -> str:
    """Reasoning that ends in a box; right or wrong as told, shorter where brief is larger."""
    family = task.data["family"]
    full = solved(family, task.data["env"]) if right else wrong_numbers(rng, task)
    env, language = shown(full, family), family.language
    lines = [] if rng.random() < brief else [rng.choice(OPENERS[language])]
    for _, _, ways in family.steps:
        lines.append(rng.choice(ways).format(**env))
        if rng.random() < 0.4 * (1 - brief):
            lines.append(rng.choice(CHECKS[language]))
    body = " ".join(line for line in lines if line)
    return f"{body}\n{rng.choice(CLOSERS[language]).format(**env)}"


def answer_in(text: str) -> str:
    """What the last box of a text holds."""
    return text.rsplit("\\boxed{", 1)[-1].split("}", 1)[0] if "\\boxed{" in text else ""


def play_sum(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
    """An attempt at a word problem, paid for the right number."""
    attempt = Attempt(task, [say(written(rng, task, right, t))], right)
    attempt.reward = float(right)
    attempt.terms = {"correct": attempt.reward}
    return attempt
