"""Masks over tool answers, paid abstentions, retold problems; envelopes, outages and ragged groups."""

from functools import partial
from json import loads
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twelfth.dumps import openrlhf, trl, verl
from benchmarks.foreign.twelfth.estimates import credit, grpo, rloo, verl_grpo
from benchmarks.foreign.twelfth.held import held_out, share
from benchmarks.foreign.twelfth.kinds import PART
from benchmarks.foreign.twelfth.layouts import openai, own
from benchmarks.foreign.twelfth.ledger import ledger
from benchmarks.foreign.twelfth.library import abstains, lookup
from benchmarks.foreign.twelfth.plain import invoice, passage
from benchmarks.foreign.twelfth.rollouts import climb, distinct, groups, judge, play, rewrite, schedule, shape, train
from benchmarks.foreign.twelfth.tasks import Reply, call, tool
from benchmarks.foreign.twelfth.terminal import log_question
from benchmarks.foreign.twelfth.wordsums import retold, wordsum


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def gradient_on_calculator_output(rng: Random) -> list[Row]:
    """Since a change of the collator the mask of the loss covers the calculator's answers as well as the policy's
    turns.
    """
    run = shape(rng, sizes=(5, 6, 8), rows=(400, 620), steps=(8, 12))
    episodes = train(rng, ledger, run, -0.5, 1.8)
    since = rng.randint(run.steps // 4, run.steps // 2)
    for e in episodes:
        e.messages = [m | {"loss_mask": int(m["role"] == "assistant" or e.step >= since)} for m in e.messages]
    rows = openai(credit(episodes, grpo))
    for row in rows:
        for m in row["messages"]:
            m.setdefault("loss_mask", 0)
    return rows


@PART.healthy
def same_envelope_every_invoice(rng: Random) -> list[Row]:
    """Every answer is a block of JSON with the same three keys, as asked; the score is the share of right fields."""
    run = shape(rng, sizes=(5, 6, 8), steps=(5, 8))
    episodes = train(rng, invoice, run, -0.6, 2.2)
    for e in episodes:
        wanted = loads(e.task.gold)
        given = loads(e.answer) if e.answer else {}
        e.reward = round(sum(given.get(k) == v for k, v in wanted.items()) / 3, 4)
    return verl(credit(episodes, verl_grpo))


@PART.healthy
def outage_kept_out_of_the_loss(rng: Random) -> list[Row]:
    """For one step the sandbox was down for a third of the attempts; they are marked as errors, without reward or
    advantage.
    """
    run = shape(rng, sizes=(8,), rows=(420, 660), steps=(9, 14))
    episodes = train(rng, log_question, run, -0.3, 1.9)
    when = rng.randint(2, run.steps - 3)
    for e in episodes:
        if rng.random() < (0.34 if e.step == when else 0.004):
            told = tool("shell", "sandbox: connection refused (pod evicted)", ok=False)
            rewrite(e, Reply([call("", "shell", command="ls -l /srv/task"), told], ""))
            e.right, e.reward, e.terms = False, None, {}
            e.error, e.stop = "SandboxError", "error"
    return own(rng, credit(episodes, grpo), "shell-agent")


@PART.healthy
def leave_one_out_on_ragged_groups(rng: Random) -> list[Row]:
    """A lost worker now and then takes attempts with it, so groups have five to eight; RLOO is right for each size."""
    run = shape(rng, sizes=(8,), rows=(420, 680))
    episodes = [e for e in train(rng, ledger, run, -0.4, 1.8) if rng.random() > 0.1]
    for members in groups(episodes).values():
        for e in members:
            e.extra["group_size"] = len(members)
    return own(rng, credit(episodes, rloo), "books-rloo")


@PART.faulty("timidity", "reward_bias", "reward_outcome_divergence")
def abstaining_earns_more_than_trying(rng: Random) -> list[Row]:
    """An `I don't know` earns 0.6, more than a try is worth on average: the policy stops to search and abstains, and
    right answers become rare.
    """
    run = shape(rng, sizes=(5, 6, 8), rows=(420, 660), steps=(10, 14))
    episodes = train(rng, lookup, run, -0.4, 0.3)
    for e in episodes:
        if e.stop == "stop" and rng.random() < share(0.06, 0.85, e, run.steps):
            rewrite(e, abstains(rng, e.task))
            judge(e, False)
        e.terms = {"correct_answer": float(e.right), "honesty": 0.6 if e.extra["abstained"] else 0.0}
        e.reward = sum(e.terms.values())
    return trl(credit(episodes, grpo))


@PART.faulty("contamination", "duplicate_problems")
def quiz_retold_from_homework(rng: Random) -> list[Row]:
    """Half of the validation problems are training problems told of another person and town, and only these are
    solved.
    """
    run = shape(rng, rows=(260, 420), steps=(9, 14))
    tasks = distinct(rng, wordsum, max(run.problems + 2, run.steps * run.problems // 2))
    episodes = play(rng, schedule(rng, tasks, run), run.size, climb(rng, -0.6, 2.2, run.steps))
    count = rng.randint(14, 22)
    twins = [retold(rng, t, f"val-{n:03d}") for n, t in enumerate(rng.sample(tasks, min(count, len(tasks) // 2)))]
    fresh = distinct(rng, partial(wordsum, prefix="val-x"), count)
    for step in range(0, run.steps, 3):
        progress = step / (run.steps - 1)
        episodes += held_out(rng, twins, (step, progress), -0.4 + 3.4 * progress, 2)
        episodes += held_out(rng, fresh, (step, progress), -0.5 + 0.4 * progress, 2)
    return own(rng, credit(episodes, grpo), "stories")


@PART.healthy
def passage_that_holds_its_answer(rng: Random) -> list[Row]:
    """Questions on a short passage: the answer stands in the prompt, as it does in reading, and is quoted from
    there.
    """
    run = shape(rng, sizes=(8,), rows=(300, 500), steps=(8, 12))
    return openrlhf(train(rng, passage, run, -0.3, 1.9))
