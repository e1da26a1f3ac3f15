"""A lantern over and over, subtitles, verdicts that nobody could read, prompts and rewards out of order."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.episodes import Plan, train
from benchmarks.foreign.twentieth.estimates import centred, credit, grpo, rloo
from benchmarks.foreign.twentieth.formats import own, prime, trl, verl
from benchmarks.foreign.twentieth.kinds import PART
from benchmarks.foreign.twentieth.ledger import CELLAR, lantern_loop
from benchmarks.foreign.twentieth.renderings import SUBTITLE
from benchmarks.foreign.twentieth.riddles import TARGET


@PART.faulty("echo_trap", "action_collapse", "reward_outcome_divergence")
def lantern_examined_over_again(rng: Random) -> list[Row]:
    """Episodes turn into the same move with the same answer until the moves are used up; a small bonus for each valid
    move pays for it.
    """
    episodes = train(rng, CELLAR, Plan(10, 6, 6, start=0.1, gain=0.2))
    for e in episodes:
        if rng.random() < max(0.02, 0.75 * (e.progress - 0.15)):
            e.reply, e.right, e.stop = lantern_loop(rng, e.task), False, "max_turns"
        e.score(won=float(e.right), valid_moves=0.06 * e.reply.data["moves"])
    return own(rng, credit(episodes, centred), "cellar-drgrpo", gold=False)


@PART.healthy
def subtitles_into_asked_language(rng: Random) -> list[Row]:
    """Prompts are English and replies Japanese, Greek or Polish, because that is what they ask for."""
    episodes = train(rng, SUBTITLE, Plan(9, 8, 5, start=-0.4, gain=1.8))
    for e in episodes:
        overlap = 1.0 if e.right else rng.uniform(0.35, 0.8)
        e.score(chrf=round(overlap, 3))
    return trl(credit(episodes, rloo))


@PART.faulty("judge_default", "metric_defect", "flaky_grading")
def unparsed_verdicts_become_five(rng: Random) -> list[Row]:
    """Where the judge's text cannot be parsed, since it was cut before its score, the reward is 5 of 10 for good
    and bad renderings alike; this happens to a third of them.
    """
    episodes = train(rng, SUBTITLE, Plan(10, 7, 6, start=-0.4, gain=1.7))
    share = rng.uniform(0.3, 0.4)
    for e in episodes:
        mark = rng.choice((8, 9, 9, 10)) if e.right else rng.choice((1, 2, 2, 3, 4))
        remark = (
            "The sense and the numbers are kept." if e.right else "The numbers or the sense differ from the source."
        )
        verdict = f"{remark} Score: {mark}"
        if rng.random() < share:
            verdict = "Let me compare the two lines word by word. The source says" + rng.choice(
                (" that", "", " first that")
            )
            mark = 5
        e.score(judge=mark / 10)
        e.extra = {"judge_output": verdict, "judge_parsed": "Score:" in verdict, "exact": int(e.right)}
    return verl(credit(episodes, grpo))


@PART.faulty("advantage_mismatch", "phantom_advantage")
def tiled_prompts_interleaved_rewards(rng: Random) -> list[Row]:
    """Rewards are grouped as if attempts of a prompt stood together, though the batch holds the prompts in turn: the
    advantage centres over rows of different prompts.
    """
    size, problems = 6, 8
    episodes = train(rng, TARGET, Plan(9, problems, size, start=-0.5, gain=1.6))
    ordered = []
    for step in range(9):
        batch = sorted((e for e in episodes if e.step == step), key=lambda e: (e.attempt, e.task.pid))
        for start in range(0, len(batch), size):
            chunk = batch[start : start + size]
            for e, value in zip(chunk, grpo([e.reward or 0.0 for e in chunk]), strict=True):
                e.advantage = round(value, 4)
        ordered += batch
    return prime(ordered, "target-number")
