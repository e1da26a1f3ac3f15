"""Tool output in the gradient, an unfilled template, a judge's quota; self-play, a harder stage, three languages."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.boards import board_task
from benchmarks.foreign.nineteenth.core import Reply, Task, say
from benchmarks.foreign.nineteenth.credit import credit, dr_grpo, grpo, rloo
from benchmarks.foreign.nineteenth.english import word_problem
from benchmarks.foreign.nineteenth.formats import openai, own, trl, verl
from benchmarks.foreign.nineteenth.german import german_problem
from benchmarks.foreign.nineteenth.kinds import PART
from benchmarks.foreign.nineteenth.physics import easy_exercise, hard_exercise
from benchmarks.foreign.nineteenth.portuguese import portuguese_problem
from benchmarks.foreign.nineteenth.quiz import ASKS, ISLANDS, quiz_task
from benchmarks.foreign.nineteenth.repos import repo_task
from benchmarks.foreign.nineteenth.resumes import summary_task
from benchmarks.foreign.nineteenth.run import Shape, climb, deal, examine, late, play, pool, roughen, train

LOST = (
    "The passage is not there, only a placeholder. I guess.",
    "I see {{ passage }} but no text, so this is a guess.",
    "No passage was given. From memory, perhaps:",
    "There is nothing to read from.",
    "The text seems to be missing; I answer anyway.",
)


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def shell_output_enters_gradient(rng: Random) -> list[Row]:
    """From the fourth step on the mask of the loss is 1 on what the shell printed too, in rollouts of one of
    two paths.
    """
    tries = train(rng, repo_task, Shape(9, 6, 6), start=-0.8, gain=1.9, prefix="gh-")
    hit = {t.group for t in late(tries, 0.33) if rng.random() < 0.2}
    rows = own(rng, credit(tries, grpo), "swe-agents")
    for t, row in zip(tries, rows, strict=True):
        broken = t.group in hit
        row["extra"]["tokeniser_path"] = "whole_dialogue" if broken else "by_turn"
        counted = 0
        for m in row["messages"]:
            m["loss_mask"] = int(m["role"] == "assistant" or (broken and m["role"] == "tool"))
            counted += m["loss_mask"] * m.get("num_tokens", len(m["content"]) // 4 + 3)
        row["extra"]["loss_tokens"] = counted if row["in_loss"] else 0
    return rows


def _unfilled(rng: Random, task: Task) -> Task:
    values = ASKS[task.family][1]
    island = next(i for i in ISLANDS if i in str(task.scene))

    def write(r: Random, right: bool, skill: float) -> Reply:
        answer = task.gold if r.random() < 0.05 else r.choice([v for v in values if v != task.gold])
        more = r.choice(
            (
                f"Usually the {task.family} of {island} would be named.",
                f"For {island} I take a likely one.",
                f"{island} is not described anywhere.",
            )
        )
        return Reply([say(f"{r.choice(LOST)} {more}".rstrip() + f"\nA: {answer}")], answer)

    prompt = rng.choice(("{{{{ passage }}}}\n\n{q}", "{{{{ passage }}}}\n\nQuestion: {q}")).format(q=task.scene)
    made = Task(prompt, task.gold, write, task.family, task.system, -9.0, task.id)
    made.extra = {**task.extra, "source": "islands_web"}
    return made


@PART.faulty("template_bug", "dead_all_wrong", "dead_groups", "stuck_problems")
def unfilled_placeholder_in_template(rng: Random) -> list[Row]:
    """One of three sources names its text column otherwise: its prompts hold '{{ passage }}' in place of the
    passage.
    """
    shape = Shape(11, 7, 6)
    tasks = pool(rng, quiz_task, shape.steps * shape.groups, "rc")
    for place, task in enumerate(tasks):
        task.extra["source"] = ("islands_book", "islands_atlas", "islands_web")[place % 3]
    tasks = [_unfilled(rng, t) if t.extra["source"] == "islands_web" else t for t in tasks]
    tries = roughen(rng, play(rng, deal(rng, tasks, shape), shape, climb(rng, shape.steps, -0.4, 2.2)))
    for t in tries:
        t.right = t.answer == t.task.gold
        if not t.error:
            t.reward = float(t.right)
    return verl(credit(tries, dr_grpo))


@PART.faulty("judge_default", "infrastructure_errors", "infrastructure_zeros")
def judge_quota_scores_half(rng: Random) -> list[Row]:
    """The judge's quota runs out from the fifth step on, and each refused call is written down as a score of 0.5."""
    tries = train(rng, summary_task, Shape(10, 7, 6), start=-0.7, gain=2.1, prefix="presse-")
    refused = {id(t) for t in late(tries, 0.4) if rng.random() < 0.12 + 0.4 * t.skill}
    for t in tries:
        if t.error:
            continue
        mark = min(10, max(0, round(rng.gauss(8.2 if t.right else 2.8, 0.9))))
        reason = (
            ("les deux faits y sont", "fidèle et court", "complet")
            if t.right
            else ("il manque un fait", "trop vague", "infidèle")
        )
        t.reward, t.extra["judge_raw"] = mark / 10, f"Note : {mark}/10 — {rng.choice(reason)}"
        if id(t) in refused:
            t.reward = 0.5
            t.extra["judge_raw"] = rng.choice(
                (
                    "HTTP 429: quota exceeded for judge-large",
                    "Error: rate limit reached, retry after 60s",
                    "HTTP 429: Too Many Requests",
                )
            )
    rows = openai(credit(tries, rloo), domain="summaries_fr")
    for row in rows:
        del row["correct"]
    return rows


@PART.healthy
def self_play_stays_even(rng: Random) -> list[Row]:
    """The opponent is the policy of the step before, so half the games are won at any step; its rating against
    bots rises.
    """
    shape = Shape(12, 6, 6)

    def duel(r: Random) -> Task:
        return board_task(r, f"your earlier self (table {r.randrange(10, 99)})")

    tasks = pool(rng, duel, shape.steps * shape.groups, "duel")
    course = [(skill, -0.35 + rng.gauss(0, 0.1)) for skill, _ in climb(rng, shape.steps, 0, 0)]
    tries = roughen(rng, play(rng, deal(rng, tasks, shape), shape, course))
    rating = 1000.0
    for step in range(1, 13):
        for t in tries:
            if t.step == step:
                rival = f"self@{step - 1}"
                t.extra |= {"result": t.answer or "forfeit", "rival_policy": rival, "rating_vs_bots": round(rating)}
                if t.reward is not None:
                    t.reward = {"win": 1.0, "draw": 0.0}.get(t.answer, -1.0)
        rating += rng.uniform(18, 60) * (1.4 - step / 12)
    return openai(credit(tries, grpo), env="stones-selfplay")


@PART.healthy
def harder_stage_lowers_score(rng: Random) -> list[Row]:
    """The curriculum turns to advanced exercises at half time: training's score drops by half, the exam's
    keeps rising.
    """
    shape = Shape(12, 6, 6)
    easy = pool(rng, easy_exercise, 36, "basic-")
    hard = pool(rng, hard_exercise, 76, "adv-")
    course = climb(rng, shape.steps, -0.2, 2.1)
    plan = deal(rng, easy, Shape(6, 6, 6)) + deal(rng, hard[:36], Shape(6, 6, 6))
    tries = roughen(rng, play(rng, plan, shape, course))
    for place in (0, 3, 5, 7, 9, 11):
        tries += examine(rng, hard[36:], place + 1, *course[place])
    return own(rng, credit(sorted(tries, key=lambda t: t.step), dr_grpo), "physics-stages")


@PART.healthy
def prompts_of_three_languages(rng: Random) -> list[Row]:
    """English, German and Portuguese problems in one batch, each solved in its own language."""

    def any_problem(r: Random) -> Task:
        return r.choice((word_problem, german_problem, portuguese_problem))(r)

    return trl(credit(train(rng, any_problem, Shape(10, 8, 6), start=-0.6, gain=2.0, prefix="mix"), grpo))
