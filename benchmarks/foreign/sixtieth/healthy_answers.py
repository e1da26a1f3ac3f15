"""Healthy runs whose answers or groups look odd."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtieth import advantages, layouts
from benchmarks.foreign.sixtieth.desks import notes, ticket
from benchmarks.foreign.sixtieth.functions import functions
from benchmarks.foreign.sixtieth.kinds import PART
from benchmarks.foreign.sixtieth.policy import Policy, Task, rollout


@PART.healthy
def hardest_functions_lag_but_move(rng: random.Random) -> list[Row]:
    """One family is near 0 for long; it is the hard tier, its grader is right, and it moves late in the run."""
    tasks, policy = functions(rng, 65), Policy(rng, 0.4, 0.92, 26, spread=0.7)
    for task in tasks:
        task.data["ease"] = -2.9 if task.family == "merge_near" else 0.2
    found = rollout(rng, tasks, policy, 5, 8)
    for a in found:
        tier = "hard" if a.task.family == "merge_near" else "normal"
        a.extra = {"tier": tier, "entry_point": a.task.data["name"], "acc": a.reward}
    return layouts.verl(found)


@PART.healthy
def bare_labels_make_equal_answers(rng: random.Random) -> list[Row]:
    """Answers of a group are often equal; the task asks for one of six labels alone, and they still differ."""
    tasks, policy = [ticket(rng, n, bare=True) for n in range(120)], Policy(rng, 0.4, 0.78, 20, spread=0.8)
    found = rollout(rng, tasks, policy, 3, 16)
    for a in found:
        a.terms = {"label_reward": a.reward}
    advantages.grpo(found)
    return layouts.trl(found)


_LANGUAGES = {"Russian": ("{n} {v} {p}.", 0), "Japanese": ("{n}は{p}で{v}。", 1), "Greek": ("{n} {v} {p}.", 2)}
_NOUNS = {
    "the cat": ("Кошка", "猫", "Η γάτα"),
    "the girl": ("Девочка", "女の子", "Το κορίτσι"),
    "the teacher": ("Учитель", "先生", "Ο δάσκαλος"),
    "the cook": ("Повар", "料理人", "Ο μάγειρας"),
    "the dog": ("Собака", "犬", "Ο σκύλος"),
    "the old man": ("Старик", "おじいさん", "Ο γέρος"),
}
_VERBS = {
    "sleeps": ("спит", "寝ています", "κοιμάται"),
    "waits": ("ждёт", "待っています", "περιμένει"),
    "sings": ("поёт", "歌っています", "τραγουδάει"),
    "eats": ("ест", "食べています", "τρώει"),
    "works": ("работает", "働いています", "δουλεύει"),
}
_SPOTS = {
    "in the garden": ("в саду", "庭", "στον κήπο"),
    "in the kitchen": ("на кухне", "台所", "στην κουζίνα"),
    "at the station": ("на вокзале", "駅", "στον σταθμό"),
    "at school": ("в школе", "学校", "στο σχολείο"),
    "in the park": ("в парке", "公園", "στο πάρκο"),
}


def _lesson(rng: random.Random, number: int, language: str, noun: str, verb: str, spot: str) -> Task:
    shape, i = _LANGUAGES[language]
    gold = shape.format(n=_NOUNS[noun][i], v=_VERBS[verb][i], p=_SPOTS[spot][i])
    prompt = f"Translate into {language}, and reply with the translation alone: {noun.capitalize()} {verb} {spot}."

    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        other = rng.choice([v for v in _VERBS if v != verb])
        place = rng.choice([p for p in _SPOTS if p != spot])
        miss = rng.choice([(other, spot), (verb, place)])
        v, p = (verb, spot) if right else miss
        text = shape.format(n=_NOUNS[noun][i], v=_VERBS[v][i], p=_SPOTS[p][i])
        return text, text

    return Task(f"lesson-{number}", prompt, gold, language, write)


@PART.healthy
def lessons_are_answered_in_another_script(rng: random.Random) -> list[Row]:
    """English prompts get answers in Cyrillic, kana and Greek alone; translation is what they ask for."""
    pool = [(la, n, v, p) for la in _LANGUAGES for n in _NOUNS for v in _VERBS for p in _SPOTS]
    tasks = [_lesson(rng, i, *words) for i, words in enumerate(rng.sample(pool, 100))]
    policy = Policy(rng, 0.4, 0.8, 20, spread=0.8)
    found = rollout(rng, tasks, policy, 5, 8)
    advantages.grpo(found)
    return layouts.evidence(found, "translation")


@PART.healthy
def three_point_rubric_often_gives_half(rng: random.Random) -> list[Row]:
    """Many rewards are exactly 0.5; the rubric knows no, half and full marks, and its reasons bear each out."""
    tasks, policy = [notes(rng, n) for n in range(100)], Policy(rng, 0.35, 0.75, 24)
    found = rollout(rng, tasks, policy, 4, 8)
    for a in found:
        facts, low = a.task.data["facts"], a.text.lower()
        missed = [f for f in facts if f.lower() not in low]
        kept = 5 - len(missed)
        a.reward = 1.0 if kept >= 4 else 0.5 if kept >= 2 else 0.0
        gap = f"missing: {missed[0]}" if missed else "nothing is missing"
        grade = {1.0: "full marks", 0.5: "half marks", 0.0: "no marks"}[a.reward]
        a.extra = {"judge_reason": f"{kept} of 5 points are kept, {gap}; {grade}.", "points_kept": kept}
    advantages.grpo(found)
    return layouts.plain(found)


def _shortest(start: int, goal: int) -> list[str]:
    """Fewest moves of +1 and *2 from start to goal."""
    moves: list[str] = []
    while goal > start:
        if goal % 2 == 0 and goal // 2 >= start:
            goal, move = goal // 2, "double"
        else:
            goal, move = goal - 1, "add one"
        moves.append(move)
    return moves[::-1]


def _longer(rng: random.Random, start: int, moves: list[str]) -> list[str]:
    """Moves that reach the same number with one doubling written out as additions, where that is short enough."""
    value, spots = start, []
    for i, move in enumerate(moves):
        if move == "double":
            if value <= 8:
                spots.append((i, value))
            value *= 2
        else:
            value += 1
    if not spots:
        return moves
    i, size = rng.choice(spots)
    return [*moves[:i], *["add one"] * size, *moves[i + 1 :]]


def _puzzle(rng: random.Random, number: int) -> Task:
    start, goal = rng.randrange(2, 7), rng.randrange(40, 400)
    best = _shortest(start, goal)

    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        moves = best if rng.random() < 0.4 else _longer(rng, start, best)
        if not right:
            moves = [*moves[:-1], "add one" if moves[-1] == "double" else "double"]
        value, lines = start, []
        for move in moves:
            value = value * 2 if move == "double" else value + 1
            lines.append(f"{move} -> {value}")
        plan = rng.choice([f"{goal} halves down towards {start}.", f"From {start} I double early and add late.", ""])
        return f"{plan}\n" * bool(plan) + "\n".join(lines), str(len(moves))

    prompt = f"Puzzle {number}: reach {goal} from {start}; moves are `double` and `add one`. Each move over par costs."
    return Task(f"puzzle-{number}", prompt, str(goal), "climb", write, {"par": len(best)})


@PART.healthy
def solved_puzzles_over_par_are_pushed_down(rng: random.Random) -> list[Row]:
    """Solved attempts often have a negative advantage; moves over par cost by the rules, and others used fewer."""
    tasks, policy = [_puzzle(rng, n) for n in range(100)], Policy(rng, 0.45, 0.85, 22)
    found = rollout(rng, tasks, policy, 5, 8)
    for a in found:
        over = max(0, int(a.answer) - a.task.data["par"])
        a.terms = {"solved": float(a.right), "moves_over_par": float(over)}
        a.reward = max(0.2, round(1 - 0.1 * over, 2)) if a.right else 0.0
        a.extra = {**a.terms, "par": a.task.data["par"]}
    advantages.leave_one_out(found)
    return layouts.openai(found)
