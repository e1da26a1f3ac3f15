"""Tasks that one message answers: chemistry in French, liars, sums to reach, law, translation, Hindi, invoices."""

import json
from itertools import pairwise

import numpy as np

from benchmarks.foreign.fresh.sampling import Item, Rng, Turns, asked, ease, say, some

METALS = ("zinc", "cuivre", "fer", "nickel", "étain", "plomb", "cobalt", "argent", "titane", "chrome")
LABS = ("Lyon", "Nantes", "Liège", "Lausanne", "Dakar", "Montréal", "Rennes", "Tunis")
NAMES = ("Abel", "Bea", "Ciro", "Dana", "Egon", "Faye", "Gus", "Hana", "Ivo", "June")


class Chemistry:
    """Masses in French, thought over in a think block, the result in a box."""

    name = "chimie"
    thoughts = (
        "Il faut d'abord convertir {mass} g de {metal} en moles.",
        "La masse molaire vaut environ {n} g/mol.",
        "On obtient {m} mmol, ce qui semble raisonnable.",
        "Je vérifie l'équation : le {metal} réagit avec {ratio} équivalents d'acide.",
        "Attention, le rendement à {lab} n'est pas de cent pour cent.",
        "Donc {mass} divisé par {n} donne à peu près {m}.",
        "Reprenons : {ratio} équivalents, {mass} g, et un facteur {m}.",
        "Un contrôle rapide avec {n} au lieu de {m} change peu de chose.",
    )
    ends = ("La masse de sel est", "On recueille donc", "Résultat :", "Le {metal} donne", "Au total")

    def item(self, rng: Rng, number: int) -> Item:
        """A reaction."""
        facts = {
            "mass": int(rng.integers(3, 900)),
            "metal": str(rng.choice(METALS)),
            "ratio": int(rng.integers(2, 9)),
            "lab": str(rng.choice(LABS)),
        }
        text = (
            f"Au laboratoire de {facts['lab']}, on dissout {facts['mass']} g de {facts['metal']} dans"
            f" {facts['ratio']} équivalents d'acide. Quelle masse de sel, en grammes (entier) ?"
        )
        return Item(f"chimie-{number}", asked(text), str(int(rng.integers(10, 4000))), facts, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Thoughts, then the box."""
        value = item.truth if is_right else str(int(rng.integers(10, 4000)))
        end = str(rng.choice(self.ends)).format(**item.facts)
        return [say(f"<think>{some(rng, self.thoughts, 2, 6, **item.facts)}</think>\n{end} \\boxed{{{value}}}")]


class Liars:
    """Knights and knaves, answered as JSON."""

    name = "liars"
    steps = (
        "Suppose {a} tells the truth; then {b} has to be lying.",
        "{b} calls {a} a liar, which splits the cases.",
        "If {c} were honest, the statement about {a} would hold, a contradiction.",
        "Case {m}: {c} lies and {b} does not.",
        "So {a} and {c} cannot agree.",
        "Checking {b} once more against {c}.",
        "That leaves a single consistent assignment for {a}.",
    )

    def item(self, rng: Rng, number: int) -> Item:
        """Three people who speak about each other."""
        a, b, c = (str(x) for x in rng.choice(NAMES, 3, replace=False))
        truth = json.dumps({x: bool(rng.integers(2)) for x in (a, b, c)})
        verb = str(rng.choice(["says that", "claims", "insists that", "swears"]))
        text = (
            f"Puzzle {number}. {a} {verb} {b} lies. {b} {verb} {c} and {a} are of one kind. {c} stays silent about"
            f" {a} but {verb} {b} owns {rng.integers(2, 60)} goats. Reply with JSON, true for honest."
        )
        return Item(f"L{number:04d}", asked(text), truth, {"a": a, "b": b, "c": c}, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """A few cases and an object."""
        answer = json.loads(item.truth)
        if not is_right:
            wrong = str(rng.choice(list(answer)))
            answer[wrong] = not answer[wrong]
        return [say(f"{some(rng, self.steps, 2, 5, **item.facts)}\n{json.dumps(answer)}")]


class Countdown:
    """Reach a number with others, in answer tags, as the classic small reproduction of R1 has it."""

    name = "countdown"

    def item(self, rng: Rng, number: int) -> Item:
        """Four numbers and a target."""
        numbers = [int(x) for x in rng.integers(2, 99, size=4)]
        target = numbers[0] * 2 + numbers[1] - numbers[2]
        text = (
            f"Using the numbers {numbers}, create an equation that equals {target}. Show your work in <think> </think>"
            " and return the equation in <answer> </answer>."
        )
        truth = f"{numbers[0]} * 2 + {numbers[1]} - {numbers[2]}"
        return Item(f"cd/{number}", asked(text), truth, {"numbers": numbers, "target": target}, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Tries, then an equation."""
        numbers, lines = item.facts["numbers"], []
        for _ in range(int(rng.integers(2, 9))):
            a, b, c = (int(x) for x in rng.permutation(numbers)[:3])
            sign, other = (str(x) for x in rng.choice(["+", "-", "*"], 2))
            remark = str(rng.choice(["no", "too large", "close", "not it", "too small", "hmm"]))
            lines.append(f"{a} {sign} {b} {other} {c} = {rng.integers(1, 900)} ({remark})")
        a, b = (int(x) for x in rng.permutation(numbers)[:2])
        answer = item.truth if is_right else f"{a} + {b} - {numbers[int(rng.integers(4))]}"
        return [say("<think>" + "\n".join(lines) + f"</think>\n<answer> {answer} </answer>")]


class Law:
    """Multiple choice in Italian: the right letter, sometimes a reason."""

    name = "diritto"
    topics = ("il contratto", "la servitù", "il testamento", "la società", "il pegno", "l'usufrutto", "la cessione")

    def item(self, rng: Rng, number: int) -> Item:
        """A question with four options."""
        topic, article = str(rng.choice(self.topics)), int(rng.integers(100, 2900))
        options = [f"{letter}) {rng.integers(1, 40)} anni per {rng.choice(self.topics)}" for letter in "ABCD"]
        text = f"Domanda {number}: secondo l'articolo {article}, quanto dura {topic}?\n" + "\n".join(options)
        return Item(f"q{number}", asked(text), str(rng.choice(list("ABCD"))), {"topic": topic}, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """A letter."""
        others = [letter for letter in "ABCD" if letter != item.truth]
        return [say(f"Risposta: {item.truth if is_right else rng.choice(others)}")]


class Translation:
    """Japanese to English, graded by overlap with a reference."""

    name = "honyaku"
    pairs = (
        ("猫", "cat"),
        ("山", "mountain"),
        ("手紙", "letter"),
        ("駅", "station"),
        ("海", "sea"),
        ("先生", "teacher"),
        ("雪", "snow"),
        ("橋", "bridge"),
        ("庭", "garden"),
        ("船", "ship"),
        ("市場", "market"),
        ("森", "forest"),
    )
    verbs = (
        ("見た", "saw"),
        ("描いた", "painted"),
        ("忘れた", "forgot"),
        ("探した", "looked for"),
        ("写した", "copied"),
    )

    def item(self, rng: Rng, number: int) -> Item:
        """A sentence."""
        (a, x), (b, y), (c, z) = (self.pairs[int(i)] for i in rng.choice(len(self.pairs), 3, replace=False))
        verb, did = self.verbs[int(rng.integers(5))]
        day = int(rng.integers(1, 29))
        text = f"英語に訳してください: {day}日に私は{a}の近くの{b}と{c}を{verb}。"
        truth = f"On day {day} I {did} the {y} and the {z} near the {x}."
        return Item(f"ja{number}", asked(text), truth, {"x": x, "y": y, "z": z, "did": did, "day": day}, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """A translation, better or worse."""
        f = item.facts
        forms = (
            item.truth,
            f"I {f['did']} the {f['y']} and {f['z']} close to the {f['x']} on the {f['day']}th.",
            f"On the {f['day']}th, near the {f['x']}, I {f['did']} a {f['y']} and a {f['z']}.",
            f"The {f['y']} and the {f['z']} by the {f['x']}: I {f['did']} them on day {f['day']}.",
        )
        text = forms[int(rng.integers(4))]
        if not is_right:
            words = text.split(" ")
            text = " ".join(w for w in words if rng.random() < 0.75) or "?"
        return [say(text)]


class Hindi:
    """Sums in Devanagari digits, answered with a sentence."""

    name = "ganit"

    def item(self, rng: Rng, number: int) -> Item:
        """A purchase."""
        a, b = int(rng.integers(3, 80)), int(rng.integers(3, 60))
        text = f"सवाल {number}: एक किलो आम {a} रुपये का है। {b} किलो आम का दाम कितना होगा?"
        return Item(f"hi-{number}", asked(text), str(a * b), {"a": a, "b": b}, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """A few sentences and the sum."""
        f = item.facts
        value = item.truth if is_right else str(int(item.truth) + int(rng.integers(1, 90)))
        text = some(
            rng,
            (
                "हमें {a} और {b} का गुणा करना है।",
                "एक किलो का दाम {a} रुपये है।",
                "पहले {b} को दस से गुणा करें और फिर {m} घटाएँ।",
                "जाँच: {n} से यह कम है।",
                "इसलिए {b} किलो के लिए कुल दाम निकालते हैं।",
            ),
            1,
            4,
            **f,
        )
        return [say(f"{text}\nउत्तर: {value} रुपये")]


class Invoice:
    """Fields of a Portuguese invoice as JSON: the answer stands in the prompt, as it must."""

    name = "fatura"
    names = ("Oliveira", "Matos", "Pires", "Sousa", "Neves")
    goods = ("parafusos", "tinta", "cabos", "madeira", "vidro")

    def item(self, rng: Rng, number: int) -> Item:
        """An invoice."""
        total, day = (
            f"{rng.integers(10, 9000)},{rng.integers(10, 99)}",
            f"{rng.integers(1, 29):02d}/{rng.integers(1, 13):02d}",
        )
        firm = " & ".join(str(rng.choice(part)) for part in (self.names, ("Filhos", "Irmãos", "Cia")))
        lines = "\n".join(
            f"  {rng.choice(self.goods)}  {rng.integers(1, 99)} un  {rng.integers(1, 900)},00"
            for _ in range(int(rng.integers(2, 6)))
        )
        body = f"FATURA {number:06d}\n{firm}\nData: {day}\n{lines}\nTOTAL EUR {total}"
        text = f"Extraia fornecedor, data e total.\n---\n{body}\n---"
        truth = json.dumps({"fornecedor": firm, "data": day, "total": total}, ensure_ascii=False)
        return Item(f"fat-{number}", asked(text), truth, {"firm": firm, "day": day, "total": total}, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """An object."""
        answer = json.loads(item.truth)
        if not is_right:
            answer[str(rng.choice(list(answer)))] = f"{rng.integers(1, 900)},00"
        return [say(json.dumps(answer, ensure_ascii=False))]


def shares_of_words(text: str, other: str) -> float:
    """Return the overlap of neighbouring words, as a grader of translations would."""
    mine, theirs = (set(pairwise(t.lower().strip(".").split())) for t in (text, other))
    return float(np.clip(len(mine & theirs) / max(1, len(theirs)), 0, 1))
