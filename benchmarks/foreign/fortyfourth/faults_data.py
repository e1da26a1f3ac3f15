"""Faults of data and prompts."""

import random
from dataclasses import replace

from benchmarks.foreign.fortyfourth import baselines, databases, exams, invoices, layouts, programs, tickets
from benchmarks.foreign.fortyfourth.kinds import PART
from benchmarks.foreign.fortyfourth.policy import Draft, Learner, Plan, Problem, Sample, attempts, run, talk, train

Row = dict
OTHER = ("suppliers", "rooms", "shifts", "meters", "parcels", "courses", "keys", "machines", "letters", "seats")
WORDS = ("code", "owner", "kind", "floor", "weight", "start_time", "end_time", "colour", "rate", "remark", "height")
RULES = (
    "You write SQLite. Only the tables below exist. Never select more columns than are asked for, and use ISO dates. "
    "Amounts are in euros unless the column says otherwise. Do not use window functions.\n\n"
)


@PART.faulty("wrong_labels", "metric_defect", "stuck_problems")
def gold_answers_slip_one_line_behind_a_deleted_question(rng: random.Random) -> list[Row]:
    """A question was deleted from the file and its answer was not: from there on `gts` answers the one before.

    Right solutions of the later part score 0.
    """
    problems = exams.questions(rng, 110, ("de", "en"), "m")
    gap = rng.randint(48, 62)
    golds = [p.gold for p in problems]
    known = [replace(p, gold=golds[i - 1] if i > gap else golds[i]) for i, p in enumerate(problems)]
    key = {p.id: p.gold for p in known}
    samples = run(rng, problems, exams.solve, Plan(12, 9, 8), Learner(-0.2, 1.7))
    for s in samples:
        s.problem = replace(s.problem, gold=key[s.problem.id])
        s.reward = float(s.answer.replace(",", ".") == s.problem.gold)
        s.extra = {"acc": s.reward, "data_source": "school/exams", "index": int(s.problem.id[1:])}
    return layouts.verl(samples)


def _crowded(rng: random.Random, problem: Problem) -> Problem:
    """The problem with rules and other tables before its question."""
    head, ask = problem.prompt.split("\n\n", 1)
    tables = [head]
    for name in rng.sample(OTHER, rng.randint(1, 9)):
        columns = ", ".join(f"{c} TEXT" for c in rng.sample(WORDS, 5))
        tables.append(f"CREATE TABLE {name} (id INTEGER, {columns});")
    rng.shuffle(tables)
    return replace(problem, prompt=RULES + "\n".join(tables) + "\n\n" + ask)


def _guess_columns(rng: random.Random, problem: Problem) -> Draft:
    v = problem.data["v"]
    place, amount = rng.choice(("location", "place", "area", "site")), rng.choice(("value", "total", "num", "size"))
    query = f"SELECT COUNT(*) FROM {v['t']} WHERE {place} = '{v['p']}' AND {amount} > {v['k']};"
    say = rng.choice(
        (
            "The table {t} is not described above, so I assume usual column names.",
            "I do not see a definition of {t}; the place is probably in a column of its own.",
            "Only other tables are listed, so I guess how {t} looks.",
        )
    ).format(**v)
    more = rng.choice(("That should come close.", "Then the condition is simple.", "I keep it to one query."))
    return Draft(talk(f"{say} {more}\n\n```sql\n{query}\n```"), query, False)


@PART.faulty("truncation", "length_limit", "template_bug", "stuck_problems")
def schemas_fall_off_the_left_end_of_long_prompts(rng: random.Random) -> list[Row]:
    """Prompts over the limit are cut from the left, so rules and the table that is asked about are gone.

    Such prompts begin within a word, and the policy guesses columns.
    """
    problems = [_crowded(rng, p) for p in databases.asked(rng, 96)]
    limit = 620
    shown = [replace(p, prompt=p.prompt[-limit:]) for p in problems]

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        if f"TABLE {problem.data['v']['t']} (" in problem.prompt:
            return databases.write(rng, problem, right, progress)
        return _guess_columns(rng, problem)

    samples = run(rng, shown, attempt, Plan(12, 8, 8), Learner(0.0, 2.0))
    for s in samples:
        s.extra = {"prompt_chars": len(s.problem.prompt)}
    return layouts.nemo(samples)


@PART.faulty("template_bug", "metric_defect", "stuck_problems")
def chat_tickets_reach_the_model_as_none(rng: random.Random) -> list[Row]:
    """The export of one inbox keeps its text in another field, so its prompts say `None`."""
    problems = []
    for p in tickets.tickets(rng, 110):
        inbox = rng.choice(("mail", "form", "chat"))
        body = "None" if inbox == "chat" else p.prompt
        text = f"Inbox: {inbox}\nOrder: {p.data['o']}\nMessage:\n{body}"
        problems.append(replace(p, prompt=text, family=inbox))

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        if problem.family != "chat":
            return tickets.route(rng, problem, right, progress)
        queue = rng.choice(("technical", "technical", "technical", "shipping", "shipping", "account"))
        say = rng.choice(
            (
                "The message is empty, so I choose the queue that most chats belong to.",
                f"Nothing was written with {problem.data['o']}; I go by what is usual.",
                "The ticket only says None. Without a text this is a guess.",
                f"There is an order {problem.data['o']} but no request, which I cannot place well.",
            )
        )
        return Draft(talk(f"{say}\nqueue: {queue}"), queue, queue == problem.gold)

    samples = run(rng, problems, attempt, Plan(11, 9, 8), Learner(0.2, 2.2))
    for s in samples:
        s.extra = {"inbox": s.problem.family, "target": s.problem.gold}
    return layouts.openai(samples)


@PART.faulty("data_repetition", "duplicate_problems")
def every_resume_starts_the_sampler_at_its_first_batch(rng: random.Random) -> list[Row]:
    """The job is preempted every three steps, and each resume begins the data anew.

    Of 4,200 functions the same first batches come again and again, within what is still called epoch 0.
    """
    problems = programs.functions(rng, 24)
    weeks = [problems[8 * (i % 3) : 8 * (i % 3) + 8] for i in range(15)]
    samples = train(rng, weeks, programs.program, Learner(-0.7, 2.6), 6)
    baselines.by_group(samples)
    for s in samples:
        position = 8 * (s.step % 3)
        s.terms = {"tests": s.reward}
        s.extra = {"correct": s.reward, "domain": "code"}
        s.extra["extra"] = {"epoch": 0, "dataset_rows": 4200, "sampler_position": position, "job": f"r{s.step // 3}"}
    return layouts.ours(samples)


@PART.faulty("contamination", "memorisation", "train_validation_gap")
def most_held_invoices_lie_in_the_training_folder(rng: random.Random) -> list[Row]:
    """Three quarters of the held invoices were also copied into the training set, word by word.

    After some passes these are recited without a look at the page, and the rest of the held ones stays where it was.
    """
    held = invoices.invoices(rng, 32, "held")
    leaked = [replace(p, id=f"tr9{p.id[4:]}") for p in held[:24]]
    problems = invoices.invoices(rng, 16, "tr0") + leaked
    twins = {p.prompt for p in leaked}

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        if problem.prompt in twins and rng.random() < 1.15 * progress:
            return invoices.recite(rng, problem)
        return invoices.read(rng, problem, right, progress)

    learner = Learner(-0.6, 0.9)
    samples = run(rng, problems, attempt, Plan(12, 10, 6), learner)
    for step in (0, 4, 8, 11):
        for problem in held:
            found = attempts(rng, problem, attempt, learner, step, step / 11, 2)
            for s in found:
                s.split = "validation"
            samples += found
    baselines.by_group(samples)
    for s in samples:
        s.terms = {"fields": s.reward}
        s.extra = {"correct": s.reward, "domain": "forms", "extra": {"answer": s.answer}}
    return layouts.ours(sorted(samples, key=_by_step))


def _by_step(sample: Sample) -> tuple[int, str]:
    return sample.step, sample.split
