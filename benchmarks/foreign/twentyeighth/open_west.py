"""Thoughts that a template drops, ratios that are masked, a cooler validation, slow programs."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import choices, sums
from benchmarks.foreign.twentyeighth.credit import by_group, centred, grpo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import openai, own
from benchmarks.foreign.twentyeighth.rollouts import Shape, Task, fresh, play, say, train


def _lesson(rng: Random, number: int) -> Task:
    task = sums.aufgabe(rng, number)
    earlier: list[dict] = []
    for n in range(rng.choice([1, 1, 2, 3])):
        before = sums.aufgabe(rng, n)
        earlier += [
            say("user", before.prompt),
            say("assistant", f"{' und '.join(before.data['steps'])}. Antwort: {before.gold}"),
        ]
    task.data["history"] = earlier
    return task


def _thinking(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    text = sums.gerechnet(rng, task, right, progress)[0]["content"]
    return [
        say(
            "assistant",
            (
                f"<think>\n{rng.choice(['Neue Aufgabe, gleiche Art.', 'Mal sehen.', 'Also:'])} "
                f"{text}\n</think>\n\n{text.splitlines()[-1]}"
            ),
        )
    ]


@PART.healthy
def thoughts_dropped_from_history(rng: Random) -> list[Row]:
    """Earlier turns of the assistant in the prompt have no thoughts while the sampled one has: the template drops them
    from history by design. [verl-project/verl#6854]
    """
    episodes = train(rng, _lesson, _thinking, Shape(rng.randint(8, 10), 7, 6, -0.4, 1.8))
    for e in episodes:
        for m in [*e.task.data["history"], *e.messages]:
            m["weight"] = 0
        e.messages[-1]["weight"] = 1
        e.extra = {"ground_truth": e.task.gold, "accuracy": e.reward, "turns_before": len(e.task.data["history"]) // 2}
    return openai(by_group(episodes, grpo), "Du bist eine geduldige Lehrkraft.")


@PART.healthy
def sequence_ratio_mask_active(rng: Random) -> list[Row]:
    """Small differences between the kernels of sampler and trainer add up over a sequence; the few whose ratio leaves
    the cap are masked, as configured. [huggingface/trl#4772]
    """
    episodes = by_group(train(rng, sums.story, sums.worked, Shape(rng.randint(10, 12), 6, 8, -0.6, 1.9)), grpo)
    for e in episodes:
        difference = rng.gauss(0, 0.024)
        ratio = math.exp(difference * e.tokens)
        e.in_loss = ratio <= 3.0
        e.terms = {"accuracy": e.reward}
        e.extra = {
            "sampling_logp_mean": e.logprob,
            "trainer_logp_mean": round(e.logprob + difference, 5),
            "sequence_is_ratio": round(ratio, 4),
            "vllm_importance_sampling_cap": 3.0,
            "masked_by_is": not e.in_loss,
        }
    return own(episodes, "trl-sequence-mask")


@PART.healthy
def near_greedy_validation_higher(rng: Random) -> list[Row]:
    """Validation is sampled nearly greedily and training at temperature 1, so accuracy on held questions lies above
    that of training at every step. [NVIDIA-NeMo/RL#3401]
    """
    shape = Shape(rng.randint(9, 11), 6, 8, -0.8, 1.8)
    episodes = by_group(train(rng, choices.question, choices.answered, shape), centred)
    held = fresh(rng, choices.question, Shape(1, 24, 1))[0]
    for task in held:
        task.key = "val-" + task.key
    cool = Shape(shape.steps, 24, 1, shape.start + 0.7, shape.gain)
    validation = [e for e in play(rng, [held] * shape.steps, choices.answered, cool) if e.step % 3 == 0]
    for e in episodes + validation:
        is_held = e.task.key.startswith("val-")
        e.split, e.in_loss = ("validation", False) if is_held else ("train", True)
        e.extra = {"temperature": 0.2 if is_held else 1.0, "top_p": 0.9 if is_held else 1.0}
        e.terms = {"accuracy": e.reward}
    return own(sorted(episodes + validation, key=lambda e: e.step), "nemo-science")


def _large(rng: Random, number: int) -> Task:
    gap, size = rng.randint(2, 99), rng.choice([100_000, 200_000, 500_000])
    name = rng.choice(["pairs", "matches", "couples"]) + f"_at_distance_{gap}"
    text = (
        f"Write `{name}(xs)`: the number of pairs i < j with xs[j] == xs[i] + {gap}. "
        f"len(xs) is at most {size}; the limit is {rng.choice([2, 3, 5])} seconds."
    )
    return Task(f"perf-{number:04d}", text, "linear", rng.gauss(0, 0.8), "pairs", {"name": name, "gap": gap})


def _fast_or_slow(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    name, gap = task.data["name"], task.data["gap"]
    fast = (
        f"from collections import Counter\n\ndef {name}(xs):\n    seen, found = "
        f"Counter(), 0\n    for x in xs:\n        found += seen[x - {gap}]\n        "
        "seen[x] += 1\n    return found"
    )
    slow = (
        f"def {name}(xs):\n    n = len(xs)\n    return sum(xs[j] == xs[i] + {gap} for i "
        "in range(n) for j in range(i + 1, n))"
    )
    odd = f"def {name}(xs):\n    return sum((x + {gap}) in set(xs) for x in xs)"
    body = fast if right else slow if rng.random() < 0.65 else odd
    lead = rng.choice(
        [
            "Counting as we go.",
            "Check the pairs.",
            "A single pass?",
            "Straight from the definition.",
            "Think about the size first.",
        ]
    )
    return [say("assistant", f"{lead}\n```python\n{body}\n```")]


@PART.healthy
def slow_programs_timed_out(rng: Random) -> list[Row]:
    """Many attempts end as out of time with reward 0, always those with two nested loops over a large input: the limit
    is part of the task, and they become fewer. [codewars/runner#183]
    """
    episodes = train(rng, _large, _fast_or_slow, Shape(rng.randint(9, 11), 6, 8, -0.9, 2.4))
    for e in episodes:
        late = "range(i + 1, n)" in e.text
        result = (
            f"Time limit exceeded on test {rng.randint(7, 9)} of 10"
            if late
            else "10 of 10 passed"
            if e.right
            else f"Wrong answer on test {rng.randint(2, 6)} of 10"
        )
        e.terms = {"all_tests": e.reward}
        e.extra = {"result": result, "run_seconds": round(rng.uniform(3.0, 5.2) if late else rng.uniform(0.1, 0.9), 2)}
    return own(by_group(episodes, grpo), "perf-code")
