"""Faults of environments and tools."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftysixth import layouts, repositories, searching
from benchmarks.foreign.fiftysixth.kinds import PART
from benchmarks.foreign.fiftysixth.policy import Attempt, Problem, advise, batches, run

DISK = "bash: cannot create temp file for here-document: No space left on device"
GUESTS = ("Adeyemi", "Bianchi", "Cohen", "Dvorak", "Eriksen", "Fontaine", "Gomes", "Hartl", "Ito", "Jensen")
ROOMS = ("harbour room", "garden hall", "attic studio", "blue salon", "library")


@PART.faulty("infrastructure_zeros", "tool_outage", "infrastructure_errors", "tool_failures")
def a_host_without_disk_fails_all_its_sessions(rng: random.Random) -> list[Row]:
    """From step 5 on one host of four has a full disk: edits there fail, and the attempts get 0 like wrong ones."""
    pairs = repositories.many(rng, 72)
    repos = {p.id: r for p, r in pairs}
    attempts = run(rng, batches([p for p, _ in pairs], 12), 8, start=0.2, speak=False)
    for attempt in attempts:
        repo, host = repos[attempt.problem.id], f"sandbox-{rng.randrange(4):02d}"
        attempt.extra = {"host": host}
        if attempt.step < 5 or host != "sandbox-02":
            repositories.session(rng, attempt, repo)
        else:
            attempt.reward = 0.0
            turns = repositories.look(rng, repo)
            thought, command, _ = repositories.mend(rng, repo, True)[0]
            first = len(turns)
            turns += [
                (thought, command, DISK),
                ("Again, with sed.", _sed(repo), "sed: couldn't flush ./sedQ1: No space left on device"),
            ]
            end = f"I could not write {repo.path}: the disk of this machine is full."
            repositories.play(attempt, turns, end, (first, first + 1))
        attempt.terms = {"tests_passed": attempt.reward}
    return [layouts.verifiers(a, "repo-mend", advantage=a.advantage) for a in advise(attempts, grpo)]


def _sed(repo: repositories.Repository) -> str:
    return f"sed -i 's|{repo.before}|{repo.after}|' {repo.path}"


@PART.faulty("tool_output_truncated", "low_reward_spread", "stuck_problems")
def search_shows_the_first_180_signs_of_a_page(rng: random.Random) -> list[Row]:
    """The tool cuts every page at 180 signs; the year mostly stands further down, so the policy guesses."""
    pairs = searching.world(rng, 84, 0.25)
    pages = {p.id: page for p, page in pairs}
    attempts = run(rng, batches([p for p, _ in pairs], 14), 6, start=1.2, speak=False)
    for attempt in attempts:
        page, year = pages[attempt.problem.id], attempt.problem.gold
        shown = page[:180] + f"... [truncated, 180 of {len(page)} characters shown]"
        sure = year in shown
        attempt.right = attempt.right if sure else rng.random() < 0.02
        value = int(year) if attempt.right else searching.wrong(rng, int(year))
        searching.session(rng, attempt, page, shown, value, sure)
        attempt.reward = float(attempt.right)
        attempt.terms = {"exact_year": attempt.reward}
    return [layouts.verifiers(a, "town-search", advantage=a.advantage) for a in advise(attempts, centred)]


@PART.faulty("environment_not_reset", "leftover_state")
def bookings_of_earlier_attempts_stay_in_the_table(rng: random.Random) -> list[Row]:
    """Attempts of a group share one database that is not reset: the room is taken by the first attempt's booking, so
    later ones are refused or count one too many.
    """
    problems, seats = [], {}
    for number in range(60):
        guest, room, day = rng.choice(GUESTS), rng.choice(ROOMS), rng.randint(1, 28)
        seats[f"book-{number}"] = (guest, room, day, rng.randint(3, 19))
        prompt = (
            f"Book the {room} for {guest} on 2026-03-{day:02d}, once. Then tell me how many bookings there are on that "
            "day, the new one included. End with `Answer: N`."
        )
        gold = str(seats[f"book-{number}"][3] + 1)
        problems.append(Problem(f"book-{number}", prompt, gold, "booking", rng.gauss(0, 0.7)))
    attempts = run(rng, batches(problems, 12), 8, start=1.0, speak=False)
    made: dict[int, int] = {}
    for attempt in attempts:
        _book(rng, attempt, seats[attempt.problem.id], made)
    return [layouts.openai(a, attempt=a.index, advantage=a.advantage) for a in advise(attempts, leave_one_out)]


def _book(rng: random.Random, attempt: Attempt, task: tuple[str, str, int, int], made: dict[int, int]) -> None:
    guest, room, day, before = task
    date = f"2026-03-{day:02d}"
    there = made.get(attempt.group, 0)
    if attempt.right or rng.random() < 0.5:
        made[attempt.group] = there + 1
        told = f"booked: id {400 + before + there + 1}"
        if there:
            told += f"; note: {room} already has {there} booking(s) of {guest} on {date}"
    else:
        told = "error: column 'name' does not exist, use 'guest'"
    count = before + made.get(attempt.group, 0)
    key = "name" if told.startswith("error") else "guest"
    calls = (
        (f"I book the {room} for {guest}.", "insert_booking", {"room": room, key: guest, "date": date}, told),
        (f"Now I count what is on {date}.", "count_bookings", {"date": date}, str(count)),
    )
    attempt.messages = []
    for number, (thought, name, arguments, result) in enumerate(calls):
        call = {"id": f"c{number}", "name": name, "arguments": arguments}
        attempt.messages += [
            {"role": "assistant", "content": thought, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "tool_name": name, "content": result},
        ]
    end = rng.choice((f"With {guest} there are {count} bookings.", f"The {room} is booked; {count} that day."))
    if key == "name":
        end = f"My booking for {guest} was refused; {count} are there."
    attempt.messages.append({"role": "assistant", "content": f"{end} Answer: {count}"})
    attempt.reward = float(str(count) == attempt.problem.gold)
    attempt.right = bool(attempt.reward)


@PART.faulty("tool_failures", "tool_failure", "infrastructure_zeros")
def calls_of_several_lines_are_not_parsed(rng: random.Random) -> list[Row]:
    """The parser of calls refuses arguments with a line break, so edits by here-document never run; only attempts
    that edit with sed can pass.
    """
    pairs = repositories.many(rng, 60)
    repos = {p.id: r for p, r in pairs}
    attempts = run(rng, batches([p for p, _ in pairs], 12), 8, start=0.6, speak=False)
    for attempt in attempts:
        repo = repos[attempt.problem.id]
        turns = repositories.look(rng, repo)
        edit, test = repositories.mend(rng, repo, attempt.right)
        refused = f"Error: invalid tool call: Invalid control character at: line 1 column {rng.randint(31, 64)}"
        first = len(turns)
        if rng.random() < 0.15 + 0.02 * attempt.step:
            new = repo.after if attempt.right else f"abs({repo.before})"
            repositories.play(
                attempt,
                [*turns, (edit[0], f"sed -i 's|{repo.before}|{new}|' {repo.path}", ""), test],
                repositories.close(rng, repo, new),
            )
        else:
            tries = [(edit[0], edit[1], refused), ("The same once more.", edit[1] + "\n", refused)]
            end = f"My edits of {repo.path} were not accepted; `{repo.before}` has to become `{repo.after}`."
            repositories.play(attempt, turns + tries, end, (first, first + 1))
            attempt.right, attempt.reward = False, 0.0
    return [layouts.own(a) for a in advise(attempts, grpo)]
