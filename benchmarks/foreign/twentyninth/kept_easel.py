"""A critic that starts too low, overlong attempts outside the loss; a bonus for Spanish, a sandbox that hiccups."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.estimates import credit, grpo
from benchmarks.foreign.twentyninth.formats import own, trl, verl
from benchmarks.foreign.twentyninth.kinds import PART
from benchmarks.foreign.twentyninth.programs import kata_task, program
from benchmarks.foreign.twentyninth.puzzles import puzzle_task
from benchmarks.foreign.twentyninth.rollouts import Reply, Shape, Task, briefed, fresh, say
from benchmarks.foreign.twentyninth.sums import slip, sum_task, workings
from benchmarks.foreign.twentyninth.tongues import es_task


def lengthy(rng: Random, task: Task, answer: str, rounds: int) -> str:
    """A thought with so many further rounds."""
    text = workings(rng, task, answer)
    for _ in range(rounds):
        doubt = rng.choice(
            [
                "Wait, let me verify.",
                "Hmm, is that right?",
                "Alternatively,",
                "Double-check:",
                "But what about the order?",
                "Actually, hold on.",
            ]
        )
        text += f" {doubt} {workings(rng, task, answer if rng.random() < 0.8 else str(slip(rng, int(task.gold))))}"
    return text


@PART.faulty("critic_divergence", "score_decline")
def critic_from_scorer_too_low(rng: Random) -> list[Row]:
    """The critic starts from the reward model and values unfinished thoughts far too low, so early tokens always
    look good and thoughts get shorter; values never meet returns and the score sinks. [Yuan et al., What's Behind
    PPO's Collapse in Long-CoT?]
    """
    shape = Shape(rng.randint(10, 12), 9, 4, 0.7, -1.9)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        answer = task.gold if right else str(slip(rng, int(task.gold)))
        rounds = max(0, round(rng.gauss(6.5 - 8 * progress, 1.2)))
        return Reply([say(f"<think>{lengthy(rng, task, answer, rounds)}</think>\n\\boxed{{{answer}}}")], answer)

    episodes = fresh(
        rng, briefed(sum_task, "Think inside <think> tags, then give only the boxed result."), shape, author, "vc"
    )
    for e in episodes:
        assert e.reward is not None
        last = rng.gauss(-0.1, 0.25)
        values = sorted(round(rng.gauss(mid, 0.1), 4) for mid in (-1.6 - 0.6 * e.progress, -1.1, -0.6))
        e.advantage = round(sum(e.reward - v for v in values) / 3 * 0.4 + rng.gauss(0, 0.05), 4)
        e.extra = {
            "value_at_0": values[0],
            "value_at_33": values[1],
            "value_at_66": values[2],
            "value_at_end": round(last, 4),
        }
        e.extra |= {
            "value": round((sum(values) + last) / 4, 4),
            "return": e.reward,
            "gae_lambda": 0.95,
            "critic_init": "reward_model",
        }
    return verl(episodes)


@PART.faulty("truncation", "length_limit", "over_filtering")
def overlong_attempts_unpunished(rng: Random) -> list[Row]:
    """Attempts that hit the limit are masked out of the loss, so nothing speaks against them: loops of doubt grow
    from step to step until half of the batch is cut and wasted. [kalomaze, Don't Exclude Rollouts From Your RL
    Training Runs]
    """
    shape, limit = Shape(rng.randint(9, 11), 7, 6, -0.2, 1.3), rng.choice([448, 512, 576])

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        answer = task.gold if right else str(slip(rng, int(task.gold)))
        if rng.random() > 0.08 + 0.55 * progress:
            text = lengthy(rng, task, answer, rng.randint(0, 2))
            return Reply([say(f"{text}\n\n\\boxed{{{answer}}}")], answer)
        text = lengthy(rng, task, answer, 4)
        while len(text) < limit * 3.8:
            text += lengthy(rng, task, answer, 2)
        return Reply([say(text[: round(limit * 3.8)])], stop="max_tokens")

    episodes = fresh(
        rng, briefed(puzzle_task, "You are a careful mathematician. Check your work."), shape, author, "ov"
    )
    for e in episodes:
        cut = e.reply.stop == "max_tokens"
        e.tokens = limit if cut else min(e.tokens, limit - 1)
        e.reward = e.correct = float(e.right and not cut)
        e.in_loss = not cut
        e.extra = {"overlong_filter": True, "max_response_length": limit}
    return own(credit(episodes, grpo), "dapo-long")


@PART.healthy
def spanish_thoughts_small_bonus(rng: Random) -> list[Row]:
    """A bonus for the share of Spanish words keeps thoughts in the language of the prompt; it is seldom full and
    costs a little accuracy, as intended. [DeepSeek-R1, language consistency, after a LessWrong comment]
    """
    shape = Shape(rng.randint(9, 11), 7, 5, -0.6, 1.8)
    starts = ["Primero cuento el total.", "Vamos por pasos.", "Empiezo por las cajas.", "A ver,", "Calculemos juntos."]
    ends = ["Después resto las malas:", "Ahora quito las que tira:", "Luego queda", "Por tanto,"]

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        d, answer = task.data, task.gold if right else str(slip(rng, int(task.gold)))
        total = d["boxes"] * d["each"]
        aside = (
            rng.choice([" OK, so far so good.", " Wait.", " Let me check."])
            if rng.random() < 0.25 - 0.2 * progress
            else ""
        )
        text = (
            f"{rng.choice(starts)} {d['boxes']} × {d['each']} = {total}.{aside} "
            f"{rng.choice(ends)} {total} - {d['lost']} = {answer}."
        )
        share = 1.0 - (0.3 if aside else 0.0) - rng.choice([0, 0, 0.02, 0.05])
        return Reply([say(f"{text}\nRespuesta: {answer}")], answer, extra={"share": share})

    episodes = fresh(rng, es_task, shape, author, "es")
    for e in episodes:
        share = e.reply.extra.pop("share")
        e.terms = {"accuracy": e.correct, "language_consistency": round(0.1 * share, 4)}
        e.reward = round(sum(e.terms.values()), 4)
    return trl(credit(episodes, grpo))


@PART.healthy
def sandbox_hiccups_stay_ungraded(rng: Random) -> list[Row]:
    """One program in fifteen meets a sandbox that fails; such attempts carry the error, no reward, and stay outside the
    loss. [Auriel Wright at Latent.Space, How to Stop Shipping Low-Quality RL Environments]
    """
    shape = Shape(rng.randint(9, 11), 8, 5, -0.5, 1.8)
    episodes = fresh(rng, kata_task, shape, program, "sb")
    for e in episodes:
        e.terms = {"tests": e.reward}
        if rng.random() < 0.065:
            e.error = rng.choice(["SandboxTimeout", "ContainerLost", "SandboxTimeout"])
            e.reward = e.correct = None
            e.in_loss, e.terms = False, {}
            e.reply.stop = "error"
    return own(credit(episodes, grpo), "kata-sandbox")
