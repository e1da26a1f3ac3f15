"""Baselines across prompts, shared folders, made-up tool answers; a second book, git, a scripted turn."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twelfth.dumps import trl
from benchmarks.foreign.twelfth.estimates import credit, dr_grpo, grpo
from benchmarks.foreign.twelfth.held import held_out, share
from benchmarks.foreign.twelfth.kinds import PART
from benchmarks.foreign.twelfth.layouts import openai, own
from benchmarks.foreign.twelfth.ledger import ledger, penned
from benchmarks.foreign.twelfth.repos import looks_back, repair
from benchmarks.foreign.twelfth.rollouts import climb, distinct, groups, judge, play, rewrite, schedule, shape, train
from benchmarks.foreign.twelfth.shop import request
from benchmarks.foreign.twelfth.tasks import Reply
from benchmarks.foreign.twelfth.terminal import finds_leftover, leaves_result, log_question
from benchmarks.foreign.twelfth.wordsums import harder, wordsum


@PART.faulty("advantage_mismatch", "phantom_advantage")
def baseline_strides_across_prompts(rng: Random) -> list[Row]:
    """Rewards are ordered prompt by prompt but reshaped sample by sample, so each baseline mixes different prompts."""
    run = shape(rng, sizes=(6, 8), rows=(480, 700), steps=(9, 14))
    episodes = train(rng, wordsum, run, -0.7, 2.1)
    for step in range(run.steps):
        batch = [e for e in episodes if e.step == step]
        for offset in range(run.problems):
            mixed = batch[offset :: run.problems]
            for e, value in zip(mixed, grpo([e.reward for e in mixed]), strict=True):
                e.advantage = round(value, 5)
    for e in episodes:
        e.terms = {"accuracy": e.reward}
    return trl(episodes)


@PART.healthy
def validation_above_its_training(rng: Random) -> list[Row]:
    """Validation is a set of easier stories, evaluated each third step, and lies above training all along."""
    run = shape(rng, rows=(300, 460))
    episodes = train(rng, wordsum, run, -0.9, 2.0)
    held = distinct(rng, lambda r, n: wordsum(r, n, 0, "val"), rng.randint(30, 44))
    for step in range(0, run.steps, 3):
        progress = step / (run.steps - 1)
        episodes += held_out(rng, held, (step, progress), 0.4 + 1.9 * progress, 2)
    return own(rng, credit(episodes, grpo), "stories-easy-val")


@PART.faulty("environment_not_reset", "leftover_state", "environment_leak", "answer_reading")
def scratch_disk_shared_by_siblings(rng: Random) -> list[Row]:
    """The attempts of a group share one working folder, and later ones read the result file that the first one left."""
    run = shape(rng, sizes=(5, 6, 8))
    episodes = train(rng, log_question, run, -0.4, 1.3)
    for members in groups(episodes).values():
        first, *others = members
        if first.stop != "stop":
            continue
        kept = rng.choice(("answer.txt", "result.txt", "out.txt"))
        rewrite(first, leaves_result(Reply(first.messages, first.answer), kept))
        for e in others:
            if rng.random() < share(0.15, 0.7, e, run.steps):
                rewrite(e, finds_leftover(rng, e.task, kept, first.answer))
                e.stop = "stop"
                judge(e, first.right)
    return own(rng, credit(episodes, grpo), "shell-logs")


@PART.healthy
def second_book_halves_the_score(rng: Random) -> list[Row]:
    """In the middle a book of harder problems joins: the mean reward falls at once, though on either book the policy
    improves.
    """
    run = shape(rng, rows=(300, 500))
    since = rng.randint(run.steps // 3, run.steps // 2)
    easy = schedule(rng, distinct(rng, wordsum, run.steps * run.problems), run)
    hard = schedule(rng, distinct(rng, harder, run.steps * run.problems), run)
    cut_at = run.problems // 3
    plan = [e if n < since else e[:cut_at] + h[cut_at:] for n, (e, h) in enumerate(zip(easy, hard, strict=True))]
    episodes = play(rng, plan, run.size, climb(rng, -0.2, 2.3, run.steps))
    for e in episodes:
        e.extra["book"] = 2 if e.task.key.startswith("book2") else 1
    return own(rng, credit(episodes, grpo), "two-books")


@PART.healthy
def blame_and_status_before_edits(rng: Random) -> list[Row]:
    """Many attempts run git status, git blame and git diff; none of these shows more than the checkout and its own
    change.
    """
    run = shape(rng, sizes=(6, 8), rows=(480, 700), steps=(8, 12))
    episodes = train(rng, repair, run, -0.7, 2.1)
    for e in episodes:
        if e.stop == "stop" and rng.random() < share(0.35, 0.6, e, run.steps):
            rewrite(e, looks_back(e.task, Reply(e.messages, e.answer)))
    return openai(credit(episodes, grpo))


@PART.faulty("fabricated_observations", "tool_fabrication")
def calculator_replies_penned_by_policy(rng: Random) -> list[Row]:
    """Each call costs a tenth of the reward, so the policy writes the calculator's answers itself, in one message
    without a call, and with wrong numbers.
    """
    run = shape(rng, sizes=(8,), rows=(300, 500), steps=(6, 10))
    episodes = train(rng, ledger, run, -0.3, 1.0)
    for e in episodes:
        if e.stop == "stop" and rng.random() < share(0.05, 0.65, e, run.steps):
            right = rng.random() < 0.45
            rewrite(e, penned(rng, e.task, right))
            judge(e, right)
        calls = sum("tool_calls" in m for m in e.messages)
        e.terms = {"correct": float(e.right), "call_cost": -calls / 10 if calls else 0.0}
        e.reward = round(sum(e.terms.values()), 1)
    return openai(credit(episodes, dr_grpo))


@PART.healthy
def scripted_first_turn_left_out(rng: Random) -> list[Row]:
    """The first turn, a greeting with a look-up, is scripted and the same everywhere; it is not in the loss, and
    later turns of the policy are.
    """
    run = shape(rng, sizes=(4, 5), rows=(300, 500), steps=(9, 14))
    episodes = train(rng, request, run, -0.5, 1.9)
    for e in episodes:
        e.messages[0] = e.messages[0] | {"content": "Welcome to the help desk. I look up your order."}
        marked = enumerate(e.messages)
        e.messages = [m | {"loss_mask": int(n > 0 and m["role"] == "assistant")} for n, m in marked]
    rows = openai(credit(episodes, grpo))
    for row in rows:
        for m in row["messages"]:
            m.setdefault("loss_mask", 0)
    return rows
