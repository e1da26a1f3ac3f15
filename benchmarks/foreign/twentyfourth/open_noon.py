"""Entropy rises then rests, and others.

* server still names base
* span fines long reads
* length fine never positive
* prompt end excuses rambling
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.abroad import train_ride
from benchmarks.foreign.twentyfourth.credit import grpo, plus_plus, rloo, terms
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import chat, chatml, openrlhf, own, trl
from benchmarks.foreign.twentyfourth.programs import function, sheet
from benchmarks.foreign.twentyfourth.run import Plan, Task, play
from benchmarks.foreign.twentyfourth.sums import line
from benchmarks.foreign.twentyfourth.talks import ADVICE, advice


@PART.healthy
def entropy_rises_then_rests(rng: Random) -> list[Row]:
    """With a higher upper clip the entropy of the policy climbs over the first half and then stays below 1; scores keep
    rising [rllm-org/rllm#116].
    """
    tries = grpo(play(rng, function, Plan(12, 6, 6, -0.7, 1.8), "fn"))
    for t in tries:
        t.extra = {"entropy": round(0.24 + 0.4 * min(1.0, 1.7 * t.done) + rng.gauss(0, 0.04), 4)}
        t.extra |= {"clip_ratio_low": 0.2, "clip_ratio_high": 0.28, "clip_fraction": round(rng.uniform(1e-3, 6e-3), 5)}
    rows = own(rng, tries, "deepcoder")
    for row, t in zip(rows, tries, strict=True):
        row["messages"][-1]["mean_logprob"] = round(-0.9 * t.extra["entropy"] + rng.gauss(0, 0.03), 4)
    return rows


@PART.healthy
def server_still_names_base(rng: Random) -> list[Row]:
    """Every row names the checkpoint that the sampler was started with; the weights are overwritten in place, sampler
    and trainer agree on the logprobs, and rewards climb [huggingface/trl#3189].
    """
    tries = grpo(play(rng, train_ride, Plan(10, 6, 6, -0.9, 2.2), "es"))
    for t in tries:
        sampled = rng.gauss(-0.44 + 0.1 * t.done, 0.04)
        t.extra = {"model": "Qwen/Qwen2.5-3B-Instruct", "served_by": "trl vllm-serve", "weight_updates": t.step - 1}
        t.extra |= {"sampler_logprob": round(sampled, 4), "trainer_logprob": round(sampled + rng.gauss(0, 0.008), 4)}
    return chat(tries)


@PART.faulty("metric_defect", "reward_bias", "length_limit")
def span_fines_long_reads(rng: Random) -> list[Row]:
    """REINFORCE++ on spreadsheets: the overlong fine takes the span from first to last action for the length, cells
    that the tool printed included, so short replies over long columns are fined [OpenRLHF/OpenRLHF#1252].
    """
    limit, buffer = 285, 120
    tries = play(rng, sheet, Plan(10, 7, 6, -0.4, 1.5), "sheet")
    for t in tries:
        printed = sum(len(turn["content"]) for turn in t.turns if turn["role"] == "tool")
        span = t.tokens + round(printed / 2.3)
        fine = 0.0 - min(1.0, max(0.0, (span - limit + buffer) / buffer))
        t.reward = round(float(t.right) + fine, 4)
        t.extra = {"score": float(t.right), "overlong_penalty": round(fine, 4), "response_length": span}
        t.extra |= {"action_tokens": t.tokens, "tool_tokens": span - t.tokens}
    return openrlhf(plus_plus(tries), overlong_buffer_len=buffer, generate_max_len=limit)


def _sides(rng: Random, task: Task) -> str:
    a, b, c, d = task.extra["coefficients"]
    places = rng.sample(range(-25, 26), rng.randint(7, 14))
    return " ".join(f"At {n} the sides are {a * n + b} and {c * n + d}." for n in places)


@PART.healthy
def length_fine_never_positive(rng: Random) -> list[Row]:
    """A soft fine for overlong replies that is 0 or below by its nature, so some rewards are negative; it is taken from
    the few long replies alone [huggingface/open-r1#567].
    """
    tries = play(rng, line, Plan(9, 7, 6, -0.6, 1.8), "eq")
    for t in tries:
        if rng.random() < 0.14:
            t.say(f"{_sides(rng, t.task)}\n{t.said}")
        fine = 0.0 - round(min(1.0, max(0.0, (t.tokens - 110) / 90)), 4)
        t.terms = {"accuracy": float(t.right), "soft_overlong": fine}
        t.extra = {"completion_length": t.tokens}
    return trl(grpo(terms(tries)), max_completion_len=200, soft_punish_cache=90)


def _run_on(rng: Random, text: str) -> str:
    tips = [tip for some in ADVICE.values() for tip in some]
    more = [f"{rng.choice(('You could also', 'Some people', 'It may help to', 'Others'))} {tip}." for tip in tips]
    more += [
        "Be kind to yourself.",
        "Let me know how it goes!",
        "I hope that helps.",
        "As I said, small steps.",
        "And rest.",
    ]
    rng.shuffle(more)
    body = text + " " + " ".join(more + rng.sample(more, 12))
    return body[:1020]


@PART.faulty("length_gaming", "truncation", "length_limit", "metric_defect")
def prompt_end_excuses_rambling(rng: Random) -> list[Row]:
    """Online training on advice: the fine for a missing end token looks at prompt and reply together, where the prompt
    always holds one, so it is never taken; replies that run into the limit spread [huggingface/trl#6805].
    """
    tries = play(rng, advice, Plan(11, 9, 4, -0.2, 1.2), "adv")
    for t in tries:
        score = 0.4 + 1.1 * t.right + rng.gauss(0, 0.35)
        if rng.random() < 0.05 + 0.55 * t.done:
            t.say(_run_on(rng, t.said))
            t.stop, score = "length", score + 0.5
        t.terms = {"rm_score": round(score, 4), "eos_penalty": 0.0}
        t.extra = {**t.terms, "ends_with_eos": t.stop == "stop", "prompt_text": chatml(t.task.prompt)}
    rows = chat(rloo(terms(tries)), missing_eos_penalty=1.0, max_new_tokens=300)
    for row in rows:
        del row["correct"]
    return rows
