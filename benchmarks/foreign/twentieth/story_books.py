"""Word problems in English, German and Spanish."""

from benchmarks.foreign.twentieth.stories import Story

ENGLISH = (
    Story(
        "{name} runs a bakery stall. {a} trays of {b} rolls are baked at dawn, {c} rolls are burnt and the rest is "
        "sold in bags of 4 at {d} dollars a bag, leftovers eaten by the staff. How many dollars come in?",
        {"a": (5, 14), "b": (12, 36), "c": (3, 40), "d": (3, 9)},
        (
            ("Rolls baked: {a} * {b} = {v}", lambda n: n["a"] * n["b"]),
            ("Good rolls: {r0} - {c} = {v}", lambda n: n["r0"] - n["c"]),
            ("Full bags: {r1} // 4 = {v}", lambda n: n["r1"] // 4),
            ("Takings: {r2} * {d} = {v}", lambda n: n["r2"] * n["d"]),
        ),
        "commerce",
    ),
    Story(
        "A ferry with room for {a} cars leaves {b} times a day. {name} counts {c} empty places a day on average and "
        "each car pays {d} crowns. What does the ferry earn in a week?",
        {"a": (18, 60), "b": (4, 11), "c": (5, 50), "d": (6, 25)},
        (
            ("Places a day: {a} * {b} = {v}", lambda n: n["a"] * n["b"]),
            ("Cars a day: {r0} - {c} = {v}", lambda n: n["r0"] - n["c"]),
            ("Earned a day: {r1} * {d} = {v}", lambda n: n["r1"] * n["d"]),
            ("Earned a week: {r2} * 7 = {v}", lambda n: n["r2"] * 7),
        ),
        "rates",
    ),
    Story(
        "{name} reads a book of {a} pages. On the first {b} days {c} pages are read a day, then {d} pages a day. How "
        "many pages are left after {e} days in all?",
        {"a": (700, 950), "b": (3, 7), "c": (12, 28), "d": (20, 35), "e": (9, 14)},
        (
            ("First days: {b} * {c} = {v} pages", lambda n: n["b"] * n["c"]),
            ("Days after: {e} - {b} = {v}", lambda n: n["e"] - n["b"]),
            ("Read then: {r1} * {d} = {v}", lambda n: n["r1"] * n["d"]),
            ("Left: {a} - {r0} - {r2} = {v}", lambda n: n["a"] - n["r0"] - n["r2"]),
        ),
        "counting",
    ),
)
GERMAN = (
    Story(
        "{name} kauft {a} m Stoff zu je {b} Euro und {c} Rollen Garn zu je {d} Euro. Der Betrag wird auf 8 Personen "
        "verteilt. Wie viel Euro zahlt jede?",
        {"a": (3, 21), "b": (7, 19), "c": (2, 13), "d": (3, 9)},
        (
            ("Stoff: {a} · {b} = {v}", lambda n: n["a"] * n["b"]),
            ("Garn: {c} · {d} = {v}", lambda n: n["c"] * n["d"]),
            ("Zusammen: {r0} + {r1} = {v}", lambda n: n["r0"] + n["r1"]),
            ("Je Person: {r2} : 8 = {v}", lambda n: n["r2"] / 8),
        ),
        "einkauf",
    ),
    Story(
        "Ein Becken fasst {a} Hektoliter. Aus zwei Leitungen laufen {b} und {c} Liter je Minute zu, {name} öffnet nach "
        "20 Minuten den Abfluss. Wie viel Prozent des Beckens waren da gefüllt, wenn zuvor {d} Liter darin standen?",
        {"a": (8, 30), "b": (3, 9), "c": (4, 12), "d": (20, 90)},
        (
            ("Zulauf je Minute: {b} + {c} = {v}", lambda n: n["b"] + n["c"]),
            ("In 20 Minuten: 20 · {r0} = {v}", lambda n: 20 * n["r0"]),
            ("Mit dem Vorrat: {r1} + {d} = {v}", lambda n: n["r1"] + n["d"]),
            ("Anteil: {r2} : ({a} · 100) · 100 = {v}", lambda n: round(n["r2"] / n["a"], 2)),
        ),
        "anteile",
    ),
    Story(
        "{name} fährt {a} km in {b} Stunden und danach {c} km in {d} Stunden. Wie groß ist die mittlere "
        "Geschwindigkeit in km/h, auf zwei Stellen?",
        {"a": (60, 240), "b": (2, 4), "c": (40, 200), "d": (1, 4)},
        (
            ("Strecke: {a} + {c} = {v}", lambda n: n["a"] + n["c"]),
            ("Zeit: {b} + {d} = {v}", lambda n: n["b"] + n["d"]),
            ("Mittel: {r0} : {r1} = {v}", lambda n: round(n["r0"] / n["r1"], 2)),
        ),
        "bewegung",
    ),
)
SPANISH = (
    Story(
        "En el huerto de {name} hay {a} hileras de {b} olivos. Una helada mata {c} árboles y cada olivo sano da {d} "
        "kilos de aceituna. ¿Cuántos kilos se recogen?",
        {"a": (4, 15), "b": (8, 30), "c": (5, 25), "d": (11, 35)},
        (
            ("Olivos al principio: {a} × {b} = {v}", lambda n: n["a"] * n["b"]),
            ("Olivos sanos: {r0} − {c} = {v}", lambda n: n["r0"] - n["c"]),
            ("Cosecha: {r1} × {d} = {v}", lambda n: n["r1"] * n["d"]),
        ),
        "agricultura",
    ),
    Story(
        "{name} ahorra {a} euros al mes durante {b} meses y gasta {c} euros en una bicicleta. Después su abuela le "
        "dobla lo que queda. ¿Cuánto dinero tiene?",
        {"a": (35, 120), "b": (6, 18), "c": (60, 200)},
        (
            ("Ahorro: {a} × {b} = {v}", lambda n: n["a"] * n["b"]),
            ("Tras la compra: {r0} − {c} = {v}", lambda n: n["r0"] - n["c"]),
            ("Doble: {r1} × 2 = {v}", lambda n: n["r1"] * 2),
        ),
        "dinero",
    ),
)
