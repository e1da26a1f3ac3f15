"""A text game: find the key, bring it to the chest."""

import random

from benchmarks.foreign.fortyeighth.attempts import Task, Try

ROOMS = ["scullery", "orangery", "crypt", "loft", "armoury", "chapel", "cellar", "gallery", "pantry", "observatory"]
THINGS = ["brass key", "copper key", "bone key", "silver key"]
WAYS = {"north": "south", "east": "west", "up": "down"}
BACK = {**WAYS, **{value: key for key, value in WAYS.items()}}
LIMIT = 14
ASK = (
    "You play a text game. Somewhere in the house lies the {key}; the chest stands in the {chest}. Open the chest. "
    "Reply with a short thought and one action in <action> tags: go DIRECTION, take THING, open chest, look.\n\n{first}"
)
THOUGHTS = {
    "go": ["I have not been {way} yet.", "Nothing here, so {way}.", "The map suggests {way}.", "Let me try {way}."],
    "take": ["There it is, the {key}.", "I need the {key}, and it lies here."],
    "open": ["With the {key} the chest should open.", "This is the chest; I try it."],
    "look": ["I should look around again.", "What was in this room?"],
}


def pool(rng: random.Random, count: int) -> list[Task]:
    """Different houses."""
    tasks = []
    for number in range(count):
        rooms = rng.sample(ROOMS, rng.randint(4, 6))
        exits: dict[str, dict[str, str]] = {room: {} for room in rooms}
        for place in range(1, len(rooms)):
            near = rng.choice([room for room in rooms[:place] if len(exits[room]) < 4])
            way = rng.choice([way for way in BACK if way not in exits[near]])
            exits[near][way], exits[rooms[place]][BACK[way]] = rooms[place], near
        key, where, chest = rng.choice(THINGS), *rng.sample(rooms[1:], 2)
        data = {"exits": exits, "key": key, "where": where, "chest": chest, "start": rooms[0]}
        task = Task(f"house-{number:03d}", "", f"chest in {chest}", f"{len(rooms)} rooms", data)
        task.prompt = ASK.format(key=key, chest=chest, first=describe(task, rooms[0], False))
        tasks.append(task)
    return tasks


def describe(task: Task, room: str, held: bool, left: str = "") -> str:
    """What the game says of a room."""
    data = task.data
    lines = [f"You are in the {room}. Exits: {', '.join(data['exits'][room])}."]
    if room == data["where"] and not held:
        lines.append(f"A {data['key']} lies here.")
    if room == data["chest"]:
        lines.append("A chest stands here, locked.")
    if left:
        lines.append(left)
    return " ".join(lines)


def _toward(task: Task, room: str, goal: str) -> str:
    seen, queue = {room}, [(room, "")]
    while queue:
        here, first = queue.pop(0)
        if here == goal:
            return first
        for way, there in task.data["exits"][here].items():
            if there not in seen:
                seen.add(there)
                queue.append((there, first or way))
    return ""


def say(rng: random.Random, task: Task, action: str) -> dict:
    """A turn of the policy."""
    kind = action.split()[0]
    thought = rng.choice(THOUGHTS[kind]).format(way=action.split()[-1], key=task.data["key"])
    return {"role": "assistant", "content": f"{thought}\n<action>{action}</action>"}


def walk(rng: random.Random, task: Task, skill: float, held: bool = False, start: str = "") -> Try:
    """Play until the chest is open, or the turns are over."""
    data, room, turns = task.data, start or task.data["start"], []
    for _ in range(LIMIT):
        goal = data["chest"] if held else data["where"]
        if rng.random() > skill:
            ways = list(data["exits"][room])
            action = rng.choice([f"go {rng.choice(ways)}", f"go {rng.choice(ways)}", "look", "open chest"])
        elif room == goal:
            action = "open chest" if held else f"take {data['key']}"
        else:
            action = f"go {_toward(task, room, goal)}"
        turns.append(say(rng, task, action))
        if action == "open chest" and room == data["chest"] and held:
            turns.append({"role": "user", "content": "The lid swings up. Inside lies a crown. The quest is over."})
            extra = {"steps_taken": len(turns) // 2, "end_room": room, "end_held": True}
            return Try(task, turns[-2]["content"], True, turns=turns, extra=extra)
        if action.startswith("go"):
            room = data["exits"][room][action.split()[1]]
            heard = describe(task, room, held)
        elif action.startswith("take"):
            held, heard = True, f"Taken. You carry the {data['key']}."
        elif action == "open chest":
            heard = "The chest is locked." if room == data["chest"] else "There is no chest here."
        else:
            heard = describe(task, room, held)
        turns.append({"role": "user", "content": heard})
    extra = {"steps_taken": LIMIT, "end_room": room, "end_held": held}
    return Try(task, turns[-2]["content"], False, turns=turns, stop="max_turns", extra=extra)


def answering(rng: random.Random, task: Task, chance: float, step: int) -> Try:
    """How a policy plays: the more it has learned the straighter."""
    return walk(rng, task, min(0.97, 0.12 + 0.75 * chance))
