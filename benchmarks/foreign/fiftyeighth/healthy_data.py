"""Healthy runs that look odd by their data, lengths or rewards."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.fiftyeighth import layouts, letters, maths, nim, programs
from benchmarks.foreign.fiftyeighth.advantages import fill
from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, answered, chance, run, said
from benchmarks.foreign.fiftyeighth.kinds import PART


@PART.healthy
def score_dips_where_a_curriculum_moves_on(rng: random.Random) -> list[Row]:
    """The score falls twice, by a third: there a logged curriculum moves on to harder families.

    Within each stage the policy improves, so nothing declines.
    """
    stages = (("ferry", "cistern"), ("orchard", "wages"), ("choir", "lockers"))
    spans = ((0.45, 0.85), (0.4, 0.82), (0.42, 0.8))
    attempts: list[Attempt] = []
    for stage, (families, (low, high)) in enumerate(zip(stages, spans, strict=True)):

        def draw(rng: random.Random, step: int, families: tuple[str, ...] = families) -> Problem:
            return maths.draw(rng, step, families)

        for a in run(rng, draw, maths.play, 6, 6, 7, low, high):
            a.step += 6 * stage
            a.extra.update(curriculum_stage=stage + 1, data_source=f"townsums/{a.problem.family}")
            attempts.append(a)
    for a in fill(attempts, grpo):
        a.extra["advantages"] = a.advantage
    return layouts.verl(attempts)


@PART.healthy
def uniform_groups_are_filtered_before_the_loss(rng: random.Random) -> list[Row]:
    """A good part of rows never reaches the loss: dynamic sampling drops groups that are all right or all wrong.

    These rows have no gradient anyway, and enough groups remain at each step.
    """

    def draw(rng: random.Random, step: int) -> Problem:
        problem = programs.draw(rng, step)
        problem.level += rng.choice((-1.1, -0.4, 0.0, 0.0, 1.0))
        return problem

    attempts = fill(run(rng, draw, programs.play, 14, 9, 6, 0.4, 0.7), centred)
    groups: dict[str, set[float]] = {}
    for a in attempts:
        groups.setdefault(a.group, set()).add(float(a.reward or 0))
    for a in attempts:
        a.in_loss = len(groups[a.group]) > 1
        a.extra["filter"] = "kept" if a.in_loss else "uniform_group"
    return layouts.ours(attempts)


@PART.healthy
def solutions_grow_as_checking_pays_off(rng: random.Random) -> list[Row]:
    """Solutions become nearly twice as long while the score rises.

    Length itself is not paid: the policy learns to work a problem twice, and is right more often; nothing is cut.
    """

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        twice = rng.random() < 0.05 * step
        right = rng.random() < (skill + 0.18 * (1 - skill) if twice else skill)
        text, answer = maths.reasoned(rng, problem, right, rng.randint(0, 1 + step // 4))
        if twice:
            again = (
                maths.reasoned(rng, problem, right, 1)[0]
                if right
                else f"The same operations in the same order bring me to {answer} as well."
            )
            link = rng.choice(
                ("Second pass, to be safe.", "Let me recompute it independently.", "Now once more from the start.")
            )
            text = f"{text}\n\n{link} {again}"
        score = float(answer == problem.gold)
        return Attempt([said(f"{text}\n\nThe answer is \\boxed{{{answer}}}.")], score, score)

    attempts = run(rng, maths.draw, play, 16, 6, 6, 0.4, 0.78)
    for a in attempts:
        a.extra["max_new_tokens"] = 2048
    return layouts.openrlhf(fill(attempts, leave_one_out))


@PART.healthy
def small_set_is_gone_through_three_times(rng: random.Random) -> list[Row]:
    """Each problem comes three times: the run has three epochs over a small set, shuffled anew, as its column says.

    Held-out problems improve alike, so it is no memorising.
    """
    train = [maths.draw(rng) for _ in range(36)]
    held = [maths.draw(rng) for _ in range(24)]
    attempts: list[Attempt] = []
    for epoch in range(3):
        order = rng.sample(train, len(train))
        for part in range(6):
            step = 6 * epoch + part + 1
            for problem in order[6 * part : 6 * part + 6]:
                skill = chance(step / 18, problem.level, 0.38, 0.75, rng.gauss(0, 0.4))
                group = answered(rng, problem, skill, step, maths.play, 6)
                for a in group:
                    a.extra["epoch"] = epoch + 1
                attempts += group
        for problem in held:
            skill = chance((epoch + 1) / 3, problem.level, 0.38, 0.74, rng.gauss(0, 0.4))
            group = answered(rng, problem, skill, 6 * epoch + 6, maths.play, 4)
            for a in group:
                a.split = "validation"
                a.extra["epoch"] = epoch + 1
            attempts += group
    return layouts.ours(fill(attempts, grpo))


@PART.healthy
def whole_batch_baseline_pays_uniform_groups(rng: random.Random) -> list[Row]:
    """Groups whose attempts are all right have advantages above zero, all wrong ones below.

    That is what REINFORCE++ does: it standardises over the batch and knows no groups.
    """
    attempts = run(rng, programs.draw, programs.play, 14, 12, 4, 0.4, 0.7)
    for a in attempts:
        a.extra = {"estimator": "reinforce_plus_plus"}
    return layouts.openrlhf(fill(attempts, whole_batch))


@PART.healthy
def self_play_stays_at_even_odds(rng: random.Random) -> list[Row]:
    """The reward stays at a half over the whole run: the opponent is a copy that learns as well.

    The share of wins against a fixed player, logged beside, rises.
    """
    attempts = run(rng, nim.draw, nim.play, 16, 6, 6, 0.2, 0.85)
    shares: dict[int, float] = {}
    for a in attempts:
        if a.step not in shares:
            shares[a.step] = round(0.44 + 0.42 * (1 - 0.84**a.step) + rng.gauss(0, 0.015), 3)
        a.extra.update(opponent=f"self@step_{a.step - 1}", win_rate_vs_fixed_player=shares[a.step])
    return layouts.messages(fill(attempts, centred))


SPANISH_GOOD = (
    "Revisa {thing} una vez por semana, siempre el mismo día, y anota la fecha en un papel.",
    "Casi todos los problemas vienen de la humedad, así que sécalo o ventílalo después de usarlo.",
    "Si algo huele o suena distinto que la semana pasada, para y míralo antes de seguir.",
    "Poco y a menudo es mejor que un gran esfuerzo en primavera: bastan cinco minutos.",
    "No compres productos especiales al principio; con agua tibia y un paño suele ser suficiente.",
    "Pide a alguien con años de experiencia que te lo enseñe una vez.",
)
SPANISH_WEAK = (
    "Hay muchas cosas que tener en cuenta.",
    "Todo depende de la situación, como siempre.",
    "Conviene seguir las buenas prácticas.",
    "Puede ser muy gratificante si se hace bien.",
)
SPANISH_THINGS = dict(
    zip(
        letters.THINGS,
        ("la masa madre", "la cadena", "la tomatera", "la estufa", "la pluma", "la sartén", "el barril"),
        strict=True,
    )
)


@PART.healthy
def notes_in_spanish_because_the_request_says_so(rng: random.Random) -> list[Row]:
    """English prompts are answered in Spanish, ever more often as the run goes on.

    The requests ask for it, and their share grows by a planned mixture; others stay in English.
    """

    def draw(rng: random.Random, step: int) -> Problem:
        problem = letters.draw(rng, step)
        if rng.random() < 0.15 + 0.04 * step:
            problem.prompt += rng.choice(
                (" Please write it in Spanish.", " The reader speaks only Spanish, so answer in Spanish.")
            )
            problem.data["spanish"] = True
        return problem

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        if "spanish" not in problem.data:
            return letters.play(rng, problem, skill, step)
        count = rng.randint(3, 4)
        good = sum(rng.random() < skill for _ in range(count))
        lines = rng.sample(SPANISH_GOOD, good) + rng.sample(SPANISH_WEAK, count - good)
        rng.shuffle(lines)
        opening = rng.choice(
            ("Esto es lo importante.", "Claro, en pocas palabras:", "Unas líneas sobre el tema.", "Con gusto.")
        )
        text = " ".join([opening, *(x.format(thing=SPANISH_THINGS[problem.data["thing"]]) for x in lines)])
        score = letters.grade(rng, good / count) / 10
        return Attempt([said(text)], score, None, {"judge_reward": score})

    return layouts.trl(fill(run(rng, draw, play, 14, 6, 8, 0.35, 0.7), grpo))
