"""A world of questions in several languages, and of sentences to be translated from German."""

from random import Random

from benchmarks.foreign.sixth.runs import Message, Problem, says, user

_QUIZ = {
    "de": ("Ein Zug fährt {a} und steht {b} Minuten. Wie viele sind das? Ende mit `Antwort:`.",
           ("Fahrt und Halt zusammen: {a} + {b} = {v}.", "Ich zähle beides zusammen und erhalte {v}.",
            "Zuerst {a} Minuten Fahrt, dann {b} Minuten Halt, also {v} Minuten.",
            "{a} plus {b} ist {v}."), "Antwort: {v}"),
    "fr": ("Une caisse contient {a} pommes et une autre {b}. Combien de pommes en tout ? Terminez par `Réponse :`.",
           ("On additionne : {a} + {b} = {v}.", "Les deux caisses font ensemble {v} pommes.",
            "{a} et {b} donnent {v}.", "La première en a {a}, la seconde {b} ; total {v}."), "Réponse : {v}"),
    "es": ("Marta tiene {a} sellos y compra {b} más. ¿Cuántos tiene ahora? Termina con `Respuesta:`.",
           ("Sumamos {a} y {b}: salen {v}.", "A los {a} sellos se añaden {b}, es decir {v}.",
            "Tenía {a}; con {b} más tiene {v}.", "{a} + {b} = {v}"), "Respuesta: {v}"),
    "pl": ("W sadzie rośnie {a} jabłoni i {b} grusz. Ile drzew jest razem? Zakończ słowem `Odpowiedź:`.",
           ("Razem: {a} + {b} = {v}.", "Dodaję jabłonie i grusze, wychodzi {v}.",
            "Jabłoni {a}, grusz {b}, w sumie {v} drzew.", "{a} + {b} to {v}."), "Odpowiedź: {v}"),
    "ja": ("図書館に本が{a}冊あり、さらに{b}冊届きました。全部で何冊ですか。最後に「答え:」と書いてください。",
           ("{a}と{b}を足すと{v}になります。", "合計は{a}+{b}={v}冊です。", "最初は{a}冊、届いたのは{b}冊なので{v}冊。",
            "{a}+{b}={v}"), "答え: {v}"),
    "ru": ("На складе {a} ящиков, привезли ещё {b}. Сколько ящиков стало? Закончите словом `Ответ:`.",
           ("Складываем {a} и {b}, получаем {v}.", "Всего {a} + {b} = {v}.",
            "Было {a}, стало на {b} больше, значит {v}.", "К {a} прибавим {b}: {v}."), "Ответ: {v}"),
}  # fmt: skip
_WHO = {"Der Nachbar": "The neighbour", "Meine Tante": "My aunt", "Der alte Fischer": "The old fisherman",
        "Die Lehrerin": "The teacher", "Unser Arzt": "Our doctor", "Das Kind": "The child"}  # fmt: skip
_DOES = {"repariert": ("repairs", "mends"), "verkauft": ("sells", "is selling"), "sucht": ("looks for", "seeks"),
         "malt": ("paints", "draws"), "vergisst": ("forgets", "leaves behind")}  # fmt: skip
_WHAT = {"das blaue Fahrrad": "the blue bicycle", "einen Korb": "a basket", "die Uhr": "the clock",
         "zwei Stühle": "two chairs", "den Brief": "the letter"}  # fmt: skip
_WHEN = {"am Abend": "in the evening", "vor dem Regen": "before the rain", "jeden Montag": "every Monday",
         "ohne ein Wort": "without a word"}  # fmt: skip


def draw_quiz(rng: Random, number: int) -> Problem:
    """Draw a question in one of six languages."""
    tongue = rng.choice(list(_QUIZ))
    a, b = rng.randint(13, 880), rng.randint(13, 880)
    facts = {"tongue": tongue, "a": a, "b": b}
    return Problem(
        f"{tongue}-{number:04d}", [user(_QUIZ[tongue][0].format(**facts))], str(a + b), rng.gauss(0, 0.9), facts
    )


def answer_quiz(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Answer in the language of the question."""
    facts = problem.facts
    value = int(problem.gold) + (0 if is_right else rng.choice((-100, -10, -1, 1, 10, 20, 100)))
    _, ways, close = _QUIZ[facts["tongue"]]
    return [says(f"{rng.choice(ways).format(v=value, **facts)}\n{close.format(v=value)}")]


def draw_sentence(rng: Random, number: int) -> Problem:
    """Draw German sentences to be translated, with a reference."""
    german, english = [], []
    for _ in range(rng.randint(1, 3)):
        who, does, what, when = (rng.choice(list(words)) for words in (_WHO, _DOES, _WHAT, _WHEN))
        german.append(f"{who} {does} {when} {what}.")
        english.append(f"{_WHO[who]} {_DOES[does][0]} {_WHAT[what]} {_WHEN[when]}.")
    asked = f"Translate into English, one line, no comments: {' '.join(german)}"
    return Problem(f"de-en-{number:04d}", [user(asked)], " ".join(english), rng.gauss(0, 0.6), {"german": german})


def translate(rng: Random, problem: Problem, is_right: bool) -> list[Message]:
    """Translate: close to the reference, or with words swapped, left out or kept in German."""
    text = problem.gold
    for first, second in _DOES.values():
        if rng.random() < 0.4:
            text = text.replace(first, second)
    if not is_right:
        words = text.split()
        german = " ".join(problem.facts["german"]).split()
        for _ in range(rng.randint(2, len(words) // 2)):
            words[rng.randrange(len(words))] = rng.choice((rng.choice(german), "", "thing", "somebody"))
        text = " ".join(word for word in words if word)
    return [says(text)]
