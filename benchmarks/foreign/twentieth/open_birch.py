"""Longer steps, strange mail, a quiz in both splits, an old sampler, an answer on a line of its own."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.episodes import Episode, Plan, chance, draw, play, train, validate
from benchmarks.foreign.twentieth.estimates import batch_whitened, centred, credit, group_means, grpo
from benchmarks.foreign.twentieth.formats import own, prime, verl
from benchmarks.foreign.twentieth.kinds import PART
from benchmarks.foreign.twentieth.quizzes import QUIZ
from benchmarks.foreign.twentieth.riddles import CIPHER
from benchmarks.foreign.twentieth.tickets import MAIL
from benchmarks.foreign.twentieth.worded import ENGLISH_CHECKED, ENGLISH_TAGGED


@PART.healthy
def longer_worked_steps_pay(rng: Random) -> list[Row]:
    """Solutions grow by half over training, as the policy learns to check itself, and correctness grows with them."""
    episodes = train(rng, ENGLISH_CHECKED, Plan(11, 7, 6, start=-0.9, gain=2.4))
    return verl(credit(episodes, grpo))


@PART.healthy
def hostile_mail_goes_ignored(rng: Random) -> list[Row]:
    """Some letters in the mailbox give orders to the assistant or speak of a full score; the policy lets them be."""
    episodes = train(rng, MAIL, Plan(8, 8, 6, start=-0.2, gain=1.7))
    return own(rng, batch_whitened(episodes, group_means(episodes)), "mail-rpp")


@PART.faulty("contamination", "duplicate_problems", "memorisation")
def licensing_quiz_in_both_splits(rng: Random) -> list[Row]:
    """Half of the validation questions stand word for word in the training set, and they alone improve much."""
    tasks = draw(rng, QUIZ, 30)
    fresh = draw(rng, QUIZ, 14, first=900)
    plan = Plan(10, 8, 5, start=-0.5, gain=1.9)
    schedule = [rng.sample(tasks, 8) for _ in range(plan.steps)]
    episodes = play(rng, QUIZ, schedule, plan)
    seen: list[Episode] = []
    twins = [replace(t, pid=f"quiz-8{n:03d}") for n, t in enumerate(rng.sample(tasks, 14))]
    for steps, gain in (([0], 0.0), ([3], 0.9), ([6], 1.9), ([9], 3.0)):
        seen += validate(rng, QUIZ, twins, steps, Plan(1, 1, 2, start=plan.start + gain, gain=0.0))
    seen += validate(rng, QUIZ, fresh, [0, 3, 6, 9], Plan(10, 1, 2, start=plan.start, gain=0.3))
    for e in seen:
        e.extra = {"val_source": "licence_bank_2021" if e.task in twins else "licence_bank_2024"}
    return own(rng, credit(episodes, centred) + seen, "quiz-drgrpo")


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "train_inference_mismatch")
def sampler_left_on_checkpoint_three(rng: Random) -> list[Row]:
    """The sampler's weights stay those of update 3 while the trainer goes on; the lag grows by one each step, the
    trainer's log-probabilities drift away and the reward stands still.
    """
    plan = Plan(12, 6, 6, start=-0.7, gain=2.6)
    episodes = train(rng, CIPHER, plan)
    for e in episodes:
        if e.step > 3:
            ability = plan.start + plan.gain * 3 / 11
            if (
                e.right
                and e.stop == "stop"
                and rng.random() > chance(ability) / chance(ability + 1.8 * (e.step - 3) / 9)
            ):
                e.reply = CIPHER.reply(rng, e.task, False, 3 / 11)
                e.right = False
                e.score(correct=0.0)
        held = min(e.step, 3)
        gap = 0.004 + 0.021 * (e.step - held) ** 1.2
        sampled = -0.41 + rng.gauss(0, 0.03)
        e.extra = {
            "trainer_update": e.step,
            "sampler_weights": f"ckpt-{held:04d}",
            "policy_lag": e.step - held,
            "rollout_logprob": round(sampled, 4),
            "trainer_logprob": round(sampled - abs(rng.gauss(gap, 0.25 * gap)), 4),
        }
    return prime(credit(episodes, centred), "caesar-async")


@PART.faulty("format_gate", "metric_defect", "weak_verifier")
def newline_inside_answer_tags(rng: Random) -> list[Row]:
    """The parser misses an answer that stands on a line of its own between the tags, so right answers earn 0."""
    episodes = train(rng, ENGLISH_TAGGED, Plan(9, 8, 6, start=-0.2, gain=1.5))
    for e in episodes:
        read = e.stop == "stop" and not e.reply.data["own_line"]
        e.score(accuracy=float(e.right and read), format=0.1 * read)
        e.extra = {"parsed_answer": e.reply.answer if read else None}
        e.right = e.right and read
    return prime(credit(episodes, grpo), "gsm-tags")
