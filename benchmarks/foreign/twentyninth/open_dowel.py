"""Copies with other labels, an end that pads; confidence that grows, replies that shrink."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.chat import gist, post_task
from benchmarks.foreign.twentyninth.estimates import credit, grpo
from benchmarks.foreign.twentyninth.formats import own, trl, verl
from benchmarks.foreign.twentyninth.kinds import PART
from benchmarks.foreign.twentyninth.programs import kata_task, program
from benchmarks.foreign.twentyninth.rollouts import Reply, Shape, Task, briefed, distinct, fresh, say, train
from benchmarks.foreign.twentyninth.sums import slip, solve, sum_task, workings


def copied(rng: Random, task: Task, number: int) -> Task:
    """The same problem from another source, with another index and often another key."""
    text = task.prompt
    if rng.random() < 0.4:
        text = rng.choice([f"{text} ", text.replace("  ", " ").replace("?", " ?"), f"Problem. {text}"])
    data = {
        "lines": list(task.data["lines"]),
        "truth": task.gold,
        "source": rng.choice(["orca_math", "cn_k12", "big_math"]),
    }
    key = str(slip(rng, int(task.gold))) if rng.random() < 0.6 else task.gold
    return Task(f"{task.pid}-r{number}", text, key, task.hardness, task.family, data=data)


@PART.faulty("duplicate_problems", "data_repetition", "wrong_labels")
def pooled_copies_disagreeing_keys(rng: Random) -> list[Row]:
    """Nearly half of the pooled problems are copies of others under new indices, and many copies carry a different key,
    so the same answer earns 1 in one group and 0 in another. [Hugging Face, discussions of Big-Math-RL-Verified]
    """
    shape = Shape(rng.randint(9, 11), 8, 6, -0.1, 1.5)
    count = shape.steps * shape.groups
    tasks = distinct(rng, sum_task, round(count * 0.55), "bm")
    for t in tasks:
        t.data |= {"truth": t.gold, "source": rng.choice(["orca_math", "cn_k12", "gsm8k"])}
    some = rng.sample(tasks, round(count * 0.2))
    tasks += [copied(rng, rng.choice(some), n) for n in range(count - len(tasks))]
    rng.shuffle(tasks)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        true = Task(task.pid, task.prompt, task.data["truth"], 0, data=task.data)
        return solve(rng, true, right, progress)

    episodes = train(rng, tasks, shape, author)
    for e in episodes:
        e.reward = e.correct = float(e.reply.answer == e.task.gold)
        e.terms = {"accuracy": e.reward}
        e.extra = {"index": e.task.pid, "source": e.task.data["source"]}
    return trl(credit(episodes, grpo))


@PART.faulty("truncation", "length_limit", "loss_mask")
def pad_doubles_as_end(rng: Random) -> list[Row]:
    """The padding token is the end token, so the end is masked out of every loss: summaries run on into invented posts
    until the limit, more so with each step. [Huang et al., The N+ Implementation Details of RLHF with PPO]
    """
    shape, limit, token = (
        Shape(rng.randint(9, 11), 9, 5, -0.3, 1.2),
        rng.choice([96, 110, 128]),
        rng.choice([50256, 0, 128001]),
    )

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        text = gist(rng, task, right)
        if rng.random() > 0.42 + 0.45 * progress:
            return Reply([say(text)])
        while len(text) < limit * 4:
            other = post_task(rng, "x")
            text += "\n\n" + other.prompt + " " + gist(rng, other, rng.random() < 0.6)
        return Reply([say(text[: limit * 4 - rng.randint(0, 20)])], stop="max_tokens")

    episodes = fresh(rng, post_task, shape, author, "tl")
    for e in episodes:
        cut = e.reply.stop == "max_tokens"
        e.tokens = limit if cut else min(limit - 1, e.tokens)
        e.terms = {"rm_score": round(rng.gauss(0.7 if e.right else -0.2, 0.3) - (1.1 if cut else 0), 4)}
        e.reward, e.correct = e.terms["rm_score"], None
        e.extra = {
            "pad_token_id": token,
            "eos_token_id": token,
            "max_new_tokens": limit,
            "loss_tokens": e.tokens - (not cut),
        }
    return own(credit(episodes, grpo), "ppo-tldr")


@PART.healthy
def surer_tokens_rising_marks(rng: Random) -> list[Row]:
    """Logprobs rise step by step, as in every run that learns; replies within a group still differ, and so do rewards.
    [rldoctor, project page]
    """
    shape = Shape(rng.randint(9, 12), 8, 5, -0.8, 2.3)
    episodes = fresh(rng, kata_task, shape, program, "ka")
    for e in episodes:
        e.logprob = round(-0.78 + 0.4 * e.progress + rng.gauss(0, 0.07), 4)
        e.reply.messages[-1]["mean_logprob"] = e.logprob
        e.extra = {"entropy": round(0.95 - 0.45 * e.progress + rng.gauss(0, 0.05), 4)}
    return own(credit(episodes, grpo), "kata-lp")


@PART.healthy
def replies_shrink_marks_rise(rng: Random) -> list[Row]:
    """Replies lose more than half of their length while the score goes up: a base model drops its rambling,
    nothing in the reward asks for it. [Zoey Li, Understanding Length Dynamics in RL Training]
    """
    shape = Shape(rng.randint(10, 12), 7, 6, -0.8, 2.2)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        answer = task.gold if right else str(slip(rng, int(task.gold)))
        text = workings(rng, task, answer)
        asides = [
            "Let me restate the task in my own words.",
            f"{task.prompt.split('.')[0]}.",
            "I could also draw this.",
            "There may be another way.",
        ]
        for _ in range(rng.randint(0, 2) + round(4 * (1 - progress))):
            text = f"{rng.choice([*asides, workings(rng, task, answer)])} {text}"
        return Reply([say(f"{text}\n\nThe answer is \\boxed{{{answer}}}.")], answer)

    return verl(
        credit(fresh(rng, briefed(sum_task, "A conversation between User and Assistant."), shape, author, "zr"), grpo)
    )
