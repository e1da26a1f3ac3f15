"""Chat with a judge: questions of everyday life, and replies of good or poor substance."""

import random

from benchmarks.foreign.fortysecond.attempts import Task

TOPICS: dict[str, tuple[str, ...]] = {
    "repotting a basil plant": (
        "Pick a pot only a little wider than the old one, because much wet soil around few roots lets them rot.",
        "Loosen the root ball with your fingers and cut off what is brown.",
        "Water it once thoroughly and keep it out of the noon sun for three days.",
    ),
    "learning to swim at forty": (
        "Begin in water that reaches your chest, and practise breathing out under the surface before anything else.",
        "Two short lessons a week do more than one long one, since fear fades with repetition.",
        "A teacher for adults will not hurry you to the deep end.",
    ),
    "storing winter tyres": (
        "Wash the tyres and let them dry, as salt and dirt harden the rubber.",
        "Mark where each one sat, so that front and rear can be exchanged in autumn.",
        "On rims they are best stacked, without rims they should stand and be turned each month.",
    ),
    "asking for a pay rise": (
        "Write down three results of the last year with a number each, and start the talk with them.",
        "Name a figure first, slightly above what you would accept.",
        "If the answer is no, ask which result would change it and by when.",
    ),
    "a dog that barks at the door": (
        "Reward the first quiet moment after the bell, not the barking that came before it.",
        "Practise with a friend who rings ten times in a row, until the bell is dull.",
        "Give the dog a place away from the door to which it is sent.",
    ),
    "moving house with small children": (
        "Pack their room last and set it up first, so that they sleep among known things.",
        "Walk the way to the new school together before the first day.",
        "Keep bedtime as it was, even if boxes stand around it.",
    ),
    "keeping bread fresh": (
        "Keep it cut side down in a clay box, which lets some damp out but not all.",
        "The refrigerator makes it stale faster, because starch hardens in the cold.",
        "Freeze in slices what you will not eat within three days.",
    ),
    "sleeping on night trains": (
        "Take a lower berth, for it sways less and is cooler.",
        "Earplugs and a scarf over the eyes matter more than the price of the ticket.",
        "Set two alarms, and tell the conductor where you get off.",
    ),
}
VAGUE = (
    "There are many things that one could consider here.",
    "It depends a lot on your own situation.",
    "Experts often have different views on this matter.",
    "Taking it slowly is usually a good idea.",
    "It may help to read a little about the subject first.",
)
LEADS = (
    "What should I know about {t}?",
    "Can you advise me on {t}?",
    "Please give me a few tips for {t}.",
    "I am new to {t}. Help?",
)
GREETS = ("", "Good question. ", "Happy to help with {t}. ", "Here is what works in my experience. ", "A few points. ")


def chats(rng: random.Random, count: int) -> list[Task]:
    """Questions on everyday matters; `about` is the topic."""
    pairs = rng.sample([(t, lead) for t in TOPICS for lead in LEADS], count)
    return [
        Task(f"chat-{n:03d}", lead.format(t=topic), "", topic, rng.gauss(0, 0.4), topic)
        for n, (topic, lead) in enumerate(pairs)
    ]


def reply(rng: random.Random, task: Task, points: int, vague: int = 1) -> str:
    """A reply with so many points of substance and vague sentences."""
    parts = rng.sample(TOPICS[task.about], points) + rng.sample(VAGUE, vague)
    rng.shuffle(parts)
    return rng.choice(GREETS).format(t=task.about) + " ".join(parts)
