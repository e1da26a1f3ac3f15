"""Faults of sampling, estimators, masks and data loading, and what becomes of the policy."""

import random
import re

from benchmarks.foreign.later import library, sums, tongues
from benchmarks.foreign.later.course import Row, Talk, centred, chat, flat, grouped, plain, rise, run, tokens
from benchmarks.foreign.later.kinds import PART


@PART.faulty("entropy_collapse", "metric_defect")
def two_workers_share_a_seed(rng: random.Random) -> list[Row]:
    """Workers 2 and 3 start with the seeds of 0 and 1: every completion of a group is there twice."""
    rows: list[Row] = []
    drawn: dict[int, tuple[str, float]] = {}
    for t in run(rng, sums.problem, skill=(-0.5, 0.6)):
        worker = t.number % 4
        drawn[worker] = drawn[worker - 2] if worker > 1 else (sums.work(rng, t.task, t.right).text(), float(t.right))
        text, reward = drawn[worker]
        rows.append(flat(t, text, reward, worker=worker, temperature=1.0))
    return grouped(rows, "step", "prompt")


@PART.faulty("advantage_mismatch")
def groups_cut_after_length_sort(rng: random.Random) -> list[Row]:
    """The batch is sorted by length for packing, and then reshaped to groups of eight as if it were not."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.3, 0.0), spread=1.4):
        work = sums.work(rng, t.task, t.right)
        rows.append(flat(t, work.text("The answer is {}."), float(t.right), ground_truth=t.task.answer))
    for step in range(12):
        batch = sorted((row for row in rows if row["step"] == step), key=lambda row: row["num_tokens"])
        for start in range(0, len(batch), 8):
            centred([row["reward"] for row in batch[start : start + 8]], batch[start : start + 8])
    return rows


@PART.faulty("truncation", "echo_trap")
def end_token_left_out_of_the_loss(rng: random.Random) -> list[Row]:
    """The end token is masked like padding, so the policy unlearns to stop and writes on to the limit."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.2, 0.8)):
        text = sums.work(rng, t.task, t.right).text()
        is_cut = rng.random() < rise(t.at, 0.03, 0.88)
        while is_cut and tokens(text) < 450:
            more = sums.problem(rng)
            start = rng.choice(("Next problem:", "Here is another one.", "Problem:", "\nuser\n", "Q:"))
            text += f"\n\n{start} {more.prompt}\n{sums.work(rng, more, True).text()}"
        text = text[:1710] if is_cut else text
        reason = "length" if is_cut else "stop"
        rows.append(flat(t, text, float(t.right and not is_cut), finish_reason=reason, max_tokens=450))
    return grouped(rows, "step", "prompt")


@PART.faulty("echo_trap", "action_collapse")
def same_search_again(rng: random.Random) -> list[Row]:
    """The agent sends the query that it just sent, gets what it just got, and goes on until its turns are used up."""
    rows = []
    for t in run(rng, library.problem, problems=4, skill=(0.2, 0.3)):
        talk, is_stuck = library.solve(rng, t.task, t.right), rng.random() < rise(t.at, 0.05, 0.85)
        if is_stuck:
            talk = Talk(t.task.prompt, talk.messages[0]["content"])
            query, shown = library.query(rng, t.task), library.results(rng, t.task, False)
            for place in range(rng.randint(8, 12)):
                thought = rng.choice(library.AGAIN if place else library.PLANS)
                talk.use(thought, "search", shown, query=query)
        more = {"stop_reason": "max_turns" if is_stuck else "stop"}
        rows.append(chat(t, talk.messages, float(t.right and not is_stuck), **more))
    return grouped(rows, "step", "problem")


@PART.faulty("entropy_collapse", "kl_ineffective", "language_drift")
def reasoning_changes_language(rng: random.Random) -> list[Row]:
    """Questions and answers are English, but line by line the reasoning turns Chinese; the reward does not mind."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.5, 0.5)):
        work = sums.work(rng, t.task, t.right)
        lines = [_strayed(rng, line) if rng.random() < rise(t.at, 0.0, 0.8) else line for line in work.lines]
        text = "\n".join([*lines, f"Answer: {work.answer}"])
        rows.append(plain(t, text, float(t.right), advantage=None, target=t.task.answer, response_length=tokens(text)))
    return grouped(rows, "step", "input", reward="score")


def _strayed(rng: random.Random, line: str) -> str:
    numbers = re.findall(r"\d+", line)
    if len(numbers) < 3:
        return line
    return rng.choice(tongues.STRAY).format(x=numbers[0], y=numbers[1], z=numbers[-1])


@PART.faulty("over_filtering", "duplicate_problems")
def sampler_restarts_with_each_resume(rng: random.Random) -> list[Row]:
    """The job is preempted every four steps, and each resume starts the data again: 12 problems of 7,473 are seen."""
    rows = []
    for t in run(rng, sums.problem, steps=20, problems=3, skill=(-0.8, 1.6), cycle=12):
        work = sums.work(rng, t.task, t.right)
        consumed = 3 * (t.step + 1)
        more = {"dataset_index": t.index, "dataset_size": 7473, "epoch": round(consumed / 7473, 5)}
        rows.append(flat(t, work.text("Final answer: {}"), float(t.right), resumed_at=t.step // 4 * 4, **more))
    return grouped(rows, "step", "prompt")


@PART.faulty("length_gaming", "truncation", "echo_trap")
def wrong_answers_grow_long(rng: random.Random) -> list[Row]:
    """The loss of an answer is divided by its length, so long wrong answers cost little, and only these grow."""
    rows = []
    for t in run(rng, sums.problem, skill=(-0.2, 0.0)):
        work = sums.work(rng, t.task, t.right)
        lines, rounds = work.lines, 0 if t.right else round(rise(t.at, 0, 14) * rng.uniform(0.6, 1.3))
        for _ in range(rounds):
            work = sums.work(rng, t.task, False, brief=True)
            doubt = ("Wait, let me check that again.", "Hmm, is that right?", "Alternatively, start from the text.")
            lines = [*lines, rng.choice((*doubt, "Hold on.", "Let me recount.")), *work.lines]
        text = "\n".join([*lines, f"#### {work.answer}"])
        more = {"finish_reason": "length" if tokens(text) > 600 else "stop", "ground_truth": t.task.answer}
        rows.append(flat(t, text[:2280], float(t.right), **more))
    return grouped(rows, "step", "prompt")
