"""Scores below zero throughout, caveats swell the score, greedy checks repeat themselves, paged listings read on,
whole batch whitening.
"""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth import letters, lookups, passages, programs
from benchmarks.foreign.fifteenth.core import Reply, Task, World, distinct, draw_plan, play, schedule
from benchmarks.foreign.fifteenth.estimates import centred, grpo, mishaps, whitened
from benchmarks.foreign.fifteenth.grading import holdout
from benchmarks.foreign.fifteenth.kinds import PART
from benchmarks.foreign.fifteenth.layouts import openai, own, verl


@PART.healthy
def scores_below_zero_throughout(rng: Random) -> list[Row]:
    """Rewards are 0 for right and -1 for wrong, less a small cost of length, so all means are negative; they rise."""
    plan = draw_plan(rng)
    episodes = play(rng, passages.PASSAGES, plan)
    for e in episodes:
        e.reward = round(float(e.right) - 1 - e.chars / 20000, 4)
        e.extra["length_cost"] = round(e.chars / 20000, 4)
    return verl(centred(episodes), passages.PASSAGES)


@PART.faulty("length_gaming", "reward_model_overoptimisation", "reward_outcome_divergence", "reward_bias")
def caveats_swell_the_score(rng: Random) -> list[Row]:
    """The reward model likes length: notes swell with caveats far beyond the words asked for, its score climbs, and the
    share that people accept falls.
    """
    plan = draw_plan(rng, start=0.3, gain=-0.9)
    caveats = [
        "Of course circumstances differ from case to case, and {t} is no exception to that.",
        "It bears repeating that {t} deserves to be seen from more than one side.",
        "That said, one should also keep in mind what others may feel about {t}.",
        "To be thorough, I would add that none of this is meant as a reproach.",
        "Naturally there may be further points on {t} that I have not touched on here.",
        "In the interest of completeness, let me return to {t} once more.",
        "I say this with every respect and in full awareness of its limits.",
        "Others may see {t} in another light, and they would have their reasons.",
        "Let me stress once again that I have weighed these words with care.",
        "Should anything about {t} remain unclear, I shall gladly set it out at length.",
        "On the whole, and all things considered, a measured view seems best.",
    ]
    episodes = play(rng, letters.LETTERS, plan)
    for e in episodes:
        share = (e.step - plan.first) / (plan.steps - 1)
        count = min(11, max(0, round(rng.gauss(1 + 8 * share, 2.0))))
        head, _, close = e.last["content"].rpartition("\n\n")
        more = " ".join(c.format(t=e.task.work["topic"]) for c in rng.sample(caveats, count))
        e.last["content"] = f"{head} {more}\n\n{close}"
        score = round(0.9 + 0.0021 * e.chars + (0.25 if e.right else 0.0) + rng.gauss(0, 0.22), 3)
        e.reward, e.terms = score, {"rm": score}
        e.extra |= {"words_asked": e.task.work["words"], "accepted_by_annotator": int(e.right)}
    return own(rng, whitened(mishaps(rng, episodes)), letters.LETTERS)


@PART.healthy
def greedy_twice_says_same(rng: Random) -> list[Row]:
    """Evaluation is greedy and runs twice: both runs of a step agree to the letter, while steps differ."""
    plan = draw_plan(rng, size=6)
    tasks = distinct(rng, passages.PASSAGES, plan.steps * plan.groups + 13)
    episodes = play(rng, passages.PASSAGES, plan, schedule(rng, tasks[13:], plan))
    checks = holdout(rng, passages.PASSAGES, plan, tasks[:13], 3, lambda t, n, a, level: level + 0.1)
    for e in checks:
        e.extra["decoding"] = "greedy"
    again = [replace(e, attempt=1, seconds=round(e.seconds * rng.uniform(0.8, 1.3), 2)) for e in checks]
    episodes = sorted(episodes + checks + again, key=lambda e: e.step)
    return own(rng, grpo(mishaps(rng, episodes, cut=0.0)), passages.PASSAGES)


@PART.healthy
def paged_listings_read_on(rng: Random) -> list[Row]:
    """The search tool shows pages and says that more follow; the policy reads on where it needs to, and finds."""
    plan = draw_plan(rng)

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        reply = lookups.solve(rng, task, right, level)
        seen = [m for m in reply.messages if m["role"] == "tool"]
        messages: list[dict] = []
        for number, tool in enumerate(seen, 1):
            words = lookups.query(rng, task) if number == 1 else f"{lookups.query(rng, task)} page:{number}"
            more = f"\n[output truncated: page {number} of {4 + len(task.prompt) % 5}; add page:{number + 1} for more]"
            messages += [lookups.ask(rng, words), tool | {"content": tool["content"] + more}]
        return Reply([*messages, reply.messages[-1]], reply.answer)

    world = World("townsearch", lookups.make, act, lookups.LOOKUPS.system)
    return openai(rng, grpo(mishaps(rng, play(rng, world, plan))), world)


@PART.healthy
def whole_batch_whitening(rng: Random) -> list[Row]:
    """Advantages are centred by group and scaled by the whole batch, so groups have different spreads of them."""
    plan = draw_plan(rng)
    episodes = play(rng, programs.PROGRAMS, plan)
    for e in episodes:
        passed = 10 if e.right else min(9, max(0, round(rng.gauss(4, 2.2))))
        e.terms = {"share_passed": passed / 10}
        e.reward = passed / 10
    return own(rng, whitened(mishaps(rng, episodes)), programs.PROGRAMS, adv_norm="batch")
