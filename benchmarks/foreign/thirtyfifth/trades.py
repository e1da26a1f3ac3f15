"""Sums of crafts and trades: orchard, kiln, beehive, tide, knitting, ferment."""

from benchmarks.foreign.thirtyfifth.chains import Domain, Stage

ORCHARD = Domain(
    "orchard",
    lambda r: {"n": r.randint(8, 48), "e": r.randint(20, 95), "b": r.randint(11, 140), "p": r.randint(2, 9)},
    (
        "An orchard packs {n} crates with {e} pears each. {b} pears are bruised and thrown out; the rest are sold at "
        "{p} cents apiece. How many cents does the orchard take?",
        "{n} crates come in from the orchard, {e} pears to a crate. After sorting, {b} pears go to the pigs. Each "
        "remaining pear brings {p} cents. What are the takings in cents?",
    ),
    (
        "The pears come first, then the loss, then the money.",
        "I start from the {n} crates.",
        "We need the number of pears that can be sold before any price matters.",
    ),
    (
        Stage(
            "g",
            lambda v: v["n"] * v["e"],
            (lambda v: v["n"] * v["e"] + 10, lambda v: (v["n"] - 1) * v["e"]),
            (
                "{n} crates of {e} make {g} pears.",
                "That is {n} * {e} = {g} in all.",
                "Multiplying out gives {g} pears.",
            ),
        ),
        Stage(
            "k",
            lambda v: v["g"] - v["b"],
            (lambda v: v["g"], lambda v: v["g"] + v["b"]),
            (
                "What can be sold is {k}.",
                "Leaving the bruised ones aside there are {k} to sell.",
                "So {k} reach the stall.",
            ),
        ),
        Stage(
            "t",
            lambda v: v["k"] * v["p"],
            (lambda v: v["k"] * (v["p"] + 1), lambda v: v["k"] * v["p"] - 20),
            ("At {p} cents that is {t}.", "{k} times {p} is {t} cents.", "The stall takes {t} cents."),
        ),
    ),
    (
        "A rough count: about {n} crates at {e} a crate, so the size of {g} is plausible.",
        "Dividing {t} by {p} leads back to {k}.",
        "The {b} bruised pears are a small part, so {k} fits.",
    ),
    -0.3,
)

KILN = Domain(
    "kiln",
    lambda r: {
        "a": r.randint(15, 30),
        "z": r.choice((980, 1040, 1060, 1180, 1220, 1240)),
        "u": r.choice((60, 80, 100, 120, 150)),
        "h": r.randint(10, 55),
    },
    (
        "A kiln starts at {a} degrees and climbs {u} degrees an hour to {z} degrees, where it is held for {h} minutes. "
        "How many whole minutes pass from the start to the end of the hold? Round the climb down to whole minutes.",
    ),
    (
        "First the climb, then the hold.",
        "The climb covers the gap between {a} and {z}.",
        "Two parts: heating and soaking.",
    ),
    (
        Stage(
            "d",
            lambda v: v["z"] - v["a"],
            (lambda v: v["z"], lambda v: v["z"] - v["a"] - 100),
            ("The kiln has to gain {d} degrees.", "From {a} to {z} it is {d} degrees."),
        ),
        Stage(
            "m",
            lambda v: v["d"] * 60 // v["u"],
            (lambda v: v["d"] * 60 // (v["u"] + 10), lambda v: v["d"] * 60 // v["u"] + 60),
            ("At {u} an hour that takes {m} minutes.", "{d} * 60 / {u}, rounded down, is {m} minutes."),
        ),
        Stage(
            "t",
            lambda v: v["m"] + v["h"],
            (lambda v: v["m"], lambda v: v["m"] + 2 * v["h"]),
            ("With the hold of {h} minutes the firing ends after {t}.", "Adding the {h} minutes of soak gives {t}."),
        ),
    ),
    (
        "In hours the climb is a bit more or less than {d} over {u}, which matches {m} minutes.",
        "The hold is short beside {m}, so {t} is of the right size.",
        "Rounding down loses less than a minute.",
    ),
    0.2,
)

HIVE = Domain(
    "hive",
    lambda r: {
        "c": r.randint(5, 24),
        "f": r.choice((8, 9, 10, 11)),
        "q": r.randint(13, 24),
        "w": r.choice((10, 15, 20, 25)),
    },
    (
        "A beekeeper takes {f} frames from each of {c} colonies. A frame gives {q} hundred grams of honey. She leaves "
        "{w} hundred grams per colony for the bees. How many hundred grams does she bottle?",
        "{c} colonies stand at the edge of the wood. Each yields {f} frames at {q} hundred grams of honey, of which "
        "{w} hundred grams go back to that colony. How much is bottled, in hundreds of grams?",
    ),
    (
        "One colony first, then all {c}.",
        "Work out what a single colony leaves for the jars.",
        "Frames, then feed, then the number of hives.",
    ),
    (
        Stage(
            "o",
            lambda v: v["f"] * v["q"],
            (lambda v: v["f"] * v["q"] - v["f"], lambda v: v["f"] * v["q"] + 10),
            ("One colony gives {f} * {q} = {o}.", "Per colony there are {o} hundred grams."),
        ),
        Stage(
            "j",
            lambda v: v["o"] - v["w"],
            (lambda v: v["o"], lambda v: v["o"] + v["w"]),
            ("The jars get {j} of that.", "Taking off the feed leaves {j}."),
        ),
        Stage(
            "t",
            lambda v: v["j"] * v["c"],
            (lambda v: v["j"] * (v["c"] - 1), lambda v: v["j"] * v["c"] + 100),
            ("For {c} colonies that is {t}.", "Times {c} gives {t} hundred grams."),
        ),
    ),
    (
        "{t} over {c} is {j}, as it should be.",
        "The feed is about {w} out of {o}, a modest share.",
        "Reading the question again: per colony, not in total, so the feed comes off before multiplying.",
    ),
    0.0,
)

TIDE = Domain(
    "tide",
    lambda r: {
        "s": r.randint(21, 64) * 10,
        "c": r.choice((2, 3, 4)),
        "v": r.choice((8, 9, 10, 12, 13)),
        "b": r.randint(10, 40),
    },
    (
        "A barge makes {v} knots through the water against a tide of {c} knots. It has {s} tenths of a mile to go and "
        "waits {b} minutes at a lock. How many whole minutes does the passage take? Round down the time under way.",
    ),
    (
        "Against the tide the barge is slower over ground.",
        "Speed over ground decides.",
        "I take the sailing and the lock apart.",
    ),
    (
        Stage(
            "g",
            lambda v: v["v"] - v["c"],
            (lambda v: v["v"] + v["c"], lambda v: v["v"]),
            ("Over ground it makes {g} knots.", "That leaves {g} knots over ground."),
        ),
        Stage(
            "m",
            lambda v: v["s"] * 6 // v["g"],
            (lambda v: v["s"] * 6 // v["g"] - 30, lambda v: v["s"] * 10 // v["g"]),
            ("{s} tenths at {g} knots take {m} minutes under way.", "Under way it spends {m} minutes."),
        ),
        Stage(
            "t",
            lambda v: v["m"] + v["b"],
            (lambda v: v["m"] - v["b"], lambda v: v["m"]),
            ("With the lock it is {t} minutes.", "The lock adds {b}, so {t} in all."),
        ),
    ),
    (
        "A mile at {g} knots is 60/{g} minutes, which fits {m}.",
        "The tide runs against us, so the time must exceed the slack-water time.",
        "{b} minutes at the lock do not depend on the tide.",
    ),
    0.5,
)

KNIT = Domain(
    "knit",
    lambda r: {"o": r.randint(90, 160), "d": r.choice((2, 3, 4)), "k": r.randint(5, 16), "i": r.randint(4, 20)},
    (
        "A sleeve begins with {o} stitches. In each of {k} shaping rows {d} stitches are taken away, then {i} stitches "
        "are added for the cuff. How many stitches are on the needle?",
        "Cast on {o}. Decrease {d} stitches in a row, {k} rows long, and pick up {i} more "
        "for the cuff. What is the count?",
    ),
    (
        "Only the shaping rows change the count before the cuff.",
        "I count what is lost first.",
        "The needle holds {o} to begin with.",
    ),
    (
        Stage(
            "l",
            lambda v: v["d"] * v["k"],
            (lambda v: v["d"] + v["k"], lambda v: v["d"] * (v["k"] - 1)),
            ("The shaping takes {l} stitches.", "{k} rows of {d} lose {l}."),
        ),
        Stage(
            "r",
            lambda v: v["o"] - v["l"],
            (lambda v: v["o"] - v["l"] + 10,),
            ("{r} remain.", "From {o} that leaves {r}."),
        ),
        Stage(
            "t",
            lambda v: v["r"] + v["i"],
            (lambda v: v["r"], lambda v: v["r"] - v["i"]),
            ("The cuff brings it to {t}.", "Adding {i} gives {t} stitches."),
        ),
    ),
    (
        "Going back: {t} less {i} is {r}.",
        "No row adds stitches before the cuff.",
        "{l} out of {o} is a normal taper for a sleeve.",
    ),
    -0.6,
)

FERMENT = Domain(
    "ferment",
    lambda r: {"l": r.randint(12, 60), "s": r.randint(17, 32), "x": r.randint(3, 9), "b": r.choice((5, 6, 7, 8))},
    (
        "{l} litres of cabbage brine need {s} grams of salt a litre. {x} jars of {b} litres each are already salted "
        "elsewhere and are poured in on top, at the same strength. How many grams of salt does the whole vat hold?",
    ),
    ("Both parts have the same strength.", "The vat is the brine and the jars together.", "Volume first."),
    (
        Stage(
            "j",
            lambda v: v["x"] * v["b"],
            (lambda v: v["x"] + v["b"], lambda v: v["x"] * v["b"] - v["b"]),
            ("The jars bring {j} litres.", "{x} jars of {b} are {j} litres."),
        ),
        Stage(
            "w",
            lambda v: v["l"] + v["j"],
            (lambda v: v["l"], lambda v: abs(v["l"] - v["j"]) + 1),
            ("The vat then holds {w} litres.", "Together {w} litres."),
        ),
        Stage(
            "t",
            lambda v: v["w"] * v["s"],
            (lambda v: v["w"] * (v["s"] - 1), lambda v: v["w"] * v["s"] + 100),
            ("At {s} grams a litre that is {t} grams.", "{w} * {s} = {t}."),
        ),
    ),
    (
        "Per litre {t} / {w} is {s} again.",
        "The jars add salt too, they are not plain water.",
        "{s} grams a litre is about two to three percent, usual for kraut.",
    ),
    0.1,
)

TRADES = (ORCHARD, KILN, HIVE, TIDE, KNIT, FERMENT)
