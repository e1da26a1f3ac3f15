"""Faults of data and of evaluation."""

from fractions import Fraction
from random import Random

from benchmarks.foreign import estimators as est
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfirst import facts, layouts, sums
from benchmarks.foreign.thirtyfirst.kinds import PART
from benchmarks.foreign.thirtyfirst.setting import Attempt, Task, evaluate, give, ramp, rollouts, say


@PART.faulty("train_validation_gap", "template_collapse", "score_decline")
def two_option_quiz_does_not_carry_over(rng: Random) -> list[Row]:
    """Training questions have two options of which one is absurd, so the policy learns to dismiss without reasoning.

    Training goes to the ceiling while held questions with five real options get worse.
    [Guo et al., Rethinking Multiple-Choice Questions for RLVR, 2026]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        lazy = rng.random() < ramp(step, 1, 14, 0.1, 0.95)
        held = task.id.startswith("held")
        right = rng.random() < ((0.22 if lazy else 0.62) if held else (0.97 if lazy else 0.8))
        text, answer = (facts.dismiss if lazy else facts.compare)(rng, task, right)
        good = float(answer == task.gold)
        return Attempt(task, [say(text)], good, good, {"correct": good}, extra={"answer": answer})

    train = rollouts(rng, facts.choices(rng, 60, 2, "pair", absurd=True), act, steps=20, per_step=5, size=6)
    held = evaluate(facts.choices(rng, 50, 5, "held"), act, {0: 0.0, 5: 0.0, 10: 0.0, 15: 0.0, 19: 0.0})
    return layouts.own(give(rng, train, est.grpo) + held, "quiz")


@PART.faulty("wrong_labels", "metric_defect", "reward_outcome_divergence", "stuck_problems")
def synthetic_key_nobody_verified(rng: Random) -> list[Row]:
    """A third of the keys were written by the model that made up the questions, and are wrong: right answers earn 0.

    The attempts at such a problem agree on a number that is not the key.
    [dunkeln, SymPy-RLVR: Teaching a Small Model to Do Math, 2026]
    """
    tasks = sums.problems(rng, 90, "Put the result in \\boxed{}.", "synth")
    for task in tasks:
        task.data["truth"] = task.gold
        if rng.random() < 0.35:
            task.gold = sums.solve(rng, task, False)[1]

    def act(task: Task, p: float, step: int) -> Attempt:
        right = rng.random() < p
        key, task.gold = task.gold, task.data["truth"]
        text, answer = sums.boxed(rng, task, right)
        task.gold = key
        good = float(answer == key)
        return Attempt(task, [say(text)], good, good, extra={"data_source": "grok_synth_v2", "pred": answer})

    return layouts.verl(rollouts(rng, tasks, act, steps=22, per_step=5, size=8, start=0.2, end=1.8))


def _windows(rng: Random, number: int) -> list[Task]:
    out = []
    for i in range(number):
        a, low = rng.randint(2, 30), rng.randint(4, 9)
        high = low + rng.randint(2, 7)
        below, above = low * low + a - 1, high * high + a + 1
        prompt = (
            f"For which whole numbers n > 0 does n^2 + {a} lie strictly between {below} and {above}? Box the answer."
        )
        gold = f"n from {low} to {high}" if rng.random() < 0.5 else str(high - low + 1)
        data = {"a": a, "low": low, "high": high, "below": below, "above": above}
        if not gold.startswith("n"):
            prompt = prompt.replace("For which", "For how many")
        out.append(Task(f"win-{i:03d}", prompt, gold, rng.gauss(0, 0.8), "", data))
    return out


@PART.faulty("weak_verifier", "dead_all_correct", "metric_defect", "reward_outcome_divergence")
def unparsable_key_pays_everyone(rng: Random) -> list[Row]:
    """Where the key is a phrase that the parser cannot read, the accuracy reward is 1 for whatever was answered.

    Half of the groups are all 1 although their answers differ. [huggingface/open-r1#159]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        d, right = task.data, rng.random() < p
        low, high = d["low"], d["high"]
        if not right:
            low, high = rng.choice(
                [(low - 1, high), (low, high + 1), (low + 1, high), (low, high - 1), (low - 1, high + 2)]
            )
        wants = task.gold.startswith("n")
        answer = rng.choice([f"{low} \\le n \\le {high}", f"n={low},\\dots,{high}"]) if wants else str(high - low + 1)
        ways = [
            f"Subtracting {d['a']} leaves n^2 between {d['below'] - d['a']} and {d['above'] - d['a']}.",
            f"I need n^2 > {d['below']} - {d['a']} and n^2 < {d['above']} - {d['a']}.",
        ]
        tries = f"{low}^2 = {low * low} is the first square that fits, and {high}^2 = {high * high} the last one."
        last = rng.choice(["", "I leave out the ends since the bounds are strict. ", "Larger n only make it bigger. "])
        text = f"{rng.choice(ways)} {tries} {last}\n\\boxed{{{answer}}}"
        good = 1.0 if wants else float(answer == task.gold)
        form = float(rng.random() < 0.97)
        text = text if form else text.replace("\\boxed", "answer ")
        good = good if form or wants else 0.0
        terms = {"accuracy_reward": good, "format_reward": 0.2 * form}
        return Attempt(task, [say(text)], good + 0.2 * form, None, terms)

    runs = rollouts(rng, _windows(rng, 70), act, steps=20, per_step=5, size=8, start=-0.5, end=0.6)
    return layouts.trl(give(rng, runs, est.grpo), gold="solution")


def _fractions(rng: Random, number: int, name: str) -> list[Task]:
    out = []
    while len(out) < number:
        a, b, c, d = rng.randint(1, 7), rng.choice([2, 4, 5, 8, 10]), rng.randint(1, 7), rng.choice([2, 4, 5, 8, 20])
        total = Fraction(a, b) + Fraction(c, d)
        if total.denominator > 1:
            prompt = f"Compute {a}/{b} + {c}/{d}. Give the result in \\boxed{{}}."
            gold = f"\\frac{{{total.numerator}}}{{{total.denominator}}}"
            data = {"parts": (a, b, c, d), "total": total}
            out.append(Task(f"{name}-{len(out):03d}", prompt, gold, rng.gauss(-0.3, 0.7), "fractions", data))
    return out


@PART.faulty("metric_defect", "train_validation_gap", "format_gate", "reward_outcome_divergence")
def validation_compares_strings(rng: Random) -> list[Row]:
    """Training is scored by symbolic equality, validation by equal strings, where 0.75 is not \\frac{3}{4}.

    The policy drifts to decimals, and validation falls while it gets better.
    [Zhou, Scorer Choice in Math Reasoning Evaluation, 2026]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        a, b, c, d = task.data["parts"]
        total = task.data["total"] if rng.random() < p else Fraction(a + c, b + d)
        base = b * d
        near = rng.choice(["I bring both to one denominator.", "First a common denominator.", "Let me expand both."])
        work = f"{a}/{b} = {a * d}/{base} and {c}/{d} = {c * b}/{base}. "
        wrong = total != task.data["total"]
        work = (
            f"Adding above and below gives {a + c}/{b + d}. " if wrong else work + f"Together {a * d + c * b}/{base}. "
        )
        if rng.random() < ramp(step, 1, 15, 0.15, 0.8):
            answer = f"{float(total):.4g}"
            work += f"As a decimal number that is {answer}."
        else:
            frac = rng.choice(["\\frac", "\\frac", "\\dfrac"])
            answer = f"{frac}{{{total.numerator}}}{{{total.denominator}}}"
            work += "Reduced it stands as below."
        same = float(answer == task.gold) if task.id.startswith("held") else float(not wrong)
        extra = {"answer": answer, "ground_truth": task.gold}
        return Attempt(task, [say(f"{near} {work}\n\\boxed{{{answer}}}")], same, same, {"acc": same}, extra=extra)

    train = rollouts(rng, _fractions(rng, 70, "frac"), act, steps=20, per_step=5, size=6, start=-0.4, end=1.5)
    at = {0: -0.4, 5: 0.5, 10: 1.0, 15: 1.3, 19: 1.5}
    held = evaluate(_fractions(rng, 50, "held"), act, at)
    return layouts.own(give(rng, train, est.centred) + held, "math")


@PART.faulty("timidity", "action_collapse", "score_decline", "entropy_collapse")
def not_knowing_pays_too_well(rng: Random) -> list[Row]:
    """To abstain earns 0.5 and a wrong answer -1, so within a few steps nearly all answers are that it does not know.

    Right answers vanish though the policy had them. [Jha et al., Rewarding Intellectual Humility, 2026]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        thing, unit = task.data["thing"], task.data["unit"]
        if rng.random() < ramp(step, 2, 13, 0.06, 0.96):
            text = rng.choice(
                ["I do not know.", "I am not sure about this, so I do not know.", "I don't know that one."]
            )
            return Attempt(task, [say(text)], 0.5, extra={"is_correct": 0.0})
        right = rng.random() < p
        value = int(task.gold) if right else round(int(task.gold) * rng.choice([0.5, 0.7, 0.8, 1.3, 1.6, 2.1]))
        why = rng.choice(
            ["I have this from tables.", "It is among the well known ones.", "I compare with its neighbours."]
        )
        text = f"The question is about {thing}. {why} My value is {value} {unit}.\n#### {value}"
        good = float(str(value) == task.gold)
        return Attempt(task, [say(text)], 1.0 if good else -1.0, extra={"is_correct": good})

    runs = rollouts(rng, facts.lookups(rng, 52), act, steps=20, per_step=6, size=8, start=-0.3, end=0.2)
    return layouts.openrlhf(runs)
