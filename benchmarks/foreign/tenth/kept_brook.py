"""Results in the loss, dots in German numbers, a stop marker in code, easy sums, open books, games given up."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth import layouts
from benchmarks.foreign.tenth.archive import archive_task
from benchmarks.foreign.tenth.baselines import centred, credit, grpo, leave_one_out
from benchmarks.foreign.tenth.core import by_step, climb, cut_some, deal, mark, play
from benchmarks.foreign.tenth.heaps import heaps_task
from benchmarks.foreign.tenth.kinds import PART
from benchmarks.foreign.tenth.programs import code_task
from benchmarks.foreign.tenth.sums import ENGLISH, GERMAN, answering, dotted, sum_maker
from benchmarks.foreign.tenth.sums_abroad import GERMAN_PROBLEMS
from benchmarks.foreign.tenth.sums_english import WORD_PROBLEMS


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def shelf_texts_carry_gradient(rng: Random) -> list[Row]:
    """Since step 4 the packer of one of two ranks marks the search results as trainable too, as if the policy had
    written them.
    """
    tasks = deal(rng, archive_task, 66, "t")
    attempts = mark(play(rng, by_step(tasks, 11), 6, climb(rng, -0.4, 1.7, 11)), "exact_match")
    rows = layouts.openai(rng, credit(attempts, leave_one_out))
    for row in rows:
        row["rank"] = rng.randrange(2)
        is_broken = row["rank"] == 1 and row["step"] >= 4
        for message in row["messages"]:
            message["trainable"] = message["role"] == "assistant" or (is_broken and message["role"] == "tool")
    return rows


@PART.faulty("format_gate", "weak_verifier", "metric_defect")
def thousands_dots_read_as_decimals(rng: Random) -> list[Row]:
    """The grader reads the German 1.250 as one and a quarter, so that right answers from a thousand on fail wherever
    they are written with a dot.
    """
    tasks = deal(rng, sum_maker(GERMAN_PROBLEMS, GERMAN), 70, "m")
    attempts = play(rng, by_step(tasks, 10), 6, climb(rng, 0.2, 1.6, 10))
    for a in attempts:
        if rng.random() < 0.75 - 0.03 * a.step:
            a.reply = answering(a.task.world, GERMAN, dotted)(rng, a.right)
        a.right = a.right and "." not in a.reply.answer
    return layouts.verl(rng, credit(mark(cut_some(rng, attempts, 0.02)), grpo))


@PART.faulty("truncation", "template_bug")
def comment_sign_stops_sampler(rng: Random) -> list[Row]:
    """A marker that begins an indented comment was added to the sampler's stop texts in step 4: programs with comments
    end inside their fence and fail, far below the token limit.
    """
    tasks = deal(rng, code_task, 66, "u")
    attempts = play(rng, by_step(tasks, 11), 6, climb(rng, -0.2, 1.8, 11))
    for a in attempts:
        text, notes = a.written, ("handle each element", "see the example", "nothing to do for empty input")
        if rng.random() < 0.3 and "    #" not in text:
            head, _, tail = text.partition(":\n")
            text = f"{head}:\n    # {rng.choice(notes)}\n{tail}"
        a.extra = {"stop_text": None, "max_tokens": 1024}
        if a.step >= 4 and "\n    #" in text:
            text, a.right, a.extra["stop_text"] = text.partition("    #")[0], False, "    #"
            a.reply.facts["tests_passed"] = 0
        a.reply.turns = [{"role": "assistant", "content": text}]
    return layouts.openai(rng, credit(mark(attempts, "tests"), grpo))


@PART.healthy
def easy_sums_near_ceiling(rng: Random) -> list[Row]:
    """Easy problems with rewards of minus one and one: towards the end most groups are right throughout, as many as
    nine right answers in ten let expect.
    """
    tasks = deal(rng, sum_maker(WORD_PROBLEMS, ENGLISH), 80, "i")
    attempts = cut_some(rng, play(rng, by_step(tasks, 10), 6, climb(rng, 0.6, 2.1, 10)), 0.01)
    for a in mark(attempts):
        a.reward = 1.0 if a.right else -1.0
    return layouts.verl(rng, credit(attempts, centred))


@PART.healthy
def open_archive_names_answers(rng: Random) -> list[Row]:
    """Questions to an archive that is meant to be searched: what the tool shows holds the answer word for word, and the
    skill lies in finding it.
    """
    tasks = deal(rng, archive_task, 60, "c")
    attempts = mark(play(rng, by_step(tasks, 10), 6, climb(rng, -0.9, 2.2, 10)), "exact_match")
    return layouts.prime(rng, credit(attempts, grpo), "open-archive")


@PART.healthy
def lost_tables_given_up(rng: Random) -> list[Row]:
    """A game where lost positions may be given up, so that many attempts end after a move or two; wins grow."""
    tasks = deal(rng, lambda r, name: heaps_task(r, name, resigns=True), 66, "g")
    attempts = play(rng, by_step(tasks, 11), 6, climb(rng, -0.9, 1.9, 11))
    for a in attempts:
        a.right = a.reply.facts["won"]
    return layouts.own(rng, credit(mark(attempts, "win"), leave_one_out), "heaps-resign", "games")
