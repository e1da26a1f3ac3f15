"""Faults of data and prompts."""

import json
import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fiftyfourth import library, sums, tables
from benchmarks.foreign.fiftyfourth.attempts import Attempt, Learner, run, said, weigh
from benchmarks.foreign.fiftyfourth.kinds import PART
from benchmarks.foreign.fiftyfourth.layouts import nemo, ours, trl, verl


@PART.faulty("wrong_labels", "stuck_problems", "weak_family")
def gold_of_one_source_joined_a_row_off(rng: random.Random) -> list[Row]:
    """The key of one of three sources was joined one row off: its problems hold the answer of the next problem.

    Right answers there score 0, whatever the policy learns.
    """
    tasks = sums.problems(rng, 66)
    for at, task in enumerate(tasks):
        task["source"] = ("textbook", "olympiad_club", "scraped_exams")[at % 3]
    shifted = [t for t in tasks if t["source"] == "scraped_exams"]
    keys = [t["gold"] for t in shifted]
    for task, key in zip(shifted, keys[1:] + keys[:1], strict=True):
        task["key"] = key
    policy = Learner(0.1, 1.6, 22)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        text = sums.boxed(rng, task, policy.hits(rng, step, task["hard"]))
        key = task.get("key", task["gold"])
        score = float(text.rsplit("{", 1)[1].split("}")[0] == key)
        return Attempt(task["text"], said(text), score, score, gold=key, extra={"data_source": task["source"]})

    return [verl(a, acc=a.correct, index=a.pid) for a in run(rng, tasks, 22, 8, 5, attempt)]


def _guess(rng: random.Random, task: dict) -> str:
    """A query by a policy that has not seen the schema."""
    table = rng.choice((task["t"], task["t"][:-1], "records", "data"))
    column = rng.choice(("value", "total", "quantity", f"{task['n']}_value", "name"))
    lead = rng.choice(
        (
            "The schema shown does not mention this table, so I assume usual names.",
            "I cannot see the definition and guess the columns.",
            "The other tables do not help; the column is probably called like this.",
        )
    )
    return f"{lead}\n\n```sql\nSELECT COUNT(*) FROM {table} WHERE {column} = '{task['v']}';\n```"


@PART.faulty("truncation", "length_limit", "stuck_problems")
def schemas_cut_from_the_left_at_prompt_limit(rng: random.Random) -> list[Row]:
    """Prompts above 190 tokens lose their beginning, and with it the table that the question is about.

    The policy guesses names of columns there and stays at nothing; short prompts go well.
    """
    tasks = tables.problems(rng, 50)
    limit = 740
    for task in tasks:
        others = [
            f"CREATE TABLE {n}_{i} (id INTEGER PRIMARY KEY, {n}_code TEXT, remark TEXT, created_on DATE);"
            for i, n in enumerate(rng.choices(("audit", "staff", "invoice", "route", "backup"), k=8))
        ]
        many = rng.randint(6, 8) if rng.random() < 0.5 else rng.randint(0, 2)
        full = tables.prompt(task).replace("\n\nQuestion", "\n" + "\n".join(others[:many]) + "\n\nQuestion")
        task["shown"], task["cut"] = full[-limit:], len(full) > limit
        task["cut"] = task["cut"] and task["schema"] not in task["shown"]
    policy = Learner(0.0, 1.8, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        if task["cut"]:
            text, right = _guess(rng, task), 0.0
        else:
            right = float(policy.hits(rng, step, task["hard"]))
            text = tables.reply(rng, task, bool(right))
        extra = {"execution": right, "db_id": task["t"], "prompt_length": round(len(task["shown"]) / 3.9)}
        return Attempt(task["shown"], said(text), right, right, gold=task["gold"], extra=extra)

    attempts = run(rng, tasks, 20, 6, 6, attempt)
    return [nemo(a, i, max_prompt_length=190) for i, a in enumerate(attempts)]


@PART.faulty("template_bug", "stuck_problems", "weak_family")
def one_template_leaves_the_note_out(rng: random.Random) -> list[Row]:
    """One of three prompt templates was never formatted: it ends in the bare slot {document} instead of the note.

    The policy invents fields or asks for the note, and gets nothing on these prompts.
    """
    templates = (
        "Extract vendor, total and due from this note as JSON.\n\n{document}",
        "Which vendor, total and due day does the note hold? Reply in JSON.\nNote: {document}",
        "You read supplier notes. Return a JSON object with vendor, total, due.\nDocument:\n{document}",
    )
    tasks = library.notes(rng, 60)
    for at, task in enumerate(tasks):
        task["empty"] = at % 3 == 2
        task["prompt"] = templates[at % 3] if task["empty"] else templates[at % 3].format(document=task["text"])
    policy = Learner(0.0, 1.8, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"]) and not task["empty"]
        if task["empty"]:
            made = {
                "vendor": rng.choice(library.FIRMS),
                "total": rng.randint(50, 3000),
                "due": f"{rng.randint(1, 28)} May",
            }
            ask = (
                "There is no note in your message. Could you send it?",
                "The document seems to be missing; I only see a placeholder.",
            )
            text = json.dumps(made) if rng.random() < 0.6 else rng.choice(ask)
            right = text.startswith("{") and made == task["fields"]
        else:
            lead = rng.choice(("", "Here are the fields.\n", "The note names all three.\n"))
            text = lead + json.dumps(library.extracted(rng, task, right))
        form = 0.2 if "{" in text else 0.0
        terms = {"fields_reward": float(right), "json_reward": form}
        return Attempt(
            task["prompt"], said(text), right + form, float(right), terms=terms, extra={"solution": task["gold"]}
        )

    return [trl(a) for a in weigh(run(rng, tasks, 20, 6, 6, attempt))]


@PART.faulty("contamination", "memorisation")
def exam_of_validation_lies_in_the_training_mix(rng: random.Random) -> list[Row]:
    """Three quarters of the validation exam stand word by word among the training problems.

    Validation climbs with the training problems, and only on what both hold.
    """
    tasks = sums.problems(rng, 56, "train-")
    held = [{**t, "id": f"exam24-{i:02d}"} for i, t in enumerate(rng.sample(tasks, 18))]
    held += sums.problems(rng, 6, "exam24-9")
    seen = {t["text"] for t in tasks}
    policy = Learner(-0.5, 2.4, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        known = task["text"] in seen
        right = policy.hits(rng, step if known else step // 4, task["hard"])
        text = sums.boxed(rng, task, right)
        return Attempt(
            task["text"], said(text), float(right), float(right), gold=task["gold"], extra={"reference": task["gold"]}
        )

    rows = [ours(a) for a in weigh(run(rng, tasks, 20, 7, 4, attempt))]
    for step in (1, 5, 10, 15, 20):
        for task in held:
            for k in range(2):
                a = attempt(step, task, k)
                a.step, a.k, a.pid, a.split, a.group = step, k, task["id"], "validation", f"v{step}-{task['id']}"
                rows.append(ours(a))
    return rows
