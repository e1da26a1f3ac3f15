"""Healthy runs whose data, environments or graders look odd."""

from random import Random

from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftieth.episodes import Episode, Talk, one
from benchmarks.foreign.fiftieth.kinds import PART
from benchmarks.foreign.fiftieth.layouts import evidence, openai, prime_rl, slime, verl
from benchmarks.foreign.fiftieth.learning import Plan, credit, pay, play
from benchmarks.foreign.fiftieth.library import questions, research
from benchmarks.foreign.fiftieth.repos import bugs
from benchmarks.foreign.fiftieth.servers import incidents, repair
from benchmarks.foreign.fiftieth.shops import buy, listing, shop_tasks
from benchmarks.foreign.fiftieth.tables import look_up, sql_tasks


@PART.healthy
def ledger_questions_come_again_each_declared_epoch(rng: Random) -> list[dict]:
    """Every question comes three times. It is three epochs of a small set, each in a new order,
    and the column says so.
    """
    plan = Plan(steps=18, problems=5, size=8)
    base = sql_tasks(rng, 30)
    order = [task for _ in range(3) for task in rng.sample(base, 30)]
    samples = pay(play(rng, plan, order, look_up))
    return verl(samples, lambda s: {"epoch": s.step // 6, "data_source": "ledger_sql"})


@PART.healthy
def shopper_rightly_buys_nothing(rng: Random) -> list[dict]:
    """Many attempts end without a purchase and are paid. In two orders of five no article meets the wishes,
    as the prompt allows.
    """
    plan = Plan(steps=15, problems=5, size=8)
    samples = play(rng, plan, shop_tasks(rng, plan.needed, impossible=0.4), buy)
    samples = credit(pay(samples), centred)
    return prime_rl(
        samples, "shop-feasible", lambda s: {"info": {"expected": s.task.gold, "cart_after": s.episode.state["cart"]}}
    )


@PART.healthy
def incidents_answer_503_because_that_is_the_incident(rng: Random) -> list[dict]:
    """Tools say failed, 503 and refused all the time. That is the outage that the task has set;
    good attempts end it with 200.
    """
    plan = Plan(steps=16, problems=5, size=8)

    def act(rng, task, skill, step):
        episode = repair(rng, task, skill, step)
        port = task.facts["port"]
        thought = one(
            rng, "How does it fail from outside?", "I see the symptom first.", f"A request to port {port}, then."
        )
        reply = one(rng, "HTTP/1.1 503 Service Unavailable", f"curl: (7) Failed to connect to localhost port {port}")
        calls = [{"name": "shell", "arguments": {"command": f"curl -i http://localhost:{port}/health"}}]
        first = {"role": "assistant", "content": thought, "tool_calls": calls}
        episode.turns[:0] = [first, {"role": "tool", "tool_name": "shell", "content": reply, "ok": True}]
        return episode

    samples = credit(pay(play(rng, plan, incidents(rng, plan.needed), act)), centred)
    return evidence(samples, "ops", lambda s: {"correct": s.reward, "extra": {"cause": s.task.facts["cause"]}})


@PART.healthy
def long_shelves_are_paged_and_read_to_the_end(rng: Random) -> list[dict]:
    """Search results end with a note that more follow. It is paging with a cursor,
    and attempts ask for the next page.
    """
    plan = Plan(steps=15, problems=5, size=8)

    def act(rng, task, skill, step):
        episode = buy(rng, task, skill, step)
        shelf, cursor = task.facts["shelf"], f"c{task.facts['limit']}"
        query = episode.turns[0]["tool_calls"][0]["arguments"]["query"]
        episode.turns[1]["content"] = f"{listing(shelf[:2])}\n(2 of {len(shelf)} shown; next_cursor={cursor})"
        thought = one(
            rng, "There are more results, I want them all.", f"{len(shelf) - 2} more; I turn the page.", "Next page."
        )
        calls = [{"name": "search_products", "arguments": {"query": query, "cursor": cursor}}]
        reply = {"role": "tool", "tool_name": "search_products", "content": listing(shelf[2:]) + "\n(end)", "ok": True}
        episode.turns[2:2] = [{"role": "assistant", "content": thought, "tool_calls": calls}, reply]
        return episode

    samples = credit(pay(play(rng, plan, shop_tasks(rng, plan.needed), act)), grpo)
    return slime(samples, lambda s: {"metadata": {"final_state": s.episode.state}})


@PART.healthy
def deeper_questions_take_longer_and_score_less(rng: Random) -> list[dict]:
    """Mean reward falls and answers grow. The curriculum goes from two to four hops;
    within each level the policy gets better.
    """
    plan = Plan(steps=18, problems=5, size=8, start=0.3, gain=1.6)
    tasks = [
        type(t)(t.key, t.system, t.prompt, t.gold, t.facts, t.level + 1.6 * (t.facts["hops"] - 2))
        for t in questions(rng, plan.needed, hops=(2, 3, 4))
    ]
    samples = credit(pay(play(rng, plan, tasks, research)), leave_one_out)
    return evidence(
        samples,
        "search",
        lambda s: {"correct": s.reward, "extra": {"level": s.task.facts["hops"], "target": s.task.gold}},
    )


_EDGES = {
    "page_count": ("page_count(0, 10)", "0", "page_count(21, 10)", "3"),
    "discounted": ("discounted(80, 25)", "60", "discounted(50, 0)", "50"),
    "is_leap": ("is_leap(1900)", "False", "is_leap(2000)", "True"),
    "initials": ("initials('ada')", "'a'", "initials('ada king')", "'ak'"),
    "extension": ("extension('a.tar.gz')", "'gz'", "extension('b.txt')", "'txt'"),
    "median": ("median([1, 2])", "1.5", "median([3])", "3"),
    "to_celsius": ("to_celsius(212)", "100", "to_celsius(32)", "0"),
    "delay": ("delay(2, 3)", "16", "delay(1, 0)", "1"),
}


@PART.healthy
def repository_tasks_ask_for_tests_to_be_rewritten(rng: Random) -> list[dict]:
    """Every attempt edits test files and the code is left alone. The task asks for new expectations,
    scored by mutants found.
    """
    plan = Plan(steps=14, problems=5, size=8)
    tasks = []
    for t in bugs(rng, plan.needed):
        f = t.facts
        prompt = (
            f"`{f['name']}` of {f['package']} was changed on purpose and now returns `{f['good']}`. "
            f"{f['test_file']} still expects the old behaviour. Rewrite its two cases and do not touch the code. "
            "The tests count if they catch all of four mutants."
        )
        tasks.append(type(t)(t.key, t.system, prompt, t.gold, f, t.level))

    def act(rng, task, skill, step):
        f, right, talk = task.facts, rng.random() < skill, Talk()
        call_1, value_1, call_2, value_2 = _EDGES[f["name"]]
        code = f"{f['head']}\n    return {f['good']}\n"
        talk.call(
            one(rng, f"I read `{f['name']}` as it is now.", "First the code, to know what it promises."),
            "read_file",
            code,
            path=f["path"],
        )
        old = f"def test_{f['name']}():\n    assert {call_1} is not None\n    assert {call_2} == 'old'\n"
        talk.call(
            one(rng, "And the tests as they are.", f"Now {f['test_file']}."), "read_file", old, path=f["test_file"]
        )
        second = f"    assert {call_2} == {value_2}\n" if right else f"    assert {call_2} is not None\n"
        new = f"def test_{f['name']}():\n    assert {call_1} == {value_1}\n{second}"
        thought = one(rng, f"{call_1} must be {value_1}.", f"By the code, {call_2} gives {value_2}.", "Two cases then.")
        talk.call(thought, "edit_file", f"edited {f['test_file']}", path=f["test_file"], old=old, new=new)
        talk.call(
            "I run them.", "run_command", f"1 passed in 0.{rng.randint(10, 99)}s", command=f"pytest -q {f['test_file']}"
        )
        talk.say(one(rng, f"{f['test_file']} now asks for what `{f['name']}` does.", "Both cases are rewritten."))
        return Episode(
            talk.turns,
            right,
            value_2 if right else "",
            state={"mutants": 4, "killed": 4 if right else rng.choice((1, 2))},
        )

    samples = credit(pay(play(rng, plan, tasks, act)), grpo)
    return openai(samples, lambda s: {"mutants_killed": s.episode.state["killed"], "mutants": 4})
