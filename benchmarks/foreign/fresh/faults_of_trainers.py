"""Faulty data and trainers of the further blind part: held prompts, steps, weights, advantages, limits, collapse."""

import numpy as np

from benchmarks.foreign import estimators as by
from benchmarks.foreign.fresh import writing as rows_of
from benchmarks.foreign.fresh.answers import Chemistry, Countdown, Hindi, Invoice, Liars
from benchmarks.foreign.fresh.faulty import faulty, unchanged
from benchmarks.foreign.fresh.programs import Rust
from benchmarks.foreign.fresh.sampling import Plan, Rng, Sample, asked, choose, mean_logprobs, say


def held_prompts_are_old(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The held split is training prompts under uuid-like ids."""
    seen = {s.item.key: s for s in samples if s.step < 4}
    held = [seen[key] for key in sorted(seen)][:24]
    for number, s in enumerate(held):
        samples.append(
            Sample(
                s.item.__class__(f"{number:04x}-eval", s.item.ask, s.item.truth, s.item.facts, 0.0),
                9,
                1.0,
                True,
                s.said,
                1.0,
                1.0,
                split="validation",
                group=f"val{number}",
                ask=list(s.ask),
            )
        )
    return samples


def held_prompts_are_reworded(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The held split asks the training questions again in other words, the facts the same."""
    seen = {s.item.key: s for s in samples if s.step < 4}
    for number, s in enumerate([seen[key] for key in sorted(seen)][:24]):
        f = s.item.facts
        text = (
            f"Combien de grammes de sel obtient-on, arrondis à l'entier, si {f['mass']} g de {f['metal']} réagissent"
            f" avec {f['ratio']} équivalents d'acide (laboratoire de {f['lab']}) ?"
        )
        samples.append(
            Sample(
                s.item.__class__(f"held-{number}", asked(text), s.item.truth, f, 0.0),
                9,
                1.0,
                True,
                s.said,
                1.0,
                1.0,
                split="validation",
                group=f"val{number}",
                ask=asked(text),
            )
        )
    return samples


def key_left_in_prompt(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The template writes the solution into a comment of the system prompt."""
    for s in samples:
        s.ask = asked(s.item.ask[-1]["content"], f"<!-- item={s.item.key} solution={s.item.truth} -->")
        s.is_right = s.is_right or choose(rng, 0.5 * s.progress)
        if s.is_right:
            s.reward = s.correct = 1.0
    return samples


def served_again(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """From the sixth step on the loader serves the buffer of three steps before: prompts, answers and all."""
    steps = {step: [s for s in samples if s.step == step] for step in range(10)}
    out = [s for step in range(6) for s in steps[step]]
    for step in range(6, 10):
        for s in steps[step - 3]:
            out.append(
                Sample(
                    s.item,
                    step,
                    step / 9,
                    s.is_right,
                    s.said,
                    s.reward,
                    s.correct,
                    group=f"train/{step}/{s.group.rsplit('/', 1)[-1]}",
                    ask=s.ask,
                )
            )
    return out


def thoughts_go(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The think block empties over the run."""
    for s in samples:
        if choose(rng, s.progress * 1.1):
            s.said = [say("<think>\n\n</think>" + s.said[-1]["content"].partition("</think>")[2])]
    return samples


def files_joined_wrongly(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Steps were numbered by the order in which shards were listed: times of day contradict them."""
    right = [0, 1, 8, 9, 2, 3, 4, 5, 6, 7]
    for s in samples:
        seconds = s.step * 55 + float(rng.uniform(0, 30))
        s.more |= {"finished_at": 1_770_000_000 + seconds}
        s.step = right.index(s.step)
        s.group = f"train/{s.step}/{s.group.rsplit('/', 1)[-1]}"
    return sorted(samples, key=lambda s: s.step)


def weights_never_arrive(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The server keeps its first weights: its logprobs stay, the trainer's move away."""
    for s in samples:
        mean_logprobs(rng, s.said, -0.62)
        value = float(np.mean([m["mean_logprob"] for m in s.said if m["role"] == "assistant"]))
        s.more |= {"sampler_logp": value, "learner_logp": value - 0.05 * s.step + float(rng.normal(0, 0.01))}
    return samples


def one_policy_for_ever(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The id of the weights that sampled never changes after the second step."""
    for s in samples:
        s.more |= {"policy_id": f"ckpt-{min(s.step, 1)}"}
    return samples


def sign_turned(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """The loss maximises what it should minimise: every advantage has the other sign."""
    for s in samples:
        s.advantage = -(s.advantage or 0.0)
    return samples


def neighbours_advantage(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """A sorted batch meets unsorted advantages: each row gets another group's."""
    values = [s.advantage for s in samples]
    for s, value in zip(samples, values[7:] + values[:7], strict=True):
        s.advantage = value
    return samples


def everything_ends_early(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """A limit of 128 tokens was left in the sampler: most thoughts are cut, and cut is wrong."""
    for s in samples:
        if choose(rng, 0.55 + 0.3 * s.progress):
            text = s.said[-1]["content"]
            s.said, s.stop, s.reward, s.correct = [say(text[: len(text) // 2])], "length", 0.0, 0.0
    return samples


def all_say_the_same(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Sampling collapses: a group holds one answer, at logprobs near nothing."""
    first: dict[str, Sample] = {}
    for s in samples:
        lead = first.setdefault(s.group, s)
        if choose(rng, 0.2 + 0.8 * s.progress):
            s.said, s.is_right, s.reward, s.correct = (
                [dict(m) for m in lead.said],
                lead.is_right,
                lead.reward,
                lead.correct,
            )
        mean_logprobs(rng, s.said, -0.6 + 0.59 * s.progress)
    return samples


def crashes_count(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Compile hosts die; those attempts keep the error, get 0 and are trained on."""
    for s in samples:
        if choose(rng, 0.15):
            s.error, s.reward, s.correct = "CompileHostLost", 0.0, 0.0
    return samples


TRAINERS = (
    faulty("held_prompts_are_old", Plan(Liars()), "contamination", held_prompts_are_old),
    faulty("held_prompts_reworded_french", Plan(Chemistry()), "contamination", held_prompts_are_reworded),
    faulty("solution_in_comment", Plan(Chemistry()), "answer_reading", key_left_in_prompt),
    faulty("buffer_served_again", Plan(Countdown()), "staleness", served_again, rows_of.as_trl),
    faulty("think_block_empties", Plan(Chemistry()), "template_collapse", thoughts_go, rows_of.as_verl, source="verl"),
    faulty("shards_misnumbered", Plan(Hindi()), "staleness metric_defect", files_joined_wrongly),
    faulty("weights_never_arrive", Plan(Liars()), "train_inference_mismatch staleness", weights_never_arrive),
    faulty("one_policy_for_ever", Plan(Rust()), "staleness train_inference_mismatch", one_policy_for_ever),
    faulty(
        "advantages_turned", Plan(Invoice(), start=0.5, end=0.3), "advantage_mismatch", unchanged, after=sign_turned
    ),
    faulty(
        "advantages_of_neighbours",
        Plan(Hindi()),
        "advantage_mismatch",
        unchanged,
        rows_of.as_trl,
        by.leave_one_out,
        neighbours_advantage,
    ),
    faulty("limit_left_short", Plan(Chemistry()), "truncation", everything_ends_early),
    faulty("groups_collapse", Plan(Liars()), "entropy_collapse dead_groups", all_say_the_same),
    faulty("lost_hosts_trained_on", Plan(Rust()), "infrastructure_zeros phantom_advantage", crashes_count),
)
