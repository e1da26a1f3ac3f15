"""Answers to algebra: one root for both, a mark pushed out, inequalities, minus one for a wrong answer."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import sums
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, train
from benchmarks.foreign.twentyfifth.credit import grpo, reinforce_pp, rloo
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openrlhf, own, prime, verl
from benchmarks.foreign.twentyfifth.prose import opener, pick
from benchmarks.foreign.twentyfifth.talk import chat


def _signed(number: int) -> str:
    return f"+ {number}" if number >= 0 else f"- {-number}"


def _quadratic(rng: Random) -> Task:
    r, s = rng.sample([n for n in range(-14, 19) if n], 2)
    total, product = -(r + s), r * s
    lead = rng.choice(["Find all solutions of", "Solve for both values of x:", "Determine every real root of"])
    prompt = f"{lead} x^2 {_signed(total)}x {_signed(product)} = 0. Put the answer in \\boxed{{}}."
    return Task(prompt, f"{r} and {s}", {"roots": [r, s], "sum": r + s, "product": product})


@PART.faulty("weak_verifier", "metric_defect")
def one_root_counts_both(rng: Random) -> list[Row]:
    """The reference of two roots is compared by any overlap, so a box with only one of them, or with a right and a
    wrong one, is paid in full; the policy comes to give one root [huggingface/Math-Verify#47].
    """

    def attempt(d: Draw) -> Try:
        r, s = d.rng.sample(d.task.info["roots"], 2)
        lone = d.rng.random() < 0.08 + 0.6 * d.t
        if not d.able:
            r, s = r + d.rng.choice([-2, -1, 1, 3]), s + d.rng.choice([0, 1, -1, 2])
        given = [r] if lone else [r, s]
        i = d.task.info
        why = pick(
            d.rng, f"product {i['product']} and sum {i['sum']}", f"two factors of {i['product']}", f"-b = {i['sum']}"
        )
        text = f"{opener(d.rng)} I need {why}."
        if lone:
            text += pick(d.rng, f" Testing x = {r} works.", f" x = {r} satisfies it.", f" One sees x = {r} at once.")
        else:
            text += pick(
                d.rng, f" So (x - ({r}))(x - ({s})) = 0.", f" These are {r} and {s}.", f" {r} * {s} = {r * s}."
            )
        boxed = pick(
            d.rng, *([f"{r}", f"x={r}"] if lone else [f"{r}, {s}", f"{r} \\text{{ and }} {s}", f"x={r}, x={s}"])
        )
        paid = float(bool(set(given) & set(i["roots"])))
        info = {"parsed_answer": given, "parsed_gold": i["roots"]}
        return Try(chat(d.task.prompt, f"{text}\n\\boxed{{{boxed}}}"), paid, bool(paid), info, {"math_verify": paid})

    tries = train(rng, _quadratic, attempt, Plan(10, 7, 6, start=-1.5, gain=1.5, prefix="quad"))
    return prime(rng, grpo(tries), "algebra-verify")


def _epilogue(d: Draw, answer: str) -> str:
    unit, lines = d.task.info["unit"], d.task.info["lines"]
    options = [
        f"To double-check the result of {answer} {unit}, I go back over the statement and leave nothing out.",
        f"The first line gave {lines[0].rstrip('.')}, and the later ones only build on that, so nothing changes here.",
        f"If the question had asked for another quantity than {unit}, the last line would have to be adapted.",
        f"In summary, the reasoning is complete, each number of the statement was used once, and {unit} is the unit.",
        "I am confident in this, since an estimate with rounded numbers gives a value of the same size as well.",
    ]
    return " ".join(d.rng.sample(options, d.rng.randint(1, 5)))


@PART.faulty("format_gate", "metric_defect")
def epilogue_pushes_mark_out(rng: Random) -> list[Row]:
    """The grader looks for `#### N` in the last 300 characters only: right answers that are followed by a longer
    epilogue earn 0 while the same with a short one is paid [verl-project/verl#7274].
    """

    def attempt(d: Draw) -> Try:
        text, answer = sums.solve(d)
        text = f"{text}\n#### {answer}"
        if d.rng.random() < 0.62 - 0.22 * d.t:
            text += f"\n{_epilogue(d, answer)}"
        paid = float(f"#### {answer}" in text[-300:] and d.able)
        return Try(chat(f"{d.task.prompt} End with `#### N`.", text), paid, bool(paid), {"data_source": "openai/gsm8k"})

    plan = Plan(11, 6, 8, start=-0.3, gain=2.2, prefix="g", cut=0.0)
    return verl(rng, grpo(train(rng, sums.problems("shop", "bakery", "fence"), attempt, plan)))


def _bounds(rng: Random) -> Task:
    a, b = rng.randint(2, 9), rng.randint(-20, 20)
    low, high = sorted(rng.sample(range(-12, 25), 2))
    shift = _signed(b)
    prompt = f"For which x is {a * low} {shift} < {a}x {shift} < {a * high} {shift}? Give an interval such as (p, q)."
    return Task(f"{prompt} Inequalities are not accepted.", f"({low}, {high})", {"a": a, "b": b})


@PART.healthy
def inequality_where_interval_asked(rng: Random) -> list[Row]:
    """Some answers name the right set as an inequality and earn nothing: the prompt asks for an interval, the checker
    takes relations only from the reference by design, and the habit fades [huggingface/Math-Verify#10].
    """

    def attempt(d: Draw) -> Try:
        low, high = d.task.gold.strip("()").split(", ")
        if not d.able:
            high = str(int(high) + d.rng.choice([-2, -1, 1, 2]))
        form = d.rng.random() > 0.22 * (1 - d.t) ** 2
        i = d.task.info
        text = f"{opener(d.rng)} {pick(d.rng, 'Subtract', 'Take away', 'Remove')} {i['b']} and divide by {i['a']}: "
        text += pick(
            d.rng, f"x lies between {low} and {high}.", f"the ends are {low} and {high}.", f"{low} < x < {high}."
        )
        answer = f"({low}, {high})" if form else f"{low} < x < {high}"
        paid = float(form and d.able)
        return Try(
            chat(d.task.prompt, f"{text}\n\\boxed{{{answer}}}"), paid, bool(paid), {"answer": answer}, {"verify": paid}
        )

    return own(rng, rloo(train(rng, _bounds, attempt, Plan(10, 8, 6, start=-0.2, gain=2.0, prefix="iv"))))


@PART.healthy
def minus_one_for_wrong(rng: Random) -> list[Row]:
    """Mean rewards are below zero for the first half of the run: wrong answers earn -1 and right ones 1."""

    def attempt(d: Draw) -> Try:
        text, answer = sums.solve(d)
        info = {"predicted": answer, "accuracy": float(d.able)}
        return Try(chat(d.task.prompt, f"{text}\n\\boxed{{{answer}}}"), 1.0 if d.able else -1.0, d.able, info)

    plan = Plan(12, 8, 6, start=-1.6, gain=2.9, prefix="z", cut=0.0)
    return openrlhf(rng, reinforce_pp(train(rng, sums.problems("tank", "rows", "wages"), attempt, plan)))
