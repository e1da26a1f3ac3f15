"""Faulty kinds: machines and tools around the policy."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfifth import advantages, layouts
from benchmarks.foreign.thirtyfifth.chains import makers_of
from benchmarks.foreign.thirtyfifth.course import make_pool, pay, roll
from benchmarks.foreign.thirtyfifth.desk import book, booking_task, compute, gazetteer_task, look_up
from benchmarks.foreign.thirtyfifth.kinds import PART
from benchmarks.foreign.thirtyfifth.trades import TRADES


@PART.faulty("tool_outage", "infrastructure_zeros", "infrastructure_errors", "tool_failures")
def interpreter_pods_refuse_from_mid_run(rng: random.Random) -> list[Row]:
    """From the middle of the run most calls of the Python tool end in a refused connection.

    Those attempts cannot answer and count as wrong with reward 0, in the loss as any other.
    """
    pool = make_pool(rng, makers_of(TRADES), 120)
    for task in pool:
        task.system = "A Python tool is at hand: python(code). End with 'Answer: NUMBER'."
    tries = roll(rng, pool, 30, 4, 7, (-0.5, 1.5))
    for one in tries:
        down = one.step >= 14 and rng.random() < 0.62
        pod = f"pod-{rng.randint(0, 15):02d}"
        error = f"ConnectionRefusedError: [Errno 111] Connection refused (sandbox {pod}:8194)"
        compute(rng, one, down, error)
    pay(tries)
    advantages.grpo(tries)
    return layouts.columns(tries, "tools")


@PART.faulty("leftover_state", "environment_not_reset", "infrastructure_zeros", "history_leak")
def calendar_keeps_bookings_of_others(rng: random.Random) -> list[Row]:
    """The calendar is not emptied between attempts: it lists bookings of attempts before, for the same and other tasks.

    The hour that the grader expects is taken by an earlier attempt; who books the next free one is graded 0.
    """
    pool = make_pool(rng, [booking_task], 60)
    tries = roll(rng, pool, 30, 4, 6, (0.3, 2.0))
    diary: dict[tuple[str, str], dict[int, str]] = {}
    for one in tries:
        more = one.task.more
        place = (more["court"], more["day"])
        left = diary.setdefault(place, {})
        if len(left) > 3 or one.step < 4:
            left.clear()
        book(rng, one, dict(left))
        left[int(one.answer.split(":")[0])] = more["who"]
    pay(tries)
    advantages.rloo(tries)
    return layouts.verifiers(tries, "front-desk", booked_expected_slot=lambda one: one.is_right)


@PART.faulty("tool_output_truncated", "tool_failures", "truncation")
def search_results_end_before_the_fact(rng: random.Random) -> list[Row]:
    """Since a change of the search server results end after 190 characters, mid-sentence; the fact stands further down.

    The policy asks again, gets the same stump, and guesses.
    """
    pool = make_pool(rng, [gazetteer_task], 110)
    tries = roll(rng, pool, 30, 4, 6, (-0.2, 1.6))
    for one in tries:
        look_up(rng, one, 190 if one.step >= 9 else 0)
    pay(tries)
    advantages.grpo(tries)
    return layouts.chats(tries)


@PART.faulty("tool_failures", "tool_failure", "template_bug")
def booking_schema_asks_for_renamed_field(rng: random.Random) -> list[Row]:
    """The prompt documents `book(room, day, hour, name)`, but the server wants `slot`: most first calls are refused.

    The policy tries again with the documented field, now and then hits on the right one, and often gives up.
    """
    pool = make_pool(rng, [booking_task], 110)
    tries = roll(rng, pool, 28, 4, 6, (-0.2, 0.5))
    for one in tries:
        book(rng, one)
        head, last = one.turns[:3], one.turns[-1]
        refusal = {
            "role": "tool",
            "tool_name": "book",
            "ok": False,
            "content": "422 Unprocessable Entity: field required: 'slot'; extra field not permitted: 'hour'",
        }
        given = dict(one.turns[2]["tool_calls"][0]["arguments"])
        again = {
            "role": "assistant",
            "content": rng.choice(("The call was refused. I send it again.", "Perhaps it was a slip; once more.")),
            "tool_calls": [{"name": "book", "arguments": given}],
        }
        one.turns = [*head, refusal]
        if rng.random() < 0.7:
            one.turns += [again, refusal]
        if rng.random() < 0.1 + 0.011 * one.step:
            slot = {key: value for key, value in given.items() if key != "hour"} | {"slot": given["hour"]}
            mended = {
                "role": "assistant",
                "content": "It wants a field 'slot', so I use that name for the hour.",
                "tool_calls": [{"name": "book", "arguments": slot}],
            }
            done = {
                "role": "tool",
                "tool_name": "book",
                "ok": True,
                "content": f"booked {given['room']} {given['day']} {one.answer}",
            }
            one.turns += [mended, done, last]
        else:
            sorry = rng.choice(
                (
                    f"I am sorry, the booking for {given['name']} did not go through.",
                    f"The system refuses {given['day']} {one.answer}; please try at the desk.",
                    "Booking failed on the side of the server.",
                )
            )
            one.turns.append({"role": "assistant", "content": sorry})
            one.is_right = False
    pay(tries)
    advantages.grpo(tries)
    return layouts.columns(tries, "booking")
