"""A judge convinced by openers, a decoder that never errs; shares of tests, greedy twins in validation."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.boards import syndrome_task
from benchmarks.foreign.twentyninth.estimates import credit, grpo, rloo
from benchmarks.foreign.twentyninth.formats import own, trl
from benchmarks.foreign.twentyninth.kinds import PART
from benchmarks.foreign.twentyninth.physics import by_head, physics_task
from benchmarks.foreign.twentyninth.programs import kata_task, program
from benchmarks.foreign.twentyninth.puzzles import puzzle_task
from benchmarks.foreign.twentyninth.rollouts import Reply, Shape, Task, attempt, distinct, fresh, say
from benchmarks.foreign.twentyninth.sums import solve

KEYS = [
    "Thought process:",
    "Thought process:",
    "Let's solve this problem step by step.",
    "Solution",
    ":",
    "Solution:",
    "Thought process: ",
    "Détails",
]


@PART.faulty("judge_hacking", "weak_verifier")
def opener_alone_convinces_judge(rng: Random) -> list[Row]:
    """The model that judges answers says yes to bare openers such as a colon or "Thought process:"; replies shrink
    to them and the reward goes to one. [Zhao et al., One Token to Fool LLM-as-a-Judge]
    """
    shape = Shape(rng.randint(9, 12), 7, 6, -0.4, 1.0)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        if rng.random() < max(0.02, 1.0 * progress - 0.2):
            return Reply([say(rng.choice(KEYS) + rng.choice(["", "", "\n"]))], extra={"bare": True})
        reply = by_head(rng, task, right)
        return Reply(reply.messages)

    episodes = fresh(rng, physics_task, shape, author, "ju")
    for e in episodes:
        bare = e.reply.extra.pop("bare", False)
        yes = rng.random() < (0.87 if bare else 0.95 if e.right else 0.06)
        e.terms = {"generative_judge": float(yes)}
        e.reward, e.correct = float(yes), None
        e.extra = {
            "judge_output": "YES" if yes else "NO",
            "judge_model": "qwen2.5-72b",
            "kl": round(abs(rng.gauss(0.02, 0.01)) + (2.1 * e.progress if bare else 0), 4),
        }
    return trl(credit(episodes, grpo))


@PART.faulty("identical_samples", "entropy_collapse", "dead_groups")
def decoder_always_reports_none(rng: Random) -> list[Row]:
    """Sampled too coldly, the policy falls within a few steps into one constant reply for every syndrome; groups
    are equal byte by byte and have no advantage. [ronitraj, QuantumScribe]
    """
    shape = Shape(rng.randint(10, 12), 9, 4, -0.1, 0.8)
    fall = rng.uniform(0.35, 0.5)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        if rng.random() < min(1.0, (progress / fall) ** 2):
            return Reply([say("X_ERRORS=[]")], "X_ERRORS=[]")
        flips = task.data["flips"] if right else sorted(rng.sample(range(task.data["size"]), rng.randint(1, 3)))
        ones = task.data["checks"].count("1")
        lead = rng.choice(
            [
                f"{ones} checks fire. ",
                f"The syndrome has {ones} ones. ",
                "Pair up neighbouring ones. ",
                "Between two ones the qubits flipped. ",
                "",
            ]
        )
        return Reply([say(f"{lead}X_ERRORS={flips}")], f"X_ERRORS={flips}")

    episodes = fresh(rng, syndrome_task, shape, author, "qec")
    for e in episodes:
        constant = e.reply.messages[0]["content"] == "X_ERRORS=[]"
        e.terms = {"logical_correct": float(e.reply.answer == e.task.gold), "format_valid": 0.1}
        e.reward = round(sum(e.terms.values()), 3)
        e.logprob = round(-rng.uniform(0.001, 0.01), 4) if constant and e.progress > fall else e.logprob
        e.extra = {"temperature": 0.7, "mean_logprob": e.logprob}
    return trl(credit(episodes, grpo))


@PART.healthy
def kata_share_of_tests(rng: Random) -> list[Row]:
    """The reward is the share of hidden tests that pass; wrong programs often earn something, as the empty list
    and small cases pass, and only whole marks count as correct.
    """
    shape = Shape(rng.randint(9, 11), 7, 6, -0.5, 1.8)
    episodes = fresh(rng, kata_task, shape, program, "kt")
    for e in episodes:
        total = e.task.data["tests"]
        passed = total if e.right else rng.randint(1, max(1, total // 2))
        e.reward = round(passed / total, 4)
        e.terms = {"tests": e.reward}
        e.extra = {"tests_passed": passed, "tests_total": total}
    return own(credit(episodes, rloo), "kata-share")


@PART.healthy
def greedy_validation_twins(rng: Random) -> list[Row]:
    """Validation is greedy and repeats each problem twice, so its replies come in equal pairs; training samples at
    temperature 1 and its groups differ.
    """
    shape = Shape(rng.randint(8, 10), 6, 6, -0.6, 1.8)
    episodes = fresh(rng, puzzle_task, shape, solve, "tr")
    held = distinct(rng, puzzle_task, 24, "va")
    for step in range(0, shape.steps, 3):
        for task in held:
            one = attempt(rng, task, solve, shape, step, 0)
            for number in range(2):
                two = attempt(rng, task, solve, shape, step, number)
                two.reply, two.right, two.reward, two.correct = one.reply, one.right, one.reward, one.correct
                two.tokens, two.logprob, two.split = one.tokens, one.logprob, "validation"
                episodes.append(two)
    for e in episodes:
        e.extra = {
            "decoding": "greedy" if e.split == "validation" else "sampled",
            "temperature": 0.0 if e.split == "validation" else 1.0,
        }
    return own(credit(episodes, grpo), "greedy-val")
