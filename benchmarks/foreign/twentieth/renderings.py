"""Subtitles put into another language, graded by a judge."""

from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, said

LINES = {
    "The last bus leaves at {h}:{m}.": {
        "Japanese": "最終バスは{h}時{m}分に出ます。",
        "Greek": "Το τελευταίο λεωφορείο φεύγει στις {h}:{m}.",
        "Polish": "Ostatni autobus odjeżdża o {h}:{m}.",
    },
    "She kept {h} letters in a tin box for {m} years.": {
        "Japanese": "彼女は{h}通の手紙を{m}年間ブリキの箱にしまっていた。",
        "Greek": "Κράτησε {h} γράμματα σε ένα τενεκεδένιο κουτί για {m} χρόνια.",
        "Polish": "Przez {m} lat trzymała {h} listów w blaszanym pudełku.",
    },
    "Nobody told me that the {h} keys open {m} doors.": {
        "Japanese": "{h}本の鍵で{m}枚の扉が開くとは誰も教えてくれなかった。",
        "Greek": "Κανείς δεν μου είπε ότι τα {h} κλειδιά ανοίγουν {m} πόρτες.",
        "Polish": "Nikt mi nie powiedział, że te {h} kluczy otwiera {m} drzwi.",
    },
    "Wait here, the boat needs {h} men and {m} barrels.": {
        "Japanese": "ここで待て、船には男が{h}人と樽が{m}個いる。",
        "Greek": "Περίμενε εδώ, η βάρκα χρειάζεται {h} άντρες και {m} βαρέλια.",
        "Polish": "Czekaj tu, łódź potrzebuje {h} ludzi i {m} beczek.",
    },
    "It rained for {h} days and the cellar held {m} litres.": {
        "Japanese": "{h}日間雨が降り、地下室には{m}リットルたまった。",
        "Greek": "Έβρεχε {h} μέρες και το υπόγειο είχε {m} λίτρα.",
        "Polish": "Padało przez {h} dni, a w piwnicy stało {m} litrów.",
    },
}


def _task(rng: Random) -> Task:
    line, language = rng.choice(list(LINES)), rng.choice(("Japanese", "Greek", "Polish"))
    h, m = rng.randint(5, 23), rng.randint(11, 59)
    text = f"Render the subtitle in {language}, at most 60 characters, nothing else:\n{line.format(h=h, m=m)}"
    gold = LINES[line][language].format(h=h, m=m)
    data = {"h": h, "m": m, "source": line.format(h=h, m=m), "others": [x[language] for x in LINES.values()]}
    return Task(text, gold, language.lower(), data=data)


def _reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    d = task.data
    if right:
        text = task.gold
    elif rng.random() < 0.6:
        text = task.gold.replace(str(d["h"]), str(d["h"] + rng.randint(1, 3)))
    else:
        text = rng.choice((d["source"], d["source"], rng.choice(d["others"]).format(h=d["m"], m=d["h"]) + "?"))
    return Reply([said(text + rng.choice(("", "", "", "\n")))], text)


SUBTITLE = Domain("sub", _task, _reply)
