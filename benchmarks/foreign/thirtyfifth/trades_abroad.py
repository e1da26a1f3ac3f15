"""Sums asked and reasoned about in Portuguese, German and Dutch, and scales and calendars, whose answers are words."""

from benchmarks.foreign.thirtyfifth.chains import Domain, Stage

FEIRA = Domain(
    "feira",
    lambda r: {"n": r.randint(12, 44), "p": r.randint(6, 17), "d": r.randint(5, 40), "f": r.randint(4, 18)},
    (
        "Na feira, a Rita vende {n} queijos a {p} euros cada um. Paga {d} euros pela banca e "
        "{f} euros pelo transporte. "
        "Com quantos euros fica no fim do dia?",
        "Um produtor leva {n} queijos à feira e vende todos, a {p} euros cada. O lugar custa {d} euros e a viagem {f}. "
        "Quanto lhe sobra, em euros?",
    ),
    (
        "Primeiro conto o que entra e depois tiro as despesas.",
        "Começo pelas vendas.",
        "Há uma receita e duas despesas.",
    ),
    (
        Stage(
            "g",
            lambda v: v["n"] * v["p"],
            (lambda v: v["n"] * v["p"] + 10, lambda v: (v["n"] - 1) * v["p"]),
            ("As vendas dão {g} euros.", "{n} vezes {p} são {g} euros."),
        ),
        Stage(
            "c",
            lambda v: v["d"] + v["f"],
            (lambda v: v["d"], lambda v: v["f"]),
            ("As despesas somam {c} euros.", "A banca e a viagem custam juntas {c} euros."),
        ),
        Stage(
            "t",
            lambda v: v["g"] - v["c"],
            (lambda v: v["g"] + v["c"],),
            ("Ficam {t} euros.", "Sobram portanto {t} euros."),
        ),
    ),
    (
        "Somando {t} e {c} volta a dar {g}.",
        "O resultado é menor do que as vendas, como deve ser.",
        "Todos os queijos foram vendidos, logo nada mais conta.",
    ),
)

MARKT = Domain(
    "markt",
    lambda r: {"n": r.randint(17, 46), "p": r.randint(8, 19), "d": r.randint(6, 50), "f": r.randint(2, 9)},
    (
        "Eine Gärtnerei verkauft {n} Rosenstöcke zu je {p} Euro. Davon werden {f} "
        "zurückgegeben und voll erstattet. Der "
        "Standplatz kostet {d} Euro. Wie viele Euro bleiben übrig?",
    ),
    (
        "Zuerst zähle ich, was wirklich verkauft bleibt.",
        "Die Rückgaben zählen nicht als Verkauf.",
        "Ich rechne vom Bestand zum Geld.",
    ),
    (
        Stage(
            "g",
            lambda v: v["n"] - v["f"],
            (lambda v: v["n"], lambda v: v["n"] + v["f"]),
            ("Es bleiben {g} Stöcke verkauft.", "Nach den Rückgaben sind es {g} Stöcke."),
        ),
        Stage(
            "c",
            lambda v: v["g"] * v["p"],
            (lambda v: v["g"] * v["p"] + 10, lambda v: v["g"] * v["p"] - v["p"]),
            ("Das bringt {c} Euro ein.", "Zu je {p} Euro sind das {c} Euro."),
        ),
        Stage(
            "t",
            lambda v: v["c"] - v["d"],
            (lambda v: v["c"],),
            ("Ohne die Miete bleiben {t} Euro.", "Nach Abzug des Standplatzes sind es {t} Euro."),
        ),
    ),
    (
        "Die Probe: {t} und {d} ergeben wieder {c}.",
        "Nur {f} von {n} kamen zurück, das passt zur Größe.",
        "Die Miete fällt einmal an und nicht je Stock.",
    ),
)

VEER = Domain(
    "veer",
    lambda r: {"n": r.randint(8, 19), "p": r.randint(12, 44), "d": r.randint(3, 30), "f": r.randint(2, 5)},
    (
        "Een veerpont vaart {n} keer per dag en neemt telkens {p} fietsers mee. Op één dag "
        "vallen {f} overtochten uit door "
        "de mist, en {d} fietsers keren onderweg om zonder te betalen. Hoeveel fietsers hebben betaald?",
    ),
    ("Eerst tel ik de overtochten die wel doorgaan.", "De mist telt het eerst.", "Ik begin bij de dienstregeling."),
    (
        Stage(
            "g",
            lambda v: v["n"] - v["f"],
            (lambda v: v["n"], lambda v: v["n"] + v["f"]),
            ("Er gaan {g} overtochten door.", "Zo blijven er {g} overtochten over."),
        ),
        Stage(
            "c",
            lambda v: v["g"] * v["p"],
            (lambda v: v["g"] * v["p"] + 10, lambda v: v["g"] * (v["p"] - 1)),
            ("Dat zijn {c} fietsers.", "Met {p} per keer kom ik op {c} fietsers."),
        ),
        Stage(
            "t",
            lambda v: v["c"] - v["d"],
            (lambda v: v["c"] + v["d"], lambda v: v["c"]),
            ("Betaald hebben er {t}.", "Zonder de {d} omkeerders zijn het er {t}."),
        ),
    ),
    (
        "Terugrekenen geeft {t} en {d}, samen {c}.",
        "De pont zit steeds vol, dus meer hoef ik niet te weten.",
        "Dat er {f} uitvallen maakt een flink verschil.",
    ),
)

NOTES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

SCALE = Domain(
    "transposition",
    lambda r: {"n": r.choice(NOTES), "u": r.randint(2, 11), "w": r.randint(1, 6), "q": r.randint(3, 9)},
    (
        "A horn part begins on {n}. It is moved up {u} semitones, then down {w} semitones, "
        "and at last up {q} semitones. On "
        "which note does it begin now? Use sharps.",
        "Transpose the note {n}: {u} semitones up, {w} down, {q} up. Which note results, written with sharps?",
    ),
    ("Only the sum of the moves matters.", "I count semitones on the circle of twelve.", "Octaves do not matter here."),
    (
        Stage(
            "m",
            lambda v: v["u"] - v["w"] + v["q"],
            (lambda v: v["u"] + v["w"] + v["q"], lambda v: v["u"] - v["w"]),
            ("The moves come to {m} semitones.", "Together that is {m} semitones up."),
        ),
        Stage(
            "r",
            lambda v: v["m"] % 12,
            (lambda v: (v["m"] + 1) % 12, lambda v: (v["m"] - 2) % 12),
            ("Within the octave that is {r}.", "Modulo twelve it leaves {r}."),
        ),
        Stage(
            "t",
            lambda v: NOTES[(NOTES.index(v["n"]) + v["r"]) % 12],
            (lambda v: NOTES[(NOTES.index(v["n"]) + v["r"] - 1) % 12],),
            ("{r} above {n} lies {t}.", "Counting {r} keys from {n} I land on {t}."),
        ),
    ),
    (
        "On the keyboard {t} is {r} keys right of {n}.",
        "Going back by {m} from {t} leads to {n} again.",
        "E to F is one semitone, as is B to C, which is easy to miss.",
    ),
)

WATCH = Domain(
    "watch",
    lambda r: {"d": r.choice(DAYS), "w": r.randint(3, 30), "x": r.randint(2, 6), "o": r.randint(2, 25)},
    (
        "A lighthouse crew is relieved every {x} days, the first time on a {d}. After {w} "
        "more reliefs there is a pause of "
        "{o} days. On which day of the week does the pause end?",
    ),
    (
        "Count the days, then drop whole weeks.",
        "The reliefs are evenly spaced.",
        "Only the remainder by seven matters.",
    ),
    (
        Stage(
            "m",
            lambda v: v["x"] * v["w"],
            (lambda v: v["x"] * (v["w"] - 1), lambda v: v["x"] + v["w"]),
            ("The reliefs span {m} days.", "{w} times {x} is {m} days."),
        ),
        Stage(
            "s",
            lambda v: v["m"] + v["o"],
            (lambda v: v["m"], lambda v: v["m"] + v["o"] + 1),
            ("With the pause it is {s} days.", "The pause makes it {s} days after the first."),
        ),
        Stage(
            "t",
            lambda v: DAYS[(DAYS.index(v["d"]) + v["s"]) % 7],
            (lambda v: DAYS[(DAYS.index(v["d"]) + v["s"] + 1) % 7],),
            ("From {d} that leads to {t}.", "Dropping the weeks, {d} moves on to {t}."),
        ),
    ),
    (
        "Seven divides most of {s}, the rest is a few days from {d}.",
        "The first relief itself is day zero.",
        "Checking with a calendar strip also gives {t}.",
    ),
)

ABROAD = (FEIRA, MARKT, VEER)
CYCLES = (SCALE, WATCH)
