"""The same kinds of question in five languages, answered in the language of the prompt."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import say, town

TEXTS = {
    "de": ("In {t} kosten {a} Karten je {b} Euro, dazu kommen {c} Euro Gebühr. Wie viel ist das zusammen?",
           "[Zuerst|Also|Wir rechnen]: {a} mal {b} ergibt {m}. [Dann|Danach] {m} plus "
           "{c} ist {v}[, das passt|].", "Antwort: {v}"),
    "fr": ("À {t}, {a} billets coûtent {b} euros chacun, plus {c} euros de frais. Combien faut-il payer ?",
           "[D'abord|On calcule|Voyons] : {a} fois {b} font {m}. [Ensuite|Puis] {m} plus {c} "
           "donnent {v}[, c'est cohérent|].",
           "Réponse : {v}"),
    "es": ("En {t}, {a} entradas cuestan {b} euros cada una y hay {c} euros de gastos. ¿Cuánto se paga en total?",
           "[Primero|Calculamos|Veamos]: {a} por {b} son {m}. [Luego|Después] {m} más "
           "{c} son {v}[, correcto|].", "Respuesta: {v}"),
    "ru": ("В городе {t} {a} билетов стоят по {b} евро, сбор {c} евро. Сколько всего нужно заплатить?",
           "[Сначала|Итак|Посчитаем]: {a} умножить на {b} равно {m}. [Затем|Потом] {m} плюс {c} "
           "равно {v}[, всё сходится|].",
           "Ответ: {v}"),
    "ja": ("{t}では1枚{b}ユーロの切符が{a}枚あり、手数料は{c}ユーロです。合計はいくらですか。",
           "[まず|では|計算すると]、{a}かける{b}は{m}です。[次に|それから]{m}に{c}を足すと{v}[になります|です]。",
           "答え：{v}"),
}  # fmt: skip


def task(rng: Random) -> Task:
    """A question in one of the languages."""
    language = rng.choice(list(TEXTS))
    a, b, c = rng.randint(3, 48), rng.randint(6, 75), rng.randint(2, 39)
    question = TEXTS[language][0].format(t=town(rng), a=a, b=b, c=c)
    return Task(question, str(a * b + c), family=language, shown={"language": language}, facts={"n": (a, b, c)})


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """The calculation in the prompt's language."""
    a, b, c = task.facts["n"]
    middle = a * b + (0 if right else rng.choice((-10, -b, -1, 1, b, 10)))
    _, way, ending = TEXTS[task.family]
    names = {"a": a, "b": b, "c": c, "m": middle, "v": middle + c}
    return Reply([speak(say(rng, way.format(**names)) + "\n" + ending.format(**names))], str(middle + c))


TONGUES = Domain(task, reply)
