"""Questions with four options, from school science, geography and history."""

from benchmarks.foreign.reported.run import Draw, Task

_FACTS = (
    (
        "Which gas makes up most of Earth's atmosphere?",
        "nitrogen|oxygen|argon|carbon dioxide",
        "about 78 percent of dry air",
    ),
    ("Which organ produces insulin?", "pancreas|liver|spleen|kidney", "its beta cells release the hormone"),
    ("Which river flows through Budapest?", "Danube|Elbe|Vistula|Rhone", "it divides Buda from Pest"),
    ("What is the SI unit of capacitance?", "farad|henry|tesla|weber", "one coulomb per volt"),
    ("Which planet has the shortest year?", "Mercury|Venus|Mars|Jupiter", "it needs 88 days for an orbit"),
    (
        "Which vitamin is made in skin by sunlight?",
        "vitamin D|vitamin C|vitamin K|vitamin B12",
        "ultraviolet light starts it",
    ),
    ("Who formulated the laws of planetary motion?", "Kepler|Galileo|Halley|Huygens", "he used Tycho's records"),
    ("Which rock forms from cooled lava?", "basalt|marble|slate|limestone", "it is a volcanic rock"),
    ("Which ocean is the deepest?", "Pacific|Atlantic|Indian|Arctic", "it holds the Mariana Trench"),
    (
        "Which part of a plant cell holds chlorophyll?",
        "chloroplast|nucleus|vacuole|ribosome",
        "light is absorbed there",
    ),
    ("What is the pH of pure water at 25 degrees?", "7|5|9|1", "both ions are equally frequent"),
    ("Which country has Ulaanbaatar as its capital?", "Mongolia|Kazakhstan|Kyrgyzstan|Nepal", "it lies on the Tuul"),
    ("Which metal is liquid at room temperature?", "mercury|gallium|sodium|tin", "it melts at minus 39 degrees"),
    ("In which year did the Berlin Wall fall?", "1989|1979|1991|1985", "the crossings opened in November"),
    ("Which blood cells carry oxygen?", "red cells|platelets|lymphocytes|monocytes", "they are full of haemoglobin"),
    ("Which force keeps planets in orbit?", "gravity|friction|magnetism|drag", "it pulls towards the Sun"),
    ("Which desert covers most of Botswana?", "Kalahari|Gobi|Atacama|Thar", "it is a semi-arid savanna"),
    (
        "Which layer of the atmosphere holds weather?",
        "troposphere|mesosphere|exosphere|thermosphere",
        "it is the lowest",
    ),
    ("Which particle has no charge?", "neutron|proton|electron|positron", "its quarks' charges cancel"),
    ("Which strait separates Spain from Morocco?", "Gibraltar|Bosporus|Hormuz|Malacca", "it is 13 km wide"),
    ("Which acid is in the stomach?", "hydrochloric|sulphuric|acetic|citric", "parietal cells secrete it"),
    ("Which mammal lays eggs?", "platypus|bat|dolphin|hedgehog", "it is a monotreme"),
    (
        "Which treaty ended the First World War with Germany?",
        "Versailles|Utrecht|Tordesillas|Ghent",
        "signed in June 1919",
    ),
    ("Which scale measures mineral hardness?", "Mohs|Richter|Beaufort|Kelvin", "it runs from talc to diamond"),
    ("Which element has the symbol W?", "tungsten|zinc|vanadium|tellurium", "from its name wolfram"),
    ("Which bone is the longest in the body?", "femur|tibia|humerus|radius", "it lies in the thigh"),
    ("Which instrument measures air pressure?", "barometer|hygrometer|anemometer|altimeter", "Torricelli built one"),
    ("Which lake is the deepest in the world?", "Baikal|Victoria|Superior|Titicaca", "it reaches 1,642 metres"),
)
_ASK = ("Choose the right option.", "Pick one letter.", "Only one option is right.", "Select the correct answer.")
_WAYS = (
    "I compare the options.",
    "This is about {what}.",
    "Recall the basics.",
    "One option stands out.",
    "Let me rule some out.",
)


def draw(rng: Draw, name: str) -> Task:
    """Draw a question with its options in a random order."""
    text, options, why = rng.choice(_FACTS)
    names = options.split("|")
    order = rng.sample(names, 4)
    shown = "\n".join(f"{letter}. {option}" for letter, option in zip("ABCD", order, strict=True))
    right = "ABCD"[order.index(names[0])]
    facts = {"order": order, "why": why, "right": names[0]}
    return Task(name, f"[{rng.randint(100, 9999)}] {text}\n{shown}\n{rng.choice(_ASK)}", right, "quiz", None, facts)


def write(rng: Draw, task: Task, right: bool) -> tuple[str, str]:
    """Reasoning and the letter chosen."""
    letter = task.answer if right else rng.choice([x for x in "ABCD" if x != task.answer])
    option = task.facts["order"]["ABCD".index(letter)]
    other = rng.choice([x for x in task.facts["order"] if x != option])
    way = rng.choice(_WAYS).format(what=f"{option} against {other}")
    why = f"because {task.facts['why']}" if right else rng.choice(("as far as I remember", "which seems closest"))
    return f"{way} {other.capitalize()} does not fit; it is {option}, {why}.", letter
