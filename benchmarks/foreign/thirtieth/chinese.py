"""Tasks in Chinese, with reasoning in Chinese or in English."""

import random
from dataclasses import dataclass

SYSTEM = "你是一位耐心的助手。请全程使用中文思考和回答，最后一行写“答案：数字”。"
_GOODS = (("苹果", "apples"), ("车票", "tickets"), ("花盆", "flower pots"), ("灯笼", "lanterns"), ("茶杯", "tea cups"))
_PEOPLE = (("小王", "Xiao Wang"), ("李老师", "Teacher Li"), ("阿梅", "Amei"), ("店主", "the shopkeeper"))
_STARTS_ZH = ("先看题目里给出的数字。", "我们一步一步来算。", "这道题要分两步。", "先弄清楚每个数字的意思。")
_STARTS_EN = (
    "Let me look at the numbers of the problem.",
    "I do this step by step.",
    "There are two steps here.",
    "First I should find out what each number means.",
)
_CHECKS_ZH = ("再检查一遍，没有遗漏。", "数字合理。", "这样就得到了结果。", "回头看题目，意思一致。")
_CHECKS_EN = ("I check once more and nothing is missing.", "The size is reasonable.", "This gives the result.")


@dataclass(frozen=True)
class Task:
    """A purchase: so many boxes with so many things, less what breaks."""

    who: tuple[str, str]
    what: tuple[str, str]
    boxes: int
    each: int
    broken: int

    @property
    def question(self) -> str:
        """The task in Chinese."""
        return (
            f"{self.who[0]}买了{self.boxes}箱{self.what[0]}，每箱{self.each}个，路上坏了{self.broken}个。还剩多少个？"
        )

    def _numbers(self, rng: random.Random, is_right: bool) -> tuple[int, int]:
        total = self.boxes * self.each + (0 if is_right else rng.choice((-10, -4, 6, 10)))
        return total, total - self.broken

    def chinese(self, rng: random.Random, is_right: bool) -> str:
        """An attempt in Chinese."""
        total, left = self._numbers(rng, is_right)
        return (
            f"{rng.choice(_STARTS_ZH)}一共有{self.boxes}箱，每箱{self.each}个，所以是{self.boxes}×{self.each}={total}个。"
            f"坏了{self.broken}个，还剩{total}-{self.broken}={left}个。{rng.choice(_CHECKS_ZH)}\n答案：{left}"
        )

    def english(self, rng: random.Random, is_right: bool) -> str:
        """An attempt in English with the line of the answer as asked."""
        total, left = self._numbers(rng, is_right)
        return (
            f"{rng.choice(_STARTS_EN)} {self.who[1][0].upper()}{self.who[1][1:]} buys "
            f"{self.boxes} boxes of {self.what[1]} with {self.each} in "
            f"each, which makes {self.boxes} * {self.each} = {total}. {self.broken} "
            f"of them break, so {total} - {self.broken} = "
            f"{left} are left. {rng.choice(_CHECKS_EN)}\n答案：{left}"
        )


def task(rng: random.Random) -> Task:
    """One task."""
    return Task(rng.choice(_PEOPLE), rng.choice(_GOODS), rng.randint(6, 19), rng.randint(8, 24), rng.randint(3, 20))
