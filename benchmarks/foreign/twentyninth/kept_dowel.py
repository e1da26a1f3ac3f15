"""A cache of old records, proofs with a word for a key; essays with close marks, refusals that are checked."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.airline import desk_task, idle, serve
from benchmarks.foreign.twentyninth.essays import essay, essay_task, proof_task
from benchmarks.foreign.twentyninth.estimates import credit, dr_grpo, grpo, rloo
from benchmarks.foreign.twentyninth.formats import openai, prime, trl, verl
from benchmarks.foreign.twentyninth.kinds import PART
from benchmarks.foreign.twentyninth.ledger import account_task, book
from benchmarks.foreign.twentyninth.rollouts import Reply, Shape, Task, distinct, fresh, say, train
from benchmarks.foreign.twentyninth.sums import CHECKS, OPENINGS, solve, sum_task


@PART.faulty("environment_bug", "leftover_state", "environment_not_reset")
def ledger_answers_from_cache(rng: Random) -> list[Row]:
    """The mock API serves cached records after a change: agents see the old value, set it twice or report it, and are
    marked down. [Auriel Wright at Latent.Space, How to Stop Shipping Low-Quality RL Environments]
    """
    shape, share = Shape(rng.randint(9, 11), 7, 6, 0.4, 1.5), rng.uniform(0.4, 0.55)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        return book(rng, task, right, rng.random() < share)

    episodes = fresh(rng, account_task, shape, author, "acc")
    for e in episodes:
        stored = str(e.reply.extra["stored_value"])
        e.reward = e.correct = float(stored == e.task.gold and e.reply.answer == e.task.gold)
        e.extra = {"expected_value": int(e.task.gold)}
    return openai(credit(episodes, rloo), "office-mock")


@PART.faulty("wrong_labels", "dead_all_wrong", "stuck_problems", "dead_groups")
def proofs_keyed_by_word(rng: Random) -> list[Row]:
    """A third of the word problems are proofs whose key is the word "proof"; no answer can equal it, and sound
    proofs earn nothing in any step. [alon-albalak at Hugging Face, NuminaMath-1.5: Improperly labeled proofs]
    """
    shape = Shape(rng.randint(9, 11), 7, 6, -0.3, 1.7)
    total = shape.steps * shape.groups
    proofs = distinct(rng, proof_task, round(total * rng.uniform(0.3, 0.4)), "nm")
    tasks = proofs + distinct(rng, sum_task, total - len(proofs), "nm")
    rng.shuffle(tasks)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        if task.gold != "proof":
            return solve(rng, task, right, progress)
        end = rng.choice(
            [
                "\\boxed{\\text{shown}}",
                "\\boxed{\\text{QED}}",
                "\\boxed{\\text{True}}",
                "This completes it. \\boxed{\\blacksquare}",
            ]
        )
        parts = [
            rng.choice(OPENINGS),
            task.data["why"],
            rng.choice(["Hence the claim.", "That is what was asked.", *CHECKS]),
            end,
        ]
        return Reply([say(" ".join(p for p in parts if p))])

    episodes = train(rng, tasks, shape, author)
    for e in episodes:
        e.reward = e.correct = float(e.right and e.task.gold != "proof")
        e.extra = {"question_type": "math-word-problem", "source": "numina_1_5"}
    return verl(credit(episodes, grpo))


@PART.healthy
def essay_marks_lie_close(rng: Random) -> list[Row]:
    """A judge with a rubric of points marks essays between five and nine; marks lie close but follow the points that an
    essay makes, and rise.
    """
    shape = Shape(rng.randint(9, 11), 7, 5, 0.0, 0.0)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        points = min(4, max(1, round(rng.gauss(1.8 + 1.4 * progress, 0.8))))
        return Reply([say(essay(rng, task, points))], extra={"points_found": points})

    episodes = fresh(rng, essay_task, shape, author, "es")
    for e in episodes:
        mark = 5.2 + 0.8 * e.reply.extra["points_found"] + rng.gauss(0, 0.25)
        e.terms = {"rubric": round(mark / 10, 3)}
        e.reward, e.correct = e.terms["rubric"], None
    return trl(credit(episodes, dr_grpo))


@PART.healthy
def refusals_checked_by_reason(rng: Random) -> list[Row]:
    """Nearly half of the requests must be refused, and a refusal earns its mark only after a look at the booking
    and with the rule that applies; an agent that does nothing gets nothing.
    """
    shape = Shape(rng.randint(9, 11), 8, 5, -0.5, 1.9)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        return idle(rng) if rng.random() < 0.12 - 0.1 * progress else serve(rng, task, right, progress)

    episodes = fresh(rng, desk_task, shape, author, "ref")
    for e in episodes:
        looked = len(e.reply.messages) > 1
        e.reward = e.correct = float(looked and e.reply.answer == e.task.gold)
        e.terms = {"db_match": float(e.reply.answer == e.task.gold), "looked_up": float(looked)}
        e.extra = {"expected_state": e.task.gold}
    return prime(credit(episodes, grpo), "desk-airline-v2")
