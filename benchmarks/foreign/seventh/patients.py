"""Triage of short case reports into five levels."""

from random import Random

from benchmarks.foreign.seventh.prose import joined, say
from benchmarks.foreign.seventh.rollouts import Reply, Task, said

_CASES = {
    1: (
        "unresponsive, breathing {n}/min, lips blue",
        "found without pulse, bystander resuscitation for {n} minutes",
        "massive bleeding from the thigh after an accident, grey, pulse 13{d}",
    ),
    2: (
        "crushing chest pain for {n} minutes, sweating, pain in the left arm",
        "sudden weakness of one arm and slurred speech since {n} minutes",
        "sepsis suspected: fever 39.{d}, confused, blood pressure 8{d}/50",
    ),
    3: (
        "right lower abdominal pain for {n} hours, fever 38.{d}, vomiting",
        "wheezing for {n} hours, speaks in short sentences, saturation 93%",
        "fall from {d} stairs, wrist deformed, pain 7 of 10",
    ),
    4: (
        "twisted ankle {n} hours ago, can walk, mild swelling",
        "burning when passing water for {d} days, no fever",
        "cut of {d} cm on the finger, bleeding stopped",
    ),
    5: (
        "asks for a repeat of the blood pressure tablets",
        "itchy mosquito bites since {d} days, otherwise well",
        "mild cold for {d} days, no fever, drinks well",
    ),
}
_NAMES = {1: "resuscitation", 2: "emergency", 3: "urgent", 4: "semi-urgent", 5: "routine"}
_SHARES = (1, 3, 4, 4, 2)
"""How often each level is drawn."""
_WHY = {
    1: "[Vital functions have failed|Immediate threat to life]; [act at once|no delay is acceptable].",
    2: "[High risk|Time-critical condition]: [a doctor within minutes|needs assessment within ten minutes].",
    3: "[Stable for now but needs several resources|Needs tests and treatment], [within half an hour|soon].",
    4: "[One simple resource is enough|A single examination will do]; [vital signs are not alarming|no red flags].",
    5: "[No resource needed|Nothing acute]; [can be seen in routine care|self-care or family doctor].",
}
_BESIDES = (
    "",
    "[Age|The history|The background] changes [little here|nothing].",
    (
        "[I considered|Considered] [a level higher|the next level], "
        "[but nothing speaks for it|without support in the report]."
    ),
    "[Airway, breathing and circulation|The vital signs] come first.",
    "[Pain|The complaint] [alone|by itself] does not decide [this|the level].",
)
_PASTS = (
    "",
    "Known [hypertension|diabetes|asthma].",
    "No [regular medication|known illness].",
    "Allergic to [penicillin|nuts].",
    "[Smoker|Non-smoker].",
)


def report(rng: Random, level: int) -> str:
    """Draw a case in one or two sentences."""
    age, sex = rng.randint(19, 88), rng.choice(("woman", "man"))
    case = rng.choice(_CASES[level]).format(n=rng.randint(5, 12), d=rng.randint(2, 9))
    past = say(rng, rng.choice(_PASTS))
    return f"{age}-year-old {sex}: {case}. {past}".strip()


def assessed(rng: Random, level: int, text: str) -> Reply:
    """Return a reasoned level."""
    shown = text.split(":")[1].split(",")[0].strip().rstrip(".")
    lines = [
        say(rng, f"[Key finding|Leading complaint|Relevant|Main point]: {shown}."),
        say(rng, rng.choice(_BESIDES)),
        say(rng, _WHY[level]),
        say(rng, f"[Triage level|Level|Assigned level]: {level} ({_NAMES[level]})"),
    ]
    return Reply([said(joined(lines, rng.choice(("\n", " "))))], str(level))


def triage_task(rng: Random, name: str) -> Task:
    """Draw a case report whose level is known."""
    level = rng.choices(list(_NAMES), _SHARES)[0]
    text = report(rng, level)

    def reply(draw: Random, right: bool) -> Reply:
        near = [x for x in (level - 1, level + 1) if x in _NAMES]
        return assessed(draw, level if right else draw.choice(near), text)

    prompt = f"Assign a triage level from 1 (resuscitation) to 5 (routine). State the reason first.\nCase: {text}"
    return Task(name, _NAMES[level], "triage", prompt, str(level), reply, level=rng.gauss(-0.2, 0.8))
