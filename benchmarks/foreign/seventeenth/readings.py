"""Short passages in French with a question, answered freely and marked by a judge."""

from random import Random

from benchmarks.foreign.seventeenth.almanac import GIVEN, KIN, town
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

FACTS = {
    "pont": ("Le pont de {place} fut achevé en {year} par l'ingénieur {name}.", "Qui acheva le pont de {place} ?"),
    "moulin": ("En {year}, {name} vendit le moulin de {place} à la commune.", "Qui vendit le moulin de {place} ?"),
    "cloche": (
        "La grande cloche de {place}, fondue en {year}, est l'œuvre de {name}.",
        "Qui fondit la grande cloche de {place} ?",
    ),
    "école": ("{name} ouvrit l'école de {place} à l'automne {year}.", "Qui ouvrit l'école de {place} ?"),
}
ASIDES = (
    "Le marché se tenait le jeudi, sous l'autorité de {other}.",
    "On y comptait alors {n} foyers.",
    "{other} y passa l'hiver et s'en plaignit dans ses lettres.",
    "La rivière déborda {n} fois en un siècle.",
    "Le notaire {other} en a laissé un plan.",
)
FORMS = ("C'est {}.", "D'après le texte, il s'agit de {}.", "Le texte nomme {}.", "{}, comme le dit le passage.")


def reading_task(rng: Random, number: int) -> Task:
    """A passage with one right name and several others."""
    family, place, year = rng.choice(list(FACTS)), town(rng), rng.randint(1610, 1899)
    names = [f"{g} {k}" for g, k in zip(rng.sample(GIVEN, 4), rng.sample(KIN, 4), strict=True)]
    gold, others = names[0], names[1:]
    asides = [a.format(other=others[i % 3], n=rng.randint(3, 90)) for i, a in enumerate(rng.sample(ASIDES, 4))]
    asides.insert(rng.randrange(5), FACTS[family][0].format(place=place, year=year, name=gold))

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        answer = gold if right else rng.choice(others)
        lead = rng.choice(("", "", "J'ai relu le passage. ", "La réponse est dans le texte. "))
        return Reply([says(lead + rng.choice(FORMS).format(answer))], answer)

    prompt = user(
        f"{' '.join(asides)}\n\n{FACTS[family][1].format(place=place)}", "Réponds en une phrase d'après le texte."
    )
    return Task(f"lire-{number:04d}", family, prompt, gold, rng.gauss(0, 0.6), solve)
