"""Credit out of order, replicas in pairs, a tax on tokens; epochs, a leash, commits, lost nodes, drills and letters."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eleventh.commits import COMMITS
from benchmarks.foreign.eleventh.credit import centred, grpo, rloo
from benchmarks.foreign.eleventh.dumps import openai, openrlhf, own, prime_rl, verl
from benchmarks.foreign.eleventh.evaluation import held
from benchmarks.foreign.eleventh.jobs import DRILLED
from benchmarks.foreign.eleventh.kinds import PART
from benchmarks.foreign.eleventh.letters import LETTERS
from benchmarks.foreign.eleventh.programs import PROGRAMS
from benchmarks.foreign.eleventh.repos import REPOS
from benchmarks.foreign.eleventh.runs import Reply, Shape, fresh_plan, groups_of, make_tasks, play, say, train
from benchmarks.foreign.eleventh.sums import SUMS
from benchmarks.foreign.eleventh.tongues import TONGUES


@PART.faulty("advantage_mismatch", "phantom_advantage")
def packing_moves_credit(rng: Random) -> list[Row]:
    """Rows of a step are sorted by length to be packed, but their advantages stay in the old order: most rows are
    trained with the advantage of another row.
    """
    steps = rng.randint(9, 12)
    since = rng.randint(2, 4)
    episodes = grpo(train(rng, PROGRAMS, Shape(steps, 7, 6), start=-0.3, gain=0.5, prefix="pk"))
    for step in range(since, steps):
        batch = [e for e in episodes if e.step == step]
        packed = sorted(batch, key=lambda e: e.tokens)
        for e, advantage in zip(packed, [e.advantage for e in batch], strict=True):
            e.advantage = advantage
        for slot, e in enumerate(packed):
            e.extra = {"pack": slot // 8, "pack_slot": slot % 8}
    for e in episodes:
        e.extra = e.extra or {"pack": None, "pack_slot": None}
    return own(rng, episodes, "code-packed", "code")


@PART.faulty("identical_samples", "seed_reuse")
def paired_replicas_one_seed(rng: Random) -> list[Row]:
    """Two replicas of the sampler share their seeds: the second half of each group repeats the first half, word by
    word, so that groups of eight hold four samples.
    """
    episodes = train(rng, SUMS, Shape(rng.randint(8, 11), 6, 8), start=-0.4, gain=1.8, prefix="z")
    for group in groups_of(episodes):
        seeds = [rng.randrange(2**31) for _ in range(4)]
        for e in group:
            e.extra = {"replica": e.attempt // 4, "sampling_seed": seeds[e.attempt % 4]}
            if e.attempt >= 4 and rng.random() < 0.95:
                twin = group[e.attempt - 4]
                e.reply, e.right, e.reward, e.terms = twin.reply, twin.right, twin.reward, twin.terms
    return verl(grpo(episodes))


SHRUGS = ["I am not sure.", "Hard to say.", "Skip.", "No idea, I pass.", "This takes too long.", "I leave it open."]


@PART.faulty("length_gaming", "reward_outcome_divergence", "timidity")
def shrug_under_token_tax(rng: Random) -> list[Row]:
    """Each token costs so much, right or wrong, that a short shrug pays more than an honest try: replies shrink to a
    few words and reward climbs while accuracy falls.
    """
    episodes = train(rng, SUMS, Shape(rng.randint(10, 13), 7, 6), start=-0.3, gain=0.3, prefix="tax")
    price = rng.uniform(0.022, 0.026)
    for e in episodes:
        if rng.random() < 0.03 + 0.8 * e.t**1.1:
            guess = rng.choice([0, 0, 1, 100, rng.randint(2, 900)])
            shrug = rng.choice(SHRUGS)
            e.reply = Reply([say(rng.choice([f"{shrug} \\boxed{{{guess}}}", f"\\boxed{{{guess}}}"]))], str(guess))
            e.right = str(guess) == e.task.gold
        tax = round(-price * e.tokens, 4)
        e.terms = {"correct": float(e.right), "token_tax": tax}
        e.reward = round(float(e.right) + tax, 4)
    return own(rng, centred(episodes), "taxed")


@PART.healthy
def forty_tasks_many_epochs(rng: Random) -> list[Row]:
    """A small set of forty problems is gone through about twice, each time in another order; training and held scores
    climb alike.
    """
    shape = Shape(rng.randint(10, 13), 8, 5)
    tasks = make_tasks(rng, TONGUES, 40, "few")
    episodes = grpo(play(rng, TONGUES, fresh_plan(rng, tasks, shape), shape.size, -0.6, 2.1))
    exam = make_tasks(rng, TONGUES, 26, "few-dev")
    return openai([*episodes, *held(rng, TONGUES, exam, shape.steps, 3, (-0.6, 1.4))])


@PART.healthy
def adaptive_leash_settles(rng: Random) -> list[Row]:
    """The distance to the reference grows in the first third of the run until the adaptive coefficient holds it at its
    target.
    """
    episodes = train(rng, PROGRAMS, Shape(rng.randint(11, 14), 8, 5), start=-0.5, gain=2.1, prefix="kl")
    target = rng.uniform(0.03, 0.06)
    for e in episodes:
        level = target * min(1.0, 0.1 + 2.6 * e.t)
        kl = max(0.0005, rng.gauss(level, level * 0.18))
        e.extra = {"kl": round(kl, 5), "kl_coef": round(0.02 + 0.03 * min(1.0, 2 * e.t), 4)}
    return own(rng, rloo(episodes), "kl-adaptive", "code")


@PART.healthy
def which_commit_broke_it(rng: Random) -> list[Row]:
    """The task is to find the commit that broke a function, so git log and git show are what it needs."""
    episodes = train(rng, COMMITS, Shape(rng.randint(7, 9), 6, 8), start=-0.5, gain=2.1, prefix="arch")
    return own(rng, grpo(episodes), "archaeology", "swe", logprobs=True)


@PART.healthy
def preempted_nodes_left_out(rng: Random) -> list[Row]:
    """Spot machines are taken away now and then, more so in two steps; the attempts lost with them have an error and
    neither reward nor place in the loss.
    """
    shape = Shape(rng.randint(9, 12), 6, 6)
    episodes = train(rng, REPOS, shape, start=-0.4, gain=2.1, prefix="spot")
    bursts = rng.sample(range(1, shape.steps), 2)
    for e in episodes:
        if rng.random() < (0.16 if e.step in bursts else 0.025):
            e.error = rng.choice(["NodePreempted", "NodePreempted", "SandboxLost"])
            e.reply.turns = e.reply.turns[: rng.choice([2, 4])]
            e.reward, e.terms, e.right, e.in_loss = None, {}, False, False
            e.reply.extra, e.reply.answer = {}, ""
    return own(rng, grpo(episodes), "spot-swe", "swe")


@PART.healthy
def rehearsed_gateway_faults(rng: Random) -> list[Row]:
    """The environment lets calls fail on purpose, marked as a drill, so that the policy learns to ask again."""
    episodes = train(rng, DRILLED, Shape(rng.randint(9, 12), 6, 6), start=-0.6, gain=2.3, prefix="drill")
    for e in episodes:
        e.task.system = (
            "Tools: submit(job, team, cores), status(job_id). The gateway fails at random in this exercise; answers "
            "marked (drill) should be retried. Report the records done. End with: Records: <n>."
        )
    return prime_rl(rng, grpo(episodes), "resilience-drill")


@PART.healthy
def letters_on_exam_sheets(rng: Random) -> list[Row]:
    """Replies are one letter, so many within a group are alike and chance alone gets a quarter right."""
    episodes = train(rng, LETTERS, Shape(rng.randint(9, 12), 8, 6), start=-0.9, gain=2.0, prefix="mc")
    for e in episodes:
        e.extra = {"correct": float(e.right)}
    return openrlhf(grpo(episodes))
