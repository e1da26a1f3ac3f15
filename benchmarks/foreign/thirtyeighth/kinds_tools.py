"""Healthy runs whose tools are slow, renamed, down for an hour, refused, or asked again and again."""

import random
from dataclasses import replace
from functools import partial

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyeighth import layouts
from benchmarks.foreign.thirtyeighth.advantages import weigh, weighed
from benchmarks.foreign.thirtyeighth.core import Attempt, Plan, Talk, Task, pool, run
from benchmarks.foreign.thirtyeighth.kinds import PART
from benchmarks.foreign.thirtyeighth.layouts import Row
from benchmarks.foreign.thirtyeighth.world_data import GOODS, STATES, TOWNS, search_play, search_task
from benchmarks.foreign.thirtyeighth.world_games import maze_play, maze_task, simulator_play, simulator_task
from benchmarks.foreign.thirtyeighth.world_repository import repository_play, repository_task
from benchmarks.foreign.thirtyeighth.world_service import browser_play, browser_task, desk_play, desk_task


@PART.healthy
def slow_search_before_the_index_was_cached(rng: random.Random) -> list[Row]:
    """Searches take half a minute until step 11, then a second: the index was put into memory. Scores do not notice."""
    steps = run(rng, pool(rng, search_task, 60), search_play, Plan(steps=22))
    warm = rng.randint(10, 13)
    for a in (a for batch in steps for a in batch if a.step < warm):
        a.seconds = round(a.seconds + rng.uniform(18, 45), 2)
    return [layouts.evidence(a, "search") for a in weighed(rng, steps, estimators.grpo)]


@PART.healthy
def search_tool_renamed_at_the_server_upgrade(rng: random.Random) -> list[Row]:
    """From step 12 the server calls its tool `find_documents`; the system prompt says so and the policy follows."""
    steps = run(rng, pool(rng, search_task, 50), search_play, Plan(end=1.4))
    rows = []
    for a in weighed(rng, steps, estimators.centred):
        if a.step >= 12:
            a.task = replace(a.task, system="Use the tool find_documents. Finish with 'Answer: ...'.")
            for m in a.talk:
                for call in m.get("tool_calls", ()):
                    call["name"] = "find_documents"
        rows.append(layouts.prime_rl(a, "two-hop-search"))
    return rows


@PART.healthy
def maintenance_hour_masked_from_the_loss(rng: random.Random) -> list[Row]:
    """In two steps the browser farm is serviced: a few attempts end in errors, are named so, and are not trained."""
    steps = run(rng, pool(rng, browser_task, 60), browser_play, Plan(steps=24))
    hour = rng.randint(9, 13)
    for a in (a for batch in steps for a in batch if a.step in (hour, hour + 1)):
        if rng.random() < 0.22:
            a.talk = a.talk[:2]
            a.talk[1] = {**a.talk[1], "content": "503 Service Unavailable: maintenance until 14:00 UTC", "ok": False}
            a.reward, a.error, a.stop, a.in_loss, a.answer = None, "BrowserUnavailable", "error", False, ""
    return [layouts.evidence(a, "web") for a in weighed(rng, steps, estimators.leave_one_out)]


@PART.healthy
def issue_reproduced_before_it_is_mended(rng: random.Random) -> list[Row]:
    """Every attempt runs the failing test first, as the guide of the repository asks: half of all test runs fail."""
    play = partial(repository_play, reproduce=1.0)
    steps = run(rng, pool(rng, repository_task, 60), play, Plan(steps=16, start=-0.3, end=1.5))
    guide = "You work in a repository. Reproduce an issue by its test before you change anything, then mend it."
    rows = []
    for a in weighed(rng, steps, estimators.grpo):
        a.task = replace(a.task, system=guide)
        rows.append(layouts.openai(a))
    return rows


def _existence_task(rng: random.Random, i: int) -> Task:
    names = (TOWNS[:4], GOODS[:4], STATES)
    rows = [(*(rng.choice(group) for group in names), rng.randint(1, 30)) for _ in range(40)]
    wanted = (rng.choice(TOWNS[:4]), rng.choice(GOODS[:4]), rng.choice(STATES))
    prompt = f"Depot {i + 1}: is there any {wanted[2]} order of {wanted[1]} from {wanted[0]}? Answer yes or no."
    gold = "yes" if any(r[:3] == wanted for r in rows) else "no"
    return Task(f"depot-{i + 1}", prompt, gold, data={"rows": rows, "wanted": wanted, "id": i + 1})


def _existence_play(rng: random.Random, task: Task, right: bool) -> Attempt:
    d, talk = task.data, Talk()
    town, good, state = d["wanted"]
    has_slip = not right
    asked = rng.choice([s for s in STATES if s != state]) if has_slip else state
    hits = [r for r in d["rows"] if r[:3] == (town, good, asked)]
    text = rng.choice(
        (f"I look for {asked} {good} of {town}.", "A filter on three columns decides it.", "Let me ask the table.")
    )
    columns = rng.choice(("pieces", "*", "town, good, pieces"))
    sql = f"SELECT {columns} FROM depot_{d['id']} WHERE good = '{good}' AND town = '{town}' AND state = '{asked}'"
    shown = {"pieces": lambda r: f"{r[3]}", "*": lambda r: f"{r[0]}|{r[1]}|{r[2]}|{r[3]}"}
    form = shown.get(columns, lambda r: f"{r[0]}|{r[1]}|{r[3]}")
    talk.call(text, "query", {"sql": sql}, "\n".join(map(form, hits)) or "(no rows)")
    answer = "yes" if hits else "no"
    if hits:
        text = rng.choice((f"Rows found: {len(hits)}.", f"{town} has {good} in that state."))
    else:
        text = rng.choice(
            (f"Nothing comes back for {good} in {town}.", "The result is empty, so no such order exists.")
        )
    talk.say(f"{text}\nAnswer: {answer}")
    return Attempt(task, talk.messages, answer, float(answer == task.gold), tool_seconds=rng.uniform(0.1, 0.6))


@PART.healthy
def empty_results_answer_half_of_the_questions(rng: random.Random) -> list[Row]:
    """Whether an order exists is the question: queries without rows are findings, not failures of the database."""
    steps = run(rng, pool(rng, _existence_task, 70), _existence_play, Plan(steps=18, per_step=6, start=-0.5, end=1.6))
    return [
        layouts.verifiers(a, "depot-sql", step=a.step, advantage=a.advantage)
        for a in weighed(rng, steps, estimators.leave_one_out)
    ]


def _refused_at_times(rng: random.Random, task: Task, right: bool) -> Attempt:
    a = search_play(rng, task, right)
    talk = []
    for m in a.talk:
        if m.get("tool_calls") and rng.random() < 0.25:
            refusal = {
                "role": "tool",
                "tool_name": "search",
                "content": "429 Too Many Requests, retry after 1 s",
                "ok": False,
            }
            talk += [m, refusal]
            m = {
                **m,
                "content": rng.choice(("I ask again.", "Too fast. Once more.", "The service wants a pause; again.")),
            }
        talk.append(m)
    a.talk = talk
    return a


@PART.healthy
def too_many_requests_then_the_same_call_again(rng: random.Random) -> list[Row]:
    """The search service answers some calls with 429; the policy repeats the same call, and gets its result."""
    rows: list[Row] = []
    for a in weighed(rng, run(rng, pool(rng, search_task, 60), _refused_at_times, Plan()), estimators.grpo):
        rows.append(layouts.slime(a, len(rows)))
    return rows


@PART.healthy
def polls_until_the_job_is_done(rng: random.Random) -> list[Row]:
    """A simulator's jobs take a minute: the same status call stands up to seven times in a row, and rightly so."""
    steps = run(rng, pool(rng, simulator_task, 60), simulator_play, Plan(steps=18))
    return [layouts.evidence(a, "simulator") for a in weighed(rng, steps, estimators.whole_batch)]


@PART.healthy
def greeting_prescribed_word_for_word(rng: random.Random) -> list[Row]:
    """House rules fix the first and last sentence: all attempts begin and end alike, and differ between."""
    steps = run(rng, pool(rng, desk_task, 60), desk_play, Plan(steps=18, start=-0.2, end=1.9))
    first, last = "Welcome to Fjord & Field.", "Thank you for choosing Fjord & Field. Have a pleasant day."
    for a in (a for batch in steps for a in batch):
        a.task = replace(a.task, system=f"{a.task.system} Begin with '{first}' and end with '{last}'")
        a.talk[0] = {**a.talk[0], "content": f"{first} {a.talk[0]['content']}"}
        a.talk[-1] = {**a.talk[-1], "content": f"{a.talk[-1]['content']} {last}"}
    return [layouts.openai(a) for a in weighed(rng, steps, estimators.leave_one_out)]


def _silent(rng: random.Random, task: Task, right: bool) -> Attempt:
    a = maze_play(rng, task, right)
    spoken = [m for m in a.talk if m["role"] == "assistant"]
    for m in spoken[:-1]:
        m["content"] = ""
    return a


@PART.healthy
def robot_drives_without_a_word(rng: random.Random) -> list[Row]:
    """A controller that was trained on commands alone: its turns hold a call and no text, and still it learns."""
    steps = run(rng, pool(rng, maze_task, 70), _silent, Plan(steps=22, start=-0.9, end=1.2))
    rows: list[Row] = []
    for batch in steps:
        for a in weigh(rng, batch, estimators.centred):
            rows.append(layouts.slime(a, len(rows), advantage=a.advantage))
    return rows
