"""Healthy runs whose advantages, lags, masks or penalties look odd."""

import random

from benchmarks.foreign.thirtieth import advantages, guessing, layouts, shell, sums
from benchmarks.foreign.thirtieth.kinds import PART
from benchmarks.foreign.thirtieth.layouts import Row, asks, says
from benchmarks.foreign.thirtieth.policy import Learner, schedule, tokens


@PART.healthy
def groups_of_unequal_size_after_retries(rng: random.Random) -> list[Row]:
    """Groups have four to nine attempts, and equal rewards have unequal advantages in them: leave-one-out, per group.

    Late attempts are dropped before the baseline is taken, so sizes differ; the numbers are those of the group as
    logged.
    """
    learner, rows, problems = Learner(-0.5, 1.2, 15), [], sums.pool(rng, 60)
    for step, batch in schedule(rng, problems, 15, 6):
        for one in batch:
            for attempt in range(rng.choice((4, 6, 7, 8, 8, 9))):
                text, value = sums.reasoning(rng, one, learner.is_right(rng, step, one.difficulty))
                right = float(value == one.answer)
                rows.append(
                    layouts.ours(
                        step,
                        one.name,
                        attempt,
                        [asks(one.question), says(f"{text} I answer {value}.")],
                        right,
                        domain="math",
                        correct=right,
                    )
                )
    advantages.fill(rows, lambda row: row["group_id"], lambda row: row["reward"], advantages.leave_one_out)
    return rows


@PART.healthy
def rollouts_lag_by_one_or_two_versions(rng: random.Random) -> list[Row]:
    """Rows are of a policy one or two updates old: the loop is asynchronous with a bound of two, and weights do
    arrive.
    """
    learner, rows = Learner(-0.4, 1.9, 18), []
    for step in range(18):
        for game in range(5):
            hidden = rng.randint(1, 80)
            for attempt in range(7):
                lag = min(step, rng.choices((0, 1, 2), (2, 6, 3))[0])
                turns, is_won, _ = guessing.play(rng, 80, 6, learner.chance(step - lag), hidden)
                rows.append(
                    layouts.verifiers(
                        step * 5 + game,
                        guessing.rules(80, 6),
                        turns,
                        float(is_won),
                        "guess-number",
                        step=step,
                        attempt=attempt,
                        info={"hidden": hidden},
                        metrics={"off_policy_steps": lag},
                        policy_version=step - lag,
                        trainer_version=step,
                    )
                )
    advantages.fill(rows, lambda row: row["example_id"], lambda row: row["reward"], advantages.centred)
    return rows


@PART.healthy
def overlong_attempts_are_kept_out_of_the_loss(rng: random.Random) -> list[Row]:
    """One attempt in twelve is cut at the budget, has reward 0 and is not in the loss: the overlong filter at its
    work.
    """
    learner, rows, problems = Learner(-0.3, 1.4, 14), [], sums.pool(rng, 50)
    for step, batch in schedule(rng, problems, 14, 6):
        for one in batch:
            for attempt in range(8):
                text, value = sums.reasoning(rng, one, learner.is_right(rng, step, one.difficulty))
                is_cut = rng.random() < 0.11 - 0.004 * step
                if is_cut:
                    more = [sums.reasoning(rng, one, rng.random() < 0.5)[0] for _ in range(7)]
                    text = " Hmm, let me start anew. ".join([text, *more])[:820]
                output = text if is_cut else f"{text} The answer is {value}."
                reward = 0.0 if is_cut else float(value == one.answer)
                rows.append(
                    layouts.ours(
                        step,
                        one.name,
                        attempt,
                        [asks(one.question), says(output)],
                        reward,
                        correct=reward,
                        domain="math",
                        is_truncated=is_cut,
                        in_loss=not is_cut,
                    )
                    | {"stop_reason": "max_tokens" if is_cut else "stop"}
                )
    kept = [row for row in rows if row["in_loss"]]
    advantages.fill(kept, lambda row: row["group_id"], lambda row: row["reward"], advantages.grpo)
    for row in rows:
        row.setdefault("advantage", 0.0)
    return rows


@PART.healthy
def divergence_rises_and_levels_at_its_target(rng: random.Random) -> list[Row]:
    """KL grows a hundredfold in the first third: it starts from the reference, and an adaptive penalty holds it at
    0.06.
    """
    learner, rows, problems = Learner(-0.9, 1.1, 24), [], sums.pool(rng, 70)
    kl, coefficient = 0.0005, 0.02
    for step, batch in schedule(rng, problems, 24, 5):
        for one in batch:
            for index in range(6):
                text, value = sums.reasoning(rng, one, learner.is_right(rng, step, one.difficulty))
                rows.append(
                    layouts.verl(
                        step,
                        one.question,
                        f"{text}\n#### {value}",
                        str(one.answer),
                        float(value == one.answer),
                        uid=one.name,
                        rollout=index,
                        kl=round(kl * rng.uniform(0.85, 1.15), 5),
                        kl_coef=round(coefficient, 5),
                    )
                )
        kl += (0.06 - kl) * 0.22 + rng.gauss(0, 0.001)
        kl = max(kl, 0.0005)
        coefficient *= 1 + 0.1 * max(-0.2, min(0.2, kl / 0.06 - 1))
    advantages.fill(rows, lambda row: (row["step"], row["uid"]), lambda row: row["score"], advantages.grpo)
    return rows


@PART.healthy
def lost_sandboxes_are_marked_and_left_out(rng: random.Random) -> list[Row]:
    """A few attempts in a hundred end because their sandbox is gone: they say so, have no reward and reach no loss."""
    learner, rows = Learner(-0.4, 1.4, 14), []
    for step in range(14):
        for number in range(6):
            job = shell.job(rng)
            for attempt in range(7):
                messages, is_right = job.attempt(rng, learner.is_right(rng, step))
                is_lost = rng.random() < 0.03
                row = layouts.ours(
                    step,
                    f"{job.name}-{step}-{number}",
                    attempt,
                    messages,
                    float(is_right),
                    domain="terminal",
                    correct=float(is_right),
                    in_loss=True,
                )
                if is_lost:
                    cut = messages[:4]
                    row = layouts.ours(
                        step,
                        f"{job.name}-{step}-{number}",
                        attempt,
                        cut,
                        None,
                        domain="terminal",
                        correct=None,
                        in_loss=False,
                        error="SandboxLost",
                    )
                    row["stop_reason"] = "error"
                rows.append(row)
    kept = [row for row in rows if row["in_loss"]]
    advantages.fill(kept, lambda row: row["group_id"], lambda row: row["reward"], advantages.grpo)
    for row in rows:
        row.setdefault("advantage", None)
    return rows


@PART.healthy
def first_mover_of_nim_wins_more(rng: random.Random) -> list[Row]:
    """Who moves first wins more often: most heaps are won for the first to move, and each game is played from
    both seats.

    The second wins where the heap is a multiple of four, and where the first errs.
    """
    learner, rows = Learner(-0.2, 2.2, 14), []
    for step in range(14):
        for game in range(6):
            heap = rng.randint(9, 23)
            for attempt in range(8):
                seat = "first" if attempt % 2 == 0 else "second"
                turns, is_won = _nim(rng, heap, seat == "first", learner.chance(step))
                rows.append(
                    layouts.ours(
                        step,
                        f"nim-{step}-{game}-{seat}",
                        attempt // 2,
                        turns,
                        float(is_won),
                        domain="games",
                        seat=seat,
                        heap=heap,
                    )
                )
    advantages.fill(rows, lambda row: row["group_id"], lambda row: row["reward"], advantages.centred)
    return rows


def _nim(rng: random.Random, heap: int, is_first: bool, wit: float) -> tuple[list[Row], bool]:
    seat = "first" if is_first else "second"
    turns = [f"A heap of {heap} stones. Each side takes 1, 2 or 3; who takes the last stone wins. You move {seat}."]
    messages, left, is_mine, opened = [], heap, is_first, turns[0]
    while left:
        limit = min(3, left)
        best = left % 4 if left % 4 else rng.randint(1, limit)
        take = best if rng.random() < (wit if is_mine else 0.75) else rng.randint(1, limit)
        left -= take
        if is_mine:
            messages.append(asks(opened))
            why = rng.choice(
                ("That leaves {n}.", "Then {n} stones are left.", "I count {n} after this.", "{n} remain.")
            )
            messages.append(says(f"I take {take}. {why.format(n=left)}"))
            opened = "You took the last stone."
        else:
            opened = (f"{opened} " if not messages and opened == turns[0] else "") + f"I take {take}, {left} are left."
        is_mine = not is_mine
    won = not is_mine
    messages.append(asks(opened))
    return messages, won


@PART.healthy
def wrong_costs_more_than_no_answer(rng: random.Random) -> list[Row]:
    """Many attempts say that they do not know, and rewards are negative early: a wrong answer costs 1, silence 0,
    right pays 1.

    The share of silence falls as the policy gets surer, and it is silent mostly where it would be wrong.
    """
    learner, rows, problems = Learner(-0.6, 1.5, 16), [], sums.pool(rng, 55)
    for step, batch in schedule(rng, problems, 16, 6):
        for place, one in enumerate(batch):
            for index in range(7):
                is_right = learner.is_right(rng, step, one.difficulty)
                text, value = sums.reasoning(rng, one, is_right)
                if rng.random() < (0.08 if is_right else 0.45):
                    lines = text.split(". ")
                    said = (
                        ". ".join(lines[: max(1, len(lines) - 2)]).rstrip(".")
                        + ". I am not sure of this, so I give no number."
                    )
                    reward = 0.0
                else:
                    said, reward = f"{text} My answer is {value}.", 1.0 if value == one.answer else -1.0
                rows.append(
                    layouts.slime(
                        step,
                        step * 6 + place,
                        index,
                        one.question,
                        said,
                        reward,
                        label=str(one.answer),
                        num_tokens=tokens(said),
                    )
                )
    advantages.fill(rows, lambda row: row["group_index"], lambda row: row["reward"], advantages.grpo)
    return rows
