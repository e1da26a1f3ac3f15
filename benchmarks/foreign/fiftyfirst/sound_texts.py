"""Healthy kinds whose texts, tools or data look odd."""

import json
import random

from benchmarks.foreign.fiftyfirst import depots, layouts, sums, tongues
from benchmarks.foreign.fiftyfirst.advantages import centred, fill, grpo, leave_one_out
from benchmarks.foreign.fiftyfirst.depots import call, told
from benchmarks.foreign.fiftyfirst.kinds import PART
from benchmarks.foreign.fiftyfirst.lengths_and_seeds import lengthy
from benchmarks.foreign.fiftyfirst.policy import Message, Problem, distinct, evaluate, train
from benchmarks.foreign.fiftyfirst.shells import PACKAGES


@PART.healthy
def an_exam_whose_answers_are_yes_and_no(rng: random.Random) -> list[dict]:
    """All attempts end in one of two words and half of a group agrees, because the questions are to be answered by yes
    or no; the reasoning before is of each story, and the share of right answers rises."""

    def make(rng: random.Random, index: int) -> Problem:
        problem = sums.problem(rng, index)
        total = int(problem.gold)
        bound = total + rng.choice((-1, 1)) * rng.randint(3, max(6, abs(total) // 8))
        problem.facts["bound"], problem.facts["total"] = bound, problem.gold
        story = problem.prompt[: problem.prompt.rindex(". ") + 1]
        problem.prompt = f"{story} Is the number in the end greater than {bound}? Answer yes or no in the last line."
        return problem

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
        problem.gold = problem.facts["total"]
        lines, x = sums.work(rng, problem, None if right else sums.draw_slip(rng, problem))
        answer = "yes" if x > problem.facts["bound"] else "no"
        bound = problem.facts["bound"]
        found = f"So {x} is to be compared with {bound}, and it is {'greater' if answer == 'yes' else 'not greater'}."
        return f"{rng.choice(sums.OPEN)} {' '.join(lines)} {found}\n{answer}", answer

    problems = distinct(rng, make, 120)
    attempts = train(rng, problems, write, 20, 8, 0.25, 0.75)
    for problem in problems:
        problem.gold = "yes" if int(problem.facts["total"]) > problem.facts["bound"] else "no"
    for a in attempts:
        a.reward = a.correct = float(a.answer == a.problem.gold)
        a.columns = {"acc": a.correct}
    return [layouts.verl(a) for a in attempts]


@PART.healthy
def german_reports_that_come_out_in_japanese(rng: random.Random) -> list[dict]:
    """Prompts are English and German and every completion is in Japanese script: that is the language asked for, and
    the likeness to the Japanese reference rises."""
    problems = distinct(rng, lambda r, i: tongues.problem(r, i, "de", "ja"), 100)
    attempts = train(rng, problems, tongues.write, 20, 8, 0.15, 0.6)
    for a in attempts:
        a.reward = tongues.likeness(a.text, a.problem.gold)
        a.terms, a.columns = {"chrf_reward": a.reward}, {"reference": a.problem.gold}
    return [layouts.trl(a) for a in fill(attempts, grpo)]


@PART.healthy
def replies_grow_threefold_and_are_right_more_often(rng: random.Random) -> list[dict]:
    """Replies grow to three times their length: the policy learns to check itself, right and wrong replies of a step
    are equally long, nothing is cut, and the reward, for right answers alone, rises."""

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
        return lengthy(rng, problem, right, max(0, round(rng.gauss(0.3 + 2.2 * progress, 0.7))))

    attempts = train(rng, distinct(rng, sums.problem, 120), write, 20, 6, 0.3, 0.8)
    return [layouts.openrlhf(a) for a in attempts]


@PART.healthy
def half_of_the_articles_do_not_exist(rng: random.Random) -> list[dict]:
    """Half of the records asked for are answered by 404: the clerk is to find out whether a sku from an old invoice is
    still kept, and 'none' is then the right answer, which is paid."""

    def make(rng: random.Random, index: int) -> Problem:
        problem = depots.problem(rng, index)
        facts = problem.facts
        facts["kept"] = rng.random() < 0.5
        if not facts["kept"]:
            others = [i for i in facts["items"] if i is not facts["item"]]
            number = rng.choice([n for n in range(100, 1000) if str(n) != facts["item"]["sku"][3:]])
            facts["items"], facts["item"] = others, facts["item"] | {"sku": f"{facts['item']['sku'][:2]}-{number}"}
        sku = facts["item"]["sku"]
        facts["sku"] = sku
        problem.prompt = (
            f"An old invoice names {sku}, a {facts['item']['name']}, at depot {facts['depot']}. How many units "
            f"do we hold "
            "of this sku? Say 'none' if it is no longer kept. Older skus may have been dropped."
        )
        problem.gold = str(facts["item"]["units"]) if facts["kept"] else "none"
        return problem

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[list[Message], str]:
        facts = problem.facts
        sku, item = facts["sku"], facts["item"]
        result = item if facts["kept"] else {"status": 404, "detail": f"no sku {sku} at {facts['depot']}"}
        said = rng.choice(
            (
                f"I open the card of {sku}.",
                f"One look at the record of the {item['name']}.",
                "I ask for the record.",
                f"Let me see whether {sku} is kept.",
                "The sku is given, one call will do.",
            )
        )
        turns = [
            call("get_item", {"depot": facts["depot"], "sku": sku}, said),
            told("get_item", json.dumps(result), facts["kept"]),
        ]
        wrong = str(item["units"] - item["reserved"] if facts["kept"] else rng.randint(20, 400))
        answer = problem.gold if right else wrong
        end = rng.choice(
            (
                "The answer for {s}: {x}",
                "Units held of {s}: {x}",
                "Of {s} we hold: {x}",
                "The record of {s} gives: {x}",
                "Stock of {s}, as looked up: {x}",
                "For the {p} {s} I find: {x}",
            )
        )
        return [*turns, {"role": "assistant", "content": end.format(s=sku, p=item["name"], x=answer)}], answer

    attempts = fill(train(rng, distinct(rng, make, 100), write, 20, 8, 0.4, 0.8), leave_one_out)
    return [layouts.openai(a) for a in attempts]


@PART.healthy
def three_epochs_over_a_book_of_forty(rng: random.Random) -> list[dict]:
    """Each problem comes three times, once in each declared epoch and in another order: the book is small, and the
    score on problems that are never trained on rises with that of training."""
    book = distinct(rng, sums.problem, 40)
    order = [p for _ in range(3) for p in rng.sample(book, len(book))]
    attempts = train(rng, order, sums.hashed, 24, 8, 0.35, 0.7)
    for a in attempts:
        a.columns = {"epoch": (a.step - 1) // 8}
    held = distinct(rng, lambda r, i: sums.problem(r, 500 + i), 50)
    attempts += evaluate(rng, held, sums.hashed, [(s, s / 24) for s in (0, 8, 16, 24)], 0.34, 0.67)
    return [layouts.ours(a) for a in fill(attempts, centred)]


SETTINGS = ("timeout", "page size", "number of workers", "retry limit", "cache size", "batch size")
OTHERS = ("drop the old parser", "log in UTC", "move the docs", "pin the port", "tidy imports", "bump the licence year")
HANDS = ("mira", "tobin", "yusra", "edvard", "lin", "paolo")


def _history(rng: random.Random, index: int) -> Problem:
    name, package = rng.choice(SETTINGS), rng.choice(PACKAGES)
    values = rng.sample(range(5, 95, 5), 5)
    said = [f"set the {name} to {value}" for value in values]
    for other in rng.sample(OTHERS, 3):
        said.insert(rng.randrange(len(said)), other)
    log = [{"id": f"{rng.getrandbits(28):07x}", "by": rng.choice(HANDS), "what": what} for what in said]
    place = rng.randrange(1, len(values))
    settings = [entry for entry in log if entry["what"].startswith("set the")]
    prompt = (
        f"The repository {package} lies in /repo. Find out from its git history which commit changed the {name} "
        f"from {values[place - 1]} to {values[place]}. Reply with its seven letters and who wrote it."
    )
    wanted = settings[place]
    facts = {"log": log, "wanted": wanted, "near": [s for s in settings if s is not wanted]}
    system = "Answer questions on the history of a repository. Tool: bash(command)."
    gold = f"{wanted['id']} {wanted['by']}"
    return Problem(f"{package}-log-{index:03d}", prompt, gold, "history", rng.gauss(0, 0.6), facts, system)


@PART.healthy
def the_question_is_on_the_history_itself(rng: random.Random) -> list[dict]:
    """All attempts read git log and show old commits, because the task asks who made which change; nothing is to be
    repaired, and wrong readings are paid 0."""

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[list[Message], str]:
        log, wanted = problem.facts["log"], problem.facts["wanted"]
        command = rng.choice(("git log --format='%h %an %s'", "git -C /repo log --format='%h %an %s' -n 20"))
        shown = "\n".join(f"{c['id']} {c['by']} {c['what']}" for c in reversed(log))
        turns = [call("bash", {"command": command}, "The log has the messages."), told("bash", shown)]
        chosen = wanted if right else rng.choice(problem.facts["near"])
        if rng.random() < 0.6:
            diff = f"{chosen['id']} {chosen['by']}\n\n    {chosen['what']}\n\n {rng.randint(1, 4)} files changed"
            turns += [call("bash", {"command": f"git show --stat {chosen['id']}"}, "I look at it."), told("bash", diff)]
        end = rng.choice(("It was {id}, written by {by}.", "Commit {id} by {by}.", "{by} did it in {id}.")).format(
            **chosen
        )
        return [*turns, {"role": "assistant", "content": end}], f"{chosen['id']} {chosen['by']}"

    problems = distinct(rng, _history, 80)
    attempts = train(rng, problems, write, 20, 8, 0.4, 0.85)
    for a in attempts:
        a.reward = a.correct = float(a.answer == a.problem.gold)
    return [layouts.ours(a) for a in fill(attempts, leave_one_out)]
