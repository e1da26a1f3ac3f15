"""Heading marks halt sampler; spot nodes reclaimed at times; half a point without verdict; code breakers mostly
lose.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Shape, Try, train
from benchmarks.foreign.sixteenth.codes import CODES, marks
from benchmarks.foreign.sixteenth.estimators import credit, rloo
from benchmarks.foreign.sixteenth.formats import openai, own, prime
from benchmarks.foreign.sixteenth.kinds import PART
from benchmarks.foreign.sixteenth.mishaps import lose, ramp
from benchmarks.foreign.sixteenth.repositories import REPOSITORIES
from benchmarks.foreign.sixteenth.sums import ENGLISH_SUMS
from benchmarks.foreign.sixteenth.talks import ADVICE


def _with_headings(rng: Random, one: Try) -> None:
    text = one.last["content"]
    middle = max(text.find("\n"), text.find(" ", 20))
    titles = ("## Calculation", "## Step 1", "## Working", "## Solution")
    one.last["content"] = f"{text[:middle]}\n{rng.choice(titles)}\n{text[middle:].lstrip()}"


@PART.faulty("truncation", "template_bug")
def heading_marks_halt_sampler(rng: Random) -> list[Row]:
    """The sampler is given '##' as a stop string, so replies that use a heading end before any calculation."""
    tries = train(rng, ENGLISH_SUMS, Shape(11, 5, 8, -0.3, 2.1))
    for one in tries:
        one.extra = {"matched_stop": "<|im_end|>", "ground_truth": one.task.gold}
        if rng.random() < ramp(one, 0.42, 0.24):
            _with_headings(rng, one)
            one.last["content"] = one.last["content"].split("##")[0]
            one.extra["matched_stop"], one.right, one.answer = "##", False, ""
            one.grade(accuracy=0.0)
        one.extra["answer"] = one.answer
    return own(rng, credit(lose(rng, tries, 0.006), rloo), "rloo-gsm")


@PART.healthy
def spot_nodes_reclaimed_at_times(rng: Random) -> list[Row]:
    """Spot machines are reclaimed; one attempt in twenty is lost, has no reward, and reaches no loss or baseline."""
    tries = train(rng, REPOSITORIES, Shape(10, 6, 8, -0.7, 2.2))
    for one in tries:
        one.grade(tests=float(one.right))
        one.extra = {"node": f"spot-{rng.randint(1, 12)}"}
        if rng.random() < 0.055:
            one.error, one.stop, one.reward, one.correct = "NodePreempted", "error", None, None
            one.terms, one.in_loss = {}, False
            one.turns = one.turns[: rng.choice((1, 2))]
    return own(rng, credit(tries), "spot-swe")


def _verdict(rng: Random, score: float, *, whole: bool) -> str:
    why = rng.choice(("Useful and on topic.", "Clear, if short.", "Misses some points.", "The user can act on this."))
    if whole:
        return f'{why}\n{{"score": {score}}}'
    talk = rng.choice(
        ("Let me weigh the reply against each criterion of the rubric", "The answer could be seen as", "First, tone")
    )
    return f"<think>{talk}. {why} On the one hand it helps, on the other hand I would want to look at"


@PART.faulty("judge_default", "metric_defect")
def half_a_point_without_verdict(rng: Random) -> list[Row]:
    """The thinking of the judge is cut by its token limit in a third of cases; without a verdict the score is 0.5."""
    tries = train(rng, ADVICE, Shape(9, 9, 6, -0.6, 2.0))
    begin = rng.randint(1, 3)
    for one in tries:
        score = round(min(1.0, max(0.0, rng.gauss(0.8 if one.right else 0.28, 0.1))), 1)
        whole = one.step < begin or rng.random() > 0.38
        one.extra = {"judge_reply": _verdict(rng, score, whole=whole), "judge_model": "judge-32b-thinking"}
        one.grade(helpful=score if whole else 0.5)
        one.correct = None
    return openai(credit(tries))


@PART.healthy
def code_breakers_mostly_lose(rng: Random) -> list[Row]:
    """A hard game with six guesses: few wins at first, a reward graded by the last hits, and slow progress."""
    tries = train(rng, CODES, Shape(13, 6, 6, -3.4, 2.2))
    for one in tries:
        one.right = "Correct after" in one.turns[-2]["content"]
        hits, close = marks(one.answer, one.task.gold)
        one.grade(win=float(one.right), nearness=0.0 if one.right else (hits + 0.5 * close) / 8)
    return prime(credit(tries), "codebreaker")
