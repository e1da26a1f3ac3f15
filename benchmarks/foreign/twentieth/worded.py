"""How word problems are answered in several languages."""

from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, MakeReply, Reply, Task, said
from benchmarks.foreign.twentieth.romance_books import FRENCH, PORTUGUESE
from benchmarks.foreign.twentieth.stories import tasks_of, worked
from benchmarks.foreign.twentieth.story_books import ENGLISH, GERMAN, SPANISH

OPENINGS = {
    "en": ("Step by step.", "I take the story in order.", "First what is given, then what is asked.", "Let me see."),
    "de": ("Ich rechne der Reihe nach.", "Zuerst die gegebenen Größen.", "Schritt für Schritt:", "Also:"),
    "es": ("Vamos por partes.", "Primero ordeno los datos.", "Calculo paso a paso:", "Veamos."),
    "fr": ("Procédons par étapes.", "Je pose les calculs.", "On lit l'énoncé dans l'ordre.", "Voyons."),
    "pt": ("Vou resolver por partes.", "Leio o enunciado com calma.", "Começo pelos dados.", "Vejamos."),
}
CHECKS = (
    "Check: going backwards from {v} leads to the first figure again.",
    "Does {v} make sense? The size of the figures says yes.",
    "I recount the units once more: nothing is mixed up.",
    "A rough estimate with round numbers lands near {v} as well.",
    "The condition in the second sentence has been used, so nothing is left over.",
)


def _in(language: str, end: str, comma: bool = False) -> MakeReply:
    def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        lines, answer = worked(rng, task, right, comma)
        text = "\n".join([rng.choice(OPENINGS[language]), *lines, end.format(v=answer)])
        return Reply([said(text)], answer)

    return reply


def _checked(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    lines, answer = worked(rng, task, right)
    checks = rng.sample(CHECKS, min(5, round(progress * rng.uniform(1, 4.5)) + (right and rng.random() < 0.4)))
    lines += [check.format(v=answer) for check in checks]
    text = "\n".join([rng.choice(OPENINGS["en"]), *lines, f"\\boxed{{{answer}}}"])
    return Reply([said(text)], answer)


def _tagged(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    lines, answer = worked(rng, task, right)
    inner = f"\n{answer}\n" if rng.random() < 0.42 else answer
    text = "\n".join(["<think>", rng.choice(OPENINGS["en"]), *lines, "</think>", f"<answer>{inner}</answer>"])
    return Reply([said(text)], answer, {"own_line": inner != answer})


ENGLISH_CHECKED = Domain("wp", tasks_of(ENGLISH, ("Imke", "Otis", "Rhea", "Tomas", "Wanda")), _checked)
ENGLISH_TAGGED = Domain(
    "gsm", tasks_of(ENGLISH, ("Pavel", "Greta", "Anders", "Lucia"), "End with <answer>NUMBER</answer>."), _tagged
)
GERMAN_SUMS = Domain(
    "sach", tasks_of(GERMAN, ("Anke", "Jörg", "Frau Nagel", "Emil"), comma=True), _in("de", "Antwort: {v}", comma=True)
)
SPANISH_SUMS = Domain("prob", tasks_of(SPANISH, ("Lola", "Iker", "Nuria", "Paco")), _in("es", "Respuesta: {v}"))
FRENCH_SUMS = Domain("exo", tasks_of(FRENCH, ("Maud", "Basile", "Odile", "Yann")), _in("fr", "Réponse : {v}"))
PORTUGUESE_SUMS = Domain(
    "quest", tasks_of(PORTUGUESE, ("Joana", "Tiago", "Dona Rita", "Caio")), _in("pt", "Resposta: {v}")
)
