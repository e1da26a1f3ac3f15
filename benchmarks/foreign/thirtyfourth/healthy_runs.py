"""Healthy runs whose trainer looks odd: KL, stages, filters, lag, epochs, baselines, budgets."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyfourth import layouts, puzzles, quantities, tables
from benchmarks.foreign.thirtyfourth.kinds import PART
from benchmarks.foreign.thirtyfourth.policy import Attempt, Problem, campaign, chance, settle, speak, tokens


def _number(rng: random.Random, p: Problem, step: int, number: int, odds: float, mark: str, **extra: object) -> Attempt:
    right = rng.random() < odds
    text, answer = quantities.solve(rng, p, right)
    reply = text + mark.replace("N", answer)
    return Attempt(p, step, number, reply, reward=float(right), right=float(right), terms={"accuracy": float(right)},
                   extra=extra)  # fmt: skip


@PART.healthy
def kl_grows_and_levels_off(rng: random.Random) -> list[dict]:
    """The KL grows tenfold, as it does when a policy learns from near zero, and stays at a tenth of a nat."""
    problems = quantities.draw(rng, 64, "dose", "drip", "anion_gap", "molar_mass", ask="End with \\boxed{number}.")

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        kl = 0.01 + 0.1 * (1 - 2.718 ** (-4 * progress)) + abs(rng.gauss(0, 0.008))
        return _number(rng, p, step, number, chance(p, progress, -0.5, 2.4), " \\boxed{N}", kl=round(kl, 4), beta=0.01)

    return layouts.trl(settle(campaign(rng, problems, 30, 8, 4, attempt), estimators.grpo))


@PART.healthy
def score_steps_down_with_each_stage(rng: random.Random) -> list[dict]:
    """The score falls twice, each time when the curriculum goes on to harder problems, and rises within each stage."""
    stages = []
    for stage in range(3):
        problems = quantities.draw(rng, 48, "slack", "gears", "break_even", "interest", ask="Answer behind ####.")
        for p in problems:
            p.id, p.hardness = f"s{stage}-{p.id}", p.hardness * 0.6 + 1.5 * stage
        stages.append(problems)
    out: list[Attempt] = []
    for stage, problems in enumerate(stages):

        def attempt(p: Problem, step: int, progress: float, number: int, stage: int = stage) -> Attempt:
            odds = chance(p, 0.0, -0.6 + 1.2 * stage + 1.9 * progress)
            return _number(rng, p, step + 8 * stage, number, odds, "\n#### N", stage=stage + 1)

        out += campaign(rng, problems, 8, 6, 6, attempt)
    return layouts.verl(out)


@PART.healthy
def uniform_groups_are_filtered_out(rng: random.Random) -> list[dict]:
    """A fifth of the rows misses the loss: dynamic sampling drops groups all right or all wrong, in all trades
    alike."""
    problems = quantities.draw(rng, 70, ask="Write the number behind ####.")

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        return _number(rng, p, step, number, chance(p, progress, -0.6, 2.2), "\n#### N", sampling="dynamic")

    attempts = settle(campaign(rng, problems, 20, 10, 5, attempt), estimators.grpo)
    groups: dict[tuple, list[Attempt]] = {}
    for each in attempts:
        groups.setdefault((each.step, each.problem.id), []).append(each)
    for members in groups.values():
        mixed = len({a.reward for a in members}) > 1
        for each in members:
            each.in_loss, each.advantage = mixed, each.advantage if mixed else None
    return layouts.own(attempts, "trades")


@PART.healthy
def rollouts_lag_by_one_or_two(rng: random.Random) -> list[dict]:
    """Attempts are one or two versions old, as an asynchronous loop bounds them, and their weights hardly vary."""
    problems = quantities.draw(rng, 60, "harbour", "flour", "hives", "knitting", ask="Put the number in \\boxed{}.")

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        lag = min(step, rng.choice([0, 1, 1, 1, 2]))
        ess = round(0.985 - 0.02 * lag + rng.gauss(0, 0.004), 3)
        return _number(rng, p, step, number, chance(p, progress, -0.6, 2.4), " \\boxed{N}", policy_lag=lag, ess=ess)

    rows = layouts.prime_rl(settle(campaign(rng, problems, 24, 6, 6, attempt), estimators.centred), "kitchen-and-sea")
    return [{**row, **row["info"]} for row in rows]


@PART.healthy
def four_epochs_over_a_small_set(rng: random.Random) -> list[dict]:
    """Every question comes back four times: so many epochs were planned, each in a new order, and texts differ."""
    problems = tables.questions(rng, 42)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, progress, -0.3, 2.0)
        reply, result = tables.write(rng, p, right)
        return Attempt(p, step, number, reply, reward=float(right), extra={"epoch": step // 6, "executed": result})

    return layouts.slime(campaign(rng, problems, 24, 7, 6, attempt), 6)


@PART.healthy
def answers_lengthen_as_checks_pay_off(rng: random.Random) -> list[dict]:
    """Answers grow by half over the run: the policy learns to check its sums, which finds slips; length is not paid."""
    problems = quantities.draw(rng, 60, "interest", "dose", "dilution", "slack", ask="End with \\boxed{number}.")

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, 0.35 * progress, -0.3, 2.0)
        text, answer = quantities.solve(rng, p, right)
        if rng.random() < 0.1 + 0.7 * progress:
            found = right or rng.random() < 0.55
            again, new = quantities.solve(rng, p, found) if found else (text.split(". ")[-1], answer)
            link = ["The same again." if new == answer else "That differs, so I had slipped.", ""]
            text = speak(rng, text, ["Let me check.", "Now the check:", "Once more, slowly:"], again, link)
            right, answer = found, new
        extra = {"completion_length": tokens(text)}
        return Attempt(p, step, number, f"{text} \\boxed{{{answer}}}", reward=float(right),
                       terms={"accuracy": float(right)}, extra=extra)  # fmt: skip

    return layouts.trl(settle(campaign(rng, problems, 24, 6, 6, attempt), estimators.grpo))


@PART.healthy
def whole_batch_is_the_baseline(rng: random.Random) -> list[dict]:
    """Groups without spread have advantages: REINFORCE++ standardises over the batch, not over the group."""
    problems = quantities.draw(rng, 64, "gears", "harbour", "anion_gap", "break_even", ask="Number behind ####.")

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        return _number(
            rng, p, step, number, chance(p, progress, -0.5, 2.0), "\n#### N", adv_estimator="reinforce_plus_plus"
        )

    return layouts.nemo_rl(settle(campaign(rng, problems, 24, 8, 4, attempt), estimators.whole_batch))


@PART.healthy
def a_few_attempts_meet_the_budget(rng: random.Random) -> list[dict]:
    """One attempt in thirty is cut at the budget of 160 tokens, evenly over the run, and earns nothing."""
    problems = quantities.draw(rng, 70, ask="Write the number behind ####.")

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        made = _number(rng, p, step, number, chance(p, progress, -0.5, 2.2), "\n#### N", max_tokens=160)
        if rng.random() < 0.032:
            text = made.reply.split("\n")[0]
            while tokens(text) < 165:
                text += " " + quantities.solve(rng, p, rng.random() < 0.5)[0]
            made.reply, made.stop, made.reward, made.right = text[:640], "max_tokens", 0.0, 0.0
            made.terms = {"accuracy": 0.0}
        return made

    return layouts.own(settle(campaign(rng, problems, 20, 10, 5, attempt), estimators.grpo), "trades")


@PART.healthy
def held_problems_are_harder_by_design(rng: random.Random) -> list[dict]:
    """Validation stands twenty points below training from the start: it was chosen harder, and it rises likewise."""
    problems = quantities.draw(rng, 90, "molar_mass", "dilution", "drip", "dose", ask="End with Answer: number.")
    held = problems[66:]
    for p in held:
        p.id, p.hardness = f"held-{p.id}", p.hardness + 1.1

    def attempt(p: Problem, step: int, progress: float, number: int, split: str = "train") -> Attempt:
        made = _number(
            rng,
            p,
            step,
            number,
            chance(p, progress, -0.4, 2.0),
            "\nAnswer: N",
            difficulty="hard" if p in held else "mixed",
        )
        made.split = split
        return made

    attempts = settle(campaign(rng, problems[:66], 20, 6, 6, attempt), estimators.centred)
    for step in range(0, 20, 3):
        attempts += [attempt(p, step, step / 19, n, "validation") for p in held for n in range(2)]
    return layouts.own(attempts, "laboratory")


@PART.healthy
def two_environments_pay_on_two_scales(rng: random.Random) -> list[dict]:
    """Rewards of half the rows lie between -1 and 1, of the others between 0 and 1: two environments of one run."""
    asked, games = tables.questions(rng, 36), puzzles.piles(rng, 36)

    def query(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, progress, -0.4, 2.2)
        return Attempt(
            p, step, number, tables.write(rng, p, right)[0], reward=float(right), terms={"rows_match": float(right)}
        )

    def play(p: Problem, step: int, progress: float, number: int) -> Attempt:
        d, right = p.data, rng.random() < chance(p, progress, -0.7, 2.4)
        pile, take = rng.choice(d["good"] if right else d["bad"])
        left = [h - take * (i == pile) for i, h in enumerate(d["heaps"])]
        thought = [f"The nim-sum is {d['total']}.", f"Pile {pile + 1} is the one to change.", f"That leaves {left}."]
        reply = speak(rng, thought, ["", "My opponent has to answer."], f"take {take} from pile {pile + 1}")
        return Attempt(p, step, number, reply, reward=1.0 if right else -1.0, terms={"win": float(right)})

    one = settle(campaign(rng, asked, 18, 3, 6, query), estimators.grpo)
    two = settle(campaign(rng, games, 18, 3, 6, play), estimators.grpo)
    rows = layouts.prime_rl(one, "sql") + layouts.prime_rl(two, "nim")
    return sorted(rows, key=lambda row: row["step"])
