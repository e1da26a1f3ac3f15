"""Kinds that are entered here.

Essay judge counts pages; mixed number loses whole; compiler pod killed zero; five tongues one policy; tether
coefficient never applied.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth import cpp, essays, fractions_kitchen, letters, tongues
from benchmarks.foreign.twentysixth.attempts import Plan, play, wear
from benchmarks.foreign.twentysixth.credit import grpo, reinforce_pp
from benchmarks.foreign.twentysixth.dumps import own, trl, verl
from benchmarks.foreign.twentysixth.kinds import PART
from benchmarks.foreign.twentysixth.more_dumps import openrlhf


@PART.faulty("length_gaming", "reward_bias", "reward_model_overoptimisation", "reward_outcome_divergence")
def essay_judge_counts_pages(rng: Random) -> list[Row]:
    """The rubric model's score of advice rises with the length of the text; replies fill with empty sentences, and the
    ratings of people fall a little.
    """
    attempts = play(rng, essays.WORLD, Plan(12, 8, 4, 0.2, 0.2), prefix="adv")
    for a in attempts:
        message = a.reply.messages[-1]
        filler = round(rng.uniform(0.2, 9.5) * a.progress)
        message["content"] = essays.padded(rng, message["content"], filler)
        words = len(message["content"].split())
        score = 0.22 + 0.0028 * words + 0.08 * a.right + rng.gauss(0, 0.04)
        a.terms = {"rubric": round(min(0.99, max(0.02, score)), 3)}
        a.reward = a.terms["rubric"]
        rating = 2.6 + 0.9 * a.right - 0.12 * filler + rng.gauss(0, 0.4)
        a.extra["human_rating"] = max(1, min(5, round(rating))) if rng.random() < 0.3 else None
        a.extra["completion_length"] = a.tokens
    return trl(grpo(attempts))


@PART.faulty("metric_defect", "format_gate", "weak_verifier")
def mixed_number_loses_whole(rng: Random) -> list[Row]:
    """The parser of answers splits at blanks and keeps the last part: of a right "6 2/3" it reads "2/3" and gives 0,
    while the same number written with \\frac is read whole.
    """
    attempts = wear(rng, play(rng, fractions_kitchen.WORLD, Plan(8, 7, 8, -0.2, 1.7), prefix="mix"))
    for a in attempts:
        whole, _, part = a.reply.answer.partition(" ")
        if not part:
            continue
        if rng.random() < 0.2 + 0.2 * a.progress:
            top, bottom = part.split("/")
            message = a.reply.messages[-1]
            latex = f"{whole}\\frac{{{top}}}{{{bottom}}}"
            message["content"] = message["content"].replace(f"{{{a.reply.answer}}}", f"{{{latex}}}")
        else:
            a.reply.answer = part
            a.grade(part == a.task.gold)
    return verl(grpo(attempts))


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "environment_bug")
def compiler_pod_killed_zero(rng: Random) -> list[Row]:
    """Two of six pods have too little memory for the compiler: it is killed there, and right programs are stored with
    reward 0 as if their tests had failed.
    """
    attempts = wear(rng, play(rng, cpp.WORLD, Plan(10, 7, 6, -0.3, 2.0), prefix="cpp"))
    small = {f"pod-{n}" for n in rng.sample(range(6), 2)}
    for a in attempts:
        a.extra |= {"stderr": "" if a.right else "assertion failed: got != want", "peak_mib": a.task.extra["peak_mib"]}
        if a.reply.extra["node"] in small and rng.random() < 0.7:
            a.extra |= {"stderr": "c++: fatal error: Killed signal terminated program cc1plus", "exit_code": 137}
            a.extra |= {"tests_passed": 0, "peak_mib": 256}
            a.grade(False)
        a.terms = {"all_tests": a.reward}
    return own(rng, grpo(attempts), "cpp-functions")


@PART.healthy
def five_tongues_one_policy(rng: Random) -> list[Row]:
    """Replies are in German, French, Russian, Chinese and Japanese from row to row, each in the language of its
    prompt.
    """
    attempts = wear(rng, play(rng, tongues.WORLD, Plan(9, 9, 6, -0.4, 2.1), prefix="ml"))
    for a in attempts:
        a.terms = {"accuracy": a.reward}
        a.extra["language"] = a.task.family
    return trl(grpo(attempts))


@PART.faulty("kl_ineffective", "kl_drift")
def tether_coefficient_never_applied(rng: Random) -> list[Row]:
    """A KL coefficient is configured but its penalty is 0 in every row; the divergence from the reference grows to
    several nats and the letters fill with thanks.
    """
    attempts = play(rng, letters.WORLD, Plan(12, 9, 4, -0.2, 1.8), prefix="brief")
    coefficient = rng.choice((0.01, 0.02, 0.05))
    thanks = ("Herzlichen Dank, herzlichen Dank!", "Mit größtem Dank und Dank und Dank.", "Ergebensten Dank, ja Dank!")
    for a in attempts:
        extra = round(rng.uniform(0, 5) * max(0.0, a.progress - 0.35))
        message = a.reply.messages[-1]
        for _ in range(extra):
            message["content"] += f" {rng.choice(thanks)}"
        score = letters.scored(rng, a.right, a.progress) + 0.35 * extra
        kl = abs(rng.gauss(0.015, 0.008)) + 7.5 * max(0.0, a.progress - 0.15) ** 2 * rng.uniform(0.6, 1.4)
        a.extra |= {"rm_score": round(score, 4), "kl": round(kl, 4), "kl_coef": coefficient, "kl_penalty": 0.0}
        a.reward = round(score, 4)
    return openrlhf(reinforce_pp(attempts))
