"""Sums in Spanish, French, Japanese and Italian, answered in the language of the question."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, say, slip

TEXTS = {
    "es": (
        (
            "Una huerta tiene {a} filas con {b} tomates cada una. Se venden {c}. ¿Cuántos tomates quedan?",
            "Marta compra {a} cajas de {b} lápices y regala {c}. ¿Cuántos lápices le quedan?",
        ),
        ("Multiplico y después resto.", "Primero calculo el total.", "Vamos paso a paso."),
        "Respuesta: {x}",
    ),
    "fr": (
        (
            "Un théâtre compte {a} rangées de {b} sièges, dont {c} sont réservés. Combien de sièges restent libres ?",
            "Luc remplit {a} paniers de {b} cerises et en mange {c}. Combien de cerises reste-t-il ?",
        ),
        ("On calcule d'abord le total.", "Je multiplie, puis je soustrais.", "Procédons par étapes."),
        "Réponse : {x}",
    ),
    "ja": (
        (
            "{b}個入りのりんごの箱が{a}箱あります。{c}個を売りました。残りは何個ですか。",
            "1列に{b}人が{a}列に並んでいます。{c}人が帰りました。残りは何人ですか。",
        ),
        ("まず全体の数を求めます。", "順番に計算します。", "かけ算をしてから引き算をします。"),
        "答え：{x}",
    ),
    "it": (
        (
            "In una biblioteca ci sono {a} scaffali con {b} libri ciascuno. {c} sono in prestito. Quanti restano?",
            "Paolo prepara {a} vassoi con {b} biscotti e ne offre {c}. Quanti biscotti rimangono?",
        ),
        ("Calcolo prima il totale.", "Moltiplico e poi sottraggo.", "Procediamo con ordine."),
        "Risposta: {x}",
    ),
}


def foreign_sum(rng: Random, number: int, languages: tuple[str, ...] = ("es", "fr", "ja", "it")) -> Task:
    """A sum in one of the languages."""
    language = rng.choice(languages)
    stories, starts, closing = TEXTS[language]
    a, b = rng.randint(6, 48), rng.randint(7, 60)
    c = rng.randint(3, a * b // 2)
    value = a * b - c

    def write(rng: Random, right: bool, progress: float) -> Reply:
        total = a * b if right or rng.random() < 0.5 else int(slip(rng, a * b))
        said = value if right else total - c
        if not right and said == value:
            said = int(slip(rng, value))
        lines = [rng.choice(starts), f"{a} × {b} = {total}", f"{total} − {c} = {said}"]
        if rng.random() > 0.35 + 0.5 * progress:
            lines.pop(0)
        return Reply([say("\n".join([*lines, closing.format(x=said)]))], str(said))

    prompt = rng.choice(stories).format(a=a, b=b, c=c)
    return Task(f"{language}-{number:04d}", language, prompt, str(value), write, rng.gauss(0, 0.6))
