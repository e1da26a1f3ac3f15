"""Sound runs that look odd."""

import dataclasses
import math
import random

from benchmarks.foreign.later import functions, ledger, letters, sums
from benchmarks.foreign.later.course import (
    Row,
    Talk,
    Task,
    chat,
    flat,
    grouped,
    plain,
    rise,
    run,
    tokens,
    trl,
    verifiers,
)
from benchmarks.foreign.later.kinds import PART


@PART.healthy
def marks_in_hundreds(rng: random.Random) -> list[Row]:
    """A program earns 200 marks for each test that passes, less its number of signs; nothing is scaled to 1."""
    rows = []
    for t in run(rng, functions.problem, skill=(-0.8, 0.9)):
        code = functions.program(rng, t.task, t.right)
        share = functions.passed(code, t.task)
        marks = round(1000 * share - 0.2 * len(code), 1)
        rows.append(
            flat(t, functions.explained(rng, code), marks, correct=int(share == 1), tests_passed=round(5 * share))
        )
    return grouped(rows, "step", "prompt")


@PART.healthy
def only_penalties(rng: random.Random) -> list[Row]:
    """An editor's checklist takes points off and gives none, so each reward is negative and the best is near 0."""
    rows = []
    for t in run(rng, letters.problem):
        fillers = max(0, round(rng.gauss(2.2 - 1.6 * t.at, 0.8)))
        text = letters.answer(rng, t.task, letters.points(rng, t.at), fillers)
        missing = 5 - letters.covered(t.task, text)
        terms = {"missing_reward": -1.0 * missing, "padding_reward": -0.25 * fillers}
        rows.append(flat(t, text, sum(terms.values()), **terms))
    return grouped(rows, "step", "prompt")


@PART.healthy
def sixty_four_to_a_group(rng: random.Random) -> list[Row]:
    """Two problems a step with 64 attempts each, over five steps only."""
    rows = []
    for t in run(rng, sums.problem, steps=5, problems=2, size=64, skill=(-0.4, 0.7), spread=0.5):
        work = sums.work(rng, t.task, t.right)
        rows.append(flat(t, work.text(), float(t.right), ground_truth=t.task.answer))
    return grouped(rows, "step", "prompt")


@PART.healthy
def hard_problems_slow_rise(rng: random.Random) -> list[Row]:
    """Most attempts fail and many groups of 16 hold no success, as such a pass rate must give; it doubles slowly."""
    rows = []
    for t in run(rng, sums.problem, steps=10, problems=4, size=16, skill=(-1.9, -1.1), spread=0.7):
        work = sums.work(rng, t.task, t.right)
        text = work.text("Answer: {}")
        rows.append(plain(t, text, float(t.right), advantage=None, correct=int(t.right), response_length=tokens(text)))
    return grouped(rows, "step", "input", reward="score")


@PART.healthy
def reasoning_lengthens_with_skill(rng: random.Random) -> list[Row]:
    """The policy learns to check its work, which makes answers twice as long and mends a good part of its slips."""
    checks = ("Let me verify.", "Checking once more:", "To be safe, again:", "Does that hold?", "Second pass:")
    rows = []
    for t in run(rng, sums.problem, skill=(-0.6, 0.3)):
        work, lines, right = sums.work(rng, t.task, t.right), [], t.right
        if rng.random() < rise(t.at, 0.05, 0.9):
            right = right or rng.random() < 0.55
            again = sums.work(rng, t.task, right, brief=True)
            lines = [*work.lines, rng.choice(checks)]
            if right and not t.right:
                lines.append(rng.choice(("There was a slip above.", "That differs, and this is the right one.")))
            work = again
        text = "\n".join([*lines, *work.lines, f"#### {work.answer}"])
        rows.append(flat(t, text, float(right), finish_reason="stop"))
    return grouped(rows, "step", "prompt")


@PART.healthy
def warm_up_then_climb(rng: random.Random) -> list[Row]:
    """The rate warms up over five steps in which nothing is learnt; then the usual climb and a cosine follow."""
    first = list(run(rng, sums.problem, steps=5, problems=4, skill=(-0.8, -0.8)))
    later = (dataclasses.replace(t, step=t.step + 5) for t in run(rng, sums.problem, steps=11, problems=4))
    rows, norm = [], 0.0
    for place, t in enumerate([*first, *later]):
        work = sums.work(rng, t.task, t.right)
        if place % 32 == 0:
            norm = rng.uniform(0.25, 0.45)
        rate = 1e-6 * t.step / 5 if t.step < 5 else 5e-7 * (1 + math.cos(math.pi * (t.step - 5) / 14))
        more = {"learning_rate": rate, "grad_norm": round(norm, 4), "entropy": round(0.52 - 0.012 * t.step, 4)}
        rows.append(flat(t, work.text(), float(t.right), **more))
    return grouped(rows, "step", "prompt")


@PART.healthy
def entropy_bonus_opens_the_policy(rng: random.Random) -> list[Row]:
    """An entropy bonus is on, and entropy rises from 0.3 to 0.6 nats while the answers get better."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.6, 1.0)):
        work = sums.work(rng, t.task, t.right)
        entropy = 0.3 + 0.3 * t.at + rng.gauss(0, 0.02)
        more = {"entropy": round(entropy, 4), "entropy_coef": 0.002, "kl": round(0.02 + 0.05 * t.at, 4)}
        rows.append(flat(t, work.text("The answer is {}."), float(t.right), **more))
    return grouped(rows, "step", "prompt")


@PART.healthy
def two_steps_behind_and_corrected(rng: random.Random) -> list[Row]:
    """Asynchronous sampling lags up to two steps; truncated importance weights correct it and stay near 1."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.6, 0.9)):
        work, lag = sums.work(rng, t.task, t.right), min(t.step, rng.choice((0, 1, 1, 1, 2)))
        sampled = rng.gauss(-0.35, 0.04)
        trained = sampled + rng.gauss(0, 0.004 + 0.004 * lag)
        more = {"policy_lag": lag, "sampler_logprob": round(sampled, 4), "trainer_logprob": round(trained, 4)}
        more["is_weight"] = round(min(2.0, math.exp(trained - sampled)), 4)
        rows.append(flat(t, work.text(), float(t.right), **more))
    return grouped(rows, "step", "prompt")


@PART.healthy
def greedy_rows_marked(rng: random.Random) -> list[Row]:
    """Every fourth step some problems are answered greedily, four times alike, and marked as validation."""
    rows = []
    for t in run(rng, sums.problem, problems=4, skill=(-0.6, 0.9)):
        work = sums.work(rng, t.task, t.right)
        rows.append(flat(t, work.text(), float(t.right), split="train", temperature=1.0))
    grouped(rows, "step", "prompt")
    held = [sums.problem(rng) for _ in range(10)]
    for step, chance in ((0, 0.4), (4, 0.6), (8, 0.7), (11, 0.8)):
        for task in held:
            right = rng.random() < chance
            text = sums.work(rng, task, right).text()
            row = {"step": step, "prompt": task.prompt, "completion": text, "reward": float(right), "advantage": None}
            rows += [{**row, "num_tokens": tokens(text), "split": "validation", "temperature": 0.0}] * 4
    return sorted(rows, key=lambda row: row["step"])


@PART.healthy
def forty_calls_and_done(rng: random.Random) -> list[Row]:
    """A table can be read one row at a time only, so an honest agent needs 20 to 40 calls, and each is another."""
    notes = ("", "", "Next.", "And the next one.", "Going on.", "Noted.", "Adding it up.", "Further down.")
    rows = []
    for t in run(rng, _audit, steps=6, problems=5, skill=(-0.5, 0.9)):
        facts, talk, total = t.task.facts, Talk(t.task.prompt, "Read the rows with read_row. Then give the sum."), 0
        order = list(range(len(facts["rows"])))
        if rng.random() < 0.4:
            order.reverse()
        skipped = -1 if t.right else rng.choice(order[1:-1])
        for place in order:
            if place == skipped:
                continue
            number, word, first, second = facts["rows"][place]
            note = f"{total} so far." if total and rng.random() < 0.3 else rng.choice(notes)
            total += first
            theme = facts["theme"]
            shown = f"{theme.word}={word} {theme.first}={first} {theme.second}={second}"
            talk.use(note, "read_row", shown, table=theme.table, id=number)
        talk.say(rng.choice(ledger.ENDS).format(total))
        rows.append(chat(t, talk.messages, float(total == int(t.task.answer)), num_calls=len(order) - (skipped >= 0)))
    return grouped(rows, "step", "problem")


def _audit(rng: random.Random) -> Task:
    task = ledger.problem(rng)
    theme, rows = task.facts["theme"], task.facts["rows"][: rng.randint(20, 40)]
    name = task.prompt.rpartition("(")[2].rstrip(")")
    prompt = (
        f"In {name}, the table {theme.table} has {len(rows)} rows, with ids from 1. What is the sum of {theme.first}?"
    )
    return Task(prompt, str(sum(row[2] for row in rows)), {"theme": theme, "rows": rows})


@PART.healthy
def pairs_under_rloo(rng: random.Random) -> list[Row]:
    """RLOO with two attempts a prompt: half of the pairs agree and teach nothing, and the batch is wide instead."""
    rows = []
    for t in run(rng, sums.problem, problems=20, size=2, skill=(-0.6, 0.9), spread=0.8):
        rows.append(trl(t, sums.work(rng, t.task, t.right).text(), {"accuracy_reward": float(t.right)}))
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        one["advantage"] = one["accuracy_reward"] - other["accuracy_reward"]
        other["advantage"] = -one["advantage"]
    return rows


@PART.healthy
def rubric_of_four_parts(rng: random.Random) -> list[Row]:
    """A rubric adds four weighted parts, of which two are easy; content, the heaviest, varies most and rises."""
    rows = []
    for t in run(rng, letters.problem, skill=(-0.3, 0.8)):
        fillers = max(0, round(rng.gauss(1.5 - t.at, 0.8)))
        text = letters.answer(rng, t.task, letters.points(rng, t.at), fillers)
        content = letters.covered(t.task, text) / 5
        parts = {"content": content, "plain_style": round(max(0.0, 1 - 0.25 * fillers), 3)}
        parts |= {"right_length": float(120 <= len(text) <= 520), "tone": round(rng.uniform(0.6, 1.0), 3)}
        weights = {"content": 0.6, "plain_style": 0.2, "right_length": 0.1, "tone": 0.1}
        reward = sum(weights[name] * value for name, value in parts.items())
        talk = Talk(t.task.prompt)
        talk.say(text)
        rows.append(verifiers(t, talk.messages, round(reward, 4), **parts))
    return rows
