"""Book-keeping with a calculator."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, call, say, slip, tool

SYSTEM = "You keep books. Use the tool calculator for every computation and end with `Total: <number>`."
FIRMS = ("Alder & Sons", "Brightwater Tools", "Cobalt Press", "Dunmore Dairy", "Elm Court Hotel", "Fenwick Freight")
WORDS = ("invoices", "deliveries", "subscriptions", "repairs", "licences", "rooms")


def ledger(rng: Random, number: int) -> Task:
    """A bill with a discount and a fee."""
    firm, word = rng.choice(FIRMS), rng.choice(WORDS)
    count, each, off, fee = rng.randint(4, 60), rng.randint(1250, 48900) / 100, rng.randint(3, 20), rng.randint(5, 90)
    first = f"{count} * {each}"
    gross = round(count * each, 2)
    net = round(gross * (1 - off / 100), 2)
    gold = round(net + fee, 2)

    def write(rng: Random, right: bool, progress: float) -> Reply:
        rate = 1 - off / 100 if right or rng.random() < 0.6 else off / 100
        lowered = round(gross * rate, 2)
        said = round(lowered + fee, 2)
        if not right and said == gold:
            said = slip(rng, gold, 2)
        messages = [
            call(
                rng.choice(("The gross amount first.", "I begin with the items.", "")), "calculator", expression=first
            ),
            tool("calculator", f"{gross}"),
            call("", "calculator", expression=f"{gross} * {rate:.2f}"),
            tool("calculator", f"{lowered}"),
        ]
        if rng.random() < 0.5 + 0.4 * progress and said == round(lowered + fee, 2):
            messages += [call("", "calculator", expression=f"{lowered} + {fee}"), tool("calculator", f"{said}")]
        closing = rng.choice(("With the fee added.", "That includes the fee.", "All entries are in."))
        return Reply([*messages, say(f"{closing}\nTotal: {said}")], f"{said}")

    prompt = (
        f"{firm} bills {count} {word} at {each} each, grants {off} percent off and adds a fee of {fee} after that. "
        f"What is the total, to two decimals?"
    )
    facts = {"first": first, "gross": gross, "off": off, "fee": fee, "gold": gold}
    return Task(f"bk-{number:04d}", word, prompt, f"{gold}", write, rng.gauss(0, 0.6), SYSTEM, facts)


def penned(rng: Random, task: Task, right: bool) -> Reply:
    """One message in which the policy writes the calculator's answers by itself."""
    f = task.facts
    gross = f["gross"] if right else slip(rng, f["gross"], 2)
    net = round(gross * (1 - f["off"] / 100), 2)
    said = round(net + f["fee"], 2)
    text = "\n".join(
        (
            rng.choice(("The gross amount first.", "I begin with the items.", "Computing.")),
            f'<tool_call>{{"name": "calculator", "expression": "{f["first"]}"}}</tool_call>',
            f"<tool_response>{gross}</tool_response>",
            f'<tool_call>{{"name": "calculator", "expression": "{gross} * {1 - f["off"] / 100:.2f}"}}</tool_call>',
            f"<tool_response>{net}</tool_response>",
            f"Total: {said}",
        )
    )
    return Reply([say(text)], f"{said}")
