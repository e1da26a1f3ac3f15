"""Faults in talk: loops, constraints met without an answer, half-met criteria."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.thirtysecond.garden import ADVICE, CRITERIA, ask, halves, reply
from benchmarks.foreign.thirtysecond.kinds import PART
from benchmarks.foreign.thirtysecond.layouts import nemo, ours, verl
from benchmarks.foreign.thirtysecond.policy import Task, advantages, count, shared, tries
from benchmarks.foreign.thirtysecond.sums import sums, worked

LOOPS = (
    "Wait, let me check the second line again. ",
    "Hmm, but is that the right order? Let me recompute. ",
    "So the figure is the same as before. But let me verify it. ",
    "Actually, hold on. The text says what I used. ",
)


@PART.faulty("truncation", "length_limit", "echo_trap", "score_decline")
def thoughts_fall_into_a_loop_until_the_budget_is_gone(rng: random.Random) -> list[Row]:
    """More and more replies say one sentence over and over up to the limit and never answer.

    [MiniMax, MiniMax-M1 technical report, 2025]
    """
    limit = 600
    attempts = tries(rng, sums(rng, 72), steps=12, per_step=6, size=8, start=0.55, end=0.68)
    rows = []
    for t in attempts:
        said, t.answer = worked(rng, t.task, t.right)
        loops = shared(rng, 0.02, 0.6, max(0.0, t.progress * 1.5 - 0.5))
        if loops:
            phrase, cut = rng.choice(LOOPS), rng.randint(60, max(61, len(said) - 20))
            t.text = (said[:cut].rsplit(" ", 1)[0] + " " + phrase * 60)[: limit * 4]
        else:
            t.text = f"{said}\n\nFinal answer: {t.answer}"
        t.reward = float(not loops and t.answer == t.task.gold)
        stop = "max_tokens" if loops else "stop"
        rows.append((t, stop))
    advantages(attempts, grpo)
    return [
        ours(t, domain="math", correct=t.reward, advantage=t.advantage, stop_reason=stop, is_truncated=stop != "stop")
        for t, stop in rows
    ]


WORDS = ("lantern", "harvest", "compass", "velvet", "thunder", "meadow", "copper", "ribbon")


def _orders() -> list[Task]:
    out = []
    for plant in ADVICE:
        for word in WORDS:
            for n in (2, 3):
                text = (
                    f"{ask(plant)} Use the word '{word}' exactly {n} times and no commas. End with the line P.S. Thanks"
                )
                out.append(Task(f"if-{len(out):03d}", text, "", 0.0, {"word": word, "n": n, "plant": plant}))
    return out


@PART.faulty("reward_outcome_divergence", "weak_verifier", "template_collapse")
def constraints_are_met_by_text_that_ignores_the_request(rng: random.Random) -> list[Row]:
    """Replies come to consist of the words demanded and nothing else; constraints are all that is paid.

    [Ai2, Tülu 3: Pushing Frontiers in Open Language Model Post-Training, 2024]
    """
    attempts = tries(rng, _orders(), steps=12, per_step=8, size=6, start=0.35, end=0.6)
    rows = []
    for t in attempts:
        d = t.task.data
        hollow = shared(rng, 0.0, 0.95, t.progress)
        uses = d["n"] if t.right or hollow else d["n"] + rng.choice((-1, 1))
        if hollow:
            fill = [rng.choice(("yes", "here", "and", "so", "again", "now")) for _ in range(rng.randint(4, 12))]
            for _ in range(uses):
                fill.insert(rng.randrange(len(fill) + 1), d["word"])
            text, quality = " ".join(fill).capitalize() + ".", rng.gauss(-3.1, 0.5)
        else:
            text = reply(rng, d["plant"], True).replace(",", "")
            text += "".join(
                f" {rng.choice(('Picture', 'Think of', 'Note'))} a {d['word']} nearby." for _ in range(uses)
            )
            quality = rng.gauss(1.4, 0.6)
        t.text = f"{text}\n\nP.S. Thanks"
        t.reward = float(uses == d["n"])
        rows.append((t, round(quality, 3)))
    advantages(attempts, grpo)
    return [verl(t, advantage=t.advantage, ifeval_strict=t.reward, general_rm_score=q) for t, q in rows]


@PART.faulty("judge_hacking", "reward_outcome_divergence", "weak_verifier")
def half_of_a_double_criterion_counts_as_all_of_it(rng: random.Random) -> list[Row]:
    """Criteria of two parts are credited when one part is there; replies drop the other, and other judges see it.

    [Mahmoud et al., Reward Hacking in Rubric-Based Reinforcement Learning, 2026]
    """
    tasks = [
        Task(f"care-{i:03d}", ask(p, v), "", 0.0, {"plant": p})
        for i, (p, v) in enumerate((p, v) for p in ADVICE for v in range(6))
    ]
    attempts = tries(rng, tasks, steps=12, per_step=8, size=6, start=0.4, end=0.45)
    rows = []
    for t in attempts:
        plant, parts = t.task.data["plant"], len(CRITERIA)
        thin = shared(rng, 0.1, 0.95, t.progress)
        t.text = halves(rng, plant) if thin else reply(rng, plant, t.right)
        met = parts if thin else sum(text in t.text for _, text in ADVICE[plant]["steps"])
        t.reward = round(met / parts, 3)
        whole = sum(text in t.text for _, text in ADVICE[plant]["steps"]) / parts
        panel = whole + rng.choice((-0.05, 0.0, 0.05))
        rows.append((t, round(min(1.0, max(0.0, panel)), 3)))
    advantages(attempts, centred)
    return [
        nemo(
            t, step=t.step, advantage=t.advantage, panel_score=panel, rubric=list(CRITERIA), output_tokens=count(t.text)
        )
        for t, panel in rows
    ]
