"""Sound runs: references refreshed, partial credit, rare wins, two languages, refusals, warm-up, penalties, levels."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fourteenth.abroad import CHINESE_SUMS, FRENCH_SUMS
from benchmarks.foreign.fourteenth.boards import BOARDS
from benchmarks.foreign.fourteenth.chats import SAFETY
from benchmarks.foreign.fourteenth.course import Domain, Reply, Shape, Task, climb, distinct, held, run
from benchmarks.foreign.fourteenth.credit import by_group, centred, grpo, rloo
from benchmarks.foreign.fourteenth.invoices import FIELDS, INVOICES
from benchmarks.foreign.fourteenth.kinds import PART
from benchmarks.foreign.fourteenth.layouts import openai, own, prime_rl, trl, verl
from benchmarks.foreign.fourteenth.programs import PROGRAMS
from benchmarks.foreign.fourteenth.puzzles import DATES, KNIGHTS
from benchmarks.foreign.fourteenth.quizzes import QUIZ
from benchmarks.foreign.fourteenth.sums import SUMS


@PART.healthy
def reference_refreshed_midway(rng: Random) -> list[Row]:
    """The reference policy is replaced by the current one at the seventh step, so KL falls to nought there and rises
    again.
    """
    episodes = by_group(run(rng, KNIGHTS, Shape(13, 7, 6), climb(-0.6, 2.0)), grpo)
    for e in episodes:
        since = e.step if e.step < 6 else e.step - 6
        kl = max(0.0, 0.006 * since + rng.gauss(0, 0.0012))
        e.columns |= {"kl": round(kl, 5), "kl_coef": 0.005, "reference_version": 0 if e.step < 6 else 6}
    return own(rng, episodes, "islands-prorl")


@PART.healthy
def partial_credit_for_fields(rng: Random) -> list[Row]:
    """The reward is the share of right fields of an invoice: it starts high, has many ties, and rises little."""
    episodes = run(rng, INVOICES, Shape(10, 7, 6), climb(-0.4, 2.1))
    for e in episodes:
        e.reward = round(e.reply.facts["fields_right"] / len(FIELDS), 4) if e.stop == "stop" else 0.0
    return verl(by_group(episodes, grpo))


@PART.healthy
def rare_wins_on_board(rng: Random) -> list[Row]:
    """A hard game with few wins at first: most groups have none, yet wins grow steadily from what little there is."""
    episodes = run(rng, BOARDS, Shape(10, 6, 8), climb(-2.6, 2.5))
    return prime_rl(by_group(episodes, centred), "keyboard-hard")


def _either(rng: Random) -> Task:
    task = (CHINESE_SUMS if rng.random() < 0.5 else SUMS).make(rng)
    task.family = "zh" if task.family == "zh" else "en"
    return task


def _in_kind(rng: Random, task: Task, right: bool, t: float) -> Reply:
    return (CHINESE_SUMS if task.family == "zh" else SUMS).solve(rng, task, right, t)


@PART.healthy
def bilingual_prompts_matched_replies(rng: Random) -> list[Row]:
    """Half of the prompts are Chinese and half English, more Chinese ones late; each reply keeps its prompt's
    language.
    """
    domain = Domain(_either, _in_kind)
    tasks = distinct(rng, domain, 76, "bi")
    tasks.sort(key=lambda task: (task.family == "zh") * 0.5 + rng.random())
    episodes = run(rng, domain, Shape(10, 7, 6), climb(-0.4, 2.0), tasks)
    for e in episodes:
        e.terms = {"accuracy_reward": float(e.right), "format_reward": 0.1 * ("boxed" in e.text)}
        e.reward = sum(e.terms.values())
        e.columns["lang"] = e.task.family
    return trl(by_group(episodes, grpo))


@PART.healthy
def refusals_rightly_alike(rng: Random) -> list[Row]:
    """Two requests in five are harmful and answered with nearly the same short refusal, as they should;
    harmless ones get help.
    """
    return openai(by_group(run(rng, SAFETY, Shape(11, 7, 6), climb(-0.3, 2.3)), rloo))


@PART.healthy
def warmup_from_zero_rate(rng: Random) -> list[Row]:
    """The rate starts at nought and rises for five steps; nothing moves at first, then the score climbs."""
    episodes = run(rng, FRENCH_SUMS, Shape(12, 7, 5), lambda s, n: climb(-0.7, 2.5)(max(0, s - 2), n - 2))
    for e in by_group(episodes, grpo):
        kl = 0.0 if e.step == 0 else 0.0007 * e.step**1.3 + rng.uniform(0, 0.0004)
        e.columns |= {"learning_rate": 2e-6 * min(1.0, e.step / 5), "kl": round(kl, 5)}
    return own(rng, episodes, "calcul-fr", warmup_steps=5)


@PART.healthy
def penalties_only_never_positive(rng: Random) -> list[Row]:
    """Rewards are minus one for a wrong date, minus a half for one without its line, nought for a right one;
    none is ever positive.
    """
    episodes = run(rng, DATES, Shape(11, 8, 5), climb(-0.5, 2.2))
    for e in episodes:
        if e.right and rng.random() < 0.05 * (1 - e.progress):
            e.say(e.text.rsplit("\n", 1)[0])
            e.right = False
            e.reward = -0.5
        else:
            e.reward = 0.0 if e.right else -1.0
    return verl(by_group(episodes, grpo))


@PART.healthy
def ladder_of_harder_levels(rng: Random) -> list[Row]:
    """A curriculum: each third of the run brings harder problems, so the mean falls at each rung and recovers
    within it.
    """
    tasks = distinct(rng, SUMS, 96, "lv")
    rung_size = 28
    for number, task in enumerate(tasks):
        rung = min(2, number // rung_size)
        task.facts["level"] = rung + 1
        task.level += 1.3 * rung
    episodes = run(rng, SUMS, Shape(12, 7, 6), climb(0.3, 2.9), tasks)
    return own(rng, by_group(episodes, centred), "sums-ladder", curriculum="three_rungs")


@PART.healthy
def greedy_checks_repeat_words(rng: Random) -> list[Row]:
    """Held questions are checked greedily; where the policy has not changed its mind the text is word for word
    that of the check before.
    """
    tasks = distinct(rng, QUIZ, 90, "g-")
    train = tasks[:66]
    seen = {task.prompt.split("\n")[0] for task in train}
    other = [task for task in tasks[66:] if task.prompt.split("\n")[0] not in seen][:20]
    skill = climb(-0.5, 2.2)
    episodes = run(rng, QUIZ, Shape(10, 7, 5), skill, train)
    checks = held(rng, QUIZ, other, [0, 2, 4, 6, 8, 9], skill, 10)
    last: dict[str, tuple[bool, Reply]] = {}
    for e in checks:
        kept = last.get(e.task.ident)
        if kept and kept[0] == e.right and rng.random() < 0.85:
            e.reply, e.stop = kept[1], "stop"
        last[e.task.ident] = (e.right, e.reply)
    for e in episodes + checks:
        e.columns["decoding"] = "greedy" if e.split == "validation" else "sampled"
    return own(rng, by_group(episodes + checks, grpo), "quiz-greedy")


@PART.healthy
def easy_half_saturates_late(rng: Random) -> list[Row]:
    """Half of the programs are easy and always right by the end, so many groups are uniform late; the hard half still
    learns.
    """
    tasks = distinct(rng, PROGRAMS, 70, "mx-")
    for task in tasks:
        easy = rng.random() < 0.5
        task.level += -1.6 if easy else 1.0
        task.facts["difficulty"] = "easy" if easy else "hard"
    return openai(by_group(run(rng, PROGRAMS, Shape(10, 7, 6), climb(-0.2, 2.4), tasks), grpo))
