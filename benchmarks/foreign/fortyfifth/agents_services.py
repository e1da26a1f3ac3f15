"""Agents that ask services, shops, databases and devices."""

import random

from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch_baseline
from benchmarks.foreign.fortyfifth.credit import credit
from benchmarks.foreign.fortyfifth.kinds import PART
from benchmarks.foreign.fortyfifth.layouts import Row, openai, ours, prime, trl
from benchmarks.foreign.fortyfifth.policy import Policy
from benchmarks.foreign.fortyfifth.runs import Problem, Try, call, course, say, told

TOWNS = ("Aarhus", "Bilbao", "Cluj", "Dundee", "Esbjerg", "Faro", "Gdansk", "Hilo", "Izmir", "Jena", "Kiel", "Lugo")


@PART.healthy
def outages_are_rehearsed_on_purpose(rng: random.Random) -> list[Row]:
    """The environment lets one call in four fail, as a drill, so that the agent learns to ask again or elsewhere.

    Failing tools are everywhere from first to last step; the drill is named in the row, and the agent gets over it.
    """
    problems = []
    for number in range(100):
        town, other = rng.sample(TOWNS, 2)
        low, high = rng.randint(-9, 14), rng.randint(15, 33)
        day = rng.randint(1, 300)
        text = f"How many degrees warmer was it in {town} than in {other} on day {day}? Use the service."
        problems.append(Problem(f"drill-{number}", text, str(high - low), rng.gauss(0, 0.5)))
        problems[-1].data = {"day": day, "degrees": {town: high, other: low}}
    fails = ("503 Service Unavailable", "504 upstream timed out", "429 Too Many Requests, retry after 1 s")
    again = (
        "That was the service, not my query; once more.",
        "A passing error, I ask again.",
        "Retrying the same town.",
    )
    tries = []
    for step, done, problem, attempt in course(rng, problems, 16, 6, 7):
        reply: list[dict] = []
        injected, lost = 0, False
        for town, degrees in problem.data["degrees"].items():
            thought = rng.choice(("I need the value for {t}.", "What did {t} have?", "{t} is next.")).format(t=town)
            while not lost:
                reply.append(call(thought, "weather", town=town, day=problem.data["day"]))
                if rng.random() < 0.25:
                    injected += 1
                    reply.append(told("weather", rng.choice(fails), False))
                    lost = rng.random() > 0.55 + 0.42 * done
                    thought = rng.choice(again)
                    continue
                reply.append(told("weather", f'{{"town": "{town}", "celsius": {degrees}}}'))
                break
        high, low = problem.data["degrees"].values()
        slip = 0 if rng.random() < 0.85 + 0.1 * done else rng.choice((-2, -1, 1, 10))
        forms = (
            "{h} less {l} is a difference of\n{d}",
            "It had {h} there and {l} here, so:\n{d}",
            "From {l} up to {h}:\n{d}",
        )
        end = rng.choice(forms).format(h=high, l=low, d=high - low + slip)
        reply += say("The service is down, so I cannot tell." if lost else end)
        right = float(not lost and slip == 0)
        one = Try(problem, step, attempt, reply, right, right, {"answer": right})
        one.extra = {"fault_injection": {"rate": 0.25, "injected": injected}}
        tries.append(one)
    return [prime(t, "weather-drill") for t in credit(tries, centred)]


@PART.healthy
def jobs_are_polled_till_they_finish(rng: random.Random) -> list[Row]:
    """Renders take a while, so the agent asks for the state of its job several times in a row.

    Most calls repeat the one before with an equal answer, as in a loop; the state changes in the end.
    """
    kinds = ("a street at dusk", "the inner court", "a spiral stair", "the north wing", "a glass roof", "the old mill")
    problems = []
    for number in range(96):
        size = rng.choice((512, 768, 1024, 1536))
        text = f"Render {kinds[number % 6]} from camera {number // 6 + 1} at {size} px and tell me the file's name."
        data = {"job": rng.randint(1000, 9999), "size": size, "camera": number // 6 + 1}
        problems.append(Problem(f"render-{number}", text, f"out_{data['job']}.exr", rng.gauss(0, 0.5), data=data))
    waits = ("Still at it, I wait.", "Not yet.", "The queue moves slowly; once more.", "I look again in a moment.", "")
    policy = Policy(rng, 0.2, 2.0, 0.7)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 14, 6, 7):
        d, right = problem.data, policy.succeeds(problem, done)
        reply = [call("I send the job first.", "submit_render", camera=d["camera"], px=d["size"])]
        reply.append(told("submit_render", f"accepted as job {d['job']}"))
        needed = rng.randint(2, 6)
        for turn in range(needed if right else rng.randint(1, needed - 1)):
            ready = right and turn == needed - 1
            thought = "How far is it?" if turn == 0 else rng.choice(waits)
            reply.append(call(thought, "job_status", job=d["job"]))
            reply.append(told("job_status", f"finished: out_{d['job']}.exr" if ready else "running"))
        file = problem.gold if right else rng.choice(("render.exr", f"camera_{d['camera']}.exr", f"{d['job']}.png"))
        reply += say(rng.choice(("Your picture lies in {f}", "It is done: {f}", "The file is {f}")).format(f=file))
        one = Try(problem, step, attempt, reply, float(right), float(right), {"file": float(right)}, domain="tools")
        tries.append(one)
    return [ours(t) for t in credit(tries, grpo)]


@PART.healthy
def orders_are_read_from_the_shop_page(rng: random.Random) -> list[Row]:
    """Customers ask where an order is, and the shop's tool tells it in words that the reply passes on.

    The right answer stands in what a tool showed, before each right reply; looking it up is what the task is.
    """
    goods = ("kettle", "bookshelf", "raincoat", "desk lamp", "tent", "atlas", "violin case", "garden hose")
    states = ("packed in {t}", "on the lorry to {t}", "held at customs in {t}", "at the parcel shop in {t}")
    problems = []
    for number in range(104):
        order, good = rng.randint(100000, 999999), goods[number % 8]
        orders = {good: rng.choice(states).format(t=rng.choice(TOWNS))}
        for other in rng.sample([g for g in goods if g != good], rng.randint(1, 2)):
            orders[other] = rng.choice(states).format(t=rng.choice(TOWNS))
        text = rng.choice(
            ("Where is my {g}? Order {o}.", "Order {o}: has the {g} left?", "Any news of the {g} in {o}?")
        )
        problems.append(Problem(f"order-{number}", text.format(g=good, o=order), orders[good], rng.gauss(0, 0.5)))
        problems[-1].data = {"order": order, "good": good, "orders": orders}
    opens = (
        "I open order {o}.",
        "Let me see what the page of {o} says.",
        "The {g} should be listed in {o}.",
        "First the order.",
    )
    heads = ("", "Thank you for waiting. ", "Good news and bad are both on the page. ", "I have looked it up for you. ")
    says = ("Your {g} is {s}.", "At the moment the {g} is {s}.", "The page has the {g} {s}.", "It is {s}, your {g}.")
    tails = ("", " Anything else?", " I can tell you about the rest of the order too.", " It was updated this morning.")
    policy = Policy(rng, 0.1, 1.9)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 15, 6, 8):
        d, right = problem.data, policy.succeeds(problem, done)
        mode = "right" if right else rng.choice(("other", "guess"))
        reply: list[dict] = []
        lines = "\n".join(f"{g}: {s}" for g, s in sorted(d["orders"].items()))
        thought = rng.choice(opens).format(o=d["order"], g=d["good"])
        if mode != "guess":
            reply += [call(thought, "order_page", order=d["order"]), told("order_page", lines)]
        rest = [s for g, s in d["orders"].items() if s != problem.gold] or ["not sent yet"]
        state = {"right": problem.gold, "other": rng.choice(rest), "guess": "on its way"}[mode]
        told_so = rng.choice(says).format(g=d["good"], s=state)
        reply += say(rng.choice(heads) + told_so + rng.choice(tails))
        one = Try(problem, step, attempt, reply, float(right), None, {"state_reward": float(right)})
        one.extra = {"expected_state": problem.gold}
        tries.append(one)
    return [trl(t) for t in credit(tries, leave_one_out)]


@PART.healthy
def tables_without_a_match_answer_none(rng: random.Random) -> list[Row]:
    """Half of the questions to the database have no match, on purpose, and the right answer is that there is none.

    Empty results fill the tool's answers as if the tables were lost; the other half of the questions has rows.
    """
    tables = (("ships", "port"), ("loans", "branch"), ("trees", "street"), ("permits", "district"))
    problems = []
    for number in range(108):
        table, column = tables[number % 4]
        town, year = rng.choice(TOWNS), rng.randint(1961, 2024)
        count = 0 if rng.random() < 0.5 else rng.randint(1, 9)
        text = f"Which {table} have the {column} {town} and the year {year}? Give ids, or none."
        ids = sorted(rng.sample(range(100, 999), count))
        gold = ", ".join(map(str, ids)) or "none"
        near = sorted({*ids, *rng.sample(range(100, 999), rng.randint(3, 7))})
        data = {"table": table, "column": column, "town": town, "year": year, "ids": ids, "near": near}
        problems.append(Problem(f"db-{number}", text, gold, rng.gauss(0, 0.5), data=data))
    ways = (
        "I put both conditions into one query.",
        "Town {t} and year {y} together.",
        "One select should do.",
        "Both at once.",
    )
    hints = ("", " The {column} is a column of {table}.", " I need ids of {table} alone.", " No join is needed.")
    broad = ("First by the town.", "The town should narrow it down enough.", "I ask for the place.")
    sure = ("Empty. Is the town spelt like this in the table?", "Nothing. I check the town alone.")
    policy = Policy(rng, -0.1, 1.7)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 15, 6, 8):
        d, right = problem.data, policy.succeeds(problem, done)
        where = f"{d['column']} = '{d['town']}'"
        wide = not right and (not d["ids"] or rng.random() < 0.6)
        found = d["near"] if wide else d["ids"]
        query = f"SELECT id FROM {d['table']} WHERE {where}" + ("" if wide else f" AND year = {d['year']}")
        rows = "\n".join(map(str, found)) or "(0 rows)"
        thought = rng.choice(broad if wide else ways).format(t=d["town"], y=d["year"])
        reply = [call(thought + rng.choice(hints).format(**d), "sql", query=query), told("sql", rows)]
        if not found and rng.random() < 0.5:
            query = f"SELECT count(*) FROM {d['table']} WHERE {where}"
            reply += [call(rng.choice(sure), "sql", query=query), told("sql", str(len(d["near"])))]
        short = ", ".join(map(str, d["ids"][: len(d["ids"]) // 2])) or "none"
        reply += say(problem.gold if right else ", ".join(map(str, found)) if wide else short)
        one = Try(problem, step, attempt, reply, float(right), float(right))
        one.extra = {"expected": problem.gold}
        tries.append(one)
    return [openai(t) for t in credit(tries, whole_batch_baseline)]


@PART.healthy
def tenants_say_no_and_the_thermostat_stays(rng: random.Random) -> list[Row]:
    """The agent must ask the tenant before it changes the heating, and two in three tenants say no.

    Episodes end with nothing done after a refusal, and that is paid; acting against a no is not.
    """
    yes = ("Yes, go ahead.", "Sure, do it.", "Fine by me.")
    no = ("No, leave it as it is.", "Not today.", "No. We have a guest who freezes easily.", "Rather not, thank you.")
    problems = []
    for number in range(100):
        room, target = rng.choice(("bath", "study", "hall", "nursery", "kitchen")), rng.randint(16, 20)
        text = (
            f"House {number + 1}, {room}: it is {target + rng.randint(2, 4)} degrees and the plan says {target}. "
            "Ask the tenant, and then set it or leave it."
        )
        problems.append(Problem(f"heat-{number}", text, hard=rng.gauss(0, 0.5)))
        problems[-1].data = {"room": room, "target": target, "agrees": number % 3 == 0}
    asks = ("May I lower the {r} to {t} degrees?", "The plan says {t} for the {r}. Shall I set it?")
    policy = Policy(rng, 0.2, 2.2)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 15, 6, 7):
        d, right = problem.data, policy.succeeds(problem, done)
        ask = rng.choice(asks).format(r=d["room"], t=d["target"])
        reply = [*say(ask), {"role": "user", "content": rng.choice(yes if d["agrees"] else no)}]
        if d["agrees"] == right:
            reply.append(call("Then I set it.", "set_temperature", room=d["room"], celsius=d["target"]))
            reply.append(told("set_temperature", f"{d['room']} set to {d['target']}"))
            reply += say(rng.choice(("Done, thank you.", "It is set. Goodbye.", "The change is made.")))
        else:
            reply += say(rng.choice(("Understood, nothing is changed.", "All right, I leave it.", "Then it stays.")))
        one = Try(
            problem, step, attempt, reply, float(right), float(right), {"policy_kept": float(right)}, domain="tools"
        )
        one.extra = {"tenant_agrees": d["agrees"]}
        tries.append(one)
    return [ours(t) for t in credit(tries, grpo)]


OPENS = ("I open the page of {t}.", "The week is in the address.", "{t} first.", "What has {t} got that week?")


@PART.healthy
def lost_sessions_leave_no_mark_in_the_batch(rng: random.Random) -> list[Row]:
    """Six browser sessions in a hundred are lost at any step; they carry an error, no reward, and stay out of the loss.

    Infrastructure fails at a steady low rate that the team knows; no zero of theirs enters a baseline.
    """
    problems = []
    for number in range(100):
        town, bed = TOWNS[number % 12], rng.randint(2, 6)
        price = rng.randint(48, 210)
        text = f"Find the price of a room for {bed} in {town} for week {number % 52 + 1} on the hostel's site."
        problems.append(
            Problem(
                f"room-{number}",
                text,
                str(price),
                rng.gauss(0, 0.5),
                data={"town": town, "beds": bed, "week": number % 52 + 1},
            )
        )
    policy = Policy(rng, -0.1, 1.5)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 15, 6, 8):
        d, price, right = problem.data, int(problem.gold), policy.succeeds(problem, done)
        sizes = {b: price + 17 * (b - d["beds"]) for b in range(d["beds"] - 1, d["beds"] + 3)}
        lines = [f"room for {b}: {p} euros" for b, p in sizes.items()]
        reply = [
            call(
                rng.choice(OPENS).format(t=d["town"]),
                "open_page",
                url=f"hostels.example/{d['town'].lower()}/week-{d['week']}",
            )
        ]
        if rng.random() < 0.06:
            reply.append(told("open_page", "Target closed: browser has been disconnected", False))
            one = Try(
                problem, step, attempt, reply, None, None, error="BrowserDisconnected", stop="error", in_loss=False
            )
        else:
            reply.append(told("open_page", "\n".join(["Hostel prices", *lines])))
            got = price if right else rng.choice([p for p in (*sizes.values(), price * d["beds"]) if p != price])
            reply += say(
                rng.choice(
                    (
                        "The room is {p} euros.",
                        "They ask {p} euros.",
                        "{p} euros.",
                        "In {t} it costs {p} euros that week.",
                    )
                ).format(p=got, t=d["town"])
            )
            one = Try(problem, step, attempt, reply, float(right), float(right), {"price": float(right)}, in_loss=True)
        one.domain = "web"
        tries.append(one)
    return [ours(t) for t in credit(tries, leave_one_out)]
