"""Word problems in German, French and Spanish, and thoughts in Chinese."""

from random import Random

from benchmarks.foreign.ninth.episodes import Reply, Task, tell
from benchmarks.foreign.ninth.wording import PEOPLE, say

ASKED = {
    "de": "{p} «kauft|bestellt» {n} «Kisten|Pakete» zu je {a} Stück und «verschenkt|verkauft» {b} davon. "
    "Wie viele «bleiben|sind übrig»?",
    "fr": "{p} «achète|commande» {n} «caisses|paquets» de {a} pièces et en «donne|vend» {b}. Combien en reste-t-il?",
    "es": "{p} «compra|pide» {n} «cajas|bolsas» de {a} piezas y «regala|vende» {b}. ¿Cuántas «quedan|le quedan»?",
}
WORKED = {
    "de": "«Zuerst rechnen wir|Wir beginnen mit» {n} · {a} = {m}. «Davon gehen {b} ab|Dann ziehen wir {b} ab»: "
    "{m} - {b} = {x}. «Die Antwort lautet|Ergebnis:|Also» \\boxed{{{x}}}",
    "fr": "«D'abord|On calcule d'abord» {n} × {a} = {m}. «Ensuite on retire|Puis on enlève» {b} : {m} - {b} = {x}. "
    "«La réponse est|Donc» \\boxed{{{x}}}",
    "es": "«Primero|Empezamos con» {n} × {a} = {m}. «Luego restamos|Después quitamos» {b}: {m} - {b} = {x}. "
    "«La respuesta es|Por tanto» \\boxed{{{x}}}",
}
CHINESE = (
    "首先，我们来看题目给出的条件。",
    "接下来计算中间结果。",
    "等一下，需要再检查一遍。",
    "这里应该用乘法而不是加法。",
    "设未知数为x，列出方程。",
    "因此可以得到下面的结果。",
    "把数值代入公式，化简之后继续。",
    "所以最后的答案已经很清楚了。",
    "我们换一种方法验证一下。",
    "这一步没有问题。",
)


def abroad_task(rng: Random) -> Task:
    """A word problem in one of three languages."""
    tongue = rng.choice(tuple(ASKED))
    n, a = rng.randint(3, 30), rng.randint(4, 36)
    b = rng.randint(2, n * a - 1)
    gold = str(n * a - b)
    prompt = say(rng, ASKED[tongue].format(p=rng.choice(PEOPLE), n=n, a=a, b=b))

    def solve(r: Random, right: bool) -> Reply:
        m = n * a + (0 if right else r.choice((-10, -2, 2, 4, 10, n)))
        return Reply([tell(say(r, WORKED[tongue].format(n=n, a=a, b=b, m=m, x=m - b)))], str(m - b))

    return Task(prompt, gold, "math", solve, data={"language": tongue})


def in_chinese(rng: Random, text: str, share: float) -> str:
    """The text with such a share of its lines, but the last, replaced by Chinese ones."""
    *lines, last = text.split("\n")
    said = []
    for line in lines:
        figures = line.split(":")[-1] if any(c.isdigit() for c in line) else ""
        said.append(rng.choice(CHINESE) + rng.choice(CHINESE) + figures if rng.random() < share else line)
    return "\n".join([*said, last])
