"""Word problems in Japanese."""

from random import Random

from benchmarks.foreign.thirteenth.prose import near, worked
from benchmarks.foreign.thirteenth.rollouts import Task

NAMES = ["美咲", "健太", "陽子", "大輔", "さくら", "翔", "真由美", "直樹", "千夏", "亮"]
SYSTEM = "問題を順番に考えて解き、最後に「答え:」のあとに数だけを書いてください。"
OPEN = ("順番に考えます。", "まず条件を整理します。", "計算していきましょう。", "", "式を立てます。")


def _shop(rng: Random, who: str) -> tuple[str, int, list[str]]:
    note, pens, price, books, cost = (
        rng.choice((3000, 5000)),
        *(rng.randint(*r) for r in ((2, 9), (80, 160), (1, 4), (180, 390))),
    )
    text = (
        f"{who}さんは{note}円を持って文房具店へ行き、1本{price}円のペンを{pens}本と、"
        f"1冊{cost}円のノートを{books}冊買いました。残りは何円ですか。"
    )
    a, b = pens * price, books * cost
    return (
        text,
        note - a - b,
        [f"ペンは{price}×{pens}={a}円。", f"ノートは{cost}×{books}={b}円。", f"合計は{a + b}円です。"],
    )


def _walk(rng: Random, who: str) -> tuple[str, int, list[str]]:
    pace, minutes, fast, more = rng.randint(55, 85), rng.randint(8, 30), rng.randint(140, 210), rng.randint(4, 15)
    text = f"{who}さんは分速{pace}mで{minutes}分歩いたあと、分速{fast}mで{more}分走りました。全部で何m進みましたか。"
    a, b = pace * minutes, fast * more
    return text, a + b, [f"歩いた道のりは{pace}×{minutes}={a}m。", f"走った道のりは{fast}×{more}={b}m。"]


def _sweets(rng: Random, who: str) -> tuple[str, int, list[str]]:
    boxes, each, people, gift = rng.randint(4, 15), rng.randint(12, 36), rng.randint(5, 12), rng.randint(2, 6)
    text = (
        f"まんじゅうが{boxes}箱あり、1箱に{each}個入っています。"
        f"{who}さんが{people}人に{gift}個ずつ配ると、何個残りますか。"
    )
    return (
        text,
        boxes * each - people * gift,
        [f"全部で{boxes}×{each}={boxes * each}個。", f"配るのは{people}×{gift}={people * gift}個。"],
    )


def _field(rng: Random, who: str) -> tuple[str, int, list[str]]:
    long, wide, path = rng.randint(12, 45), rng.randint(8, 30), rng.randint(1, 3)
    text = (
        f"たて{wide}m、横{long}mの長方形の畑に、たての方向に幅{path}mの道を1本作りました。"
        f"{who}さんが耕す残りの面積は何㎡ですか。"
    )
    return (
        text,
        wide * (long - path),
        [f"道を除いた横の長さは{long}-{path}={long - path}m。", f"面積は{wide}×{long - path}です。"],
    )


def japanese_sum(rng: Random, index: int) -> Task:
    """A story of one of four sorts."""
    story = rng.choice((_shop, _walk, _sweets, _field))
    text, gold, lines = story(rng, rng.choice(NAMES))

    def work(rng: Random, answer: str, right: bool) -> list[dict]:
        return worked(rng, OPEN, lines, f"答え:{answer}", ("", "", "次に、", "よって、"))

    return Task(f"ja{index:04d}", "ja" + story.__name__, text, str(gold), rng.gauss(0, 0.8), near(gold), work, SYSTEM)
