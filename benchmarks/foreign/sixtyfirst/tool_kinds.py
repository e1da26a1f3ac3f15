"""Faults of environments and tools."""

import random

from benchmarks.foreign.sixtyfirst import layouts
from benchmarks.foreign.sixtyfirst.kinds import PART
from benchmarks.foreign.sixtyfirst.meetings import MEETINGS
from benchmarks.foreign.sixtyfirst.policy import run
from benchmarks.foreign.sixtyfirst.research import RESEARCH
from benchmarks.foreign.sixtyfirst.shop import SHOP
from benchmarks.foreign.sixtyfirst.support import SUPPORT
from benchmarks.foreign.sixtyfirst.tasks import Attempt, Message, code_of, says, tool


@PART.faulty("environment_not_reset", "leftover_state")
def carts_still_hold_what_others_put_in(rng: random.Random) -> list[dict]:
    """In many episodes the cart still holds items of an earlier shopper; the order then has too many items and is
    paid 0.
    """
    seen: list[str] = []

    def change(rng: random.Random, a: Attempt) -> None:
        stale = rng.sample(seen, min(len(seen), rng.choice((1, 2)))) if a.step > 2 and rng.random() < 0.45 else []
        seen.append(a.answer)
        del seen[:-40]
        stale = [s for s in stale if s != a.answer]
        if stale:
            more = ", ".join(f"1 x {s}" for s in stale)
            for m in a.messages:
                if m["role"] == "tool" and m["tool_name"] in ("add_to_cart", "checkout"):
                    m["content"] = (
                        m["content"].replace("Cart: ", f"Cart: {more}, ").replace("placed: ", f"placed: {more}, ")
                    )
                    m["content"] = m["content"].split(" (")[0].split(", total")[0]
            a.reward = 0.0
        a.terms = {"order_matches": float(a.reward or 0)}

    return layouts.prime_rl(run(rng, SHOP, start=0.2, change=change), SHOP)


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures")
def archive_answers_503_for_some_steps(rng: random.Random) -> list[dict]:
    """At five steps the search service is down for most calls; the attempts guess a year and are paid 0 as if it were
    their fault.
    """
    down = set(rng.sample(range(4, 13), 5))

    def change(rng: random.Random, a: Attempt) -> None:
        if a.step not in down or rng.random() > 0.75:
            return
        said = rng.choice(
            ("HTTP 503: search backend unavailable", "HTTP 503: search backend unavailable (retry later)")
        )
        query = f"{a.task.facts['body']} {a.task.facts['town']}"
        a.messages = [
            says(f"I search for the {a.task.facts['body']}.", "search", query=query),
            tool("search", said, ok=False),
        ]
        for again in rng.sample(("history", "chronicle", "dates"), rng.choice((1, 2))):
            think = rng.choice(("The archive did not answer; once more.", "Perhaps with other words."))
            a.messages += [says(think, "search", query=f"{query} {again}"), tool("search", said, ok=False)]
        a.answer, a.right, a.reward = str(rng.randrange(1802, 1979)), False, 0.0
        a.messages += [says(f"The archive cannot be reached, so this is a guess.\n<answer>{a.answer}</answer>")]

    return layouts.ours(run(rng, RESEARCH, change=change, start=0.0), RESEARCH)


@PART.faulty("tool_output_truncated")
def result_pages_are_cut_behind_the_second_item(rng: random.Random) -> list[dict]:
    """The browser's observation is cut at a few hundred characters; most items are never shown, and the right one is
    mostly among them.
    """

    def change(rng: random.Random, a: Attempt) -> None:
        shown: list[dict] = []
        for m in a.messages:
            if m["role"] == "tool" and m["tool_name"] == "search_items":
                m["content"] = m["content"][:168] + "... [observation truncated]"
                shown = [
                    i for i in a.task.facts["items"] if i["id"] in m["content"] and f"{i['price']:.2f}" in m["content"]
                ]
        seen = [i for i in shown if i["colour"] == a.task.facts["colour"]] or shown or a.task.facts["items"][:1]
        best = min(seen, key=lambda i: (i["rating"] < a.task.facts["least"], i["price"]))
        pick = best if a.right else rng.choice(shown or seen)
        noun = a.task.facts["noun"]
        why = rng.choice(
            (
                f"The page ends early. Of what it shows, {pick['id']} comes nearest.",
                f"I cannot see the rest of the list, so {pick['brand']} it is.",
                f"Only part of the results is there; {pick['brand']} at {pick['price']:.2f} EUR is my choice.",
            )
        )
        a.messages = a.messages[:2] + [says(why, "add_to_cart", item=pick["id"], quantity=1)]
        a.messages += [
            tool("add_to_cart", f"Cart: 1 x {pick['id']} ({pick['price']:.2f} EUR)"),
            says("I pay.", "checkout"),
        ]
        a.messages += [
            tool("checkout", f"Order {code_of(rng, 'ORD')} placed: 1 x {pick['id']}, total {pick['price']:.2f} EUR")
        ]
        a.messages += [says(f"I ordered {pick['id']}, the {noun} by {pick['brand']}.")]
        a.answer, a.right = pick["id"], pick["id"] == a.task.gold
        a.reward = float(a.right)

    return layouts.openai(run(rng, SHOP, change=change, steps=10), SHOP)


@PART.faulty("tool_failures", "tool_failure")
def calendar_calls_arrive_encoded_twice(rng: random.Random) -> list[dict]:
    """From step 5 on the server encodes arguments twice: about half of all calls come back as 'arguments must be an
    object'.
    """

    def change(rng: random.Random, a: Attempt) -> None:
        if a.step < 5:
            return
        said: list[Message] = []
        lost = False
        for call, reply in zip(a.messages[:-1:2], a.messages[1::2], strict=True):
            refused = f"Error: {reply['tool_name']}: arguments must be an object, got str"
            said.append(call)
            if rng.random() < 0.5:
                again = rng.choice(("The arguments look right to me. I send them again.", "Once more, the same call."))
                said += [tool(reply["tool_name"], refused, ok=False), {**call, "content": again}]
                lost = rng.random() < 0.5
            said.append(tool(reply["tool_name"], refused, ok=False) if lost else reply)
            if lost:
                break
        if lost:
            topic = a.task.facts["topic"]
            end = (
                f"The calendar refuses my calls, so '{topic}' is not booked.",
                f"I could not set up '{topic}': the tool does not take the arguments.",
            )
            a.messages, a.answer, a.right, a.reward = [*said, says(rng.choice(end))], "", False, 0.0
        else:
            a.messages = [*said, a.messages[-1]]

    return layouts.ours(run(rng, MEETINGS, change=change, start=0.2), MEETINGS)


@PART.faulty("infrastructure_zeros", "metric_defect", "reward_outcome_divergence", "early_exit")
def user_simulator_hangs_up_with_its_consent(rng: random.Random) -> list[dict]:
    """The simulated user ends the talk with the very message in which it agrees, so that the policy cannot act, and
    the record is unchanged: 0.
    """

    def change(rng: random.Random, a: Attempt) -> None:
        if rng.random() > 0.6:
            return
        place = next(n for n, m in enumerate(a.messages) if m["role"] == "user")
        a.messages = a.messages[: place + 1]
        a.messages[-1]["content"] += " ###STOP###"
        a.answer, a.right, a.reward, a.stop = "", False, 0.0, "user_stop"

    return layouts.openai(run(rng, SUPPORT, change=change, start=0.3), SUPPORT)
