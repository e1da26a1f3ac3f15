"""Invoices of many countries, whose amount due is to be read off and summed."""

from random import Random

from benchmarks.foreign.sixtysecond.tasks import Task, Written

LANGUAGES = ("de", "es", "pt", "en")
_ASK = {
    "de": "Wie hoch ist der Zahlbetrag der Rechnung (Positionen plus Versand, minus Gutschrift)? Antworte auf Deutsch.",
    "es": "¿Cuál es el importe a pagar de la factura (líneas más envío, menos abono)? Responde en español.",
    "pt": "Qual é o valor a pagar da fatura (linhas mais portes, menos crédito)? Responde em português.",
    "en": "What is the amount due on the invoice (lines plus shipping, minus credit)? Reply in English.",
}
_WORDS = {
    "de": ("Rechnung", "Versand", "Gutschrift", ["Schrauben", "Lack", "Dichtungen", "Kabel", "Filter"]),
    "es": ("Factura", "Envío", "Abono", ["tornillos", "pintura", "juntas", "cables", "filtros"]),
    "pt": ("Fatura", "Portes", "Crédito", ["parafusos", "tinta", "juntas", "cabos", "filtros"]),
    "en": ("Invoice", "Shipping", "Credit", ["screws", "varnish", "gaskets", "cables", "filters"]),
}
_SAY: dict[str, tuple[list[str], str, str, str, str]] = {
    "de": (
        ["Ich addiere die Positionen.", "Zuerst die Zeilen von {v}."],
        "Die Positionen ergeben {a}.",
        "Mit Versand sind es {b}.",
        "Die Gutschrift ziehe ich ab: {c}.",
        "Eine Gutschrift rechne ich nicht an: {c}.",
    ),
    "es": (
        ["Sumo las líneas.", "Primero las líneas de {v}."],
        "Las líneas suman {a}.",
        "Con el envío son {b}.",
        "Resto el abono: {c}.",
        "El abono no lo aplico: {c}.",
    ),
    "pt": (
        ["Somo as linhas.", "Primeiro as linhas de {v}."],
        "As linhas somam {a}.",
        "Com os portes são {b}.",
        "Subtraio o crédito: {c}.",
        "O crédito não aplico: {c}.",
    ),
    "en": (
        ["I add up the lines.", "First the lines of {v}."],
        "The lines come to {a}.",
        "With shipping that is {b}.",
        "I take off the credit: {c}.",
        "I do not apply the credit: {c}.",
    ),
}
VENDORS = ("Norvik", "Talleres Ruiz", "Casa Moura", "Brandt KG", "Ellery Ltd", "Sorin")


def money(cents: int, comma: bool) -> str:
    """An amount with two decimals."""
    return f"{cents // 100}{',' if comma else '.'}{cents % 100:02d}"


def invoice(rng: Random, number: int, language: str = "", comma: bool = False) -> Task:
    """One invoice; with comma, replies write a decimal comma where the language does."""
    lang = language or rng.choice(LANGUAGES)
    vendor, (head, ship, credit, goods) = rng.choice(VENDORS), _WORDS[lang]
    items = [(g, rng.randint(900, 64000)) for g in rng.sample(goods, 3)]
    post, back = rng.randint(390, 2900), rng.randint(500, 1900)
    lines = "\n".join(f"{g}: {money(c, lang != 'en')}" for g, c in items)
    rest = f"{ship}: {money(post, lang != 'en')}\n{credit}: {money(back, lang != 'en')}"
    text = f"{head} {number}, {vendor}\n{lines}\n{rest}"
    gold = sum(c for _, c in items) + post - back

    def write(r: Random, right: bool) -> Written:
        slip = "" if right else r.choice(["credit", "shipping", "digit"])
        first = sum(c for _, c in items) + (r.choice([1000, -100, 10, -10]) if slip == "digit" else 0)
        second = first + (0 if slip == "shipping" else post)
        third = second - (0 if slip == "credit" else back)
        sep = lang != "en"
        begin, lines_said, ship_said, back_said, none_said = _SAY[lang]
        parts = [r.choice(begin).format(v=vendor), lines_said.format(a=money(first, sep))]
        if slip != "shipping":
            parts.append(ship_said.format(b=money(second, sep)))
        parts.append((none_said if slip == "credit" else back_said).format(c=money(third, sep)))
        if r.random() < 0.5:
            parts.insert(1, "; ".join(f"{g} {money(c, sep)}" for g, c in r.sample(items, 3)) + ".")
        return " ".join(parts), money(third, comma and lang != "en")

    prompt = f"{_ASK[lang]}\n\n{text}"
    return Task(
        f"inv-{number}", prompt, money(gold, comma and lang != "en"), f"invoice_{lang}", rng.uniform(-0.7, 0.8), write
    )
