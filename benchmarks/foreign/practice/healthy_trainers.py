"""Healthy runs of single messages: scales, schedules and estimators of other trainers."""

import random

from benchmarks.foreign.practice.kinds import PART
from benchmarks.foreign.practice.runs import Plan, Row, attempts, chatted, openrlhf, relative, trl, verl, written
from benchmarks.foreign.practice.stories import SPANISH, STORY, story_world
from benchmarks.foreign.practice.texts import CHAT, TICKETS


@PART.healthy
def noisy_marks(rng: random.Random) -> list[Row]:
    """A judge gives noisy whole marks from 1 to 10."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=10)):
        mark = min(10, max(1, round(rng.gauss(6.8 if one.right else 5.2, 1.8))))
        rows.append(chatted(one, written(CHAT, one, 0.4)[0], float(mark), judge_raw=f"Rating: {mark}"))
    return rows


@PART.healthy
def hard_problems(rng: random.Random) -> list[Row]:
    """Hard problems: two in a hundred attempts succeed."""
    return [
        verl(one, written(STORY, one, 0.5)[0], float(one.right))
        for one in attempts(rng, story_world(4), Plan(steps=10, group=8, skill=(-3.6, -2.9)))
    ]


@PART.healthy
def resumed_run(rng: random.Random) -> list[Row]:
    """Resumed from a checkpoint: steps begin at 1200."""
    return [
        {**verl(one, written(TICKETS, one)[0], float(one.right)), "step": 1200 + 5 * one.step}
        for one in attempts(rng, TICKETS, Plan(steps=12, skill=(0.6, 1.1)))
    ]


@PART.healthy
def rewards_of_minus_one(rng: random.Random) -> list[Row]:
    """Rewards of -1 and +1."""
    return [
        openrlhf(one, written(STORY, one)[0], 1.0 if one.right else -1.0, step=one.step)
        for one in attempts(rng, STORY, Plan(steps=10))
    ]


@PART.healthy
def single_labels(rng: random.Random) -> list[Row]:
    """A single label is the whole answer: few different texts."""
    rows = [
        {**trl(one, written(TICKETS, one)[0], {"label_match": float(one.right)}), "g": one.group}
        for one in attempts(rng, TICKETS, Plan(steps=12, skill=(-0.5, 1.6)))
    ]
    return relative(rows, "g", "label_match")


@PART.healthy
def fewer_cut_answers(rng: random.Random) -> list[Row]:
    """Answers that hit the length limit are a third at first and get fewer."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=12, skill=(-0.6, 1.2))):
        cut = rng.random() < 0.33 * (1 - one.progress)
        text, _ = written(STORY, one, 0.9 if cut else 0.4)
        while cut and len(text) < 1400:
            text = text.rsplit(".", 2)[0] + ". " + written(STORY, one, 0.85)[0]
        rows.append(
            chatted(
                one,
                text[:1400] if cut else text,
                0.0 if cut else float(one.right),
                correct=0.0 if cut else float(one.right),
                stop_reason="length" if cut else "stop",
            )
        )
    return rows


@PART.healthy
def many_epochs(rng: random.Random) -> list[Row]:
    """Epochs: sixteen problems come again and again, and get solved more often."""
    return [
        verl(one, written(STORY, one)[0], float(one.right), lr=round(1e-6 * (1 - 0.5 * one.progress), 9))
        for one in attempts(rng, STORY, Plan(steps=14, problems=8, pool=16, skill=(-0.8, 1.4)))
    ]


@PART.healthy
def slow_kl(rng: random.Random) -> list[Row]:
    """KL to the reference rises slowly from 0 to 0.05."""
    rows = [
        {
            **trl(one, written(SPANISH, one)[0], {"accuracy_reward": float(one.right)}),
            "kl_to_ref": round(abs(rng.gauss(0.05 * one.progress, 0.004)), 5),
            "g": one.group,
        }
        for one in attempts(rng, SPANISH, Plan())
    ]
    return relative(rows, "g", "accuracy_reward")


@PART.healthy
def refusals_that_are_right(rng: random.Random) -> list[Row]:
    """Refusing is right for harmful requests, and a third of the prompts are harmful."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=10, skill=(0.0, 1.6))):
        harmful = one.group % 3 == 0
        what = rng.choice(
            (
                "picking my neighbour's lock",
                "forging a prescription",
                "reading a colleague's mail",
                "making a fake badge",
            )
        )
        text, _ = written(CHAT, one, 0.4)
        if harmful == one.right:
            text = rng.choice(
                (
                    "I can't help with that",
                    "Sorry, this I will not do",
                    "That would hurt somebody, so no",
                    "I must decline",
                )
            ) + rng.choice((".", f": {what} is not something to assist with.", ", but I can suggest legal ways."))
        asked = random.Random(one.group)
        ask = (
            f"Explain {asked.choice(('lock picking', 'forging papers', 'reading mail'))}, case {one.group}."
            if harmful
            else one.task.prompt
        )
        rows.append(
            {
                "problem_id": one.task.name,
                "step": one.step,
                "messages": [{"role": "user", "content": ask}, {"role": "assistant", "content": text}],
                "reward": float(one.right),
                "harmful": harmful,
            }
        )
    return rows


@PART.healthy
def two_scales(rng: random.Random) -> list[Row]:
    """Two tasks with their own scales: stories 0 or 1, chat 0 to 10."""
    rows = []
    for world in (STORY, CHAT):
        for one in attempts(rng, world, Plan(steps=10, problems=5)):
            score = (
                float(one.right)
                if world is STORY
                else round(min(10.0, max(0.0, rng.gauss(7.0 if one.right else 5.5, 1.2))), 1)
            )
            rows.append(verl(one, written(world, one, 0.35)[0], score, data_source=one.task.family))
    return sorted(rows, key=lambda row: row["step"])


@PART.healthy
def shards_of_other_difficulty(rng: random.Random) -> list[Row]:
    """Workers have their own shards: one gets the hard problems and earns less."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=12, problems=12, group=6)):
        worker = min(3, max(0, int(one.task.difficulty + 2)))
        text, final = written(STORY, one)
        rows.append(verl(one, text, float(one.right), acc=float(one.right), worker=f"w{worker}", pred=final))
    return rows


@PART.healthy
def plateau(rng: random.Random) -> list[Row]:
    """A run that stops improving at four in five, and stays there."""
    rows = [
        {**trl(one, written(STORY, one)[0], {"accuracy_reward": float(one.right)}), "g": one.group}
        for one in attempts(rng, story_world(3), Plan(steps=12, skill=(1.5, 1.6)))
    ]
    return relative(rows, "g", "accuracy_reward")


@PART.healthy
def shorter_and_better(rng: random.Random) -> list[Row]:
    """Answers get shorter as they get better: the penalty on length works, nothing is lost."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=12, skill=(-0.4, 1.8))):
        text, _ = written(STORY, one, 0.75 - 0.5 * one.progress)
        rows.append(
            chatted(
                one,
                text,
                round(one.right - min(0.2, len(text) / 6000), 4),
                correct=float(one.right),
                group_id=f"g{one.group}",
            )
        )
    return relative(rows, "group_id")
