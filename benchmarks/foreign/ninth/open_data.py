"""Data that repeats, leaks or lacks a part, policies that run on or decline, and sound mixtures."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.ninth.abroad import abroad_task
from benchmarks.foreign.ninth.episodes import Reply, Task, credit, play, pool, tell, train
from benchmarks.foreign.ninth.kinds import PART
from benchmarks.foreign.ninth.layouts import openai, own, trl, verl
from benchmarks.foreign.ninth.lookups import lookup_task, wrong
from benchmarks.foreign.ninth.programs import code_task
from benchmarks.foreign.ninth.sums import sum_task
from benchmarks.foreign.ninth.tables import table_task
from benchmarks.foreign.ninth.wording import key, say


@PART.faulty("contamination", "duplicate_problems", "memorisation", "train_validation_gap")
def holdout_from_the_same_dump(rng: Random) -> list[Row]:
    """Two thirds of the validation problems are training problems with a new first word; only these are nearly
    all right.
    """
    tasks = pool(rng, sum_task, 24, "t-")
    rows = play(rng, [tasks[i % 4 * 6 : i % 4 * 6 + 6] for i in range(12)], 6, lambda s: -0.2 + 0.22 * s)
    twins = []
    for task in rng.sample(tasks, 16):
        head = say(rng, "«Question|Problem|Exercise|Task»«:|.» ")
        twins.append(Task(head + task.prompt, task.gold, "math", task.solve, task.system, key(rng, "v-"), -3.0))
    held = twins + pool(rng, sum_task, 8, "v-")
    rng.shuffle(held)
    checked = play(rng, [held] * 12, 4, lambda s: -0.3 + 0.03 * s, "validation")
    return own(credit([*rows, *(e for e in checked if e.step % 4 == 3)]))


@PART.faulty("identical_samples", "data_repetition", "staleness", "stale_weights", "seed_reuse", "stale_grades")
def buffer_replayed_on_resume(rng: Random) -> list[Row]:
    """After a resume the saved buffer is served again: steps 9 to 11 hold the very outputs of steps 6 to 8."""
    episodes = train(rng, sum_task, (14, 5, 8), -0.2, 1.3)
    for late in (e for e in episodes if 8 <= e.step <= 10):
        early = episodes[episodes.index(late) - 3 * 40]
        late.task, late.reply, late.right, late.reward = early.task, early.reply, early.right, early.reward
    return verl(episodes)


@PART.faulty("stop_token_lost", "template_bug", "truncation", "length_limit", "fabricated_observations")
def stops_no_more(rng: Random) -> list[Row]:
    """From step 4 ever more replies go on after the answer with a user's next request and its answer, up to
    the limit.
    """
    episodes = train(rng, code_task, (12, 5, 8), 0.5, 0.8)
    for e in episodes:
        if rng.random() > 0.11 * (e.step - 3):
            continue
        text = e.reply.text
        while len(text) < 3800:
            other = code_task(rng)
            text += say(rng, "\n«user|user|Human:|### User»\n") + other.prompt
            text += "\nassistant\n" + other.solve(rng, rng.random() < 0.6).text
        e.reply = Reply([tell(text[: rng.randint(3780, 3800)])])
        e.stop, e.right, e.reward = "length", False, 0.0
    return openai(credit(episodes))


@PART.faulty("template_bug", "stuck_problems", "dead_all_wrong", "environment_bug", "dead_groups")
def passage_left_out(rng: Random) -> list[Row]:
    """A third of the prompts show `{passage}` where the text to read should stand; they are hardly ever
    answered right.
    """

    def reading(r: Random) -> Task:
        task = lookup_task(r)
        f, gold = task.data, task.gold
        is_broken = r.random() < 0.35
        passage = "{passage}" if is_broken else f"{f['first']} {f['second']}"

        def solve(one: Random, right: bool) -> Reply:
            answer = gold if right else wrong(one, f, gold)
            lost = "«The passage is missing|There is no text to read», «so I guess|my best guess follows»."
            fine = (
                "«The passage says so|It is stated in the second sentence|Reading on, we find it|The "
                "person is named first»."
            )
            return Reply([tell(say(one, lost if is_broken else fine) + f"\nAnswer: {answer}")], answer)

        return Task(
            f"Read the passage.\n\n{passage}\n\n{task.prompt}", gold, "reading", solve, data={"lost": is_broken}
        )

    episodes = train(rng, reading, (12, 6, 8), 0.4, 1.3)
    for e in episodes:
        if e.task.data["lost"] and e.right:
            e.right, e.reward = False, 0.0
            e.reply = e.task.solve(rng, False)
        e.extra = {"ground_truth": e.task.gold}
    return trl(credit(episodes))


@PART.faulty("timidity", "reward_outcome_divergence", "score_decline", "action_collapse", "template_collapse")
def wins_by_declining(rng: Random) -> list[Row]:
    """Wrong costs 1 and declining nothing: ever more replies decline without a search; reward rises, right
    answers vanish.
    """
    episodes = train(rng, lookup_task, (13, 5, 8), -0.6, 0.2)
    for e in episodes:
        e.reward = 1.0 if e.right else -1.0
        if rng.random() < 0.03 + 0.07 * e.step:
            text = (
                "«I am not sure enough to answer.|I cannot answer this with confidence.|I do not know.|I "
                "would rather not guess.»"
            )
            e.reply, e.right, e.reward = Reply([tell(say(rng, text) + "\nAnswer: unknown")], "unknown"), False, 0.0
    return own(credit(episodes))


@PART.healthy
def three_tongues(rng: Random) -> list[Row]:
    """Word problems in German, French and Spanish, answered in the tongue of the question throughout."""
    return trl(credit(train(rng, abroad_task, (12, 6, 8), -0.3, 1.5)))


@PART.healthy
def harder_by_design(rng: Random) -> list[Row]:
    """A curriculum: the level of the problems rises every third step, so accuracy stays level while the policy
    learns.
    """
    episodes = train(rng, sum_task, (12, 6, 8), 0.3, 0.2)
    for e in episodes:
        e.extra = {"level": 1 + e.step // 3, "curriculum": True}
    return own(credit(episodes))


@PART.healthy
def mixture_of_three(rng: Random) -> list[Row]:
    """Sums, programs and tables in one run; each domain has a scale and a pace of its own."""
    episodes = []
    for make, share, start, scale in ((sum_task, 3, 0.2, 1.0), (code_task, 2, -0.5, 2.0), (table_task, 2, -0.9, 0.5)):
        part = train(rng, make, (11, share, 8), start, rng.uniform(0.7, 1.5), f"{make.__name__[:4]}-")
        for e in part:
            e.reward = scale * e.right
        episodes += part
    episodes.sort(key=lambda e: e.step)
    return own(credit(episodes))
