"""Sums of prices in German, with a decimal comma."""

from random import Random

from benchmarks.foreign.seventeenth.chains import Link, Story, draw_sum, two_digits
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

WHO = ["Anneliese", "Bastian", "Cem", "Dörte", "Emre", "Frieda", "Gesche", "Hauke", "Ines", "Jannik", "Katja", "Lütfi"]
STORIES = (
    Story(
        "{who} kauft auf dem Markt Käse für {a} Euro und Oliven für {b} Euro. Für das Pfand gibt es {c} "
        "Euro zurück. Am "
        "Samstag wird derselbe Einkauf wiederholt, zusammen {d}-mal. Wie viel Euro kostet alles?",
        640,
        1850,
        (Link("+", 215, 780, "Käse und Oliven"), Link("-", 25, 150, "Pfand zurück"), Link("*", 2, 6, "alle Einkäufe")),
    ),
    Story(
        "Eine Fahrkarte kostet {a} Euro. {who} löst {b} Stück, bekommt {c} Euro Rabatt und zahlt {d} Euro für das "
        "Fahrrad. Wie hoch ist der Gesamtpreis in Euro?",
        430,
        1490,
        (Link("*", 2, 7, "alle Karten"), Link("-", 80, 390, "Rabatt"), Link("+", 350, 925, "Fahrrad")),
    ),
    Story(
        "{who} hat {a} Euro im Sparschwein. Die Oma gibt {b} Euro dazu, ein Buch kostet {c} Euro und "
        "ein Eis {d} Euro. Wie "
        "viel Euro bleiben?",
        2150,
        4800,
        (Link("+", 500, 1999, "von der Oma"), Link("-", 799, 1895, "das Buch"), Link("-", 120, 390, "das Eis")),
    ),
    Story(
        "Im Baumarkt kostet ein Brett {a} Euro. {who} nimmt {b} Bretter, dazu Schrauben für {c} Euro, und löst einen "
        "Gutschein über {d} Euro ein. Wie viel Euro sind zu zahlen?",
        389,
        1290,
        (Link("*", 3, 8, "alle Bretter"), Link("+", 249, 899, "Schrauben"), Link("-", 200, 500, "Gutschein")),
    ),
)
OPENERS = (
    "Ich rechne der Reihe nach.",
    "Zuerst die einzelnen Schritte:",
    "Gegeben ist der Anfangsbetrag.",
    "Also:",
    "",
)
LINES = ("{why}: {line}", "{line} Euro ({why})", "Danach {why}: {line} Euro.")
LAST = ("Antwort: {} Euro", "Antwort: {} €", "Antwort: {}")


def price_task(rng: Random, number: int) -> Task:
    """A German sum of prices; every third has a whole amount as its answer."""
    place = rng.randrange(len(STORIES))
    whole = rng.random() < 0.36
    while True:
        made = draw_sum(rng, STORIES[place], {"who": rng.choice(WHO)}, two_digits(","))
        if (made.value % 100 == 0) == whole:
            break

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        lines, value = made.lines(None if right else rng)
        parts = [rng.choice(OPENERS)]
        parts += [rng.choice(LINES).format(line=line, why=why) for line, why in lines]
        answer = made.show(value)
        if value % 100 == 0 and rng.random() < 0.5:
            answer = answer[:-3]
        return Reply([says("\n".join(p for p in [*parts, rng.choice(LAST).format(answer)] if p))], answer)

    gold = f"{made.value / 100:.2f}"
    family = ("markt", "fahrkarte", "sparschwein", "baumarkt")[place]
    prompt = user(made.text, "Du bist ein Rechenhelfer. Schreibe am Ende eine Zeile 'Antwort: <Betrag>'.")
    return Task(f"preis-{number:03d}", family, prompt, gold, rng.gauss(0, 0.6), solve)
