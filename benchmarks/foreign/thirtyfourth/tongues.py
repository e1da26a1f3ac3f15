"""German subtitles and their English: composed sentences, good, poor and chatty renderings, and an overlap score."""

import random

from benchmarks.foreign.thirtyfourth.policy import Problem

WHO = [("Der Kapitän", "The captain"), ("Meine Schwester", "My sister"), ("Die Lehrerin", "The teacher"),
       ("Unser Nachbar", "Our neighbour"), ("Der alte Müller", "The old miller"),
       ("Das Kind", "The child")]  # fmt: skip
DOES = [("sucht", "is looking for"), ("verkauft", "is selling"), ("malt", "is painting"), ("vergisst", "forgets"),
        ("versteckt", "is hiding"), ("bewundert", "admires"), ("repariert", "is repairing")]  # fmt: skip
WHAT = [("das blaue Boot", "the blue boat"), ("den Schlüssel", "the key"), ("die lange Leiter", "the long ladder"),
        ("ein altes Klavier", "an old piano"), ("den Brief", "the letter"), ("die Uhr", "the clock"),
        ("einen roten Mantel", "a red coat"), ("das Fahrrad", "the bicycle")]  # fmt: skip
WHEN = [("am Abend", "in the evening"), ("seit gestern", "since yesterday"), ("im Hafen", "in the harbour"),
        ("ohne ein Wort", "without a word"), ("vor dem Sturm", "before the storm"),
        ("hinter dem Haus", "behind the house"),
        ("jeden Morgen", "every morning")]  # fmt: skip
CHAT = ["Dude,", "I mean,", "Oh wow, you know,", "Listen, buddy,", "Man, honestly,", "No way,"]
TAIL = ["right?", "you feel me?", "like, for real.", "and that's that, pal.", "if you know what I mean."]


def lowered(text: str) -> str:
    """A clause that does not begin its sentence."""
    return text[0].lower() + text[1:]


def subtitles(rng: random.Random, count: int, ask: str = "Translate this subtitle into English:") -> list[Problem]:
    """Sentences of two clauses."""
    out, seen = [], set()
    while len(out) < count:
        parts = [rng.choice(pool) for pool in (WHO, DOES, WHAT, WHEN)]
        second = [rng.choice(pool) for pool in (WHO, DOES, WHAT)]
        german = " ".join(p[0] for p in parts) + ", und " + lowered(" ".join(p[0] for p in second)) + "."
        if german in seen:
            continue
        seen.add(german)
        english = " ".join(p[1] for p in parts) + ", and " + lowered(" ".join(p[1] for p in second)) + "."
        data = {"parts": parts, "second": second}
        out.append(Problem(f"sub-{len(out):03d}", f"{ask}\n{german}", english, "subtitle", rng.gauss(0, 0.6), data))
    return out


def into_german(rng: random.Random, count: int) -> list[Problem]:
    """The other way round: English sentences, German asked for."""
    out = subtitles(rng, count)
    for p in out:
        german = p.prompt.split("\n")[1]
        p.prompt, p.gold = f"Translate into German, and reply in German only:\n{p.gold}", german
    return out


def render_german(rng: random.Random, problem: Problem, faithful: float) -> str:
    """A German translation; each part is right with the chance given."""
    pools = (WHO, DOES, WHAT, WHEN, WHO, DOES, WHAT)
    chosen = [
        part[0] if rng.random() < faithful else rng.choice(pool)[0]
        for part, pool in zip(problem.data["parts"] + problem.data["second"], pools, strict=True)
    ]
    second = lowered(chosen[4])
    return f"{' '.join(chosen[:4])}{rng.choice([', und', ', und', ' und'])} {second} {chosen[5]} {chosen[6]}."


def render(rng: random.Random, problem: Problem, faithful: float) -> str:
    """A translation; each part is right with the chance given, else another of its kind."""
    pools = (WHO, DOES, WHAT, WHEN, WHO, DOES, WHAT)
    chosen = [
        part[1] if rng.random() < faithful else rng.choice(pool)[1]
        for part, pool in zip(problem.data["parts"] + problem.data["second"], pools, strict=True)
    ]
    joint = rng.choice([", and", ", and", ", while", " and"])
    second = lowered(chosen[4])
    return f"{' '.join(chosen[:4])}{joint} {second} {chosen[5]} {chosen[6]}."


def overlap(text: str, reference: str) -> float:
    """F1 of pairs of words."""
    one, two = (t.lower().replace(",", "").replace(".", "").split() for t in (text, reference))
    a, b = set(zip(one, one[1:], strict=False)), set(zip(two, two[1:], strict=False))
    return round(2 * len(a & b) / max(1, len(a) + len(b)), 3)
