"""Healthy runs whose data or texts look odd."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, leave_one_out
from benchmarks.foreign.fiftyfourth import library, phrases, programs, sums
from benchmarks.foreign.fiftyfourth.attempts import Attempt, Learner, run, said, weigh
from benchmarks.foreign.fiftyfourth.kinds import PART
from benchmarks.foreign.fiftyfourth.layouts import nemo, openrlhf, plain, trl, verl


@PART.healthy
def small_set_is_seen_for_three_epochs(rng: random.Random) -> list[Row]:
    """Every prompt comes three times, as duplicates would; the epoch column says that it is three passes over a small
    set, no step holds one twice, and answers differ from pass to pass.
    """
    tasks, epochs, groups = library.notes(rng, 48), 3, 6
    policy = Learner(-0.5, 1.8, 24)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        lead = rng.choice(
            (
                "Vendor, total and due day are all stated.",
                "The sum is given directly, so no product is needed.",
                "I read the firm first, then the sum, then the day.",
                "Careful: the unit price is not the total.",
            )
        )
        fields = library.extracted(rng, task, right)
        text = f"{lead}\n" + str(fields).replace("'", '"')
        terms = {"fields_reward": float(right)}
        prompt = "Extract vendor, total, due as JSON.\n" + task["text"]
        return Attempt(prompt, said(text), float(right), float(right), gold=task["gold"], terms=terms)

    steps = len(tasks) * epochs // groups
    rows = weigh(run(rng, tasks, steps, groups, 6, attempt))
    return [trl(a, epoch=1 + (a.step - 1) * groups // len(tasks), solution=a.gold) for a in rows]


@PART.healthy
def harder_tier_begins_and_the_score_dips(rng: random.Random) -> list[Row]:
    """The mean reward drops clearly from one step to the next, as after a broken update: the curriculum goes to its
    second tier there, as a column says, and the policy climbs again on it.
    """
    easy, hard = sums.problems(rng, 40, "tier1-"), sums.problems(rng, 44, "tier2-", big=True)
    for task in hard:
        task["hard"] += 2.3
    turn = rng.randint(9, 11)
    policy = Learner(0.3, 3.0, 22)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        real = step + (turn if task["id"].startswith("tier2") else 0)
        right = float(policy.hits(rng, real, task["hard"]))
        text = sums.boxed(rng, task, bool(right))
        return Attempt(
            task["text"],
            said(text),
            right,
            right,
            gold=task["gold"],
            extra={"tier": int(task["id"][4]), "ground_truth": task["gold"]},
        )

    first, second = run(rng, easy, turn, 6, 6, attempt), run(rng, hard, 22 - turn, 6, 6, attempt)
    for a in second:
        a.step += turn
    return [nemo(a, i) for i, a in enumerate(first + second)]


@PART.healthy
def letters_come_in_the_languages_asked_for(rng: random.Random) -> list[Row]:
    """English prompts are answered in German, Russian and Spanish throughout, which looks like a drift of language: it
    is a translation task, and each prompt names the language.
    """
    tasks = phrases.problems(rng, 48)
    policy = Learner(-0.4, 1.7, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        text = phrases.translated(rng, task, right)
        whole = sum(s[task["tongue"] + 1] in text for s in task["lines"]) / 4
        reward = whole - 0.25 * (not right)
        return Attempt(
            task["text"],
            said(text),
            round(reward, 3),
            float(right),
            gold=" ".join(s[task["tongue"] + 1] for s in task["lines"]),
        )

    return [openrlhf(a) for a in weigh(run(rng, tasks, 20, 6, 6, attempt), leave_one_out)]


TICKETS = (
    ("billing", "I was charged {n} euros twice for order {r}.", "The invoice {r} shows {n} euros that I never spent."),
    (
        "delivery",
        "Order {r} should have come {n} days ago.",
        "The courier left parcel {r} in the rain, {n} streets away.",
    ),
    (
        "returns",
        "The shoes of order {r} are {n} sizes too small; I send them back.",
        "How do I return {n} items of {r}?",
    ),
    (
        "account",
        "I cannot log in since {n} days; my number is {r}.",
        "Please delete my profile {r}, I asked {n} times.",
    ),
    ("product", "Does lamp {r} take bulbs of {n} watts?", "The kettle {r} leaks after {n} uses, is this known?"),
)


@PART.healthy
def one_word_labels_repeat_within_groups(rng: random.Random) -> list[Row]:
    """Attempts of a group are often the same text, as if sampled with one seed: the answer is a single label, so right
    attempts must be equal; where the policy is unsure the labels of a group differ.
    """
    tasks = []
    for at in range(60):
        label, *forms = rng.choice(TICKETS)
        text = rng.choice(forms).format(n=rng.randint(2, 60), r=rng.randint(10000, 99999))
        other = rng.choice([t[0] for t in TICKETS if t[0] != label])
        tasks.append({"id": f"ticket-{at:02d}", "text": text, "gold": label, "other": other, "hard": rng.gauss(0, 1.1)})
    policy = Learner(-0.3, 1.5, 20)
    prompt = "Label the ticket: billing, delivery, returns, account or product. Answer with the label alone.\n"

    def attempt(step: int, task: dict, k: int) -> Attempt:
        wrong = task["other"] if rng.random() < 0.7 else rng.choice([t[0] for t in TICKETS])
        label = task["gold"] if policy.hits(rng, step, task["hard"]) else wrong
        right = float(label == task["gold"])
        return Attempt(prompt + task["text"], said(label), right, right, gold=task["gold"], extra={"acc": right})

    return [verl(a, index=a.pid) for a in run(rng, tasks, 20, 8, 6, attempt)]


@PART.healthy
def reward_is_the_share_of_tests_passed(rng: random.Random) -> list[Row]:
    """Rewards are high where `solved` is 0, as if wrong programs were paid: the reward is the share of hidden tests
    passed, by design, and full marks go to solved programs alone.
    """
    tasks = programs.problems(rng, 48)
    policy = Learner(-0.3, 1.6, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        kind = task["right"] if policy.hits(rng, step, task["hard"]) else rng.choice((task["wrong"], "n", "max(a) - k"))
        share = round(programs.passes(task, kind), 4)
        text = programs.reply(rng, programs.source(rng, kind))
        return Attempt(
            task["text"],
            said(text),
            share,
            float(share == 1.0),
            extra={"solved": float(share == 1.0), "tests_passed": round(12 * share), "tests_total": 12},
        )

    return [plain(a) for a in weigh(run(rng, tasks, 20, 6, 6, attempt), centred)]
