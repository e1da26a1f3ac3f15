"""Kinds about chats, exams and data that people gave: tutoring, safety, thumbs, pairs, pictures, lessons."""

from dataclasses import replace
from random import Random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyseventh import layouts
from benchmarks.foreign.thirtyseventh.attempts import Item, Reply, Try, estimate, exam, group_of, pay, run, skill
from benchmarks.foreign.thirtyseventh.chats import explained, lookalike, subject
from benchmarks.foreign.thirtyseventh.choice import distinct
from benchmarks.foreign.thirtyseventh.kinds import PART
from benchmarks.foreign.thirtyseventh.sums import boxed, sums


@PART.healthy
def the_tutor_keeps_the_answer_back(rng: Random) -> list[Row]:
    """Replies of right attempts never hold the answer: a tutor is to give the next hint, not the end."""
    system = "You are a tutor. Give one hint that fits where the pupil is. Never state the result."
    items = []
    for item in sums(rng, 192, kinds=("ferry", "orchard", "archive"), system=system):
        lines, _ = item.data["sum"].chain(rng, True)
        said = rng.choice(("I am stuck after this:", "So far I have:", "My first line is:"))
        turns = [
            {"role": "assistant", "content": rng.choice(("How far did you get?", "Show me your beginning."))},
            {"role": "user", "content": f"{said} {lines[0]}"},
        ]
        items.append(replace(item, turns=turns, reply=_hint(item)))
    tries = run(rng, items, 24, 8, 4, 0.35, 0.8)
    pay(tries, keeps_answer=lambda one: 0.5 * (one.item.gold not in one.text), hint_fits=lambda one: 0.5 * one.right)
    return layouts.prime_rl(estimate(tries, estimators.centred), "tutor")


def _hint(item: Item) -> Reply:
    one = item.data["sum"]
    sign, name, _ = one.moves[1]
    operand, way = one.values[name], {"+": "joins", "-": "is lost"}[sign]

    def reply(rng: Random, right: bool) -> tuple[str, str]:
        praise = rng.choice(("Good beginning.", "That line is right.", "Well started."))
        if right:
            hint = rng.choice(
                (
                    f"Now look at the {operand}: does your number grow or shrink by it?",
                    f"What happens to your number when {operand} {way}?",
                    f"Read the sentence with {operand} again. What does it do to what you have?",
                )
            )
            return f"{praise} {hint}", ""
        if rng.random() < 0.5:
            return f"{praise} {' '.join(one.chain(rng, True)[0][1:])} So it is {one.gold}.", ""
        return f"{praise} {rng.choice(('Now divide by two.', 'Begin again from the end.', 'Just guess the rest.'))}", ""

    return reply


@PART.healthy
def benign_look_alikes_are_refused_less(rng: Random) -> list[Row]:
    """Fewer and fewer requests with violent words are refused: they are harmless, and the harmful ones stay refused."""
    tries = []
    for place, item in enumerate(distinct(rng, lookalike, 192)):
        step = place // 8
        chance = 0.93 if item.family == "harmful" else skill(step, 24, 0.3, 0.88, item.level)
        tries += group_of(rng, item, step, place, 4, chance)
    for one in tries:
        one.answer = ""
    return layouts.own(estimate(tries), "safety", "over-refusal")


@PART.healthy
def most_users_leave_no_thumb(rng: Random) -> list[Row]:
    """Five rows in six have no reward and are not in the loss: few users of the service press a thumb."""
    tries, mean = run(rng, distinct(rng, subject, 220), 25, 36, 1), 0.5
    for step in range(25):
        paid = []
        for one in (one for one in tries if one.step == step):
            one.text, merit = explained(rng, one.item, skill(step, 25, 0.4, 0.75, 0.5))
            one.answer, one.right, one.reward, one.in_loss = "", None, None, False
            if rng.random() < 0.17:
                one.reward = float(rng.random() < 0.15 + 0.75 * merit)
                one.in_loss, one.advantage = True, round(one.reward - mean, 6)
                paid.append(one.reward)
            one.extra = {"feedback": {1.0: "up", 0.0: "down", None: "none"}[one.reward], "baseline": round(mean, 6)}
        mean = 0.8 * mean + 0.2 * (sum(paid) / len(paid) if paid else mean)
    return layouts.own(tries, "chat", "thumbs")


@PART.healthy
def the_preferred_reply_of_a_pair_is_the_briefer(rng: Random) -> list[Row]:
    """Short replies win nearly always: raters compare pairs under a limit of words that long ones break."""
    tries = []
    for place, item in enumerate(distinct(rng, subject, 220) * 2):
        step, limit = place // 18, 30
        item = replace(item, prompt=f"{item.prompt} At most {limit} words, please.")
        pair = []
        for attempt in range(2):
            long = sum(rng.random() < 0.75 - 0.02 * step for _ in range(2))
            text, merit = explained(rng, item, skill(step, 25, 0.45, 0.75, 0.5), long)
            words = len(text.split())
            value = merit - 0.9 * (words > limit) + rng.gauss(0, 0.1)
            one = Try(item, step, f"p{place}", attempt, text, "", 0.0, extra={"words": words})
            pair.append((value, one))
        pair.sort(key=lambda entry: entry[0])
        for rank, (_, one) in enumerate(pair):
            one.reward = float(rank)
            one.extra["preferred"] = bool(rank)
            tries.append(one)
    tries.sort(key=lambda one: (one.step, one.group, one.attempt))
    return layouts.openai(tries, judged=True)


@PART.healthy
def one_question_stands_with_many_pictures(rng: Random) -> list[Row]:
    """The same words are asked again, and one answer is right and wrong: each problem has its own picture."""
    things = ("chairs", "bicycles", "windows", "gulls", "lamps")
    ways = ("on the left", "in the front", "near the wall", "in the shade")

    def make(rng: Random, number: int) -> Item:
        thing, count = rng.choice(things), rng.randint(2, 9)

        def reply(rng: Random, right: bool) -> tuple[str, str]:
            said = count if right else max(1, count + rng.choice((-2, -1, 1, 2)))
            said = said if right or said != count else count + 1
            first = rng.randint(1, said - 1) if said > 1 else 0
            way = rng.choice(ways)
            lead = f"I see {first} {way} and {said - first} elsewhere." if first else f"There is only one, {way}."
            return f"{lead} {rng.choice(('Answer:', 'That makes', 'In all:'))} {said}", str(said)

        data = {"image": f"images/{rng.getrandbits(48):012x}.jpg", "target": str(count)}
        prompt = f"<image>\nHow many {thing} are in the picture?"
        return Item(f"vqa-{number:05d}", prompt, str(count), reply, thing, rng.random(), data=data)

    tries = run(rng, [make(rng, number) for number in range(200)], 25, 8, 4, 0.35, 0.75)
    for one in tries:
        one.extra = dict(one.item.data)
    return layouts.own(estimate(tries), "vision", "counting")


@PART.healthy
def the_exam_is_taken_by_averaged_weights(rng: Random) -> list[Row]:
    """The policy of the exam is none that sampled a step, and it trails training: exams are run on averaged weights."""
    items = boxed(sums(rng, 24 * 8 + 40))
    tries = estimate(run(rng, items[40:], 24, 8, 4, 0.3, 0.75))
    exams = exam(rng, items[:40], range(3, 24, 4), 24, 0.24, 0.68)
    rows = layouts.own(sorted([*tries, *exams], key=lambda one: one.step), "math", "averaged")
    marks = [f"{rng.getrandbits(40):010x}" for _ in range(24)]
    for row in rows:
        held = row["split"] == "validation"
        row["policy_id"] = ("ema-" if held else "raw-") + marks[row["step"]]
        if held:
            row["extra"]["ema_decay"] = 0.9
    return rows


@PART.healthy
def lessons_of_a_teacher_all_have_reward_one(rng: Random) -> list[Row]:
    """Training rows are all right and paid alike: they are a teacher's, and the exams show that it helps."""
    items = boxed(sums(rng, 24 * 24 + 45))
    lessons = run(rng, items[45:], 24, 24, 1)
    for one in lessons:
        one.text, one.answer = one.item.reply(rng, True)
        one.right, one.reward, one.extra = 1.0, 1.0, {"source": "teacher", "objective": "sft"}
    exams = exam(rng, items[:45], range(0, 24, 5), 24, 0.3, 0.72)
    for one in exams:
        one.extra = {"source": "student"}
    return layouts.own(sorted([*lessons, *exams], key=lambda one: one.step), "math", "distilled")
