"""Settings pages of web applications: an agent that clicks, types and saves."""

from random import Random

from benchmarks.foreign.fiftieth.episodes import Episode, Talk, Task, one, some

_SYSTEM = (
    "You operate a browser. Each answer of a tool is the page as a tree of elements with their ids. "
    "Tools: click(id), type(id, text). The task is done when the settings are stored."
)
_APPS = ("Pocketdesk", "Fleetview", "Rosterly", "Inkwell CRM", "Greenlot", "Stashbox", "Paylane", "Tidewatch")
_FIELDS = {
    "Reminder interval (minutes)": ("5", "10", "15", "20", "45", "90"),
    "Display name": ("Ada K.", "Front desk", "Night shift", "B. Osei", "Team South", "R. Lindqvist"),
    "Items per page": ("25", "40", "60", "75", "100"),
    "Time zone": ("Europe/Lisbon", "Asia/Dhaka", "America/Lima", "Africa/Lagos", "Europe/Oslo"),
    "Invoice prefix": ("INV-", "R24-", "ACME-", "Q", "NL-", "B2B-"),
}


def forms(rng: Random, number: int) -> list[Task]:
    """One or two fields of a form that are to be set and saved."""
    tasks, seen = [], set()
    while len(tasks) < number:
        place = len(tasks)
        app = rng.choice(_APPS)
        wanted = {name: rng.choice(_FIELDS[name]) for name in rng.sample(list(_FIELDS), rng.choice((1, 2)))}
        before = {name: rng.choice([v for v in _FIELDS[name] if v != wanted.get(name)]) for name in _FIELDS}
        ids = dict(zip([*_FIELDS, "Save"], rng.sample(range(10, 99), len(_FIELDS) + 1), strict=True))
        asked = " and ".join(f"{name} to {value}" for name, value in wanted.items())
        prompt = one(rng, f"In {app}, set {asked}.", f"Open the settings of {app} and change {asked}.")
        if prompt in seen:
            continue
        seen.add(prompt)
        facts = {"app": app, "wanted": wanted, "before": before, "ids": ids}
        tasks.append(Task(f"web-{place:04d}", _SYSTEM, prompt, str({**before, **wanted}), facts, rng.gauss(0, 0.8)))
    return tasks


def tree(facts: dict, values: dict, saved: bool = False) -> str:
    """The page as the agent sees it."""
    ids = facts["ids"]
    lines = [f"heading '{facts['app']} settings'"]
    lines += [f"[{ids[name]}] textbox '{name}' value='{value}'" for name, value in values.items()]
    lines.append(f"[{ids['Save']}] button 'Save'")
    return "\n".join(lines + ["status 'Settings stored'"] * saved)


def operate(rng: Random, task: Task, skill: float, step: int) -> Episode:
    """Open, type, save; a wrong attempt forgets to save, or sets another value."""
    f, right, talk = task.facts, rng.random() < skill, Talk()
    values, ids = dict(f["before"]), f["ids"]
    forgets = not right and rng.random() < 0.6
    talk.call(
        one(rng, f"I open the settings of {f['app']}.", f"First to the settings page of {f['app']}."),
        "click",
        tree(f, values),
        id=1,
    )
    for name, value in f["wanted"].items():
        put = value if right or forgets else rng.choice([v for v in _FIELDS[name] if v != value])
        values[name] = put
        talk.call(
            one(
                rng,
                f"'{name}' has the id {ids[name]}; it must read {put}.",
                f"The box {ids[name]} holds '{name}'. I write {put}.",
                f"Next is '{name}'.",
            )
            + some(rng, 0.3, "The rest stays.", f"It was {f['before'][name]} before."),
            "type",
            tree(f, values),
            id=ids[name],
            text=put,
        )
    if not forgets:
        save = one(rng, "Now I save.", f"The button {ids['Save']} stores it.", "All boxes are right, so I save.")
        talk.call(save, "click", tree(f, values, saved=True), id=ids["Save"])
    told = " and ".join(f"{name} = {values[name]}" for name in f["wanted"])
    talk.say(one(rng, f"The settings of {f['app']} now have {told}.", f"I set {told}.", f"Done: {told}."))
    return Episode(talk.turns, right, told, state={"stored": dict(f["before"] if forgets else values)})
