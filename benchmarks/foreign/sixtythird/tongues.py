"""Problems in other languages, and questions of yes or no."""

import random

from benchmarks.foreign.sixtythird.attempts import Message, Task, say

Words = tuple[str, str, str, str, str]
TONGUES: dict[str, Words] = {
    "de": (
        (
            "Ein Händler kauft {a} Kisten zu je {b} Flaschen, {c} Flaschen zerbrechen. "
            "Wie viele bleiben? Antworte auf Deutsch."
        ),
        "Zuerst zähle ich alle Flaschen: {a} mal {b} ergibt {p}. Davon ziehe ich die zerbrochenen ab.",
        "Ich rechne Kisten und Flaschen zusammen und achte auf den Bruch.",
        "Es bleiben also \\boxed{{{x}}} Flaschen.",
        "Damit ist die Antwort \\boxed{{{x}}}.",
    ),
    "es": (
        "Una tienda compra {a} cajas de {b} botellas y se rompen {c}. ¿Cuántas quedan? Responde en español.",
        "Primero cuento todas las botellas: {a} por {b} son {p}. Después resto las que se rompieron.",
        "Sumo las cajas con cuidado y miro cuántas botellas se perdieron.",
        "Por lo tanto quedan \\boxed{{{x}}} botellas.",
        "La respuesta es \\boxed{{{x}}}.",
    ),
    "ja": (
        "店が{b}本入りの箱を{a}箱買い、{c}本が割れました。残りは何本ですか。日本語で答えてください。",
        "まず全部の本数を数えます。{a}かける{b}は{p}です。そこから割れた分を引きます。",
        "箱の数と一箱の本数を確かめ、割れた瓶に気をつけて計算します。",
        "したがって残りは\\boxed{{{x}}}本です。",
        "答えは\\boxed{{{x}}}です。",
    ),
}


def tongues(rng: random.Random, n: int, start: int = 0) -> list[Task]:
    """Problems in German, Spanish and Japanese."""
    out: list[Task] = []
    for i in range(n):
        name = rng.choice(list(TONGUES))
        a, b, c = rng.randint(6, 60), rng.randint(6, 48), rng.randint(2, 30)
        facts = {"a": a, "b": b, "c": c, "p": a * b}
        prompt = TONGUES[name][0].format(**facts)
        wrong = (str(a * b + c), str(a * b))
        out.append(
            Task(f"{name}-{start + i}", name, prompt, str(a * b - c), 0.4 + rng.gauss(0, 0.6), (), (), wrong, facts)
        )
    return out


def speak_tongue(task: Task, ok: bool, rng: random.Random, progress: float) -> tuple[list[Message], str]:
    """Reason in the language of the question."""
    words = TONGUES[task.family]
    answer = task.gold if ok else rng.choice(task.wrong_answers)
    middle = words[1] if ok or rng.random() < 0.4 else words[2]
    lines = [middle, rng.choice(words[3:])]
    if rng.random() < 0.4 and middle != words[2]:
        lines.insert(0, words[2])
    return say(" ".join(lines).format(**task.facts, x=answer)), answer


def verdicts(rng: random.Random, n: int, start: int = 0) -> list[Task]:
    """Questions that yes or no answers, one word wanted."""
    out: list[Task] = []
    for i in range(n):
        d, k = rng.choice((7, 11, 13, 17, 19)), rng.randint(100, 4000)
        number = d * k + (rng.randint(1, d - 1) if rng.random() < 0.5 else 0)
        gold = "No" if number % d else "Yes"
        prompt = f"Is {number} a multiple of {d}? Answer with Yes or No and nothing else."
        other = "Yes" if gold == "No" else "No"
        out.append(
            Task(f"verdict-{start + i}", "verdict", prompt, gold, 0.3 + rng.gauss(0, 0.6), (gold,), (other,), (other,))
        )
    return out


def speak_verdict(task: Task, ok: bool, rng: random.Random, progress: float) -> tuple[list[Message], str]:
    """One word."""
    answer = task.gold if ok else task.wrong_answers[0]
    return say(answer), answer
