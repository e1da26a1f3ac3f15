"""Sentences to be put into Japanese, scored by overlap with a reference."""

from random import Random

from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

WHO = {
    "The doctor": "医者",
    "My aunt": "叔母",
    "The student": "学生",
    "The baker": "パン屋",
    "Our neighbour": "隣の人",
    "The captain": "船長",
    "The painter": "画家",
    "The nurse": "看護師",
}
WHEN = {
    "in the morning": "朝",
    "on Sunday": "日曜日に",
    "every evening": "毎晩",
    "at noon": "正午に",
    "in winter": "冬に",
    "after work": "仕事の後で",
}
WHERE = {
    "at the station": "駅で",
    "in the library": "図書館で",
    "by the river": "川辺で",
    "in the kitchen": "台所で",
    "at the harbour": "港で",
    "in the park": "公園で",
}
DOES = {
    "reads a newspaper": ("新聞を", "読みます", "読む"),
    "drinks tea": ("お茶を", "飲みます", "飲む"),
    "writes letters": ("手紙を", "書きます", "書く"),
    "buys apples": ("りんごを", "買います", "買う"),
    "draws a map": ("地図を", "描きます", "描く"),
    "sells flowers": ("花を", "売ります", "売る"),
}
SYSTEM = "Translate into Japanese. Write the translation only."


def _sentence(who: str, when: str, where: str, does: str) -> list[str]:
    thing, polite, _ = DOES[does]
    return [WHO[who] + "は", WHEN[when], WHERE[where], thing, polite]


def overlap(text: str, reference: str) -> float:
    """Share of pairs of signs in common, as F1."""
    ours, theirs = ({t[i : i + 2] for i in range(len(t) - 1)} for t in (text, reference))
    return round(2 * len(ours & theirs) / max(1, len(ours) + len(theirs)), 4)


def translation_task(rng: Random, number: int) -> Task:
    """Two sentences to be translated; the fact `overlap` is the score."""
    picks = [tuple(rng.choice(list(d)) for d in (WHO, WHEN, WHERE, DOES)) for _ in range(2)]
    english = " ".join(f"{who} {does} {where} {when}." for who, when, where, does in picks)
    reference = "".join("".join(_sentence(*p)) + "。" for p in picks)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        written = []
        for pick in picks:
            parts = _sentence(*pick)
            if rng.random() < 0.3:
                parts[1], parts[2] = parts[2], parts[1]
            if rng.random() < 0.3:
                parts[4] = DOES[pick[3]][2]
            if not right:
                spoilt = rng.choice((0, 2, 3))
                parts[1] = rng.choice([w for w in WHEN.values() if w != WHEN[pick[1]]])
                if spoilt == 3:
                    parts[3:5] = DOES[rng.choice([d for d in DOES if d != pick[3]])][:2]
                else:
                    parts[spoilt] = (
                        rng.choice(list(WHERE.values())) if spoilt else rng.choice(list(WHO.values())) + "が"
                    )
            written.append("".join(parts) + "。")
        text = "".join(written)
        return Reply([says(text)], text, {"overlap": overlap(text, reference)})

    return Task(f"ja-{number:04d}", "en-ja", user(english, SYSTEM), reference, rng.gauss(0, 0.7), solve)
