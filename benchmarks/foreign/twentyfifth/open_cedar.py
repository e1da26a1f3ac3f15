"""Customers and searches: a caller who hangs up, passages without a body, hand-overs that are right."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import service, wiki
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, train
from benchmarks.foreign.twentyfifth.credit import grpo, rloo
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openai, own
from benchmarks.foreign.twentyfifth.prose import pick
from benchmarks.foreign.twentyfifth.talk import Talk


def _consents(d: Draw, talk: Talk, info: Row) -> bool:
    """The proposal and the customer's yes; says whether the conversation goes on."""
    plan = info["act"].replace("_", " ")
    ask = pick(d.rng, "Shall I go ahead?", "Do you confirm (yes/no)?", "Is that all right?", "May I proceed?")
    talk.say(
        f"Order {info['order']} with the {info['good']} ({info['total']} dollars) is pending. I would {plan}. {ask}"
    )
    yes = pick(
        d.rng, "Yes, please go ahead.", "Yes.", "Yes, do that.", "Confirmed, thanks.", "Yes please!", "Sure, yes."
    )
    hangs_up = d.rng.random() < 0.46
    talk.ask(f"{yes} ###STOP###" if hangs_up else yes)
    return not hangs_up


@PART.faulty("environment_bug", "infrastructure_zeros")
def caller_hangs_on_consent(rng: Random) -> list[Row]:
    """The simulated customer ends the conversation in the turn of its consent, before the agent can make the change;
    such attempts earn 0, and the agent learns to act unasked [sierra-research/tau2-bench#297].
    """

    def attempt(d: Draw) -> Try:
        info = d.task.info
        talk = Talk(d.task.prompt, service.POLICY)
        text = pick(d.rng, "I look your order up.", "One moment, please.", "Let me see the order.", "")
        talk.use(text, "get_order_details", {"order_id": info["order"]}, service.shown(info))
        unasked = d.rng.random() < 0.3 * d.t
        goes_on = unasked or _consents(d, talk, info)
        act = (
            info["act"] if d.able else d.rng.choice(["return_delivered_item", "modify_item_options", "refund_to_card"])
        )
        if goes_on:
            reason = {"order_id": info["order"], "reason": info["why"]}
            talk.use("", act, reason, '{"ok": true}' if d.able else '{"error": "not allowed for pending orders"}')
            talk.say(
                pick(d.rng, "That is done.", "All set.", f"Your {info['good']} is taken care of.", "It is processed.")
            )
            talk.ask(pick(d.rng, "Thank you! ###STOP###", "Great, bye. ###STOP###", "Thanks, that was all. ###STOP###"))
        paid = float(goes_on and d.able)
        return Try(
            talk.messages, paid, bool(paid), {"db_match": bool(paid), "gold_action": info["act"]}, stop="user_stop"
        )

    plan = Plan(9, 9, 5, start=0.1, gain=1.8, prefix="retail-")
    return openai(rng, grpo(train(rng, service.order_task, attempt, plan)), domain="retail", user_model="sim-70b")


@PART.faulty("tool_failure", "tool_failures", "environment_bug", "tool_outage")
def passages_without_a_body(rng: Random) -> list[Row]:
    """From the fifth step on the search tool lists documents with ids and scores but no text, for the retriever now
    nests the content one level deeper; the policy answers from memory [rllm-org/rllm#396].
    """

    def attempt(d: Draw) -> Try:
        hollow = d.step >= 4
        able = d.able and (not hollow or d.rng.random() < 0.3)
        talk = Talk(d.task.prompt, wiki.SYSTEM)
        for turn in range(d.rng.randint(1, 2) + (hollow and d.rng.random() < 0.5)):
            query = wiki.query(d.rng, d.task, turn)
            talk.use(wiki.lead(d.rng, turn), "search", {"query": query}, wiki.results(d.rng, d.task, hollow, d.able))
        answer = d.task.gold if able else wiki.other(d.rng, d.task)
        unsure = pick(d.rng, "The documents show nothing, so from memory: ", "No text came back. I believe: ", "")
        talk.say(f"{unsure if hollow else ''}{wiki.closing(d.rng, d.task, answer)}\n<answer>{answer}</answer>")
        return Try(
            talk.messages, float(able), able, {"answer": answer, "gold_answer": d.task.gold}, {"em": float(able)}
        )

    tries = train(rng, wiki.hop, attempt, Plan(11, 7, 6, start=-0.4, gain=2.0, prefix="hop"))
    return own(rng, grpo(tries), "search", retriever="e5-flat", topk=3)


def _flight_task(rng: Random) -> Task:
    name, code = (
        f"{rng.choice(service.FIRST)} {rng.choice(service.LAST)}",
        "".join(rng.choices("BCDFGHJKLMNPQRTVWXZ", k=6)),
    )
    barred = rng.random() < 0.5
    wish = (
        rng.choice(
            ["a refund in cash for a basic fare", "a flight that has left moved to next week", "a pet as luggage"]
        )
        if barred
        else rng.choice(["one more bag", "an aisle seat", "my name spelt right", "tomorrow's early flight instead"])
    )
    tool = "transfer_to_human_agents" if barred else "update_reservation"
    return Task(f"Good day, {name}. Reservation {code}: I would like {wish}.", tool, {"code": code, "wish": wish})


def _barred(d: Draw) -> str:
    what = d.task.info["wish"]
    return pick(
        d.rng,
        f"I may not arrange {what}.",
        "This is outside my rules.",
        "",
        f"For {what} I need a colleague.",
        "Sorry.",
    )


@PART.healthy
def handed_to_a_person_rightly(rng: Random) -> list[Row]:
    """Half of the conversations end after one or two turns with a transfer and full reward: the policy of the airline
    bars these wishes and a transfer is the right action.
    """

    def attempt(d: Draw) -> Try:
        info = d.task.info
        talk = Talk(d.task.prompt, "Airline agent. Serve what the rules allow; otherwise transfer to a human agent.")
        wrong = "update_reservation" if d.task.gold.startswith("transfer") else "transfer_to_human_agents"
        tool = d.task.gold if d.able else wrong
        if tool.startswith("transfer"):
            why = {"summary": f"{info['code']}: {info['wish']}"}
            talk.use(_barred(d), tool, why, "Transfer successful")
            end = pick(d.rng, "A colleague takes over.", "You are being transferred.", "Please hold for a colleague.")
            more = pick(d.rng, "", " Thank you for your patience.", f" Your code is {info['code']}.", " Goodbye.")
            talk.say(end + more)
        else:
            fare = f'{{"code": "{info["code"]}", "fare": "{d.rng.choice(["economy", "business", "basic"])}"}}'
            talk.use(pick(d.rng, "Let me see.", "One moment.", ""), "get_reservation", {"code": info["code"]}, fare)
            talk.use("", tool, {"code": info["code"], "change": info["wish"]}, '{"ok": true}')
            talk.say(
                f"{pick(d.rng, 'Done', 'That is arranged', 'Booked')}: {info['wish']}, reservation {info['code']}."
            )
        return Try(talk.messages, float(d.able), d.able, {"expected_action": d.task.gold, "db_match": d.able})

    tries = rloo(train(rng, _flight_task, attempt, Plan(8, 9, 5, start=-0.2, gain=2.1, prefix="air-")))
    return openai(rng, tries, domain="airline")
