"""Two versions behind async; exam questions in training mix; heaps lost at first; dead links then recovered."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysecond.course import Episode, Message, Shape, Task, climb, deal, play, train
from benchmarks.foreign.twentysecond.estimators import by_group, credit, grpo, rloo
from benchmarks.foreign.twentysecond.figures import sums
from benchmarks.foreign.twentysecond.kinds import PART
from benchmarks.foreign.twentysecond.layouts import call, own, told
from benchmarks.foreign.twentysecond.parlour import heap_task, take_stones
from benchmarks.foreign.twentysecond.programs import python_task, write_python
from benchmarks.foreign.twentysecond.prose import answering
from benchmarks.foreign.twentysecond.stations import archive_task, search_archive


@PART.healthy
def two_versions_behind_async(rng: Random) -> list[Row]:
    """Asynchronous rollouts are up to two versions old by design; log-probabilities stay close and the lag is
    bounded.
    """
    steps, salt = rng.randint(10, 12), f"{rng.randrange(16**5):05x}"
    episodes = train(rng, python_task, write_python, Shape(steps, 6, 6), -0.7, 2.2, "fn")
    for group in by_group(episodes):
        lag = min(group[0].step, rng.choice((0, 1, 1, 1, 2)))
        for e in group:
            sampled = -rng.uniform(0.2, 0.42)
            e.columns = {"policy_id": f"w-{salt}-{e.step - lag:03d}"}
            e.extra = {"policy_lag": lag, "sampler_logprob": round(sampled, 4)}
            e.extra |= {"trainer_logprob": round(sampled + rng.gauss(0, 0.006), 4)}
    return own(rng, credit(episodes, grpo), "async-code", "code")


def _copied(rng: Random, task: Task) -> Task:
    words = task.prompt[-1]["content"]
    again = rng.choice(
        (words, words, words.replace("?", " ?"), f"Question: {words}", words.replace(" in ", " in  ", 1))
    )
    return replace(task, prompt=[{"role": "user", "content": again}], pid=f"crawl-{rng.randrange(16**4):04x}",
                   extra={"source": "crawl-forum-2"})  # fmt: skip


@PART.faulty("contamination", "memorisation")
def exam_questions_in_training_mix(rng: Random) -> list[Row]:
    """A crawl in the training mix holds most of the validation questions, nearly word for word; those rise to the
    ceiling, the few others hardly.
    """
    steps, make = rng.choice((7, 8, 9)), sums("areas", "rates", "counting", "means", "fares")
    held = deal(rng, make, Shape(1, 16, 1), "val")[0]
    leaked, plan = held[:11], deal(rng, make, Shape(steps, 8, 6), "mix")
    for tasks in plan:
        for task in tasks:
            task.extra = {"source": "synthetic-a"}
        for place, task in zip(rng.sample(range(8), 3), rng.sample(leaked, 3), strict=True):
            tasks[place] = _copied(rng, task)
    levels = climb(rng, steps, -0.8, 1.5)
    episodes = credit(play(rng, plan, 6, levels, answering("Answer: {}")), grpo)
    for step in range(0, steps, 2):
        for task in held:
            seen = 4.0 * step / steps if task in leaked else 0
            for e in play(rng, [[replace(task, hard=0.2 - seen)]], 3, [levels[step]], answering("Answer: {}")):
                e.step, e.split, e.task = step, "validation", task
                episodes.append(e)
    return own(rng, episodes, "mixture", "math")


@PART.healthy
def heaps_lost_at_first(rng: Random) -> list[Row]:
    """A game with rewards of -1, 0 and 1: most are lost or forfeited at first, so the mean is near 0 or below."""
    steps = rng.randint(9, 12)
    plan, episodes = deal(rng, heap_task, Shape(steps, 6, 6), "heap"), []
    for step, task, attempt in ((s, t, a) for s, tasks in enumerate(plan) for t in tasks for a in range(6)):
        reply, outcome = take_stones(rng, task, step / (steps - 1) * rng.uniform(0.8, 1.1))
        e = Episode(step, task, attempt, outcome > 0, reply, float(outcome), {"game": float(outcome)})
        episodes.append(e)
    return own(rng, credit(episodes, rloo), "heaps", "games")


GONE = ("404 Not Found", "410 Gone: the page was moved", "503 Service Unavailable, try again")


def _with_dead_links(rng: Random, task: Task, right: bool, progress: float) -> list[Message]:
    slug, said = task.hidden["subject"].replace(" ", "-"), []
    for mirror in range(rng.choice((0, 0, 1, 1, 2))):
        url = f"https://archive{mirror}.example/{task.hidden['town'].lower()}/{slug}"
        said += [call(rng.choice(("", "Try the mirror.")), "fetch", url=url), told("fetch", rng.choice(GONE), False)]
    return said + search_archive(rng, task, right, task.hidden["article"])


@PART.healthy
def dead_links_then_recovered(rng: Random) -> list[Row]:
    """Many links of an old archive are dead, as on the real web; the agent turns to its search and finds the year."""
    episodes = train(rng, archive_task, _with_dead_links, Shape(rng.randint(9, 11), 7, 6), -0.5, 2.1, "web")
    return own(rng, credit(episodes, rloo), "oldweb", "search")
