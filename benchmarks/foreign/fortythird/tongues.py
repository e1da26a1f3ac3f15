"""Users who write in their own languages, and replies in these."""

import random
from dataclasses import dataclass

SHOPS = ("Pinar", "Lumen", "Kastel", "Brisa", "Falke", "Étoile", "Roble", "Morgen")
FORMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "es": (
        (
            "Hola, ¿a qué hora abre la tienda {shop} los sábados? Vivo a {km} kilómetros y quiero salir con tiempo.",
            "Buenas tardes. ¿Hasta cuándo puedo recoger mi pedido {n} en la tienda {shop}?",
        ),
        (
            "Gracias por escribirnos. La tienda {shop} abre los sábados a las {h}, y desde entonces entrega pedidos.",
            "Con mucho gusto: en {shop} le atendemos los sábados desde las {h}. Traiga por favor un documento.",
            "La tienda {shop} le espera desde las {h}. Si necesita otra cosa, estamos para ayudarle.",
        ),
    ),
    "fr": (
        (
            "Bonjour, à quelle heure ouvre le magasin {shop} le samedi ? J'habite à {km} kilomètres.",
            "Bonsoir, à partir de quand puis-je retirer ma commande {n} au magasin {shop} ?",
        ),
        (
            "Merci de votre message. Le magasin {shop} ouvre le samedi à {h} heures, pour les retraits aussi.",
            "Bien sûr : chez {shop} nous vous accueillons le samedi dès {h} heures. Pensez à votre pièce d'identité.",
            "Vous pouvez passer chez {shop} à partir de {h} heures. Je reste à votre disposition.",
        ),
    ),
    "de": (
        (
            "Guten Tag, wann öffnet der Laden {shop} am Samstag? Ich wohne {km} Kilometer entfernt.",
            "Hallo, ab wann kann ich meine Bestellung {n} im Laden {shop} abholen?",
        ),
        (
            "Danke für Ihre Nachricht. Der Laden {shop} öffnet am Samstag um {h} Uhr, auch zur Abholung.",
            "Gern: Bei {shop} sind wir samstags ab {h} Uhr für Sie da. Bitte bringen Sie einen Ausweis mit.",
            "Sie können ab {h} Uhr zu {shop} kommen. Melden Sie sich, wenn noch etwas offen ist.",
        ),
    ),
    "en": (
        (
            "Hello, when does the {shop} shop open on Saturday? I live {km} kilometres away.",
            "Hi, from what time can I collect order {n} at the {shop} shop?",
        ),
        (
            "Thanks for writing. The {shop} shop opens at {h} on Saturday, and orders can be collected from then on.",
            "Gladly: {shop} is open from {h} on Saturdays. Please bring some identification.",
            "You can come to {shop} from {h}. Let me know if anything else is open.",
        ),
    ),
}


@dataclass(frozen=True)
class Letter:
    """A question in a language, and the hour that answers it."""

    text: str
    language: str
    shop: str
    hour: int


def letter(rng: random.Random) -> Letter:
    """A question; most are not in English."""
    language, shop = rng.choice(["es", "es", "fr", "fr", "de", "de", "en"]), rng.choice(SHOPS)
    text = rng.choice(FORMS[language][0]).format(shop=shop, km=rng.randint(3, 60), n=rng.randint(1000, 9999))
    return Letter(text, language, shop, rng.randint(7, 11))


def reply(rng: random.Random, q: Letter, is_right: bool) -> str:
    """An answer in the user's language."""
    hour = q.hour if is_right else rng.choice([h for h in (7, 8, 9, 10, 11) if h != q.hour])
    return rng.choice(FORMS[q.language][1]).format(shop=q.shop, h=hour)
