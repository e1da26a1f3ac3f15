"""German notes to be made polite letters; a learned model gives a score without bounds."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import pick, say

CASES = {
    "Miete": ("die Heizung in Wohnung {n} ist kalt", "eine baldige Reparatur"),
    "Bahn": ("der Zug kam {n} Minuten zu spät", "eine Erstattung"),
    "Schule": ("mein Kind fehlt {n} Tage", "eine Entschuldigung der Fehltage"),
    "Bank": ("die Karte mit der Endung {n} ist weg", "eine Sperrung der Karte"),
    "Amt": ("der Antrag Nummer {n} liegt noch", "eine Auskunft zum Stand"),
    "Verein": ("der Beitrag von {n} Euro wurde zweimal gebucht", "eine Rückzahlung"),
}
NAMES = ("Frau Lindner", "Herr Aydin", "Frau Brandt", "Herr Kolbe", "Frau Yilmaz", "Herr Petersen", "Frau Weiss")


def task(rng: Random) -> Task:
    """A note with an addressee."""
    case, name, number = rng.choice(list(CASES)), rng.choice(NAMES), rng.randint(2, 96)
    fact, wish = CASES[case][0].format(n=number), CASES[case][1]
    ask = pick(rng, "Mach daraus einen höflichen Brief", "Formuliere förmlich", "Schreibe das als kurzen Brief")
    prompt = f"{ask} an {name}: {fact}, ich will {wish}."
    return Task(case, prompt, "", extra={"name": name, "fact": fact, "wish": wish})


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """A letter; poor ones are curt."""
    e = t.extra
    if not right:
        text = pick(rng, f"{e['name']}, {e['fact']}. Ich will {e['wish']}.", f"Hallo, {e['fact']}! Bitte {e['wish']}.")
        return Reply([say(text)], "")
    greeting = f"Sehr geehrte {e['name']}" if e["name"].startswith("Frau") else f"Sehr geehrter {e['name']}"
    body = pick(
        rng,
        f"leider muss ich Ihnen mitteilen: {e['fact']}. Ich bitte Sie daher höflich um {e['wish']}.",
        f"ich wende mich an Sie, denn {e['fact']}. Über {e['wish']} würde ich mich freuen.",
        f"hiermit zeige ich an: {e['fact']}. Darf ich Sie um {e['wish']} bitten?",
    )
    thanks = pick(rng, " Vielen Dank im Voraus.", " Für Ihre Mühe danke ich Ihnen.", " Ich danke Ihnen.", "")
    return Reply([say(f"{greeting},\n{body}{thanks}\nMit freundlichen Grüßen")], "")


def scored(rng: Random, right: bool, progress: float) -> float:
    """The model's score."""
    return round(rng.gauss((1.6 if right else -0.9) + 0.2 * progress, 0.55), 4)


WORLD = World(task, reply)
