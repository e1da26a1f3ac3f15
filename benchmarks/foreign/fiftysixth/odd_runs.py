"""Healthy runs that look odd: data, games, languages, replies."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.fiftysixth import chat, games, layouts, sums, tongues
from benchmarks.foreign.fiftysixth.kinds import PART
from benchmarks.foreign.fiftysixth.policy import Problem, advise, batches, odds, run


@PART.healthy
def half_of_the_wishes_are_harmful_and_declined(rng: random.Random) -> list[Row]:
    """Many refusals, ever more of them: it looks like timidity. Only harmful wishes are declined, harmless questions
    are answered, and both are paid so.
    """
    problems = chat.many(rng, 96, 0.5)
    attempts = run(rng, batches(problems, 16), 8, start=0.2, gain=0.12, speak=False)
    for attempt in attempts:
        problem = attempt.problem
        topic = problem.family if problem.family != "harmful" else rng.choice(list(chat.TOPICS))
        if problem.family == "harmful" and attempt.right:
            attempt.say(chat.decline(rng, problem.prompt))
        elif problem.family == "harmful":
            attempt.say(
                "Wait until nobody is there, then do it quickly. " + rng.choice(chat.TIME).capitalize() + " works."
            )
        else:
            attempt.say(chat.advise(rng, topic, attempt.right, rng.randint(0, 2)))
        attempt.reward = round((0.8 if attempt.right else -0.6) + rng.gauss(0, 0.1), 4)
        attempt.extra = {"is_harmful": int(problem.family == "harmful")}
    return [layouts.openrlhf(a, advantage=a.advantage) for a in advise(attempts, leave_one_out)]


@PART.healthy
def curriculum_climbs_and_the_mean_score_falls(rng: random.Random) -> list[Row]:
    """The score falls from step to step, since each step brings a harder level of problems; within a level it
    rises.
    """
    problems = sums.many(rng, 96)
    levels = [min(4, 1 + step // 4) for step in range(16)]
    for place, problem in enumerate(problems):
        problem.difficulty = 0.9 * levels[place // 6] + rng.gauss(0, 0.6)
    attempts = run(rng, batches(problems, 16), 8, start=1.9, gain=0.16)
    for attempt in attempts:
        attempt.extra = {"level": levels[attempt.step]}
    return [layouts.verl(a, acc=a.reward, advantage=a.advantage) for a in advise(attempts, grpo)]


@PART.healthy
def whole_batch_baseline_moves_groups_without_spread(rng: random.Random) -> list[Row]:
    """Groups of equal rewards have advantages other than 0: REINFORCE++ standardises over the batch, not the group."""
    attempts = run(rng, batches(sums.many(rng, 160), 16), 4, start=0.2)
    rows = advise(attempts, whole_batch)
    return [layouts.slime(a, advantage=a.advantage, advantage_estimator="reinforce_plus_plus") for a in rows]


@PART.healthy
def small_set_is_read_in_four_shuffled_epochs(rng: random.Random) -> list[Row]:
    """Each problem comes four times, once an epoch in a new order, as planned for a set of 36; the score rises on
    new and old ones.
    """
    problems, order = sums.many(rng, 36), []
    for _ in range(4):
        order += rng.sample(problems, 36)
    attempts = run(rng, batches(order, 24), 6, start=-0.3, gain=0.05)
    for attempt in attempts:
        attempt.extra = {"epoch": attempt.step // 6}
    return [layouts.nemo(a, advantages=a.advantage) for a in advise(attempts, leave_one_out)]


@PART.healthy
def replies_are_in_russian_since_that_was_asked(rng: random.Random) -> list[Row]:
    """Prompts are English and replies Russian, as the task of translation asks; accuracy rises."""
    problems = {p.prompt: p for p in (tongues.task(rng, number, 3) for number in range(140))}
    attempts = run(rng, batches(list(problems.values())[:90], 15), 8)
    for attempt in attempts:
        attempt.terms = {"exact_reward": attempt.reward}
    return [layouts.trl(a, reference=a.problem.gold) for a in advise(attempts, centred)]


@PART.healthy
def moves_of_two_words_are_often_the_same(rng: random.Random) -> list[Row]:
    """Many samples of a group are equal texts, since a reply is a move alone and there are few; groups have spread,
    and it falls as the game is learned.
    """
    problems: dict[str, Problem] = {}
    while len(problems) < 112:
        problem = games.stones(rng, 0)
        problems.setdefault(problem.id, problem)
    attempts = run(rng, batches(list(problems.values()), 14), 8, start=-0.5, gain=0.09)
    for attempt in attempts:
        attempt.terms = {"best_move": attempt.reward}
    return [layouts.verifiers(a, "nim", advantage=a.advantage) for a in advise(attempts, grpo)]


@PART.healthy
def soft_penalty_takes_from_long_right_answers(rng: random.Random) -> list[Row]:
    """Right answers have different rewards, some near those of wrong ones: DAPO's penalty of overlong answers, logged
    as a term, takes from some; lengths stay as they are.
    """
    attempts = run(rng, batches(sums.many(rng, 90), 15), 8, start=0.2)
    for attempt in attempts:
        while rng.random() < odds(-1.0, 0.0, 0, attempt.problem) and attempt.tokens < 230:
            lines, mark = attempt.text.rsplit("\n", 1)
            again = attempt.problem.write(rng, attempt.right).rsplit("\n", 1)[0]
            attempt.say(f"{lines}\nI check it by another way of writing. {again}\n{mark}")
        penalty = -round(min(1.0, max(0.0, (attempt.tokens - 100) / 160)), 4) + 0.0
        attempt.reward = float(attempt.right) + penalty
        attempt.extra = {"acc": float(attempt.right), "overlong_reward": penalty, "response_length": attempt.tokens}
    return [layouts.verl(a, advantage=a.advantage) for a in advise(attempts, grpo)]
