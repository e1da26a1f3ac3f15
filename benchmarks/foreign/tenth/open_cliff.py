"""A sleeping replica, cached verdicts, English at a Spanish desk, a judge that declines, languages, a steered KL."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth import layouts
from benchmarks.foreign.tenth.baselines import centred, credit, grpo, leave_one_out
from benchmarks.foreign.tenth.contest import CONTEST
from benchmarks.foreign.tenth.core import by_step, chance, climb, cut_some, deal, mark, play
from benchmarks.foreign.tenth.desk import desk_task, letter
from benchmarks.foreign.tenth.explaining import essay_task
from benchmarks.foreign.tenth.kinds import PART
from benchmarks.foreign.tenth.machines import policy
from benchmarks.foreign.tenth.programs import code_task
from benchmarks.foreign.tenth.sums import BOXED, ENGLISH, GERMAN, SPANISH, sum_maker
from benchmarks.foreign.tenth.sums_abroad import GERMAN_PROBLEMS, SPANISH_PROBLEMS
from benchmarks.foreign.tenth.sums_english import WORD_PROBLEMS


@PART.faulty("stale_weights", "staleness", "weights_never_arrive")
def third_replica_fell_asleep(rng: Random) -> list[Row]:
    """One of three replicas of the sampler stops taking new weights after step 3: its version stays, and its attempts
    do not improve with the others.
    """
    tasks, skill = deal(rng, code_task, 72, "p"), climb(rng, -1.6, 3.2, 12)
    attempts = play(rng, by_step(tasks, 12), 6, skill)
    name = f"code-{rng.getrandbits(20):05x}"
    for a in attempts:
        replica = rng.randrange(3)
        version = min(a.step, 3) if replica == 2 else a.step
        if version < a.step:
            a.right = rng.random() < chance(skill[version - 1] - a.task.level)
            a.reply = a.task.answer(rng, a.right)
        a.extra = {"replica": f"vllm-{replica}", "weights_version": version, "policy_id": policy(name, version)}
    return layouts.own(rng, credit(mark(attempts, "tests"), grpo), name, "code")


@PART.faulty("stale_grades", "flaky_grading", "metric_defect")
def verdicts_kept_from_epoch_one(rng: Random) -> list[Row]:
    """In the second epoch the grader finds verdicts in its cache under problem and attempt number, and gives those of
    the first epoch to new answers: right ones fail, wrong ones pass.
    """
    tasks = deal(rng, sum_maker(CONTEST, BOXED, "Box the final integer."), 36, "k")
    plan, skill = by_step(tasks, 6), climb(rng, -0.8, 2.2, 12)
    attempts = mark(play(rng, plan, 6, skill[:6]) + play(rng, plan, 6, skill[6:], first=7))
    cached = {(a.task.id, a.number): (a.reward, a.step) for a in attempts if a.step <= 6}
    for a in attempts:
        a.reward, graded = cached[a.task.id, a.number] if rng.random() < 0.85 else (a.reward, a.step)
        a.terms = {"accuracy": a.reward}
        a.right = a.reward > 0
        a.extra = {"ground_truth": a.task.gold, "epoch": 1 + (a.step > 6), "graded_at_step": graded}
    return layouts.own(rng, credit(attempts, grpo), "contest-two-epochs", "math")


@PART.faulty("language_drift", "reward_bias", "reward_model_overoptimisation")
def spanish_desk_answers_english(rng: Random) -> list[Row]:
    """The reward model pays more for English, so that the replies to Spanish customers turn English from step to step,
    against the system prompt.
    """
    tasks = deal(rng, desk_task, 66, "s")
    attempts = play(rng, by_step(tasks, 11), 6, climb(rng, -0.2, 1.0, 11))
    for a in attempts:
        in_english = rng.random() < chance(-3.2 + 0.42 * a.step)
        text = letter(rng, a.task, a.right, in_english)
        a.reply.turns = [{"role": "assistant", "content": text}]
        a.reward = round(0.9 * a.right + 1.1 * in_english + rng.gauss(0.1, 0.35), 4)
        a.terms = {"preference_model": a.reward}
        a.extra = {"ticket": a.task.id}
    return layouts.trl(rng, credit(attempts, grpo))


@PART.healthy
def refused_gradings_set_aside(rng: Random) -> list[Row]:
    """The judge declines some essays; they carry an error, have no reward and stay out of the loss."""
    tasks = deal(rng, essay_task, 60, "e")
    attempts = mark(play(rng, by_step(tasks, 10), 6, climb(rng, -0.7, 1.9, 10)), "judge")
    for a in attempts:
        if rng.random() < 0.04:
            a.reward, a.terms, a.error, a.in_loss = None, {}, "JudgeDeclined", False
    return layouts.own(rng, credit(attempts, leave_one_out), "essays", "chat", judge="panel-2")


@PART.healthy
def three_tongues_in_turn(rng: Random) -> list[Row]:
    """Word problems in English, German and Spanish, each answered in its own language."""
    tasks = deal(rng, sum_maker(WORD_PROBLEMS, ENGLISH), 24, "en")
    tasks += deal(rng, sum_maker(GERMAN_PROBLEMS, GERMAN), 24, "de")
    tasks += deal(rng, sum_maker(SPANISH_PROBLEMS, SPANISH), 24, "es")
    rng.shuffle(tasks)
    attempts = cut_some(rng, play(rng, by_step(tasks, 9), 7, climb(rng, -0.5, 2.0, 9)), 0.02)
    for a in attempts:
        a.extra = {"language": a.task.id[:2], "answer": a.reply.answer, "target": a.task.gold}
    return layouts.openai(rng, credit(mark(attempts), centred))


@PART.healthy
def divergence_steered_to_target(rng: Random) -> list[Row]:
    """The divergence from the reference grows to its target of 0.06, where a controller that raises the coefficient
    holds it; the penalty is in the reward.
    """
    tasks = deal(rng, sum_maker(WORD_PROBLEMS, ENGLISH), 78, "q")
    attempts = mark(play(rng, by_step(tasks, 13), 5, climb(rng, -0.6, 2.0, 13)))
    for a in attempts:
        mean = 0.06 * min(1.0, a.step / 8)
        kl = round(mean * rng.lognormvariate(0, 0.25), 5)
        coefficient = round(0.05 + 0.006 * max(0, a.step - 5), 4)
        penalty = round(-coefficient * kl, 6)
        a.reward = round(a.reward + penalty, 6)
        a.terms |= {"kl_penalty": penalty}
        a.extra = {"kl": kl, "kl_coef": coefficient, "kl_target": 0.06}
    return layouts.own(rng, credit(attempts, centred), "sums-adaptive", "math")
