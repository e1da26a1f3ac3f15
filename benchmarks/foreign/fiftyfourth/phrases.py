"""Short letters in English and what they are in other languages."""

import random

LETTERS = (
    (
        "The parcel arrived this morning.",
        "Das Paket ist heute Morgen angekommen.",
        "Посылка пришла сегодня утром.",
        "El paquete llegó esta mañana.",
    ),
    ("One cup is broken.", "Eine Tasse ist zerbrochen.", "Одна чашка разбита.", "Una taza está rota."),
    (
        "Please send a new one.",
        "Bitte schicken Sie eine neue.",
        "Пожалуйста, пришлите новую.",
        "Por favor, envíe una nueva.",
    ),
    (
        "We have moved to the second floor.",
        "Wir sind in den zweiten Stock gezogen.",
        "Мы переехали на второй этаж.",
        "Nos hemos mudado al segundo piso.",
    ),
    (
        "The meeting begins at nine.",
        "Die Sitzung beginnt um neun.",
        "Собрание начинается в девять.",
        "La reunión empieza a las nueve.",
    ),
    (
        "My brother will bring the keys.",
        "Mein Bruder bringt die Schlüssel mit.",
        "Мой брат принесёт ключи.",
        "Mi hermano traerá las llaves.",
    ),
    ("The bill is not correct.", "Die Rechnung stimmt nicht.", "Счёт неправильный.", "La factura no es correcta."),
    ("We paid in cash.", "Wir haben bar bezahlt.", "Мы заплатили наличными.", "Pagamos en efectivo."),
    (
        "The garden is closed in winter.",
        "Der Garten ist im Winter geschlossen.",
        "Зимой сад закрыт.",
        "El jardín está cerrado en invierno.",
    ),
    (
        "Nobody answered the telephone.",
        "Niemand ging ans Telefon.",
        "Никто не отвечал на звонки.",
        "Nadie contestó el teléfono.",
    ),
)
TONGUES = ("German", "Russian", "Spanish")
GREETINGS = (
    ("Guten Tag,", "Sehr geehrte Damen und Herren,"),
    ("Здравствуйте,", "Добрый день,"),
    ("Buenos días:", "Estimados señores:"),
)


def problems(rng: random.Random, number: int) -> list[dict]:
    """Letters of four sentences with the language that is asked for."""
    out = []
    for at in range(number):
        lines, tongue = rng.sample(LETTERS, 4), rng.randrange(3)
        text = f"Translate this letter into {TONGUES[tongue]}; a greeting may be added.\n\n" + " ".join(
            s[0] for s in lines
        )
        out.append(
            {"id": f"letter-{at:02d}", "text": text, "lines": lines, "tongue": tongue, "hard": rng.gauss(0, 0.7)}
        )
    return out


def translated(rng: random.Random, task: dict, right: bool) -> str:
    """The letter in its language; a worse one loses a sentence or has one of another letter in it."""
    lines = [s[task["tongue"] + 1] for s in task["lines"]]
    if not right:
        at = rng.randrange(4)
        other = [s[task["tongue"] + 1] for s in LETTERS if s not in task["lines"]]
        lines[at : at + 1] = [] if rng.random() < 0.5 else [rng.choice(other)]
    lead = rng.choice(("", *GREETINGS[task["tongue"]]))
    return (lead + rng.choice(("\n", " ")) if lead else "") + rng.choice((" ", "\n")).join(lines)
