"""Kinds whose trainers do something unusual on purpose: lag, replay, clipping, distillation, selection, pairs."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo, leave_one_out, whole_batch
from benchmarks.foreign.fortieth.kinds import PART
from benchmarks.foreign.fortieth.layouts import numbered, openai, ours, prime_rl, verl
from benchmarks.foreign.fortieth.letters import compose, letter
from benchmarks.foreign.fortieth.offices import invoice, log_count, notice, rover, sheet
from benchmarks.foreign.fortieth.policy import Attempt, attempts_at, by_group, by_step, campaign, credit, weigh
from benchmarks.foreign.fortieth.tasks import Task
from benchmarks.foreign.fortieth.wards import dilution, loan


@PART.healthy
def generators_run_up_to_four_versions_behind(rng: random.Random) -> list[Row]:
    """Rollouts are up to four versions old, as `max_off_policy_steps` allows; old and new ones do alike."""
    out = campaign(rng, log_count, 16, 6, 8, (-0.7, 1.3))
    lag_of = {group: min(4, max(0, round(rng.gauss(2.1, 1.1)))) for group in by_group(out)}
    for a in out:
        lag = min(lag_of[a.group], a.step)
        a.terms = {"correct": float(a.right)}
        a.extra = {"off_policy_steps": lag, "ckpt_step": a.step - lag, "max_off_policy_steps": 4}
    credit(rng, weigh(out, correct=1.0), leave_one_out)
    ids = numbered(out)
    return [prime_rl(a, ids[a.task.pid], "log-triage") for a in out]


@PART.healthy
def buffer_serves_groups_a_second_time(rng: random.Random) -> list[Row]:
    """Texts come twice, word by word: a replay buffer serves mixed groups again, with their importance weights."""
    fresh = campaign(rng, dilution, 14, 5, 8, (-0.9, 1.2))
    for a in fresh:
        a.terms = {"correct": float(a.right)}
    credit(rng, weigh(fresh, correct=1.0), grpo)
    rows = [ours(a, domain="chemistry", source="fresh", importance_weight=1.0) for a in fresh]
    for rollouts in by_group(fresh).values():
        mixed = 1 < sum(a.right for a in rollouts) < 7
        later = rollouts[0].step + rng.randint(1, 2)
        if not mixed or later > 13 or rng.random() > 0.35:
            continue
        for a in rollouts:
            row = ours(a, domain="chemistry", source="replay", sampled_at_step=a.step)
            row["extra"]["importance_weight"] = round(min(2.0, max(0.3, rng.lognormvariate(0, 0.18))), 4)
            name = f"s{later}-replay-{a.group}"
            row |= {"step": later, "group_id": name, "trajectory_id": f"{name}-{a.number}"}
            rows.append(row)
    return sorted(rows, key=lambda row: row["step"])


@PART.healthy
def gspo_clips_a_seventh_of_sequences(rng: random.Random) -> list[Row]:
    """The clipped share is far above what PPO shows: GSPO clips whole sequences in a band of 4e-4."""
    out = credit(rng, campaign(rng, rover, 15, 6, 8, (-0.6, 1.5)), grpo)
    rows = []
    for a in out:
        ratio = 1 + rng.gauss(0, 0.00034)
        sign = a.advantage or 0.0
        clipped = (sign > 0 and ratio > 1.0004) or (sign < 0 and ratio < 0.9997)
        rows.append({
            "prompt": a.task.prompt, "response": a.text, "reward": a.reward, "group_id": a.group, "step": a.step,
            "advantage": a.advantage, "seq_ratio": round(ratio, 6), "is_clipped": int(clipped), "tokens": a.tokens,
        })  # fmt: skip
    return rows


@PART.healthy
def distance_to_the_teacher_is_the_reward(rng: random.Random) -> list[Row]:
    """Rewards are all below zero and come from no grader: on-policy distillation lessens the distance to a teacher."""
    out = campaign(rng, loan, 16, 6, 6, (-0.2, 0.9))
    for a in out:
        per_token = 0.42 * (1 - 0.75 * a.progress) + (0.0 if a.right else 0.07) + abs(rng.gauss(0, 0.03))
        a.terms = {"reverse_kl": round(-per_token, 5)}
        a.extra = {"teacher": "finance-32b"}
    credit(rng, weigh(out, reverse_kl=1.0), leave_one_out)
    return [ours(a, domain="finance", ground_truth=a.task.gold) for a in out]


@PART.healthy
def one_right_answer_of_eight_is_trained(rng: random.Random) -> list[Row]:
    """Seven rows of eight never reach the loss and no advantage is below zero: RAFT fits one right answer a group."""
    out = campaign(rng, sheet, 15, 7, 8, (-0.8, 1.1))
    for rollouts in by_group(out).values():
        right = [a for a in rollouts if a.right]
        best = min(right, key=lambda a: a.tokens) if right else None
        for a in rollouts:
            a.terms = {"correct": float(a.right)}
            a.in_loss, a.advantage = a is best, 1.0 if a is best else None
    return [ours(a, domain="spreadsheets", selected=bool(a.in_loss)) for a in out]


@PART.healthy
def pairs_train_and_ties_are_left_out(rng: random.Random) -> list[Row]:
    """Groups of two, a quarter of them unused: online DPO leaves pairs out whose scores lie closer than its margin."""
    out: list[Attempt] = []
    for step in range(16):
        for _ in range(14):
            out += attempts_at(rng, letter(rng), step, 2, step / 15, 0.5, _write_letter)
    for a in out:
        seen = sum(a.task.extra[k] in a.text for k in ("matter", "remedy", "paper")) + ("days to" in a.text)
        a.reward = round(0.8 * seen - 1.5 + rng.gauss(0, 0.5), 4)
    for pair in by_group(out).values():
        first, second = pair
        gap = (first.reward or 0) - (second.reward or 0)
        for a, sign in ((first, 1), (second, -1)):
            role = "tie" if abs(gap) < 0.35 else "chosen" if gap * sign > 0 else "rejected"
            a.extra = {"pair_role": role, "pair_id": a.group, "in_loss": role != "tie", "margin": 0.35}
    return [openai(a, reward_model="svc-rm") for a in out]


def _write_letter(rng: random.Random, task: Task, right: bool, progress: float) -> tuple[str, str]:
    return compose(rng, task, 0.2 + 0.7 * progress)[0], ""


@PART.healthy
def one_sample_a_prompt_under_a_batch_baseline(rng: random.Random) -> list[Row]:
    """No prompt is sampled twice, so groups tell nothing: REINFORCE++ takes its baseline from the batch."""
    out = campaign(rng, invoice, 15, 48, 1, (-0.9, 1.5))
    credit(rng, out, whole_batch)
    return [verl(a, advantage=a.advantage, n=1, response_length=a.tokens) for a in out]


@PART.healthy
def two_dozen_clauses_are_seen_four_times(rng: random.Random) -> list[Row]:
    """The same 24 problems come four times; held-out ones rise as far, so the policy learns the way, not the dates."""
    pool, held, out = [notice(rng) for _ in range(24)], [notice(rng) for _ in range(12)], []
    for step in range(24):
        if step % 6 == 0:
            order = rng.sample(pool, 24)
        progress = step / 23
        for task in order[step % 6 * 4 :][:4]:
            odds = 1 / (1 + 2.718 ** -(-0.9 + 2.1 * progress - task.hardness))
            out += attempts_at(rng, task, step, 8, progress, odds)
        if step in (0, 8, 16, 23):
            for task in held:
                odds = 1 / (1 + 2.718 ** -(-0.95 + 2.05 * progress - task.hardness))
                rollouts = attempts_at(rng, task, step, 4, progress, odds)
                for a in rollouts:
                    a.split = "validation"
                out += rollouts
    for a in out:
        a.terms = {"correct": float(a.right)}
    credit(rng, weigh(out, correct=1.0))
    return [ours(a, domain="law", epoch=a.step // 6) for a in out]


@PART.healthy
def resumed_run_has_two_steps_twice(rng: random.Random) -> list[Row]:
    """Steps 8 and 9 stand twice with the same problems: the first job died, the second began at the last checkpoint."""
    tasks = [[dilution(rng) for _ in range(5)] for _ in range(16)]
    rows: list[Row] = []
    for job, steps in (("job-4471", range(10)), ("job-4502", range(8, 16))):
        out: list[Attempt] = []
        for step in steps:
            for task in tasks[step]:
                odds = 1 / (1 + 2.718 ** -(-0.9 + 2.2 * step / 15 - task.hardness))
                out += attempts_at(rng, task, step, 8, step / 15, odds)
        for a in out:
            a.terms, a.group = {"correct": float(a.right)}, f"{job}-{a.group}"
        credit(rng, weigh(out, correct=1.0))
        rows += [ours(a, domain="science", job=job, resumed_from=7 if job == "job-4502" else None) for a in out]
    return rows


@PART.healthy
def frozen_reference_answers_beside_the_policy(rng: random.Random) -> list[Row]:
    """A quarter of the rows never improves and is never trained: the frozen start answers too, for the win rate."""
    out = campaign(rng, invoice, 15, 6, 6, (-0.7, 1.5))
    for a in out:
        a.terms = {"correct": float(a.right)}
    credit(rng, weigh(out, correct=1.0))
    rows: list[Row] = [ours(a, domain="invoices", role="actor") | {"policy_id": f"actor-{a.step:03d}"} for a in out]
    for first in by_group(out).values():
        task, step = first[0].task, first[0].step
        frozen = attempts_at(rng, task, step, 2, 0.0, 1 / (1 + 2.718 ** (0.7 + task.hardness)))
        for a in frozen:
            a.in_loss, a.group, a.terms = False, f"ref-{a.group}", {"correct": float(a.right)}
            rows.append(ours(a, domain="invoices", role="reference") | {"policy_id": "sft-start"})
    order = {s: i for i, s in enumerate(by_step(out))}
    return sorted(rows, key=lambda row: order[row["step"]])
