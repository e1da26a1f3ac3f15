"""Heaps of stones to take from, questions of four letters, sentences to translate, receipts to read."""

import json
from random import Random

from benchmarks.foreign.twentysecond.course import Message, Task
from benchmarks.foreign.twentysecond.layouts import say


def heap_task(rng: Random) -> Task:
    """Who takes the last stone wins."""
    stones, most = rng.randint(9, 31), rng.randint(3, 5)
    prompt = [
        {"role": "system", "content": f"Take 1 to {most} stones in turn; who takes the last wins. Write `take N`."},
        {"role": "user", "content": f"There are {stones} stones. Table {rng.randint(100, 999)}. You begin."},
    ]
    return Task(prompt, "", None, f"most {most}", hidden={"stones": stones, "most": most})


def take_stones(rng: Random, task: Task, skill: float) -> tuple[list[Message], int]:
    """A game against a fair opponent; 1 for a win, 0 for a loss, -1 for an illegal move."""
    left, most, said = task.hidden["stones"], task.hidden["most"], []
    while True:
        best = left % (most + 1) or rng.randint(1, most)
        mine = best if rng.random() < 0.35 + 0.6 * skill else rng.randint(1, most)
        if rng.random() < 0.09 * (1 - skill):
            said += say(f"{rng.choice(('Boldly:', 'I try'))} take {most + 1}")
            return said + [{"role": "user", "content": f"Illegal: at most {most}. You forfeit."}] + say("I see."), -1
        mine = min(mine, left)
        left -= mine
        thought = rng.choice((f"I want to leave a multiple of {most + 1}.", "Small step.", f"{left} would remain.", ""))
        said += say(f"{thought} take {mine}".strip())
        if left <= 0:
            return said, 1
        reply = min(left, left % (most + 1) if rng.random() < 0.55 and left % (most + 1) else rng.randint(1, most))
        left -= reply
        if left <= 0:
            return said + [{"role": "user", "content": f"I take {reply}. The last one is mine."}] + say(
                "Well played."
            ), 0
        said.append({"role": "user", "content": f"I take {reply}. {left} stones are left."})


def letter_choice(rng: Random) -> Task:
    """Four numbers; one letter."""
    values = rng.sample(range(120, 990), 4)
    asked, aim = rng.choice((("largest", 10_000), ("smallest", 0), ("closest to 500", 500)))
    gold = "ABCD"[values.index(min(values, key=lambda v: abs(v - aim)))]
    shown = "\n".join(f"{x}) {v // 10}.{v % 10} kg" for x, v in zip("ABCD", values, strict=True))
    content = f"Which parcel's weight, times ten, is {asked}?\n{shown}\nReply with the letter alone."
    return Task([{"role": "user", "content": content}], gold, None, asked)


PHRASES = {
    "Greek": (
        ("Το πλοίο", "Το λεωφορείο", "Το τρένο", "Το αεροπλάνο", "Το φορτίο", "Το γράμμα", "Το δέμα", "Το σχέδιο"),
        ("αργεί", "φτάνει", "φεύγει", "περιμένει", "χάθηκε", "ξεκινά"),
        ("σήμερα", "αύριο", "το βράδυ", "το πρωί", "τη Δευτέρα"),
    ),
    "Japanese": (
        ("船は", "バスは", "電車は", "飛行機は", "貨物は", "手紙は", "小包は", "計画は"),
        ("遅れます", "着きます", "出ます", "待っています", "なくなりました", "始まります"),
        ("今日", "明日", "夜", "朝", "月曜日に"),
    ),
}
ENGLISH = (
    ("The ship", "The bus", "The train", "The plane", "The cargo", "The letter", "The parcel", "The plan"),
    ("is late", "arrives", "leaves", "is waiting", "was lost", "begins"),
    ("today", "tomorrow", "in the evening", "in the morning", "on Monday"),
)


def translation_task(rng: Random) -> Task:
    """Two sentences into Greek or Japanese."""
    language = rng.choice(sorted(PHRASES))
    picks = [tuple(rng.randrange(len(part)) for part in ENGLISH) for _ in range(2)]
    source = " ".join(f"{ENGLISH[0][a]} {ENGLISH[1][b]} {ENGLISH[2][c]}." for a, b, c in picks)
    prompt = [{"role": "user", "content": f"Translate into {language}; write nothing else.\n\n{source}"}]
    return Task(prompt, _render(language, picks), None, language, hidden={"picks": picks})


def _render(language: str, picks: list[tuple[int, ...]]) -> str:
    nouns, verbs, times = PHRASES[language]
    if language == "Greek":
        return " ".join(f"{nouns[a]} {verbs[b]} {times[c]}." for a, b, c in picks)
    return "".join(f"{nouns[a]}{times[c]}{verbs[b]}。" for a, b, c in picks)


def translate(rng: Random, task: Task, errors: int) -> str:
    """A translation with some wrong words."""
    picks = [list(p) for p in task.hidden["picks"]]
    for place in rng.sample([(i, j) for i in range(2) for j in range(3)], errors):
        picks[place[0]][place[1]] = (picks[place[0]][place[1]] + rng.randint(1, 4)) % len(ENGLISH[place[1]])
    return _render(task.family, [tuple(p) for p in picks])


def share_of_words(task: Task, text: str) -> float:
    """Which share of the six parts stands in its sentence."""
    parts, found = PHRASES[task.family], 0
    for picks, sentence in zip(task.hidden["picks"], text.replace("。", ".").split("."), strict=False):
        found += sum(parts[j][pick] in sentence for j, pick in enumerate(picks))
    return round(found / 6, 4)


STORES = ("Korner Market", "Bahnhof Kiosk", "La Huerta", "Nordlys Dagligvare", "Mill & Sons", "Petit Quai")


def receipt_task(rng: Random) -> Task:
    """Fields of a receipt as JSON."""
    items = [(n, rng.randint(90, 4990)) for n in rng.sample(("bread", "soap", "milk", "batteries", "tea", "pears"), 3)]
    total, store = sum(v for _, v in items), rng.choice(STORES)
    day = f"{rng.randint(1, 28):02d}.{rng.randint(1, 12):02d}.2026"
    shown = "\n".join(f"{n:<12}{v / 100:>8.2f}" for n, v in items)
    content = f"{store}   {day}\n{shown}\nTOTAL{total / 100:>15.2f}\n\nReturn JSON with store, date (ISO), total."
    gold = {"store": store, "date": "-".join(day.split(".")[::-1]), "total": total / 100}
    return Task([{"role": "user", "content": content}], json.dumps(gold), None, "receipts", hidden={"fields": gold})


def read_receipt(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    """The JSON, or one with a wrong field."""
    fields = dict(task.hidden["fields"])
    if not right:
        year, month, day = fields["date"].split("-")
        fields |= rng.choice(({"date": f"{day}.{month}.{year}"}, {"total": round(fields["total"] * 0.9, 2)},
                              {"store": fields["store"].split()[0]}))  # fmt: skip
    words = rng.choice(("", "Here it is.\n", "The fields, read from the receipt:\n", "Total as printed.\n"))
    return say(words + json.dumps(fields, indent=rng.choice((None, 2))))
