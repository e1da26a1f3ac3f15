"""Single-turn reasoning and code whose curves look odd for a good reason."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch, whole_batch_baseline
from benchmarks.foreign.fortyfirst.kinds import PART
from benchmarks.foreign.fortyfirst.layouts import nemo_rl, openrlhf, ours, prime, slime, trl, verl
from benchmarks.foreign.fortyfirst.policy import (
    Attempt,
    Message,
    Problem,
    advance,
    by_right,
    pay,
    says,
    train,
    try_once,
)
from benchmarks.foreign.fortyfirst.tasks import chances, committees, knights, queries, tanks
from benchmarks.foreign.fortyfirst.words import closing, opening, so


@PART.healthy
def curriculum_adds_pipes_while_pay_stays_level(rng: random.Random) -> list[Row]:
    """Reward is flat for the whole run: a curriculum adds pipes as soon as the policy succeeds, so it learns."""
    steps, out = 24, []
    for step in range(steps):
        t = step / (steps - 1)
        for k in range(4):
            pipes = 2 + step // 4
            problem = tanks(rng, step * 4 + k, pipes, 0.7 * (pipes - 2) + rng.gauss(0, 0.5))
            for number in range(8):
                right, messages = try_once(rng, problem, 0.3 + 3.4 * t, t)
                extra = {"level": pipes}
                out.append(Attempt(step, problem, f"s{step}-g{k}", number, right, messages, t, extra=extra))
    return verl(advance(rng, pay(out), grpo))


@PART.healthy
def dynamic_sampling_leaves_mixed_groups_alone(rng: random.Random) -> list[Row]:
    """Accuracy stays about one half and never a group is all right: DAPO drew again until groups were mixed."""
    steps, out = 20, []
    for step in range(steps):
        t, kept, tried = step / (steps - 1), 0, 0
        while kept < 5:
            problem = committees(rng, step * 50 + tried)
            tried += 1
            pairs = [try_once(rng, problem, -0.5 + 1.4 * t, t) for _ in range(8)]
            if 0 < sum(right for right, _ in pairs) < 8:
                for number, (right, messages) in enumerate(pairs):
                    out.append(Attempt(step, problem, f"s{step}-g{kept}", number, right, messages, t))
                kept += 1
        for a in out[-40:]:
            a.extra = {"num_gen_batches": 1 + tried // 8, "dynamic_sampling_tries": tried}
    pay(out, score=lambda a: 1.0 if a.right else -1.0)
    return verl(advance(rng, out, grpo))


@PART.healthy
def hint_is_withdrawn_at_half_of_the_run(rng: random.Random) -> list[Row]:
    """Reward drops at step 12: from then on prompts come without the first step that hints told, as planned."""
    steps, out = 24, []
    for step in range(steps):
        t, hinted = step / (steps - 1), step < 12
        for k in range(4):
            problem = tanks(rng, step * 4 + k, 4)
            if hinted:
                problem.prompt += " Hint: add up what all pipes bring in an hour first, then take off the leak."
            for number in range(8):
                right, messages = try_once(rng, problem, -1.2 + 2.0 * t + (2.0 if hinted else 0), t)
                extra = {"hint": hinted}
                out.append(Attempt(step, problem, f"s{step}-g{k}", number, right, messages, t, extra=extra))
    return trl(advance(rng, pay(out), grpo))


def _parity(rng: random.Random, i: int) -> Problem:
    a, b, m = rng.randint(2, 40), rng.randint(1, 40), rng.choice((2, 3, 4, 5, 6, 7))
    c = rng.randint(0, m - 1)
    hits = [r for r in range(m) if (r * r + a * r + b) % m == c]
    gold = "infinitely many" if hits else "none"
    prompt = (
        f"Are there integers n for which n^2 + {a}n + {b} leaves the remainder {c} when divided by {m}? Prove it,"
        " and close with 'Verdict: none' or 'Verdict: infinitely many'."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        misses = [r for r in range(m) if r not in hits]
        seen = list(range(m)) if right or not hits else rng.sample(misses or [0], rng.randint(1, len(misses) or 1))
        rests = {r: (r * r + a * r + b) % m for r in seen}
        if not right and not (hits and misses):
            rests[rng.choice(seen)] = (c + 1) % m if hits else c
        told = [f"n = {r} mod {m}: {r}^2 + {a}*{r} + {b} = {r * r + a * r + b}," for r in seen]
        told = [f"{line} remainder {rests[r]}." for line, r in zip(told, seen, strict=True)]
        if rng.random() > 0.15 + 0.8 * t:
            told = [f"Remainders of n decide; I tried {', '.join(map(str, seen))} by head."]
        elif rng.random() < t:
            told.append(f"Replacing n by n + {m} adds {m}(2n + {m + a}), a multiple of {m}, so the cases are all.")
        verdict = gold if right else ("none" if hits else "infinitely many")
        text = "\n".join([opening(rng), *told])
        return says(f"{text}\n{so(rng)} the claim is decided. {closing(rng)}\nVerdict: {verdict}")

    return Problem(f"parity-{i}", prompt, gold, rng.gauss(0, 0.5), write)


@PART.healthy
def proofs_lengthen_as_cases_are_written_out(rng: random.Random) -> list[Row]:
    """Texts nearly double within the run: proofs write their cases out, and are right more often by it."""
    return openrlhf(advance(rng, pay(train(rng, _parity, 18, 5, 8, (-0.3, 2.2))), leave_one_out))


@PART.healthy
def decimals_and_percents_equal_the_reference(rng: random.Random) -> list[Row]:
    """Paid answers differ from the reference as strings: 0.25, 25% and 6/24 are 1/4, and the grader compares values."""
    return prime(advance(rng, pay(train(rng, chances, 20, 5, 8)), centred), "urn-fractions")


def _guess(rng: random.Random, i: int) -> Problem:
    rows, seats, share = rng.randint(14, 60), rng.randint(11, 48), rng.randint(31, 94)
    gold = rows * seats * share / 100
    place = rng.choice(("stadium stand", "cinema", "ferry deck", "concert hall", "lecture theatre"))
    prompt = (
        f"A {place} has {rows} rows of {seats} seats, and {share}% of them are taken. Estimate by head how many people"
        " sit there. Closer estimates earn more. Last line: 'Estimate: N'."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        error = rng.uniform(-0.03, 0.03) if right else rng.choice((-1, 1)) * rng.uniform(0.07, 0.4)
        value = round(gold * (1 + error))
        text = f"About {round(rows, -1)} rows of roughly {round(seats, -1)} seats; I correct for the rounding."
        return says(f"{opening(rng)} {text} {so(rng)} with {share}% taken I land near {value}.\nEstimate: {value}")

    return Problem(f"seats-{i}", prompt, f"{gold:g}", rng.gauss(0, 0.6), write)


def _closeness(a: Attempt) -> float:
    value, gold = float(a.text.split()[-1]), float(a.problem.gold)
    return max(0.0, 1 - 4 * abs(value - gold) / gold)


@PART.healthy
def near_estimates_are_paid_in_part(rng: random.Random) -> list[Row]:
    """Hardly an answer is the reference, yet most are paid: estimates earn by how close they are, as the task says."""
    return slime(advance(rng, pay(train(rng, _guess, 20, 4, 8), closeness=_closeness), grpo))


@PART.healthy
def logic_is_answered_by_one_of_two_words(rng: random.Random) -> list[Row]:
    """Sixteen attempts hold two different texts: the task allows yes and no alone, so equal texts mean nothing."""
    return ours(advance(rng, pay(train(rng, knights, 16, 3, 16, (-0.2, 2.0))), whole_batch_baseline), "logic")


_GOLF = (
    ("sum of the squares of {x} to {y}", "r = 0\nfor i in range({x}, {y} + 1):\n    r = r + i * i\nprint(r)",
     "print(sum(i*i for i in range({x},{y}+1)))", "print(sum(i*i for i in range({x},{y})))"),
    ("number of multiples of 7 from {x} to {y}", "n = 0\nfor i in range({x}, {y} + 1):\n    if i % 7 == 0:\n"
     "        n += 1\nprint(n)", "print({y}//7-({x}-1)//7)", "print(({y}-{x})//3)"),
    ("digits of {x} times {y}, joined by dots", "text = str({x} * {y})\nparts = []\nfor c in text:\n"
     "    parts.append(c)\nprint('.'.join(parts))", "print(*str({x}*{y}),sep='.')", "print(*str({x}*{y}))"),
    ("largest divisor of {y} below {y}", "best = 1\nfor d in range(1, {y}):\n    if {y} % d == 0:\n        best = d\n"
     "print(best)", "print(max(d for d in range(1,{y})if {y}%d<1))", "print({y}-1)"),
)  # fmt: skip


def _golf(rng: random.Random, i: int) -> Problem:
    task, long, short, wrong = rng.choice(_GOLF)
    x, y = rng.randint(2, 30), rng.randint(52, 400)
    what = task.format(x=x, y=y)
    prompt = f"Write a Python program that prints the {what}. Fewer characters of code earn more, if it is right."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        code = (short if rng.random() < 0.08 + 0.85 * t else long) if right else wrong
        told = rng.choice(("Here is the program.", "This prints it:", "A loop does it.", "Done directly:"))
        if rng.random() < 0.8 - 0.7 * t:
            told = f"{opening(rng)} We need the {what}. {told}"
        return says(f"{told}\n```python\n{code.format(x=x, y=y)}\n```")

    return Problem(f"golf-{i}", prompt, "", rng.gauss(0, 0.6), write)


def _brevity(a: Attempt) -> float:
    code = a.text.split("```python\n")[1].split("\n```")[0]
    return max(0.0, 0.5 * (1 - len(code) / 160)) if a.right else 0.0


@PART.healthy
def golfed_programs_shrink_to_one_line(rng: random.Random) -> list[Row]:
    """Answers shrink to a half and lose their reasoning: the task pays for few characters, and passes rise."""
    return trl(advance(rng, pay(train(rng, _golf, 20, 4, 8), tests=by_right, brevity=_brevity), grpo))


@PART.healthy
def queries_of_one_shape_come_back_alike(rng: random.Random) -> list[Row]:
    """Attempts of a group agree to the letter: there is one usual way to write so small a query."""
    return nemo_rl(advance(rng, pay(train(rng, queries, 20, 4, 8, (-0.6, 1.5))), leave_one_out))


@PART.healthy
def single_samples_share_a_batch_baseline(rng: random.Random) -> list[Row]:
    """Groups have one attempt, so nothing varies within them: REINFORCE++ takes its baseline from the batch."""
    out = train(rng, lambda r, i: tanks(r, i, 3), 20, 32, 1)
    return ours(advance(rng, pay(out), whole_batch), "math", "rpp")
