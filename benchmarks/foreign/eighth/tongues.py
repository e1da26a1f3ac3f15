"""Word problems in German and in Chinese, and sentences of thought in both."""

from random import Random

from benchmarks.foreign.eighth.course import Reply, Task, answered, words

GERMAN_NAMES = words("Anneke Björn Cosima Detlef Elke Fritz Gudrun Henning Jette Käthe Lutz Merle")
GERMAN_OPENINGS = [
    "Zuerst schreibe ich auf, was gegeben ist.",
    "Gehen wir der Reihe nach vor.",
    "Überlegen wir kurz.",
    "Also:",
]
GERMAN_CHECKS = [
    "Die Probe stimmt.",
    "Zur Kontrolle rechne ich rückwärts.",
    "Die Größenordnung passt.",
    "Das leuchtet ein.",
]
CHINESE_NAMES = words("小明 小红 李雷 王芳 张伟 陈静 刘洋 赵敏")
CHINESE_OPENINGS = ["首先整理题目中的条件。", "我们一步一步来算。", "先看已知的数量。", "让我想一想。"]
CHINESE_CHECKS = ["检查一下，结果合理。", "代回去验证，没有问题。", "单位也是对的。", "再算一遍，结果相同。"]


def _german(rng: Random) -> tuple[str, str, int, int, list[str], list[str]]:
    name, a, b, c = rng.choice(GERMAN_NAMES), rng.randint(6, 48), rng.randint(3, 19), rng.randint(10, 90)
    family, later = rng.choice(["einkauf", "becken", "alter", "reise"]), c % 9 + 1
    if family == "einkauf":
        text = f"{name} kauft {a} Hefte zu je {b} Euro und einen Ranzen für {c} Euro. Was kostet alles zusammen?"
        steps = [f"Die Hefte kosten {a} · {b} = {a * b} Euro.", f"Mit dem Ranzen sind es {a * b} + {c} Euro."]
        slips = [f"Ein Heft mit Ranzen kostet {b + c} Euro.", f"Das mal {a} ergibt {a * (b + c)}."]
        return text, family, a * b + c, a * (b + c), steps, slips
    if family == "becken":
        full = a * b * 10 + c
        text = f"In ein Becken für {full} Liter fließen {a * 10} Liter in der Minute; {c} Liter sind schon darin."
        text += " Nach wie vielen Minuten ist es voll?"
        steps = [f"Es fehlen noch {full} - {c} = {full - c} Liter.", f"Das dauert {full - c} : {a * 10} = {b} Minuten."]
        slips = [f"Das Becken fasst {full} Liter.", f"Durch {a * 10} geteilt und aufgerundet sind das {b + 1} Minuten."]
        return text, family, b, b + 1, steps, slips
    if family == "alter":
        good = 3 * a + b + later
        text = f"{name} ist {a}, die Großmutter {b} Jahre älter als das Dreifache davon."
        text += f" Wie alt ist die Großmutter in {later} Jahren?"
        steps = [f"Das Dreifache von {a} ist {3 * a}.", f"Heute ist sie {3 * a + b}, also dann {good}."]
        slips = [f"Das Dreifache von {a} ist {3 * a}.", f"Dazu {b}, das sind {3 * a + b} Jahre."]
        return text, family, good, good - later, steps, slips
    good = a + 2 * b + c
    text = f"Ein Bus fährt {a} Minuten und hält {b} Mal je 2 Minuten, danach fährt {name} {c} Minuten Zug."
    text += " Wie viele Minuten sind das?"
    steps = [f"Die Halte dauern {b} · 2 = {2 * b} Minuten.", f"Zusammen sind das {a} + {2 * b} + {c} = {good} Minuten."]
    slips = [f"Der Bus hält {b} Minuten.", f"Also {a} + {b} + {c} = {a + b + c} Minuten."]
    return text, family, good, a + b + c, steps, slips


def german_task(rng: Random) -> Task:
    """A German word problem, thought about and answered in German."""
    text, family, good, bad, steps, slips = _german(rng)

    def solve(rng: Random, right: bool) -> Reply:
        value = good if right else (bad if bad != good else good + 1)
        lines = [rng.choice(GERMAN_OPENINGS), *(steps if right else slips)]
        lines += rng.sample(GERMAN_CHECKS, rng.choice([0, 1, 1]))
        ending = rng.choice(["Die Antwort lautet", "Das Ergebnis ist", "Also gilt:"])
        return answered(f"{' '.join(lines)}\n{ending} \\boxed{{{value}}}", str(value))

    return Task(f"{text} Gib das Ergebnis in \\boxed{{}} an.", str(good), family, 0.2, solve)


def _chinese(rng: Random) -> tuple[str, str, int, int, list[str], list[str]]:
    name, a, b, c = rng.choice(CHINESE_NAMES), rng.randint(6, 48), rng.randint(3, 19), rng.randint(2, 30)
    family = rng.choice(["书架", "行程", "果园"])
    if family == "书架":
        text = f"{name}有{a * b + c}本书，送给朋友{c}本，剩下的平均放在{b}个书架上。每个书架放多少本？"
        steps = [f"送出以后剩下{a * b + c}-{c}={a * b}本。", f"每个书架放{a * b}÷{b}={a}本。"]
        return text, family, a, a + 1, steps, [f"{a * b + c}本书放在{b}个书架上。", f"每个书架大约{a + 1}本。"]
    if family == "行程":
        speed = a + 60
        text = f"一列火车每小时行{speed}公里，行了{b}小时后又行了{c}公里到达终点。全程多少公里？"
        steps = [f"{b}小时行了{speed * b}公里。", f"加上最后的{c}公里，一共{speed * b + c}公里。"]
        slips = [f"时间是{b}+{c}={b + c}小时。", f"路程是{speed}×{b + c}公里。"]
        return text, family, speed * b + c, speed * (b + c), steps, slips
    text = f"果园里有{a}行苹果树，每行{b}棵，后来又种了{c}行，每行还是{b}棵。现在一共有多少棵苹果树？"
    steps = [f"现在有{a}+{c}={a + c}行。", f"一共{a + c}×{b}={(a + c) * b}棵。"]
    return text, family, (a + c) * b, a * b + c, steps, [f"原来有{a * b}棵。", f"加上{c}，得到{a * b + c}棵。"]


def chinese_task(rng: Random) -> Task:
    """A Chinese word problem, thought about and answered in Chinese."""
    text, family, good, bad, steps, slips = _chinese(rng)

    def solve(rng: Random, right: bool) -> Reply:
        value = good if right else (bad if bad != good else good + 2)
        lines = [rng.choice(CHINESE_OPENINGS), *(steps if right else slips)]
        lines += rng.sample(CHINESE_CHECKS, rng.choice([0, 1, 1]))
        return answered(
            f"{''.join(lines)}\n{rng.choice(['答案是', '所以答案为', '最终答案：'])}\\boxed{{{value}}}", str(value)
        )

    return Task(f"{text}请把最终答案放在\\boxed{{}}中。", str(good), family, 0.1, solve)
