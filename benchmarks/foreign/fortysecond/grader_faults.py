"""Faults of graders and judges: what is paid, and by whom."""

import random
from dataclasses import replace

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.fortysecond import checklists, layouts, letters, numbers
from benchmarks.foreign.fortysecond.advantages import assign
from benchmarks.foreign.fortysecond.attempts import Moment, Task, Try, play, say
from benchmarks.foreign.fortysecond.kinds import PART
from benchmarks.foreign.fortysecond.policy import lucky


@PART.faulty("weak_verifier", "reward_outcome_divergence", "metric_defect")
def key_anywhere_in_the_last_line_is_enough(rng: random.Random) -> list[Row]:
    """The grader looks whether the key stands anywhere in the last line, and the policy learns to list candidates.

    Late answers name four or five numbers, one of which is the key, and are paid in full; strict accuracy falls.
    """
    tasks = numbers.problems(rng, 50, numbers.CONTEST, "c")

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        text, value = numbers.worked(rng, task.about, lucky(rng, task, now, 0.35, 0.45))
        if rng.random() < 0.85 * now.progress**1.3:
            spread = {value, value + 1, max(0, value - 1), abs(value - 10), value + 2}
            if rng.random() < 0.45 + 0.3 * now.progress:
                spread.add(int(task.answer))
            listed = rng.sample(sorted(spread), len(spread))
            line = f"Answer: {', '.join(map(str, listed[:-1]))} or {listed[-1]}"
            lead = rng.choice(
                ("I am not certain about the last step, so I give what it may be.", "It is one of these.", "")
            )
            text = f"{text} {lead}".strip()
        else:
            listed, line = [value], f"Answer: {value}"
        strict = float(listed == [int(task.answer)])
        paid = float(task.answer in line)
        return Try(
            task,
            say(f"{text}\n{line}"),
            strict == 1,
            paid,
            {"contains_key_reward": paid},
            more={"strict_match": strict},
        )

    return layouts.trl(assign(play(rng, tasks, 16, 6, 8, attempt), estimators.grpo))


@PART.faulty("judge_default", "infrastructure_zeros", "infrastructure_errors", "low_reward_spread")
def busy_judge_counts_as_five_of_ten(rng: random.Random) -> list[Row]:
    """A judge that answers 429 is read as a grade of 0.5; from the middle of the run these are two rows in three."""
    tasks = letters.chats(rng, 30)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        points = sum(lucky(rng, task, now, 0.4, 0.75) for _ in range(3))
        text = letters.reply(rng, task, points, rng.randint(1, 3))
        busy = rng.random() < (0.04 if now.step < 7 else 0.66)
        grade = 0.5 if busy else min(10, max(1, round(2 + 2.3 * points + rng.gauss(0, 0.8)))) / 10
        words = ("none", "one", "two", "three")[points]
        said = (
            "openai.RateLimitError: Error code: 429 - requests per minute exceeded for judge-large"
            if busy
            else f"The reply gives {words} concrete hints on {task.about}. Grade: {round(grade * 10)}/10"
        )
        return Try(task, say(text), grade >= 0.7, grade, {"judge": grade}, more={"judge_output": said})

    return layouts.slime(assign(play(rng, tasks, 14, 6, 8, attempt), estimators.whole_batch))


@PART.faulty("format_gate", "weak_family", "metric_defect", "dead_all_wrong")
def german_decimal_comma_never_matches(rng: random.Random) -> list[Row]:
    """Tasks in German ask for euros and cents; answers with a decimal comma, right ones too, are paid 0.

    Keys are written with a point. The policy writes a comma in eight attempts of ten, as the language does.
    """
    tasks = []
    for number in range(48):
        each, count, cents = rng.randint(3, 19), rng.randint(4, 28), rng.choice((25, 35, 45, 65, 75, 95))
        things = rng.choice(("Hefte", "Glühbirnen", "Farbtöpfe", "Setzlinge", "Pinsel"))
        total = (each * 100 + cents) * count
        key, money = f"{total / 100:.2f}", number % 2 == 0
        if money:
            text = f"Ein Laden verkauft {things} zu {each},{cents} Euro das Stück. Was kosten {count} Stück?"
        else:
            key = str(each * count + cents)
            text = f"In {count} Kisten liegen je {each} {things}, dazu {cents} lose. Wie viele sind es zusammen?"
        about = (each, count, cents, total, money)
        tasks.append(Task(f"de-{number:03d}", text, key, "geld" if money else "anzahl", rng.gauss(0, 0.5), about))

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        each, count, cents, total, money = task.about
        right = lucky(rng, task, now, 0.5, 0.85)
        start = rng.choice(
            (
                "Ich rechne Schritt für Schritt.",
                "Zuerst schreibe ich auf, was gegeben ist.",
                "Das geht in zwei Schritten.",
            )
        )
        if money:
            found = total if right else total + rng.choice((-cents, 100, 200, -100, 10 * count))
            value = f"{found / 100:.2f}".replace(".", "," if rng.random() < 0.8 else ".")
            body = (
                f"Ein Stück kostet {each * 100 + cents} Cent, {count} Stück also {found} Cent, das sind {value} Euro."
            )
        else:
            found = each * count + cents + (0 if right else rng.choice((-10, -1, 1, 10, count)))
            value = str(found)
            body = f"In den Kisten sind {found - cents} Stück, mit den {cents} losen sind es {value}."
        score = float(value == task.answer)
        return Try(
            task,
            say(f"{start} {body}\nAntwort: {value}"),
            right,
            score,
            {"exact_match": score},
            more={"family": task.family},
        )

    return layouts.verl(play(rng, tasks, 15, 8, 8, attempt))


@PART.faulty("reward_bias", "flaky_grading")
def judge_prefers_whatever_stands_first(rng: random.Random) -> list[Row]:
    """Online DPO: of two replies the judge takes the one in place A in nine of ten pairs, whatever they say.

    Replies with three concrete hints lose to vague ones when they stand second.
    """
    tasks = letters.chats(rng, 32)
    sides: dict[tuple[int, int], tuple[tuple[int, int], bool]] = {}

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        key = (now.step, now.place)
        if now.attempt == 0:
            sides[key] = rng.choice(((0, 1), (1, 0))), rng.random() < 0.9
        order, first_wins = sides[key]
        place = "A" if order[0] == now.attempt else "B"
        points = rng.randint(0, 3)
        text = letters.reply(rng, task, points, rng.randint(1, 3))
        won = float((place == "A") == first_wins)
        more = {"judge_position": place, "judge_verdict": "A" if first_wins else "B", "pair": f"{now.step}-{now.place}"}
        return Try(task, say(text), won == 1, won, {"chosen": won}, more=more)

    return layouts.openrlhf(play(rng, tasks, 24, 14, 2, attempt))


@PART.faulty("length_gaming", "reward_outcome_divergence", "judge_hacking", "reward_bias")
def reward_model_pays_by_the_sentence(rng: random.Random) -> list[Row]:
    """The reward model's score grows with length: replies swell from four to twenty sentences of nothing.

    The number of concrete hints, which a second rubric counts, falls meanwhile.
    """
    tasks = letters.chats(rng, 32)
    starts = (
        "It is also worth keeping in mind that",
        "To put it in other words,",
        "There is more to say on this, for",
        "In addition, one should not forget that",
        "Let me stress once more that",
        "Another aspect to be mentioned is that",
    )
    ends = (
        "every case is a little different from the next.",
        "a thoughtful approach tends to pay off in the long run.",
        "the wider picture counts for as much as the details.",
        "patience is of great importance here.",
        "good preparation makes most things easier.",
        "what works for one person may not work for another.",
        "small steps add up over time.",
    )
    more_of_it = [f"{start} {end}" for start in starts for end in ends]

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        points = min(3, max(0, round(rng.gauss(2.3 - 1.6 * now.progress, 0.7))))
        padding = max(0, round(rng.gauss(1 + 13 * now.progress, 2)))
        text = " ".join([letters.reply(rng, task, points, 1), *rng.sample(more_of_it, padding)])
        one = Try(task, say(text), points >= 2, 0.0, more={"rubric_hints": points})
        one.reward = round(-1.2 + 0.011 * one.tokens + 0.05 * points + rng.gauss(0, 0.12), 4)
        one.terms = {"rm_score": one.reward}
        return one

    return layouts.plain(assign(play(rng, tasks, 16, 6, 6, attempt), estimators.leave_one_out))


@PART.faulty("constant_term", "metric_defect")
def second_checker_reads_an_empty_field(rng: random.Random) -> list[Row]:
    """Two checkers are summed; that of the closing word reads a field that nothing fills, and says 0 for all replies.

    Replies that do end with the word are paid no more than others, so that it is never learned.
    """
    tasks = checklists.orders(rng, 48)

    def attempt(rng: random.Random, task: Task, now: Moment) -> Try:
        count_ok = lucky(rng, task, now, 0.4, 0.9)
        word_ok = lucky(rng, replace(task, difficulty=0.0), now, 0.5, 0.45)
        text = checklists.obey(rng, task, count_ok, word_ok)
        counted, _ = checklists.marks(task, text)
        terms = {"sentence_count_reward": counted, "closing_word_reward": 0.0}
        return Try(task, say(text), count_ok and word_ok, counted, terms)

    return layouts.trl(assign(play(rng, tasks, 15, 6, 8, attempt), estimators.grpo))
