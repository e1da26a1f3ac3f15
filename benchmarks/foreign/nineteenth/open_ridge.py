"""Exam sheets in training, exams from a cache, a critic that runs off; greedy exams, demonstrations, retries."""

from copy import deepcopy
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.core import Task, told
from benchmarks.foreign.nineteenth.credit import credit, dr_grpo, grpo, rloo
from benchmarks.foreign.nineteenth.english import word_problem
from benchmarks.foreign.nineteenth.formats import measure, openai, own
from benchmarks.foreign.nineteenth.islanders import islander_task
from benchmarks.foreign.nineteenth.kinds import PART
from benchmarks.foreign.nineteenth.queries import query_reply, query_task
from benchmarks.foreign.nineteenth.quiz import quiz_task
from benchmarks.foreign.nineteenth.run import Shape, climb, deal, examine, judged, play, pool, roughen, train
from benchmarks.foreign.nineteenth.targets import target_task
from benchmarks.foreign.nineteenth.terminal import chore_task


@PART.faulty("contamination")
def curriculum_swallows_exam_sheet(rng: Random) -> list[Row]:
    """The second stage of the curriculum holds the exam's puzzles under new ids, and the exam's score leaps."""
    shape = Shape(12, 6, 6)
    tasks = pool(rng, islander_task, shape.steps * shape.groups + 24, "puzzle-")
    exam, rest = tasks[:24], tasks[24:]
    plan = deal(rng, rest, shape)
    for step in plan[6:]:
        for place in rng.sample(range(6), 3):
            one = rng.choice(exam)
            name = f"stage2-{exam.index(one) * 37 + 1105}"
            if name not in {t.id for t in step}:
                step[place] = Task(
                    one.prompt,
                    one.gold,
                    one.write,
                    one.family,
                    one.system,
                    one.ease + 1.0,
                    name,
                    {**one.extra, "stage": 2},
                )
    course = climb(rng, shape.steps, -0.9, 1.2)
    tries = roughen(rng, play(rng, plan, shape, course))
    for place in range(1, 12, 2):
        skill, level = course[place]
        tries += examine(rng, exam, place + 1, skill, level + (2.4 if place > 7 else 1.2 if place == 7 else 0.0))
    return own(rng, credit(sorted(tries, key=lambda t: t.step), grpo), "logic-curriculum")


@PART.faulty("stale_evaluation", "metric_defect", "train_validation_gap")
def exam_scores_from_cache(rng: Random) -> list[Row]:
    """From the third exam on the sampled replies are those of the second exam, word by word, while training
    improves.
    """
    shape = Shape(10, 7, 6, first=20, stride=20)
    tasks = pool(rng, word_problem, shape.steps * shape.groups + 30, "wp")
    exam, rest = tasks[:30], tasks[30:]
    course = climb(rng, shape.steps, -1.0, 2.5)
    tries = roughen(rng, play(rng, deal(rng, rest, shape), shape, course))
    kept = []
    for place in range(0, 10, 2):
        if place <= 2:
            kept = examine(rng, exam, 20 + 20 * place, *course[place])
            for t in kept:
                measure(rng, t)
        made = [deepcopy(t) for t in kept]
        for t in made:
            t.step = 20 + 20 * place
            t.extra |= {"temperature": 0.8, "eval_run": f"eval-{t.step:04d}"}
        tries += made
    return own(rng, credit(sorted(tries, key=lambda t: t.step), grpo), "math-eval")


@PART.faulty("critic_divergence")
def critic_leaves_the_returns(rng: Random) -> list[Row]:
    """PPO whose critic leaves the range of the returns after a few steps; advantages become the critic's error."""
    shape = Shape(12, 9, 4)
    tasks = pool(rng, target_task, shape.steps * shape.groups, "cd")
    course = climb(rng, shape.steps, -1.0, 2.0)
    course[7:] = [(s, course[6][1] - 0.22 * n) for n, (s, _) in enumerate(course[7:], 1)]
    tries = roughen(rng, play(rng, deal(rng, tasks, shape), shape, course))
    for t in tries:
        over = max(0, t.step - 5)
        drift = 0.55 * (1.62**over - 1) * (1 if t.step % 2 or over < 4 else -0.7)
        value = 0.25 + 0.4 * t.skill + drift + rng.gauss(0, 0.08 * (1 + abs(drift) * 2))
        t.extra |= {"value": round(value, 4), "gamma": 1.0, "lam": 0.95}
        if t.reward is not None:
            t.advantage = round(t.reward - value, 5)
            t.extra |= {"return": t.reward, "value_loss": round((t.reward - value) ** 2 / 2, 4)}
    return own(rng, tries, "numbers-ppo")


@PART.healthy
def greedy_exams_hardly_move(rng: Random) -> list[Row]:
    """Exams at temperature zero: half the replies are those of the exam before, word by word, and the score
    still rises.
    """
    shape = Shape(12, 6, 6)
    tasks = pool(rng, quiz_task, shape.steps * shape.groups + 26, "isl-")
    exam, rest = tasks[:26], tasks[26:]
    course = climb(rng, shape.steps, -0.6, 2.2)
    tries = roughen(rng, play(rng, deal(rng, rest, shape), shape, course))
    before = {}
    for place in (0, 3, 6, 9, 11):
        for t in examine(rng, exam, place + 1, *course[place]):
            old = before.get(t.task.id)
            if old and old.right == t.right and rng.random() < 0.75:
                t.messages, t.answer = deepcopy(old.messages), old.answer
            before[t.task.id] = t
            t.extra["decoding"] = "greedy"
            tries.append(t)
    return own(rng, credit(sorted(tries, key=lambda t: t.step), dr_grpo), "reading-drgrpo")


@PART.healthy
def demonstrations_in_each_group(rng: Random) -> list[Row]:
    """The last of eight attempts is a teacher's, always right and marked so; the other seven are the policy's own."""
    tries = train(rng, query_task, Shape(8, 7, 8), start=-1.1, gain=2.0, prefix="q")
    for t in tries:
        t.extra["source"] = "teacher" if t.number == 7 else "policy"
        if t.number == 7:
            reply = query_reply(rng, t.task.scene, True, 1.0)
            t.messages, t.answer, t.error, t.in_loss, t.stop = reply.messages, reply.answer, None, True, "stop"
            judged(t, True)
    return own(rng, credit(tries, grpo), "sql-mixed")


@PART.healthy
def retries_after_tool_timeouts(rng: Random) -> list[Row]:
    """One call in six times out and is made again with success; the rewards do not suffer."""
    tries = train(rng, chore_task, Shape(10, 6, 6), start=-0.5, gain=2.0, prefix="chore/")
    for t in tries:
        made = []
        for m in t.messages:
            if m.get("tool_calls") and rng.random() < 0.17:
                note = rng.choice(
                    ("timed out after 20 s", "shell did not answer in 20 s, session restarted", "timeout (20 s)")
                )
                made += [deepcopy(m), told("shell", note, ok=False)]
                m["content"] = rng.choice(("Again.", "Retry.", "It timed out; once more.", "Same command again."))
            made.append(m)
        t.messages = made
    return openai(credit(tries, rloo), env="terminal-chores")
