"""Replies of one word, an engine with old weights, a log that may be read, rewards below nought."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.chores import notes_of
from benchmarks.foreign.eighteenth.claims import follows_of
from benchmarks.foreign.eighteenth.credits import centred, credit
from benchmarks.foreign.eighteenth.dumps import own, prime, verl
from benchmarks.foreign.eighteenth.games import hunt_of
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import attempt, climb, distinct, pages, play, run
from benchmarks.foreign.eighteenth.sums import sum_of


@PART.healthy
def one_word_entailments(rng: Random) -> list[Row]:
    """Replies are yes or no by demand, so a group holds two texts at most, and many groups agree; the score rises
    as it should.
    """
    steps = 12
    tasks = distinct(rng, follows_of, steps * 8, "nli")
    return verl(credit(play(rng, pages(tasks, steps), rng.choice((4, 5)), climb(rng, 0.0, 1.6, steps))))


@PART.faulty("stale_weights", "staleness", "weights_never_arrive", "train_inference_mismatch")
def engine_missed_every_broadcast(rng: Random) -> list[Row]:
    """One of three inference engines never takes part in the broadcast of weights: its rollouts stay as weak as in
    the first step, and the trainer's likelihood of them moves away from the engine's.
    """
    steps = 12
    tasks = distinct(rng, lambda r: sum_of(r, "boxed"), steps * 6, "ex")
    skills = climb(rng, -0.7, 2.4, steps)
    lost = rng.randrange(3)
    episodes = []
    for step, batch in enumerate(pages(tasks, steps)):
        for task in batch:
            for number in range(6):
                engine = number % 3
                version = 0 if engine == lost else step
                e = attempt(rng, task, step, number, skills[version])
                told_by_engine = -0.42 + 0.018 * version + rng.gauss(0, 0.04)
                drift = -0.035 * (step - version) + rng.gauss(0, 0.012)
                e.extra = {
                    "engine": f"vllm-{engine}",
                    "engine_weights_step": version,
                    "engine_logprob_mean": round(told_by_engine, 4),
                    "trainer_logprob_mean": round(told_by_engine + drift, 4),
                }
                episodes.append(e)
    return prime(credit(episodes), "word-sums")


@PART.healthy
def release_notes_from_log(rng: Random) -> list[Row]:
    """Release notes are gathered from the git log, which the task tells the agent to read."""
    return own(rng, credit(run(rng, notes_of, 10, 6, rng.choice((5, 6)), "rel"), centred), "release-notes")


@PART.healthy
def minus_moves_for_reward(rng: Random) -> list[Row]:
    """In a game of guesses the reward is minus the share of moves used, and less for a loss, so that all rewards
    are below nought.
    """
    episodes = run(rng, hunt_of, 10, 6, 6, "game")
    for e in episodes:
        moves = sum(m["role"] == "tool" for m in e.reply.messages)
        e.right = bool(e.reply.answer) and e.stop == "stop"
        e.terms = {"moves": round(-moves / e.task.extra["limit"], 4), "lost": 0.0 if e.right else -0.5}
        e.reward = round(sum(e.terms.values()), 4)
    return own(rng, credit(episodes), "hunt-number")
