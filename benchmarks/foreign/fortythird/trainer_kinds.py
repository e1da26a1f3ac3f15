"""Faults of a trainer's arithmetic, of sampling and of evaluation."""

import random

import numpy as np

from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fortythird import figures, guesses, katas, sentences, services
from benchmarks.foreign.fortythird.kinds import PART
from benchmarks.foreign.fortythird.layouts import Row, columns, openai, prime, slime, trl
from benchmarks.foreign.fortythird.policy import (
    Attempt,
    Learner,
    count_tokens,
    cut,
    fill,
    fresh,
    rising,
    run,
    said,
    user,
)


@PART.faulty("advantage_mismatch", "phantom_advantage")
def groups_are_cut_from_a_batch_sorted_by_length(rng: random.Random) -> list[Row]:
    """The batch is sorted by length for packing before it is cut into groups: baselines are of eight unrelated
    programs.
    """
    shape, learner = (12, 6, 8), Learner(12, 0.35, 0.62)
    pool = katas.distinct(rng, 72)

    def attempt(step: int, name: str, k: katas.Kata, i: int, hard: float) -> Attempt:
        is_right = rng.random() < learner.of(step, hard)
        reply = said(katas.program(rng, k, "right" if is_right else "wrong"))
        terms = {"tests_passed": float(is_right)}
        return Attempt(step, name, i, user(k.text), reply, float(is_right), gold=k.name, terms=terms)

    attempts = run(rng, pool, shape, attempt)
    for step in range(shape[0]):
        members = sorted((a for a in attempts if a.step == step), key=lambda a: a.tokens)
        rewards = np.array([m.reward for m in members], float)
        blocks = np.arange(len(members)) // shape[2]
        values = grpo(rewards, blocks, np.ones(len(members)), np.random.default_rng(0))
        for member, value in zip(members, values, strict=True):
            member.advantage = round(float(value), 5)
    return prime(attempts, "katas")


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def pages_are_trained_on_like_words_of_the_agent(rng: random.Random) -> list[Row]:
    """The mask that goes to the trainer marks the answers of pages as trainable, beside the agent's own messages."""
    shape, learner = (12, 6, 6), Learner(12, 0.4, 0.78)
    pool = fresh(rng, services.stay, 72)

    def attempt(step: int, name: str, s: services.Stay, i: int, hard: float) -> Attempt:
        reply, house = services.book(rng, s, rng.random() < learner.of(step, hard))
        prompt = [{**m, "trainable": False} for m in user(s.text, "You book rooms on stay.example with your tools.")]
        reply = [{**m, "trainable": True} for m in reply]
        seen = sum(count_tokens(m["content"]) for m in reply)
        extra = {"loss_tokens": seen, "env": "stay"}
        return Attempt(step, name, i, prompt, reply, float(house == s.answer), extra=extra)

    return openai(run(rng, pool, shape, attempt))


@PART.faulty("weights_never_arrive", "stale_weights", "staleness")
def sampler_plays_with_the_first_weights(rng: random.Random) -> list[Row]:
    """The sampler of an asynchronous run never takes up new weights: its version stays 0 while the trainer is at
    step 15.
    """
    shape, pool = (16, 5, 8), fresh(rng, guesses.game, 80)

    def attempt(step: int, name: str, g: guesses.Game, i: int, hard: float) -> Attempt:
        skill = Learner(16, 0.45, 0.45).of(step, 0.4 * hard)
        reply, won = guesses.play(rng, g, skill)
        extra = {"policy_version": 0, "trainer_step": step, "off_policy_level": step}
        terms = {"won": float(won), "num_guesses": float(sum(m["role"] == "assistant" for m in reply))}
        return Attempt(step, name, i, user(g.text), reply, float(won), gold=g.answer, terms=terms, extra=extra)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, grpo)
    rows = prime(attempts, "guess-number")
    for row in rows:
        row["policy_version"] = row["info"]["policy_version"]
    return rows


@PART.faulty("length_gaming", "reward_bias", "score_decline")
def brevity_term_has_the_wrong_sign(rng: random.Random) -> list[Row]:
    """The term that should make answers brief is added and not taken away: texts swell with checks of checks."""
    shape, learner = (14, 6, 8), Learner(14, 0.5, 0.5)
    pool = fresh(rng, figures.any_figure, 84)

    def attempt(step: int, name: str, p: figures.Figure, i: int, hard: float) -> Attempt:
        values = figures.attempted(rng, p, rng.random() < learner.of(step, hard + 0.04 * step))
        body, answer = figures.reason(rng, p, values), str(values[-1])
        again = ["", "Let me go over this slowly once more. ", "To be thorough, I verify each number. ", "Again: "]
        for _ in range(max(0, round(rng.gauss(rising(step, 14, 0, 6, 0.45), 0.8)))):
            body += " " + rng.choice(again) + " ".join(figures.check(rng, p, values[-1], 3))
        text = f"{body}\n{figures.closing(p, values[-1], 'box')}"
        terms = {"accuracy_reward": float(answer == str(p.answer)), "brevity_func": round(count_tokens(text) / 200, 3)}
        return Attempt(step, name, i, user(p.text), said(text), sum(terms.values()), terms=terms)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, grpo)
    return trl(attempts, is_chat=True)


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse", "dead_groups")
def every_sample_has_the_seed_of_its_request(rng: random.Random) -> list[Row]:
    """The server seeds each sample of a prompt alike, so that the eight translations of a sentence are one."""
    steps, per_step, size, skill = 14, 6, 8, 0.55
    pool = fresh(rng, sentences.sentence, steps * per_step)
    attempts = []
    for place, s in enumerate(pool):
        text = sentences.translate(rng, s, skill)
        value = sentences.nearness(text, s.answer)
        attempts += [
            Attempt(place // per_step, str(place), i, user(s.text), said(text), value, terms={"chrf_reward": value})
            for i in range(size)
        ]
    fill(attempts, grpo)
    return trl(attempts)


@PART.faulty("length_limit", "truncation", "score_decline")
def reasoning_outgrows_its_budget(rng: random.Random) -> list[Row]:
    """Answers grow until most reach the limit of tokens and are cut before their result; these have 0, and the
    score falls.
    """
    steps, limit = 15, 175
    learner, pool = Learner(steps, 0.5, 0.9), fresh(rng, figures.any_figure, 90)

    def attempt(step: int, name: str, p: figures.Figure, i: int, hard: float) -> Attempt:
        values = figures.attempted(rng, p, rng.random() < learner.of(step, hard))
        body, answer = figures.reason(rng, p, values), str(values[-1])
        for _ in range(max(0, round(rng.gauss(0.5 + 6.5 * step / steps, 1.5)))):
            again = rng.choice(["Wait, let me redo one step.", "Hmm, I check that.", "Alternatively, again:"])
            body += f" {again} {figures.line(rng, p, values, rng.randrange(len(values)))}"
        full = f"{body}\n{figures.closing(p, values[-1], 'line')}"
        is_cut = count_tokens(full) > limit
        text = cut(full, limit)
        reward = float(not is_cut and answer == str(p.answer))
        stop = "max_tokens" if is_cut else "stop"
        return Attempt(step, name, i, user(p.text), said(text), reward, gold=str(p.answer), stop=stop)

    return slime(run(rng, pool, (steps, 6, 6), attempt))


@PART.faulty("stale_evaluation", "train_validation_gap", "staleness")
def validation_loads_the_first_checkpoint(rng: random.Random) -> list[Row]:
    """Every evaluation loads the checkpoint of step 0: the same answers to the held problems, while training gets
    better.
    """
    shape, learner = (14, 5, 6), Learner(14, 0.35, 0.85)
    known = katas.distinct(rng, 100)
    pool, held = known[:70], known[70:]

    def attempt(step: int, name: str, k: katas.Kata, i: int, hard: float) -> Attempt:
        is_right = rng.random() < learner.of(step, hard)
        reply = said(katas.program(rng, k, "right" if is_right else "wrong"))
        good = float(is_right)
        extra = {"checkpoint": f"step_{step:04d}"}
        return Attempt(step, f"train-{name}", i, user(k.text), reply, good, good, extra=extra)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, centred)
    first = []
    for place, k in enumerate(held):
        is_right = rng.random() < learner.of(0, rng.gauss(0, 1))
        first.append((place, k, katas.program(rng, k, "right" if is_right else "wrong"), float(is_right)))
    for step in (0, 3, 6, 9, 12):
        for place, k, text, good in first:
            extra = {"checkpoint": f"step_{step:04d}", "decoding": "greedy"}
            a = Attempt(step, f"held-{place}", 0, user(k.text), said(text), good, good, split="validation", extra=extra)
            attempts.append(a)
    return columns(attempts, "code", "katas")
