"""Short questions of physics whose answers have decimals."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, say, slip

SYSTEM = "You are a physics tutor. End with a line `Answer: <number>` in the unit asked for."
CARTS = ("A cyclist", "A tram", "A delivery drone", "A freight train", "A rowing boat", "A lift cabin")
SOLIDS = ("an alloy", "a mineral", "some composite", "an unknown metal", "a ceramic", "a coated stone")
STARTS = (
    "Write down the relation first.",
    "We need one formula here.",
    "Known quantities are given, so:",
    "Start from the definition.",
    "Let me be careful with the units.",
)


def motion(rng: Random) -> tuple[str, str, float, str]:
    """Speed from a start and an acceleration."""
    start, gain, time = rng.randint(0, 14), rng.randint(3, 38) / 10, rng.randint(3, 17)
    value = round(start + gain * time, 1)
    text = (
        f"{rng.choice(CARTS)} moves at {start} m/s and speeds up by {gain} m/s² for {time} s. What is its speed in m/s?"
    )
    return "kinematics", text, value, f"v = v0 + a·t = {start} + {gain}·{time}"


def circuit(rng: Random) -> tuple[str, str, float, str]:
    """Current through two resistors in a row."""
    volts, one, two = rng.randint(5, 48), rng.randint(2, 30), rng.randint(2, 30)
    text = f"Resistors of {one} Ω and {two} Ω in series hang on {volts} V. What current flows, in A, to two decimals?"
    return "circuits", text, round(volts / (one + two), 2), f"I = U / (R1 + R2) = {volts} / {one + two}"


def density(rng: Random) -> tuple[str, str, float, str]:
    """Density of a block."""
    volume = rng.randint(60, 900)
    mass = round(volume * rng.uniform(0.7, 8.9))
    text = (
        f"A block of {rng.choice(SOLIDS)} has {mass} g and {volume} cm³. What is its density in g/cm³, to two decimals?"
    )
    return "matter", text, round(mass / volume, 2), f"ρ = m / V = {mass} / {volume}"


def heat(rng: Random) -> tuple[str, str, float, str]:
    """Energy for warming water."""
    mass, low, rise = rng.randint(2, 45) / 10, rng.randint(5, 24), rng.randint(6, 60)
    value = round(4.2 * mass * rise, 1)
    text = f"How many kJ warm {mass} kg of water from {low} °C to {low + rise} °C? Use c = 4.2 kJ/(kg·K), one decimal."
    return "heat", text, value, f"Q = c·m·ΔT = 4.2·{mass}·{rise}"


def physics(rng: Random, number: int) -> Task:
    """One of the four."""
    family, text, value, shown = rng.choice((motion, circuit, density, heat))(rng)
    digits = 2 if family in ("circuits", "matter") else 1

    def write(rng: Random, right: bool, progress: float) -> Reply:
        said = value if right else slip(rng, value, digits)
        lines = [rng.choice(STARTS), f"{shown} = {said}"]
        if rng.random() < 0.25 + 0.3 * progress:
            lines.insert(
                1, rng.choice(("Losses are neglected.", "All units are SI already.", "No other terms matter."))
            )
        return Reply([say("\n".join([*lines, f"Answer: {said}"]))], f"{said}")

    facts = {"value": value, "shown": shown, "digits": digits}
    return Task(f"ph-{number:04d}", family, text, f"{value}", write, rng.gauss(0, 0.6), SYSTEM, facts)
