"""Healthy runs whose data, filters or texts look odd."""

import random
from collections import defaultdict

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird import layouts
from benchmarks.foreign.sixtythird.advantages import fill
from benchmarks.foreign.sixtythird.attempts import Attempt, Message, Task, batch, chance, say, train
from benchmarks.foreign.sixtythird.chats import requests, speak_request
from benchmarks.foreign.sixtythird.kinds import PART
from benchmarks.foreign.sixtythird.mixed import draw, long_sum, speak
from benchmarks.foreign.sixtythird.sums import speak_sum, sums
from benchmarks.foreign.sixtythird.tongues import speak_tongue, speak_verdict, tongues, verdicts


@PART.healthy
def harder_stage_enters_on_schedule(rng: random.Random) -> list[Row]:
    """The score falls at steps 8 and 16: harder problems enter there, as `stage` says, and within each stage
    it rises.
    """
    attempts = train(lambda step: sums(rng, 5, (0.1, 1.2, 2.2)[step // 8], step * 5), 24, 8, speak_sum, rng, 2.2)
    for a in attempts:
        a.terms = {"accuracy": float(a.ok)}
        a.extra = {"stage": a.step // 8 + 1, "difficulty": ("easy", "medium", "hard")[a.step // 8]}
    return layouts.trl(fill(attempts, rng))


@PART.healthy
def even_groups_are_drawn_again(rng: random.Random) -> list[Row]:
    """Many rows have `in_loss` false: dynamic sampling leaves out groups that are all right or all wrong, and
    no others.
    """
    attempts = fill(train(draw(rng, {"math": 4, "code": 2}, 0.2), 18, 8, speak, rng, 1.4), rng)
    rewards: dict[str, set[float]] = defaultdict(set)
    for a in attempts:
        rewards[a.group].add(a.reward)
    for a in attempts:
        a.in_loss = len(rewards[a.group]) > 1
    return layouts.evidence(attempts)


@PART.healthy
def harmful_requests_are_refused_alike(rng: random.Random) -> list[Row]:
    """Most answers are refusals that sound alike: most requests of this safety set are harmful, and harmless
    ones get help.
    """
    attempts = train(lambda step: requests(rng, 5, step * 5, 0.75), 16, 8, speak_request, rng, 1.8)
    for a in attempts:
        a.terms = {"policy_judge": a.reward}
        a.extra = {"request_kind": "harmful" if a.task.facts["bad"] else "benign"}
    return layouts.evidence(fill(attempts, rng, estimators.centred))


@PART.healthy
def fixed_validation_problems_come_back(rng: random.Random) -> list[Row]:
    """The same 16 problems come at each evaluation: they are the validation set, answered by the checkpoint of
    that step.
    """
    steps = 20
    held = sums(rng, 16, 1.0, 7000)
    attempts: list[Attempt] = []
    for step in range(steps):
        attempts += batch(sums(rng, 4, 1.0, step * 4), step, steps, 8, speak_sum, rng, 2.2)
        if step % 4 == 3:
            for a in batch(held, step, steps, 2, speak_sum, rng, 2.2):
                a.split = "validation"
                attempts.append(a)
    for a in attempts:
        a.extra = {"checkpoint": f"step_{a.step}"}
    return layouts.evidence(fill(attempts, rng))


@PART.healthy
def yes_or_no_answers_of_a_group_coincide(rng: random.Random) -> list[Row]:
    """Attempts of a group are word for word the same: the prompt wants Yes or No alone, and both still occur."""
    return layouts.verl(fill(train(lambda step: verdicts(rng, 6, step * 6), 18, 8, speak_verdict, rng, 1.4), rng))


@PART.healthy
def answers_come_in_the_language_asked(rng: random.Random) -> list[Row]:
    """Answers are German, Spanish and Japanese in a run that is otherwise English: the prompts ask in these
    and for these.
    """

    def tasks(step: int) -> list[Task]:
        return [*tongues(rng, 4, step * 4), *sums(rng, 2, 0.4, step * 2)]

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        return (speak_sum if task.id.startswith("math") else speak_tongue)(task, ok, r, progress)

    attempts = train(tasks, 16, 8, talk, rng)
    for a in attempts:
        a.extra = {"language": "en" if a.task.id.startswith("math") else a.task.family}
    return layouts.slime(fill(attempts, rng))


@PART.healthy
def harder_sums_take_more_words(rng: random.Random) -> list[Row]:
    """Answers grow longer over the run and with difficulty: reasoning lengthens as it helps, and within a
    group length is not paid.
    """

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        more = 1 + 2 * (1 - chance(task, 0.0)) + 2 * progress
        text, answer = long_sum(task, ok, r, max(0, round(r.gauss(more, 1))))
        return say(text), answer

    attempts = train(lambda step: sums(rng, 5, 0.6, step * 5), 18, 8, talk, rng, 1.6)
    for a in attempts:
        a.extra = {"max_response_length": 1024}
    return layouts.verl(fill(attempts, rng, estimators.centred))
