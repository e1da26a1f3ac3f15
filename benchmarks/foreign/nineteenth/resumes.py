"""Summaries of short reports in French, marked by a judge model."""

from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

PLACES = (
    "Cahors",
    "Vannes",
    "Belfort",
    "Sète",
    "Guéret",
    "Lorient",
    "Auch",
    "Menton",
    "Laon",
    "Foix",
    "Saumur",
    "Dieppe",
)
EVENTS = (
    ("le marché couvert rouvre après {n} mois de travaux", "la halle a été rénovée pour {m} millions d'euros"),
    ("une panne d'eau a touché {n} foyers", "la conduite, vieille de {m} ans, sera remplacée"),
    ("le festival de jazz a attiré {n} mille visiteurs", "l'entrée restait gratuite pour la {m}e année"),
    ("la bibliothèque prête désormais {n} instruments", "le service coûte {m} euros par an"),
    ("le tramway sera prolongé de {n} kilomètres", "le chantier durera {m} ans"),
    ("{n} ruches ont été posées sur les toits", "le miel sera vendu {m} euros le pot"),
)
FILL = (
    "Le maire s'est dit satisfait.",
    "Des habitants regrettent le manque d'information.",
    "Une réunion est prévue à la rentrée.",
    "L'opposition demande un bilan chiffré.",
    "Les commerçants voisins attendent de voir.",
    "La presse locale en parle depuis l'hiver.",
)
HEADS = ("En bref : ", "À {place}, ", "Résumé : à {place}, ", "L'essentiel : ")


def summary_task(rng: Random) -> Task:
    """Draw a report."""
    place, (first, second) = rng.choice(PLACES), rng.choice(EVENTS)
    n, m = rng.randrange(3, 60), rng.randrange(2, 30)
    facts = (first.format(n=n), second.format(m=m))
    text = f"À {place}, {facts[0]}. {' '.join(rng.sample(FILL, 3))} Selon la mairie, {facts[1]}."
    return Task(
        f"Résume en une ou deux phrases, sans rien ajouter :\n\n{text}",
        "",
        lambda r, right, skill: _reply(r, place, facts, right),
        family="presse",
        scene=facts,
    )


def _reply(rng: Random, place: str, facts: tuple[str, str], right: bool) -> Reply:
    head = rng.choice(HEADS).format(place=place)
    if right:
        body = rng.choice(
            (f"{facts[0]} ; {facts[1]}.", f"{facts[0]}, et {facts[1]}.", f"{facts[0]}. De plus, {facts[1]}.")
        )
    else:
        body = rng.choice(
            (f"{facts[0]}.", f"{rng.choice(FILL)}", f"il se passe beaucoup de choses. {rng.choice(FILL)}")
        )
    return Reply([say(head + body)], "")
