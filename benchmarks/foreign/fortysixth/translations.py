"""Sentences to be translated into Russian or Greek, graded by how many of their three parts are right."""

import random

from benchmarks.foreign.fortysixth.policy import Attempt, Problem, say

_WHO = (
    ("My brother", "Мой брат", "Ο αδελφός μου"),
    ("The teacher", "Учитель", "Ο δάσκαλος"),
    ("Our neighbour", "Наш сосед", "Ο γείτονάς μας"),
    ("The baker", "Пекарь", "Ο φούρναρης"),
    ("Anna", "Анна", "Η Άννα"),
)
_DOES = (
    ("reads the newspaper", "читает газету", "διαβάζει την εφημερίδα"),
    ("cooks soup", "варит суп", "μαγειρεύει σούπα"),
    ("looks for the key", "ищет ключ", "ψάχνει το κλειδί"),
    ("writes a letter", "пишет письмо", "γράφει ένα γράμμα"),
    ("repairs the chair", "чинит стул", "επισκευάζει την καρέκλα"),
    ("waters the flowers", "поливает цветы", "ποτίζει τα λουλούδια"),
)
_WHEN = (
    ("every morning", "каждое утро", "κάθε πρωί"),
    ("on Sundays", "по воскресеньям", "τις Κυριακές"),
    ("after work", "после работы", "μετά τη δουλειά"),
    ("in winter", "зимой", "τον χειμώνα"),
)
_ASKS = (
    "Translate into {language}: “{text}”",
    "Please put this sentence into {language}: “{text}” Reply with the translation only.",
    "How does one say in {language}: “{text}”",
)


def problems(rng: random.Random, count: int) -> list[Problem]:
    """English prompts that ask for one of the two languages."""
    triples = [(w, d, t, x) for w in _WHO for d in _DOES for t in _WHEN for x in (1, 2)]
    out = []
    for i, (who, does, when, x) in enumerate(rng.sample(triples, count)):
        language = ("Russian", "Greek")[x - 1]
        text = rng.choice(_ASKS).format(language=language, text=f"{who[0]} {does[0]} {when[0]}.")
        gold = f"{who[x]} {does[x]} {when[x]}."
        data = {"parts": (who[x], does[x], when[x]), "x": x}
        out.append(Problem(f"mt-{i:03d}", text, gold, rng.choice((0.35, 0.5, 0.6)), language, data))
    return out


def translate(rng: random.Random, p: Problem, right: bool) -> Attempt:
    """A translation; `correct` is the share of parts that are right."""
    x, parts = p.data["x"], list(p.data["parts"])
    if not right:
        for place in rng.sample(range(3), rng.randint(1, 2)):
            pool = (_WHO, _DOES, _WHEN)[place]
            parts[place] = rng.choice([entry[x] for entry in pool if entry[x] != parts[place]])
    share = sum(a == b for a, b in zip(parts, p.data["parts"], strict=True)) / 3
    text = " ".join(parts) + "."
    if rng.random() < 0.3:
        who, does, when = parts
        text = f"{when[0].upper()}{when[1:]} {who if who in ('Анна',) else who[0].lower() + who[1:]} {does}."
    return Attempt(p, [say(text)], text, round(share, 2))
