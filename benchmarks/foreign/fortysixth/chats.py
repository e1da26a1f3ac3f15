"""Requests of a chat, replies that cover some of the points that matter, and a rubric that counts them."""

import random

from benchmarks.foreign.fortysixth.policy import Attempt, Problem, say

_TOPICS = (
    ("moving a houseplant to a larger pot", ("Choose a pot two fingers wider than the old one.",
     "Water the plant the day before.", "Loosen circling roots with your fingers.", "Keep the old soil level.",
     "Leave it out of strong sun for a week.")),
    ("asking a landlord to repair the heating", ("Name the date on which the heating failed.",
     "Give the room temperature that you measured.", "Quote the clause of the lease.", "Set a date for the repair.",
     "Keep a copy of the letter.")),
    ("preparing for a first half marathon", ("Raise the weekly distance slowly.", "Run most days at an easy pace.",
     "Practise drinking on long runs.", "Rest two days before the race.", "Wear no new shoes on the day.")),
    ("explaining inflation to a child", ("Use the price of one ice cream over the years.",
     "Say that money buys less when prices rise.", "Mention that wages may rise as well.",
     "Avoid the word index.", "Let the child guess next year's price.")),
    ("storing old family photographs", ("Use boxes without acid.", "Keep them dry and cool.",
     "Write names in pencil on the back.", "Scan the fragile ones first.", "Store copies in another house.")),
    ("cooking lentils for a large group", ("Count eighty grams of dry lentils a guest.",
     "Rinse them until the water is clear.", "Salt them near the end.", "Cook the onions apart.",
     "Thin leftovers with stock.")),
    ("giving notice at a job", ("Check the notice period first.", "Tell your manager in person.",
     "Keep the letter to three sentences.", "Offer to hand over your work.", "Ask for a reference in writing.")),
    ("choosing a used bicycle", ("Spin both wheels and look for wobble.", "Check the chain for wear.",
     "Compare the frame number with the papers.", "Test the brakes on a slope.", "Reckon with a new set of tyres.")),
)  # fmt: skip
_WHO = ("my neighbour", "a colleague", "my aunt", "a reader of our newsletter", "a student", "my cousin", "a friend")
_TONE = ("Please be practical.", "Keep it friendly.", "A few sentences will do.", "I have little time.", "Be concrete.")
_OPEN = ("Here is what I would tell {who}.", "Happy to help with this.", "For {who} I would put it like this.",
         "The main things are few.", "A short answer first.")  # fmt: skip
_LINK = ("", "", "Also: ", "Then: ", "Next: ", "Another thing: ")
_VAGUE = ("It depends a lot on the situation.", "Many people find this hard.", "Just follow your feeling.",
          "There is plenty of material about it online.", "One should think about it beforehand.")  # fmt: skip
_END = ("Good luck!", "I hope this helps.", "Ask again if something is unclear.", "That should be enough.", "")


def problems(rng: random.Random, count: int) -> list[Problem]:
    """Requests for advice."""
    pairs = [(topic, who, tone) for topic in _TOPICS for who in _WHO for tone in _TONE]
    out = []
    for i, ((topic, points), who, tone) in enumerate(rng.sample(pairs, count)):
        text = f"Could you write some advice on {topic} for {who}? {tone}"
        out.append(
            Problem(f"chat-{i:03d}", text, "", rng.choice((0.35, 0.5, 0.6)), topic, {"points": points, "who": who})
        )
    return out


def advice(rng: random.Random, p: Problem, good: bool) -> Attempt:
    """A reply; a good one covers three points and more. `correct` is the share that is covered."""
    points = p.data["points"]
    covered = rng.sample(points, rng.choice((3, 4, 4, 5)) if good else rng.choice((0, 1, 1, 2)))
    vague = rng.sample(_VAGUE, rng.randint(0, 1) if good else rng.randint(1, 3))
    body = [*(rng.choice(_LINK) + point for point in covered), *vague]
    rng.shuffle(body)
    text = " ".join([rng.choice(_OPEN).format(who=p.data["who"]), *body, rng.choice(_END)]).strip()
    return Attempt(p, [say(text)], "", len(covered) / len(points))


def judged(rng: random.Random, share: float) -> float:
    """Score of a judge with steps of a tenth, that sees how much is covered."""
    return round(min(1.0, max(0.0, 0.1 + 0.8 * share + rng.gauss(0, 0.05))), 1)
