"""Questions in German about a short passage."""

from random import Random

from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Task

PLACES = [
    "Aldersbach",
    "Brunnthal",
    "Dornach",
    "Eichwald",
    "Felsing",
    "Gramzow",
    "Hohenau",
    "Immenrode",
    "Kaltbrunn",
    "Lindenau",
    "Moorhof",
]
TRADES = ("Böttcherei", "Glashütte", "Ziegelei", "Färberei", "Papiermühle", "Brauerei", "Seilerei", "Gerberei")
PEOPLE = (
    "Witwe Anna Krell",
    "Meister Johann Pohl",
    "die Brüder Sommer",
    "Apotheker Ruge",
    "Müller Veit Lang",
    "Frau Ilse Barth",
)
CAUSES = (
    "ein Brand im Dachstuhl",
    "das Hochwasser",
    "der Bau der Eisenbahn",
    "ein Streit um das Erbe",
    "der Mangel an Holz",
)
STARTS = ("Im Text steht es: ", "Laut Text: ", "", "", "Die Stelle nennt es deutlich. ")


def passage_question(rng: Random, index: int) -> Task:
    """A passage and one question about it; `extra.source` is one of three."""
    place, trade, owner, cause = rng.choice(PLACES), rng.choice(TRADES), rng.choice(PEOPLE), rng.choice(CAUSES)
    year, hands = rng.randint(1690, 1880), rng.randint(4, 60)
    end = year + rng.randint(12, 90)
    passage = (
        f"Die {trade} von {place} wurde {year} gegründet. Eigentümer war zunächst {owner}; in den besten "
        f"Zeiten arbeiteten dort {hands} Menschen. Im Jahr {end} endete der Betrieb, der Grund war "
        f"{cause}. Heute steht an der Stelle eine Schule."
    )
    asks = (
        (f"Wann wurde die {trade} von {place} gegründet?", str(year), str(year + rng.choice((-10, 1, 10, 20)))),
        (f"Wie viele Menschen arbeiteten in der {trade} von {place}?", str(hands), str(hands + rng.randint(1, 9))),
        (f"Wem gehörte die {trade} von {place} zuerst?", owner, rng.choice([p for p in PEOPLE if p != owner])),
        (f"Woran ging die {trade} von {place} zugrunde?", cause, rng.choice([c for c in CAUSES if c != cause])),
    )
    question, gold, other = rng.choice(asks)
    source = rng.choice(("chronik", "chronik", "heimatblatt", "archiv"))

    def wrong(rng: Random) -> str:
        return rng.choice((other, other, "keine Angabe", str(end)))

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        return [said(f"{rng.choice(STARTS)}<antwort>{answer}</antwort>")]

    task = Task(
        f"de-{source}-{index:04d}", source, prompt_of(passage, question), gold, rng.gauss(-0.3, 0.8), wrong, work
    )
    task.extra = {"source": source, "passage": passage, "question": question}
    return task


def prompt_of(passage: str, question: str) -> str:
    """The prompt as its template fills it."""
    return f"Text:\n{passage}\n\nFrage: {question}\nAntworte kurz in <antwort></antwort>."
