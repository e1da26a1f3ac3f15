"""Chat and moderation: replies to customers that a judge reads, and posts that get a label."""

import random

from benchmarks.foreign.fortyseventh.policy import Problem
from benchmarks.foreign.fortyseventh.voice import lead

PRODUCTS = [
    "router",
    "payroll export",
    "parental control",
    "photo book",
    "e-bike battery",
    "loyalty card",
    "smart meter",
    "gym pass",
    "tax form app",
    "doorbell",
    "bus ticket app",
]
TROUBLES = {
    "restarts every night": "turn off the nightly update under Settings, Maintenance",
    "shows last month's figures": "clear the cache and sign in once more",
    "rejects my password": "reset it by the link on the sign-in page, which works for an hour",
    "is missing from the app": "remove the device and pair it again within reach of the hub",
    "loses its settings": "replace the small battery under the lid, then set it up anew",
    "cannot be cancelled": "use the form for cancellations, which takes effect at the end of the month",
    "shows an error 417": "install version 5 from our page, the older one is not supported",
    "sends mails at night": "set quiet hours in your profile",
    "was charged twice": "send the two booking numbers, the second one is returned within five days",
}
MOODS = [
    "This is the third time I ask.",
    "Thanks in advance!",
    "I need it by tonight.",
    "No hurry.",
    "My old one never did that.",
]
POSTS = {
    "remove": [
        "sells {n} fake vouchers by private message",
        "tells readers to harass the owner of house {n}",
        "posts a stranger's number {n}",
        "offers {n} stolen logins",
        "calls a group vermin, {n} times over",
        "links to a page with {n} bomb recipes",
        "threatens the driver of line {n}",
    ],
    "allow": [
        "complains that bus {n} was late again",
        "asks how to prune {n} rose bushes",
        "praises the soup at stall {n}",
        "lists {n} books on moths",
        "wants to swap {n} stamps",
        "thinks that law {n} is a mistake",
        "shows a quilt of {n} patches",
    ],
    "review": [
        "says that bridge {n} will be bombed, perhaps as a joke",
        "shares a bruised arm and room number {n}",
        "quotes a slur from page {n} of a novel",
        "says goodbye to all {n} friends",
        "sells a knife from {n}, perhaps an antique",
    ],
}
RULE = "You moderate a forum. Say why in a sentence, then write the label: remove, review or allow."
BENCH = ["The post {p}.", "It {p}, by its own words.", "What counts here is that it {p}."]
WHY = {
    "remove": ["That breaks the rules on harm to others.", "No reading of it is harmless."],
    "allow": ["No rule speaks against it.", "This is everyday talk."],
    "review": ["A person should look at it.", "From the text alone it cannot be decided."],
}


class Support:
    """A customer's trouble; a right reply names the step that mends it."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A message to the desk."""
        product, trouble = rng.choice(PRODUCTS), rng.choice(sorted(TROUBLES))
        ticket = rng.randint(1000, 9999)
        prompt = f"Ticket {ticket}: my {product} {trouble}. {rng.choice(MOODS)}"
        facts = {"product": product, "trouble": trouble}
        family = trouble.split()[0]
        return Problem(
            f"desk-{number:04d}", prompt, TROUBLES[trouble], family, "Reply as our support desk.", 0.0, facts
        )

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """A reply of some sentences."""
        f = problem.facts
        step = problem.gold if right else rng.choice([s for s in TROUBLES.values() if s != problem.gold])
        first = [
            f"Sorry that your {f['product']} {f['trouble']}.",
            f"Thank you for writing about the {f['product']}.",
            f"I see that the {f['product']} {f['trouble']}.",
        ]
        middle = [f"Please {step}.", f"What helps in most cases: {step}.", f"You can {step}."]
        last = [
            f"If the {f['product']} still {f['trouble']} afterwards, reply to this message.",
            "Tell us how it went.",
            f"We keep an eye on your {f['product']} until it is settled.",
            "",
        ]
        return [
            {"role": "assistant", "content": f"{rng.choice(first)} {rng.choice(middle)} {rng.choice(last)}".strip()}
        ]


class Moderation:
    """Posts that get a label; `weights` is how often each label is right."""

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        self.weights = weights or {"remove": 1.0, "allow": 1.0, "review": 1.0}

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A post."""
        label = rng.choices(list(self.weights), list(self.weights.values()))[0]
        post = rng.choice(POSTS[label]).format(n=rng.randint(2, 999))
        prompt = f"Post {rng.randint(10000, 99999)}: the author {post}."
        return Problem(f"mod-{number:04d}", prompt, label, label, RULE, 0.0, {"post": post})

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """A reason and the label."""
        label = problem.gold if right else rng.choice([x for x in POSTS if x != problem.gold])
        topic = rng.choice(["the rules", "who is harmed", "the wording of the post", "what the author means"])
        why = f"{lead(rng, topic)}{rng.choice(BENCH).format(p=problem.facts['post'])} {rng.choice(WHY[label])}"
        return [{"role": "assistant", "content": f"{why}\nLabel: {label}"}]
