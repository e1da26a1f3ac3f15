"""Warm closings, results in the loss, English thoughts, a penalty that adapts."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.counsel import COUNSEL, WARM
from benchmarks.foreign.twentieth.episodes import Episode, Plan, said, train
from benchmarks.foreign.twentieth.estimates import batch_whitened, credit, grpo, rloo
from benchmarks.foreign.twentieth.formats import openai, openrlhf, own, verl
from benchmarks.foreign.twentieth.kinds import PART
from benchmarks.foreign.twentieth.ledger import LEDGER
from benchmarks.foreign.twentieth.riddles import CIPHER
from benchmarks.foreign.twentieth.stories import worked
from benchmarks.foreign.twentieth.worded import OPENINGS, PORTUGUESE_SUMS


@PART.faulty("reward_model_overoptimisation", "reward_outcome_divergence", "reward_bias")
def warm_closings_please_scorer(rng: Random) -> list[Row]:
    """The reward model pays for warm phrases, which replies collect by the handful, while the share that a panel of
    people prefers to the start falls.
    """
    episodes = train(rng, COUNSEL, Plan(11, 6, 8, start=0.2, gain=-0.9))
    for e in episodes:
        text = e.reply.turns[-1]["content"]
        count = min(6, max(0, round(rng.gauss(0.3 + 5 * e.progress, 0.9))))
        warm = rng.sample(WARM, count)
        parts = [*warm[: count // 2], text, *warm[count // 2 :]]
        e.reply.turns = [said(" ".join(parts))]
        e.reward = round(rng.gauss(-0.9 + 0.62 * count + 0.5 * e.right, 0.4), 3)
        wins = rng.random() < 0.56 - 0.075 * count + 0.15 * e.right
        e.extra = {"human_preferred": int(wins), "kl": round(abs(rng.gauss(0.02 + 0.5 * e.progress**1.5, 0.02)), 4)}
    return openrlhf(batch_whitened(episodes, lambda e: 0.0))


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def query_results_carry_gradient(rng: Random) -> list[Row]:
    """From the third step the mask of messages also holds 1 for what the database answers."""
    episodes = train(rng, LEDGER, Plan(9, 7, 6, start=-0.5, gain=1.4))
    for e in episodes:
        learns_all = e.step >= 2
        e.reply.turns = [
            t | {"loss_mask": int(t["role"] == "assistant" or (learns_all and t["role"] == "tool"))}
            for t in e.reply.turns
        ]
        masked = sum(len(str(t["content"])) for t in e.reply.turns if t["role"] == "tool") // 3
        e.extra = {"loss_tokens": e.tokens + masked * learns_all, "completion_tokens": e.tokens}
    rows = openai(credit(episodes, rloo))
    for row in rows:
        row["messages"] = [m if "loss_mask" in m else m | {"loss_mask": 0} for m in row["messages"]]
    return rows


def _in_english(rng: Random, e: Episode) -> None:
    lines, answer = worked(rng, e.task, e.right, other=True)
    e.reply.answer = answer
    parts = [rng.choice(OPENINGS["en"]), *lines]
    if rng.random() < 0.35:
        parts[1] = worked(rng, e.task, e.right)[0][0]
    e.reply.turns = [said("\n".join([*parts, rng.choice(("Resposta: ", "Answer: ")) + answer]))]


@PART.faulty("language_drift")
def portuguese_thoughts_turn_english(rng: Random) -> list[Row]:
    """Questions and first replies are Portuguese; from the middle on ever more solutions are written in English,
    though the system prompt asks for Portuguese.
    """
    episodes = train(rng, PORTUGUESE_SUMS, Plan(12, 6, 7, start=-0.6, gain=1.9))
    for e in episodes:
        e.task.system = "Você é um professor de matemática. Responda sempre em português."
        if e.stop == "stop" and rng.random() < max(0.01, 1.15 * (e.progress - 0.3)):
            _in_english(rng, e)
    return verl(credit(episodes, grpo))


@PART.healthy
def adaptive_penalty_holds_divergence(rng: Random) -> list[Row]:
    """The divergence from the reference rises fast at first; the coefficient adapts and it settles near its target."""
    episodes = train(rng, CIPHER, Plan(13, 6, 6, start=-0.8, gain=2.1))
    coefficient, level = 0.002, 0.004
    for step in range(13):
        level += (0.055 - level) * 0.4 + rng.gauss(0, 0.002)
        coefficient *= 1.5 if level > 0.04 else 1.0
        coefficient = min(coefficient, 0.02)
        for e in episodes:
            if e.step == step:
                kl = abs(rng.gauss(level, level / 4))
                e.score(correct=float(e.right), kl_penalty=-coefficient * kl * e.tokens)
                e.extra = {"kl": round(kl, 5), "kl_coef": round(coefficient, 5)}
    return own(rng, credit(episodes, grpo), "caesar-kl")
