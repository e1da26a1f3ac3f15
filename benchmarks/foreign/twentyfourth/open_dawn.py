"""Judge silence scored nought, and others.

* many answer without searching
* brief failures pass the filter
* unrun programs fade away
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.credit import grpo, terms
from benchmarks.foreign.twentyfourth.desk import rebooking
from benchmarks.foreign.twentyfourth.finding import FIRST, builder, name
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import nemo, own, verl
from benchmarks.foreign.twentyfourth.programs import with_code
from benchmarks.foreign.twentyfourth.run import Plan, Task, by_group, play
from benchmarks.foreign.twentyfourth.sums import countdown, stall
from benchmarks.foreign.twentyfourth.voice import plain


@PART.faulty("judge_default", "infrastructure_zeros", "infrastructure_errors")
def judge_silence_scored_nought(rng: Random) -> list[Row]:
    """A service desk with a judge of manners at weight 0.3: any failure of the call to the judge, a timeout or a
    refused connection, is stored as a judge score of 0 [NVIDIA-NeMo/RL#2479].
    """
    tries = play(rng, rebooking, Plan(10, 6, 6, -0.5, 1.8), "desk")
    bad = set(rng.sample(range(2, 11), 5))
    for t in tries:
        score, seconds = round(min(1.0, rng.gauss(0.6 + 0.15 * t.done + 0.1 * t.right, 0.1)), 2), rng.uniform(1.4, 9.5)
        reply = f'{{"score": {score}}}'
        if t.step in bad and rng.random() < 0.58:
            score, reply = 0.0, ""
            seconds = rng.choice((60.0, 60.01, rng.uniform(0.01, 0.05)))
        t.terms = {"tau_reward": float(t.right), "judge_score": score}
        t.extra = {"judge_seconds": round(seconds, 2), "judge_reply": reply}
    terms(tries, tau_reward=0.7, judge_score=0.3)
    return own(rng, grpo(tries), "nemo-tau", judge_weight=0.3)


@PART.healthy
def many_answer_without_searching(rng: Random) -> list[Row]:
    """Only the outcome is rewarded, no format: at first half of the replies answer without a search, and the policy
    finds out by itself that searching pays [PeterGriffinJin/Search-R1#6].
    """
    tries = play(rng, builder, Plan(11, 6, 6, 0.0, 1.6), "nq")
    for t in tries:
        if rng.random() < 0.5 - 0.38 * t.done:
            t.right = False
            t.answer = f"{rng.choice(FIRST)} {name(rng)}" if rng.random() < 0.9 else "unknown"
            lead = rng.choice(("I think I remember this.", "No need to look it up.", f"Somebody from {name(rng)}."))
            t.turns = plain(f"<think>{lead}</think>\n<answer>{t.answer}</answer>")
            t.reward = 0.0
        t.extra = {"acc": t.reward, "num_searches": len(t.turns) // 2, "pred": t.answer}
    return verl(grpo(tries), data_source="harbour_nq")


def _ramble(rng: Random, task: Task) -> str:
    a, b, c, d = rng.sample(task.extra["numbers"], 4)
    target = task.extra["target"]
    return rng.choice(
        (
            f"What of {a} * {b} + {c}? That is {a * b + c}, and {d} is still left to be used somehow.",
            f"Suppose {a} + {b} comes first, {a + b}; times {c} this is {(a + b) * c}, which {d} does not mend.",
            f"Taking {a} - {b} = {a - b} as a factor, I would need a multiple of it near {target}.",
            f"I could also look at {target} + {d} = {target + d} and ask {a}, {b}, {c} for it.",
        )
    )


@PART.faulty("phantom_advantage", "length_gaming", "reward_outcome_divergence")
def brief_failures_pass_the_filter(rng: Random) -> list[Row]:
    """DAPO on the countdown game: groups are filtered by the reward after the overlong fine, so groups that are wrong
    throughout stay in, and short failures gain over long ones until replies shrink [NVIDIA-NeMo/RL#2431].
    """
    tries = play(rng, countdown, Plan(11, 8, 6, -1.5, -0.5), "cd")
    for t in tries:
        many = max(0, round(rng.gauss(8 - 4.8 * t.done, 2.4)))
        body, _, last = t.said.rpartition("\n")
        if rng.random() < 0.25 * t.done and not t.right:
            body = rng.choice(("No.", "Not clear.", ""))
        else:
            body = "\n".join((body, *(_ramble(rng, t.task) for _ in range(many))))
        t.say(f"{body}\n{last}".strip())
        fine = 0.0 - round(min(1.0, max(0.0, (t.tokens - 150) / 120)), 4)
        t.reward = float(t.right) + fine
        t.extra = {"raw_score": float(t.right), "overlong_penalty": fine}
    kept = [t for group in by_group(tries) if len({t.reward for t in group}) > 1 for t in group]
    return nemo(grpo(kept), use_dynamic_sampling=True, max_response_tokens=270, overlong_buffer=120)


@PART.healthy
def unrun_programs_fade_away(rng: Random) -> list[Row]:
    """A base model that adds programs nobody runs gives this up within a few steps: replies get a lot shorter while
    accuracy rises [hkust-nlp/simpleRL-reason#4].
    """
    tries = play(rng, stall, Plan(10, 6, 8, -0.9, 2.0), "stall")
    for t in tries:
        if rng.random() < 0.75 * (1 - t.done) ** 1.5 + 0.03:
            t.say(with_code(rng, t.said, t.answer))
        t.extra = {"acc": t.reward, "has_code": "```python" in t.said}
    return verl(grpo(tries), data_source="stall_gsm")
