"""Short notices in five languages: for translation, and for chats in the asker's language."""

from benchmarks.foreign.reported.run import Draw, Task

_NOTICES = (
    {"en": "The train to {p} leaves at {t} from platform {n}.", "de": "Der Zug nach {p} fährt um {t} von Gleis {n} ab.",
     "fr": "Le train pour {p} part à {t} de la voie {n}.", "es": "El tren a {p} sale a las {t} del andén {n}.",
     "ja": "{p}行きの列車は{t}に{n}番線から発車します。"},
    {"en": "The museum in {p} is closed until {t} because of {n} broken windows.",
     "ja": "{p}の博物館は窓が{n}枚割れたため{t}まで閉館です。",
     "de": "Das Museum in {p} bleibt wegen {n} kaputter Fenster bis {t} geschlossen.",
     "fr": "Le musée de {p} est fermé jusqu'à {t} à cause de {n} fenêtres cassées.",
     "es": "El museo de {p} está cerrado hasta las {t} por {n} ventanas rotas."},
    {"en": "Please bring {n} blankets to the shelter in {p} before {t}.",
     "ja": "{t}までに{p}の避難所へ毛布を{n}枚持ってきてください。",
     "de": "Bitte bringen Sie vor {t} {n} Decken in die Unterkunft in {p}.",
     "fr": "Veuillez apporter {n} couvertures au refuge de {p} avant {t}.",
     "es": "Por favor, traiga {n} mantas al refugio de {p} antes de las {t}."},
    {"en": "Our bakery in {p} sold {n} loaves by {t} today.",
     "ja": "{p}の当店は今日{t}までにパンを{n}個売りました。",
     "de": "Unsere Bäckerei in {p} hat heute bis {t} {n} Brote verkauft.",
     "fr": "Notre boulangerie de {p} a vendu {n} pains aujourd'hui avant {t}.",
     "es": "Nuestra panadería de {p} vendió hoy {n} panes antes de las {t}."},
    {"en": "Heavy rain near {p}: at {t} the river had risen by {n} centimetres.",
     "ja": "{p}付近で大雨、{t}に川は{n}センチ増水しました。",
     "de": "Starker Regen bei {p}: Um {t} war der Fluss um {n} Zentimeter gestiegen.",
     "fr": "Fortes pluies près de {p} : à {t}, la rivière était montée de {n} centimètres.",
     "es": "Lluvia intensa cerca de {p}: a las {t} el río había subido {n} centímetros."},
    {"en": "The doctor in {p} can see you at {t} in room {n}.",
     "ja": "{p}の医師が{t}に{n}号室で診察します。",
     "de": "Die Ärztin in {p} hat um {t} in Zimmer {n} Zeit für Sie.",
     "fr": "Le médecin de {p} vous recevra à {t} dans la salle {n}.",
     "es": "La doctora de {p} le atenderá a las {t} en la sala {n}."},
)  # fmt: skip
_PLACES = ("Lyon", "Graz", "Porto", "Turin", "Gent", "Bilbao", "Leipzig", "Malmö", "Brno", "Zadar", "Kobe", "Sendai")
NAMES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "ja": "Japanese"}
_ASKS = ("Translate into {to}: {text}", "How do you say this in {to}?\n{text}", "{to}, please: {text}")


def draw(rng: Draw, name: str) -> Task:
    """Draw a notice to translate."""
    notice = rng.choice(_NOTICES)
    one, two = rng.sample(tuple(NAMES), 2)
    slots = {
        "p": rng.choice(_PLACES),
        "t": f"{rng.randint(6, 22)}:{rng.choice(('00', '15', '30', '45'))}",
        "n": rng.randint(2, 40),
    }
    text = notice[one].format(**slots)
    ask = rng.choice(_ASKS).format(to=NAMES[two], text=text)
    facts = {"notice": notice, "slots": slots, "from": one, "to": two, "text": text}
    return Task(name, ask, notice[two].format(**slots), f"{one}-{two}", None, facts)


def write(rng: Draw, task: Task, right: bool) -> str:
    """A translation; a wrong one changes a number or says something else."""
    f = task.facts
    if right:
        return task.answer
    slots = dict(f["slots"]) | {"n": f["slots"]["n"] + rng.randint(1, 9)}
    if rng.random() < 0.4:
        slots["p"] = rng.choice(_PLACES)
    notice = f["notice"] if rng.random() < 0.7 else rng.choice(_NOTICES)
    return notice[f["to"]].format(**slots)
