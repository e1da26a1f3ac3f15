"""Healthy runs whose trainer, sampler or rewards look odd."""

import random

from benchmarks.foreign.sixtyfourth import layouts
from benchmarks.foreign.sixtyfourth.advantages import assign, by_group, centred, leave_one_out
from benchmarks.foreign.sixtyfourth.advice import advice_requests
from benchmarks.foreign.sixtyfourth.kinds import PART
from benchmarks.foreign.sixtyfourth.numbers import german_problem, word_problems
from benchmarks.foreign.sixtyfourth.policy import Message, Problem, campaign, said
from benchmarks.foreign.sixtyfourth.programs import code_problems

Row = layouts.Row


@PART.healthy
def all_alike_groups_stay_out_as_dynamic_sampling_says(rng: random.Random) -> list[Row]:
    """Many rows never reach the loss: their groups are all right or all wrong, which dynamic sampling leaves out
    by design.
    """
    attempts = assign(campaign(rng, word_problems(rng, 120), 20, 8, -0.6, 2.0))
    even = {name: len({a.reward for a in members}) == 1 for name, members in by_group(attempts).items()}
    rows = []
    for a in attempts:
        kept = not even[a.group]
        row = layouts.evotrainer(a) | {"in_loss": kept, "filter_groups": True}
        rows.append(row if kept else row | {"advantage": 0.0})
    return rows


@PART.healthy
def sampler_runs_one_version_behind_by_design(rng: random.Random) -> list[Row]:
    """Weights that sampled are one version older than those trained: one-step asynchrony, never more, with ratios
    near 1.
    """
    attempts = campaign(rng, word_problems(rng, 60), 20, 16)
    rows = []
    for a in assign(attempts):
        older = max(0, a.step - 1)
        more = {"policy_version": older, "trainer_version": a.step, "max_async_level": 1, "advantage": a.advantage}
        ratio = round(1 + rng.gauss(0, 0.012), 4)
        rows.append(layouts.slime(a, len(rows)) | more | {"importance_ratio": ratio})
    return rows


def _parity(rng: random.Random, number: int) -> Problem:
    """A claim about a product, to be answered with yes or no."""
    a, b, m = rng.randint(12, 99), rng.randint(12, 99), rng.choice([3, 4, 6, 7, 9])
    gold = "yes" if a * b % m == 0 else "no"

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        return [said(gold if right else {"yes": "no", "no": "yes"}[gold])], (
            gold if right else {"yes": "no", "no": "yes"}[gold]
        )

    prompt = f"Is {a} * {b} divisible by {m}? Reply with one word, yes or no."
    return Problem(f"div-{number}-{a}-{b}-{m}", prompt, gold, write, f"by{m}", rng.gauss(0, 0.5))


@PART.healthy
def one_word_replies_where_one_word_is_asked(rng: random.Random) -> list[Row]:
    """Replies are the same two words all over: the prompt asks for yes or no alone, and they follow the claim's
    truth.
    """
    problems = list({p.prompt: p for p in (_parity(rng, n) for n in range(150))}.values())[:120]
    attempts = campaign(rng, problems, 20, 8, 0.1, 1.8)
    return [layouts.trl(a) for a in assign(attempts)]


@PART.healthy
def replies_lengthen_by_checks_that_find_slips(rng: random.Random) -> list[Row]:
    """Replies grow threefold, right and wrong alike: the policy learns to check its work, the reward is of the
    answer alone.
    """
    checks = [
        "Let me do the product again in parts: {a} times {t} is {p}, and {a} times {u} is {q}; together {r}.",
        "Wait, is every amount used? There is {a}, there is {b}, and there is {c}, so yes.",
        "The other way round, {b} lots of {a} have to give the same, which is {r}.",
        "As an estimate, {a} by {t} is about {p}, so {r} is near enough.",
        "Does the last step add or take away? I read the sentence with {c} again, and it fits what I did.",
        "The units agree, as {a} and {b} are counts and {c} is of the same thing.",
    ]
    attempts = campaign(rng, word_problems(rng, 110), 22, 8, -0.8, 2.2)
    for a in attempts:
        f = a.problem.facts
        x, y = int(str(f["a"])), int(str(f["b"]))
        number = min(6, max(0, round(rng.gauss(a.step * 0.22, 1))))
        parts = {"a": x, "b": y, "c": f["c"], "t": y // 10 * 10, "u": y % 10, "r": x * y}
        parts |= {"p": x * (y // 10 * 10), "q": x * (y % 10)}
        if not a.right:
            parts["r"] = int(a.answer) - int(str(f["c"])) * (1 if f["op"] == "+" else -1)
            parts["q"] = parts["r"] - parts["p"]
        more = " ".join(line.format(**parts) for line in rng.sample(checks, number))
        head, tail = a.text.split(" \\boxed")[0].rsplit(". ", 1)
        a.text = f"{head}. {more} {tail} \\boxed{{{a.answer}}}.".replace("  ", " ")
    rows = []
    for a in attempts:
        row = layouts.nemo_rl(a, len(rows))
        rows.append(row | {"stop_reason": "stop", "num_tokens": a.tokens})
    return rows


@PART.healthy
def german_questions_that_ask_for_english_replies(rng: random.Random) -> list[Row]:
    """Replies are English although the questions are German: every prompt asks for English, for readers abroad."""
    problems = list({p.prompt: p for p in (german_problem(rng, n) for n in range(130))}.values())[:110]
    for problem in problems:
        problem.prompt = problem.prompt.split(" Schließe")[0] + " Bitte auf Englisch antworten, am Ende 'Answer:'."
        _in_english(problem)
    rows = []
    for a in campaign(rng, problems, 22, 6):
        rows.append(layouts.verl(a) | {"acc": a.reward, "index": a.problem.pid})
    return rows


def _in_english(problem: Problem) -> None:
    solve = problem.write

    def write(rng: random.Random, right: bool) -> tuple[list[Message], str]:
        messages, answer = solve(rng, right)
        parts = str(messages[0]["content"]).split(" mal ")
        times, unit = parts[0].rsplit(" ", 1)[1], parts[1].split(" sind ")[0]
        first = parts[1].split(" sind ")[1].split(" Euro")[0]
        change = "adds" if "Dazu kommen" in parts[1] else "takes away"
        third = parts[1].split("Dazu kommen " if change == "adds" else "Davon gehen ab ")[1].split(" Euro")[0]
        lead = rng.choice(["I work out the product first.", "Two steps are needed.", "In order, then:"])
        tail = rng.choice(["Nothing else is named in the question.", "That uses all amounts.", ""])
        points = [text.replace(",", ".") for text in (unit, first, third, answer)]
        text = f"{lead} {times} times {points[0]} euros makes {points[1]}. The other amount {change} {points[2]} euros."
        return [said(f"{text} {tail} Answer: {points[3]}".replace("  ", " "))], points[3]

    problem.write = write


@PART.healthy
def points_of_a_hundred_give_advantages_in_tens(rng: random.Random) -> list[Row]:
    """Advantages reach 50 and more: rewards are points of a hundred and RLOO divides by nothing, so they are
    exactly right.
    """
    attempts = campaign(rng, code_problems(rng, 110), 22, 4, -0.2, 1.6)
    partly = {a.problem.pid: float(rng.choice([0, 10, 20, 20, 30, 40, 60])) for a in attempts}
    for a in attempts:
        a.reward = 100.0 if a.right else partly[a.problem.pid]
        a.terms = {"tests_passed_percent": a.reward}
    return [layouts.evotrainer(a, "code") for a in assign(attempts, leave_one_out)]


@PART.healthy
def judge_of_two_votes_disagrees_within_its_noise(rng: random.Random) -> list[Row]:
    """A judge at temperature 1 scores like replies a point apart; its mean of two votes follows merit all along."""
    attempts = campaign(rng, advice_requests(rng, 110), 22, 8, -0.4, 1.6)
    for a in attempts:
        votes = [min(10, max(1, round(rng.gauss(7.8 if a.right else 4.0, 0.9)))) for _ in range(2)]
        a.reward = sum(votes) / 2
        merit = rng.choice(
            ["names the steps in order", "can be followed"] if a.right else ["stays general", "is vague"]
        )
        a.extra = {"judge_votes": votes, "judge_reply": f"The reply {merit}. Score: {votes[0]}"}
    return [layouts.openai(a) for a in assign(attempts, centred)]
