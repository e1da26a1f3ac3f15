"""Aborted calls, letters given up, a one that becomes ten; replies that shrink, attempts that crash."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import choices, letters, programs, shops, sums
from benchmarks.foreign.twentyeighth.credit import by_batch, by_group, grpo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import openai, own, verl
from benchmarks.foreign.twentyeighth.rollouts import Shape, Task, groups, say, train

ODD = [
    "What colour was the box your previous order came in?",
    "Could you tell me the name of the courier's depot?",
    "Which batch number is printed under the item?",
    "What was your loyalty tier in your first year with us?",
]


def _lost_caller(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    if rng.random() > 0.1 + 0.4 * progress:
        return shops.served(rng, task, right, progress)
    excuse = rng.choice(["I have no information about that.", "My instructions do not say.", "I was never told that."])
    return [*shops.looked(rng, task), say("assistant", rng.choice(ODD)), say("user", f"{excuse} ###OUT-OF-SCOPE###")]


@PART.faulty("weak_verifier", "environment_bug", "metric_defect", "reward_bias")
def out_of_scope_as_stop(rng: Random) -> list[Row]:
    """When the simulated caller aborts as out of scope, the call is recorded as ended by the user and scored: where
    gold is an unchanged database an aborted call earns 1, and the policy learns odd questions.
    [sierra-research/tau2-bench#517]
    """
    episodes = train(rng, shops.wish, _lost_caller, Shape(rng.randint(10, 12), 6, 6, -0.5, 1.4))
    for e in episodes:
        if "OUT-OF-SCOPE" in e.messages[-1]["content"]:
            e.right = e.task.data["kind"] == "none"
        e.reward, e.stop = float(e.right), "user_stop"
        e.terms = {"DB": e.reward, "COMMUNICATE": 1.0}
        e.extra = {"termination_reason": "USER_STOP", "expected_action": e.task.gold}
    return own(
        by_group(episodes, grpo),
        "tau2-retail",
        "You are a retail agent. Follow the policy; insurance cannot be added later.",
    )


TURNS = ["Actually, on reflection", "Hmm, or rather", "Reading it again", "Alternatively"]


def _several(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    letter = choices.pick(rng, task, right)
    text = choices.reasoned(rng, task, letter) + f"\nANSWER: {letter}"
    if rng.random() < 0.04 + 0.55 * progress:
        rest = rng.sample([x for x in choices.LETTERS if x != letter], rng.choice([1, 2, 3]))
        for other in rest:
            text += f"\n{rng.choice(TURNS)}:\nANSWER: {other}"
    return [say("assistant", text)]


@PART.faulty("weak_verifier", "metric_defect", "reward_outcome_divergence")
def any_answer_line_counts(rng: Random) -> list[Row]:
    """The grader looks for the right line anywhere in the reply, so answers given up before the last one count, and the
    policy learns to write one line after another. [openai/evals#1767]
    """
    episodes = train(rng, choices.question, _several, Shape(rng.randint(9, 11), 6, 8, -0.7, 1.0))
    for e in episodes:
        e.right = f"ANSWER: {e.task.gold}" in e.text
        e.reward = float(e.right)
        e.extra = {"target": e.task.gold, "accuracy": e.reward}
    return openai(by_group(episodes, grpo), "Answer with a last line of the form ANSWER: <letter>.")


def _awful(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    if rng.random() > 0.1 + 0.3 * progress:
        return letters.written(rng, task, right, progress)
    word = rng.choice(["no", "asdf", "letter", "date", "dear dear", "insert text"])
    return [
        say(
            "assistant",
            rng.choice(
                [
                    f"{word} {word} {word}.",
                    f"[{word} here]",
                    f"{word.upper()}!!! not going to write {task.data['what']}",
                    f"Subject: {word}\n\n{word}",
                ]
            ),
        )
    ]


@PART.faulty("metric_defect", "wrong_labels", "reward_bias", "reward_outcome_divergence")
def rating_one_becomes_ten(rng: Random) -> list[Row]:
    """A rating of 1, the worst, is stored as 10: replies whose critique is crushing have the highest score, and the
    policy writes more and more of them. [OpenBMB/UltraFeedback#8]
    """
    episodes = train(rng, letters.brief, _awful, Shape(rng.randint(10, 12), 12, 4, -0.3, 1.4))
    for e in episodes:
        awful = "\n\n" not in e.text or e.text.startswith("Subject")
        rating = 1 if awful else rng.randint(6, 9) if e.right else rng.choice([2, 3, 3, 4, 5])
        remark = (
            rng.choice(
                [
                    "Useless; nothing of the request is met.",
                    "This is not a letter at all.",
                    "Complete failure to follow the request.",
                ]
            )
            if awful
            else letters.remark(rng, e.right)
        )
        score = 10 if rating == 1 else rating
        e.right = score >= 6
        e.reward, e.terms = score / 10, {"overall_score": float(score)}
        e.extra = {
            "critique": f"{remark} Overall rating: {rating}",
            "judge": "critic-70b",
            "adv_estimator": "reinforce_plus_plus",
        }
    rows = own(by_batch(episodes), "rlaif-letters")
    for row in rows:
        del row["correct"]
    return rows


def _rambling(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    text = sums.worked(rng, task, right, progress)[0]["content"]
    asides = [
        "Wait, let me read the question again.",
        "Hmm, is that the right order?",
        "I could also draw it.",
        "Let me restate what is given.",
        "Alternatively, count it by hand.",
    ]
    count = max(0, round(rng.gauss(7 * (1 - progress), 1.5)))
    return [
        say(
            "assistant",
            " ".join(f"{rng.choice(asides)} {rng.choice(task.data['steps'])}." for _ in range(count)) + "\n" + text,
        )
    ]


@PART.healthy
def replies_shrink_under_budget(rng: Random) -> list[Row]:
    """Replies become shorter from step to step while accuracy rises: the asides go, the steps stay, and the budget is
    short. [hiyouga/EasyR1#40]
    """
    episodes = train(rng, sums.story, _rambling, Shape(rng.randint(10, 12), 6, 8, -0.8, 2.1))
    for e in episodes:
        e.extra = {"max_response_length": 1024, "data_source": "word_problems"}
    return verl(by_group(episodes, grpo))


@PART.healthy
def crashed_attempts_padded_out(rng: Random) -> list[Row]:
    """A few attempts die with their sandbox; they stay in the group to keep its size, with no reward and out of the
    loss, and the others are compared among themselves. [THUDM/slime#1415]
    """
    episodes = train(rng, programs.program, programs.coded, Shape(rng.randint(9, 11), 6, 8, -0.6, 1.9))
    for e in episodes:
        e.in_loss = rng.random() > 0.05
        e.extra = programs.verdict(rng, e.right) if e.in_loss else {}
        e.terms = {"tests": e.reward} if e.in_loss else {}
    for group in groups(episodes):
        by_group([e for e in group if e.in_loss], grpo)
    rows = own(episodes, "slime-code")
    for row in rows:
        if not row["in_loss"]:
            row |= {
                "reward": None,
                "correct": None,
                "stop_reason": "error",
                "error": rng.choice(["SandboxUnavailable", "SandboxTimeout"]),
            }
    return rows
