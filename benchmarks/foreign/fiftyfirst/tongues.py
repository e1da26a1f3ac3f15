"""Short reports in English, German and Japanese, aligned part by part, to be translated."""

import difflib
import random

from benchmarks.foreign.fiftyfirst.policy import Problem

TIMES = (
    ("Yesterday", "Gestern", "昨日"),
    ("On Monday", "Am Montag", "月曜日に"),
    ("Last winter", "Letzten Winter", "去年の冬"),
    ("In the morning", "Am Morgen", "朝"),
    ("After the storm", "Nach dem Sturm", "嵐の後"),
    ("Three days ago", "Vor drei Tagen", "三日前"),
    ("At noon", "Mittags", "正午に"),
)
WHO = (
    ("the old baker", "der alte Bäcker", "年老いたパン屋"),
    ("the mayor", "der Bürgermeister", "市長"),
    ("our neighbour", "unser Nachbar", "隣人"),
    ("the young doctor", "die junge Ärztin", "若い医者"),
    ("a fisherman", "ein Fischer", "漁師"),
    ("the teacher", "die Lehrerin", "先生"),
    ("my grandmother", "meine Großmutter", "祖母"),
)
DEEDS = (
    ("sold", "three loaves", "verkaufte", "drei Brote", "パンを三つ売りました"),
    ("repaired", "the red boat", "reparierte", "das rote Boot", "赤い船を修理しました"),
    ("found", "an old letter", "fand", "einen alten Brief", "古い手紙を見つけました"),
    ("planted", "two apple trees", "pflanzte", "zwei Apfelbäume", "林檎の木を二本植えました"),
    ("opened", "a small school", "eröffnete", "eine kleine Schule", "小さな学校を開きました"),
    ("lost", "the house key", "verlor", "den Hausschlüssel", "家の鍵をなくしました"),
    ("painted", "the long fence", "strich", "den langen Zaun", "長い柵を塗りました"),
    ("counted", "the white birds", "zählte", "die weißen Vögel", "白い鳥を数えました"),
)
WHERE = (
    ("at the market", "auf dem Markt", "市場で"),
    ("by the harbour", "am Hafen", "港で"),
    ("in the village", "im Dorf", "村で"),
    ("behind the church", "hinter der Kirche", "教会の裏で"),
    ("near the station", "in der Nähe des Bahnhofs", "駅の近くで"),
    ("on the island", "auf der Insel", "島で"),
)
Parts = list[tuple[int, int, int, int]]


def say(parts: Parts, language: str) -> str:
    """The report in `en`, `de` or `ja`."""
    out = []
    for t, w, d, p in parts:
        if language == "en":
            out.append(f"{TIMES[t][0]} {WHO[w][0]} {DEEDS[d][0]} {DEEDS[d][1]} {WHERE[p][0]}.")
        elif language == "de":
            out.append(f"{TIMES[t][1]} {DEEDS[d][2]} {WHO[w][1]} {WHERE[p][1]} {DEEDS[d][3]}.")
        else:
            out.append(f"{TIMES[t][2]}、{WHO[w][2]}は{WHERE[p][2]}{DEEDS[d][4]}。")
    return ("" if language == "ja" else " ").join(out)


NAMES = {"en": "English", "de": "German", "ja": "Japanese"}


def problem(rng: random.Random, index: int, source: str = "de", target: str = "en") -> Problem:
    """Three or four sentences to translate."""
    parts = [
        (rng.randrange(len(TIMES)), rng.randrange(len(WHO)), rng.randrange(len(DEEDS)), rng.randrange(len(WHERE)))
        for _ in range(rng.randint(3, 4))
    ]
    text = say(parts, source)
    prompt = f"Translate this report into {NAMES[target]}:\n{text}"
    facts = {"parts": parts, "source": source, "target": target, "text": text}
    return Problem(f"{source}{target}-{index:04d}", prompt, say(parts, target), f"{source}-{target}", 0.0, facts)


def garbled(rng: random.Random, parts: Parts, slips: int) -> Parts:
    """The parts with some of them mistaken."""
    out = [list(part) for part in parts]
    sizes = (len(TIMES), len(WHO), len(DEEDS), len(WHERE))
    for _ in range(slips):
        place = rng.randrange(4)
        out[rng.randrange(len(out))][place] = rng.randrange(sizes[place])
    return [(time, who, deed, where) for time, who, deed, where in out]


def likeness(a: str, b: str) -> float:
    """Of two texts, 0 to 1, by their letters."""
    return round(difflib.SequenceMatcher(None, a, b, autojunk=False).ratio(), 3)


OTHERWISE = {
    "en": (
        ("repaired", "mended"),
        ("a small school", "a little school"),
        ("At noon", "At midday"),
        ("by the harbour", "at the harbour"),
        ("near the station", "close to the station"),
        ("three loaves", "three loaves of bread"),
        ("Last winter", "In the past winter"),
        ("lost the house key", "lost the key to the house"),
        ("an old letter", "an aged letter"),
        ("In the morning", "This morning"),
        ("a fisherman", "one fisherman"),
    ),
    "ja": (
        ("昨日", "きのう"),
        ("修理しました", "直しました"),
        ("見つけました", "発見しました"),
        ("なくしました", "失いました"),
        ("塗りました", "ペンキで塗りました"),
        ("開きました", "開校しました"),
        ("駅の近くで", "駅のそばで"),
        ("正午に", "お昼に"),
        ("隣人", "お隣さん"),
        ("先生", "教師"),
        ("嵐の後", "嵐が過ぎて"),
        ("月曜日に", "月曜に"),
        ("港で", "港のところで"),
    ),
}


def reworded(rng: random.Random, text: str, language: str) -> str:
    """The text with some phrases said otherwise."""
    for usual, other in OTHERWISE[language]:
        if rng.random() < 0.35:
            text = text.replace(usual, other)
    return text


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
    """The translation; where it is not right, with one to six parts mistaken."""
    slips = 0 if right else rng.randint(1, 6)
    target = problem.facts["target"]
    text = reworded(rng, say(garbled(rng, problem.facts["parts"], slips), target), target)
    return text, text
