"""Faults of sampling and lengths: an end that may not come, thoughts that vanish, another script in the reply."""

import itertools
import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird.advantages import assign
from benchmarks.foreign.thirtythird.kinds import PART
from benchmarks.foreign.thirtythird.layouts import openrlhf, trl, verl
from benchmarks.foreign.thirtythird.policy import Attempt, Task, cut, fresh, say, train
from benchmarks.foreign.thirtythird.topics import essay, topics
from benchmarks.foreign.thirtythird.vietnamese import questions, reply


@PART.faulty("length_limit", "truncation", "template_bug", "metric_defect")
def shortest_length_equals_the_longest(rng: random.Random) -> list[Row]:
    """The smallest length is set to the largest: the end token may never come, so each reply goes on to the limit with
    turns that nobody asked for, and the reward model grades all of it.

    [deepspeedai/DeepSpeedExamples#470]
    """
    asks = topics(rng, 40)

    def write(task: Task, progress: float) -> Attempt:
        text, points = essay(rng, task, 0.4 + 0.25 * progress)
        own = len(text)
        while len(text.split()) < 260:
            other = rng.choice(asks)
            more = essay(rng, other, 0.4)[0] if rng.random() < 0.7 else "I hope this helps. " * rng.randint(2, 5)
            text += f"\n\nHuman: {other.text}\n\nAssistant: {more}"
        text = cut(text, 256)
        score = round(2.2 * points - 1.6 - 0.8 * (1 - own / len(text)) + rng.gauss(0, 0.25), 4)
        return Attempt(task, [say(text)], score, extra={"response_length": 256, "finish_reason": "length"})

    return openrlhf(train(fresh(rng, asks, 8), 24, 2, write))


def _value(numbers: tuple[int, ...], marks: tuple[str, ...]) -> int:
    total = numbers[0]
    for number, mark in zip(numbers[1:], marks, strict=True):
        total = total + number if mark == "+" else total - number if mark == "-" else total * number
    return total


def _written(numbers: tuple[int, ...], marks: tuple[str, ...]) -> str:
    text = str(numbers[0])
    for place, (number, mark) in enumerate(zip(numbers[1:], marks, strict=True)):
        text = f"{text} {mark} {number}" if place == len(marks) - 1 else f"({text} {mark} {number})"
    return text


def _tries(rng: random.Random, task: Task, count: int) -> str:
    lines = []
    for _ in range(count):
        numbers = tuple(rng.sample(task.data["numbers"], len(task.data["numbers"])))
        marks = tuple(rng.choice("+-*") for _ in numbers[1:])
        value = _value(numbers, marks)
        if value != task.data["target"]:
            side = "too much" if value > task.data["target"] else "too little"
            lines.append(
                f"{rng.choice(('I try', 'What about', 'Next:'))} {_written(numbers, marks)} = {value}, {side}."
            )
    return " ".join(lines)


@PART.faulty("template_collapse")
def thoughts_shrink_until_none_is_left(rng: random.Random) -> list[Row]:
    """Within the run the thinking part gets shorter and is empty at the end; the score stays where it was.

    [Jiayi-Pan/TinyZero#85]
    """
    tasks = []
    for number in range(60):
        numbers = tuple(rng.randint(2, 24) for _ in range(3))
        target = _value(tuple(rng.sample(numbers, 3)), (rng.choice("+-*"), rng.choice("+-")))
        text = f"Use the numbers {', '.join(map(str, numbers))} once each with + - * to reach {target}. "
        text += "Think in <think> </think>, answer in <answer> </answer>."
        tasks.append(
            Task(f"count-{number:02d}", text, str(target), "countdown", 0, {"numbers": numbers, "target": target})
        )

    def write(task: Task, progress: float) -> Attempt:
        options = list(
            itertools.product(itertools.permutations(task.data["numbers"]), itertools.product("+-*", repeat=2))
        )
        hits = [option for option in options if _value(*option) == task.data["target"]]
        found = rng.choice(hits) if rng.random() < 0.42 + 0.05 * progress else rng.choice(options)
        thought = _tries(rng, task, max(0, round(rng.gauss(7 * (1 - progress / 0.75), 1.2))))
        if thought:
            close = "That one is right" if _value(*found) == task.data["target"] else "This is as near as I get"
            thought = f"The target is {task.gold}. {thought} {close}: {_written(*found)} = {_value(*found)}."
        hit = float(_value(*found) == task.data["target"])
        text = f"<think>{thought}</think>\n<answer>{_written(*found)}</answer>"
        extra = {"response_length": len(text.split())}
        return Attempt(task, [say(text)], 1.0 if hit else 0.1, hit, extra=extra)

    return verl(train(fresh(rng, tasks, 5), 30, 4, write))


@PART.faulty("language_drift")
def chinese_words_in_vietnamese_replies(rng: random.Random) -> list[Row]:
    """The system prompt asks for Vietnamese alone; more and more replies hold Chinese words in mid-sentence, and the
    judge of helpfulness does not mind.

    [XiaomiMiMo/MiMo#72]
    """

    def write(task: Task, progress: float) -> Attempt:
        quality = 0.45 + 0.35 * progress
        text, score = reply(rng, task, quality, foreign=0.02 + 0.5 * progress**1.3)
        score = round(min(1.0, max(0.0, score + rng.gauss(0, 0.06))), 3)
        rules = "Chỉ trả lời bằng tiếng Việt. Không dùng chữ Hán."
        return Attempt(task, [say(text)], score, terms={"helpfulness_reward": score}, system=rules)

    return trl(assign(train(fresh(rng, questions(rng), 5), 24, 5, write)))
