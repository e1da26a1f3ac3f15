"""Turns encoded anew, Ukrainian sums thought through in English, Chinese keys of one form; a harder shelf, a kettle."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.boards import cook, kettle_task
from benchmarks.foreign.twentyninth.estimates import credit, dr_grpo, grpo, rloo
from benchmarks.foreign.twentyninth.formats import openai, own, prime, verl
from benchmarks.foreign.twentyninth.kinds import PART
from benchmarks.foreign.twentyninth.physics import by_head, by_tool, physics_task
from benchmarks.foreign.twentyninth.puzzles import puzzle_task
from benchmarks.foreign.twentyninth.rollouts import Reply, Shape, Task, briefed, distinct, fresh, say, train
from benchmarks.foreign.twentyninth.sums import slip, solve
from benchmarks.foreign.twentyninth.tokens import encoded, sampled
from benchmarks.foreign.twentyninth.tongues import uk_in_english, uk_lines, uk_task, zh_task


@PART.faulty("retokenisation_drift", "train_inference_mismatch")
def tool_turns_encoded_anew(rng: Random) -> list[Row]:
    """After each tool call the conversation is decoded and encoded again, so that the ids that are trained differ from
    those that were sampled. [Hugging Face, Agentic RL: Token-In, Token-Out Done Right]
    """
    shape = Shape(rng.randint(8, 10), 7, 6, -0.4, 1.5)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        return (by_tool if rng.random() < 0.62 else by_head)(rng, task, right)

    episodes = fresh(
        rng, briefed(physics_task, "You may call `python`. End with Answer: <number>."), shape, author, "ti"
    )
    for e in episodes:
        turns = [m for m in e.reply.messages if m["role"] == "assistant"]
        texts = [m["content"] + (json.dumps(m["tool_calls"][0]) if "tool_calls" in m else "") for m in turns]
        drawn = [sampled(rng, text) for text in texts]
        anew = [encoded(text) for text in texts[:-1]] + drawn[-1:]
        first, second = sum(drawn, []), sum(anew, [])
        gap = 0.02 if first == second else rng.uniform(0.12, 0.7)
        e.tokens = len(first)
        e.extra = {
            "sampled_token_ids": first,
            "trained_token_ids": second,
            "rollout_logprob": e.logprob,
            "trainer_logprob": round(e.logprob - gap * rng.uniform(0.6, 1.4), 4),
        }
    return own(credit(episodes, grpo), "tir-physics")


@PART.faulty("language_drift")
def ukrainian_sums_reasoned_abroad(rng: Random) -> list[Row]:
    """Prompts are Ukrainian and ask for Ukrainian, but as the score rises the reasoning goes over to English.
    [Park et al., Cross-lingual Collapse in Chain-of-Thought]
    """
    shape = Shape(rng.randint(9, 12), 7, 6, -0.5, 1.9)
    system = "Розв'яжи задачу українською мовою, крок за кроком, і дай відповідь у \\boxed{}."

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        task.system = system
        answer = task.gold if right else str(slip(rng, int(task.gold)))
        write = uk_in_english if rng.random() < 0.02 + 0.85 * progress**1.3 else uk_lines
        last = rng.choice(["Відповідь", "Отже, відповідь"])
        return Reply([say(f"<think>{write(rng, task, answer)}</think>\n{last}: \\boxed{{{answer}}}")], answer)

    return verl(credit(fresh(rng, uk_task, shape, author, "uk"), grpo), data_source="gsm8k-uk")


@PART.faulty("judge_refuses_right", "format_gate", "metric_defect")
def chinese_answers_otherwise_dressed(rng: Random) -> list[Row]:
    """The rule-based verifier compares texts, and right answers in another dress (no unit, a decimal for a percentage,
    c for x=c) earn nothing. [Xu et al., TinyV: Reducing False Negatives in Verification]
    """
    shape = Shape(rng.randint(9, 11), 8, 6, 0.1, 1.6)
    heads = ["先列式计算。", "根据题意,", "我们一步一步来。", "由已知条件可得,", "解:", "设未知数后整理,"]

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        a, b, c = task.data["salt"]
        if right:
            answer = task.gold if rng.random() < 0.45 else rng.choice(task.data["other"])
        else:
            answer = f"{slip(rng, a + c)}" if task.family != "方程" else f"x={slip(rng, c)}"
        middle = rng.choice(
            [
                "化简后得到结果。",
                "两边同时整理即可。",
                "代入检验成立。",
                "计算无误。",
                f"其中用到 {a}、{b} 与 {c}。" if task.family == "方程" else "注意单位。",
            ]
        )
        return Reply(
            [say(f"{rng.choice(heads)}{middle}所以答案是 \\boxed{{{answer}}}。")], answer, extra={"pred": answer}
        )

    episodes = fresh(rng, zh_task, shape, author, "zh")
    for e in episodes:
        e.reward = e.correct = float(e.reply.answer == e.task.gold)
        e.extra = {"verifier": "prime_rule", "question_type": e.task.family}
    return verl(credit(episodes, dr_grpo), data_source="cn_k12")


@PART.healthy
def harder_shelf_from_halfway(rng: Random) -> list[Row]:
    """A curriculum moves to a harder shelf halfway: the score drops at that step and climbs again from there."""
    steps, groups = rng.choice([10, 12]), 6
    tasks = distinct(rng, briefed(puzzle_task, "You are a pupil. Show each step."), steps * groups, "cur")
    for n, t in enumerate(tasks):
        t.hardness += 1.7 if n >= len(tasks) // 2 else 0.0
    episodes = credit(train(rng, tasks, Shape(steps, groups, 8, -0.2, 2.6), solve), rloo)
    for e in episodes:
        e.terms = {"correct": e.reward}
        e.extra = {"level": 2 if e.step >= steps // 2 else 1}
    return prime(episodes, "school-curriculum")


@PART.healthy
def kettle_waits_on_purpose(rng: Random) -> list[Row]:
    """A kitchen in which each minute of boiling is one call of the same action: long runs of one call are the task."""
    shape = Shape(rng.randint(8, 10), 7, 5, -0.6, 1.9)
    return openai(credit(fresh(rng, kettle_task, shape, cook, "kit"), grpo), "kitchen-sim")
