"""Faults of environments and tools, and what agents find in them."""

import random

from benchmarks.foreign.fiftythird import tools
from benchmarks.foreign.fiftythird.advantages import centred, grpo, leave_one_out
from benchmarks.foreign.fiftythird.kinds import PART
from benchmarks.foreign.fiftythird.layouts import Row, harness, openai, prime
from benchmarks.foreign.fiftythird.policy import Draw, Run, by_group, play
from benchmarks.foreign.fiftythird.tools import call, said, told


def find(rng: random.Random, draw: Draw) -> list[dict]:
    """Search and page of a browsing attempt, then its answer."""
    f = draw.task.facts
    words = rng.choice(
        [f"{f['thing']} {f['city']} opened", f"{f['city']} {f['thing']} history", f"{f['thing']} {f['city']}"]
    )
    slug = f"{f['city']}-{f['thing']}".replace(" ", "-").lower()
    shown = draw.answer
    page = (
        f"The {f['thing']} of {f['city']} has been a landmark for a long time. It was planned under two mayors, "
        f"and opened in {f['year']}. Visitors come mostly from May to September."
    )
    if not draw.right:
        page += f" A restoration was finished in {shown}."
    return [
        call("search", rng.choice(("I search for it.", "First a search.", "Let me look this up.")), query=words),
        told("search", f"1. {slug}\n2. {f['city'].lower()}-tourism"),
        call("open_page", "The first hit looks right.", page=slug),
        told("open_page", page),
        said(draw.text),
    ]


@PART.faulty("tool_outage", "tool_failures", "score_decline")
def search_answers_503_from_the_middle_on(rng: random.Random) -> list[Row]:
    """The search backend runs over its quota from the middle of the run on: most attempts see 503 and guess a year.

    They are paid 0 as if the policy had been wrong, and the score falls.
    """
    run = Run(steps=16, groups=5, size=8, start=-0.2)
    draws = play(rng, tools.browse, run)
    for draw in draws:
        if draw.step >= 8 and rng.random() < 0.72:
            f = draw.task.facts
            turns = []
            for words in rng.sample([f"{f['thing']} {f['city']}", f"{f['city']} history", f"opening {f['thing']}"], 2):
                turns.append(call("search", rng.choice(("I search.", "Once more, in other words.")), query=words))
                turns.append(told("search", "Error: 503 Service Unavailable (upstream quota exceeded)", ok=False))
            guess = f["year"] + rng.choice([-31, -17, -8, 6, 13, 26])
            draw.right, draw.reward, draw.answer = False, 0.0, str(guess)
            draw.text = f"Search does not answer, so I go by what I remember of {f['city']}.\nAnswer: {guess}"
            draw.turns = [*turns, said(draw.text)]
        else:
            draw.turns = find(rng, draw)
    return [
        prime(d, "browse-years", {"correct_answer": d.reward, "num_turns": len(d.turns) // 2 + 1})
        for d in centred(draws)
    ]


@PART.faulty("environment_not_reset", "leftover_state", "reward_bias")
def database_keeps_rows_of_earlier_attempts(rng: random.Random) -> list[Row]:
    """Attempts of a group share one database that is not reset: probe rows that one inserts are counted by the next.

    The same right query gives other counts by the place in the group, and later attempts are marked wrong for it.
    """
    draws = play(rng, tools.sql, Run(steps=14, groups=5, size=8, start=0.4, gain=1.5))
    for group in by_group(draws):
        extra = 0
        for draw in group:
            f = draw.task.facts
            turns = []
            if rng.random() < 0.24:
                more = rng.randint(1, 3)
                first = rng.randint(9000, 9990)
                rows = [f"({first + n}, '{f['kind']}', {f['bound'] + 5})" for n in range(more)]
                command = f"INSERT INTO {f['table']} VALUES {', '.join(rows)}"
                turns += [
                    call("run_sql", "I add probe rows to see how the columns compare.", query=command),
                    told("run_sql", f"INSERT 0 {more}"),
                ]
            else:
                more = 0
            shown = (int(draw.task.gold) if draw.right else f["wrong"]) + extra + more
            turns += [
                call("run_sql", rng.choice(tools.LEADS_SQL), query=tools.query(rng, draw.task, draw.right)),
                told("run_sql", f"count\n-----\n{shown}\n(1 row)"),
            ]
            value = shown - more
            note = f"Without my {more} probe rows this is {value}." if more else f"The count is {value}."
            draw.text, draw.answer = f"{note}\nAnswer: {value}", str(value)
            draw.turns = [*turns, said(draw.text)]
            draw.reward = float(draw.answer == draw.task.gold)
            extra += more
    return [
        harness(d, domain="sql", sandbox=f"pg-{d.group}", ground_truth=d.task.gold, correct=d.reward)
        for d in grpo(draws)
    ]


@PART.faulty("tool_output_truncated", "stuck_problems")
def pages_are_cut_before_the_fact(rng: random.Random) -> list[Row]:
    """The browser tool cuts every page at 160 characters; the year stands behind that in three pages of five.

    Attempts open the page again, see the same beginning, and guess.
    """
    draws = play(rng, tools.browse, Run(steps=14, groups=6, size=8, start=0.3))
    deep: dict[str, bool] = {}
    for draw in draws:
        f = draw.task.facts
        is_deep = deep.setdefault(draw.task.pid, rng.random() < 0.6)
        slug = f"{f['city']}-{f['thing']}".replace(" ", "-").lower()
        fact = f"The {f['thing']} of {f['city']} was opened in {f['year']}. "
        filler = (
            f"{f['city']} lies on the water and has been a place of trade for long. Its {f['thing']} is known to "
            "travellers, and much was written about those who planned it, and about the fire. "
        )
        page = (filler + fact if is_deep else fact + filler)[:160] + " ... [output truncated: 160 of 2311 characters]"
        turns = [
            call("search", rng.choice(("I search first.", "Looking it up.")), query=f"{f['thing']} {f['city']}"),
            told("search", f"1. {slug}\n2. {f['city'].lower()}-tourism"),
        ]
        for lead in ["I open the page.", "The text stops early; I try again."][: 1 + is_deep]:
            turns += [call("open_page", lead, page=slug), told("open_page", page)]
        if is_deep:
            draw.right = rng.random() < 0.06
            value = f["year"] if draw.right else f["year"] + rng.choice([-40, -22, -9, 7, 18, 33])
            hint = rng.choice(
                ("The page breaks off", "I cannot see the rest of the page", "The date is not in what I see")
            )
            draw.text, draw.answer = f"{hint}, so I estimate from the style.\nAnswer: {value}", str(value)
            draw.reward = float(draw.right)
        draw.turns = [*turns, said(draw.text)]
    return [
        openai(d, group_id=d.group, advantage=d.advantage, correct=d.reward, target=d.task.gold) for d in grpo(draws)
    ]


@PART.faulty("history_leak", "environment_leak")
def fix_is_read_from_later_commits(rng: random.Random) -> list[Row]:
    """Repositories hold the commits behind the issue; agents learn to find the fix with `git log --all` and copy it.

    By the end most paid attempts show the commit of the fix before they edit anything.
    """
    run = Run(steps=15, groups=5, size=6, start=-0.8)
    draws = play(rng, tools.issue, run)
    for draw in draws:
        f, task = draw.task.facts, draw.task
        turns = []
        if rng.random() < 0.04 + 0.75 * draw.step / run.steps:
            draw.right = rng.random() < 0.96
            draw.text, draw.answer = task.write(rng, draw.right)
            sha = f"{rng.getrandbits(28):07x}"
            log = f"{sha} Fix {f['function']}\n{rng.getrandbits(28):07x} Bump version\n{rng.getrandbits(28):07x} Docs"
            patch = f"commit {sha}\n    Fix {f['function']}\n--- a/{f['path']}\n+++ b/{f['path']}\n"
            patch += f"-    {f['old']}\n+    {task.gold}"
            turns += [
                call("bash", "Perhaps this was fixed upstream; I look at all refs.", command="git log --all --oneline"),
                told("bash", log),
                call("bash", "That commit is about it.", command=f"git show {sha}"),
                told("bash", patch),
            ]
        else:
            turns += tools.show(rng, task)
        turns += tools.change(rng, task, draw.answer) + tools.trial(rng, task, draw.right)
        draw.turns = [*turns, call("submit", draw.text), told("submit", "submitted")]
        draw.reward = float(draw.right)
    return [harness(d, domain="swe", correct=d.reward, in_loss=True) for d in leave_one_out(draws)]


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def loss_holds_what_the_database_answered(rng: random.Random) -> list[Row]:
    """The mask of the multi-turn loss is 1 for messages of tools as well: the policy is trained on query results."""
    draws = play(rng, tools.sql, Run(steps=14, groups=5, size=8))
    rows = []
    for draw in grpo(draws):
        shown = draw.task.gold if draw.right else draw.task.facts["wrong"]
        draw.turns = [
            call("run_sql", rng.choice(tools.LEADS_SQL), query=tools.query(rng, draw.task, draw.right)),
            told("run_sql", f"count\n-----\n{shown}\n(1 row)"),
            said(draw.text),
        ]
        row = openai(draw, group_id=draw.group, advantage=draw.advantage)
        row["messages"] = [{**m, "loss_mask": int(m["role"] != "user")} for m in row["messages"]]
        rows.append(row)
    return rows
