"""Small sums in five languages, answered in the language of the question."""

from random import Random

from benchmarks.foreign.eleventh.runs import Domain, Reply, Task, say
from benchmarks.foreign.eleventh.sums import slip

TEXTS = {
    "de": [
        (
            "In {p} stehen {a} Körbe mit je {b} Äpfeln. {c} Äpfel sind faul. Wie viele sind gut?",
            "Alle Äpfel: {a} × {b} = {m}. Ohne die faulen: {m} − {c} = {r}.",
            "Antwort: {r}",
        ),
        (
            "Eine Radtour nach {p} hat {a} Etappen zu {b} km; {c} km entfallen. Wie weit fährt man?",
            "Zuerst {a} mal {b}, das sind {m} km. Abzüglich {c} bleiben {r} km.",
            "Antwort: {r}",
        ),
    ],
    "fr": [
        (
            "À {p}, {a} étagères portent chacune {b} livres ; {c} livres sont prêtés. Combien en reste-t-il ?",
            "Il y a {a} × {b} = {m} livres. On retire {c}, il en reste {r}.",
            "Réponse : {r}",
        ),
        (
            "Une boulangerie de {p} cuit {a} fournées de {b} pains et en jette {c}. Combien en vend-elle ?",
            "Les fournées donnent {m} pains, donc {m} − {c} = {r}.",
            "Réponse : {r}",
        ),
    ],
    "es": [
        (
            "En {p} hay {a} mesas con {b} sillas cada una y se rompen {c} sillas. ¿Cuántas quedan?",
            "Son {a} × {b} = {m} sillas. Menos {c} rotas quedan {r}.",
            "Respuesta: {r}",
        ),
        (
            "Un taller de {p} hace {a} lotes de {b} piezas; {c} salen mal. ¿Cuántas sirven?",
            "Los lotes suman {m}. Restamos {c} y da {r}.",
            "Respuesta: {r}",
        ),
    ],
    "ru": [
        (
            "В городе {p} стоят {a} ящиков по {b} яблок, {c} яблок испорчены. Сколько хороших?",
            "Всего {a} × {b} = {m} яблок. Без испорченных: {m} − {c} = {r}.",
            "Ответ: {r}",
        ),
        (
            "Завод в {p} выпускает {a} партий по {b} деталей, {c} из них брак. Сколько годных?",
            "Партии дают {m} деталей, минус {c}, получаем {r}.",
            "Ответ: {r}",
        ),
    ],
    "ja": [
        (
            "{p}の倉庫に{b}個入りの箱が{a}箱あります。{c}個が壊れました。残りは何個ですか。",
            "全部で{a}×{b}={m}個です。{c}個を引くと{r}個になります。",
            "答え：{r}",
        ),
        (
            "{p}の工場は{a}日間、毎日{b}個作り、{c}個が不良でした。良品は何個ですか。",
            "合計は{m}個、不良を除くと{r}個です。",
            "答え：{r}",
        ),
    ],
}
PLACES = ["Bergen", "Lyon", "Cádiz", "Kazan", "Sendai", "Graz", "Namur", "León", "Tula", "Nara", "Passau", "Dijon"]
LEADS = {
    "de": ["Schritt für Schritt.", "Wir rechnen zuerst das Produkt.", "Gesucht ist der Rest.", "Also los.", ""],
    "fr": ["Procédons par étapes.", "On calcule d'abord le produit.", "On cherche le reste.", "Allons-y.", ""],
    "es": ["Vamos paso a paso.", "Primero el producto.", "Buscamos el resto.", "Calculemos.", ""],
    "ru": ["По шагам.", "Сначала произведение.", "Ищем остаток.", "Посчитаем.", ""],
    "ja": ["順番に考えます。", "まず積を求めます。", "残りを求めます。", "計算します。", ""],
}
CHECKS = {
    "de": ["Die Probe stimmt.", "Der Überschlag passt.", "Das ist plausibel."],
    "fr": ["La vérification est bonne.", "L'ordre de grandeur convient.", "C'est plausible."],
    "es": ["La comprobación es correcta.", "La estimación coincide.", "Es razonable."],
    "ru": ["Проверка сходится.", "Оценка совпадает.", "Это правдоподобно."],
    "ja": ["検算も合います。", "概算とも一致します。", "妥当な値です。"],
}


def make(rng: Random, name: str) -> Task:
    """A question in one of the languages."""
    language = rng.choice(list(TEXTS))
    text, work, end = rng.choice(TEXTS[language])
    numbers = {"a": rng.randint(6, 58), "b": rng.randint(11, 75), "c": rng.randint(4, 60)}
    result = numbers["a"] * numbers["b"] - numbers["c"]
    facts = {"numbers": numbers, "work": work, "end": end, "language": language}
    return Task(
        name,
        text.format(p=rng.choice(PLACES), **numbers),
        str(result),
        f"sum_{language}",
        facts=facts,
        extra={"lang": language},
    )


def solve(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """The work in the language, and the answer."""
    n = task.facts["numbers"]
    product = n["a"] * n["b"]
    broken = not right and rng.random() < 0.5
    product = slip(rng, product) if broken else product
    result = product - n["c"] if right or broken else slip(rng, product - n["c"])
    words = {**n, "m": product, "r": result}
    language = task.facts["language"]
    lead = rng.choice(LEADS[language])
    lines = [*([lead] if lead else []), task.facts["work"].format(**words)]
    if rng.random() < 0.35 + 0.2 * t:
        lines.append(rng.choice(CHECKS[language]))
    return Reply([say("\n".join([*lines, task.facts["end"].format(**words)]))], str(result))


TONGUES = Domain(make, solve)
