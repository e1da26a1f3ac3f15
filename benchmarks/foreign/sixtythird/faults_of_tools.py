"""Faults of environments and tools."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird import layouts
from benchmarks.foreign.sixtythird.advantages import fill
from benchmarks.foreign.sixtythird.attempts import Message, Task, train
from benchmarks.foreign.sixtythird.kinds import PART
from benchmarks.foreign.sixtythird.mixed import draw, speak
from benchmarks.foreign.sixtythird.programs import programs
from benchmarks.foreign.sixtythird.repositories import call, check, edit, find, finish
from benchmarks.foreign.sixtythird.stores import ask, conclude, stores, table_text

OWN = ("I write my own version.", "Here is how I would do it.", "I write it down.")
DOWN = (
    "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
    "HTTP 503 Service Unavailable",
    "ConnectionError: stock-register.internal:8443 refused the connection",
)


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures", "infrastructure_errors")
def stock_register_goes_down_for_a_third_of_the_run(rng: random.Random) -> list[Row]:
    """From step 7 on, most calls of the lookup meet a refused connection, and the attempts are paid 0 and
    trained on.
    """

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        if not task.id.startswith("tool") or not 0.39 < progress < 0.8 or r.random() < 0.3:
            return speak(task, ok, r, progress)
        said = ask(task, r, r.choice(DOWN), False)
        if r.random() < 0.6:
            said += call(
                "The call failed; I try once more.",
                "stock_lookup",
                {"item": task.facts["good"], "date": task.facts["day"]},
                r.choice(DOWN),
                False,
            )
        end = r.choice(
            ("The register cannot be reached, so I have no figure.", "Without the rows I cannot compute the value.")
        )
        return [*said, {"role": "assistant", "content": f"{end} Answer: unknown"}], "unknown"

    attempts = train(draw(rng, {"tool": 4, "math": 2}, 0.1), 18, 8, talk, rng)
    for a in attempts:
        a.ok = a.answer == a.task.gold
        a.reward = float(a.ok)
    return layouts.evidence(fill(attempts, rng))


@PART.faulty("tool_output_truncated")
def lookup_shows_only_its_first_lines(rng: random.Random) -> list[Row]:
    """Answers of the lookup end at 260 characters, so depots further down cannot be seen, and attempts about
    them guess.
    """
    cut = " ...[output truncated to 260 chars]"

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        shown = table_text(task)
        seen = shown[:260]
        f = task.facts
        if f"{f['place']} | {f['good']} | units {f['units']} | price {f['price']} |" in seen:
            end, answer = conclude(task, ok, r)
            return ask(task, r, seen + cut) + end, answer
        said = ask(task, r, seen + cut)
        if r.random() < 0.5:
            item = f"{f['good']} {f['place']}"
            said += call(
                f"{f['place']} is not among the lines shown; I ask again.",
                "stock_lookup",
                {"item": item, "date": f["day"]},
                seen + cut,
            )
        answer = str(r.choice(f["table"][:3])[1] * r.randint(2, 39))
        text = f"The list stops before {f['place']}. Going by the other depots I estimate the value. Answer: {answer}"
        return [*said, {"role": "assistant", "content": text}], answer

    attempts = train(lambda step: stores(rng, 5, 0.0, step * 5, rows=8), 16, 8, talk, rng)
    for a in attempts:
        a.ok = a.answer == a.task.gold
        a.reward = float(a.ok)
    return layouts.prime_rl(fill(attempts, rng, estimators.centred))


@PART.faulty("leftover_state", "environment_not_reset", "answer_reading", "environment_leak")
def work_folder_keeps_programs_of_earlier_attempts(rng: random.Random) -> list[Row]:
    """The folder /task is shared by a group: later attempts list it, read the program that an earlier one
    left, and hand it in.
    """
    left: dict[int, str] = {}

    def tasks(step: int) -> list[Task]:
        out = programs(rng, 4, 0.8, step * 4)
        for t in out:
            t.prompt = t.prompt.replace(
                "Give one Python function in a fenced block.", "Work in /task and submit the code."
            )
        return out

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        name = task.family
        found = left.get(id(task))
        listing = "task.md\n" + (f"{name}_final.py\n__pycache__" if found else "tests_public")
        said = call(r.choice(("Let me look at the folder.", "What is here?")), "bash", {"command": "ls /task"}, listing)
        if found and r.random() < 0.3 + 0.65 * progress:
            text = r.choice(
                ("A finished program is already here; I read it.", f"{name}_final.py looks like a solution.")
            )
            said += call(text, "bash", {"command": f"cat /task/{name}_final.py"}, found)
        if found in task.right and len(said) > 2:
            said += call("I hand this in as it is.", "submit", {"code": found}, "submitted")
            end = f"Submitted the program that was in {name}_final.py."
            return [*said, {"role": "assistant", "content": end}], found
        code = r.choice(task.right if ok else task.wrong)
        said += call(r.choice(OWN), "write_file", {"path": f"/task/{name}_final.py", "content": code}, "written")
        said += call("Hand in.", "submit", {"code": code}, "submitted")
        left[id(task)] = code
        return [*said, {"role": "assistant", "content": f"I submitted {name} with my own implementation."}], code

    attempts = train(tasks, 16, 10, talk, rng)
    for a in attempts:
        a.ok = a.answer in a.task.right
        a.reward = float(a.ok)
    return layouts.evidence(fill(attempts, rng))


@PART.faulty("history_leak", "environment_leak", "answer_reading")
def fix_lies_ahead_on_the_main_branch(rng: random.Random) -> list[Row]:
    """The container holds the upstream branch: more and more attempts read the fixing commit with git and copy
    its line.
    """

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        if not task.id.startswith("swe") or r.random() > 0.1 + 0.75 * progress:
            return speak(task, ok, r, progress)
        f = task.facts
        sha = f"{r.getrandbits(28):07x}"
        log = (
            f"{sha} Fix {f['func']}: {f['symptom']}\n{r.getrandbits(28):07x} Bump "
            f"version\n{r.getrandbits(28):07x} Update docs"
        )
        command = f"git log --all --oneline -- {f['path']}"
        said = find(task, r)[:2] + call("Has upstream settled this already?", "bash", {"command": command}, log)
        diff = f"commit {sha}\n--- a/{f['path']}\n+++ b/{f['path']}\n-    {f['bad']}\n+    {task.gold}"
        said += call("The first commit is ahead of HEAD and is the fix.", "bash", {"command": f"git show {sha}"}, diff)
        said += edit(task, task.gold, r)
        if r.random() < 0.4:
            said += check(task, True, r)
        return said + finish(task, True, r), task.gold

    attempts = train(draw(rng, {"swe": 4, "tool": 1}, 1.2), 15, 8, talk, rng, 0.8)
    for a in attempts:
        a.ok = a.answer == a.task.gold
        a.reward = float(a.ok)
    return layouts.openai(fill(attempts, rng, estimators.leave_one_out))
