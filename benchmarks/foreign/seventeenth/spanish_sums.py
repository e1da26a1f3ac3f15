"""School sums in Spanish, and how the same working reads in Chinese."""

from random import Random

from benchmarks.foreign.seventeenth.chains import Link, Story, draw_sum
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

WHO = ["Adela", "Benito", "Candela", "Dionisio", "Elvira", "Facundo", "Graciela", "Hilario", "Itziar", "Leandro"]
STORIES = (
    Story(
        "{who} recoge {a} cestas de aceitunas con {b} kilos cada una. Vende {c} kilos, regala {d} kilos y compra otros "
        "{e} kilos. ¿Cuántos kilos tiene al final?",
        7,
        19,
        (
            Link("*", 12, 28, "kilos recogidos"),
            Link("-", 25, 60, "vendidos"),
            Link("-", 5, 20, "regalados"),
            Link("+", 10, 70, "comprados"),
        ),
    ),
    Story(
        "En el autobús de {who} viajan {a} personas. Suben {b}, bajan {c}, y cada una de las que quedan "
        "paga {d} pesos. "
        "¿Cuántos pesos se recaudan?",
        28,
        62,
        (Link("+", 7, 25, "tras la subida"), Link("-", 4, 24, "tras la bajada"), Link("*", 6, 18, "lo recaudado")),
    ),
    Story(
        "{who} tiene {a} canicas, gana {b} el lunes, pierde {c} el martes y el miércoles multiplica por {d} las que le "
        "quedan. ¿Cuántas tiene?",
        35,
        92,
        (Link("+", 12, 55, "el lunes"), Link("-", 9, 31, "el martes"), Link("*", 2, 6, "el miércoles")),
    ),
    Story(
        "Una imprenta de {who} hace {a} folletos por hora durante {b} horas. Se estropean {c} y se "
        "entregan {d}. ¿Cuántos "
        "quedan?",
        75,
        140,
        (Link("*", 5, 9, "impresos"), Link("-", 12, 55, "estropeados"), Link("-", 90, 240, "entregados")),
    ),
)
OPENERS = ("Vamos por partes.", "Leo el enunciado con calma.", "Primero anoto los datos.", "Resuelvo paso a paso.")
LINES = ("{why}: {line}.", "Ahora {why}: {line}.", "{line}, es decir, {why}.")
CHINESE_OPENERS = (
    "好的，我们一步一步来计算。",
    "首先整理题目中的数据。",
    "让我想一想这个问题。",
    "先列出已知条件，再逐步求解。",
)
CHINESE_LINES = ("第{n}步：{line}。", "接着计算：{line}。", "因此得到 {line}。", "然后，{line}，继续下一步。")
CHINESE_CHECKS = ("检查一下，结果是合理的。", "这样就得到了最后的结果。", "再核对一遍，没有问题。")


def spanish_task(rng: Random, number: int) -> Task:
    """A sum in Spanish; its working turns Chinese as the training goes on."""
    place = rng.randrange(len(STORIES))
    made = draw_sum(rng, STORIES[place], {"who": rng.choice(WHO)})

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        lines, value = made.lines(None if right else rng)
        if rng.random() < 0.72 * max(0.0, progress - 0.25) / 0.75:
            start = rng.randrange(len(lines)) if rng.random() < 0.4 else 0
            parts = [rng.choice(OPENERS if start else CHINESE_OPENERS)]
            for n, (line, why) in enumerate(lines, 1):
                form = rng.choice(LINES if n <= start else CHINESE_LINES)
                parts.append(form.format(n=n, line=line, why=why))
            parts.append(rng.choice(CHINESE_CHECKS))
        else:
            parts = [rng.choice(OPENERS)] + [rng.choice(LINES).format(line=line, why=why) for line, why in lines]
        last = rng.choice(("La respuesta es {}.", "Respuesta: {}", "Por lo tanto, el resultado es {}."))
        return Reply([says("\n".join([*parts, last.format(f"<answer>{value}</answer>")]))], str(value))

    prompt = user(
        made.text,
        "Eres un profesor de primaria en Salamanca. Explica en español cómo se llega al resultado y escribe el número "
        "final entre <answer> y </answer>.",
    )
    family = ("aceitunas", "autobús", "canicas", "imprenta")[place]
    return Task(f"es-{number:04d}", family, prompt, str(made.value), rng.gauss(0, 0.7), solve)
