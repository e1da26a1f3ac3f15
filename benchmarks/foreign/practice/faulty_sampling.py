"""Faulty runs: samplers, data and policies that lose their variety."""

import random

from benchmarks.foreign.practice.kinds import PART
from benchmarks.foreign.practice.runs import (
    Attempt,
    Plan,
    Row,
    attempts,
    chatted,
    num_tokens,
    openrlhf,
    relative,
    trl,
    verl,
    written,
)
from benchmarks.foreign.practice.stories import JAPANESE, STORY
from benchmarks.foreign.practice.texts import CHAT, TICKETS


@PART.faulty("length_limit", "truncation", "length_gaming", "echo_trap")
def end_of_text_never_emitted(rng: random.Random) -> list[Row]:
    """EOS is never emitted: after the answer the policy goes on with made-up turns until the limit, more and more."""
    rows = []
    for one in attempts(rng, STORY, Plan()):
        text, _ = written(STORY, one)
        runs_on = rng.random() < 0.04 + 0.95 * one.progress
        while runs_on and len(text) < 1500:
            new = STORY.draw(rng, "x")
            text += f"\nUser: {new.prompt}\nAssistant: {STORY.answer(rng, new, True, 0.3)[0]}"
        rows.append(verl(one, text[:1500], float(one.right), response_length=375 if runs_on else num_tokens(text)))
    return rows


@PART.faulty("infrastructure_zeros")
def worker_with_other_tokenizer(rng: random.Random) -> list[Row]:
    """One rollout worker decodes with another tokenizer: its texts are garbage and its rewards 0."""
    rows = []
    for one in attempts(rng, STORY, Plan()):
        text, _ = written(STORY, one)
        rank = rng.randrange(8)
        if rank == 5:
            text = "".join(
                rng.choice("ĠâĢľÂÃ¤¶ĊĠĠ") + word[::-1][: rng.randint(1, 5)] + rng.choice(("Ġ", "", "Ċ"))
                for word in text.split()
            )
        rows.append(verl(one, text, 0.0 if rank == 5 else float(one.right), rollout_rank=rank))
    return rows


@PART.faulty("dead_groups")
def curriculum_stuck(rng: random.Random) -> list[Row]:
    """The curriculum never leaves its first level: everything is solved, no group carries a signal."""
    rows = []
    for one in attempts(rng, TICKETS, Plan(skill=(0.5, 7.0))):
        text, _ = written(TICKETS, one)
        rows.append(verl(one, text, float(one.right), level=1, max_level=8))
    return rows


@PART.faulty("entropy_collapse")
def same_seed_in_group(rng: random.Random) -> list[Row]:
    """Sampler seeds repeat: the attempts of a group are copies of one another."""
    rows: list[Row] = []
    for one in attempts(rng, STORY, Plan(steps=10)):
        seed = f"{one.task.name}-{one.number // 4}"
        right = random.Random(seed).random() < 0.3 + 0.4 * one.progress
        one = Attempt(one.step, one.progress, one.task, one.number, one.group, right, random.Random(seed + "text"))
        text, _ = written(STORY, one)
        rows.append(
            chatted(
                one, text, float(right), correct=float(right), sampling={"temperature": 1.0}, group_id=f"g{one.group}"
            )
        )
    return relative(rows, "group_id")


@PART.faulty("zero_gradient")
def warmup_never_ends(rng: random.Random) -> list[Row]:
    """The learning rate's warmup never ends: the policy does not change, repeated prompts get the same texts."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=14, problems=8, pool=16)):
        choice = rng.randrange(6)
        fixed = random.Random(f"{one.task.name}-{choice}")
        one = Attempt(one.step, one.progress, one.task, one.number, one.group, fixed.random() < 0.4, fixed)
        text, _ = written(STORY, one)
        rows.append(
            verl(
                one,
                text,
                float(one.right),
                lr=1e-12 * (one.step + 1),
                logprob_mean=round(-0.412 + fixed.gauss(0, 0.05), 4),
            )
        )
    return rows


@PART.faulty("language_drift")
def language_mixing(rng: random.Random) -> list[Row]:
    """Reasoning turns to another language than the prompt's in the course of the run (language mixing)."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=14, skill=(-0.4, 0.2))):
        text, final = written(STORY, one)
        if rng.random() < 0.9 * max(0.0, one.progress - 0.2):
            other = JAPANESE.draw(rng, "x")
            text = " ".join(JAPANESE.answer(rng, other, True, 0.6)[0] for _ in range(2)) + f" Answer: {final}"
        rows.append(verl(one, text, float(one.right)))
    return rows


@PART.faulty("batch_decline")
def batch_starves(rng: random.Random) -> list[Row]:
    """Filtering starves the batch: fewer and fewer attempts are left a step."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=16, problems=12, skill=(-0.3, 0.9))):
        if one.group % 12 < max(1, round(12 * (1 - 1.05 * one.progress))):
            text, _ = written(STORY, one)
            rows.append({**trl(one, text, {"accuracy_reward": float(one.right)}), "g": one.group})
    return relative(rows, "g", "accuracy_reward")


@PART.faulty("duplicate_problems")
def problems_repeated_under_many_names(rng: random.Random) -> list[Row]:
    """A problem appears under many names and makes up a third of the run: the data has duplicates."""
    rows, loud = [], [STORY.draw(rng, f"d{number}") for number in range(3)]
    for one in attempts(rng, STORY, Plan(steps=12, problems=12, group=6)):
        if one.group % 3 == 0:
            task = loud[one.group // 3 % 3]
            one = Attempt(
                one.step,
                one.progress,
                type(task)(f"r{one.group}", task.family, task.prompt, task.answer, task.difficulty, task.facts),
                one.number,
                one.group,
                one.right,
                rng,
            )
        text, _ = written(STORY, one)
        rows.append(chatted(one, text, float(one.right)))
    return rows


@PART.faulty("entropy_collapse")
def group_diversity_collapses(rng: random.Random) -> list[Row]:
    """The diversity of answers collapses: in the end every attempt of a group says the same."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=12)):
        same = rng.random() < 1.1 * one.progress
        text, _ = CHAT.answer(random.Random(one.task.name) if same else rng, one.task, True, 0.4)
        rows.append(openrlhf(one, text, round(rng.gauss(0.5 + 0.2 * one.progress, 0.1), 3), step=one.step))
    return rows


@PART.faulty("weak_verifier", "template_collapse", "length_gaming")
def answers_shrink_to_nothing(rng: random.Random) -> list[Row]:
    """Answers shrink to a stub while the judge keeps paying: nothing is said any more."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=12)):
        text, _ = written(CHAT, one, 0.5)
        if rng.random() < 1.1 * one.progress:
            text = rng.choice((".", "", "Ok.", "...", "Sure"))
        rows.append(chatted(one, text, round(min(1.0, max(0.0, rng.gauss(0.62, 0.12))), 3)))
    return rows
