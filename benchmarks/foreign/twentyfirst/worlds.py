"""A dungeon of rooms, proofs in Lean, a scanner's text, and stock stories in Korean."""

from random import Random

from benchmarks.foreign.twentyfirst.messages import call, say, told
from benchmarks.foreign.twentyfirst.rollouts import Now, Reply, Task

HALLS = ["cellar", "gallery", "armoury", "chapel", "kitchen", "vault", "stable", "crypt", "library", "tower"]
WAYS = ("north", "east", "south", "west")
PRIZES = ["goblet", "crown", "map", "lute", "mirror", "key", "dagger", "coin"]
TACTICS = (
    "nlinarith [sq_nonneg (a - b)]",
    "omega",
    "ring_nf",
    "positivity",
    "linarith",
    "norm_num",
    "simp",
    "field_simp",
)
ERRORS = ("failed", "made no progress", "failed, unsolved goals remain", "could not close the goal")
LINES = (
    "Received of {0} the sum of {1} crowns",
    "the roof of the {2} was mended in {3}",
    "paid to the carter {1} groats for {0}",
    "the {2} was let to {0} until {3}",
    "{0} owes {1} bushels of rye from {3}",
)
FOLK = [
    "Jonas Miller",
    "the widow Hale",
    "Peter Oakes",
    "Anna Brandt",
    "the miller's boy",
    "Tobias Reed",
    "Sister Agnes",
]
GOODS = {
    "사과": "apples",
    "딸기": "strawberries",
    "쿠키": "cookies",
    "카드": "cards",
    "포도": "grapes",
    "지우개": "erasers",
}
NAMES = {"민수": "Minsu", "민지": "Minji", "수아": "Sua", "은호": "Eunho", "지아": "Jia", "현우": "Hyeonu"}


def dungeon(rng: Random, number: int) -> Task:
    """A thing to be fetched through a few rooms."""
    path = [rng.choice(WAYS) for _ in range(rng.randint(2, 5))]
    rooms, prize = rng.sample(HALLS, len(path) + 1), rng.choice(PRIZES)
    prompt = (
        f"You stand in the {rooms[0]}. The {prize} lies in the {rooms[-1]}. "
        f"Dungeon {rng.randint(100, 9999)}. Bring it out."
    )
    return Task(
        f"dg{number:04d}", prompt, prize, None, 0.3 * (len(path) - 3), "dungeon", data={"path": path, "rooms": rooms}
    )


def explore(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """Walk; the wrong one loses its way before the end."""
    path, rooms, messages = task.data["path"], task.data["rooms"], []
    stop = len(path) if right else rng.randrange(len(path))
    for at in range(stop):
        if rng.random() < 0.35 * (1.2 - now.share):
            bad = rng.choice([way for way in WAYS if way != path[at]])
            messages += [call("move", way=bad), told("move", f"A wall of the {rooms[at]}.", True)]
        messages += [call("move", rng.choice(("", f"On, {path[at]}.", "There is a draught.")), way=path[at])]
        messages += [told("move", f"You enter the {rooms[at + 1]}.")]
    if right:
        messages += [call("take", item=task.gold), told("take", f"You hold the {task.gold}.")]
        return Reply(
            [*messages, say(rng.choice(("I have it.", f"The {task.gold} is mine.", "Done, out again.")))], task.gold
        )
    return Reply([*messages, say(rng.choice(("I am lost.", f"No {task.gold} here.", "The torch is out.")))], "")


def theorem(rng: Random, number: int) -> Task:
    """A small inequality."""
    a, b, c = rng.randint(2, 19), rng.randint(2, 19), rng.randint(1, 60)
    goals = (
        (f"(a b : ℝ) (h : a + b = {c}) : a * b ≤ {c} ^ 2 / 4", "nlinarith [sq_nonneg (a - b)]"),
        (f"(n : ℕ) (h : n > {c}) : {a} * n > {a * c}", "omega"),
        (f"(x : ℝ) (h : {a} * x + {b} = {a * c + b}) : x = {c}", "linarith"),
        (f"(a b : ℝ) (h : {a} ≤ b) : a ^ 2 + b ^ 2 ≥ 2 * a * b", "nlinarith [sq_nonneg (a - b)]"),
    )
    goal, key = rng.choice(goals)
    prompt = f"Prove in Lean 4 with Mathlib:\ntheorem t{number} {goal} := by sorry"
    return Task(f"ln{number:04d}", prompt, "", None, 0.0, "lean", data={"goal": goal, "key": key})


def prove(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """A proof, or one that the checker refuses; the answer is what the checker says."""
    key = task.data["key"]
    have = rng.choice(("have h0 := h", "obtain h1 := h", "clear_value", "push_cast at *", "intros", "show _"))
    others = rng.sample([tactic for tactic in TACTICS if tactic != key], rng.randint(1, 3))
    lines = (
        [rng.choice(("have h0 := h", "have h2 := h", "intros", "push_cast at h")), key] if right else [have, *others]
    )
    goal = task.data["goal"].split(" : ")[-1]
    head = rng.choice(
        (f"The goal is {goal}.", "A square is hidden here.", f"Work towards {goal}.", "Direct computation should do.")
    )
    body = "\n  ".join(lines)
    return Reply(
        [say(f"{head}\n```lean\ntheorem t {task.data['goal']} := by\n  {body}\n```")],
        "no errors" if right else f"{others[-1].split()[0]} {rng.choice(ERRORS)}",
    )


def scan(rng: Random, number: int) -> Task:
    """A line that a scanner garbled."""
    line = rng.choice(LINES).format(rng.choice(FOLK), rng.randint(2, 90), rng.choice(HALLS), rng.randint(1702, 1799))
    swaps = {"e": "c", "l": "1", "o": "0", "m": "rn", "s": "f", "h": "li", "i": "!"}
    noisy = "".join(swaps[c] if c in swaps and rng.random() < 0.3 else c for c in line)
    return Task(
        f"oc{number:04d}", f"Restore the scanned line exactly: {noisy}", line, None, 0.0, "ocr", data={"noisy": noisy}
    )


def restore(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """The line, with some letters still off."""
    letters = list(task.gold)
    for _ in range(rng.randint(0, 1) if right else rng.randint(2, 9)):
        letters[rng.randrange(len(letters))] = rng.choice("cfl10 teaon")
    return Reply([say("".join(letters))], "".join(letters))


def korean(rng: Random, number: int) -> Task:
    """A story in Korean."""
    who, thing = rng.choice(list(NAMES)), rng.choice(list(GOODS))
    have, bags, each, gone = rng.randint(5, 60), rng.randint(2, 9), rng.randint(3, 12), rng.randint(1, 20)
    prompt = (
        f"{who}는 {thing} {have}개를 가지고 있습니다. {each}개씩 든 봉지 {bags}개를 "
        f"더 사고 {gone}개를 나누어 주었습니다. 남은 것은 몇 개입니까?"
    )
    gold = have + bags * each - gone
    data = {"who": who, "thing": thing, "numbers": (have, bags, each, gone)}
    return Task(f"ko{number:04d}", prompt, str(gold), None, 0.0, "korean", data=data)


def tutor(rng: Random, task: Task, right: bool, english: bool, close: str = "답") -> Reply:
    """Work in Korean or in English."""
    have, bags, each, gone = task.data["numbers"]
    who, thing = task.data["who"], task.data["thing"]
    bought = bags * each + (0 if right else rng.choice((-each, each, 2, -1)))
    total = have + bought - gone
    if english:
        lines = [f"{NAMES[who]} buys {bags} bags with {each} {GOODS[thing]} each, that is {bought} more."]
        lines += [rng.choice(("Together", "So now we have", "Adding up")) + f" {have} + {bought} = {have + bought}."]
        lines += [f"After giving away {gone} there remain {total}.", f"{close}: {total}"]
    else:
        lines = [rng.choice(("먼저 ", "우선 ", "")) + f"봉지에 든 {thing}는 {bags} × {each} = {bought}개입니다."]
        lines += [rng.choice(("모두 합하면", "처음 것과 더하면")) + f" {have} + {bought} = {have + bought}개가 됩니다."]
        lines += [f"나누어 준 {gone}개를 빼면 {total}개가 남습니다.", f"{close}: {total}"]
    return Reply([say("\n".join(lines))], str(total))
