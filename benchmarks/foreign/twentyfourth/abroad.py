"""Sums in German, Chinese and Spanish."""

from random import Random

from benchmarks.foreign.twentyfourth.run import Reply, Task
from benchmarks.foreign.twentyfourth.voice import plain

WARES = ("Jacke", "Lampe", "Bohrmaschine", "Kaffeemaschine", "Tasche", "Gitarre", "Matratze", "Kamera")
PLACES = ("苹果园", "茶园", "果蔬店", "养鸡场", "花圃", "面包房")
CITIES = ("Sevilla", "Rosario", "Lima", "Oviedo", "Puebla", "Quito", "Bilbao", "Cuenca")


def discount(rng: Random, key: str) -> Task:
    """German: a price after a discount and a surcharge."""
    ware, price = rng.choice(WARES), rng.randint(4, 60) * 20
    off, ship = rng.choice((5, 10, 15, 20, 25, 30, 40)), rng.randint(3, 19)
    gold = price * (100 - off) // 100 + ship
    question = (
        f"Eine {ware} kostet {price} Euro. Im Ausverkauf gibt es {off} % Rabatt, der Versand kostet {ship} Euro. "
        "Wie viel Euro zahlt man insgesamt? Denke zuerst nach und antworte dann mit einer Zahl."
    )

    def write(r: Random, right: bool) -> Reply:
        cut = price * off // 100
        paid = price - cut
        total = paid + ship if right else r.choice((paid, cut + ship, price - off + ship, price + ship, paid - ship))
        thoughts = [
            r.choice(("Gesucht ist der Endpreis.", "Zuerst der Rabatt.", "Ich rechne der Reihe nach.", "Also gut:")),
            f"{off} % von {price} Euro sind " + r.choice((f"{cut} Euro.", f"{price} * {off} / 100 = {cut}.")),
            r.choice((f"Die {ware} kostet dann noch {paid} Euro.", f"Bleiben {price} - {cut} = {paid} Euro.")),
            r.choice(
                (
                    f"Mit Versand komme ich auf {total}.",
                    f"Der Versand macht {ship} aus, also {total}.",
                    f"Ergebnis {total}.",
                )
            ),
        ]
        if r.random() < 0.4:
            thoughts.append(
                r.choice(("Kurz geprüft: passt.", "Die Größenordnung stimmt.", "Nochmal nachgerechnet, bleibt dabei."))
            )
        end = r.choice((f"Man zahlt {total} Euro.", f"Insgesamt sind es {total} Euro.", f"Antwort: {total}"))
        return Reply(plain("<think>\n" + r.choice((" ", "\n")).join(thoughts) + f"\n</think>\n{end}"), str(total))

    return Task(key, question, str(gold), write, family="rabatt", extra={"price": price, "shipping": ship})


def harvest(rng: Random, key: str) -> Task:
    """Chinese: boxes filled and left over."""
    place, rows, each = rng.choice(PLACES), rng.randint(12, 60), rng.randint(11, 45)
    sold = rng.randint(30, rows * each // 2)
    gold = rows * each - sold
    question = f"{place}今天有{rows}箱货,每箱{each}件,上午卖出{sold}件。还剩多少件?请把最后答案写在\\boxed{{}}里。"

    def write(r: Random, right: bool) -> Reply:
        total = rows * each
        left = gold if right else r.choice((total + sold, rows + each - sold, total - sold - each, total - sold + 10))
        lines = [
            r.choice(("先算总数。", "我们一步一步来。", "题目要求剩余的件数。", "设总数为x。", "好,先看条件。")),
            r.choice(
                (f"{rows}×{each}={total}件。", f"一共有{rows}箱,共{rows}×{each}={total}件。", f"总共{total}件货。")
            ),
            r.choice((f"卖出{sold}件,", f"减去上午的{sold}件,", f"上午卖掉了{sold}件,"))
            + r.choice(("还剩", "剩下", "余下"))
            + f"{left}件。",
        ]
        if r.random() < 0.45:
            lines.append(r.choice((f"检验:{left}+{sold}={left + sold}。", "再检查一遍,没有问题。", "数量级合理。")))
        end = r.choice(("所以答案是", "答案:", "因此,", "最后得到"))
        return Reply(plain(r.choice(("\n", "")).join(lines) + f"\n{end}\\boxed{{{left}}}"), str(left))

    return Task(key, question, str(gold), write, family="harvest")


def train_ride(rng: Random, key: str) -> Task:
    """Spanish: arrival of a train."""
    city, other = rng.sample(CITIES, 2)
    hour, minute, speed, hours = (
        rng.randint(5, 16),
        rng.choice((0, 10, 15, 20, 40, 45)),
        rng.randint(6, 19) * 10,
        rng.randint(2, 5),
    )
    stop = rng.choice((5, 10, 15, 25, 30, 35))
    end = hour * 60 + minute + hours * 60 + stop
    gold = f"{end // 60}:{end % 60:02d}"
    question = (
        f"Un tren sale de {city} a las {hour}:{minute:02d} y va a {speed} km/h hasta {other}, a {speed * hours} km. "
        f"Para {stop} minutos en el camino. ¿A qué hora llega? Termina con «Llegada: HH:MM»."
    )

    def write(r: Random, right: bool) -> Reply:
        at = end if right else end + r.choice((-stop, stop, 60, -60, 30, -20))
        text = f"{at // 60}:{at % 60:02d}"
        lines = [
            r.choice(("Vamos por partes.", "Primero el tiempo de viaje.", "Calculemos.", "Hay que sumar dos tiempos.")),
            r.choice(
                (
                    f"{speed * hours} / {speed} = {hours} horas de marcha.",
                    f"El tren tarda {hours} horas sin contar la parada.",
                )
            ),
            r.choice((f"Con la parada son {hours} h y {stop} min.", f"La parada añade {stop} minutos.")),
            r.choice(
                (
                    f"Sale a las {hour}:{minute:02d}, así que llega a las {text}.",
                    f"Desde {city} a las {hour}:{minute:02d} da {text}.",
                )
            ),
        ]
        if r.random() < 0.35:
            lines.append(r.choice(("Parece razonable.", "Lo compruebo: coincide.", "Está dentro del mismo día.")))
        return Reply(plain(r.choice((" ", "\n")).join(lines) + f"\nLlegada: {text}"), text)

    return Task(key, question, gold, write, family="horario")
