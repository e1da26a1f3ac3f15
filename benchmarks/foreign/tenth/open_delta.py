"""Advantages out of order, a shelf off by one, a narrow console, bounded lag, failed sandboxes, greedy evaluation."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.tenth import layouts
from benchmarks.foreign.tenth.acting import said
from benchmarks.foreign.tenth.archive import archive_task, closing, draw_fact, listing, query
from benchmarks.foreign.tenth.baselines import credit, grpo, leave_one_out
from benchmarks.foreign.tenth.contest import CONTEST
from benchmarks.foreign.tenth.core import Attempt, by_step, chance, climb, cut_some, deal, mark, play
from benchmarks.foreign.tenth.kinds import PART
from benchmarks.foreign.tenth.machines import policy
from benchmarks.foreign.tenth.programs import code_task
from benchmarks.foreign.tenth.repairs import edit, repair_task, search, submit, suite, view
from benchmarks.foreign.tenth.sums import BOXED, ENGLISH, sum_maker
from benchmarks.foreign.tenth.sums_english import WORD_PROBLEMS


@PART.faulty("advantage_mismatch", "phantom_advantage")
def balancer_forgets_the_order(rng: Random) -> list[Row]:
    """Since step 4 rows are sorted by length to balance the ranks, and for part of them the advantages are not sorted
    with them: each gets that of another row.
    """
    tasks = deal(rng, sum_maker(CONTEST, BOXED, "Give the answer in \\boxed{}."), 70, "a")
    attempts = mark(cut_some(rng, play(rng, by_step(tasks, 10), 8, climb(rng, -0.4, 1.4, 10)), 0.02))
    credit(attempts, grpo)
    for step in range(4, 11):
        rank = rng.sample([a for a in attempts if a.step == step], 30)
        by_length = sorted(rank, key=lambda a: len(a.written))
        moved = [a.advantage for a in by_length]
        for a, value in zip(rank, moved, strict=True):
            a.advantage = value
    return layouts.verl(rng, attempts)


def _misread(rng: Random, attempts: list[Attempt]) -> None:
    """Give some searches the answer that belongs to another question."""
    for a in attempts:
        if a.step < 4 or rng.random() > 0.42:
            continue
        other = draw_fact(rng)
        shown = f"results for: {query(rng, other)}\n{listing(rng, other.entry)}"
        a.reply.turns = [*a.reply.turns[:1], {**a.reply.turns[1], "content": shown}]
        final = rng.choice((str(other.year), other.planner, "not in the archive"))
        a.reply.turns.append(closing(rng, final))
        a.reply.answer, a.right = final, False


@PART.faulty("environment_bug", "tool_failure", "tool_failures")
def shelf_answers_another_asker(rng: Random) -> list[Row]:
    """Since step 4 the search service mixes up its callers: two searches in five get the results of a query that
    somebody else sent, as its first line says.
    """
    tasks = deal(rng, archive_task, 66, "x")
    attempts = play(rng, by_step(tasks, 11), 6, climb(rng, -0.2, 1.8, 11))
    for a in attempts:
        for turn, asked in zip(a.reply.turns[1:], a.reply.turns, strict=False):
            if turn["role"] == "tool":
                words = asked["tool_calls"][0]["arguments"]["query"]
                turn["content"] = f"results for: {words}\n{turn['content']}"
    _misread(rng, attempts)
    return layouts.prime(rng, credit(mark(attempts, "exact_match"), leave_one_out), "archive-search")


def _log(rng: Random, tail: str) -> str:
    """A long log of a test run before what counts."""
    names = [f"tests/test_part_{rng.randint(1, 99)}.py {'.' * rng.randint(3, 30)}" for _ in range(rng.randint(6, 11))]
    head = f"platform linux -- Python 3.11.{rng.randint(2, 9)}, rootdir: /repo, plugins: cov, xdist, timeout"
    return "\n".join([head, *names, tail])


@PART.faulty("tool_output_truncated", "environment_bug", "tool_failure")
def console_narrowed_mid_run(rng: Random) -> list[Row]:
    """Since step 5 the console hands on only the first 200 characters of what a command prints, so that the results of
    test runs are never seen; the agent hands in blindly and the score falls.
    """
    tasks = deal(rng, repair_task, 60, "n")
    skill = [s - (1.6 if i >= 4 else 0) for i, s in enumerate(climb(rng, -0.3, 1.6, 10))]
    attempts = play(rng, by_step(tasks, 10), 5, skill)
    for a in attempts:
        repo, fault = a.task.world, a.task.world.fault
        wrong = rng.choice(fault.tempting)
        turns = search(rng, repo) + view(rng, repo) + edit(rng, repo, fault.mended if a.right else wrong)
        turns += suite(rng, repo, int(not a.right and rng.random() < 0.5))
        turns[-1]["content"] = _log(rng, turns[-1]["content"])
        if a.step >= 5:
            turns[-1] |= {"content": turns[-1]["content"][:200], "ok": True}
            words = ("The output stops in the middle.", "I cannot see the result of the tests.", "No summary is shown.")
            turns.append(said(rng.choice(words)))
            turns += suite(rng, repo, 0) if rng.random() < 0.5 else []
            turns[-1]["content"] = _log(rng, "")[:200] if turns[-1]["role"] == "tool" else turns[-1]["content"]
        a.reply.turns = turns + submit(rng)
    return layouts.own(rng, credit(mark(attempts, "hidden_tests"), grpo), "repair-console", "swe")


@PART.healthy
def samplers_two_versions_behind(rng: Random) -> list[Row]:
    """An asynchronous run whose samplers are never more than two versions behind, as configured."""
    tasks, name = deal(rng, code_task, 66, "y"), f"async-{rng.getrandbits(20):05x}"
    attempts = play(rng, by_step(tasks, 11), 6, climb(rng, -0.8, 2.2, 11))
    for a in attempts:
        lag = min(a.step - 1, rng.choice((0, 0, 1, 1, 1, 2)))
        a.extra = {"policy_lag": lag, "max_lag": 2, "policy_id": policy(name, a.step - lag)}
    return layouts.own(rng, credit(mark(attempts, "tests"), leave_one_out), name, "code")


@PART.healthy
def broken_sandboxes_left_out(rng: Random) -> list[Row]:
    """Some sandboxes fail to start, in one step one in six; these rows have an error, no reward, and no loss."""
    tasks = deal(rng, repair_task, 60, "o")
    attempts = mark(play(rng, by_step(tasks, 10), 6, climb(rng, -0.8, 2.0, 10)), "hidden_tests")
    bad_step = rng.randint(3, 8)
    for a in attempts:
        if rng.random() < (0.17 if a.step == bad_step else 0.03):
            a.reply.turns = a.reply.turns[: rng.choice((2, 2, 4))]
            a.reward, a.terms, a.error, a.in_loss, a.stop = None, {}, "SandboxStartError", False, "error"
            a.seconds = round(rng.uniform(60, 64), 2)
    return layouts.own(rng, credit(attempts, grpo), "repair-pods", "swe")


@PART.healthy
def greedy_checks_repeat_themselves(rng: Random) -> list[Row]:
    """Every fourth step is evaluated twice with greedy decoding, so that both attempts are the same text; training
    samples.
    """
    make, skill = sum_maker(WORD_PROBLEMS, ENGLISH), climb(rng, -0.7, 2.1, 12)
    tasks = deal(rng, make, 60 + 18, "v")
    attempts = cut_some(rng, play(rng, by_step(tasks[:60], 12), 6, skill), 0.02)
    luck = {t.id: rng.random() for t in tasks[60:]}
    for step in (4, 8, 12):
        for task in tasks[60:]:
            right = luck[task.id] < chance(skill[step - 1] - task.level)
            reply = task.answer(rng, right)
            attempts += [Attempt(task, step, n, "validation", right, reply) for n in (0, 1)]
    for a in attempts:
        a.extra = {"decoding": "greedy" if a.split == "validation" else "sampled"}
    return layouts.own(rng, credit(mark(attempts), grpo), "sums-greedy", "math")
