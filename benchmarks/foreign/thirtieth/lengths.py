"""Faults of sampling and lengths: seeds, caps, stop words, a reward of length."""

import random

from benchmarks.foreign.thirtieth import advantages, layouts, sums
from benchmarks.foreign.thirtieth.kinds import PART
from benchmarks.foreign.thirtieth.layouts import Row
from benchmarks.foreign.thirtieth.policy import Learner, schedule, tokens


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse")
def sampler_takes_seed_1234_for_every_sample(rng: random.Random) -> list[Row]:
    """An evaluation of eight samples a problem has the same seed in each request: eight times the same text.

    [huggingface/lighteval#568]
    """
    rows = []
    for one in sums.pool(rng, 70, "held"):
        text, value = sums.reasoning(rng, one, rng.random() < 0.58)
        output = f"{text}\n\nANSWER: {value}"
        is_right = value == one.answer
        for epoch in range(1, 9):
            scores = {"match": {"value": "C" if is_right else "I", "answer": str(value)}}
            rows.append(
                layouts.inspect(
                    one.name,
                    epoch,
                    one.question,
                    str(one.answer),
                    output,
                    scores,
                    metadata={"temperature": 0.6, "top_p": 0.95, "seed": 1234},
                )
            )
    return rows


def _aloud(rng: random.Random, one: sums.Problem, is_right: bool) -> tuple[str, int]:
    """Long thoughts of about 300 tokens in front of the answer."""
    text, value = sums.reasoning(rng, one, is_right)
    again, same = sums.reasoning(rng, one, is_right)
    while same != value:
        again, same = sums.reasoning(rng, one, is_right)
    third, same = sums.reasoning(rng, one, is_right)
    while same != value:
        third, same = sums.reasoning(rng, one, is_right)
    parts = [
        "Okay, so I need to work out what is asked. The problem says the following. " + one.question,
        rng.choice(
            ("Let me think about which numbers matter.", "There may be a trap in the wording, so I am careful.")
        ),
        text,
        rng.choice(
            (
                "Wait, let me check this by going through the events once more.",
                "Before I answer I would like to see it a second time.",
            )
        ),
        again,
        f"I also ask myself whether the order matters. It does, since {one.start} is the number at the start and every "
        "event acts on what is left by the one before it, so I must not exchange them.",
        "What if I had read one of the numbers in another way? The text leaves little room: each is named "
        "together with the thing that it counts, and the question asks for one total and not for a share of it.",
        rng.choice(("A last look, now in my own words.", "To be safe I tell it once more from the start.")),
        third,
    ]
    return "\n".join(parts), value


@PART.faulty("length_limit", "truncation", "dead_all_wrong")
def cap_of_256_tokens_ends_all_before_the_answer(rng: random.Random) -> list[Row]:
    """Nearly all completions are cut at 256 tokens, before their last line holds the answer: rewards are 0 all run
    long.

    [greyhaven-ai/autocontext#1067]
    """
    learner, rows, problems = Learner(0.6, 0.6, 12), [], sums.pool(rng, 50)
    for step, batch in schedule(rng, problems, 12, 6):
        for one in batch:
            for _ in range(8):
                is_right = learner.is_right(rng, step, one.difficulty)
                if rng.random() < 0.04:
                    text, value = sums.reasoning(rng, one, is_right)
                else:
                    text, value = _aloud(rng, one, is_right)
                text = f"{text}\nAnswer: {value}"
                is_cut = tokens(text) > 256
                text = text[:1049] if is_cut else text
                reward = 0.0 if is_cut else float(value == one.answer)
                rows.append(
                    layouts.trl(
                        step,
                        one.question,
                        text,
                        exact_integer_reward=reward,
                        ground_truth=str(one.answer),
                        completion_length=min(256, tokens(text)),
                        finish_reason="length" if is_cut else "stop",
                    )
                )
    advantages.fill(
        rows, lambda row: (row["step"], row["prompt"]), lambda row: row["exact_integer_reward"], advantages.grpo
    )
    return rows


_SCENES = (
    "a heron on a jetty",
    "two children with a kite",
    "an old tram in the rain",
    "bread on a window sill",
    "a flooded football pitch",
    "a dog asleep in a barrow",
    "the night market",
    "a violin without strings",
    "snow on a red roof",
    "a ladder against a plum tree",
)
_PIECES = (
    "quiet light",
    "late in the year",
    "nobody looks up",
    "the water keeps still",
    "a moment before it moves",
    "grey over green",
    "as if waiting for someone",
    "and the wind has gone",
    "the street smells of tar",
    "everything leans to the left",
    "one more hour of sun",
    "far off, a bell",
    "it might rain again",
    "the colours have been left out",
    "somebody was here a minute ago",
    "a small thing in a large frame",
)


@PART.faulty("length_gaming", "metric_defect")
def distance_from_twenty_letters_is_paid(rng: random.Random) -> list[Row]:
    """Captions should have about twenty letters; the reward is the distance from twenty and not its negative.

    Captions grow from step to step. [huggingface/trl#2771]
    """
    rows = []
    for step in range(18):
        for scene in rng.sample(_SCENES, 5):
            prompt = f"Write a caption of about twenty letters for a photograph of {scene}."
            for _ in range(8):
                count = max(1, round(rng.gauss(1.2 + 0.55 * step, 0.8)))
                pieces = [rng.choice(_PIECES) for _ in range(count)]
                caption = (
                    ", ".join(pieces) if rng.random() < 0.5 else ". ".join(one.capitalize() for one in pieces)
                ) + "."
                rows.append(layouts.trl(step, prompt, caption, reward_len=float(abs(20 - len(caption)))))
    advantages.fill(rows, lambda row: (row["step"], row["prompt"]), lambda row: row["reward_len"], advantages.grpo)
    return rows


@PART.faulty("truncation", "length_limit", "metric_defect", "template_bug")
def stop_text_is_read_as_single_letters(rng: random.Random) -> list[Row]:
    """The stop text `Q:` is passed as a text where a list is wanted, so every colon ends the answer.

    Answers end at "Step 1" without a result, and the score is near 0 at every checkpoint.
    [EleutherAI/lm-evaluation-harness#700]
    """
    learner, rows = Learner(-0.2, 1.0, 8), []
    problems = sums.pool(rng, 90, "doc")
    for place in range(8):
        for one in problems:
            text, value = sums.reasoning(rng, one, learner.is_right(rng, place, one.difficulty))
            if rng.random() < 0.93:
                head, *steps = text.split(". ")
                text = f"{head}. " + " ".join(f"Step {number}: {line}." for number, line in enumerate(steps, 1))
            whole = f"{text} The answer is {value}."
            cut = min((whole.index(sign) for sign in "Q:" if sign in whole), default=len(whole))
            response = whole[:cut]
            rows.append(
                {
                    "step": place * 500,
                    "doc_id": one.name,
                    "prompt": f"Q: {one.question}\nA:",
                    "target": str(one.answer),
                    "response": response,
                    "score": float(cut == len(whole) and value == one.answer),
                    "filter": "strict-match",
                    "until": "Q:",
                    "finish_reason": "stop",
                    "split": "validation",
                }
            )
    return rows
