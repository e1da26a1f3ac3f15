"""Word problems in German."""

from random import Random

from benchmarks.foreign.nineteenth.chains import Chain, Tongue, plain, task_of
from benchmarks.foreign.nineteenth.core import Task

NAMES = ("Annika", "Bernd", "Carla", "Dieter", "Elif", "Falk", "Greta", "Henning", "Jana", "Kemal", "Lotte", "Milan")
TONGUE = Tongue(
    (
        "Wir rechnen der Reihe nach.",
        "Zuerst ordne ich die Angaben.",
        "Gehen wir es schrittweise an.",
        "Also, was ist gegeben?",
    ),
    ("{what}: {sum}.", "Schritt {n} ({what}): {sum}.", "Als Nächstes {what}: {sum}", "{n}. {what}: {sum}"),
    (
        "Probe: {value} passt zu den Angaben.",
        "Überschlag: etwa {value}, das stimmt.",
        "Rückwärts gerechnet geht es mit {value} auf.",
    ),
    ("Antwort: {answer}", "Die Lösung lautet also:\nAntwort: {answer}", "Ergebnis gefunden.\nAntwort: {answer}"),
    plain,
    "Löse die Aufgabe auf Deutsch. Beende deine Lösung mit einer Zeile »Antwort: ZAHL«.",
)


def orchard(rng: Random) -> Chain:
    """Apples in crates."""
    who, a, b, c = rng.choice(NAMES), rng.randrange(6, 40), rng.randrange(12, 48), rng.randrange(5, 90)
    prompt = f"{who} erntet {a} Kisten mit je {b} Äpfeln. Davon sind {c} Äpfel faul. Wie viele gute Äpfel bleiben?"
    return Chain(prompt, a, (("alle Äpfel", "*", b), ("ohne die faulen", "-", c)), "Obst")


def train_ride(rng: Random) -> Chain:
    """A trip of two legs."""
    who, v, h, rest = rng.choice(NAMES), rng.randrange(60, 160, 5), rng.randrange(2, 7), rng.randrange(15, 120)
    prompt = f"{who} fährt {h} Stunden mit {v} km/h und danach noch {rest} km. Wie viele Kilometer sind es insgesamt?"
    return Chain(prompt, v, (("erster Abschnitt", "*", h), ("ganze Strecke", "+", rest)), "Fahrt")


def saving(rng: Random) -> Chain:
    """Savings and a purchase."""
    who, m, e, p, q = (
        rng.choice(NAMES),
        rng.randrange(4, 14),
        rng.randrange(15, 80),
        rng.randrange(20, 60),
        rng.randrange(2, 5),
    )
    prompt = (
        f"{who} spart {m} Monate lang je {e} Euro, kauft davon etwas für {p} Euro und bekommt zum Geburtstag "
        f"{q * 10} Euro geschenkt. Wie viele Euro sind es dann?"
    )
    return Chain(
        prompt, e, (("Erspartes", "*", m), ("nach dem Kauf", "-", p), ("mit dem Geschenk", "+", q * 10)), "Sparen"
    )


def german_problem(rng: Random) -> Task:
    """Draw a problem in German."""
    return task_of(rng, rng.choice((orchard, train_ride, saving))(rng), TONGUE)
