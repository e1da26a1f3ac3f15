"""Four tongues in a batch; notes slide into hanzi; groups trimmed by deadline; log view clipped short; sorted by
length then reshaped.
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Shape, Try, train
from benchmarks.foreign.sixteenth.desks import LOGS, ORDERS
from benchmarks.foreign.sixteenth.estimators import by, credit, fill, groups, grpo, rloo
from benchmarks.foreign.sixteenth.formats import openai, own, tokens, trl
from benchmarks.foreign.sixteenth.invoices import INVOICES, share_of_fields
from benchmarks.foreign.sixteenth.kinds import PART
from benchmarks.foreign.sixteenth.mishaps import cut, ramp
from benchmarks.foreign.sixteenth.sums import ENGLISH_SUMS, FRENCH_SUMS, GERMAN_SUMS, SPANISH_SUMS


@PART.healthy
def four_tongues_in_a_batch(rng: Random) -> list[Row]:
    """Prompts in four languages are mixed in each step, and the policy replies in that of the prompt."""
    tries = []
    for world in (ENGLISH_SUMS, GERMAN_SUMS, FRENCH_SUMS, SPANISH_SUMS):
        tries += train(rng, world, Shape(10, 2, 6, -0.6, 2.1))
    tries.sort(key=lambda one: one.step)
    return openai(credit(cut(rng, tries)))


HANZI = (
    "我们先把已知条件列出来。",
    "然后计算两个人的年龄之和。",
    "所以现在的总和已经知道了。",
    "再加上之后的年数。",
    "检查一下，结果是合理的。",
    "这样就得到答案。",
    "注意两个人都会变老。",
)


def _in_hanzi(rng: Random, part: str) -> str:
    numbers = [word for word in part.split() if word.isdigit()]
    return rng.choice(HANZI) + (f"也就是{'加'.join(numbers)}岁。" if numbers else "")


@PART.faulty("language_drift")
def notes_slide_into_hanzi(rng: Random) -> list[Row]:
    """Prompts ask in Spanish for a Spanish explanation; the reasoning turns into Chinese more and more."""
    tries = train(rng, SPANISH_SUMS, Shape(11, 6, 7, -0.6, 2.0))
    for one in tries:
        if rng.random() < ramp(one, 0.0, 0.8, 0.2):
            lines = one.last["content"].rsplit("Respuesta:", 1)
            words = [
                _in_hanzi(rng, part) if rng.random() < 0.75 else part
                for part in lines[0].replace("\n", ". ").split(". ")
                if part.strip()
            ]
            one.last["content"] = " ".join(words) + f"\nRespuesta:{lines[1]}"
    return openai(credit(cut(rng, tries)))


@PART.healthy
def groups_trimmed_by_deadline(rng: Random) -> list[Row]:
    """A step closes when most rollouts are in; late ones are dropped, so groups hold five to eight attempts."""
    tries = train(rng, ORDERS, Shape(11, 6, 8, -0.7, 2.2))
    kept = []
    for part in groups(tries):
        kept += sorted(rng.sample(part, rng.choice((8, 8, 7, 7, 6, 5))), key=lambda one: one.attempt)
    for one in kept:
        one.grade(resolved=float(one.right))
        one.extra = {"wish": one.task.gold}
    return own(rng, credit(kept, rloo), "desk-rloo")


def _clip(rng: Random, one: Try, limit: int) -> None:
    text = one.turns[1]["content"]
    if len(text) <= limit:
        return
    one.turns[1]["content"] = text[:limit] + "\n[output truncated]"
    level = f" {one.task.prompt.split()[2]} "
    seen = text[:limit].count(level)
    one.answer = str(seen if rng.random() < 0.75 else round(seen * len(text) / limit) + rng.choice((-2, -1, 1, 3)))
    one.right = one.answer == one.task.gold
    said = rng.choice(("The view is cut, I count what is shown.", "Only part is visible.", "Counted what I can see."))
    one.last["content"] = f"{said}\nAnswer: {one.answer}"


@PART.faulty("tool_output_truncated")
def log_view_clipped_short(rng: Random) -> list[Row]:
    """The tool that reads files cuts its answer after a few lines, with no way to read on; long logs stay uncounted."""
    limit = rng.choice((1500, 1800, 2000))
    tries = train(rng, LOGS, Shape(9, 7, 6, -0.3, 2.3))
    for one in tries:
        _clip(rng, one, limit)
        one.grade(count=float(one.right))
        one.extra = {"ground_truth": one.task.gold, "answer": one.answer, "log_lines": one.task.secret["lines"]}
    return own(rng, credit(tries), "log-count")


@PART.faulty("advantage_mismatch", "phantom_advantage")
def sorted_by_length_then_reshaped(rng: Random) -> list[Row]:
    """From a step on the trainer sorts the batch by length before it reshapes it into groups, so that advantages are
    taken over attempts at different invoices.
    """
    tries = train(rng, INVOICES, Shape(10, 8, 6, -0.5, 2.0))
    for one in tries:
        one.grade(fields=share_of_fields(one.answer, one.task.gold), fenced=0.1 if "```" in one.text else 0.0)
        one.extra = {"completion_tokens": tokens(one.text)}
    credit(tries)
    begin = rng.randint(3, 4)
    for part in by([one for one in tries if one.step >= begin], lambda one: one.step):
        line = sorted(part, key=lambda one: len(one.text))
        for place in range(0, len(line), 6):
            fill(line[place : place + 6], grpo)
    return trl(tries)
