"""Kinds: file viewer clips tail, advantages unsorted after packing, easy half nearly saturated."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.estimates import credit
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import own, trl
from benchmarks.foreign.twentythird.programs import code_task
from benchmarks.foreign.twentythird.rollouts import Task, distinct, grade, over, planned, run
from benchmarks.foreign.twentythird.sums import line_task
from benchmarks.foreign.twentythird.talk import call, say, told

KEYS = ("timeout_s", "max_retries", "pool_size", "batch_rows", "cache_mb", "idle_close_s", "burst", "page_len")
FOUND = ("It is set in the section.", "Found the key.", "The file says so.", "Here it is:", "Read from the section.")
SECTIONS = ("billing", "mailer", "search", "uploads", "sessions", "exports", "metrics", "webhooks")


def _config_task(r: Random, number: int) -> Task:
    sections = r.sample(SECTIONS, 6)
    values = {s: {k: r.randint(2, 900) for k in r.sample(KEYS, 5)} for s in sections}
    section = r.choice(sections)
    key = r.choice(list(values[section]))
    lines = [f"[{s}]\n" + "\n".join(f"{k} = {v}" for k, v in values[s].items()) for s in sections]
    text, path = "\n\n".join(lines), f"/srv/app{r.randint(10, 99)}/settings.ini"

    def reply(rng: Random, answer: str) -> list[dict]:
        return [
            call(rng.choice(("Open the settings.", "Reading the file.", "Let me look.")), "view_file", path=path),
            told("view_file", text),
            say(f"{rng.choice(FOUND)}\n\nAnswer: {answer}"),
        ]

    other = [str(v) for s in sections for k, v in values[s].items() if s != section or k != key]
    gold = str(values[section][key])
    return Task(
        f"ini-{number:04d}",
        f"What is `{key}` of the section [{section}] in {path}? Read it with view_file; end with 'Answer: N'.",
        gold,
        r.gauss(0, 0.8),
        reply,
        [v for v in r.sample(other, 5) if v != gold],
        section,
        extra={"needle_offset": text.index(f"{key} = {gold}", text.index(f"[{section}]"))},
    )


@PART.faulty("tool_output_truncated", "environment_bug")
def file_viewer_clips_tail(rng: Random) -> list[Row]:
    """A new image of the environment lets the file viewer show 220 characters only; where the key stands further
    down the policy cannot see it and guesses.
    """
    plan = planned(rng, 0.8, 1.6)
    attempts = run(rng, _config_task, plan)
    since = rng.randint(3, 4)
    for a in attempts:
        a.extra = {"image": "viewer:2.4" if a.step >= since else "viewer:2.3"}
        full = a.messages[1]["content"]
        if a.step < since or len(full) < 240:
            continue
        clipped = f"{full[:220]}\n... [{len(full) - 220} more characters not shown]"
        a.messages[1]["content"] = clipped
        if a.task.extra["needle_offset"] > 205:
            again = rng.choice(("The section is not shown. Once more.", "Cut off; open it again.", "I need the rest."))
            view = a.messages[0]["tool_calls"][0]["arguments"]
            a.messages[2:2] = (
                [call(again, "view_file", **view), told("view_file", clipped)] if rng.random() < 0.6 else []
            )
            right = rng.random() < 0.06
            a.answer = a.task.gold if right else str(rng.randint(2, 900))
            guess = rng.choice(("The rest is not visible; a usual value is likely.", "Guessing from the others."))
            a.text = f"{guess}\n\nAnswer: {a.answer}"
            a.right = right
            grade(a, right)
    return own(credit(attempts), "ini-reader")


@PART.faulty("advantage_mismatch")
def advantages_unsorted_after_packing(rng: Random) -> list[Row]:
    """Rows are sorted by length to be packed, and from a change of the packer on the advantages are not put back in
    order: they belong to other rows of the step.
    """
    plan = planned(rng, -0.5, 1.8)
    attempts = credit(run(rng, line_task, plan))
    since = rng.randint(2, 3)
    for step in range(since, plan.steps):
        now = [a for a in attempts if a.step == step]
        packed = sorted(now, key=lambda a: len(a.text))
        for a, value in zip(now, [a.advantage for a in packed], strict=True):
            a.advantage = value
    return own(attempts, "packed")


@PART.healthy
def easy_half_nearly_saturated(rng: Random) -> list[Row]:
    """A warm-started policy on a mixed pool: groups of the easy half are mostly all right, as its solve rate has
    it, and the hard half still learns.
    """
    plan = planned(rng, 0.6, 1.2)
    tasks = distinct(rng, code_task, plan.steps * plan.prompts)
    for task in tasks:
        easy = rng.random() < 0.5
        task.level = rng.gauss(-2.4 if easy else 1.4, 0.5)
        task.extra |= {"pool": "easy" if easy else "hard"}
    return trl(credit(over(rng, tasks, plan)))
