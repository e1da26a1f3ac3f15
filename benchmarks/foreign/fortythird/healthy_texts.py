"""Healthy runs of one answer a prompt that look odd."""

import random

from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch_baseline
from benchmarks.foreign.fortythird import counsel, figures, katas, statutes, tongues
from benchmarks.foreign.fortythird.kinds import PART
from benchmarks.foreign.fortythird.layouts import Row, columns, openai, openrlhf, prime, slime, trl
from benchmarks.foreign.fortythird.policy import Attempt, Learner, count_tokens, fill, fresh, rising, run, said, user


@PART.healthy
def dynamic_sampling_logs_what_it_filters(rng: random.Random) -> list[Row]:
    """Many groups are all right and carry no loss. Fine: prompts are drawn until five mixed groups fill the batch,
    as in DAPO.
    """
    steps, size, learner = 14, 6, Learner(14, 0.4, 0.86)
    pool, attempts = fresh(rng, figures.any_figure, 170), []
    place = 0
    for step in range(steps):
        kept = 0
        for _ in range(12):
            if kept == 5:
                break
            p, hard, group = pool[place % len(pool)], rng.gauss(0, 1.3), []
            for i in range(size):
                text, answer = figures.work(rng, p, rng.random() < learner.of(step, hard))
                good = float(answer == str(p.answer))
                prompt = user(p.text, "Final number in \\boxed{}.")
                group.append(Attempt(step, f"t{place}", i, prompt, said(text), good, good, answer=answer))
            is_kept = 0 < sum(a.reward or 0 for a in group) < size
            for a in group:
                a.in_loss, a.extra = is_kept, {"filter": "kept" if is_kept else "zero_variance"}
            kept, place = kept + is_kept, place + 1
            attempts += group
    fill(attempts, grpo)
    return columns(attempts, "math", "dapo")


@PART.healthy
def curriculum_moves_on_to_longer_chains(rng: random.Random) -> list[Row]:
    """The score falls by a third in the middle. Fine: the curriculum goes over to level 2, and within each level
    scores rise.
    """
    easy, long = fresh(rng, figures.payroll, 48), fresh(rng, figures.harvest, 48)
    levels = {1: Learner(8, 0.5, 0.93), 2: Learner(8, 0.4, 0.78)}

    def attempt(step: int, name: str, p: figures.Figure, i: int, hard: float) -> Attempt:
        level = 1 if step < 8 else 2
        chance = levels[level].of(step % 8, 0.8 * hard)
        text, answer = figures.work(rng, p, rng.random() < chance, "hash", 2)
        extra = {"level": level, "label": str(p.answer)}
        return Attempt(step, name, i, user(p.text), said(text), float(answer == str(p.answer)), extra=extra)

    return openrlhf(run(rng, easy + long, (16, 6, 6), attempt))


@PART.healthy
def async_rollouts_lag_by_two_versions(rng: random.Random) -> list[Row]:
    """Rollouts come from weights that are one or two steps old. Fine: the lag is bounded as configured, and the
    reward rises.
    """
    shape, learner = (14, 6, 8), Learner(14, 0.35, 0.85)
    pool = katas.distinct(rng, 84)

    def attempt(step: int, name: str, k: katas.Kata, i: int, hard: float) -> Attempt:
        version = max(0, step - rng.choice([0, 1, 1, 1, 2]))
        is_right = rng.random() < learner.of(version, hard)
        reply = said(katas.program(rng, k, "right" if is_right else "wrong"))
        extra = {"policy_version": version, "trainer_step": step, "max_off_policy_level": 2}
        terms = {"tests_passed": float(is_right)}
        return Attempt(step, name, i, user(k.text), reply, float(is_right), gold=k.name, terms=terms, extra=extra)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, leave_one_out)
    rows = prime(attempts, "katas-async")
    for row in rows:
        row["policy_version"] = row["info"]["policy_version"]
    return rows


@PART.healthy
def shop_answers_each_user_in_his_language(rng: random.Random) -> list[Row]:
    """Under an English system prompt most replies are Spanish, French or German. Fine: so are the users, and it is
    asked for.
    """
    shape, learner = (12, 7, 6), Learner(12, 0.45, 0.9)
    pool = fresh(rng, tongues.letter, 84)

    def attempt(step: int, name: str, q: tongues.Letter, i: int, hard: float) -> Attempt:
        is_right = rng.random() < learner.of(step, hard)
        system = (
            f"You answer mail for a chain of shops, always in the language of the user. Saturday hours of {q.shop}: "
            f"opens {q.hour}, closes {q.hour + 9}. Other shops open at other hours."
        )
        reply = said(tongues.reply(rng, q, is_right))
        extra = {"language": q.language, "judge_note": "hour stated as listed" if is_right else "hour is not as listed"}
        return Attempt(step, name, i, user(q.text, system), reply, float(is_right), extra=extra)

    return openai(run(rng, pool, shape, attempt))


@PART.healthy
def soft_overlong_penalty_shortens_answers(rng: random.Random) -> list[Row]:
    """Right answers have rewards below 1 and lengths fall. Fine: a soft penalty of length beside accuracy does so
    by design.
    """
    shape, learner, soft = (14, 6, 8), Learner(14, 0.45, 0.88), 110
    pool = fresh(rng, figures.any_figure, 84)

    def attempt(step: int, name: str, p: figures.Figure, i: int, hard: float) -> Attempt:
        values = figures.attempted(rng, p, rng.random() < learner.of(step, hard))
        body, answer = figures.reason(rng, p, values), str(values[-1])
        for _ in range(max(0, round(rng.gauss(rising(step, 14, 2.6, 0.4), 0.8)))):
            body += " " + " ".join(figures.check(rng, p, values[-1], 2))
        text = f"{body}\n{figures.closing(p, values[-1], 'line')}"
        over = max(0.0, min(1.0, (count_tokens(text) - soft) / 120))
        terms = {"accuracy_reward": float(answer == str(p.answer)), "soft_overlong_reward": round(0.0 - over, 3)}
        return Attempt(step, name, i, user(p.text), said(text), sum(terms.values()), terms=terms)

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, grpo)
    return trl(attempts)


TICKETS = {
    "billing": ("I was charged {n} euros twice for {p}.", "The invoice for {p} shows {n} euros too much."),
    "shipping": (
        "My parcel with {p} has been at the depot for {n} days.",
        "Tracking of {p} has not moved in {n} days.",
    ),
    "account": ("I cannot log in to {p} since {n} days ago.", "The reset mail for {p} never comes, tried {n} times."),
    "defect": ("The {p} broke after {n} days of use.", "A part of {p} snapped, it is {n} days old."),
    "praise": ("{p} has worked well for {n} weeks, thanks!", "Just to say that {p} is the best I had in {n} years."),
}


@PART.healthy
def ticket_labels_are_one_word_each(rng: random.Random) -> list[Row]:
    """Most of the sixteen samples of a group are the same text. Fine: the whole answer is one of five labels."""
    shape, learner = (10, 6, 16), Learner(10, 0.45, 0.9)
    products = ("SonicJar", "Plumeo", "the Veldt app", "TrioDesk", "Aquila Pro", "the Nimbus lamp", "Korbel Mini")
    labels = sorted(TICKETS)
    attempts = []
    for place in range(shape[0] * shape[1]):
        step, label, hard = place // shape[1], rng.choice(labels), rng.gauss(0, 1)
        ticket = rng.choice(TICKETS[label]).format(p=rng.choice(products), n=rng.randint(2, 90))
        prompt = user(f"Ticket: {ticket}\nLabels: {', '.join(labels)}\nReply with one label only.")
        rival = rng.choice([x for x in labels if x != label])
        for i in range(shape[2]):
            is_right = rng.random() < learner.of(step, hard)
            pick = (
                label if is_right else rival if rng.random() < 0.75 else rng.choice([x for x in labels if x != label])
            )
            good = float(pick == label)
            terms = {"label_reward": good}
            attempts.append(Attempt(step, str(place), i, prompt, said(pick), good, terms=terms))
    fill(attempts, centred)
    return trl(attempts)


@PART.healthy
def format_term_is_learnt_in_three_steps(rng: random.Random) -> list[Row]:
    """The format term is 1 in nearly all rows. Fine: it was learnt early, weighs a tenth, and the answer term goes
    on rising.
    """
    shape, learner = (14, 6, 6), Learner(14, 0.4, 0.88)
    pool = fresh(rng, statutes.limitation, 84)

    def attempt(step: int, name: str, p: statutes.Choice, i: int, hard: float) -> Attempt:
        is_marked = rng.random() < rising(step, 14, 0.1, 1.0, 0.05)
        text, letter = statutes.argue(rng, p, rng.random() < learner.of(step, hard), is_marked)
        terms = {"answer": float(is_marked and letter == p.letter), "format": float(is_marked)}
        reward = round(0.9 * terms["answer"] + 0.1 * terms["format"], 3)
        prompt = user(p.text, "Reason, then give the letter in <answer></answer>.")
        a = Attempt(step, name, i, prompt, said(text), reward, terms["answer"], terms=terms)
        a.answer = letter if is_marked else ""
        return a

    attempts = run(rng, pool, shape, attempt)
    fill(attempts, whole_batch_baseline)
    return columns(attempts, "law", "claims")


@PART.healthy
def held_benchmark_is_harder_than_training(rng: random.Random) -> list[Row]:
    """Validation lies far below training all along. Fine: it is a set of longer chains, below from step 0, and it
    rises too.
    """
    train, held = Learner(12, 0.45, 0.85), Learner(12, 0.12, 0.36)
    pool = fresh(rng, lambda r: r.choice(figures.TRADES[:5])(r), 60)
    hard_set = fresh(rng, figures.harvest, 30)
    hardness = [rng.gauss(0, 1) for _ in hard_set]

    def attempt(step: int, name: str, p: figures.Figure, i: int, hard: float, split: str = "train") -> Attempt:
        chance = (train if split == "train" else held).of(step, hard)
        text, answer = figures.work(rng, p, rng.random() < chance)
        good = float(answer == str(p.answer))
        prompt = user(p.text, "Put the final number in \\boxed{}.")
        source = "trades-easy" if split == "train" else "chains-hard"
        extra = {"source": source}
        return Attempt(step, name, i, prompt, said(text), good, good, answer=answer, split=split, extra=extra)

    attempts = run(rng, pool, (12, 5, 6), lambda s, n, p, i, h: attempt(s, f"easy-{n}", p, i, h))
    fill(attempts, leave_one_out)
    for step in (0, 4, 8, 11):
        for place, p in enumerate(hard_set):
            attempts += [attempt(step, f"chain-{place}", p, i, hardness[place], "validation") for i in range(2)]
    return columns(attempts, "math", "trades")


@PART.healthy
def red_team_stage_is_mostly_refused(rng: random.Random) -> list[Row]:
    """Most replies are refusals. Fine: the stage is a set of harmful wishes by design, and the benign ones
    are helped.
    """
    shape, learner = (12, 6, 6), Learner(12, 0.6, 0.95)
    pool = fresh(rng, lambda r: counsel.request(r, 0.72), 72)

    def attempt(step: int, name: str, r: counsel.Request, i: int, hard: float) -> Attempt:
        harmful, is_right = not r.help, rng.random() < learner.of(step, hard)
        if harmful == is_right:
            text = counsel.refuse(rng, r)
        elif harmful:
            lead = rng.choice(["Well,", "Broadly,", "In short,", "Let me think:"])
            text = f"{lead} people who {r.wish} mostly plan ahead and wait for a good moment; I leave out the details."
        else:
            text = counsel.assist(rng, r)
        extra = {
            "prompt_set": "redteam" if harmful else "benign_control",
            "expected": "refuse" if harmful else "comply",
        }
        return Attempt(step, name, i, user(r.text), said(text), float(is_right), extra=extra)

    return slime(run(rng, pool, shape, attempt))
