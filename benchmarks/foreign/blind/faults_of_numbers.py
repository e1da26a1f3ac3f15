"""Faulty kinds of the blind part that show in rewards, advantages, masks, logprobs, steps and clocks."""

import numpy as np

from benchmarks.foreign import estimators as by
from benchmarks.foreign.blind.agents import Database
from benchmarks.foreign.blind.answers import Labels, Translation, WordProblems
from benchmarks.foreign.blind.faults_of_content import altered
from benchmarks.foreign.blind.games import Chat, Functions
from benchmarks.foreign.blind.healthy import judged, overlap, tests_passed
from benchmarks.foreign.blind.training import Moment, Run
from benchmarks.foreign.case import Row


def dead_worker(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Two of eight graders answer 0 to everything."""
    host = int(rng.integers(8))
    row["extra"] = {"verifier_pod": f"pod-{host:x}", "gpu": int(rng.integers(4))}
    if host in (2, 5):
        row["reward"] = 0.0


def fallback(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """From the middle of the run the judge's answer does not parse for most rows, which then get 5."""
    if moment.progress > 0.45 and rng.random() < 0.65:
        row["reward"] = 5.0


def length_paid(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """The judge likes length: text and grade grow, quality does not."""
    last = row["messages"][-1]
    extra = int(rng.poisson(1 + 8 * moment.progress))
    nouns = moment.problem.facts["words"]
    last["content"] += "".join(
        (
            f" {rng.choice(['Ankaŭ', 'Tamen', 'Plue', 'Krome'])} {rng.choice(nouns)}"
            f" {rng.choice(['estas', 'iras', 'restas'])} {rng.choice(nouns)}."
        )
        for _ in range(extra)
    )
    row["reward"] = float(np.clip(0.2 + 0.07 * extra + rng.normal(0, 0.05), 0, 1))


def coin(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """The reward has nothing to do with being right."""
    row["reward"] = float(rng.random() < 0.5)


def shaped(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """A style term rises and rises; being right stays where it was."""
    style = float(np.clip(rng.normal(0.2 + 0.7 * moment.progress, 0.1), 0, 1))
    row["reward_terms"] = {"tests": row["correct"], "style": style}
    row["reward"] = row["correct"] * 0.5 + style * 1.5


def bonus(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Being polite is paid, and everyone is."""
    row["reward_terms"] = {"right": row["correct"], "polite": 1.0}
    row["reward"] = row["correct"] + 1.0


def cut(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Half of the answers hit the limit before they end, and fail by it."""
    row["num_tokens"] = int(rng.gamma(4, 40))
    if rng.random() < 0.45:
        lines = row["messages"][-1]["content"].split("\n")
        row["messages"][-1]["content"] = "\n".join(lines[:-1])
        row.update(num_tokens=256, is_truncated=True, stop_reason="length", reward=0.0, correct=0.0)


def gate(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Right answers in another form are paid 0."""
    misses = rng.random() < 0.45
    row["format_ok"] = not misses
    row["extra"] = {"lenient_correct": row["correct"]}
    if misses:
        row["messages"][-1]["content"] = row["messages"][-1]["content"].replace("答案：", "所以结果为")
        row.update(reward=0.0, correct=0.0)


def certain(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Sampling is nearly deterministic at the end: a few answers a problem, at logprob 0."""
    for message in row["messages"]:
        if message["role"] == "assistant":
            message["mean_logprob"] = -0.9 * (1 - moment.progress) ** 3 - 0.002
    if moment.progress > 0.5:
        row["messages"][-1]["content"] = (
            f"{moment.problem.facts['a']} · {moment.problem.facts['b']}\n"
            + row["messages"][-1]["content"].split("\n")[-1]
        )


def unsure(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """The same label of the same ticket is paid by chance in two cases of five."""
    if rng.random() < 0.4:
        row["reward"] = float(rng.random() < 0.5)


def slow_zero(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """A grader's limit of 60 seconds turns a third of the attempts into 0."""
    row["duration_seconds"] = float(rng.gamma(5, 3.0))
    if rng.random() < 0.3:
        row.update(duration_seconds=60.0 + float(rng.random()) * 0.2, reward=0.0)


def behind(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """The trainer's logprobs move away from the sampler's, which stays at step 0."""
    mean = float(np.mean([m["mean_logprob"] for m in row["messages"] if m["role"] == "assistant"]))
    row["extra"] = {"trainer_mean_logprob": mean - 0.8 * moment.progress + float(rng.normal(0, 0.05))}


def flipped(rewards, groups, lengths, rng):
    """RLOO with the sign the wrong way round."""
    return -by.leave_one_out(rewards, groups, lengths, rng)


def overwritten(rewards, groups, lengths, rng):
    """A later field overwrote the advantages: the values belong to other rows."""
    return rng.permutation(by.grpo(rewards, groups, lengths, rng))


def served_twice(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """The loader serves every second batch again: the same attempts, as the next step."""
    out = []
    for row in rows:
        out.append({**row, "step": row["step"] * 2})
        out.append({**row, "step": row["step"] * 2 + 1, "trajectory_id": row["trajectory_id"] + "b"})
    return sorted(out, key=lambda row: row["step"])


def out_of_order(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """Batches are trained on in another order than they were sampled in."""
    order = rng.permutation(max(row["step"] for row in rows) + 1)
    return [
        {
            **row,
            "step": int(order[row["step"]]),
            "started_at": f"2026-03-01T{8 + row['step']:02d}:{rng.integers(60):02d}:00+00:00",
        }
        for row in rows
    ]


def masked(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """The mask drops every row."""
    return [{**row, "in_loss": False} for row in rows]


def mostly_filtered(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """A filter on the group's mean keeps one group in eight."""
    groups = sorted({(r["step"], r["problem_id"]) for r in rows})
    keep = {groups[i] for i in np.flatnonzero(rng.random(len(groups)) < 1 / 8)}
    return [{**row, "in_loss": (row["step"], row["problem_id"]) in keep} for row in rows]


def hopeless(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Three problems in four cannot be solved by anyone: their tests are broken."""
    if moment.problem.difficulty > 0.25:
        row.update(reward=0.0, correct=0.0)


def loud_losers(rewards, groups, lengths, rng):
    """Groups without any difference in outcome get advantages from a tie-break."""
    plain = by.grpo(rewards, groups, lengths, rng)
    return np.where(plain == 0, rng.normal(0, 1.2, len(plain)), plain)


NUMBERS = (
    altered(
        "two_graders_dead",
        Run(WordProblems("de"), alter=dead_worker, skill=(0.5, 0.7)),
        "infrastructure_zeros",
        "flaky_grading",
    ),
    altered(
        "judge_falls_back",
        Run(Chat(), grade=judged, has_correct=False, alter=fallback),
        "infrastructure_zeros",
        "flaky_grading",
        "weak_verifier",
        "constant_term",
        "dead_groups",
    ),
    altered(
        "length_is_paid",
        Run(Translation(), grade=overlap, has_correct=False, alter=length_paid),
        "length_gaming",
        "reward_outcome_divergence",
    ),
    altered(
        "reward_is_a_coin",
        Run(WordProblems("pl"), alter=coin),
        "reward_outcome_divergence",
        "flaky_grading",
        "weak_verifier",
    ),
    altered("style_over_tests", Run(Functions(), alter=shaped, skill=(0.4, 0.4)), "reward_outcome_divergence"),
    altered("bonus_for_everyone", Run(WordProblems("es"), alter=bonus), "constant_term"),
    altered("cut_at_the_limit", Run(WordProblems("de"), alter=cut, skill=(0.6, 0.7)), "truncation"),
    altered("right_but_not_in_form", Run(WordProblems("zh"), alter=gate, skill=(0.6, 0.8)), "format_gate"),
    altered("nearly_deterministic", Run(WordProblems("es"), alter=certain), "entropy_collapse"),
    altered(
        "labels_paid_by_chance",
        Run(Labels(), alter=unsure, skill=(0.5, 0.6)),
        "flaky_grading",
        "reward_outcome_divergence",
    ),
    altered("limit_of_sixty_seconds", Run(Database(), alter=slow_zero, skill=(0.5, 0.6)), "infrastructure_zeros"),
    altered("sampler_never_synced", Run(WordProblems("zh"), alter=behind), "train_inference_mismatch", "staleness"),
    altered(
        "sign_flipped",
        Run(Functions(), estimator=flipped, grade=tests_passed, group=4, problems=10),
        "advantage_mismatch",
    ),
    altered("advantages_of_other_rows", Run(WordProblems("de"), estimator=overwritten), "advantage_mismatch"),
    altered(
        "batch_served_twice",
        Run(WordProblems("pl"), steps=6),
        "over_filtering",
        "staleness",
        "metric_defect",
        after=served_twice,
    ),
    altered("steps_out_of_order", Run(WordProblems("de")), "staleness", "metric_defect", after=out_of_order),
    altered("mask_drops_all", Run(Functions()), "zero_gradient", "over_filtering", after=masked),
    altered("filter_keeps_an_eighth", Run(WordProblems("es")), "over_filtering", after=mostly_filtered),
    altered("tests_nobody_passes", Run(Functions(), alter=hopeless, skill=(0.5, 0.6)), "dead_groups"),
    altered(
        "dead_groups_still_push",
        Run(WordProblems("zh"), estimator=loud_losers, skill=(0.2, 0.5), spread=3.0),
        "phantom_advantage",
        "advantage_mismatch",
    ),
)
