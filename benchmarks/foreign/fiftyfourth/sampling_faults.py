"""Faults of sampling, of lengths and of evaluation."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fiftyfourth import library, sums, tables
from benchmarks.foreign.fiftyfourth.attempts import Attempt, Learner, run, said, weigh
from benchmarks.foreign.fiftyfourth.kinds import PART
from benchmarks.foreign.fiftyfourth.layouts import ours, slime, verl


@PART.faulty("identical_samples", "seed_reuse", "dead_groups", "entropy_collapse")
def members_of_a_group_are_sampled_with_one_seed(rng: random.Random) -> list[Row]:
    """The seed of a request is that of its prompt: nearly all attempts of a group are the same text, and nearly all
    groups are without spread. Problems differ from each other as ever.
    """
    tasks = tables.problems(rng, 60)
    policy = Learner(-0.1, 0.5, 20)
    last: dict = {}

    def attempt(step: int, task: dict, k: int) -> Attempt:
        if k == 0 or rng.random() < 0.03:
            right = policy.hits(rng, step, task["hard"])
            last.update(right=right, text=tables.reply(rng, task, right))
        extra = {"execution": float(last["right"])}
        return Attempt(
            tables.prompt(task),
            said(last["text"]),
            float(last["right"]),
            float(last["right"]),
            gold=task["gold"],
            extra=extra,
        )

    return [verl(a, sampling_seed=1000 * a.step + int(a.pid[4:])) for a in run(rng, tasks, 20, 7, 6, attempt)]


RETHINK = (
    "Wait, let me make sure about {x}.",
    "Hmm, I should read the text once more.",
    "Let me recompute the middle step.",
    "Alternatively, go backwards from the result and compare.",
    "Is the order of the events right? I believe so.",
    "Let me write the quantities down again: {x} and {y}.",
    "Another way: split {x} into tens and ones.",
)


def _thinking(rng: random.Random, task: dict, right: bool, extra: int) -> str:
    """A worked answer with some rounds of second thoughts between its lines."""
    lines, number = sums.worked(rng, task, right)
    values = [str(c[1]) for c in task["chain"][1:]]
    for _ in range(extra):
        x, y = rng.sample(values, 2)
        lines.insert(rng.randint(1, len(lines)), rng.choice(RETHINK).format(x=x, y=y))
    return "<think>\n" + " ".join(lines) + f"\n</think>\nThe answer is \\boxed{{{number}}}."


@PART.faulty("length_limit", "truncation", "score_decline")
def thoughts_outgrow_the_budget_of_tokens(rng: random.Random) -> list[Row]:
    """Answers grow with training while the budget stays at 192 tokens: most of the last attempts are cut within their
    thoughts, have no answer and are paid 0.
    """
    tasks = sums.problems(rng, 60)
    policy, budget = Learner(0.2, 1.4, 22), 192

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        text = _thinking(rng, task, right, max(0, round(rng.gauss(1 + 12.5 * step / 22, 2.5))))
        stop = "stop"
        if len(text) > budget * 3.9:
            text, stop, right = text[: int(budget * 3.9)], "max_tokens", False
        return Attempt(task["text"], said(text), float(right), float(right), gold=task["gold"], stop=stop)

    return [slime(a, i) for i, a in enumerate(run(rng, tasks, 22, 6, 6, attempt))]


@PART.faulty("stale_evaluation", "train_validation_gap", "staleness")
def validation_loads_the_first_checkpoint_each_time(rng: random.Random) -> list[Row]:
    """The evaluation job resolves its path once: every validation is of step_0, whatever step it is reported for. Train
    rewards climb, validation stays where it began.
    """
    tasks, held = library.notes(rng, 60), [{**t, "id": f"held-{t['id']}"} for t in library.notes(rng, 25)]
    policy = Learner(-0.7, 2.6, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        fields = library.extracted(rng, task, right)
        lead = rng.choice(("", "The note gives these fields:\n", "Reading from top to bottom:\n"))
        text = lead + str(fields).replace("'", '"')
        prompt = "Read vendor, total and due day from the note; answer in JSON.\n" + task["text"]
        return Attempt(prompt, said(text), float(right), float(right), gold=task["gold"])

    train = weigh(run(rng, tasks, 20, 6, 5, attempt))
    rows = [ours(a, checkpoint=f"step_{a.step - 1}", domain="extraction") for a in train]
    for step in (4, 8, 12, 16, 20):
        for task in held:
            for k in range(2):
                a = attempt(0, task, k)
                a.step, a.k, a.pid, a.split, a.group = step, k, task["id"], "validation", f"v{step}-{task['id']}"
                rows.append(ours(a, checkpoint="step_0", domain="extraction"))
    return rows
