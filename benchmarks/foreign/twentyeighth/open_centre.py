"""Loanwords, shelves of rising difficulty, epochs over little data, components that are normalised apart."""

import json
from random import Random
from statistics import fmean, pstdev

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import programs, tables
from benchmarks.foreign.twentyeighth.credit import by_group, grpo, rloo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import own, prime
from benchmarks.foreign.twentyeighth.rollouts import Episode, Shape, Task, fresh, groups, play, say, train

TERMS = ["API", "Docker", "Git", "Linux", "JSON", "Python", "SQL", "CPU", "Wi-Fi", "USB"]
TOPICS = [
    "サーバーの再起動",
    "バックアップの取り方",
    "メモリ不足の対処",
    "ログの読み方",
    "パスワードの変更",
    "プリンターの設定",
]


def _helpdesk(rng: Random, number: int) -> Task:
    topic, term = rng.choice(TOPICS), rng.choice(TERMS)
    text = f"{topic}について、{term}を使う場合の手順を{rng.randint(2, 4)}つの文で教えてください。"
    text += f"（受付番号{rng.randint(1000, 9999)}）"
    return Task(f"ja-{number:04d}", text, "", rng.gauss(0, 0.7), topic, {"topic": topic, "term": term})


def _japanese(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    term, topic = task.data["term"], task.data["topic"]
    first = rng.choice(
        [
            f"まず{term}のバージョンを確認します。",
            f"最初に{term}の設定ファイルを開きます。",
            f"{topic}の前に{term}を停止してください。",
        ]
    )
    second = rng.choice(
        [
            f"次にコマンドラインで {term.lower()} status を実行します。",
            "次にコントロールパネルからサービスを選びます。",
            f"続いて{rng.choice(TERMS)}の状態もチェックします。",
        ]
    )
    last = rng.choice(
        [
            "最後にログを見て、エラーがないことを確かめます。",
            "終わったらシステムを再起動してください。",
            "うまくいかない場合はサポートへ連絡してください。",
        ]
    )
    return [
        say(
            "assistant",
            first + second + last
            if right
            else rng.choice([first + first, f"{term}です。", last + "よろしくお願いします。"]),
        )
    ]


@PART.healthy
def katakana_loanwords_in_answers(rng: Random) -> list[Row]:
    """Japanese help texts hold many Latin names and commands, as such texts do, about as many at the end as at the
    start; a rubric grades them between 0 and 1.
    """
    episodes = train(rng, _helpdesk, _japanese, Shape(rng.randint(9, 11), 6, 8, -0.3, 1.6))
    for e in episodes:
        steps, tone = (
            (rng.uniform(0.6, 1.0), rng.uniform(0.7, 1.0))
            if e.right
            else (rng.uniform(0.0, 0.5), rng.uniform(0.3, 0.9))
        )
        e.terms = {"steps": round(steps, 2), "tone": round(tone, 2)}
        e.reward = round(0.7 * steps + 0.3 * tone, 3)
    rows = own(by_group(episodes, grpo), "ja-helpdesk", "日本語で簡潔に答えてください。")
    for row in rows:
        del row["correct"]
    return rows


@PART.healthy
def harder_shelf_each_week(rng: Random) -> list[Row]:
    """Accuracy falls twice in the run, each time when the curriculum opens the next shelf, and rises again within
    it.
    """
    shape = Shape(12, 6, 8, -0.3, 3.2)
    plan = fresh(rng, programs.program, shape)
    for step, tasks in enumerate(plan):
        for task in tasks:
            task.level = task.level * 0.5 + (step // 4) * 1.5
            task.data["shelf"] = step // 4 + 1
    episodes = play(rng, plan, programs.coded, shape)
    for e in episodes:
        e.terms = {"tests": e.reward}
        e.extra = programs.verdict(rng, e.right) | {"shelf": e.task.data["shelf"], "curriculum": "shelf"}
    return own(by_group(episodes, rloo), "shelves-rloo")


@PART.healthy
def third_epoch_of_few(rng: Random) -> list[Row]:
    """A small data set is gone through three times, so each prompt comes back twice, in another order and under the
    next number of the epoch; accuracy on held problems rises as well.
    """
    tasks = [t for row in fresh(rng, tables.question, Shape(4, 6, 1)) for t in row]
    held = [t for row in fresh(rng, tables.question, Shape(2, 6, 1)) for t in row]
    for task in held:
        task.key = "held-" + task.key
    order = [rng.sample(tasks, len(tasks)) for _ in range(3)]
    shape = Shape(12, 6, 6, -0.7, 1.9)
    plan = [epoch[i : i + 6] for epoch in order for i in range(0, 24, 6)]
    episodes = by_group(play(rng, plan, tables.queried, shape), grpo)
    checks = [e for e in play(rng, [held] * 12, tables.queried, Shape(12, 12, 1, -0.8, 1.8)) if e.step % 4 == 3]
    for e in checks:
        e.split, e.in_loss = "validation", False
    for e in episodes + checks:
        e.terms = {"exact": e.reward}
        e.extra = {"epoch": e.step // 4, "num_epochs": 3, "dataset_size": 24}
    return own(sorted(episodes + checks, key=lambda e: e.step), "sql-three-epochs")


def _weather(rng: Random, number: int) -> Task:
    city, day = (
        rng.choice(["Oslo", "Quito", "Hanoi", "Porto", "Lagos", "Perth", "Turku"]),
        f"2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
    )
    unit = rng.choice(["celsius", "fahrenheit"])
    text = f"What will the weather be in {city} on {day}? Give degrees in {unit}. Request {rng.randint(100, 999)}."
    gold = json.dumps({"city": city, "date": day, "unit": unit})
    return Task(f"wx-{number:04d}", text, gold, rng.gauss(0, 0.8), unit, {"city": city, "date": day, "unit": unit})


def _forecast(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    arguments = json.loads(task.gold)
    if not right:
        arguments["city"] = rng.choice(["Rome", "Lima", arguments["city"].lower()])
    if rng.random() > 0.6 + 0.35 * progress:
        arguments["units"] = arguments.pop("unit")
    lead = "<think>I call the tool.</think>\n" if rng.random() < 0.5 + 0.45 * progress else rng.choice(["", "Sure!\n"])
    return [
        say("assistant", lead + "get_weather", tool_calls=[{"id": "w1", "name": "get_weather", "arguments": arguments}])
    ]


def _apart(group: list[Episode]) -> list[float]:
    parts = []
    for name in group[0].terms:
        values = [e.terms[name] for e in group]
        spread = pstdev(values)
        parts.append([(v - fmean(values)) / (spread + 1e-4) if spread else 0.0 for v in values])
    return [round(sum(p), 4) for p in zip(*parts, strict=True)]


@PART.healthy
def components_normalised_apart(rng: Random) -> list[Row]:
    """GDPO: each of three components is normalised within the group on its own and the results are added, so attempts
    of equal reward get different advantages, by which component they earned. [NVIDIA-NeMo/Gym#1525]
    """
    episodes = train(rng, _weather, _forecast, Shape(rng.randint(9, 11), 6, 8, -0.4, 1.7))
    for e in episodes:
        arguments = e.messages[0]["tool_calls"][0]["arguments"]
        e.terms = {
            "correctness": float(e.right),
            "schema_valid": float("unit" in arguments),
            "format": float(e.text.startswith("<think>")),
        }
        e.reward = sum(e.terms.values())
        e.extra = {"adv_estimator": "gdpo", "reward_components": e.terms}
    for group in groups(episodes):
        for e, a in zip(group, _apart(group), strict=True):
            e.advantage = a
    return prime(episodes, "tool-call-multireward", "Tools: get_weather(city: str, date: str, unit: str).")
