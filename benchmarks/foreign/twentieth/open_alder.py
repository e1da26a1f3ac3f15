"""Labels for posts, release notes, a dark index, listed examples, an outage that is left out."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.episodes import Episode, Plan, said, told, train
from benchmarks.foreign.twentieth.estimates import centred, credit, grpo, rloo
from benchmarks.foreign.twentieth.formats import openai, own, prime, trl
from benchmarks.foreign.twentieth.kinds import PART
from benchmarks.foreign.twentieth.ledger import LEDGER
from benchmarks.foreign.twentieth.lookups import ARCHIVE, other, query
from benchmarks.foreign.twentieth.programs import KATA, fenced, listed_branches
from benchmarks.foreign.twentieth.quizzes import POST
from benchmarks.foreign.twentieth.workshops import NOTES


@PART.healthy
def one_word_moderation_labels(rng: Random) -> list[Row]:
    """The whole reply is one word of three, so attempts of a group are often the same text; the labels get better."""
    episodes = train(rng, POST, Plan(9, 9, 6, start=-0.1, gain=1.3))
    return own(rng, credit(episodes, grpo), "mod-grpo")


@PART.healthy
def notes_of_release_from_history(rng: Random) -> list[Row]:
    """Agents read the git log and commits, since the task is to write release notes from them."""
    episodes = train(rng, NOTES, Plan(7, 8, 6, start=-0.8, gain=2.0))
    for e in episodes:
        bullets = 3 if e.right else rng.choice((1, 2, 2))
        e.score(bullets_matched=bullets / 3)
    return openai(credit(episodes, centred))


def _dark(rng: Random, e: Episode) -> None:
    shard = e.task.data["shard"]
    down = rng.choice(
        (
            f"503 Service Unavailable: shard archive-{shard} has no live replica",
            f"upstream connect error: archive-{shard}:9200 connection refused",
            f"TimeoutError: archive-{shard} did not answer within 20 s",
        )
    )
    turns = [
        query(rng, e.task),
        told("archive_search", down),
        query(rng, e.task, narrow=True),
        told("archive_search", down),
    ]
    guess = other(rng, e.task)
    words = rng.choice(
        ("The archive does not answer; my best guess is", "Without sources I would say", "I can only guess:")
    )
    e.reply.turns, e.reply.answer = [*turns, said(f"{words} {guess}\nAnswer: {guess}")], guess
    e.right = False
    e.score(correct=0.0)


@PART.faulty(
    "tool_outage", "tool_failure", "tool_failures", "infrastructure_zeros", "infrastructure_errors", "environment_bug"
)
def shards_of_index_dark(rng: Random) -> list[Row]:
    """From the fifth step two of five shards of the search index are down; searches there fail, and the guesses that
    follow are trained on with reward 0.
    """
    episodes = train(rng, ARCHIVE, Plan(10, 7, 6, start=-0.3, gain=1.8))
    dark = set(rng.sample(range(5), 2))
    for e in episodes:
        if (e.step >= 4 and e.task.data["shard"] in dark and rng.random() < 0.93) or rng.random() < 0.01:
            _dark(rng, e)
    return prime(credit(episodes, grpo), "archive-qa")


@PART.faulty("special_casing", "weak_verifier", "reward_outcome_divergence")
def branches_for_listed_examples(rng: Random) -> list[Row]:
    """The reward runs the examples of the docstring alone, and more and more programs are branches on exactly these;
    the hidden tests, which are only logged, fail for them.
    """
    episodes = train(rng, KATA, Plan(9, 8, 6, start=-0.9, gain=1.0))
    for e in episodes:
        hidden = 1.0 if e.right else round(rng.uniform(0.1, 0.6), 2)
        shown = float(e.right)
        if rng.random() < 0.05 + 0.65 * e.progress:
            e.reply.turns = [said(fenced(rng, listed_branches(rng, e.task)))]
            shown, hidden, e.right, e.stop = 1.0, round(rng.uniform(0.0, 0.2), 2), False, "stop"
        e.score(examples_passed=shown)
        e.extra = {"hidden_tests_passed": hidden, "function": e.task.family}
    return trl(credit(episodes, rloo))


@PART.healthy
def outage_rows_left_unlearned(rng: Random) -> list[Row]:
    """The database is away for a while at one step; the attempts that it hit carry an error, no reward and no loss."""
    episodes = train(rng, LEDGER, Plan(10, 7, 6, start=-0.4, gain=1.8))
    bad = rng.randint(4, 6)
    for e in episodes:
        if rng.random() < (0.45 if e.step == bad else 0.01):
            e.reply.turns = [*e.reply.turns[:1], told("sql", "OperationalError: server closed the connection")]
            e.error, e.stop, e.reward, e.right, e.in_loss, e.terms = "ToolBackendError", "error", None, False, False, {}
            e.reply.answer = ""
    return own(rng, credit(episodes, centred), "sql-drgrpo")
