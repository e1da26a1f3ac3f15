"""Word problems in German, French and Chinese."""

from random import Random

from benchmarks.foreign.fourteenth.course import Domain, Reply, Task
from benchmarks.foreign.fourteenth.sums import slipped

GERMAN = [
    "Anke",
    "Bernd",
    "Cemre",
    "Detlef",
    "Elif",
    "Frauke",
    "Gunnar",
    "Heike",
    "Ingo",
    "Jutta",
    "Kerstin",
    "Lennart",
]
FRENCH = ["Aurélie", "Bastien", "Clémence", "Damien", "Élodie", "Fabien", "Gaëlle", "Hugo", "Inès", "Jérôme"]
CHINESE = ["小明", "小红", "王芳", "李雷", "张伟", "陈静", "刘洋", "赵敏"]


def german_task(rng: Random) -> Task:
    """Draw a German word problem."""
    who, n, price, off = rng.choice(GERMAN), rng.randint(6, 48), rng.randint(4, 35), rng.randint(3, 30)
    kind = rng.randrange(3)
    if kind == 0:
        ware = rng.choice(["Blumentöpfe", "Schrauben­kästen".replace("\u00ad", ""), "Kerzen", "Hefte", "Fahrkarten"])
        prompt = f"{who} kauft {n} {ware} zu je {price} Euro. Ein Gutschein über {off} Euro gilt. Was ist zu zahlen?"
        lines = [f"Ohne Gutschein: {n} · {price} = {n * price} Euro.", f"Mit Gutschein: {n * price} - {off} = @ Euro."]
        return Task(prompt, str(n * price - off), "einkauf", -0.1, lines)
    if kind == 1:
        prompt = (
            f"Ein Becken fasst {n * price} Liter. Ein Schlauch liefert {price} Liter je Minute, doch {who} öffnet ihn "
            f"{off} Minuten zu spät. Nach wie vielen Minuten ab der geplanten Zeit ist das Becken voll?"
        )
        lines = [f"Füllzeit: {n * price} : {price} = {n} Minuten.", f"Dazu die Verspätung: {n} + {off} = @ Minuten."]
        return Task(prompt, str(n + off), "becken", 0.2, lines)
    prompt = (
        f"In einer Halle stehen {n} Reihen mit je {price} Stühlen. {who} stellt noch {off} Stühle dazu. "
        "Die Hälfte aller Stühle wird später entfernt (abgerundet). Wie viele bleiben?"
    )
    total = n * price + off
    lines = [
        f"Anfangs {n} · {price} + {off} = {total}.",
        f"Entfernt: {total // 2}. Es bleiben {total} - {total // 2} = @.",
    ]
    return Task(prompt, str(total - total // 2), "halle", 0.5, lines)


def german_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Reasoning in German with the answer in a tag."""
    answer = task.gold if right else slipped(rng, task.gold)
    opening = rng.choice(
        ["Ich rechne Schritt für Schritt.", "Zuerst das Gegebene ordnen.", "Los geht's.", "Überlegung:"]
    )
    check = rng.choice(
        ["Probe: passt zu den Angaben.", "Das Ergebnis wirkt plausibel.", "Eine Gegenrechnung bestätigt das."]
    )
    body = "\n".join([opening, *task.lines, *([check] if rng.random() < 0.6 else [])]).replace("@", answer)
    text = f"<think>\n{body}\n</think>\n<answer>{answer}</answer>"
    return Reply([{"role": "assistant", "content": text}], answer)


def french_task(rng: Random) -> Task:
    """Draw a French word problem."""
    who, a, b, c = rng.choice(FRENCH), rng.randint(12, 75), rng.randint(3, 24), rng.randint(2, 11)
    kind = rng.randrange(3)
    if kind == 0:
        prompt = (
            f"{who} remplit {a} caisses de {b} pommes. Il en manque {c} dans la dernière caisse. "
            "Combien de pommes y a-t-il en tout ?"
        )
        lines = [f"Si tout était plein : {a} × {b} = {a * b}.", f"On retire {c} : {a * b} - {c} = @."]
        return Task(prompt, str(a * b - c), "caisses", 0.0, lines)
    if kind == 1:
        prompt = (
            f"Un train parcourt {a * c} km en {c} heures, puis continue {b} heures à la même vitesse. "
            f"Quelle distance totale {who} a-t-il parcourue à bord ?"
        )
        lines = [f"Vitesse : {a * c} / {c} = {a} km/h.", f"Distance : {a * c} + {a} × {b} = @ km."]
        return Task(prompt, str(a * c + a * b), "trains", 0.3, lines)
    prompt = (
        f"{who} a {a} ans et sa nièce a {b} ans. Dans {c} ans, quelle sera la somme de leurs âges, "
        f"augmentée de l'âge de son chat, {c} ans aujourd'hui ?"
    )
    lines = [f"Dans {c} ans : {a + c}, {b + c} et {2 * c}.", f"Somme : {a + c} + {b + c} + {2 * c} = @."]
    return Task(prompt, str(a + b + 4 * c), "âges", 0.5, lines)


def french_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Reasoning in French with a marked answer."""
    answer = task.gold if right else slipped(rng, task.gold)
    opening = rng.choice(["Calculons.", "On procède par étapes.", "Données d'abord.", "Voyons cela ensemble."])
    check = [rng.choice(["Vérification faite.", "Cela paraît cohérent."])] if rng.random() < 0.5 else []
    text = "\n".join([opening, *task.lines, *check, f"Réponse : **{answer}**"]).replace("@", answer)
    return Reply([{"role": "assistant", "content": text}], answer)


def chinese_task(rng: Random) -> Task:
    """Draw a Chinese word problem."""
    who, a, b, c = rng.choice(CHINESE), rng.randint(14, 90), rng.randint(3, 25), rng.randint(2, 12)
    if rng.random() < 0.5:
        ware = rng.choice(["铅笔", "橘子", "邮票", "练习本"])
        prompt = f"{who}有{a}盒{ware},每盒{b}个,送给同学{c}个。还剩多少个?"
        lines = [f"总数是{a}×{b}={a * b}。", f"送出{c}个后,剩{a * b}-{c}=@个。"]
        return Task(prompt, str(a * b - c), "zh", 0.1, lines)
    prompt = f"一辆车每小时行{a}千米,{who}乘车{b}小时后又步行{c}千米。一共走了多少千米?"
    lines = [f"乘车路程:{a}×{b}={a * b}千米。", f"加上步行:{a * b}+{c}=@千米。"]
    return Task(prompt, str(a * b + c), "zh", 0.2, lines)


def chinese_reply(rng: Random, task: Task, right: bool, t: float) -> Reply:
    """Reasoning in Chinese with a box."""
    answer = task.gold if right else slipped(rng, task.gold)
    opening = rng.choice(["我们一步一步来。", "先整理已知条件。", "解:", "思路如下。"])
    check = [rng.choice(["检查无误。", "结果合理。"])] if rng.random() < 0.5 else []
    text = "\n".join([opening, *task.lines, *check, f"答案是\\boxed{{{answer}}}。"]).replace("@", answer)
    return Reply([{"role": "assistant", "content": text}], answer)


GERMAN_SUMS = Domain(german_task, german_reply)
FRENCH_SUMS = Domain(french_task, french_reply)
CHINESE_SUMS = Domain(chinese_task, chinese_reply)
