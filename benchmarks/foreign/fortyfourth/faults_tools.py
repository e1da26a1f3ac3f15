"""Faults of environments and tools."""

import json
import random

from benchmarks.foreign.fortyfourth import baselines, bookings, layouts, lookups
from benchmarks.foreign.fortyfourth.kinds import PART
from benchmarks.foreign.fortyfourth.policy import Draft, Learner, Plan, Problem, Sample, run

Row = dict
DOWN = (
    "503 Service Unavailable: archive-index did not answer",
    "Error: connection to archive-index:9200 refused",
    "503 Service Unavailable: upstream request timeout",
)
GIVE_UP = (
    "The archive cannot be reached, so I cannot say.",
    "The search fails each time; I have no source for {town}.",
    "No passage came back. I do not know it.",
)


@PART.faulty("tool_outage", "infrastructure_zeros", "infrastructure_errors", "tool_failures")
def archive_index_goes_down_at_half_time_and_zeros_are_trained_on(rng: random.Random) -> list[Row]:
    """From the middle of the run most searches answer 503, and the lost attempts count as reward 0 of the policy."""

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        if progress < 0.52 or rng.random() > 0.75:
            return lookups.research(rng, problem, right, progress)
        messages = []
        for _ in range(rng.randint(1, 3)):
            messages += [lookups.call(rng, problem), {"role": "tool", "content": rng.choice(DOWN)}]
        last = rng.choice(GIVE_UP).format(**problem.data)
        guess = lookups.wrong(rng, problem) if rng.random() < 0.4 else "unknown"
        messages.append({"role": "assistant", "content": f"{last}\nAnswer: {guess}"})
        return Draft(messages, guess, False)

    samples = run(rng, lookups.facts(rng, 80), attempt, Plan(14, 8, 6), Learner(0.0, 1.8))
    baselines.by_group(samples)
    for s in samples:
        calls = sum(m["role"] == "tool" for m in s.messages)
        s.terms = {"exact_match": s.reward, "num_searches": float(calls)}
    return layouts.prime(samples, "town-archive")


def _meet(rng: random.Random, problem: Problem, right: bool, calendar: dict[tuple, tuple]) -> Draft:
    """An episode on a calendar that earlier episodes have written."""
    draft = bookings.serve(rng, problem, right, 0.0)
    wanted = draft.messages[0]["tool_calls"][0]["arguments"]
    slot = (wanted["room"], wanted["day"], wanted["hour"])
    if slot not in calendar:
        booked = draft.messages[2]["tool_calls"][0]["arguments"]
        calendar[slot] = (booked["person"], booked["subject"], draft.answer)
        return draft
    person, subject, number = calendar[slot]
    taken = json.dumps({"free": False, "person": person, "subject": subject, "booking": number}, ensure_ascii=False)
    v = {**problem.data, "room": slot[0], "day": slot[1], "hour": slot[2]}
    messages = [draft.messages[0], bookings.tool(taken)]
    if rng.random() < 0.4:
        error = json.dumps({"ok": False, "error": f"conflict with {number}"})
        messages += [bookings.book(rng, v), bookings.tool(error)]
    messages.append({"role": "assistant", "content": rng.choice(bookings.SORRY).format(**v)})
    return Draft(messages, "", False)


@PART.faulty("environment_not_reset", "leftover_state", "infrastructure_zeros", "score_decline")
def calendars_keep_the_bookings_of_earlier_episodes(rng: random.Random) -> list[Row]:
    """The booking service of a worker is never reset, so a slot that another attempt has booked is taken.

    The service names that attempt's person, subject and booking; the attempt that comes later gets 0.
    """
    calendars: list[dict[tuple, tuple]] = [{} for _ in range(6)]
    workers: list[int] = []

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        workers.append(rng.randrange(6))
        return _meet(rng, problem, right, calendars[workers[-1]])

    samples = run(rng, bookings.requests(rng, 90), attempt, Plan(12, 8, 6), Learner(0.6, 1.4))
    baselines.by_group(samples)
    for s, worker in zip(samples, workers, strict=True):
        s.terms = {"booking": s.reward}
        s.extra = {"correct": s.reward, "domain": "tools", "extra": {"worker": worker}}
    return layouts.ours(samples)


@PART.faulty("tool_output_truncated", "tool_failures", "stuck_problems", "weak_family")
def search_answers_are_cut_before_the_passage_that_helps(rng: random.Random) -> list[Row]:
    """What the search tool returns is cut at 240 characters, mostly before the sentence that answers the question.

    The policy searches again, gets the same beginning, and guesses.
    """
    mark = "… [output truncated]"
    found: dict[str, str] = {}

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        messages, seen = [], False
        for _ in range(rng.choice((1, 2, 2, 3, 3))):
            whole = found.setdefault(problem.id, lookups.passages(rng, problem))
            told = whole if len(whole) <= 240 else whole[:240] + mark
            seen = problem.gold in told
            messages += [lookups.call(rng, problem), {"role": "tool", "content": told}]
            if seen:
                break
        good = seen and rng.random() < 0.65 + 0.3 * progress
        answer = problem.gold if good else lookups.wrong(rng, problem)
        return Draft([*messages, lookups.conclude(rng, problem, answer, good)], answer, good)

    samples = run(rng, lookups.facts(rng, 90), attempt, Plan(12, 8, 8))
    for s in samples:
        s.extra = {"metadata": {"turns": sum(m["role"] == "assistant" for m in s.messages)}}
    return layouts.slime(samples)


def _raw_call(rng: random.Random, v: dict) -> str:
    inner = f'{{"room": "{v["room"]}", "day": "{v["day"]}", "hour": {v["hour"]}, "person": "{v["who"]}", "subject": '
    call = f'{{"name": "book_room", "arguments": {inner}"{v["topic"]}"}}}}'
    return f"{rng.choice(bookings.BOOK).format(**v)}\n<tool_call>\n{call}\n</tool_call>"


@PART.faulty("tool_failures", "tool_failure", "format_gate", "stuck_problems")
def subjects_with_quotes_break_every_booking_call(rng: random.Random) -> list[Row]:
    """Where a subject has quotes the call is not valid JSON, the parser leaves it in the text, and an error comes back.

    The policy repeats the call as it was; such requests are never booked.
    """
    topics = (
        'the "open house"',
        "a budget review",
        'the talk "Was ist neu?"',
        "a tasting",
        "an interview",
        '"Team Blue" only',
        "fire drill",
    )

    def attempt(rng: random.Random, problem: Problem, right: bool, progress: float) -> Draft:
        v = problem.data
        if '"' not in v["topic"] or rng.random() < 0.04:
            return bookings.serve(rng, problem, right, progress)
        messages = [bookings.check(rng, v), bookings.tool('{"free": true}')]
        for _ in range(rng.randint(1, 3)):
            text = _raw_call(rng, v)
            column = text.index(v["topic"]) - text.index('{"name"') + v["topic"].index('"') + 1
            error = f"Error: tool call could not be parsed: Expecting ',' delimiter: line 1 column {column + 1}"
            messages += [{"role": "assistant", "content": text}, bookings.tool(error)]
        end = bookings.DONE if rng.random() < 0.5 else ("I could not book {room}; the service takes no call of mine.",)
        messages.append({"role": "assistant", "content": rng.choice(end).format(**v)})
        return Draft(messages, "", False)

    samples = run(rng, bookings.requests(rng, 84, topics), attempt, Plan(12, 7, 8), Learner(0.3, 1.8))
    for s in samples:
        s.extra = {"num_errors": _errors(s), "target": s.problem.gold}
    return layouts.openai(samples)


def _errors(sample: Sample) -> int:
    return sum(m["role"] == "tool" and m["content"].startswith("Error") for m in sample.messages)
