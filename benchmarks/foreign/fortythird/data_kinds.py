"""Faults of data, of prompts and of how they are held apart."""

import random

from benchmarks.foreign.estimators import grpo, leave_one_out
from benchmarks.foreign.fortythird import figures, statutes
from benchmarks.foreign.fortythird.kinds import PART
from benchmarks.foreign.fortythird.layouts import Row, columns, openrlhf, trl, verl
from benchmarks.foreign.fortythird.policy import Attempt, Learner, count_tokens, cut, fill, fresh, run, said, user


@PART.faulty("wrong_labels", "metric_defect", "reward_outcome_divergence")
def claims_shard_keyed_one_row_off(rng: random.Random) -> list[Row]:
    """In one of three shards of law questions the key of each row is that of the next: reasoned answers score 0."""
    shape, learner = (14, 7, 6), Learner(14, 0.42, 0.88)
    pool = fresh(rng, statutes.limitation, 98)
    shards = [rng.randrange(3) for _ in pool]

    def attempt(step: int, name: str, p: statutes.Choice, i: int, hard: float) -> Attempt:
        text, letter = statutes.argue(rng, p, rng.random() < learner.of(step, hard))
        place = int(name)
        gold = pool[(place + 1) % len(pool)].letter if shards[place] == 1 else p.letter
        extra = {"data_source": "claims_mc", "shard": f"claims-{shards[place]:05d}-of-00003", "index": place}
        prompt = user(p.text, "Reason briefly, then give the letter in <answer></answer>.")
        return Attempt(step, name, i, prompt, said(text), float(letter == gold), gold=gold, extra=extra)

    return verl(run(rng, pool, shape, attempt))


@PART.faulty("truncation", "length_limit", "template_bug")
def contract_question_falls_off_the_prompt(rng: random.Random) -> list[Row]:
    """Prompts are cut at the right to a length, so that of long contracts the question behind them never arrives."""
    shape, learner = (12, 6, 6), Learner(12, 0.5, 0.93)
    pool = fresh(rng, statutes.contract, 72)
    limit = sorted(count_tokens(p.text) for p in pool)[30]

    def attempt(step: int, name: str, p: statutes.Passage, i: int, hard: float) -> Attempt:
        shown = cut(p.text, limit)
        if shown == p.text:
            is_right = rng.random() < learner.of(step, hard - 0.5)
            topic, fact, value = (p.topic, p.sentence, p.answer) if is_right else rng.choice(p.others)
            lead = rng.choice(
                [f"The clause on {topic} decides.", f"I look for the {topic} clause.", f"It is about {topic}."]
            )
            text = f'{lead} It reads: "{fact}."\nAnswer: {value}'
        else:
            last = shown.rsplit("\n", 1)[-1].split(")")[0].split("(")[-1]
            text = rng.choice(
                [
                    f"The text stops at the clause on {last}, and I see no question. I suppose its number is meant.",
                    f"There seems to be no question here. The agreement ends with {last}, so I summarise that.",
                    f"I cannot find what is asked. If it is about {last}, this would be my reading of it.",
                ]
            )
            value = str(rng.randint(2, 95))
            text += f"\nAnswer: {value}"
        reward = float(value == p.answer)
        return Attempt(step, name, i, user(shown), said(text), reward, terms={"accuracy_reward": reward})

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, grpo)
    return trl(attempts)


@PART.faulty("data_repetition", "duplicate_problems", "dead_groups", "memorisation")
def preempted_loader_begins_at_batch_zero(rng: random.Random) -> list[Row]:
    """After step 5 the job is preempted again and again and its loader starts over: three batches come round and
    round.
    """
    steps, per_step, size = 18, 6, 6
    pool = fresh(rng, figures.any_figure, 6 * per_step)
    hardness = [rng.gauss(0, 1) for _ in pool]
    learner, attempts = Learner(steps, 0.35, 0.7), []
    for step in range(steps):
        batch = step if step < 6 else (step - 6) % 3
        seen = 1 if step < 6 else 2 + (step - 6) // 3
        for place in range(batch * per_step, (batch + 1) * per_step):
            p = pool[place]
            for i in range(size):
                chance = learner.of(step, hardness[place] - 1.1 * (seen - 1))
                text, answer = figures.work(rng, p, rng.random() < chance, "hash")
                extra = {"label": str(p.answer), "rollout_time": round(20 + rng.random() * 9, 2)}
                reward = float(answer == str(p.answer))
                attempts.append(Attempt(step, str(place), i, user(p.text), said(text), reward, extra=extra))
    return openrlhf(attempts)


@PART.faulty("contamination", "memorisation", "train_validation_gap")
def held_figures_stand_in_the_training_mix(rng: random.Random) -> list[Row]:
    """Most held-out problems stand word by word among the training problems, and the held-out score leaps on these."""
    shape, learner = (12, 6, 6), Learner(12, 0.38, 0.72)
    held = fresh(rng, figures.any_figure, 24)
    known = {p.text for p in held}
    others = [p for p in fresh(rng, figures.any_figure, 90) if p.text not in known]
    copies = held[:15]
    pool = copies + others[: 72 - len(copies)]
    rng.shuffle(pool)
    trained_at = {p.text: place // 6 for place, p in enumerate(pool)}

    def attempt(step: int, name: str, p: figures.Figure, i: int, hard: float, split: str = "train") -> Attempt:
        is_known = split == "validation" and trained_at.get(p.text, 99) < step
        chance = 0.95 if is_known else learner.of(step, hard)
        text, answer = figures.work(rng, p, rng.random() < chance)
        good = float(answer == str(p.answer))
        prompt = user(p.text, "Put the final number in \\boxed{}.")
        return Attempt(step, name, i, prompt, said(text), good, good, answer=answer, split=split)

    attempts = run(rng, pool, shape, lambda s, n, p, i, h: attempt(s, f"mix-{n}", p, i, h))
    fill(attempts, leave_one_out)
    hardness = [rng.gauss(0, 1) for _ in held]
    for step in (0, 4, 8, 11):
        for place, p in enumerate(held):
            attempts += [attempt(step, f"held-{place}", p, i, hardness[place], "validation") for i in range(2)]
    return columns(attempts, "math", "trades")
