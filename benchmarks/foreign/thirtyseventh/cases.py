"""Short tasks of clinics, law and service desks: options sorted by size, vignettes, tickets with labels."""

from random import Random

from benchmarks.foreign.thirtyseventh.attempts import Item

DIAGNOSES: dict[str, tuple[str, ...]] = {
    "migraine": ("a throbbing pain on one side", "nausea with the pain", "zigzag lines before the pain began"),
    "tension headache": ("a band-like pressure on both sides", "a tender neck", "pain that worsens over the work day"),
    "appendicitis": ("pain that moved to the lower right", "rebound tenderness", "loss of appetite since morning"),
    "gallstones": ("cramps under the right ribs", "pain after fatty meals", "a pain that runs to the shoulder"),
    "gout": ("a hot, red big toe", "a raised uric acid", "an attack at night after a feast"),
    "asthma": ("wheezing at night", "cough after exercise", "relief from an inhaler"),
    "anaemia": ("pale eyelids", "tiredness for weeks", "a low ferritin"),
    "hypothyroidism": ("feeling cold", "weight gain and dry skin", "a high TSH"),
    "porphyria": ("dark urine on standing", "bouts of belly pain without findings", "blisters on sunlit hands"),
    "temporal arteritis": ("a tender temple artery", "jaw pain on chewing", "a very high sedimentation rate"),
}
RARE = ("porphyria", "temporal arteritis")
NEAR = {
    "migraine": "tension headache",
    "tension headache": "migraine",
    "appendicitis": "gallstones",
    "gallstones": "appendicitis",
    "gout": "anaemia",
    "asthma": "anaemia",
    "anaemia": "hypothyroidism",
    "hypothyroidism": "anaemia",
    "porphyria": "gallstones",
    "temporal arteritis": "tension headache",
}


def vignette(rng: Random, number: int, name: str = "") -> Item:
    """A patient with two findings, whose diagnosis is asked."""
    name = name or rng.choice(list(DIAGNOSES))
    findings = rng.sample(DIAGNOSES[name], 2)
    who = f"A {rng.choice(('woman', 'man', 'teacher', 'baker', 'cyclist', 'nurse'))} of {rng.randint(19, 78)}"
    since = rng.choice(("since yesterday", "for three days", "for two weeks", "for a month"))
    prompt = f"{who} reports, {since}: {findings[0]}, and {findings[1]}. What is the most likely diagnosis?"

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        said = name if right else rng.choice((NEAR[name], rng.choice([d for d in DIAGNOSES if d != name])))
        seen = rng.choice(findings)
        opening = rng.choice((f"The telling sign is {seen}.", f"I give most weight to {seen}.", f"There is {seen}."))
        middle = rng.choice(
            (f"That fits {said} better than {_other(rng, said)}.", f"{_other(rng, said).capitalize()} is less likely.")
        )
        return f"{opening} {middle} Diagnosis: {said}", said

    return Item(f"case-{number:04d}", prompt, name, reply, "rare" if name in RARE else "common", rng.random())


def _other(rng: Random, name: str) -> str:
    return rng.choice([one for one in DIAGNOSES if one != name])


def options(rng: Random, number: int, letters_only: bool = False) -> Item:
    """A multiple-choice item whose options are numbers sorted by size."""
    kind = rng.choice(("dose", "infusion", "deadline", "dilution"))
    if kind == "dose":
        parts, each = rng.choice((2, 3, 4)), rng.randint(4, 40) * 5
        weight = rng.choice([w for w in range(8, 60) if (parts * each) % w == 0] or [parts * each])
        question = (
            f"A child of {weight} kg gets {parts * each // weight} mg per kg and day in {parts} doses. mg per dose?"
        )
        way, gold = f"{weight} kg times {parts * each // weight} mg is {parts * each} mg a day, in {parts} doses", each
    elif kind == "infusion":
        hours, rate = rng.randint(2, 12), rng.randint(20, 140)
        question = f"{hours * rate} ml are to run in over {hours} hours. ml per hour?"
        way, gold = f"{hours * rate} ml divided by {hours} hours", rate
    elif kind == "deadline":
        first, days = rng.randint(1, 9), rng.choice((7, 10, 14))
        question = f"Notice is served on the {first}. of a month; the term is {days} days from the day after. Last day?"
        way, gold = f"the term starts after the {first}., so {days} days are added", first + days
    else:
        stock, fold = rng.randint(3, 30) * 10, rng.choice((2, 5, 10))
        question = f"A stock of {stock * fold} mg/l is diluted {fold}-fold. mg/l after that?"
        way, gold = f"{stock * fold} divided by {fold}", stock
    wrong = sorted({max(1, gold // 2), gold * 2, gold + max(1, gold // 5), gold * 3, gold - 1} - {gold})
    if kind == "deadline":
        wrong = [gold - 2, gold - 1, gold + 1, gold + 2, gold + 7]
    low = [one for one in wrong if one < gold]
    high = [one for one in wrong if one > gold]
    below = rng.choice((1, 1, 2)) if len(low) > 1 else len(low)
    shown = sorted([gold, *rng.sample(low, below), *rng.sample(high, 3 - below)])
    letter = "ABCD"[shown.index(gold)]
    lines = "\n".join(f"{name}) {value}" for name, value in zip("ABCD", shown, strict=True))

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        said = letter if right else rng.choice([one for one in "ABCD" if one != letter])
        if letters_only:
            return said, said
        value = shown["ABCD".index(said)]
        opening = rng.choice(("Counting it out:", "Here", "By the rule,", "Working from the text:"))
        closing = rng.choice(("The option is", "So I choose", "Answer:"))
        return f"{opening} {way} gives {value}. {closing} {said}", said

    return Item(f"mc-{kind}-{number:04d}", f"{question}\n{lines}", letter, reply, kind, rng.random())


TICKETS: dict[str, tuple[str, ...]] = {
    "delivery": ("my parcel has not come", "the parcel went to a neighbour", "the parcel is wet and torn"),
    "billing": ("I was charged twice", "the invoice names another firm", "my card was debited too early"),
    "login": ("the code never reaches me", "I am locked out since the update", "my password is refused"),
    "returns": ("these shoes pinch and go back", "I want to swap the lamp", "the kettle is not what I ordered"),
}
_FRAMES = (
    "Hello, {said} ({when}). {ask} Reference {number}.",
    "Reference {number}: {said}. It was {when}. {ask}",
    "{ask} I write because {said}, {when}. My number is {number}.",
)


def ticket(rng: Random, number: int) -> Item:
    """A customer's message that is to be sorted."""
    label = rng.choice(list(TICKETS))
    said = rng.choice(TICKETS[label])
    prompt = rng.choice(_FRAMES).format(
        said=said,
        when=rng.choice(("last Monday", "this morning", "two days ago", "over the weekend", "on the 3rd")),
        ask=rng.choice(("Please help.", "What can be done?", "I am rather annoyed.", "Kindly see to it.")),
        number=rng.randint(10000, 99999),
    )

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        named = label if right else rng.choice([one for one in TICKETS if one != label])
        why = rng.choice((f'The customer writes "{said}".', f'What matters is "{said}".', f'Key words: "{said}".'))
        return f"{why} {rng.choice(('This belongs to', 'Queue:', 'I sort it under'))} {named}", named

    system = "Sort the message into one of: delivery, billing, login, returns. Give a reason, then the queue."
    return Item(f"ticket-{number:04d}", prompt, label, reply, "tickets", rng.random(), system)
