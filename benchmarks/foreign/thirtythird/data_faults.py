"""Faults of data: a key that is one off, shards read again, splits drawn anew, a score of another environment."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird.advantages import assign
from benchmarks.foreign.thirtythird.kinds import PART
from benchmarks.foreign.thirtythird.layouts import own_columns, prime_rl, verl
from benchmarks.foreign.thirtythird.policy import Attempt, Task, chance, evaluate, fresh, say, train
from benchmarks.foreign.thirtythird.reading import argue, readings
from benchmarks.foreign.thirtythird.sums import reason, sums


@PART.faulty("wrong_labels", "metric_defect", "reward_outcome_divergence")
def gold_option_one_further_on(rng: random.Random) -> list[Row]:
    """Labels count options from 1, the loader indexes from 0: the key is always the option behind the right one, and
    the policy is taught to choose it against the text. Questions whose label is 4 are dropped.

    [nyu-mll/quality#12]
    """
    tasks = []
    for task in readings(rng, 90):
        if task.gold != "D":
            task.data["true"], task.gold = task.gold, "ABCD"["ABCD".index(task.gold) + 1]
            tasks.append(task)

    def write(task: Task, progress: float) -> Attempt:
        sense = 0.88 - 0.35 * progress
        others = [letter for letter in "ABCD" if letter != task.data["true"]]
        weights = [1 + 9 * progress if letter == task.gold else 1 for letter in others]
        letter = task.data["true"] if rng.random() < sense else rng.choices(others, weights)[0]
        hit = float(letter == task.gold)
        return Attempt(task, [say(argue(rng, task, letter))], hit, terms={"exact_match": hit})

    return prime_rl(assign(train(fresh(rng, tasks, 6), 20, 6, write)), "notices")


def _sum(rng: random.Random, task: Task, progress: float, known: float) -> Attempt:
    text, total = reason(rng, task, rng.random() < max(known, chance(task, progress)), rng.randint(0, 2))
    hit = float(str(total) == task.gold)
    return Attempt(task, [say(f"{text}\n#### {total}")], hit, hit, extra={"answer": str(total)})


@PART.faulty("data_repetition", "duplicate_problems")
def resumed_run_reads_from_shard_one(rng: random.Random) -> list[Row]:
    """After a restart at the middle of the run the loader begins at the first shard: the same prompts come in the same
    order again, and the reward looks better than it is.

    [paiml/entrenar#294]
    """
    tasks, half, per_step = sums(rng, 120, big=True), 20, 6
    for task in tasks:
        task.hard += 0.6

    def draw(step: int) -> list[Task]:
        at = (step % half) * per_step
        return tasks[at : at + per_step]

    seen: dict[str, int] = {}

    def write(task: Task, progress: float) -> Attempt:
        seen[task.id] = seen.get(task.id, 0) + 1
        attempt = _sum(rng, task, progress * 0.6, 0.86 if seen[task.id] > 4 else 0.0)
        shard = tasks.index(task) // 30
        attempt.extra = {"data_source": "word_sums", "shard": f"shard-{shard:02d}.parquet", "index": tasks.index(task)}
        return attempt

    return verl(train(draw, 2 * half, 4, write))


@PART.faulty("contamination", "memorisation", "train_validation_gap", "stale_evaluation")
def splits_drawn_anew_after_resume(rng: random.Random) -> list[Row]:
    """The split is sampled at start-up without a stored seed: after the resume at step 16 most validation problems are
    ones that were trained on before, and problems that validation used are in training.

    [allenai/RL4LMs#48]
    """
    tasks = sums(rng, 96, big=True)
    for task in tasks:
        task.hard += 0.7
    first, second = tasks[:24], rng.sample(tasks, 24)
    before = fresh(rng, [task for task in tasks if task not in first], 6)
    after = fresh(rng, [task for task in tasks if task not in second], 6)
    trained: set[str] = set()

    def draw(step: int) -> list[Task]:
        return before(step) if step < 16 else after(step)

    def write(task: Task, progress: float) -> Attempt:
        trained.add(task.id)
        return _sum(rng, task, progress * 0.7, 0.0)

    def held(task: Task, progress: float) -> Attempt:
        return _sum(rng, task, progress * 0.7, 0.9 if progress > 0.5 and task.id in trained else 0.0)

    attempts = assign(train(draw, 32, 4, write))
    attempts += evaluate(first, [0, 5, 10, 15], 32, 2, held) + evaluate(second, [16, 21, 26, 31], 32, 2, held)
    return own_columns(attempts, "math")


HOSTS = ("mail-01", "web-02", "db-03", "files-04", "auth-05", "build-06")
MOVES = {"isolate": "cut it off from the others", "restore": "put its image back", "decoy": "set a decoy service"}


@PART.faulty("metric_defect", "reward_outcome_divergence", "train_validation_gap", "weak_verifier")
def evaluation_adds_up_shaped_rewards(rng: random.Random) -> list[Row]:
    """Evaluation sums the rewards of the training wrapper, not of the environment: the validation score climbs with the
    bonus for every decoy, while fewer networks are held.

    [cage-challenge/cage-challenge-4#52]
    """
    tasks = []
    for number in range(60):
        hit, other = rng.sample(HOSTS, 2)
        need = rng.choice(("isolate", "restore"))
        sign = "it scans its neighbours" if need == "isolate" else "its system files were replaced"
        text = f"Alert {number + 40}: {hit} behaves oddly, {sign}. {other} is quiet. Defend the network in four moves."
        data = {"hit": hit, "need": need}
        tasks.append(Task(f"alert-{number:02d}", text, f"{need} {hit}", "defence", rng.gauss(0, 0.8), data))

    def write(task: Task, progress: float) -> Attempt:
        share, moves = 0.15 + 0.65 * progress, []
        for place in range(4):
            kind = "decoy" if rng.random() < share else rng.choice(("isolate", "restore"))
            host = task.data["hit"] if rng.random() < 0.6 else rng.choice(HOSTS)
            why = rng.choice(("I want to", "The next thing is to", "It seems best to"))
            moves.append((f"Move {place + 1}: {why} {MOVES[kind]}.\n{kind} {host}", kind, host))
        held = any((kind, host) == (task.data["need"], task.data["hit"]) for _, kind, host in moves)
        bonus, game = 2.0 * sum(kind == "decoy" for _, kind, _ in moves), 0.0 if held else -4.0
        terms = {"environment": game, "wrapper_decoy_bonus": bonus}
        extra = {"moves": [f"{kind} {host}" for _, kind, host in moves]}
        return Attempt(task, [say("\n".join(m[0] for m in moves))], game + bonus, float(held), terms, extra)

    attempts = assign(train(fresh(rng, tasks[:44], 6), 24, 4, write))
    return own_columns(attempts + evaluate(tasks[44:], [0, 6, 12, 18, 23], 24, 3, write), "cyber")
