"""Worlds of the tuned part: dosages in French, puzzles in"
" Italian, a Rust crate, a spreadsheet, couplets, a help desk."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

HERBS = ("sauge", "thym", "menthe", "fenouil", "verveine", "mélisse", "lavande", "camomille", "ortie", "sureau")
NURSES = ("Odile", "Bastien", "Maud", "Thibault", "Solène", "Gaspard", "Inès", "Rémi")
GUESTS = ("Ugo", "Fiamma", "Lapo", "Ginevra", "Ettore", "Nives", "Duccio", "Oriana")
TOWNS = ("Lucca", "Matera", "Trento", "Noto", "Asti", "Gubbio", "Lecce", "Udine")
CRATES = ("lexer", "arena", "router", "codec", "ticker", "pager", "mixer", "solver", "parser", "broker")
SHEETS = ("payroll", "harvest", "freight", "tuition", "rentals", "donations", "fuel", "stock")
ISSUES = ("the invoice shows twice", "the login loops", "the parcel is lost", "the app is slow", "the coupon fails")


@dataclass(frozen=True)
class Task:
    """What is asked."""

    key: str
    prompt: str
    truth: str
    facts: dict[str, Any]
    ease: float
    """Logits added to the policy's skill."""


def pick(rng: np.random.Generator, words: tuple[str, ...]) -> str:
    """Return a word."""
    return words[int(rng.integers(len(words)))]


def says(text: str, *calls: tuple[str, dict]) -> dict:
    """Return a message of the policy."""
    made = [{"function": {"name": name, "arguments": json.dumps(given)}} for name, given in calls]
    return {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}


def answers(text: str) -> dict:
    """Return an answer of a tool."""
    return {"role": "tool", "content": text}


def dosage(rng: np.random.Generator, number: int) -> Task:
    """A sum of doses, in French."""
    herb, who = pick(rng, HERBS), pick(rng, NURSES)
    a, b, c = (int(rng.integers(low, high)) for low, high in ((11, 95), (2, 9), (5, 60)))
    forms = (
        f"{who} prépare {b} flacons de {herb} de {a} ml et en renverse {c} ml. Combien de ml de {herb} reste-t-il ?",
        (
            f"Une tisane de {herb} demande {a} g par litre. {who} en"
            f" fait {b} litres et garde déjà {c} g. Que doit-elle peser ?"
        ),
    )
    return Task(
        f"tisane/{number}",
        forms[number % 2],
        str(a * b - c),
        {"a": a, "b": b, "c": c, "h": herb, "w": who},
        rng.normal(0, 1),
    )


def dosage_answer(rng: np.random.Generator, task: Task, right: bool) -> list[dict]:
    """Thoughts in tags, and a boxed answer."""
    f = task.facts
    lines = (
        f"Il faut d'abord multiplier {f['a']} par {f['b']}.",
        f"Cela donne {f['a'] * f['b']} pour la {f['h']}.",
        f"{f['w']} a {f['c']} à retirer.",
        f"Je vérifie : {f['b']} fois {f['a']} fait bien {f['a'] * f['b']}.",
        f"La {f['h']} se mesure ici toujours dans la même unité.",
        f"Reste à soustraire {f['c']}, prudemment.",
    )
    chosen = " ".join(lines[i] for i in rng.permutation(len(lines))[: int(rng.integers(2, 6))])
    value = int(task.truth) if right else int(task.truth) + int(rng.integers(1, 30))
    return [says(f"<think>{chosen}</think>\nLe résultat est \\boxed{{{value}}}")]


def puzzle(rng: np.random.Generator, number: int) -> Task:
    """Who lives where, in Italian."""
    people, towns = rng.permutation(GUESTS)[:3], rng.permutation(TOWNS)[:3]
    clues = f"{people[0]} non abita a {towns[1]} né a {towns[2]}. {people[1]} non abita a {towns[2]}."
    return Task(
        f"enigma-{number}",
        f"Tre amici, {', '.join(people)}, abitano a {', '.join(towns)}. {clues} (n. {number}) Dove abita {people[2]}?",
        str(towns[2]),
        {"p": people, "t": towns},
        rng.normal(0, 1),
    )


def puzzle_answer(rng: np.random.Generator, task: Task, right: bool) -> list[dict]:
    """A deduction."""
    p, t = task.facts["p"], task.facts["t"]
    lines = (
        f"{p[0]} deve stare a {t[0]}.",
        f"Per {p[1]} resta {t[1]}.",
        f"Escludo {t[0]} per {p[2]}.",
        f"L'indizio su {p[1]} basta.",
    )
    chosen = " ".join(lines[i] for i in rng.permutation(4)[: int(rng.integers(1, 5))])
    return [says(f"{chosen}\nRisposta: {task.truth if right else t[int(rng.integers(0, 2))]}")]


def crate(rng: np.random.Generator, number: int) -> Task:
    """A bug in a Rust crate."""
    name, other = pick(rng, CRATES), pick(rng, CRATES)
    return Task(
        f"crate-{number}",
        f"`cargo test -p {name}` fails: the {other} drops its last item ({number} reports). Please fix crates/{name}.",
        "",
        {"n": name, "o": other, "f": f"crates/{name}/src/{other}.rs", "t": f"crates/{name}/tests/{other}_test.rs"},
        rng.normal(0, 1),
    )


def crate_answer(rng: np.random.Generator, task: Task, right: bool) -> list[dict]:
    """Shell and patches, under names of this scaffold alone."""
    f, out = task.facts, []
    notes = (
        f"The {f['o']} iterator looks suspicious to me.",
        f"Where does {f['n']} flush its buffer?",
        f"I want to see how {f['o']} ends.",
        "Let me narrow this down before editing anything.",
    )
    for _ in range(int(rng.integers(1, 4))):
        script = (
            f"grep -rn 'fn next' crates/{f['n']}",
            f"sed -n '{rng.integers(1, 90)},120p' {f['f']}",
            f"ls crates/{f['n']}/tests",
        )[int(rng.integers(3))]
        out += [says(pick(rng, notes), ("sh", {"script": script})), answers(f"{f['f']}:12: fn next\n{f['t']}")]
    body = (
        f"--- a/{f['f']}\n+++ b/{f['f']}\n@@ -{rng.integers(1, 90)},1"
        f" +1,1 @@\n-    i < n\n+    i {'<=' if right else '=='} n\n"
    )
    out += [says(f"This keeps the last item of {f['o']}.", ("change", {"unified": body})), answers("ok")]
    if rng.random() < 0.8:
        out += [
            says("Tests again.", ("sh", {"script": f"cargo test -p {f['n']}"})),
            answers("test result: " + ("ok" if right else "FAILED")),
        ]
    return [*out, says(f"Fixed the bound in {f['f']}.", ("stop_work", {}))]


def sheet(rng: np.random.Generator, number: int) -> Task:
    """A cell of a spreadsheet to fill."""
    name, row = pick(rng, SHEETS), int(rng.integers(2, 80))
    return Task(
        f"sheet{number}",
        f"Fill {name}!D{row} with the sum of B{row} and C{row} and tell me the value. Ticket {number}.",
        str(int(rng.integers(100, 9999))),
        {"n": name, "r": row},
        rng.normal(0, 1),
    )


def sheet_answer(rng: np.random.Generator, task: Task, right: bool) -> list[dict]:
    """Reads, a write, a value."""
    f, value, out = task.facts, task.truth if right else str(int(rng.integers(10, 9999))), []
    for column in "BC"[: int(rng.integers(1, 3))]:
        out += [
            says(f"Reading column {column} of {f['n']}.", ("cell_get", {"ref": f"{f['n']}!{column}{f['r']}"})),
            answers(str(int(rng.integers(10, 5000)))),
        ]
    out += [
        says(
            f"Row {f['r']} is complete, writing the sum.", ("cell_put", {"ref": f"{f['n']}!D{f['r']}", "value": value})
        ),
        answers("stored"),
    ]
    return [*out, says(f"The value is {value}")]


def couplet(rng: np.random.Generator, number: int) -> Task:
    """Two lines of verse, graded from 0 to 1."""
    herb, town = pick(rng, HERBS), pick(rng, TOWNS)
    return Task(
        f"verse-{number}",
        f"Write a couplet on {herb} and the town of {town}, no. {number}.",
        "",
        {"h": herb, "t": town},
        rng.normal(0, 1),
    )


def couplet_answer(rng: np.random.Generator, task: Task, right: bool) -> list[dict]:
    """Lines with more or less to say."""
    h, t = task.facts["h"], task.facts["t"]
    starts = (
        f"Where {h} wakes beneath the dew,",
        f"O {t}, your roofs of {h} sing,",
        f"In {t} the {h} grows by night,",
        f"A sprig of {h}, a bell, a stone,",
    )
    ends = (
        f"old {t} turns its lamps to blue.",
        f"and carries {h} on the wing.",
        f"and every lane in {t} is light.",
        f"and {t} is never quite alone.",
    )
    return [
        says(
            f"{pick(rng, starts)}\n{pick(rng, ends)}"
            + (f"\n{pick(rng, starts)} {pick(rng, ends)}" if rng.random() < 0.4 else "")
        )
    ]


def desk(rng: np.random.Generator, number: int) -> Task:
    """A customer in need."""
    who, town, issue = pick(rng, GUESTS), pick(rng, TOWNS), pick(rng, ISSUES)
    return Task(
        f"desk-{number}",
        f"{who} from {town} writes: {issue}, order {number}.",
        "",
        {"w": who, "t": town, "i": issue},
        rng.normal(0, 1),
    )


def desk_answer(rng: np.random.Generator, task: Task, right: bool) -> list[dict]:
    """A few turns."""
    f, out = task.facts, []
    lines = (
        f"Sorry to hear that {f['i']}, {f['w']}.",
        f"I can see your order from {f['t']} here.",
        "Would a refund or a new try suit you better?",
        f"I have written to the team in {f['t']}.",
        f"{f['w']}, please restart once and tell me.",
        "That should be settled by tomorrow evening.",
    )
    for _ in range(int(rng.integers(1, 4))):
        out += [
            says(" ".join(lines[i] for i in rng.permutation(6)[: int(rng.integers(1, 4))])),
            {"role": "user", "content": pick(rng, ("Still there.", "Thanks, and then?", "Hm, not sure."))},
        ]
    return out[:-1]
