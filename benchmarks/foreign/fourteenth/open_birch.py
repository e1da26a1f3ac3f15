"""Critics, graders that are out of reach, held questions, and machines that fail."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fourteenth.chats import ESSAYS
from benchmarks.foreign.fourteenth.course import Episode, Shape, climb, distinct, held, run
from benchmarks.foreign.fourteenth.credit import by_critic, by_group, grpo, rloo
from benchmarks.foreign.fourteenth.kinds import PART
from benchmarks.foreign.fourteenth.layouts import openai, own
from benchmarks.foreign.fourteenth.programs import BODIES, PROGRAMS
from benchmarks.foreign.fourteenth.puzzles import COUNTDOWN, DATES
from benchmarks.foreign.fourteenth.quizzes import QUIZ, reworded


@PART.faulty("critic_divergence")
def critic_climbs_out_of_bounds(rng: Random) -> list[Row]:
    """PPO on Countdown with rewards of 0 and 1: from the sixth step on the critic's values leave that range and
    grow by more than half every step, so the advantages are the critic's noise.
    """
    episodes = run(rng, COUNTDOWN, Shape(11, 11, 4), lambda s, n: climb(-0.6, 1.7)(min(s, 6), n))
    lean = {(s, g): rng.gauss(0.35, 1) for s in range(11) for g in range(14)}

    def value(e: Episode) -> float:
        calm = 0.4 + 0.2 * e.progress + rng.gauss(0, 0.09)
        return calm if e.step < 5 else calm + 1.65 ** (e.step - 4) * lean[e.step, e.group] * rng.uniform(0.7, 1.3)

    by_critic(rng, episodes, value)
    for e in episodes:
        e.columns["vf_loss"] = round((e.columns["value"] - e.columns["return"]) ** 2, 4)
    return own(rng, episodes, "countdown-ppo", adv_estimator="gae", gamma=1.0, lam=1.0)


@PART.healthy
def critic_warms_before_actor(rng: Random) -> list[Row]:
    """PPO on dates trains its critic alone for three steps: the actor's rate is nought, nothing improves, and values
    rise from nought to the rate of success; then both learn.
    """
    episodes = run(rng, DATES, Shape(12, 9, 4), lambda s, n: climb(-0.4, 2.2)(max(0, s - 3), n - 3))
    warm = [0.02, 0.22, 0.36]
    by_critic(rng, episodes, lambda e: (warm[e.step] if e.step < 3 else 0.4 + 0.38 * e.progress) + rng.gauss(0, 0.08))
    for e in episodes:
        e.columns |= {
            "phase": "critic_warmup" if e.step < 3 else "joint",
            "actor_lr": 0.0 if e.step < 3 else 1e-6,
            "critic_lr": 1e-5,
            "kl": 0.0 if e.step < 3 else round(0.004 * (e.step - 2) + rng.uniform(0, 0.003), 5),
        }
    return own(rng, episodes, "dates-ppo", critic_warmup=3)


@PART.faulty("judge_default", "infrastructure_errors", "infrastructure_zeros")
def rubric_grader_rate_limited(rng: Random) -> list[Row]:
    """RLOO on open requests with a rubric of ten points: from the third step on two judgements in five end in
    429, and each of those is stored as five points of ten.
    """
    episodes = run(rng, ESSAYS, Shape(10, 8, 5), climb(-0.3, 1.9))
    rate = rng.uniform(0.36, 0.46)
    for e in episodes:
        points = min(10, max(1, round(rng.gauss(7.6 if e.right else 3.4, 1.1))))
        said = rng.choice(["Clear and fit for the reader.", "On topic."] if e.right else ["Too vague.", "Says little."])
        e.columns["judge_output"] = f"{said} Points: {points}"
        if e.step >= 2 and rng.random() < rate:
            wait = rng.randint(2, 58)
            e.columns["judge_output"] = f"Error code: 429 - rate limit reached for requests, retry after {wait}s"
            points = 5
        e.columns["judge_points"] = points
        e.reward = points / 10
        e.terms = {"rubric": e.reward}
    rows = openai(by_group(episodes, rloo))
    for row in rows:
        del row["correct"], row["ground_truth"]
    return rows


@PART.healthy
def machine_failures_set_aside(rng: Random) -> list[Row]:
    """GRPO on programs where one sandbox in fourteen dies: those attempts carry the error, no reward, and are
    not in the loss.
    """
    episodes = run(rng, PROGRAMS, Shape(9, 7, 6), climb(-0.2, 1.8))
    bad_step = rng.randint(2, 6)
    for e in episodes:
        e.columns["sandbox"] = f"sbx-{rng.randrange(1, 13):02d}"
        if rng.random() < (0.17 if e.step == bad_step else 0.06):
            e.error, e.reward, e.in_loss, e.stop = rng.choice(["SandboxDied", "ImagePullTimeout"]), None, False, "error"
            e.reply.facts.pop("tests_passed")
    return own(rng, by_group(episodes, grpo), "code-sbx")


@PART.faulty("contamination")
def held_quiz_reworded_copies(rng: Random) -> list[Row]:
    """Three in five of the held questions are questions of the training set with a word or two exchanged; on
    those the score soars, on the rest it hardly moves.
    """
    tasks = distinct(rng, QUIZ, 46, "qz-")
    episodes = run(rng, QUIZ, Shape(12, 7, 5), climb(-0.3, 2.6), tasks)
    fresh = distinct(rng, QUIZ, 16, "val-n")
    copies = [reworded(rng, task, f"val-c{n}") for n, task in enumerate(rng.sample(tasks, 22))]
    for task in fresh:
        task.level = 0.5
    for task in copies:
        task.level = 0.0
    steps = [0, 3, 6, 9, 11]
    checks = held(rng, QUIZ, fresh, steps, climb(0.1, 0.2), 12) + held(rng, QUIZ, copies, steps, climb(0.1, 3.0), 12)
    return openai(by_group(episodes + checks, grpo))


@PART.healthy
def third_epoch_still_generalises(rng: Random) -> list[Row]:
    """The same thirty programs three times over; held ones, of functions that are not among them, improve almost as
    much.
    """
    pool = distinct(rng, PROGRAMS, 66, "prg-")
    unseen = set(rng.sample(sorted(BODIES), 2))
    train = [task for task in pool if task.family not in unseen][:30]
    other = [task for task in pool if task.family in unseen][:20]
    skill = climb(-0.6, 1.9)
    episodes = run(rng, PROGRAMS, Shape(12, 8, 5), skill, train)
    for e in episodes:
        e.columns["epoch"] = 1 + e.step * 8 // 30
    checks = held(rng, PROGRAMS, other, [0, 3, 6, 9, 11], climb(-0.5, 1.8), 12)
    return own(rng, by_group(episodes + checks, grpo), "code-epochs", epochs=3)
