"""Healthy runs whose advantages, KL, lags, masks or lengths look odd."""

import random
from statistics import mean

from benchmarks.foreign.fortyeighth import advantages, katas, layouts, proofs, sums
from benchmarks.foreign.fortyeighth.attempts import Learner, Plan, Task, Try, order, pay, pay_right, play
from benchmarks.foreign.fortyeighth.kinds import PART
from benchmarks.foreign.fortyeighth.layouts import Row


@PART.healthy
def batch_whitening_moves_solved_groups_too(rng: random.Random) -> list[Row]:
    """REINFORCE++ without a group baseline: groups all right or all wrong have advantages, as whitening over the
    batch gives.
    """
    pool = sums.pool(rng, 60)
    tries = play(rng, order(rng, pool, Plan(20, 8)), 4, Learner(rng, -0.6, 1.9, 1.3), sums.answering("box"))
    advantages.whole_batch(pay_right(tries))
    return layouts.openrlhf(
        tries, advantage=lambda one: one.advantage, advantage_estimator=lambda one: "reinforce_plus_plus"
    )


CHECKS = [
    "Let me check the {label}: I go back to {before} and do it again, {sign} {operand}, and get {after} once more.",
    "Is the {label} plausible? From {before} with {sign} {operand} I expect about {after}, so yes.",
    "To be safe I redo the {label}. {before} {sign} {operand} = {after}, as before.",
]


@PART.healthy
def reasoning_grows_as_it_learns_to_check(rng: random.Random) -> list[Row]:
    """Attempts more than double in length over the run, by checks of their own steps; within groups length earns
    nothing.
    """
    pool = sums.pool(rng, 60)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = sums.solve(rng, task, rng.random() < chance, "tag", 0.3)
        body, last = one.text.split("\n")
        value, lines = task.data["start"], []
        for label, sign, operand in task.data["chain"]:
            after = {"+": value + operand, "-": value - operand, "*": value * operand}[sign]
            if f"= {after}." in body and rng.random() < step / 19:
                said = rng.choice(CHECKS)
                lines.append(said.format(label=label, before=value, sign=sign, operand=operand, after=after))
            value = after
        one.text = f"{' '.join([body, *lines])}\n{last}"
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng, -0.8, 2.2), answer))
    advantages.grpo(tries)
    return layouts.trl(tries, completion_length=lambda one: one.tokens)


@PART.healthy
def declared_length_penalty_shortens_answers(rng: random.Random) -> list[Row]:
    """A penalty on length that stands in the rows halves the texts; they still compute each step, and get more
    right.
    """
    pool = sums.pool(rng, 60)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        wordy = max(0.0, 1 - step / 11)
        one = sums.solve(rng, task, rng.random() < chance, "hash", wordy)
        body, last = one.text.split("\n")
        if rng.random() > wordy:
            kept = [part for part in body.split(". ") if "=" in part]
            one.text = ". ".join(part.split("? ")[-1].rstrip(".") for part in kept) + ".\n" + last
        elif wordy > 0.4:
            one.text = f"{task.prompt.split('. ')[0]}. That is what I know. {one.text}"
        return one

    tries = play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng, -0.4, 1.7), answer)
    pay(tries, correctness=lambda one: float(one.right), length_penalty=lambda one: -0.002 * one.tokens)
    advantages.grpo(tries)
    return layouts.trl(tries, completion_length=lambda one: one.tokens)


@PART.healthy
def overlong_attempts_are_masked_as_in_dapo(rng: random.Random) -> list[Row]:
    """Attempts that reach the limit, about one in sixteen, are kept out of the loss on purpose, and become rarer."""
    pool, limit = sums.pool(rng, 60), 150

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = sums.solve(rng, task, rng.random() < chance)
        if rng.random() < 0.09 - 0.004 * step:
            body = one.text.split("\n")[0]
            again = [sums.reasoning(rng, task, rng.random() < 0.5)[0] for _ in range(5)]
            words = f" {rng.choice(['Wait,', 'Hmm, again.', 'Or differently:'])} ".join([body, *again]).split()
            text = " ".join(words)
            while layouts.tokens(text) > limit:
                words.pop()
                text = " ".join(words)
            return Try(task, text, False, stop="max_tokens", in_loss=False)
        return one

    tries = advantages.grpo(pay_right(play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng), answer)))
    return layouts.ours(tries, "math")


@PART.healthy
def sampler_runs_one_step_behind_by_design(rng: random.Random) -> list[Row]:
    """An asynchronous loop samples with weights one step old: the lag is always 1, and logprobs of both sides
    nearly agree.
    """
    pool = katas.pool(rng)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = katas.answering(rng, task, chance, step)
        there = [-rng.expovariate(3.5) if rng.random() < 0.5 else -rng.random() * 0.01 for _ in range(one.tokens)]
        here = [min(-1e-5, x + rng.gauss(0, 0.02)) for x in there]
        one.extra = {
            "rollout_log_probs": [round(x, 4) for x in there],
            "train_log_probs": [round(x, 4) for x in here],
            "policy_lag": min(1, step),
            "mean_ratio": round(mean(1 + b - a for a, b in zip(there, here, strict=True)), 4),
        }
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(16, 4)), 6, Learner(rng), answer))
    advantages.grpo(tries)
    return layouts.slime(tries, advantage=lambda one: one.advantage)


@PART.healthy
def kl_rises_and_settles_while_scores_rise(rng: random.Random) -> list[Row]:
    """KL to the reference grows fortyfold in the first half, from nearly nothing, and then stays at a few
    hundredths of a nat.
    """
    pool = proofs.pool(rng, 60)
    peak = rng.uniform(0.04, 0.06)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = proofs.answering(rng, task, chance, step)
        kl = peak * (0.025 + min(1.0, step / 9) ** 1.5) * rng.uniform(0.85, 1.15)
        one.extra = {**one.extra, "kl": round(kl, 5), "kl_coef": 0.001}
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng, -0.8, 2.0), answer))
    return layouts.verl(tries, "You are an expert in Lean 4.", acc=lambda one: float(one.right))


@PART.healthy
def format_term_is_full_after_the_first_steps(rng: random.Random) -> list[Row]:
    """The term for the tags is 1 nearly everywhere from the fifth step on: the form was learned, and the other
    term goes on.
    """
    pool = sums.pool(rng, 60)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = sums.solve(rng, task, rng.random() < chance, "tag")
        if rng.random() < max(0.003, 0.6 - 0.16 * step):
            body = one.text.split("\n")[0]
            one.text = f"{body}\n{rng.choice(['The answer is', 'So it is', 'Result:'])} {one.answer}"
            one.terms = {"format": 0.0}
        return one

    tries = play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng), answer)
    pay(
        tries,
        accuracy=lambda one: float(one.right and "format" not in one.terms),
        format=lambda one: 0.2 * one.terms.get("format", 1.0),
    )
    return layouts.trl(advantages.grpo(tries), ground_truth=lambda one: one.task.gold)
