"""Faults of environments and tools: a search that is down, a sandbox that is not fresh, a node that is too slow."""

import random

from benchmarks.foreign.estimators import grpo, leave_one_out
from benchmarks.foreign.fiftyseventh.advantages import put
from benchmarks.foreign.fiftyseventh.kinds import PART
from benchmarks.foreign.fiftyseventh.knowledge import draw_quest
from benchmarks.foreign.fiftyseventh.layouts import Row, ours, prime, slimes
from benchmarks.foreign.fiftyseventh.policy import Draw, Plan, attempts
from benchmarks.foreign.fiftyseventh.programs import draw_program
from benchmarks.foreign.fiftyseventh.repos import BUGS, call, draw_issue, episode, looking, submitting, testing

FIRST = (
    "I search for {p} first.",
    "Let me look up {n}'s building.",
    "The year is not something I know; I search.",
    "A query with the architect's name should do.",
)
AGAIN = (
    "The first pages do not give it, so I ask differently.",
    "Only a restoration is dated there; once more.",
    "Not yet. I add the architect to the query.",
)
RETRY = (
    "An error; I try once more.",
    "503 again. Perhaps other words get through.",
    "The tool failed, so I repeat it.",
)
FOUND = (
    "The second page says it was opened in {y}. Answer: {y}",
    "{n} designed it and it opened in {y}. Answer: {y}",
    "That settles it, since the opening is dated: {y}. Answer: {y}",
)
MISSED = (
    "The pages date only a restoration, so I estimate {y}. Answer: {y}",
    "No page has the opening; my estimate is {y}. Answer: {y}",
    "From {n}'s other works I would say {y}. Answer: {y}",
)
DOWN = (
    "The search does not answer, so I guess from the style. Answer: {y}",
    "Without pages I cannot know it; perhaps {y}. Answer: {y}",
    "Nothing but errors from the tool. I have to answer {y} from memory. Answer: {y}",
)


def _searching(draw: Draw, rng: random.Random, is_down: bool) -> None:
    task, told = draw.task, []
    slots = {"p": task.place[0].lower() + task.place[1:], "n": task.person, "y": task.answer}
    draw.right = draw.right and not is_down
    turns = rng.randint(1, 2) + is_down
    for turn in range(turns):
        pages = rng.choice(("HTTP 503 Service Unavailable", "HTTPError: 503 Server Error: upstream connect error"))
        answer = pages if is_down else task.pages(rng, draw.right and turn == turns - 1)
        query = rng.choice(
            (f"{task.place} opened year", f"{task.person} {task.place}", f"{task.place} history opening")
        )
        lead = rng.choice((RETRY if is_down else AGAIN) if turn else FIRST).format(**slots)
        told += call(lead, "search", answer, not is_down, query=query)
    if not draw.right:
        slots["y"] = str(int(task.answer) + rng.choice((-44, -23, -9, -4, 6, 11, 19, 37)))
    last = FOUND if draw.right else DOWN if is_down else MISSED
    draw.messages = [*told, {"role": "assistant", "content": rng.choice(last).format(**slots)}]
    draw.reward = float(draw.right)


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures")
def search_backend_is_overloaded_from_midway(rng: random.Random) -> list[Row]:
    """From about step 7 half of the episodes get nothing but 503 from the search; their guesses are paid 0 as if
    they were the policy's.
    """
    begin = rng.randint(6, 8)
    draws = list(attempts(rng, Plan(steps=12, problems=8, group=8, start=0.0, rate=0.1), draw_quest))
    for draw in draws:
        _searching(draw, rng, draw.step >= begin and rng.random() < 0.55)
    return [
        prime(d, "wiki-years", {"correct_answer": d.reward, "num_turns": len(d.messages) // 2 + 1})
        for d in put(draws, leave_one_out)
    ]


SEES = (
    "The line in {m}.py already reads as it should. Somebody has changed it in the working tree; I leave it.",
    "Odd: `git diff` shows the change that I was about to make. Then there is nothing to do for {f}.",
    "{f} is already repaired here, though not committed. I only run the tests.",
)


@PART.faulty("leftover_state", "environment_not_reset")
def containers_keep_the_fix_of_an_earlier_attempt(rng: random.Random) -> list[Row]:
    """Containers are reset after failures alone: attempts find another's uncommitted fix, change nothing and get 1."""
    draws = list(attempts(rng, Plan(steps=8, problems=7, group=8, start=-0.6, rate=0.1), draw_issue))
    mended: dict[str, set[str]] = {}
    for draw in draws:
        issue, box = draw.task, f"box-{draw.task.uid}-{rng.randrange(3)}"
        boxes = mended.setdefault(draw.group, set())
        if box in boxes:
            line = issue.line + 2
            diff = (
                f"--- a/{issue.path}\n+++ b/{issue.path}\n@@ -{line} +{line} @@\n- "
                f"   {BUGS[issue.bug][2]}\n+    {issue.answer}"
            )
            look = looking(issue, rng)[:2]
            told = look + call(
                "", "bash", f" M {issue.path}\n{diff}", command="cd /repo && git status --short && git diff"
            )
            told += testing(issue, rng) + submitting(issue, rng)
            told[-4]["content"] = issue.say(rng, SEES)
            draw.right = True
            draw.messages = told
        else:
            draw.messages = episode(issue, rng, draw.right)
            if draw.right:
                boxes.add(box)
        draw.reward = float(draw.right)
        draw.beside = {"container": box}
    return [ours(d, "swe") for d in put(draws, grpo)]


@PART.faulty("infrastructure_zeros", "flaky_grading", "reward_bias", "infrastructure_errors")
def one_grading_node_runs_out_of_time(rng: random.Random) -> list[Row]:
    """Tests sent to one overloaded node end with a time-out whatever the program is; it is paid 0, right programs
    too.
    """
    slow = f"judge-{rng.randrange(5)}"
    draws = list(attempts(rng, Plan(steps=12, problems=8, group=8, start=0.5, rate=0.1), draw_program))
    for draw in draws:
        node = f"judge-{rng.randrange(5)}"
        draw.text = draw.task.solve(rng, draw.right)
        out = node == slow and rng.random() < 0.85
        draw.reward = float(draw.right and not out)
        seconds = 10.0 if out else round(rng.uniform(0.2, 1.4), 2)
        result = (
            "sandbox error: no reply within 10 s" if out else "all tests passed" if draw.right else "AssertionError"
        )
        draw.beside = {
            "metadata": {"node": node, "result": result, "exec_seconds": seconds},
            "num_tests": draw.task.answer.count("\n") + 1,
        }
    return slimes(draws)
