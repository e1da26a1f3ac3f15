"""Short Spanish news to be summed up in one sentence; a judge gives 0 to 10."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

PLACES = ("Burgos", "Cuenca", "Rosario", "Mérida", "Valdivia", "Lugo", "Soria", "Tucumán", "Oaxaca", "Jaén", "Cusco")
EVENTS = {
    "obras": ("el ayuntamiento", "ampliará el carril bici en {n} kilómetros", "los vecinos llevaban años pidiéndolo"),
    "salud": ("el hospital comarcal", "contratará a {n} enfermeras", "las listas de espera habían crecido"),
    "cultura": ("el museo provincial", "prestará {n} cuadros a otras ciudades", "su edificio se cierra por reforma"),
    "campo": ("la cooperativa", "recogerá {n} toneladas de aceituna", "la lluvia llegó a tiempo"),
    "escuela": ("el instituto", "abrirá {n} aulas nuevas", "la matrícula subió en otoño"),
    "agua": ("la confederación", "soltará {n} hectómetros del embalse", "el nivel supera el máximo"),
}


def task(rng: Random) -> Task:
    """A piece of news."""
    family = rng.choice(list(EVENTS))
    who, what, why = EVENTS[family]
    place, what = rng.choice(PLACES), what.format(n=rng.randint(3, 95))
    day = f"{rng.randint(1, 28)} de {pick(rng, 'marzo', 'mayo', 'junio', 'octubre', 'noviembre')}"
    body = pick(
        rng,
        f"{who.capitalize()} de {place} anunció el {day} que {what}. Según su portavoz, {why}.",
        f"Desde el {day} es oficial: {who} de {place} {what}. La razón es que {why}.",
    )
    budget = f" El coste previsto es de {rng.randint(20, 980)} mil euros."
    prompt = f"Resume la noticia en una sola frase.\n\n{body}{budget}"
    return Task(family, prompt, "", extra={"who": who, "what": what, "why": why, "place": place, "day": day})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """One sentence; good ones hold who, what and why."""
    e = t.extra
    if right:
        text = pick(
            rng,
            f"{e['who'].capitalize()} de {e['place']} {e['what']} porque {e['why']}.",
            f"En {e['place']}, {e['who']} {e['what']}, ya que {e['why']}.",
            f"Como {e['why']}, {e['who']} de {e['place']} {e['what']}.",
            f"{e['who'].capitalize()} de {e['place']} {e['what']}, anunciado el {e['day']}: {e['why']}.",
            f"Según se supo el {e['day']}, {e['who']} de {e['place']} {e['what']} porque {e['why']}.",
            f"{e['place']}: {e['who']} {e['what']} dado que {e['why']}.",
        )
    else:
        text = pick(
            rng,
            f"Hay novedades en {e['place']} que afectan a los vecinos.",
            f"{e['who'].capitalize()} anunció cambios importantes.",
            f"La noticia trata de {e['place']} y de que {e['why']}.",
            f"El {e['day']} pasó algo en {e['place']}.",
            f"{e['who'].capitalize()} de {e['place']} habló el {e['day']} de sus planes.",
            f"Se gastará mucho dinero en {e['place']}.",
        )
    lead = pick(rng, "", "", "Resumen: ", "En una frase: ") if progress < 0.6 else ""
    return Reply([say(lead + text)], "")


def judged(rng: Random, right: bool) -> float:
    """The judge's mark."""
    return float(min(10, max(0, round(rng.gauss(7.9 if right else 3.4, 1.1)))))


WORLD = World(task, reply)
