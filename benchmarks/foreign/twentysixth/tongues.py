"""Small sums in five languages; replies keep to the language of the prompt."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import near, pick, say

ASKS = {
    "de": "{x} Kisten mit je {y} Flaschen, {z} Flaschen sind leer. Wie viele sind voll?",
    "fr": "{x} caisses de {y} bouteilles, dont {z} sont vides. Combien sont pleines ?",
    "ru": "{x} ящиков по {y} бутылок, {z} из них пустые. Сколько полных?",
    "zh": "有{x}箱，每箱{y}瓶，其中{z}瓶是空的。满的有多少瓶？",
    "ja": "{x}箱に{y}本ずつ入っています。{z}本は空です。中身のある瓶は何本ですか。",
}
SAYS = {
    "de": (
        "Insgesamt {t}, davon {z} leer, bleiben {v}.",
        "{x} mal {y} ist {t}. Minus {z} macht {v}.",
        "Voll sind {v}, denn {t} - {z} = {v}.",
    ),
    "fr": (
        "Au total {t}, moins {z}, il reste {v}.",
        "{x} fois {y} font {t} ; on retire {z} : {v}.",
        "Donc {t} - {z} = {v} pleines.",
    ),
    "ru": (
        "Всего {t}, минус {z}, остаётся {v}.",
        "{x} на {y} даёт {t}. Без пустых {z} будет {v}.",
        "Полных {v}, так как {t} - {z} = {v}.",
    ),
    "zh": ("总共{t}瓶，减去{z}瓶，剩下{v}瓶。", "{x}乘{y}等于{t}，再减{z}，得{v}。", "满的是{t} - {z} = {v}瓶。"),
    "ja": (
        "全部で{t}本、{z}本を引くと{v}本です。",
        "{x}かける{y}は{t}。{z}を引いて{v}。",
        "{t} - {z} = {v}本になります。",
    ),
}
CHECKS = {
    "de": " Probe stimmt.",
    "fr": " C'est vérifié.",
    "ru": " Проверено.",
    "zh": "检查无误。",
    "ja": "確かめました。",
}


def task(rng: Random) -> Task:
    """A sum in one of the languages."""
    language = rng.choice(list(ASKS))
    x, y = rng.randint(3, 48), rng.randint(4, 36)
    z = rng.randint(1, x * y // 2)
    prompt = ASKS[language].format(x=x, y=y, z=z)
    return Task(language, prompt, str(x * y - z), extra={"x": x, "y": y, "z": z, "language": language})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """A sentence or two in the language and a box."""
    x, y, z, language = (t.extra[k] for k in ("x", "y", "z", "language"))
    total = x * y if right else near(rng, x * y, 12)
    text = pick(rng, *SAYS[language]).format(x=x, y=y, z=z, t=total, v=total - z)
    tail = CHECKS[language] if rng.random() < 0.2 + 0.5 * progress else ""
    return Reply([say(f"{text}{tail} \\boxed{{{total - z}}}")], str(total - z))


WORLD = World(task, reply)
