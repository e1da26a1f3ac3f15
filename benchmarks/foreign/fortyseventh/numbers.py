"""Two-step word problems in four languages, as tutoring and logistics companies have them."""

import random

from benchmarks.foreign.fortyseventh.policy import Problem

TOWNS = ["Kassel", "Leeds", "Porto", "Graz", "Lyon", "Malmö", "Gdynia", "Cork", "Brno", "Cádiz", "Turku", "Bergamo"]
STORIES = {
    "en": [
        "A depot in {t} ships {x} pallets of {y} crates each, and {z} come back damaged. How many crates stay out?|-",
        "A clinic in {t} runs {x} sessions a week with {y} patients each. {z} more walk in. How many in all?|+",
        "A printer in {t} makes {x} booklets of {y} sheets. {z} sheets are spoiled on top. How many sheets are used?|+",
        "In {t}, {x} buses carry {y} passengers each; {z} get off early. How many reach the terminus?|-",
        "A choir from {t} sells {x} rows of {y} seats, and keeps {z} seats back for guests. How many can be bought?|-",
    ],
    "de": [
        "Ein Lager in {t} packt {x} Kisten mit je {y} Gläsern; {z} Gläser zerbrechen. Wie viele bleiben ganz?|-",
        "Eine Schule in {t} hat {x} Klassen mit je {y} Kindern, dazu {z} Gastkinder. Wie viele Kinder sind es?|+",
        "Ein Hof bei {t} füllt {x} Körbe mit je {y} Äpfeln und verschenkt {z} davon. Wie viele Äpfel bleiben?|-",
        "In {t} legt ein Gärtner {x} Reihen mit {y} Pflanzen an und setzt {z} weitere dazu. Wie viele sind es?|+",
    ],
    "es": [
        "Un taller de {t} monta {x} estantes con {y} cajas cada uno y retira {z} cajas. ¿Cuántas cajas quedan?|-",
        "Una biblioteca de {t} recibe {x} lotes de {y} libros y {z} donaciones. ¿Cuántos libros recibe?|+",
        "En {t}, {x} mesas tienen {y} sillas cada una y faltan {z} sillas. ¿Cuántas sillas hay?|-",
    ],
    "fr": [
        "Une cave de {t} remplit {x} caisses de {y} bouteilles et en vend {z}. Combien de bouteilles reste-t-il ?|-",
        "Un club de {t} forme {x} équipes de {y} joueurs, plus {z} remplaçants. Combien de joueurs en tout ?|+",
    ],
}
OPEN = {
    "en": ["Let me set this out.", "First the total before any change.", "I start with the groups.", "Two steps here."],
    "de": ["Zuerst die Gesamtzahl.", "Ich rechne in zwei Schritten.", "Fangen wir mit den Gruppen an.", "Also:"],
    "es": ["Primero calculo el total.", "Voy por partes.", "Son dos pasos.", "Empiezo por los grupos."],
    "fr": [
        "Je calcule d'abord le total.",
        "Il y a deux étapes.",
        "Commençons par les groupes.",
        "Procédons par ordre.",
    ],
}
FIRST = {
    "en": [
        "{x} times {y} makes {v}.",
        "There are {x} groups of {y}, so {x} * {y} = {v}.",
        "Multiplying {y} by {x} gives {v}.",
    ],
    "de": ["{x} mal {y} ergibt {v}.", "Das sind {x} * {y} = {v}.", "Man multipliziert {y} mit {x} und erhält {v}."],
    "es": ["{x} por {y} son {v}.", "Hay {x} grupos de {y}: {x} * {y} = {v}.", "Multiplico {y} por {x} y obtengo {v}."],
    "fr": [
        "{x} fois {y} font {v}.",
        "Il y a {x} groupes de {y} : {x} * {y} = {v}.",
        "En multipliant {y} par {x} on a {v}.",
    ],
}
SECOND = {
    "en": [
        "Then {v} {o} {z} = {w}.",
        "The other {z} change that: {v} {o} {z} = {w}.",
        "Now account for {z}, which leads to {w}.",
    ],
    "de": [
        "Danach {v} {o} {z} = {w}.",
        "Mit den {z} wird daraus {v} {o} {z} = {w}.",
        "Nun die {z} beachten, das führt zu {w}.",
    ],
    "es": [
        "Después {v} {o} {z} = {w}.",
        "Con los otros {z} queda {v} {o} {z} = {w}.",
        "Ahora cuento los {z} y llego a {w}.",
    ],
    "fr": [
        "Ensuite {v} {o} {z} = {w}.",
        "Avec les {z} on obtient {v} {o} {z} = {w}.",
        "Il faut compter les {z}, ce qui mène à {w}.",
    ],
}
CHECK = {
    "en": [
        "That is about {x} tens, which looks sensible.",
        "Checking with {y} per group, the size fits.",
        "No other number is needed.",
        "",
    ],
    "de": ["Die Größenordnung passt zu {x} Gruppen.", "Mit {y} je Gruppe ist das plausibel.", ""],
    "es": ["El orden de magnitud con {x} grupos cuadra.", "Con {y} por grupo parece razonable.", ""],
    "fr": ["L'ordre de grandeur avec {x} groupes convient.", "Avec {y} par groupe, c'est cohérent.", ""],
}
ENDS = {"hash": "#### {w}", "box": "\\boxed{{{w}}}", "tag": "<answer>{w}</answer>"}


class Numbers:
    """Word problems in some languages, with the answer in a mark."""

    def __init__(self, languages: tuple[str, ...] = ("en",), mark: str = "hash", system: str = "") -> None:
        self.languages, self.mark, self.system = languages, mark, system

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A story with fresh numbers."""
        language = rng.choice(self.languages)
        place = rng.randrange(len(STORIES[language]))
        story, sign = STORIES[language][place].split("|")
        x, y = rng.randint(6, 48), rng.randint(7, 39)
        z = rng.randint(3, min(60, x * y - 5))
        gold = x * y + z if sign == "+" else x * y - z
        facts = {"x": x, "y": y, "z": z, "o": sign, "language": language}
        prompt = story.format(t=rng.choice(TOWNS), **facts)
        return Problem(f"{language}-{number:04d}", prompt, str(gold), f"{language}_{place}", self.system, 0.0, facts)

    def reason(self, rng: random.Random, problem: Problem, right: bool, language: str = "") -> tuple[str, int]:
        """Reasoning of several sentences, and the number that it reaches."""
        f = problem.facts
        language = language or f["language"]
        x, y, z, o = f["x"], f["y"], f["z"], f["o"]
        v = x * y
        slip = "" if right else rng.choice(["product", "sign", "skip", "sum"])
        if slip == "product":
            v += rng.choice([-20, -10, 10, 20, 100])
        w = v + z if (o == "+") != (slip == "sign") else v - z
        if slip == "sum":
            w += rng.choice([-10, 10, 1, -1])
        sign = o if slip != "sign" else {"+": "-", "-": "+"}[o]
        values = {"x": x, "y": y, "z": z, "v": v, "o": sign, "w": w}
        parts = [rng.choice(OPEN[language]), rng.choice(FIRST[language])]
        if slip == "skip":
            w = v
        else:
            parts.append(rng.choice(SECOND[language]))
        parts.append(rng.choice(CHECK[language]))
        return " ".join(part.format(**values) for part in parts if part), w

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """One reply: reasoning, then the answer in its mark."""
        text, value = self.reason(rng, problem, right)
        return [{"role": "assistant", "content": f"{text}\n{ENDS[self.mark].format(w=value)}"}]


def checks(rng: random.Random, problem: Problem, number: int) -> str:
    """Further sentences in English that go over the product again in other ways."""
    x, y = problem.facts["x"], problem.facts["y"]
    tens, ones = y - y % 10, y % 10
    half = x // 2
    ways = [
        f"Splitting {y} into {tens} and {ones}: {x} * {tens} = {x * tens} and {x} * {ones} = {x * ones}.",
        f"Half of the groups, {half}, would give {half * y}, and the other {x - half} give {(x - half) * y}.",
        f"With one group less it would be {(x - 1) * y}, so another {y} brings it to {x * y}.",
        f"Ten groups of {y} are {10 * y}, which I use as a yardstick for {x} groups.",
        f"Wait, is it {x} groups of {y} or the other way round? The product is the same.",
        f"Read again: the statement gives {x}, {y} and {problem.facts['z']}, and each is used once.",
        f"The last digits {x % 10} and {y % 10} multiply to {x % 10 * (y % 10)}, so the product ends in {x * y % 10}.",
        f"Rounded, {round(x, -1)} times {round(y, -1)} is {round(x, -1) * round(y, -1)}, near enough.",
    ]
    return " ".join(rng.sample(ways, min(number, len(ways))))
