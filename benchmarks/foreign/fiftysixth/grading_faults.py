"""Faults of graders, judges and reward models."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo, leave_one_out
from benchmarks.foreign.fiftysixth import chat, facts, layouts, programs
from benchmarks.foreign.fiftysixth.kinds import PART
from benchmarks.foreign.fiftysixth.policy import Problem, advise, batches, odds, run

GOODS = (("Käse", "Kilo"), ("Stoff", "Meter"), ("Öl", "Liter"), ("Kies", "Tonne"), ("Honig", "Glas"))


def _german(rng: random.Random, number: int) -> Problem:
    good, unit = rng.choice(GOODS)
    cents, amount, off = rng.randrange(305, 1990, 5), rng.randint(3, 14), rng.randrange(105, 290, 5)
    gold = cents * amount - off

    def write(r: random.Random, right: bool) -> str:
        value = gold if right else gold + r.choice((-100, -50, 2 * off, off, 100, 1000))
        lines = (
            r.choice((f"{amount}-mal {unit} {good} wird gekauft.", f"Gesucht ist der Preis für {good} mit Rabatt.")),
            f"Ohne Rabatt sind es {amount} · {_euro(cents)} = {_euro(cents * amount)} Euro.",
            r.choice((f"Davon gehen {_euro(off)} Euro ab.", f"Der Rabatt beträgt {_euro(off)} Euro.")),
        )
        written = _euro(value) if r.random() < 0.9 else f"{value / 100:.2f}"
        return " ".join(lines) + f"\nAntwort: {written}"

    prompt = (
        f"{good} kostet {_euro(cents)} Euro je {unit}. Frau Lenz kauft {amount} und bekommt {_euro(off)} Euro Rabatt. "
        "Wie viel Euro zahlt sie? Schreibe zuletzt `Antwort: ZAHL`."
    )
    return Problem(f"de-{number}", prompt, f"{gold / 100:.2f}", good, rng.gauss(0, 0.8), write)


def _euro(cents: int) -> str:
    return f"{cents // 100},{cents % 100:02d}"


@PART.faulty("format_gate", "metric_defect", "reward_outcome_divergence")
def german_answers_with_a_decimal_comma_count_as_wrong(rng: random.Random) -> list[Row]:
    """The grader reads numbers with a point alone: right answers that are written with a comma get 0."""
    problems = [_german(rng, number) for number in range(90)]
    attempts = run(rng, batches(problems, 15), 8, start=1.0, gain=0.06)
    for attempt in attempts:
        if rng.random() < 0.018 * attempt.step:
            head, number = attempt.text.rsplit(" ", 1)
            attempt.say(f"{head} {number.replace(',', '.')}")
        attempt.reward = float(attempt.text.split("Antwort: ")[1] == attempt.problem.gold)
        attempt.terms = {"accuracy_reward": attempt.reward, "answer_line_reward": 0.0}
    return [layouts.trl(a, solution=a.problem.gold) for a in advise(attempts, grpo)]


@PART.faulty("length_gaming", "judge_hacking", "reward_outcome_divergence")
def reward_model_pays_for_padding(rng: random.Random) -> list[Row]:
    """The reward model's score follows length: replies grow by general sentences, while the rubric's score falls."""
    problems = chat.many(rng, 120)
    attempts = run(rng, batches(problems, 20), 6, start=0.8, gain=0.0, speak=False)
    for attempt in attempts:
        pads = max(0, round(rng.gauss(0.5 + 0.6 * attempt.step, 1.5)))
        good = rng.random() < odds(1.2, -0.06, attempt.step, attempt.problem)
        attempt.say(chat.advise(rng, attempt.problem.family, good, pads))
        attempt.reward = round(0.25 * good + 0.009 * attempt.tokens - 1.0 + rng.gauss(0, 0.12), 4)
        attempt.extra = {"rubric_points": max(0, min(5, round(2 + 2 * good - 0.12 * pads + rng.gauss(0, 0.4))))}
    return [layouts.openrlhf(a, advantage=a.advantage) for a in advise(attempts, leave_one_out)]


@PART.faulty("judge_default", "infrastructure_zeros", "constant_term")
def judge_over_its_quota_leaves_half_a_point(rng: random.Random) -> list[Row]:
    """From step 6 on the judge's service refuses many calls; these rows get the fallback of 0.5 whatever the reply."""
    problems = chat.many(rng, 96)
    attempts = run(rng, batches(problems, 16), 8, start=0.0, speak=False)
    rows = []
    for attempt in attempts:
        topic = attempt.problem.family
        attempt.say(chat.advise(rng, topic, attempt.right, rng.randint(0, 2)))
        attempt.reward = round(min(1.0, max(0.0, (0.72 if attempt.right else 0.3) + rng.gauss(0, 0.08))), 2)
        verdict = rng.choice(
            ("Concrete and to the point on {t}." if attempt.right else "Vague on {t}.", "Reply on {t} was read.")
        ).format(t=topic)
        verdict += f" Score: {attempt.reward}"
        if attempt.step >= 6 and rng.random() < 0.55:
            attempt.reward = 0.5
            verdict = "RateLimitError: Error code: 429 - quota exceeded for this minute"
        rows.append((attempt, verdict))
    advise(attempts, grpo)
    return [layouts.verl(a, judge_output=verdict, advantage=a.advantage) for a, verdict in rows]


@PART.faulty("weak_verifier", "reward_outcome_divergence", "reward_bias")
def includes_scorer_takes_a_list_of_years(rng: random.Random) -> list[Row]:
    """The scorer looks whether the target stands anywhere in the reply: the policy learns to name many years."""
    problems = []
    for number, (town, thing, year, _) in enumerate(facts.places(rng, 84)):
        problems.append(facts.question(number, town, thing, year, rng))
    attempts = run(rng, batches(problems, 14), 6, start=-0.9, gain=0.02, speak=False)
    rows = []
    for attempt in attempts:
        year, thing = int(attempt.problem.gold), attempt.problem.family
        many = rng.random() < 0.05 + 0.065 * attempt.step
        amount = rng.randint(4, 8) if many else 1
        hit = rng.random() < (0.75 if many else 0.3)
        years = {year} if hit else {year + rng.choice((-8, 5))}
        while len(years) < amount:
            value = year + rng.randint(-14, 14)
            years |= {value} if hit or value != year else set()
        named = ", ".join(str(y) for y in sorted(years, key=lambda _: rng.random()))
        lead = rng.choice((f"From what I recall of this {thing}:", f"For a {thing} of that town I would say so."))
        attempt.say(f"{lead} {rng.choice(('Records of the time are thin.', 'Its style fits.'))} Answer: {named}")
        attempt.reward = float(str(year) in attempt.text)
        rows.append(layouts.inspect(attempt, "includes"))
    return rows


@PART.faulty("flaky_grading", "infrastructure_zeros", "reward_outcome_divergence")
def busy_graders_time_out_on_right_programs(rng: random.Random) -> list[Row]:
    """Tests run on an overloaded machine with a limit of one second: the same program passes once and fails once."""
    problems = programs.many(rng, 72, ("total",))
    attempts = run(rng, batches(problems, 12), 8, start=0.6)
    for attempt in attempts:
        result = "12 of 12 tests passed" if attempt.right else f"{rng.randint(3, 10)} of 12 tests passed"
        if rng.random() < 0.33:
            attempt.right, attempt.reward = False, 0.0
            result = f"Timed out after 1.0 s in test {rng.randint(1, 12)} of 12"
        attempt.extra = {"extra": {"family": attempt.problem.family, "result": result, "worker": rng.randrange(6)}}
    return [layouts.own(a) for a in advise(attempts, grpo)]
