"""A service desk with tools."""

from random import Random

from benchmarks.foreign.twentyfourth.run import Reply, Task

AIRPORTS = ("OSL", "LIS", "VIE", "GDN", "TLL", "BHX", "NCE", "ZAG", "RIX", "PMO")


def rebooking(rng: Random, key: str) -> Task:
    """A desk that moves a booking by tools, to the rules of the fare."""
    code, (start, end) = f"{rng.choice('KLMNPQ')}{rng.randint(10000, 99999)}", rng.sample(AIRPORTS, 2)
    day, fee = rng.randint(4, 20), rng.choice((0, 30, 45, 60))
    who = rng.choice(("Ms Okafor", "Mr Lindqvist", "Dr Haas", "Ms Ferreira", "Mr Tan", "Ms Novak"))
    question = (
        f"Hi, {who} here, booking {code} from {start} to {end}. Could you move it to the {day}th? I'd take any hour."
    )

    def write(r: Random, right: bool) -> Reply:
        flight = f"{r.choice(('DX', 'NV'))}{r.randint(100, 980)}"
        charged = fee if right else r.choice([f for f in (0, 30, 45, 60, 90) if f != fee])
        looked = {"name": "get_booking", "arguments": {"code": code}}
        moved = {"name": "change_flight", "arguments": {"code": code, "flight": flight, "fee": charged}}
        shown = f'{{"code": "{code}", "route": "{start}-{end}", "change_fee": {fee}, "flights": ["{flight}"]}}'
        turns = [
            {
                "role": "assistant",
                "content": r.choice(("One moment, please.", f"Happy to help, {who}.", "")),
                "tool_calls": [looked],
            },
            {"role": "tool", "content": shown, "tool_name": "get_booking"},
            {"role": "assistant", "content": r.choice(("", "I'll move it now.")), "tool_calls": [moved]},
            {"role": "tool", "content": '{"status": "confirmed"}', "tool_name": "change_flight"},
            {
                "role": "assistant",
                "content": r.choice(("You are on", "Your new flight is", "Done:"))
                + f" {flight} on the {day}th; the fee is {charged} euros.",
            },
        ]
        return Reply(turns, str(charged))

    return Task(key, question, str(fee), write, "You serve at the desk of an airline.", family=f"fee{fee}")
