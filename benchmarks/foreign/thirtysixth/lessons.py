"""Lessons of Greek for English speakers: words, how they sound, and a line to use them in."""

import random

from benchmarks.foreign.thirtysixth.attempts import Problem

WORDS = (
    ("bread", "ψωμί", "psomí", "Θέλω λίγο ψωμί", "I would like some bread"),
    ("harbour", "λιμάνι", "limáni", "Πού είναι το λιμάνι", "Where is the harbour"),
    ("ticket", "εισιτήριο", "isitírio", "Ένα εισιτήριο, παρακαλώ", "One ticket, please"),
    ("tomorrow", "αύριο", "ávrio", "Φεύγουμε αύριο", "We leave tomorrow"),
    ("bridge", "γέφυρα", "yéfira", "Η γέφυρα είναι παλιά", "The bridge is old"),
    ("honey", "μέλι", "méli", "Το μέλι είναι γλυκό", "The honey is sweet"),
    ("teacher", "δάσκαλος", "dáskalos", "Ο δάσκαλος μιλάει αργά", "The teacher speaks slowly"),
    ("rain", "βροχή", "vrohí", "Μου αρέσει η βροχή", "I like the rain"),
    ("window", "παράθυρο", "paráthiro", "Άνοιξε το παράθυρο", "Open the window"),
    ("olive", "ελιά", "eliá", "Μία ελιά ακόμα", "One more olive"),
    ("song", "τραγούδι", "tragoúdi", "Ακούω ένα τραγούδι", "I listen to a song"),
    ("winter", "χειμώνας", "himónas", "Ο χειμώνας ήρθε", "Winter has come"),
    ("friend", "φίλος", "fílos", "Είναι καλός φίλος", "He is a good friend"),
    ("key", "κλειδί", "klidí", "Έχασα το κλειδί", "I lost the key"),
)
REASONS = (
    "for a trip next week",
    "for my class on Monday",
    "to answer a neighbour",
    "for a letter to a friend",
    "to label a drawing",
    "for a sign on my door",
)


def draw_lesson(rng: random.Random, number: int) -> Problem:
    """A learner's question for one word."""
    english, greek, sound, line, meaning = rng.choice(WORDS)
    ask = rng.choice(
        (
            "How do I say '{}' in Greek, {}?",
            "What is the Greek word for '{}'? I need it {}.",
            "Teach me the word '{}' in Greek, {}.",
        )
    )
    data = {"english": english, "greek": greek, "sound": sound, "line": line, "meaning": meaning}
    prompt = (
        f"{ask.format(english, rng.choice(REASONS))} Answer in English, with "
        f"the word in Greek letters and one line to use it in."
    )
    return Problem(f"greek-{number:04d}", prompt, greek, "lessons", rng.uniform(-0.1, 0.2), data)


def teach(rng: random.Random, problem: Problem, right: bool) -> str:
    """An English explanation with the Greek word and a line; a wrong one teaches another word."""
    d = problem.data
    other = rng.choice([w for w in WORDS if w[0] != d["english"]])
    word, sound, line, meaning = (d["greek"], d["sound"], d["line"], d["meaning"]) if right else other[1:]
    start = rng.choice(
        (
            f"The word for {d['english']} is {word}.",
            f"In Greek you say {word} ({sound}) for {d['english']}.",
            f"You want {word}, which sounds like {sound}.",
        )
    )
    use = rng.choice(
        (
            f"For instance: {line}. It means '{meaning}'.",
            f"Try it in a sentence: {line}, that is '{meaning}'.",
            f"You could say: {line}. In English: {meaning}.",
        )
    )
    end = rng.choice(
        (
            f"Mind the stress in {sound}.",
            "Say it aloud three times and it will stay.",
            f"The stress is marked in {word} by the accent.",
            "Write it down once by hand.",
        )
    )
    return f"{start} {use} {end}"
