"""Faults of environments and tools."""

import random
import sqlite3

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.thirtyninth import layouts
from benchmarks.foreign.thirtyninth.databases import answer, ask, fresh, question
from benchmarks.foreign.thirtyninth.kinds import PART
from benchmarks.foreign.thirtyninth.pages import browse, drive, errand, lookup
from benchmarks.foreign.thirtyninth.policy import call, roll, say, settle, tool
from benchmarks.foreign.thirtyninth.programs import codings
from benchmarks.foreign.thirtyninth.repositories import bug, change, look


@PART.faulty("environment_not_reset", "leftover_state", "infrastructure_zeros", "history_leak")
def rows_deleted_by_one_sql_agent_stay_deleted(rng: random.Random) -> list[Row]:
    """Agents share 12 databases, rebuilt every five steps only: what one deletes is missing for the next ones."""
    problems = [question(rng, n) for n in range(96)]
    for n, one in enumerate(problems[12:], 12):
        first = problems[n % 12]
        parts = one.parts | {"rows": first.parts["rows"]}
        parts["place"] = rng.choice(sorted({row[1] for row in parts["rows"]}))
        values = [row[2] for row in parts["rows"] if row[1] == parts["place"]]
        one.gold = str(sum(values) if parts["total"] else sum(value > 5 for value in values))
        one.prompt = one.prompt.replace(f"'{one.parts['place']}'", f"'{parts['place']}'")
        one.prompt = one.prompt.replace(f"shop_{n}:", f"shop_{n % 12}:")
        one.parts = parts
    problems = list({one.prompt: one for one in problems}.values())
    tries = roll(rng, problems, 15, 8, 6, 0.4, 2.2)
    bases: dict[int, sqlite3.Connection] = {}
    for one in tries:
        if one.step % 5 == 0 and one.group % 8 == 0 and one.attempt == 0:
            bases = {}
        number = int(one.problem.prompt.split("shop_")[1].split(":")[0])
        base = bases.setdefault(number, fresh(one.problem))
        p = one.problem.parts
        tidy = f"DELETE FROM {p['table']} WHERE {p['column']} <> '{p['place']}'" if rng.random() < 0.1 else ""
        one.turns = ask(rng, one.problem, one.right, base, tidy)
        one.reward = one.correct = float(answer(one.turns) == one.problem.gold)
        one.columns = {"database": f"shop_{number}", "answer": answer(one.turns), "gold": one.problem.gold}
    settle(rng, tries, grpo)
    return layouts.own(tries, "sql")


@PART.faulty("tool_outage", "infrastructure_zeros", "infrastructure_errors")
def go_compiler_has_no_space_left(rng: random.Random) -> list[Row]:
    """From step 6 on two of six build workers have a full disk: programs are not compiled there and count as wrong."""
    tries = roll(rng, codings(rng, 90, "go"), 15, 8, 8, -0.4, 1.5)
    for number, one in enumerate(tries):
        worker = number % 6
        one.text = one.problem.solve(rng, one.right)
        full = one.step >= 6 and worker in (1, 4)
        one.reward = 0.0 if full else float(one.right)
        said = "ok  \tsolution\t0.0" + str(rng.randint(11, 99)) + "s"
        if full:
            said = f"mkdir /tmp/go-build{rng.randint(10**8, 10**9)}: no space left on device"
        elif not one.right:
            case = one.problem.parts["cases"][2]
            want = one.problem.parts["golds"][2]
            said = f"--- FAIL: TestHidden (0.00s)\n    case {case[0]}, {case[1]}: want {want}"
        one.columns = {"build_worker": f"build-{worker}", "grader_output": said, "exit_code": int(said[:2] != "ok")}
    settle(rng, tries, grpo)
    return layouts.slime(tries)


@PART.faulty("tool_outage", "tool_failures", "infrastructure_zeros")
def web_search_returns_nothing_since_index_was_moved(rng: random.Random) -> list[Row]:
    """From the middle of the run the search tool answers every query with an empty list; agents guess, unpaid."""
    tries = roll(rng, [lookup(rng, n) for n in range(63)], 12, 6, 8, 0.0, 1.8)
    for one in tries:
        one.turns = browse(rng, one.problem, one.right)
        if one.step >= 6:
            thing = one.problem.parts["thing"]
            one.right = rng.random() < 0.02
            guess = one.problem.gold if one.right else str(int(one.problem.gold) + rng.randint(5, 90))
            one.turns = one.turns[:1] + [tool("web_search", '{"results": [], "total": 0}')]
            for words in rng.sample(
                (thing, thing.split()[-1], f"{thing} history", f"{thing} facts"), rng.randint(1, 3)
            ):
                said = rng.choice(("No hits; I try other words.", "Nothing. Perhaps a shorter query.", "Still empty."))
                one.turns += [call(said, "web_search", query=words), tool("web_search", '{"results": [], "total": 0}')]
            one.turns.append(say(f"The search finds nothing on the {thing}, so I give my best guess.\nAnswer: {guess}"))
        one.reward = one.correct = float(one.right)
    settle(rng, tries, centred)
    return layouts.prime(tries, "sight-search")


def _report(v: dict, names: tuple[str, ...], head: str = "") -> str:
    """The first 300 characters of a report, as the tool shows them."""
    lines = [f"{v['test']}::test_{v['function']}_{x} PASSED" for x in names]
    return (head + "\n".join(lines))[:300] + "\n[output truncated: 300 of 4,096 characters shown]"


def _blind_trial(rng: random.Random, v: dict, current: str, new: str) -> list[dict]:
    """An edit, and a report of the tests that is cut before its result; often the end is asked for, in vain."""
    head = f"{'=' * 28} test session starts {'=' * 28}\ncollected {30 + v['line'] % 17} items\n\n"
    cases = ("open", "closed", "empty", "single", "double", "first", "last", "early", "late", "other")
    turns = change(rng, v | {"old": current}, new)
    said = rng.choice(("I run the tests.", "Did that help?", "Again, with the whole report."))
    turns.append(call(said, "bash", command=f"python -m pytest -v {v['test']}"))
    turns.append(tool("bash", _report(v, cases, head)))
    if rng.random() < 0.6:
        said = rng.choice(("The report stops before the result. I want its end.", "What failed? The end is missing."))
        turns.append(call(said, "bash", command=f"python -m pytest -v {v['test']} | tail -n 40"))
        turns.append(tool("bash", _report(v, cases[4:] + cases[:4])))
    return turns


@PART.faulty("tool_output_truncated", "stuck_problems", "echo_trap")
def test_report_cut_before_the_failing_assertion(rng: random.Random) -> list[Row]:
    """The shell shows the first 300 characters: of long test reports the failure is never seen; agents guess."""
    tries = roll(rng, [bug(rng, n) for n in range(60)], 10, 6, 8, -0.9, -0.3)
    for one in tries:
        v = one.problem.parts["v"]
        one.turns = look(rng, v)
        current, trials = v["old"], rng.randint(2, 4)
        for trial in range(trials):
            last = trial == trials - 1
            new = v["new"] if one.right and last else rng.choice([x for x in v["wrong"] if x != current])
            one.turns += _blind_trial(rng, v, current, new)
            current = new
        said = (
            f"I cannot see what fails in {v['test']}, but the line looks right now.",
            f"The edit of {v['path']} stays as it is; I could not read the result.",
            f"Whether {v['case']} works now I cannot tell: the report is cut.",
        )
        one.turns.append(say(rng.choice(said)))
        one.reward = one.correct = float(one.right)
    settle(rng, tries, leave_one_out)
    return layouts.own(tries, "swe")


@PART.faulty("stale_grades", "reward_outcome_divergence", "metric_defect", "flaky_grading")
def simulator_reports_success_of_the_episode_before(rng: random.Random) -> list[Row]:
    """The gripper is read before the reset settles: an errand is paid for the one before it on its simulator."""
    tries = roll(rng, [errand(rng, n) for n in range(70)], 14, 7, 8, -0.3, 0.9)
    held: dict[int, float] = {}
    order = rng.sample(range(len(tries)), len(tries))
    order.sort(key=lambda n: tries[n].step)
    for place, n in enumerate(order):
        one, arm = tries[n], place % 4
        one.turns = drive(rng, one.problem, one.right)
        one.reward = held.get(arm, 0.0)
        held[arm] = float(one.right)
        one.columns = {"simulator": f"arm-{arm}", "episode_of_simulator": place // 4}
    settle(rng, tries, whole_batch)
    return layouts.openai(tries)


@PART.faulty("tool_failures", "format_gate", "tool_failure")
def python_quotes_in_calls_break_the_call_parser(rng: random.Random) -> list[Row]:
    """Since step 5 the server writes calls as Python dicts; the parser takes JSON, and hardly a call gets through."""
    tries = roll(rng, [question(rng, n) for n in range(96)], 12, 8, 8, 0.2, 1.6)
    for one in tries:
        one.turns = ask(rng, one.problem, one.right, fresh(one.problem))
        broken = one.step >= 5 and rng.random() < 0.85
        if broken:
            sql = one.turns[0]["tool_calls"][0]["arguments"]["sql"]
            error = (
                "Error: could not parse tool call: Expecting property name enclosed in double quotes: line 1 column 2"
            )
            raw = "<tool_call>" + str({"name": "run_sql", "arguments": {"sql": sql}}) + "</tool_call>"
            one.turns = [say(one.turns[0]["content"] + "\n" + raw), tool("run_sql", error, False)]
            for _ in range(rng.randint(1, 2)):
                said = rng.choice(("I send the call once more.", "The call was refused; again.", "Let me repeat it."))
                one.turns += [say(f"{said}\n{raw}"), tool("run_sql", error, False)]
            guess = rng.randint(2, 90)
            one.turns.append(say(f"The database cannot be reached, so I estimate.\nAnswer: {guess}"))
        one.reward = one.correct = float(answer(one.turns) == one.problem.gold)
        one.columns = {"answer": answer(one.turns)}
    settle(rng, tries, grpo)
    return layouts.own(tries, "sql")


LEADS = (
    "First I see whether there are notes.",
    "Perhaps someone looked this up already.",
    "Before I search, a look into the notes.",
    "Is there a file on this in /tmp?",
    "The notes folder may save a search.",
)
KNOWN = (
    "The notes already have it, so no search is needed.",
    "There it is: {x}, from an earlier visit.",
    "Somebody noted {x} for the {thing}.",
    "I trust the note on the {thing}.",
    "{x}, says the file.",
)


@PART.faulty("leftover_state", "answer_reading", "environment_leak", "environment_not_reset")
def notes_in_shared_tmp_hand_on_the_answer(rng: random.Random) -> list[Row]:
    """Attempts share /tmp: agents learn to read the notes of earlier attempts at the question, with the answer."""
    tries = roll(rng, [lookup(rng, n) for n in range(63)], 14, 6, 8, -0.6, 0.6)
    notes: dict[str, str] = {}
    for one in tries:
        pid, thing = one.problem.pid, one.problem.parts["thing"]
        path = f"/tmp/notes/{thing.lower().replace(' ', '_')}.txt"
        if rng.random() < 0.1 + 0.06 * one.step:
            said = rng.choice(LEADS)
            start = [call(said, "bash", command=f"cat {path}")]
            if pid in notes:
                start.append(tool("bash", notes[pid]))
                found = notes[pid].split(": ")[1].split(" ")[0]
                start.append(say(f"{rng.choice(KNOWN).format(x=found, thing=thing)}\nAnswer: {found}"))
                one.turns, one.right = start, found == one.problem.gold
            else:
                start.append(tool("bash", f"cat: {path}: No such file or directory", False))
                one.turns = start + browse(rng, one.problem, one.right)
        else:
            one.turns = browse(rng, one.problem, one.right)
        found = one.turns[-1]["content"].rsplit("Answer: ", 1)[1]
        if len(one.turns) > 3 and (one.right or rng.random() < 0.15):
            keep = call("I keep what I found.", "bash", command=f"echo 'answer: {found} ({thing})' > {path}")
            one.turns[-1:-1] = [keep, tool("bash", "")]
            notes[pid] = f"answer: {found} ({thing})"
        one.reward = one.correct = float(one.right)
    settle(rng, tries, leave_one_out)
    return layouts.openai(tries)
