"""Healthy runs whose prompts, epochs, languages or evaluations look odd."""

import random

from benchmarks.foreign.fortyeighth import advantages, countdown, katas, layouts, sums, verses
from benchmarks.foreign.fortyeighth.attempts import Learner, Plan, Task, Try, order, pay, pay_right, play
from benchmarks.foreign.fortyeighth.kinds import PART
from benchmarks.foreign.fortyeighth.layouts import Row


@PART.healthy
def six_shuffled_epochs_over_a_small_set(rng: random.Random) -> list[Row]:
    """Each problem comes six times: planned epochs over 16 problems, shuffled anew, each with its epoch in the rows."""
    pool = sums.pool(rng, 16)
    batches = [part for _ in range(6) for part in order(rng, pool, Plan(4, 4))]
    tries = pay_right(play(rng, batches, 8, Learner(rng, -1.0, 1.9, 0.9), sums.answering("hash")))
    advantages.grpo(tries)
    return layouts.trl(tries, epoch=lambda one: one.step // 4, completion_length=lambda one: one.tokens)


@PART.healthy
def score_dips_where_puzzles_get_longer(rng: random.Random) -> list[Row]:
    """The score falls twice, each time by a quarter, where a curriculum adds a number to the puzzles; it recovers
    each time.
    """
    stages = [countdown.pool(rng, 24, size) for size in (3, 4, 5)]
    batches = [batch for stage in stages for batch in order(rng, stage, Plan(7, 4))]

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        base = random.Random(task.id).gauss(0, 0.1)
        return countdown.solve(rng, task, rng.random() < max(0.05, 0.36 + 0.075 * (step % 7) + base))

    tries = play(rng, batches, 8, Learner(rng), answer)
    advantages.centred(pay_right(tries))
    return layouts.prime_rl(tries, "countdown", difficulty=lambda one: int(one.task.family[0]))


RUSSIAN = {
    "buns baked": "всего испечено булочек",
    "buns left to sell": "осталось на продажу",
    "money taken": "выручка",
    "crowns saved": "накоплено крон",
    "crowns with the gift": "крон вместе с подарком",
    "crowns left": "осталось крон",
}
STARTS = ["Решим задачу по шагам.", "Сначала посмотрим, что дано.", "Считаем по порядку.", "Идём от начала рассказа."]
BAKERY = (
    "{who} печёт {a} противней булочек, по {b} на каждом. {c} булочек подгорают, их выбрасывают. Остальные продают по "
    "{d} евро за штуку. Сколько евро получено? Ответ дай в \\boxed{{}}."
)
SAVINGS = (
    "{who} откладывает по {a} крон в неделю, всего {b} недель, получает {c} крон в подарок и тратит {d} крон на лампу. "
    "Сколько крон осталось? Ответ дай в \\boxed{{}}."
)


@PART.healthy
def russian_questions_get_russian_answers(rng: random.Random) -> list[Row]:
    """A third of the problems is asked in Russian from the start, and answered in Russian: another script, as it
    should be.
    """
    pool = sums.pool(rng, 44)
    russian = [task for task in pool if task.family in ("bakery", "savings")]
    for task in russian:
        a, (b, c, d) = task.data["start"], (step[2] for step in task.data["chain"])
        who = rng.choice(["Марина", "Олег", "Тимур", "Вера"])
        task.prompt = (BAKERY if task.family == "bakery" else SAVINGS).format(who=who, a=a, b=b, c=c, d=d)
        task.family += "_ru"

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = sums.solve(rng, task, rng.random() < chance)
        if task.family.endswith("_ru"):
            shown = [part for part in one.text.split("\n")[0].split(". ") if ":" in part and "=" in part]
            parts = [(part.split("the ", 1)[1].split(":")[0], part.split(": ")[-1].rstrip(".")) for part in shown]
            lead = ["Сначала", "Затем", "Потом", "Итак"]
            lines = [f"{lead[place]} {RUSSIAN[label]}: {done}." for place, (label, done) in enumerate(parts)]
            one.text = " ".join([rng.choice(STARTS), *lines]) + f"\nОтвет: \\boxed{{{one.answer}}}"
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(18, 4)), 8, Learner(rng), answer))
    return layouts.verl(tries, acc=lambda one: float(one.right), data_source=lambda one: one.task.family)


@PART.healthy
def validation_is_harder_and_rises_alongside(rng: random.Random) -> list[Row]:
    """Validation lies twenty points below training throughout: it holds longer problems, and it climbs with
    training.
    """
    pool = countdown.pool(rng, 50, 3)
    held = countdown.pool(rng, 36, 5)
    tries = play(rng, order(rng, pool, Plan(18, 4)), 6, Learner(rng, -0.3, 1.7, 0.9), countdown.answering)
    checks = play(rng, [held] * 7, 1, Learner(rng, -1.3, 1.7, 0.9), countdown.answering, "validation")
    for one in checks:
        one.step *= 3
    advantages.grpo(pay_right(tries))
    return layouts.ours(sorted(tries + pay_right(checks), key=lambda one: one.step), "puzzles")


@PART.healthy
def final_evaluation_repeats_greedy_katas(rng: random.Random) -> list[Row]:
    """An evaluation at temperature 0 with 8 epochs: the texts of a kata are nearly all the same, as greedy
    decoding gives.
    """
    pool = katas.pool(rng)
    learner = Learner(rng, 0.4, 0.6)
    greedy = {task.id: katas.answering(rng, task, learner.chance(task, 1.0), 0) for task in pool}

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        made = greedy[task.id] if rng.random() < 0.95 else katas.answering(rng, task, chance, step)
        return Try(task, made.text, made.right, extra={**made.extra, "temperature": 0.0})

    tries = play(rng, [pool], 8, learner, answer, "validation")
    rows = layouts.inspect_log(tries, "pytest", split=lambda one: "validation")
    for row in rows:
        row["metadata"]["decoding"] = "greedy"
    return rows


@PART.healthy
def claims_are_true_or_false_only(rng: random.Random) -> list[Row]:
    """Two answers are all there is: all attempts say true or false, after reasoning that fits the claim and differs."""
    pool = sums.pool(rng, 60)
    claims: dict[str, int] = {}
    for task in pool:
        claim = int(task.gold) + (0 if rng.random() < 0.5 else rng.choice([-10, -2, 2, 5, 10]))
        claims[task.id] = claim
        task.prompt += f" Claim: it is {claim}. Is the claim true or false? End with <answer>true</answer> or false."
        task.gold = str(claim == int(task.gold)).lower()

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        text, value = sums.reasoning(rng, task, rng.random() < 0.35 + 0.65 * chance)
        said = str(value == claims[task.id]).lower()
        verdict = f"I find {value}, and the claim says {claims[task.id]}."
        return Try(task, f"{text} {verdict}\n<answer>{said}</answer>", said == task.gold, said)

    tries = play(rng, order(rng, pool, Plan(18, 4)), 8, Learner(rng, -1.0, 1.8), answer)
    pay(tries, label=lambda one: float(one.right))
    return layouts.slime(tries)


@PART.healthy
def judge_gives_three_grades_for_poems(rng: random.Random) -> list[Row]:
    """Rewards of a poem judge have three values only, with ties in many groups; they follow the poems' lines, and
    rise.
    """
    pool = verses.poem_tasks(rng, 40)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        text, merit = verses.poem(rng, task, chance)
        grade = "strong" if merit > 0.7 else "fair" if merit > 0.35 else "weak"
        if rng.random() < 0.06:
            grade = rng.choice(["strong", "fair", "weak"])
        return Try(task, text, grade == "strong", extra={"judge_grade": grade})

    tries = play(rng, order(rng, pool, Plan(18, 4)), 8, Learner(rng, -0.6, 1.5, 0.5), answer)
    pay(tries, judge=lambda one: {"weak": 0.0, "fair": 0.5, "strong": 1.0}[one.extra["judge_grade"]])
    advantages.leave_one_out(tries)
    return layouts.plain(tries, advantage=lambda one: one.advantage)
