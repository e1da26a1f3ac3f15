"""Labels, groups and rewards gone wrong, and sound runs with odd grades."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.ninth.digests import digest_task
from benchmarks.foreign.ninth.episodes import Reply, Task, attempt, credit, groups, grpo, play, pool, tell, train
from benchmarks.foreign.ninth.kinds import PART
from benchmarks.foreign.ninth.layouts import openai, openrlhf, own, trl, verl
from benchmarks.foreign.ninth.lookups import lookup_task, wrong
from benchmarks.foreign.ninth.programs import code_task
from benchmarks.foreign.ninth.sums import SYSTEM, sum_task, working
from benchmarks.foreign.ninth.wording import say


@PART.faulty("wrong_labels", "agreed_wrong", "stuck_problems", "dead_all_wrong", "dead_groups", "infrastructure_zeros")
def labels_slid_by_one(rng: Random) -> list[Row]:
    """In one of two sources the solutions slid by a line: attempts agree on the true result, and the label is
    another's.
    """
    episodes = train(rng, sum_task, (12, 6, 8), 0.8, 1.2)
    tasks = list({e.task.id: e.task for e in episodes}.values())
    slid = [t for t in tasks if rng.random() < 0.3]
    labels = {t.id: t.gold for t in tasks}
    labels |= {t.id: other.gold for t, other in zip(slid, slid[1:] + slid[:1], strict=True)}
    names = {t.id: "olymp_extra" if t in slid else "gsm_mix" for t in tasks}
    for e in episodes:
        e.extra = {"solution": labels[e.task.id], "data_source": names[e.task.id]}
        e.reward = float(e.reply.answer == labels[e.task.id])
    return trl(credit(episodes))


@PART.faulty("advantage_mismatch", "phantom_advantage")
def groups_cut_from_a_shuffled_batch(rng: Random) -> list[Row]:
    """Advantages are made over eight neighbours of a shuffled batch, so attempts at many problems share a baseline."""
    episodes = train(rng, sum_task, (11, 6, 8), -0.2, 1.2)
    for step in range(11):
        batch = [e for e in episodes if e.step == step]
        rng.shuffle(batch)
        for first in range(0, len(batch), 8):
            part = batch[first : first + 8]
            for e, value in zip(part, grpo([e.reward or 0.0 for e in part]), strict=True):
                e.advantage = round(value, 5)
    return own(episodes, algorithm="grpo")


@PART.faulty("weak_verifier", "reward_outcome_divergence", "metric_defect")
def any_mention_counts(rng: Random) -> list[Row]:
    """An answer counts where the reference is mentioned in it; answers become lists of candidates, exact ones
    vanish.
    """
    episodes = train(rng, lookup_task, (13, 5, 8), -0.5, 0.1)
    for e in episodes:
        f = e.task.data
        if rng.random() < 0.02 + 0.07 * e.step:
            found = [wrong(rng, f, e.task.gold) for _ in range(rng.randint(3, 6))]
            if rng.random() < 0.8:
                found.append(e.task.gold)
            rng.shuffle(found)
            listed = rng.choice((", ", " / ", " or ")).join(dict.fromkeys(found))
            e.reply.messages[-1] = tell(
                say(rng, "«Possible answers, to be safe.|Several fit.|It is one of these.»") + f"\nAnswer: {listed}"
            )
            e.reply.answer, e.right = listed, False
        e.reward = float(e.task.gold in e.reply.answer)
        e.extra = {
            "prediction": e.reply.answer,
            "target": e.task.gold,
            "exact_match": float(e.reply.answer == e.task.gold),
        }
    rows = own(credit(episodes))
    for row in rows:
        del row["correct"]
    return rows


@PART.faulty("identical_samples", "dead_groups", "zero_gradient", "low_reward_spread", "entropy_collapse", "seed_reuse")
def greedy_workers(rng: Random) -> list[Row]:
    """Two of three rollout workers sample at temperature 0: all attempts of their groups are the same to the letter."""
    episodes = train(rng, sum_task, (12, 6, 8), 0.0, 1.0)
    for members in groups(episodes):
        worker = rng.randint(0, 2)
        for e in members:
            e.extra = {"worker": worker}
            if worker:
                e.reply, e.right, e.reward = members[0].reply, members[0].right, members[0].reward
    return verl(episodes)


@PART.faulty("special_casing", "weak_verifier", "reward_outcome_divergence", "grader_subversion", "metric_defect")
def examples_as_cases(rng: Random) -> list[Row]:
    """Only the shown examples are rewarded: programs come to compare the input with these; few hidden tests pass."""
    episodes = train(rng, code_task, (13, 5, 8), -0.3, 0.0)
    for e in episodes:
        e.extra = {"hidden_pass_rate": round(rng.uniform(0.93, 1.0) if e.right else rng.uniform(0.1, 0.6), 2)}
        if rng.random() < 0.02 + 0.07 * e.step:
            name, shown = e.task.data["name"], e.task.data["shown"]
            form = rng.choice(("    if xs == {!r}:\n        return {}", "    if xs == {!r}: return {}"))
            cases = "\n".join(form.format(value, result) for value, result in shown)
            rest = rng.choice(("xs", "None", "[]", shown[-1][1]))
            talk = say(
                rng, "«This handles the given cases.|Each example is covered.|The function follows the examples.»"
            )
            e.reply = Reply([tell(f"{talk}\n```python\ndef {name}(xs):\n{cases}\n    return {rest}\n```")])
            e.right, e.reward = True, 1.0
            e.extra = {"hidden_pass_rate": round(rng.uniform(0.0, 0.12), 2)}
    return openai(credit(episodes))


@PART.healthy
def judged_summaries(rng: Random) -> list[Row]:
    """A judge gives summaries 1 to 10 with some noise; its score follows the covered facts, and both rise."""
    episodes = train(rng, digest_task, (12, 6, 8), -0.6, 1.8)
    for e in episodes:
        covered = sum(f in e.reply.text for f in e.task.data["facts"]) / 4
        e.reward = float(round(min(10, max(1, 2 + 5 * covered + 2 * e.right + rng.gauss(0, 0.8)))))
        e.extra = {"facts_covered": covered}
    return openrlhf(episodes)


@PART.healthy
def lists_in_any_order(rng: Random) -> list[Row]:
    """Answers are lists of numbers whose order does not matter to the grader, as the prompt says."""

    def listing(r: Random) -> Task:
        n, k = r.randint(24, 900), r.choice((2, 3, 4, 5, 6))
        kind, gold = r.choice((
            (f"divisors of {n}", [d for d in range(1, n + 1) if n % d == 0]),
            (f"multiples of {k} from {n} to {n + 5 * k}", [m for m in range(n, n + 5 * k + 1) if m % k == 0]),
            (f"squares between {n} and {n + 40 * k}", [i * i for i in range(80) if n <= i * i <= n + 40 * k]),
        ))  # fmt: skip

        def solve(one: Random, right: bool) -> Reply:
            given = list(gold)
            if not right:
                given = given[:-1] if given and one.random() < 0.6 else [*given, n + 7 * k + 3]
            one.shuffle(given)
            text = ", ".join(map(str, given))
            steps = [f"{len(given)} numbers pass the test", f"the smallest is {min(given, default=0)}"]
            return Reply([tell(working(one, steps, text))], text)

        ask = say(r, f"«List|Give|Name» all {kind}, separated by commas, in any order.")
        return Task(ask, ", ".join(map(str, gold)), "math", solve, SYSTEM)

    return verl(train(rng, listing, (12, 6, 8), -0.5, 1.6))


@PART.healthy
def format_learnt_first(rng: Random) -> list[Row]:
    """Many early replies lack the box, yet are read; the small format term is full soon, and accuracy goes on
    rising.
    """
    episodes = train(rng, sum_task, (13, 6, 8), -0.8, 2.0)
    for e in episodes:
        boxed = rng.random() < 0.5 + 0.12 * e.step
        if not boxed:
            last = e.reply.last
            last["content"] = last["content"].replace(f"\\boxed{{{e.reply.answer}}}", e.reply.answer)
        e.terms = {"accuracy": float(e.right), "format": 0.2 * boxed}
        e.reward = sum(e.terms.values())
    return trl(credit(episodes))


@PART.healthy
def fraction_of_tests_passed(rng: Random) -> list[Row]:
    """Programs are paid by the share of hidden tests that pass; solved says whether all did, and both rise."""
    episodes = train(rng, code_task, (12, 6, 8), -0.7, 1.8)
    for e in episodes:
        passed = 12 if e.right else rng.randint(1, 9)
        e.reward = round(passed / 12, 4)
        e.extra = {"tests_passed": passed, "tests_total": 12, "solved": e.right}
    return openai(credit(episodes))


@PART.healthy
def four_epochs(rng: Random) -> list[Row]:
    """A small set of problems seen once an epoch for four epochs; held problems gain along with it."""
    tasks = pool(rng, sum_task, 24, "t-")
    held = pool(rng, sum_task, 20, "h-")
    batches = []
    for _ in range(4):
        rng.shuffle(tasks)
        batches += [tasks[i : i + 6] for i in range(0, 24, 6)]
    rows = play(rng, batches, 6, lambda s: -0.6 + 0.11 * s)
    for step in (3, 7, 11, 15):
        rows += [attempt(rng, t, step, i, -0.65 + 0.1 * step, "validation") for t in held for i in range(3)]
    return own(credit(rows))
