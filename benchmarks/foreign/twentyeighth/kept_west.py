"""Votes of which half are trained on, strokes over par, no reference, release notes out of a history."""

from collections import Counter
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import golf, notes, stepwise, sums, tables
from benchmarks.foreign.twentyeighth.credit import by_group, centred, grpo, rloo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import own, verl
from benchmarks.foreign.twentyeighth.rollouts import Shape, groups, train


@PART.healthy
def half_of_votes_trained(rng: Random) -> list[Row]:
    """Sixteen answers vote on the label of a problem without a key, and only the first eight are trained on, so half of
    all rows stay out of the loss, as the method has it. [PRIME-RL/TTRL#16]
    """
    episodes = train(rng, sums.story, sums.worked, Shape(rng.randint(8, 9), 4, 16, 0.1, 1.6))
    for group in groups(episodes):
        answers = [e.text.rsplit("boxed{", 1)[1].split("}")[0] for e in group]
        label, votes = Counter(answers).most_common(1)[0]
        for e, answer in zip(group, answers, strict=True):
            e.reward = float(answer == label)
            e.terms = {"agrees_with_majority": e.reward}
            e.in_loss = e.attempt < 8
            e.extra = {
                "answer": answer,
                "majority_label": label,
                "votes_for_label": votes,
                "n_votes_per_prompt": 16,
                "n_samples_per_prompt": 8,
            }
        by_group(group[:8], grpo)
    rows = own(episodes, "ttrl")
    for row in rows:
        del row["correct"], row["extra"]["ground_truth"]
    return rows


@PART.healthy
def strokes_over_par_negative(rng: Random) -> list[Row]:
    """All rewards are below zero, since they count strokes beyond par; they climb from about -4 towards 0."""
    episodes = train(rng, golf.hole, golf.played, Shape(rng.randint(10, 12), 6, 6, -0.9, 2.3))
    for e in episodes:
        strokes = sum(m["role"] == "assistant" for m in e.messages)
        holed = "in the hole" in e.messages[-1]["content"]
        e.right = holed and strokes <= e.task.data["par"]
        e.reward = -float(max(0, strokes - e.task.data["par"])) - (0.5 if holed else 3.0)
        e.terms, e.extra = {"strokes": e.reward}, {"par": e.task.data["par"], "strokes": strokes, "holed": holed}
        e.stop = "stop" if holed else "max_turns"
    return own(by_group(episodes, rloo), "putting", "You play minigolf. Give angle and force.")


@PART.healthy
def no_reference_kl_null(rng: Random) -> list[Row]:
    """The column of the divergence is empty in every row and the loss hovers about 0: with a coefficient of 0 no
    reference model is loaded at all. [huggingface/trl#2806]
    """
    episodes = train(rng, sums.aufgabe, sums.gerechnet, Shape(rng.randint(9, 12), 6, 8, -0.7, 2.0))
    for e in episodes:
        e.extra = {
            "beta": 0.0,
            "kl": None,
            "ref_model": None,
            "loss": round(rng.gauss(0, 0.002), 6),
            "grad_norm": round(rng.uniform(0.1, 0.4), 4),
        }
    return verl(by_group(episodes, grpo), "Antworte auf Deutsch. Die letzte Zeile lautet 'Antwort: Zahl'.")


@PART.healthy
def changelog_from_git_log(rng: Random) -> list[Row]:
    """Every attempt reads commits with git log and git show, for the task is to write release notes for a range of
    versions; a rubric grades what the notes name.
    """
    episodes = train(rng, notes.release, notes.summed_up, Shape(rng.randint(9, 11), 6, 6, -0.5, 1.8))
    for e in episodes:
        named = [c for c in e.task.data["changes"] if c in e.messages[-1]["content"]]
        e.reward = round(len(named) / len(e.task.data["changes"]), 4)
        e.right = e.reward == 1
        e.terms, e.extra = {"changes_named": e.reward}, {"changes_total": len(e.task.data["changes"])}
    return own(by_group(episodes, centred), "release-notes", "You have a shell in the repository.")


@PART.healthy
def same_credit_every_turn(rng: Random) -> list[Row]:
    """Credit of a rollout stands in each of its turns alike, so many rows have one and the same advantage; the turns
    become fewer, because the schema is looked up less often. [NovaSky-AI/SkyRL#1278]
    """
    episodes = by_group(train(rng, tables.question, tables.queried, Shape(rng.randint(7, 8), 5, 6, -0.5, 1.9)), grpo)
    return stepwise.turns(
        episodes, "sql-turns", {n: [e.advantage or 0.0] * stepwise.count(e) for n, e in enumerate(episodes)}
    )
