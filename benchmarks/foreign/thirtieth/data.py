"""Faults of data and evaluation: puzzles that come again, held rows in training, another language, a growing gap."""

import random

from benchmarks.foreign.thirtieth import advantages, chinese, layouts, sums
from benchmarks.foreign.thirtieth.kinds import PART
from benchmarks.foreign.thirtieth.layouts import Row, asks, says
from benchmarks.foreign.thirtieth.policy import Learner, schedule

_WHO = ("Adele", "Boris", "Chiara", "Dmitri", "Edda")
_THINGS = ("the lamp", "the map", "the flute", "the rope", "the kettle")


def _puzzle(rng: random.Random) -> tuple[str, list[str], str]:
    people, things = rng.sample(_WHO, 4), rng.sample(_THINGS, 4)
    pairs = list(zip(people, things, strict=True))
    clues = [
        f"{pairs[0][0]} has {pairs[0][1]}.",
        f"{pairs[1][0]} has either {pairs[1][1]} or {pairs[0][1]}.",
        f"{pairs[2][0]} does not have {pairs[3][1]}.",
    ]
    rng.shuffle(clues)
    question = (
        f"{', '.join(people)} have one thing each of: "
        f"{', '.join(sorted(things))}. {' '.join(clues)} Who has {things[3]}?"
    )
    steps = [
        f"{pairs[0][0]} has {pairs[0][1]}, that is given.",
        f"So {pairs[1][0]} must have {pairs[1][1]}.",
        f"Of the rest, {pairs[2][0]} cannot have {pairs[3][1]} and takes {pairs[2][1]}.",
    ]
    return question, [*steps, *people], pairs[3][0]


@PART.faulty("data_repetition")
def generator_emits_the_same_puzzles_again(rng: random.Random) -> list[Row]:
    """The puzzles of a synthetic set come again and again under other ids, several times in one step.

    [MiniMax-AI/SynLogic#1]
    """
    learner, rows = Learner(-0.4, 1.6, 14), []
    common = [_puzzle(rng) for _ in range(6)]
    for step in range(14):
        for place in range(8):
            question, steps, gold = rng.choice(common) if rng.random() < 0.72 else _puzzle(rng)
            for index in range(6):
                said = gold if learner.is_right(rng, step) else rng.choice([one for one in steps[3:] if one != gold])
                lead = rng.choice(("I begin with the sure clue.", "One clue is direct.", "Let me fill in a table."))
                body = " ".join(steps[: 3 if said == gold else rng.randint(1, 2)])
                rows.append(
                    layouts.slime(
                        step,
                        step * 8 + place,
                        index,
                        question,
                        f"{lead} {body} Therefore it is {said}.",
                        float(said == gold),
                        label=gold,
                        metadata={"sample_id": f"synth-{step * 8 + place:05d}"},
                        problem_id=f"synth-{step * 8 + place:05d}",
                    )
                )
    advantages.fill(rows, lambda row: row["group_index"], lambda row: row["reward"], advantages.grpo)
    return rows


@PART.faulty("contamination", "memorisation", "duplicate_problems")
def held_rows_stand_in_the_training_split_too(rng: random.Random) -> list[Row]:
    """Most problems of the validation split are, word for word, in the training split, and are nearly always right
    there.

    [huggingface/datasets#4261]
    """
    train = sums.pool(rng, 54, "train")
    copies = [
        sums.Problem(f"val-{number:03d}", one.family, one.question, one.start, one.numbers, one.answer, -2.6)
        for number, one in enumerate(rng.sample(train, 21))
    ]
    held = copies + sums.pool(rng, 9, "val-own")
    learner, rows = Learner(-0.6, 0.8, 15), []
    for step, batch in schedule(rng, train, 15, 9):
        jobs = [(one, "train", 6) for one in batch]
        jobs += [(one, "validation", 2) for one in held] if step % 5 == 4 else []
        for one, split, count in jobs:
            for attempt in range(count):
                text, value = sums.reasoning(rng, one, learner.is_right(rng, step, one.difficulty))
                rows.append(
                    layouts.ours(
                        step,
                        one.name,
                        attempt,
                        [asks(one.question), says(f"{text} The answer is {value}.")],
                        float(value == one.answer),
                        domain="math",
                        split=split,
                        correct=float(value == one.answer),
                        ground_truth=str(one.answer),
                    )
                    | {"split": split, "trajectory_id": f"{split}/{one.name}/{step}/{attempt}"}
                )
    return rows


@PART.faulty("language_drift")
def thoughts_turn_english_under_chinese_prompts(rng: random.Random) -> list[Row]:
    """The system prompt and the task are Chinese and ask for Chinese reasoning; reasoning turns English, step by step.

    The reward looks at the number alone. [langchain-ai/deepagents#4788]
    """
    learner, rows = Learner(-0.2, 1.3, 14), []
    for step in range(14):
        for number in range(6):
            task = chinese.task(rng)
            for attempt in range(8):
                is_english = rng.random() < 0.03 + 0.06 * step
                is_right = learner.is_right(rng, step)
                text = task.english(rng, is_right) if is_english else task.chinese(rng, is_right)
                rows.append(
                    layouts.chat(
                        [{"role": "system", "content": chinese.SYSTEM}, asks(task.question), says(text)],
                        reward=float(is_right),
                        step=step,
                        problem_id=f"zh-{step}-{number}",
                        attempt=attempt,
                        split="train",
                        answer_reward=float(is_right),
                    )
                )
    return rows


@PART.faulty("train_validation_gap", "memorisation", "kl_ineffective", "kl_drift")
def without_an_anchor_held_accuracy_falls(rng: random.Random) -> list[Row]:
    """The coefficient of the KL penalty is never passed on and stays 0: training problems rise, held ones get worse.

    [greyhaven-ai/autocontext#1076]
    """
    train, held = sums.pool(rng, 24, "train"), sums.pool(rng, 40, "held")
    fit, held_fit, rows = Learner(0.4, 2.6, 20), Learner(0.6, -0.9, 20), []
    for step, batch in schedule(rng, train, 20, 6):
        kl = 0.002 + 0.0016 * step**1.7 * rng.uniform(0.9, 1.1)
        jobs = [(one, "train", 6, fit) for one in batch]
        jobs += [(one, "validation", 2, held_fit) for one in held] if step % 4 == 3 else []
        for one, split, count, learner in jobs:
            for attempt in range(count):
                text, value = sums.reasoning(rng, one, learner.is_right(rng, step, one.difficulty))
                score = float(value == one.answer)
                more = {"kl": round(kl * rng.uniform(0.8, 1.2), 5), "kl_coef": 0.0} if split == "train" else {}
                rows.append(
                    layouts.verl(
                        step,
                        one.question,
                        f"{text}\n#### {value}",
                        str(one.answer),
                        score,
                        split=split,
                        acc=score,
                        uid=one.name,
                        attempt=attempt,
                        **more,
                    )
                )
    return rows
