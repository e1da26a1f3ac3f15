"""Faults of serving, masks, penalties, schedules and of what a trainer reports."""

import random
import statistics

from benchmarks.foreign.later import desk, sums
from benchmarks.foreign.later.course import Row, chat, flat, grouped, rise, run, tokens, trl, verl, words
from benchmarks.foreign.later.kinds import PART


@PART.faulty("staleness", "train_inference_mismatch")
def one_rank_keeps_old_weights(rng: random.Random) -> list[Row]:
    """One of eight inference ranks never takes part in the weight broadcast and samples from the first policy."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.7, 1.4)):
        is_stale = t.number == 5
        right = t.right and not (is_stale and rng.random() < rise(t.at, 0, 0.7, begin=0))
        work = sums.work(rng, t.task, right)
        sampled = -0.42 + 0.12 * (0 if is_stale else t.at) + rng.gauss(0, 0.02)
        gap = rise(t.at, 0, 0.45, begin=0) * rng.uniform(0.8, 1.2) if is_stale else rng.gauss(0, 0.003)
        more = {"dp_rank": t.number, "rollout_logprob": round(sampled, 4), "actor_logprob": round(sampled - gap, 4)}
        rows.append(flat(t, work.text(), float(right), **more))
    return grouped(rows, "step", "prompt")


RARE = words(
    "verily,lattice,umbral,quorum,sonder,azure,cwm,zephyr,plinth,ergo,thence,isthmus,ochre,vellum,gambit,krill,obelisk"
)


@PART.faulty("kl_ineffective", "reward_outcome_divergence", "entropy_collapse")
def kl_paid_instead_of_charged(rng: random.Random) -> list[Row]:
    """The penalty for leaving the reference enters with the wrong sign: distance is paid, and the policy runs off."""
    rows = []
    for t in run(rng, sums.problem, skill=(0.0, -1.6)):
        strange, text = rise(t.at, 0.0, 0.65, begin=0.1), sums.work(rng, t.task, t.right).text()
        *said, answer = text.replace("\n", " \n ").split(" ")
        text = " ".join([*(rng.choice(RARE) if rng.random() < strange else word for word in said), answer]).replace(
            " \n ", "\n"
        )
        kl = 0.02 * 500**t.at * rng.uniform(0.85, 1.15)
        terms = {"accuracy_reward": float(t.right), "kl_reward": round(0.15 * kl, 4)}
        more = {**terms, "kl": round(kl, 4), "entropy": round(0.4 + 3 * strange + rng.gauss(0, 0.03), 4)}
        rows.append(flat(t, text, round(sum(terms.values()), 4), **more))
    return grouped(rows, "step", "prompt")


@PART.faulty("zero_gradient")
def assistant_mask_empty(rng: random.Random) -> list[Row]:
    """The chat template marks no assistant turns, so the mask of the loss is empty and no step changes anything."""
    rows = []
    for t in run(rng, desk.problem, skill=(-0.1, -0.1)):
        talk = desk.solve(rng, t.task, t.right)
        length = sum(tokens(message["content"]) + 20 for message in talk.messages)
        more = {"total_tokens": length, "loss_tokens": 0, "loss": 0.0, "grad_norm": 0.0, "lr": 1e-6}
        rows.append(chat(t, talk.messages, float(t.right), **more))
    return grouped(rows, "step", "problem")


@PART.faulty("retokenisation_drift", "train_inference_mismatch")
def prompt_starts_twice(rng: random.Random) -> list[Row]:
    """The trainer adds a start token to a prompt whose template has one: it trains on other ids than were sampled."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.5, 0.1)):
        work = sums.work(rng, t.task, t.right)
        length, sampled = tokens(t.task.prompt) + 9, rng.gauss(-0.38, 0.03)
        ids = [1, 733, 16289, 28793, *(rng.randint(300, 31000) for _ in range(2))]
        more = {"rollout_prompt_ids_head": ids, "train_prompt_ids_head": [1, *ids[:5]]}
        more |= {"rollout_prompt_len": length, "train_prompt_len": length + 1}
        more |= {"rollout_log_probs_mean": round(sampled, 4)}
        more |= {"old_log_probs_mean": round(sampled - rng.uniform(0.1, 0.24), 4)}
        rows.append(verl(t, work.text(), float(t.right), acc=t.right, **more))
    return rows


@PART.faulty("entropy_collapse")
def learning_rate_restart_breaks_the_policy(rng: random.Random) -> list[Row]:
    """The schedule restarts at a hundred times the rate; the gradient explodes, and one phrase is all that is left."""
    rows = []
    for t in run(rng, sums.problem, steps=14, problems=4, skill=(-0.6, 1.2)):
        is_hot, is_broken = t.step >= 8, t.step >= 9
        text, reward = sums.work(rng, t.task, t.right).text(), float(t.right)
        if is_broken:
            text, reward = rng.choice(("the the ", "0 0 ", "#### ####\n", "so so so ")) * rng.randint(60, 90), 0.0
        rate = 2e-4 if is_hot else 2e-6 * (1 - t.step / 14)
        random_of_step = random.Random(t.step)
        norm = random_of_step.uniform(20, 90) if is_hot else random_of_step.uniform(0.2, 0.4)
        entropy = random_of_step.uniform(0.01, 0.04) if is_broken else 0.5 - 0.01 * t.step
        more = {"learning_rate": rate, "grad_norm": round(norm, 3), "entropy": round(entropy, 4)}
        rows.append(flat(t, text, reward, **more))
    return grouped(rows, "step", "prompt")


@PART.faulty("phantom_advantage")
def whisker_normalised(rng: random.Random) -> list[Row]:
    """A term for length of one part in ten thousand is all that differs in solved groups, and is scaled to size."""
    rows = []
    for t in run(rng, sums.problem, skill=(1.3, 2.1)):
        text = sums.work(rng, t.task, t.right).text("The answer is {}.")
        terms = {"accuracy_reward": float(t.right), "length_reward": round(-1e-6 * tokens(text), 8)}
        rows.append(trl(t, text, terms) | {"total": sum(terms.values())})
    groups: dict[tuple[int, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["step"], row["prompt"]), []).append(row)
    for members in groups.values():
        totals = [row.pop("total") for row in members]
        mean, width = statistics.fmean(totals), statistics.stdev(totals) + 1e-8
        for row, total in zip(members, totals, strict=True):
            row["advantage"] = round((total - mean) / width, 5)
    return rows


@PART.faulty("metric_defect")
def accuracy_logged_without_failures(rng: random.Random) -> list[Row]:
    """The logged accuracy counts finished answers alone; more and more are cut, so it rises while all rows fall."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.3, 1.0), spread=0.5):
        text = sums.work(rng, t.task, t.right).text()
        is_cut = rng.random() < rise(t.at, 0.1, 0.68)
        right = t.right and not is_cut
        reason = "length" if is_cut else "stop"
        text = text[: int(len(text) * rng.uniform(0.5, 0.8))] if is_cut else text
        rows.append(flat(t, text, float(right), correct=int(right), finish_reason=reason))
    for step in range(12):
        batch = [row for row in rows if row["step"] == step]
        logged = statistics.fmean(row["reward"] for row in batch if row["finish_reason"] == "stop")
        for row in batch:
            row["batch_accuracy"] = round(logged, 4)
    return grouped(rows, "step", "prompt")
