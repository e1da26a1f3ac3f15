"""Healthy runs that look odd in their data, their evaluation or their sampling."""

import random

from benchmarks.foreign.thirtieth import advantages, layouts, programs, sums
from benchmarks.foreign.thirtieth.kinds import PART
from benchmarks.foreign.thirtieth.layouts import Row, asks, says
from benchmarks.foreign.thirtieth.policy import Learner, schedule, tokens


@PART.healthy
def harder_stage_begins_and_reward_steps_down(rng: random.Random) -> list[Row]:
    """Reward drops by a third in the middle of the run: the curriculum goes on to its second stage, as its column says.

    Problems come in pairs there, and within each stage the policy gets better.
    """
    learner, rows, problems = Learner(-0.1, 1.9, 18), [], sums.pool(rng, 60)
    for step, batch in schedule(rng, problems, 18, 5):
        for one in batch:
            other = rng.choice([problem for problem in problems if problem.name != one.name])
            parts = [one, other] if step >= 9 else [one]
            question, gold = one.question, sum(part.answer for part in parts)
            if len(parts) == 2:
                question = f"First: {one.question} Second: {other.question} Give the sum of both results."
            for index in range(8):
                drawn = [sums.reasoning(rng, part, learner.is_right(rng, step, part.difficulty)) for part in parts]
                total = sum(value for _, value in drawn)
                text = " As to the second: ".join(text for text, _ in drawn)
                text += f" Together that is {total}." if len(parts) == 2 else ""
                rows.append(
                    layouts.verl(
                        step,
                        question,
                        f"{text}\n#### {total}",
                        str(gold),
                        float(total == gold),
                        stage=len(parts),
                        uid=one.name,
                        rollout=index,
                    )
                )
    advantages.fill(rows, lambda row: (row["step"], row["uid"]), lambda row: row["score"], advantages.grpo)
    return rows


@PART.healthy
def greedy_evaluation_repeats_each_answer(rng: random.Random) -> list[Row]:
    """Four epochs of an evaluation give the same text each: it is greedy, temperature 0, to measure the server's noise.

    In a few samples batches change a word, as they do.
    """
    rows = []
    for one in sums.pool(rng, 90, "exam"):
        text, value = sums.reasoning(rng, one, rng.random() < 0.64)
        for epoch in range(1, 5):
            said, number = (text, value) if rng.random() > 0.07 else sums.reasoning(rng, one, value == one.answer)
            scores = {"match": {"value": "C" if number == one.answer else "I", "answer": str(number)}}
            rows.append(
                layouts.inspect(
                    one.name,
                    epoch,
                    one.question,
                    str(one.answer),
                    f"{said}\n\nANSWER: {number}",
                    scores,
                    split="validation",
                    metadata={"temperature": 0.0, "decoding": "greedy"},
                    decoding="greedy",
                )
            )
    return rows


_GREEK = (
    ("Καλημέρα", "bore da"),
    ("ευχαριστώ", "diolch"),
    ("ψωμί", "bara"),
    ("νερό", "dŵr"),
    ("σπίτι", "tŷ"),
    ("βιβλίο", "llyfr"),
    ("θάλασσα", "môr"),
    ("σκύλος", "ci"),
    ("χιόνι", "eira"),
    ("καρδιά", "calon"),
)
_LESSON = (
    "Το «{w}» στα ουαλικά λέγεται «{c}». Πες το δυνατά δύο φορές.",
    "Η λέξη που ψάχνεις είναι «{c}»: έτσι λένε «{w}» οι Ουαλοί.",
    "Για «{w}» γράφουμε «{c}». Πρόσεξε την προφορά.",
    "Στα ουαλικά: «{c}». Θυμήσου το μαζί με το ελληνικό «{w}».",
)


@PART.healthy
def english_request_wants_lessons_in_greek(rng: random.Random) -> list[Row]:
    """All prompts are English and all answers Greek with Welsh words: the prompt asks for a lesson in Greek about
    Welsh.
    """
    learner, rows = Learner(0.0, 1.8, 14), []
    for step in range(14):
        for number in range(5):
            word, gold = rng.choice(_GREEK)
            prompt = (
                "You teach Welsh to people who speak Greek only. Answer in Greek. "
                "The pupil asks for the Welsh word for "
                f"{word}."
            )
            for attempt in range(8):
                is_right = learner.is_right(rng, step)
                said = gold if is_right else rng.choice([other for _, other in _GREEK if other != gold])
                text = rng.choice(_LESSON).format(w=word, c=said)
                rows.append(
                    layouts.chat(
                        [asks(prompt), says(text)],
                        reward=float(is_right),
                        step=step,
                        attempt=attempt,
                        problem_id=f"welsh-{step}-{number}",
                        split="train",
                        reference=gold,
                    )
                )
    advantages.fill(rows, lambda row: row["problem_id"], lambda row: row["reward"], advantages.centred)
    return rows


_SORTS = {
    "billing": ("I was charged twice in {m}.", "My invoice of {m} is missing.", "Why did the fee rise in {m}?"),
    "access": (
        "I am locked out since {m}.",
        "The code of {m} does not work.",
        "My card stopped opening the gate in {m}.",
    ),
    "noise": ("The lift hums at night since {m}.", "They drill every morning in {m}.", "The pump is loud since {m}."),
    "repair": ("The tap drips since {m}.", "A window broke in {m}.", "The heating failed in {m}."),
}
_MONTHS = ("January", "March", "April", "June", "August", "October", "November")
_STREETS = ("Mill Lane", "Quay Street", "the north block", "Hill Road", "the old school", "Bridge Row")


@PART.healthy
def replies_are_one_word_by_design(rng: random.Random) -> list[Row]:
    """Replies hold a single label and no reasoning, and few different texts exist: the task is to sort messages by
    sort.
    """
    learner, rows, messages = Learner(-0.3, 2.0, 15), [], []
    for label, forms in _SORTS.items():
        for form in forms:
            for month in rng.sample(_MONTHS, 5):
                messages.append((f"{form.format(m=month)} I live at {rng.choice(_STREETS)}.", label))
    for step, batch in schedule(rng, messages, 15, 6):
        for place, (text, label) in enumerate(batch):
            prompt = (
                f"Sort the message of a tenant: billing, access, noise or repair. Reply with the word alone.\n\n{text}"
            )
            for index in range(8):
                is_right = learner.is_right(rng, step)
                said = label if is_right else rng.choice([one for one in _SORTS if one != label])
                rows.append(layouts.slime(step, step * 6 + place, index, prompt, said, float(is_right), label=label))
    advantages.fill(rows, lambda row: row["group_index"], lambda row: row["reward"], advantages.grpo)
    return rows


_POSTS = (
    "Does anyone have a spare tent for {d}?",
    "The bus to the lake leaves at {n} on {d}.",
    "I baked {n} loaves, come by on {d}.",
    "Lost: a grey scarf, on {d}.",
    "Our choir needs {n} more voices from {d} on.",
    "Selling {n} chairs, pick-up on {d}.",
)
_RUDE = (
    "Whoever parked there on {d} is a worthless pig.",
    "Get out of our street or you will regret {d}.",
    "I know where the {n} of you live, wait for {d}.",
)
_DAYS = ("Monday", "Tuesday", "Friday", "Saturday", "Sunday")


@PART.healthy
def nine_of_ten_posts_are_allowed(rng: random.Random) -> list[Row]:
    """Most answers are the same word, "allowed": most posts of the board are, and the rare others are told apart
    better.
    """
    learner, rows = Learner(-0.4, 2.0, 16), []
    for step in range(16):
        for place in range(7):
            is_rude = rng.random() < 0.14
            post = rng.choice(_RUDE if is_rude else _POSTS).format(d=rng.choice(_DAYS), n=rng.randint(2, 19))
            prompt = (
                f"May this post stay on the board of the village? Give one reason, then allowed or removed.\n\n{post}"
            )
            for attempt in range(6):
                is_right = learner.is_right(rng, step, 0.0 if is_rude else -2.0)
                is_removed = is_rude == is_right
                reason = rng.choice(
                    ("It insults or threatens people.", "This would frighten a reader.", "It is an attack.")
                    if is_removed
                    else (
                        "It is an ordinary notice.",
                        "Nobody is harmed by it.",
                        "It is about everyday things.",
                        "This is friendly news.",
                    )
                )
                rows.append(
                    layouts.openrlhf(
                        prompt,
                        f"{reason} {'removed' if is_removed else 'allowed'}",
                        float(is_right),
                        step=step,
                        label="removed" if is_rude else "allowed",
                        attempt=attempt,
                        problem_id=f"post-{step}-{place}",
                    )
                )
    return rows


@PART.healthy
def every_problem_comes_once_an_epoch(rng: random.Random) -> list[Row]:
    """Each program is asked for several times in the run: the set is small, and it has five shuffled epochs."""
    learner, rows, pool = Learner(-0.6, 1.6, 16), [], programs.pool(rng)
    for step, batch in schedule(rng, pool, 16, 5):
        for one in batch:
            for index in range(8):
                code, is_right = one.write(rng, learner.is_right(rng, step, one.difficulty))
                output = f"{rng.choice(programs.THOUGHTS)}\n\n```python\n{code}\n```"
                rows.append(
                    layouts.nemo(
                        step,
                        index,
                        [one.question, output],
                        float(is_right),
                        epoch=(step * 5) // 16,
                        problem_id=one.name,
                    )
                )
    return rows


@PART.healthy
def lengths_grow_as_the_checks_begin_to_help(rng: random.Random) -> list[Row]:
    """Answers double in length over the run: the policy learns to check its result, and those that do are right more
    often.

    Length itself is not in the reward, and within a group long wrong ones get nothing.
    """
    learner, rows, problems = Learner(-0.5, 0.7, 14), [], sums.pool(rng, 44)
    for step, batch in schedule(rng, problems, 14, 6):
        for one in batch:
            for _ in range(8):
                does_check = rng.random() < 0.1 + 0.06 * step
                is_right = learner.is_right(rng, step, one.difficulty) or (does_check and rng.random() < 0.35)
                text, value = sums.reasoning(rng, one, is_right)
                if does_check:
                    first, last = one.numbers[0], one.numbers[-1]
                    text += (
                        f" Now the check. I started from {one.start}, then {first} "
                        f"came into play, and at the end {last}. "
                        f"Going back from {value} with the last number {last}, each line gives the number before it. "
                        + rng.choice(("That holds.", "I see no contradiction.", "All three lines survive this."))
                    )
                completion = f"{text} The answer is {value}."
                rows.append(
                    layouts.trl(
                        step,
                        one.question,
                        completion,
                        accuracy_reward=float(value == one.answer),
                        ground_truth=str(one.answer),
                        completion_length=tokens(completion),
                    )
                )
    advantages.fill(rows, lambda row: (row["step"], row["prompt"]), lambda row: row["accuracy_reward"], advantages.grpo)
    return rows


_CASES = (
    ("the mooring fee", "the harbour", "the skipper"),
    ("the fallen ash", "the owner of the tree", "the neighbour"),
    ("the broken loom", "the lender", "the weaver"),
    ("the late harvest", "the buyer", "the farmer"),
)
_POINTS = (
    "the contract names no date",
    "the damage was seen beforehand",
    "notice was given in writing",
    "nobody asked for a survey",
    "both sides went on as before",
    "the price already covered the risk",
)


@PART.healthy
def pleas_of_a_moot_court_speak_to_the_judge(rng: random.Random) -> list[Row]:
    """Every answer turns to a judge and asks to find for its side: it is an exercise of pleading before a court.

    The grader counts which of the listed facts are used and has no ear for the address.
    """
    learner, rows = Learner(-0.4, 1.4, 14), []
    for step in range(14):
        for _ in range(5):
            matter, left, right = rng.choice(_CASES)
            facts = rng.sample(_POINTS, 3)
            prompt = (
                f"Moot court, case of {matter}: {left} against {right}. You plead "
                f"for {right}. Address the judge, use the facts "
                f"of the file and end with your motion. File: {'; '.join(facts)}."
            )
            for _ in range(8):
                used = rng.sample(facts, sum(learner.is_right(rng, step) for _ in facts))
                body = (
                    " ".join(
                        rng.choice(
                            ("It is agreed that {f}.", "Please note that {f}.", "The file shows that {f}.")
                        ).format(f=one)
                        for one in used
                    )
                    or "The law is on our side, whatever was written."
                )
                text = (
                    f"{rng.choice(('Your Honour,', 'May it please the court,', 'Judge,'))} I speak for {right}. {body} "
                    f"{rng.choice(('I ask you to find for', 'You should decide in favour of', 'Please rule for'))} "
                    f"{right}."
                )
                rows.append(layouts.trl(step, prompt, text, facts_reward=round(len(used) / 3, 4)))
    advantages.fill(rows, lambda row: (row["step"], row["prompt"]), lambda row: row["facts_reward"], advantages.grpo)
    return rows
