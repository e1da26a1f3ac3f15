"""Questions of medicine and law with lettered options, and questions to be searched for."""

import random
from dataclasses import dataclass

FACTS = {
    "medicine": (
        "Which class does {x} belong to?",
        "metoprolol=beta blocker;lisinopril=ACE inhibitor;losartan=angiotensin "
        "receptor blocker;amlodipine=calcium channel blocker;furosemide=loop "
        "diuretic;spironolactone=aldosterone antagonist;"
        "warfarin=vitamin K antagonist;apixaban=factor Xa inhibitor;omeprazole=proton pump inhibitor;sertraline=SSRI;"
        "metformin=biguanide;gliclazide=sulfonylurea;empagliflozin=SGLT2 inhibitor;salbutamol=beta-2 agonist;"
        "montelukast=leukotriene "
        "antagonist;azithromycin=macrolide;ciprofloxacin=fluoroquinolone;ceftriaxone=cephalosporin",
    ),
    "law": (
        "Which term names this: {x}?",
        "a promise without consideration that binds by reliance=promissory estoppel;"
        "a wrong to property by entering it=trespass;holding another's goods "
        "for safekeeping=bailment;a matter already decided "
        "between the parties=res judicata;ending a contract for a fundamental "
        "breach=repudiation;an untrue written statement "
        "that harms a name=libel;an event that makes performance "
        "impossible=frustration;a right to keep goods until a debt is "
        "paid=lien;transfer of a claim to a third party=assignment;a court order to refrain from an act=injunction;"
        "a right of way over a neighbour's land=easement;gaining land by long possession=adverse possession",
    ),
}
SETTINGS = (
    "A {age}-year-old in {town} asks about this.",
    "The case comes from {town}; the client is {age}.",
    "Exam question {age} of the {town} course.",
    "From the {town} register, entry {age}.",
)
TOWNS = [
    "Aarhus",
    "Bath",
    "Cadiz",
    "Dover",
    "Essen",
    "Fano",
    "Ghent",
    "Hobart",
    "Ipswich",
    "Jena",
    "Kyoto",
    "Lund",
    "Malmö",
    "Nice",
    "Oulu",
    "Porto",
]
WEIGH = (
    "I go through the options. {r} would be the wrong field for {x}.",
    "What is said of {x} narrows it down; {r} is tempting but differs.",
    "The remark about {town} does not matter for this question.",
    "I recall that {c} fits what is described.",
    "Between {c} and {r} the description decides: it is {c}.",
    "One might think of {r}, yet that is used otherwise.",
)


@dataclass(frozen=True)
class Choice:
    """A question with four options; `answer` is the right letter."""

    uid: str
    family: str
    prompt: str
    answer: str
    hardness: float
    subject: str
    options: tuple[str, ...]
    town: str

    def solve(self, rng: random.Random, right: bool) -> tuple[str, str]:
        """Reasoning, and the letter it ends with."""
        letter = self.answer if right else rng.choice([x for x in "ABCD" if x != self.answer])
        chosen = self.options["ABCD".index(letter)]
        rest = rng.choice([o for o in self.options if o != chosen])
        said = rng.sample(WEIGH, rng.randint(2, 4))
        return " ".join(s.format(x=self.subject, c=chosen, r=rest, town=self.town) for s in said), letter


def draw_choice(rng: random.Random, field: str = "") -> Choice:
    """A question of medicine or law."""
    field = field or rng.choice(list(FACTS))
    ask, packed = FACTS[field]
    pairs = [tuple(p.split("=")) for p in packed.split(";")]
    (subject, true), *others = rng.sample(pairs, 4)
    options = [true, *(o[1] for o in others)]
    rng.shuffle(options)
    town = rng.choice(TOWNS)
    setting = rng.choice(SETTINGS).format(age=rng.randint(19, 93), town=town)
    lines = "\n".join(f"{a}. {o}" for a, o in zip("ABCD", options, strict=True))
    prompt = f"{setting} {ask.format(x=subject)}\n{lines}"
    uid = f"{field}-{rng.randrange(16**6):06x}"
    return Choice(uid, field, prompt, "ABCD"[options.index(true)], rng.gauss(-0.2, 1.1), subject, tuple(options), town)


KINDS = ("bridge", "museum", "lighthouse", "library", "observatory", "brewery", "theatre", "botanic garden")
PEOPLE = [
    "Adler",
    "Brandt",
    "Castellan",
    "Dahl",
    "Espinoza",
    "Fontaine",
    "Grieg",
    "Halvorsen",
    "Ito",
    "Janssen",
    "Kowalski",
    "Lindqvist",
    "Moreau",
]


@dataclass(frozen=True)
class Quest:
    """A question for a search; `answer` is a year."""

    uid: str
    family: str
    prompt: str
    answer: str
    hardness: float
    place: str
    person: str

    def pages(self, rng: random.Random, good: bool) -> str:
        """What the search engine gives back: the page that holds the year, or neighbours of it."""
        other = str(int(self.answer) + rng.choice((8, 15, 26, 41, 57)))
        near = (
            f"[1] Travel notes: {self.place} drew {rng.randint(3, 90)} thousand visitors. It was restored in {other}."
        )
        if good:
            return f"{near}\n[2] {self.place}, designed by {self.person}, was opened in {self.answer}."
        return f"{near}\n[2] {self.person} worked on several buildings, some of them abroad."


def draw_quest(rng: random.Random) -> Quest:
    """A question about a place that was made up."""
    kind, town, person = rng.choice(KINDS), rng.choice(TOWNS), rng.choice(PEOPLE)
    side = rng.choice(("old", "north", "harbour", "royal", "upper", "south", "hill"))
    place = f"the {side} {kind} of {town}"
    ask = rng.choice(
        (
            "In which year was {p}, the one by {n}, opened?",
            "When did {p} (architect: {n}) open? Give the year.",
            "Find the year in which {n}'s work, {p}, was opened.",
        )
    )
    uid = f"q-{rng.randrange(16**6):06x}"
    year = str(rng.randint(1788, 1989))
    return Quest(
        uid, kind, ask.format(p=place, n=person), year, rng.gauss(0, 1.1), place[0].upper() + place[1:], person
    )
