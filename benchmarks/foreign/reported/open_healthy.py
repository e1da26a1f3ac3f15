"""Runs that are sound, though something in them looks odd."""

import statistics

from benchmarks.foreign import estimators
from benchmarks.foreign.reported import coding, lookup, maths, tongues
from benchmarks.foreign.reported.kinds import PART
from benchmarks.foreign.reported.run import (
    Draw,
    Row,
    Task,
    advise,
    asked,
    course,
    native,
    openrlhf,
    said,
    steady,
    tokens,
    told,
    trl,
    user,
    verifiers,
    verl,
)


@PART.healthy
def critic_advantages(rng: Draw) -> list[Row]:
    """PPO: advantages are those of a critic that learns, whitened over the batch."""
    rows, known = [], {}
    for t in course(rng, maths.draw, steps=12, problems=8, group=4, pool=48):
        text, _ = maths.write(rng, t.task, t.right)
        guess = known.get(t.task.name, 0.45)
        value = 0.2 + 0.6 * guess + rng.gauss(0, 0.1)
        known[t.task.name] = 0.8 * guess + 0.2 * t.right
        rows.append(verl(t, text, float(t.right), acc=float(t.right), values=round(value, 4)))
    for step in range(1, 13):
        members = [row for row in rows if row["step"] == step]
        raw = [row["score"] - row["values"] + rng.gauss(0, 0.03) for row in members]
        mean, deviation = statistics.fmean(raw), statistics.pstdev(raw)
        for row, value in zip(members, raw, strict=True):
            row["advantage"] = round((value - mean) / deviation, 5)
    return rows


_TICKETS = {
    "billing": (
        "I was charged twice for order {n}",
        "Invoice {n} shows the wrong VAT",
        "Why did my plan cost {n} more this month",
    ),
    "delivery": (
        "Parcel {n} has not moved since {d}",
        "The courier left {n} at a wrong door",
        "When does order {n} arrive",
    ),
    "returns": (
        "I want to send back item {n}",
        "The label for return {n} does not print",
        "Size of {n} is wrong, can I swap it",
    ),
    "technical": (
        "The app shows error {n} since {d}",
        "Password mail for account {n} never comes",
        "Page {n} stays blank on my tablet",
    ),
}
_DAYS = ("Monday", "Tuesday", "Thursday", "last week", "yesterday", "the update")
_TONES = ("Hello, ", "", "Hi team! ", "Good morning. ", "Sorry to bother you: ", "Third time I write: ")
_TAILS = (".", ", please help.", ". Thanks!", "!!", ". I use the family plan.", ". Order was a gift.")


def _ticket(rng: Draw, name: str) -> Task:
    label = rng.choice(tuple(_TICKETS))
    line = rng.choice(_TICKETS[label]).format(n=rng.randint(1000, 99999), d=rng.choice(_DAYS))
    text = f"{rng.choice(_TONES)}{line}{rng.choice(_TAILS)}"
    return Task(name, f"Label the ticket as billing, delivery, returns or technical.\n\n{text}", label, "tickets")


@PART.healthy
def one_word_labels(rng: Draw) -> list[Row]:
    """A classifier answers with one word, as it should."""
    rows = []
    for t in course(rng, _ticket, steps=14, problems=5, group=6, skill=(0.0, 1.3)):
        label = t.task.answer if t.right else rng.choice([x for x in _TICKETS if x != t.task.answer])
        rows.append(trl(t, label, {"accuracy_reward": float(t.right)}, label=t.task.answer))
    return advise(rows)


@PART.healthy
def longer_and_righter(rng: Draw) -> list[Row]:
    """Answers grow because the policy learns to check them, and become right by that; length itself is not paid."""
    rows = []
    for t in course(rng, maths.draw, steps=14, problems=4, group=8, skill=(-0.8, 0.2)):
        checks = sum(rng.random() < 0.1 + 0.75 * t.at for _ in range(3))
        right = t.right or rng.random() < 0.17 * checks
        text, final = maths.write(rng, t.task, right, 0.0)
        body, end = text.rsplit("\n\n", 1)
        for _ in range(checks):
            again, _ = maths.worked(rng, t.task, right, 1.0)
            body += f"\n\nWait, let me redo this: {' '.join(rng.sample(again, rng.randint(1, len(again))))}"
        rows.append(native(t, asked(t, f"{body}\n\n{end}"), float(right), correct=float(right), answer=t.task.answer))
    return advise(rows)


_TIME = {
    "en": ("Which time is mentioned?", "It says {t}.", "The time given is {t}.", "{t}, according to the notice."),
    "de": ("Welche Uhrzeit wird genannt?", "Dort steht {t} Uhr.", "Genannt wird {t} Uhr.", "Es geht um {t} Uhr."),
    "fr": ("Quelle heure est indiquée ?", "Il est écrit {t}.", "L'heure indiquée est {t}.", "C'est à {t}."),
    "es": ("¿Qué hora se menciona?", "Dice {t}.", "La hora indicada es {t}.", "Se menciona {t}."),
    "ja": ("何時と書かれていますか。", "{t}と書かれています。", "時刻は{t}です。", "お知らせによると{t}です。"),
}


@PART.healthy
def asked_in_five_languages(rng: Draw) -> list[Row]:
    """People ask in five languages and are answered in theirs."""
    rows = []

    def draw(r: Draw, name: str) -> Task:
        task = tongues.draw(r, name)
        language = task.facts["from"]
        return Task(
            name, f"{task.facts['text']}\n{_TIME[language][0]}", task.facts["slots"]["t"], language, None, task.facts
        )

    for t in course(rng, draw, steps=12, problems=5, group=6, skill=(0.0, 1.2)):
        hour, minute = t.task.answer.split(":")
        time = t.task.answer if t.right else f"{(int(hour) + rng.randint(1, 5)) % 24}:{minute}"
        text = rng.choice(_TIME[t.task.family][1:]).format(t=time)
        rows.append(native(t, asked(t, text), float(t.right), correct=float(t.right), language=t.task.family))
    return advise(rows)


@PART.healthy
def kl_as_a_term(rng: Draw) -> list[Row]:
    """The KL penalty is a term of the reward, recorded as such, and advantages follow the sum."""
    rows = []
    for t in course(rng, maths.draw, steps=12, problems=4, group=8):
        text, _ = maths.write(rng, t.task, t.right)
        terms = {"score": float(t.right), "kl_penalty": round(-0.02 * abs(rng.gauss(2 + 3 * t.at, 0.9)), 4)}
        rows.append(
            native(t, asked(t, text), round(sum(terms.values()), 4), reward_terms=terms, correct=float(t.right))
        )
    return advise(rows, estimators.leave_one_out)


@PART.healthy
def two_steps_behind(rng: Draw) -> list[Row]:
    """Asynchronous: samples are up to two steps old, and importance ratios near 1 correct for it."""
    rows, names = [], [f"{rng.getrandbits(48):012x}" for _ in range(16)]
    for t in course(rng, coding.draw, steps=14, problems=4, group=8):
        text, share = coding.write(rng, t.task, t.right)
        lag = min(t.step, rng.choices((0, 1, 2), (2, 5, 3))[0])
        ratio = round(rng.lognormvariate(0, 0.015 + 0.02 * lag), 4)
        row = native(t, asked(t, text), float(share == 1.0), policy_lag=lag, policy_id=names[t.step - lag])
        rows.append(row | {"importance_ratio": ratio, "correct": float(share == 1.0)})
    return advise(rows)


@PART.healthy
def demonstrations_mixed_in(rng: Draw) -> list[Row]:
    """Each group of seven attempts stands beside one demonstration for the supervised loss, which has no advantage."""
    rows = []
    for t in course(rng, maths.draw, steps=12, problems=4, group=8, skill=(-0.9, 0.6)):
        shown = t.number == 7
        text, _ = maths.write(rng, t.task, t.right or shown, 1.0 if shown else 0.3)
        source = "demonstration" if shown else "policy"
        rows.append(native(t, asked(t, text), None if shown else float(t.right), source=source, in_loss=True))
    advise(rows)
    return [row if row["reward"] is not None else row | {"reward": 1.0} for row in rows]


@PART.healthy
def identical_answers_scored_zero(rng: Draw) -> list[Row]:
    """A judge ranks within the group; groups of equal texts are not sent to it and get 0 (OpenPipe/ART#454)."""
    rows: list[Row] = []
    for t in course(rng, tongues.draw, steps=12, problems=5, group=6, skill=(-0.2, 1.3)):
        text = tongues.write(rng, t.task, t.right)
        score = round(steady(text, 0.8, 0.95) if t.right else steady(text, 0.1, 0.4), 2)
        rows.append(native(t, asked(t, text), score, judge="ruler"))
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["group_id"], []).append(row)
    for members in groups.values():
        if len({row["messages"][-1]["content"] for row in members}) == 1:
            for row in members:
                row |= {"reward": 0.0, "judge": "skipped: identical"}
    return advise(rows)


@PART.healthy
def share_of_tests_paid(rng: Draw) -> list[Row]:
    """The reward is the share of tests passed, so wrong programs earn something."""
    rows = []
    for t in course(rng, coding.draw, steps=12, problems=4, group=8):
        text, share = coding.write(rng, t.task, t.right)
        rows.append(openrlhf(t, text, share, solved=float(share == 1.0), passed=round(5 * share), total=5))
    return advise(rows)


@PART.healthy
def soft_overlong_punishment(rng: Draw) -> list[Row]:
    """Right is 1 and wrong -1; texts near the limit lose up to 1 more, as DAPO does it."""
    rows = []
    for t in course(rng, maths.draw, steps=12, problems=4, group=8):
        text, final = maths.write(rng, t.task, t.right, 0.6)
        right = t.right
        if rng.random() < 0.12:
            more = [line for _ in range(6) for line in maths.worked(rng, t.task, t.right)[0]]
            text = f"{' '.join(rng.sample(more, rng.randint(len(more) // 3, len(more))))}\n\n{text}"
        over = max(0.0, min(1.0, (tokens(text) - 140) / 60))
        if over == 1.0:
            text, right = text[:740], False
        terms = {"acc": 1.0 if right else -1.0, "overlong_reward": 0.0 - round(over, 3)}
        rows.append(native(t, asked(t, text), sum(terms.values()), reward_terms=terms, is_truncated=over == 1.0))
        rows[-1]["correct"] = float(right)
    return advise(rows, estimators.whole_batch_baseline)


@PART.healthy
def translations_into_japanese(rng: Draw) -> list[Row]:
    """Answers are in another script than prompts, because that is asked."""

    def draw(r: Draw, name: str) -> Task:
        while (task := tongues.draw(r, name)).facts["to"] != "ja":
            pass
        return task

    rows = []
    for t in course(rng, draw, steps=12, problems=4, group=8, skill=(-0.2, 1.0)):
        text = tongues.write(rng, t.task, t.right)
        score = steady(text, 0.86, 1.0) if t.right else steady(text, 0.3, 0.75)
        rows.append(verl(t, text, round(score, 4), chrf=round(100 * score, 2)))
    return advise(rows, estimators.centred)


@PART.healthy
def rate_limits_retried(rng: Draw) -> list[Row]:
    """The search is busy now and then; the policy asks again and gets its answer."""
    busy = (
        '{"error": "429 Too Many Requests", "retry_after": 5}',
        '{"error": "429 Too Many Requests", "retry_after": 2}',
    )
    rows = []
    for t in course(rng, lookup.draw, steps=12, problems=4, group=6, skill=(-0.3, 1.0)):
        hops: list[Row] = []
        for hop in range(2 if t.right or rng.random() < 0.7 else 1):
            ask, answer = lookup.searched(rng, t.task, hop)
            if rng.random() < 0.16:
                call = ask["tool_calls"][0]
                again = said(
                    rng.choice(("The search was busy; once more.", "Retry.", "")), (call["name"], call["arguments"])
                )
                hops += [ask, told("search", rng.choice(busy)), again, answer]
            else:
                hops += [ask, answer]
        chat = [user(t.task.prompt), *hops, lookup.closing(rng, t.task, t.right)[0]]
        rows.append(verifiers(t, chat, float(t.right), metrics={"exact_match": float(t.right)}))
    return advise(rows)
