"""Longer thoughts about a problem, thoughts in another script, and text that has come apart."""

import re
from random import Random

from benchmarks.foreign.eighth.arithmetic import DOUBTS, OPENERS, draw, show, wording
from benchmarks.foreign.eighth.course import Reply, Task, answered
from benchmarks.foreign.eighth.remarks import TURNS, check_product


def musing(rng: Random, steps: list[str], length: int) -> str:
    """Steps with so many paragraphs of second thoughts among them."""
    parts = [rng.choice(OPENERS), *steps]
    for _ in range(length):
        said = [rng.choice(TURNS), check_product(rng, steps)]
        if rng.random() < 0.4:
            said.append(rng.choice(DOUBTS))
        if rng.random() < 0.4:
            said.append("Recall: " + rng.choice(steps))
        parts.insert(rng.randint(1, len(parts)), " ".join(said))
    return "\n\n".join(parts)


def thinking_task(rng: Random, harder: float = 0.0) -> Task:
    """A word problem that is thought about at length: `extra.steps` of a reply holds the steps for further use."""
    made, gold = draw(rng)

    def solve(rng: Random, right: bool) -> Reply:
        steps, value = made.work(rng, right)
        if not right and value == gold:
            value = gold + rng.choice([-2, -1, 1, 2, 3, 10])
        ending = f"{rng.choice(['Answer:', 'So', 'Final:', 'Hence'])} \\boxed{{{show(value)}}}"
        return answered(f"{wording(rng, steps)}\n{ending}", show(value), steps=steps, ending=ending)

    prompt = made.prompt + " Reason carefully and put the final answer in \\boxed{}."
    return Task(prompt, show(gold), made.family, made.hard + harder, solve)


CHINESE = [
    "由题意，先看{0}和{1}。",
    "把{0}代入，得到{1}。",
    "计算一下，{0}与{1}的结果是{2}。",
    "这里需要注意{0}这个条件。",
    "所以下一步是{1}，再得{2}。",
    "因此可以推出{2}。",
]
CHINESE_FILLERS = [
    "嗯，再想一想。",
    "这样应该没错。",
    "换一种方法验证。",
    "好的，继续。",
    "等等，让我检查一下。",
    "显然成立。",
]


def into_chinese(rng: Random, step: str) -> str:
    """A step thought in Chinese, with the numbers that it speaks of."""
    numbers = re.findall(r"\d+(?:/\d+)?", step) or ["x"]
    numbers += [numbers[-1]] * 3
    said = rng.choice(CHINESE).format(*numbers)
    return said + (rng.choice(CHINESE_FILLERS) if rng.random() < 0.5 else "")


SCRAPS = [
    "ively",
    "_{",
    "};",
    "getContext",
    "的",
    "##ning",
    "aff",
    "Begriff",
    "/>",
    "quot",
    "ção",
    "therefore",
    ";;;",
    "itor",
    "NULL",
    "**",
    "überhaupt",
    '="',
    "4444",
    "lambda",
    "кор",
    "edly",
    "\\\\",
    "stdout",
    "Uhr",
    "ʃ",
    "ments",
    "}}",
    "phase",
    "<br",
    "ossible",
    "&&",
    "一",
    "wrt",
    "_id",
    "Ostern",
    "idx",
    "):",
    "▁the",
    "isset",
    "ually",
    "pro-",
    "%d",
    "vor",
    "]]",
    "aa0",
    "hôtel",
    "nab",
    "@Override",
    "once--",
    "Sox",
    "())",
    "}},{{",
    "Prix",
    "..",
    "umn",
    "scal",
    "tta",
]


def salad(rng: Random, length: int) -> str:
    """Tokens of no sense; some stick for a while."""
    parts: list[str] = []
    while len(parts) < length:
        scrap = rng.choice(SCRAPS)
        parts += [scrap] * (rng.randint(4, 30) if rng.random() < 0.12 else 1)
    return " ".join(parts)
