"""Letters in Polish and English, graded by a rubric of five items."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, say

ITEMS = ("greeting", "matter", "date", "request", "closing")
MATTERS = (
    ("nieszczelne okno w mieszkaniu", "a leaking window in the flat"),
    ("brak faktury za marzec", "the missing invoice for March"),
    ("hałas na budowie obok szkoły", "noise at the building site near the school"),
    ("opóźnioną dostawę krzeseł", "the late delivery of chairs"),
    ("zepsutą windę w bloku", "the broken lift in the building"),
    ("zmianę terminu egzaminu", "a new date for the exam"),
)
RECEIVERS = (
    ("zarządcy budynku", "the building manager"),
    ("urzędu miasta", "the town office"),
    ("działu księgowości", "the accounts department"),
    ("dyrektora szkoły", "the head of the school"),
)
PARTS = {
    "pl": {
        "greeting": ("Szanowni Państwo,", "Dzień dobry,", "Szanowny Panie,"),
        "matter": ("piszę w sprawie: {matter}.", "zwracam się do Państwa, ponieważ zauważyłem {matter}."),
        "date": ("Sprawa trwa od {day} maja.", "Zgłaszałem to już {day} maja."),
        "request": ("Proszę o odpowiedź w ciągu {n} dni.", "Bardzo proszę o rozwiązanie tej sprawy w {n} dni."),
        "closing": ("Z poważaniem,\n{name}", "Z wyrazami szacunku,\n{name}"),
    },
    "en": {
        "greeting": ("Dear Sir or Madam,", "Good morning,", "To whom it may concern,"),
        "matter": ("I am writing about {matter}.", "I would like to bring up {matter}."),
        "date": ("This has been going on since {day} May.", "I reported it on {day} May already."),
        "request": ("Please reply within {n} days.", "I kindly ask you to settle this within {n} days."),
        "closing": ("Yours faithfully,\n{name}", "Kind regards,\n{name}"),
    },
}
FILLERS = {
    "pl": ("Zależy mi na spokojnym załatwieniu sprawy.", "Chętnie podam dalsze szczegóły.", "Dziękuję za zrozumienie."),
    "en": ("I am happy to give more details.", "I hope we can settle this calmly.", "Thank you for your patience."),
}
NAMES = ("Anna Zielińska", "Marek Wrona", "Ewa Lis", "Piotr Sowa", "Julia Krawiec", "Adam Borek")
ASKED = {
    "pl": "Napisz krótki list do {receiver}. Dotyczy: {matter}. Podpis: {name}. Data: {day} maja, termin {n} dni.",
    "en": "Write a short letter to {receiver} about {matter}. Sign as {name}. It began on {day} May; ask for {n} days.",
}


def letter(rng: Random, number: int, language: str = "pl") -> Task:
    """A letter to write; it is right with four of five items."""
    place = 0 if language == "pl" else 1
    matter, receiver = rng.choice(MATTERS), rng.choice(RECEIVERS)
    values = {"name": rng.choice(NAMES), "day": rng.randint(2, 30), "n": rng.randint(3, 21)}

    def compose(rng: Random, kept: int, tongue: str) -> Reply:
        said = dict(values, matter=matter[0 if tongue == "pl" else 1])
        chosen = sorted(rng.sample(range(5), kept))
        parts = [rng.choice(PARTS[tongue][ITEMS[i]]).format(**said) for i in chosen]
        if rng.random() < 0.6:
            parts.insert(len(parts) - 1, rng.choice(FILLERS[tongue]))
        return Reply([say("\n".join(parts))], "", {"items_met": kept})

    def write(rng: Random, right: bool, progress: float) -> Reply:
        return compose(rng, rng.choice((4, 5)) if right else rng.choice((1, 2, 3, 3)), language)

    prompt = ASKED[language].format(receiver=receiver[place], matter=matter[place], **values)
    return Task(f"let-{number:04d}", receiver[1], prompt, "", write, rng.gauss(0, 0.5), "", {"compose": compose})
