"""Episodes of agents over a company's API: a lookup of several pages of tickets or orders, and a report."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.sixtysecond.policy import Try
from benchmarks.foreign.sixtysecond.tasks import Task, Written

_TEAMS = ("billing", "returns", "onboarding", "fleet", "payroll", "claims")
Orders = list[tuple[str, int]]


def open_orders(rng: Random, number: int, few: int = 3, many: int = 7) -> tuple[Task, Orders]:
    """A question about open orders of a customer, and these orders."""
    customer, team = f"C-{rng.randint(1000, 9999)}", rng.choice(_TEAMS)
    orders = [(f"O-{rng.randint(10000, 99999)}", rng.randint(12, 940)) for _ in range(rng.randint(few, many))]
    prompt = (
        f"You work for the {team} desk with the tools list_orders(customer) and get_order(id). What is the sum in "
        f"euros of the open orders of customer {customer}? Close with a line 'Answer: <sum>'."
    )
    gold = sum(v for _, v in orders)

    def write(r: Random, right: bool) -> Written:
        shown = orders if right else r.sample(orders, len(orders) - 1)
        total = sum(v for _, v in shown)
        lead = r.choice(
            [
                f"{customer} has {len(shown)} open orders that count.",
                f"I add the amounts for {customer}.",
                "All amounts are read.",
            ]
        )
        return f"{lead} {' + '.join(str(v) for _, v in shown)} = {total}.", str(total)

    return Task(f"desk-{number}", prompt, str(gold), team, rng.uniform(-0.7, 0.8), write), orders


def customer_of(task: Task) -> str:
    """The customer a task is about."""
    return task.prompt.split("customer C-")[1].split("?")[0].join(["C-", ""])


def call(name: str, says: str = "", **arguments: str) -> dict:
    """A message of the policy that calls a tool."""
    return {"role": "assistant", "content": says, "tool_calls": [{"name": name, "arguments": arguments}]}


def answer(name: str, content: str, ok: bool = True) -> dict:
    """What a tool says."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def listing(orders: Orders) -> str:
    """Orders as the API lists them."""
    return "\n".join(f"{key} open {value} EUR" for key, value in orders)


def episode(rng: Random, t: Try, orders: Orders) -> list[dict]:
    """The usual course: list the orders, look at one, report."""
    customer = customer_of(t.task)
    lead = rng.choice([f"First the list for {customer}.", "I ask for the orders.", "Let me see what is open.", ""])
    out = [{"role": "user", "content": t.task.prompt}, call("list_orders", lead, customer=customer)]
    out.append(answer("list_orders", listing(orders)))
    if rng.random() < 0.5:
        key, value = rng.choice(orders)
        out.append(call("get_order", rng.choice([f"Is {key} really open?", f"I check {key}."]), id=key))
        out.append(answer("get_order", f"{key} status=open amount={value} EUR customer={customer}"))
    return [*out, {"role": "assistant", "content": t.text}]


def retold(t: Try, text: str, said: str, right: bool) -> Try:
    """The same attempt with another last message and answer."""
    return replace(t, text=text, answer=said, right=right, reward=float(right))
