"""Riddles of order, target numbers, and ciphers."""

from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, said

PEOPLE = ("Ada", "Bo", "Cleo", "Dov", "Esme", "Finn", "Gwen", "Hugo", "Ines", "Jory", "Kaia", "Lars")
SCENES = (
    ("queue at a kiosk", "stands before"),
    ("row of lockers", "has a lower number than"),
    ("sailing race", "finished before"),
    ("waiting list", "was entered before"),
)
WORDS = (
    "harbour",
    "lantern",
    "meadow",
    "quarry",
    "thistle",
    "cobalt",
    "saddle",
    "marble",
    "willow",
    "copper",
    "juniper",
)


def _order_task(rng: Random) -> Task:
    scene, before = rng.choice(SCENES)
    order = rng.sample(PEOPLE, rng.randint(4, 7))
    clues = [f"{a} {before} {b}." for a, b in zip(order, order[1:], strict=False)]
    rng.shuffle(clues)
    place = rng.randrange(1, len(order) - 1)
    text = f"In a {scene} there are {len(order)} people. {' '.join(clues)} Who is number {place + 1}?"
    return Task(text, order[place], "order", hard=(len(order) - 5) * 0.5, data={"order": order, "place": place})


def _order_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    order = list(task.data["order"])
    if not right:
        place = task.data["place"]
        other = rng.choice((place - 1, place + 1))
        order[place], order[other] = order[other], order[place]
    answer = order[task.data["place"]]
    start = rng.choice(
        ("Chaining the clues:", "I link the statements one by one.", "Start from whoever has no one ahead.")
    )
    middle = rng.choice(("The whole order is", "This gives", "So the line reads"))
    text = f"{start} {middle} {', '.join(order)}. Number {task.data['place'] + 1} is {answer}.\nAnswer: {answer}"
    return Reply([said(text)], answer)


def _target_task(rng: Random) -> Task:
    a, b, c, d = (rng.randint(2, 25) for _ in range(4))
    form = rng.randrange(3)
    target = (a * b + c - d, (a + b) * c - d, a * b - c * d)[form]
    parts = (f"{a} * {b} + {c} - {d}", f"({a} + {b}) * {c} - {d}", f"{a} * {b} - {c} * {d}")[form]
    given = [a, b, c, d]
    rng.shuffle(given)
    text = f"Using each of {given} exactly once with + - * / and brackets, write an expression that equals {target}."
    return Task(text, str(target), "target", data={"parts": parts, "given": given})


def _target_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    a, b, c, d = task.data["given"]
    tried = f"{a} * {b} + {c} + {d} = {a * b + c + d}"
    wrong = rng.choice((f"{a} * {b} - {c} + {d}", f"({a} + {b}) * {d} - {c}", f"{a} + {b} * {c} + {d}"))
    found = task.data["parts"] if right else wrong
    think = rng.choice(("Not it.", "That misses.", "Too far away.", "No."))
    text = (
        f"<think>Try {tried}. {think} {rng.choice(('Next', 'Then', 'Perhaps'))} {found}.</think>\n<expr>{found}</expr>"
    )
    return Reply([said(text)], found)


def _cipher_task(rng: Random) -> Task:
    words, shift = rng.sample(WORDS, rng.choice((1, 2, 2, 3))), rng.randint(2, 12)
    plain = " ".join(words)
    coded = "".join(chr((ord(ch) - 97 + shift) % 26 + 97) if ch != " " else ch for ch in plain)
    text = f"Each letter was moved {shift} places forward in the alphabet. Decode: {coded}"
    return Task(text, plain, f"caesar_{len(words)}", hard=(len(words) - 2) * 0.7, data={"coded": coded, "shift": shift})


def _cipher_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    answer = task.gold
    if not right:
        for _ in range(rng.randint(1, 2)):
            place = rng.choice([i for i, ch in enumerate(answer) if ch != " "])
            answer = answer[:place] + rng.choice("aeioulrst".replace(answer[place], "")) + answer[place + 1 :]
        answer = answer if answer != task.gold else answer[:-1]
    pairs = list(zip(task.data["coded"], answer, strict=False))[: rng.randint(4, 9)]
    moved = ", ".join(f"{a}->{b}" for a, b in pairs if a != " ")
    start = rng.choice(("Going back", "I shift back by", "Moving each letter back"))
    return Reply([said(f"{start} {task.data['shift']}: {moved} and so on.\nAnswer: {answer}")], answer)


ORDER = Domain("ord", _order_task, _order_reply)
TARGET = Domain("tgt", _target_task, _target_reply)
CIPHER = Domain("cph", _cipher_task, _cipher_reply)
