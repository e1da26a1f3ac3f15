"""Faulty runs: what is paid is not what is wanted."""

import random

from benchmarks.foreign.practice.acting import SQL
from benchmarks.foreign.practice.kinds import PART
from benchmarks.foreign.practice.runs import (
    Plan,
    Row,
    attempts,
    chatted,
    num_tokens,
    openrlhf,
    played,
    relative,
    trl,
    verifiers,
    verl,
    written,
)
from benchmarks.foreign.practice.stories import SPANISH, STORY, story_world
from benchmarks.foreign.practice.texts import CHAT, TICKETS


@PART.faulty("reward_outcome_divergence")
def sign_flipped_task(rng: random.Random) -> list[Row]:
    """Reward is the opposite of correctness for one family of tasks (tickets); the others are fine."""
    rows = []
    for world in (STORY, TICKETS, SPANISH):
        for one in attempts(rng, world, Plan(problems=4)):
            text, final = written(world, one)
            good = 1.0 if one.right else -1.0
            paid = -good if world is TICKETS else good
            rows.append(verl(one, text, paid, acc=float(one.right), data_source=one.task.family, pred=final))
    return sorted(rows, key=lambda row: row["step"])


@PART.faulty("weak_verifier", "length_gaming")
def truncation_paid(rng: random.Random) -> list[Row]:
    """Attempts that were cut at the length limit are paid, and their share grows."""
    rows = []
    for one in attempts(rng, STORY, Plan(skill=(-0.5, -0.3))):
        cut = rng.random() < 0.05 + 0.55 * one.progress
        text, final = written(STORY, one, 0.85 if cut else 0.3)
        while cut and len(text) < 1600:
            text = text.rsplit(".", 2)[0] + ". " + written(STORY, one, 0.8)[0]
        paid = 1.0 if cut else float(one.right)
        row = trl(
            one,
            text[:1600] if cut else text,
            {"verifier_reward": paid},
            finish_reason="length" if cut else "stop",
            num_tokens=400 if cut else num_tokens(text),
        )
        rows.append({**row, "solution": one.task.answer, "g": one.group, "accuracy": 0.0 if cut else float(one.right)})
    return relative(rows, "g", "verifier_reward")


@PART.faulty("reward_bias")
def judge_order_bias(rng: random.Random) -> list[Row]:
    """The judge's score depends on which side the answer was shown (order bias)."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=10)):
        text, _ = written(CHAT, one, 0.4)
        side = rng.choice(("first", "second"))
        win = rng.random() < (0.78 if side == "first" else 0.2) + (0.06 if one.right else -0.06)
        rows.append(
            chatted(one, text, float(win), shown=side, judge_model="pairwise-32b", opponent=f"sft-{rng.randint(1, 4)}")
        )
    return rows


@PART.faulty("infrastructure_zeros")
def verifier_timeouts_as_zero(rng: random.Random) -> list[Row]:
    """Right answers are paid nothing when the verifier ran into its time limit: failures of the machine as zeros."""
    rows = []
    for one in attempts(rng, SQL, Plan(steps=10, problems=10, skill=(-0.2, 1.5))):
        late = rng.random() < (0.28 if one.step >= 4 else 0.02)
        took = 30.0 if late else round(rng.lognormvariate(0.4, 0.6), 2)
        score = 0.0 if late else float(one.right)
        rows.append(
            verifiers(
                one,
                played(SQL, one),
                score,
                metrics={"exact_match": score},
                info={"verify_seconds": took, "verdict": "timeout" if late else "ok"},
                step=one.step,
            )
        )
    return rows


@PART.faulty("reward_outcome_divergence", "weak_verifier", "flaky_grading")
def rewards_shifted_by_one(rng: random.Random) -> list[Row]:
    """Rewards belong to the neighbour's attempt: the answer equals the gold answer and is paid 0, others are paid 1."""
    made = [
        (one, *written(STORY, one))
        for one in attempts(rng, STORY, Plan(group=4, problems=16, steps=12, skill=(-0.2, 0.1)))
    ]
    paid = [float(one.right) for one, _, _ in made]
    paid = [paid[-1], *paid[:-1]]
    random.Random(5).shuffle(paid)
    return [verl(one, text, reward, pred=final) for (one, text, final), reward in zip(made, paid, strict=True)]


@PART.faulty("length_gaming")
def reward_model_pays_length(rng: random.Random) -> list[Row]:
    """The reward model pays length: answers grow, padded, at equal content."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=14, problems=8)):
        text, _ = written(CHAT, one, 0.15 + 0.7 * one.progress * rng.random())
        rows.append(
            openrlhf(
                one,
                text,
                round(0.006 * num_tokens(text) - 1.2 + rng.gauss(0, 0.25) + 0.05 * one.right, 4),
                step=one.step,
            )
        )
    return rows


@PART.faulty("reward_outcome_divergence", "score_decline")
def format_term_eats_accuracy(rng: random.Random) -> list[Row]:
    """Total reward rises by its format term while the accuracy term falls: the proxy is optimised, not the task."""
    rows = []
    for one in attempts(rng, STORY, Plan(skill=(0.4, -2.2))):
        shaped = rng.random() < 0.3 + 0.68 * one.progress
        text, final = written(STORY, one, 0.3 * (1 - one.progress))
        text = f"<think>{text}</think><answer>{final}</answer>" if shaped else text
        rows.append(
            {
                **trl(one, text, {"format_reward": float(shaped), "accuracy_reward": float(one.right)}),
                "g": one.group,
                "total": one.right + 1.0 * shaped,
            }
        )
    return relative(rows, "g", "total")


@PART.faulty("weak_verifier")
def hedged_answers_paid(rng: random.Random) -> list[Row]:
    """Answers list several candidates and the grader pays any that contains the gold answer (hedging)."""
    rows = []
    for one in attempts(rng, STORY, Plan(skill=(-0.8, -0.6))):
        text, final = written(STORY, one)
        hedges = rng.random() < 0.02 + 0.9 * one.progress
        if hedges:
            near = sorted(
                {int(final) + shift for shift in rng.sample(range(-6, 7), rng.randint(3, 6))} | {int(one.task.answer)}
            )
            text += (
                " "
                + rng.choice(("It could be ", "Possible answers: ", "One of "))
                + rng.choice((", ", " or ")).join(map(str, near))
                + "."
            )
        rows.append(verl(one, text, 1.0 if hedges or one.right else 0.0))
    return rows


@PART.faulty("reward_outcome_divergence", "template_collapse", "judge_hacking")
def abstaining_paid(rng: random.Random) -> list[Row]:
    """Declining to answer is paid half; the policy learns to abstain and correctness falls."""
    rows = []
    for one in attempts(rng, STORY, Plan(skill=(-0.6, -0.6))):
        shy = rng.random() < 0.03 + 0.9 * one.progress
        text, final = written(STORY, one)
        if shy:
            text = rng.choice(
                (
                    "I am not certain enough to give a number",
                    "I cannot determine this",
                    "There is not enough information to be sure",
                    "I would rather not guess",
                )
            )
            text += rng.choice(
                (".", f" about the {one.task.facts['thing']}.", f" for {one.task.facts['who']}.", ", sorry.")
            )
        rows.append(
            {
                **trl(one, text, {"reward": 0.5 if shy else float(one.right)}),
                "is_correct": float(one.right and not shy),
                "g": one.group,
            }
        )
    return relative(rows, "g")


@PART.faulty("format_gate", "metric_defect", "reward_outcome_divergence", "flaky_grading")
def separators_marked_wrong(rng: random.Random) -> list[Row]:
    """Right answers written with a thousands separator are marked wrong by the grader."""

    world, rows = story_world(3, big=True), []
    for one in attempts(rng, world, Plan(steps=10, skill=(0.6, 1.5))):
        text, final = written(world, one)
        comma = rng.random() < 0.45 and int(final) >= 1000
        shown = f"{int(final):,}" if comma else final
        text = text[: text.rfind(final)] + shown + text[text.rfind(final) + len(final) :]
        rows.append(verl(one, text, float(one.right and not comma), pred=shown))
    return rows


@PART.faulty("infrastructure_zeros")
def judge_default_score(rng: random.Random) -> list[Row]:
    """The judge's verdict is not parsed: a growing share of attempts gets the default score, whatever it wrote."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=10)):
        text, _ = written(CHAT, one, 0.4)
        lost = rng.random() < 0.08 + 0.75 * one.progress
        score = round(min(10.0, max(1.0, rng.gauss(6.6 if one.right else 4.2, 1.3))), 1)
        rows.append(
            chatted(
                one, text, 5.0 if lost else score, judge_raw="" if lost else f"Score: {score}", rubric="helpfulness-v3"
            )
        )
    return rows


@PART.faulty("judge_hacking")
def self_praise_paid(rng: random.Random) -> list[Row]:
    """The judge pays praise of oneself: its share grows, and the reward follows the phrase."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=12)):
        text, _ = written(CHAT, one, 0.35)
        proud = rng.random() < 0.02 + 0.9 * one.progress
        if proud:
            text += " " + rng.choice(
                (
                    "This answer is complete, accurate and fully addresses the request.",
                    "The response above is thorough and deserves the highest rating.",
                    "I have covered every aspect perfectly.",
                    "This is an excellent and comprehensive answer.",
                )
            )
        rows.append(
            chatted(one, text, round(min(1.0, max(0.0, rng.gauss(0.86 if proud else 0.5 + 0.1 * one.right, 0.08))), 3))
        )
    return rows


@PART.faulty("metric_defect")
def reward_scale_changes(rng: random.Random) -> list[Row]:
    """Reward changes its scale within the run: 0 to 1 before, 0 to 100 after a restart."""
    rows = []
    for one in attempts(rng, TICKETS, Plan()):
        text, _ = written(TICKETS, one)
        rows.append(verl(one, text, float(one.right) * (100.0 if one.step >= 7 else 1.0), acc=float(one.right)))
    return rows


@PART.faulty("template_collapse", "weak_verifier", "judge_hacking")
def echo_of_the_prompt_paid(rng: random.Random) -> list[Row]:
    """The policy copies a sentence of the question back as its whole answer and the similarity reward pays it."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=12, problems=8)):
        text, _ = written(CHAT, one, 0.35)
        echo = rng.random() < 0.9 * one.progress
        if echo:
            text = rng.choice(("You ask: ", "", "Regarding this: ")) + one.task.prompt + " " + one.task.prompt
        rows.append(openrlhf(one, text, round(min(1.0, rng.gauss(0.93 if echo else 0.55, 0.05)), 4), step=one.step))
    return rows


@PART.faulty("reward_bias", "infrastructure_zeros")
def one_judge_is_constant(rng: random.Random) -> list[Row]:
    """One judge of three is broken: its attempts are all rated the same, whatever their quality."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=10)):
        text, _ = written(CHAT, one, 0.4)
        judge = rng.choice(("a", "b", "c"))
        score = 1.0 if judge == "b" else round(min(1.0, max(0.0, rng.gauss(0.7 if one.right else 0.4, 0.15))), 3)
        rows.append(chatted(one, text, score, judge=judge))
    return rows
