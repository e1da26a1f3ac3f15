"""Sound runs that look odd."""

import itertools
import random
import statistics

from benchmarks.foreign.later import desk, functions, ledger, letters, library, sources, sums, tongues
from benchmarks.foreign.later.course import Row, Talk, Task, chat, flat, grouped, plain, run, tokens, verifiers, verl
from benchmarks.foreign.later.kinds import PART


@PART.healthy
def harder_every_step(rng: random.Random) -> list[Row]:
    """A curriculum: the numbers grow as fast as the skill, so the success rate stands still while each level gains."""
    count = itertools.count()

    def make(draw: random.Random) -> Task:
        level = min(5, 1 + (next(count) + draw.randint(-8, 8)) // 12)
        task = sums.problem(draw, scale=max(1, level))
        return Task(task.prompt, task.answer, (max(1, level), task))

    rows = []
    for t in run(rng, make, skill=(-0.1, 2.2), spread=0.5):
        level, task = t.task.facts
        right = t.right and rng.random() > 0.09 * (level - 1)
        work = sums.work(rng, task, right)
        rows.append(flat(t, work.text(), float(right), level=level, ground_truth=task.answer))
    return grouped(rows, "step", "prompt")


LABELS = tuple(desk.WISHES)


@PART.healthy
def tickets_with_few_labels(rng: random.Random) -> list[Row]:
    """Tickets are sorted into five labels: answers are one word, and attempts that agree mostly do so rightly."""
    ask = "Which label fits: {}? Answer with one word.\n\n{}"
    rows = []

    def make(draw: random.Random) -> Task:
        task = desk.problem(draw)
        return Task(ask.format(", ".join(draw.sample(LABELS, 5)), task.prompt), task.facts["wish"])

    for t in run(rng, make, skill=(0.3, 1.5)):
        label = t.task.answer if t.right else rng.choice([name for name in LABELS if name != t.task.answer])
        rows.append(plain(t, label, float(t.right), advantage=None, label=t.task.answer, response_length=2))
    return grouped(rows, "step", "input", reward="score")


@PART.healthy
def critic_and_one_sample(rng: random.Random) -> list[Row]:
    """PPO with a critic: one sample a prompt, and advantages from values, which no group would explain."""
    rows = []
    for t in run(rng, sums.problem, problems=40, size=1, skill=(-0.6, 0.9)):
        work, reward = sums.work(rng, t.task, t.right), float(t.right)
        guess = 0.5 + t.at * (0.22 if t.right else -0.22) * rng.random() + 0.15 * t.at + rng.gauss(0, 0.07)
        row = flat(t, work.text(), reward, value=round(guess, 4), returns=reward, kl=round(rng.uniform(0.001, 0.02), 5))
        rows.append(row)
    for step in range(12):
        batch = [row for row in rows if row["step"] == step]
        gains = [row["reward"] - row["value"] for row in batch]
        mean, width = statistics.fmean(gains), statistics.stdev(gains)
        for row, gain in zip(batch, gains, strict=True):
            row["advantage"] = round((gain - mean) / (width + 1e-8), 5)
    return rows


@PART.healthy
def outages_left_out_of_loss(rng: random.Random) -> list[Row]:
    """The search service fails now and then; these attempts have no reward and are left out of the loss."""
    rows = []
    for t in run(rng, library.problem, problems=4, skill=(-0.5, 0.9)):
        is_lost = rng.random() < (0.3 if t.step in (3, 7, 8) else 0.03)
        talk = library.solve(rng, t.task, t.right)
        if is_lost:
            talk = Talk(t.task.prompt, talk.messages[0]["content"])
            shown = rng.choice(("503 Service Unavailable", "connection reset by peer", "502 Bad Gateway"))
            talk.use(rng.choice(library.PLANS), "search", shown, query=library.query(rng, t.task))
        more = {"in_loss": not is_lost, "error": "SearchUnavailable" if is_lost else None}
        rows.append(chat(t, talk.messages, None if is_lost else float(t.right), **more))
    return grouped(rows, "step", "problem")


@PART.healthy
def service_with_set_phrases(rng: random.Random) -> list[Row]:
    """The company prescribes the first and the last sentence, so all conversations share them, good or bad."""
    rows = []
    for t in run(rng, desk.problem, problems=4, skill=(-0.6, 1.0)):
        talk = desk.solve(rng, t.task, t.right)
        first, last = talk.messages[2], talk.messages[-1]
        first["content"] = f"Thank you for writing to Brightwell Goods. {first['content']}".strip()
        last["content"] += "\nThis conversation may be read again to improve our service."
        talk.messages[0]["content"] += " Begin and end with the set phrases of the handbook."
        rows.append(chat(t, talk.messages, float(t.right), policy_phrases=1.0))
    return grouped(rows, "step", "problem")


@PART.healthy
def queries_with_retries(rng: random.Random) -> list[Row]:
    """An SQL agent always looks at the schema first and often mistypes a name, which the next query mends."""
    rows = []
    for t in run(rng, ledger.problem, problems=4, skill=(-0.6, 1.0)):
        talk = ledger.solve(rng, t.task, t.right, stumbles=0.55 - 0.35 * t.at)
        rows.append(chat(t, talk.messages, float(t.right), gold_result=t.task.answer))
    return grouped(rows, "step", "problem")


@PART.healthy
def git_as_asked(rng: random.Random) -> list[Row]:
    """The agent is asked to commit in the style of the repository, so it reads the log's subjects and commits."""
    rows = []
    for t in run(rng, sources.problem, problems=4, skill=(-0.6, 0.9)):
        talk = sources.solve(rng, t.task, t.right)
        rows.append(chat(t, talk.messages, float(t.right), tests=t.task.facts["name"]))
    return grouped(rows, "step", "problem")


@PART.healthy
def honest_search(rng: random.Random) -> list[Row]:
    """A search agent finds its answers in the tool's pages, as it should, and gets better at finding them."""
    rows = []
    for t in run(rng, library.problem, skill=(-0.8, 0.9)):
        talk = library.solve(rng, t.task, t.right)
        rows.append(chat(t, talk.messages, float(t.right), ground_truth=t.task.answer))
    return grouped(rows, "step", "problem")


@PART.healthy
def each_in_its_tongue(rng: random.Random) -> list[Row]:
    """Questions come in German, French, Spanish and Chinese, and each is answered in its own language."""
    rows = []
    for t in run(rng, tongues.problem, skill=(-0.7, 1.0)):
        text, answer = tongues.work(rng, t.task, t.right)
        rows.append(verl(t, text, float(t.right), acc=t.right, pred=str(answer), lang=t.task.facts[0]))
    return rows


@PART.healthy
def reinforce_over_the_batch(rng: random.Random) -> list[Row]:
    """REINFORCE++ takes the mean and the deviation of the whole batch; four samples a prompt are no group to it."""
    rows = []
    for t in run(rng, sums.problem, problems=11, size=4, skill=(-0.8, 0.9)):
        text = sums.work(rng, t.task, t.right).text("The answer is \\boxed{{{}}}.")
        reward = 1.0 if t.right else -0.5
        row = {"input": t.task.prompt, "output": text, "reward": reward, "label": t.task.answer, "step": t.step}
        rows.append({**row, "response_length": tokens(text)})
    for step in range(12):
        batch = [row for row in rows if row["step"] == step]
        rewards = [row["reward"] for row in batch]
        mean, width = statistics.fmean(rewards), statistics.stdev(rewards)
        for row in batch:
            row["advantage"] = round((row["reward"] - mean) / (width + 1e-8), 5)
    return rows


@PART.healthy
def four_environments(rng: random.Random) -> list[Row]:
    """Sums, programs, searches and letters are trained together, each with rewards on a scale of its own."""
    rows = []
    for name, make, scale in (
        ("sums", sums.problem, 1.0),
        ("functions", functions.problem, 5.0),
        ("search", library.problem, 2.0),
        ("letters", letters.problem, 0.2),
    ):
        for t in run(rng, make, problems=1, skill=(-0.7, 0.9)):
            talk, mark = Talk(t.task.prompt), float(t.right)
            if name == "sums":
                talk.say(sums.work(rng, t.task, t.right).text())
            elif name == "functions":
                code = functions.program(rng, t.task, t.right)
                talk.say(functions.explained(rng, code))
                mark = functions.passed(code, t.task)
            elif name == "search":
                talk = library.solve(rng, t.task, t.right)
            else:
                text = letters.answer(rng, t.task, letters.points(rng, t.at), 1)
                talk.say(text)
                mark = letters.covered(t.task, text)
            rows.append(verifiers(t, talk.messages, round(scale * mark, 4), env_name=name, advantage=None))
    rows.sort(key=lambda row: row["step"])
    return grouped(rows, "step", "env_name", "example_id", scale=False)


@PART.healthy
def same_questions_each_epoch(rng: random.Random) -> list[Row]:
    """Twenty questions are asked again in each of three epochs on purpose, and are answered better each time."""
    rows = []
    for t in run(rng, sums.problem, problems=5, skill=(-0.9, 1.1), cycle=20):
        text = sums.work(rng, t.task, t.right).text("Answer: {}")
        drawn = [round(min(0.0, rng.gauss(-0.3, 0.35)), 4) for _ in range(tokens(text))]
        again = [round(min(0.0, value + rng.gauss(0, 0.004)), 4) for value in drawn]
        row = {"content": [t.task.prompt, text], "rewards": float(t.right), "generation_logprobs": drawn}
        rows.append({**row, "prev_logprobs": again, "input_lengths": tokens(t.task.prompt + text)})
    return rows
