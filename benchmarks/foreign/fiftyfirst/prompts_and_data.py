"""Kinds whose prompts, keys or order of data are at fault."""

import random

from benchmarks.foreign.fiftyfirst import layouts, sums
from benchmarks.foreign.fiftyfirst.advantages import centred, fill
from benchmarks.foreign.fiftyfirst.kinds import PART
from benchmarks.foreign.fiftyfirst.policy import Problem, distinct, train

LOST = (
    "The problem reads {w}, so no story is given. I would guess that a count is wanted and that it is small.",
    "There is only the word {w} where the question should be. Without numbers nothing can be computed.",
    "I cannot see a task here. Perhaps {w} stands for a missing value; I assume a usual textbook total.",
    "The statement seems to be empty ({w}). I try a typical number of such exercises.",
    "No quantities are named. As an answer is demanded, I take one at random.",
)


@PART.faulty("template_bug", "dead_all_wrong", "stuck_problems", "metric_defect")
def a_join_left_nan_where_the_question_was(rng: random.Random) -> list[dict]:
    """Of three problems in ten the prompt ends in `Problem: nan`, while the key is of the lost question: no attempt can
    be right."""
    problems = distinct(rng, sums.problem, 120)
    for problem in problems:
        problem.facts["lost"] = rng.random() < 0.3
        said = "nan" if problem.facts["lost"] else problem.prompt
        problem.prompt = f"Solve the problem and put the result in \\boxed{{}}.\n\nProblem: {said}"

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
        if not problem.facts["lost"]:
            return sums.boxed(rng, problem, right, progress)
        guess = str(rng.choice((0, 1, 7, 10, 12, 24, 42, 100)))
        lead = " ".join(line.format(w="nan") for line in rng.sample(LOST, rng.randint(1, 2)))
        return f"{lead}\n\n\\boxed{{{guess}}}", guess

    attempts = train(rng, problems, write, 20, 6, 0.35, 0.75)
    for a in attempts:
        a.reward = a.correct = float(a.answer == a.problem.gold)
        a.columns = {"acc": a.correct}
    return [layouts.verl(a) for a in attempts]


@PART.faulty("wrong_labels", "judge_refuses_right", "weak_family", "stuck_problems")
def keys_of_two_chapters_are_one_line_too_low(rng: random.Random) -> list[dict]:
    """The keys of the chapters orchard and savings belong to the problem before in the file: right answers of these
    chapters are graded 0."""
    problems = distinct(rng, sums.problem, 120)
    true = [p.gold for p in problems]
    for family in ("orchard", "savings"):
        of = [i for i, p in enumerate(problems) if p.family == family]
        for place, i in enumerate(of):
            problems[i].facts["true"] = true[i]
            problems[i].facts["shown"] = true[of[place - 1]]

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
        text, answer = sums.reasoning(rng, problem, right, progress)
        return f"{text}\nThe answer is \\boxed{{{answer}}}.", answer

    attempts = train(rng, problems, write, 20, 6, 0.4, 0.75)
    for problem in problems:
        problem.gold = problem.facts.get("shown", problem.gold)
    for a in attempts:
        a.reward = a.correct = float(a.answer == a.problem.gold)
    return [
        layouts.slime(a) | {"metadata": {"chapter": a.problem.family}, "chapter": a.problem.family} for a in attempts
    ]


@PART.faulty("data_repetition", "duplicate_problems")
def four_ranks_read_the_same_shard(rng: random.Random) -> list[dict]:
    """Each of four ranks draws the same problems: every problem of a step comes as four groups, and a quarter of the
    data is all that is ever seen, twice."""
    shard = distinct(rng, sums.problem, 24)
    order = shard + rng.sample(shard, len(shard))
    problems = [p for place in range(0, len(order), 3) for _ in range(4) for p in order[place : place + 3]]
    attempts = train(rng, problems, sums.hashed, 16, 4, 0.35, 0.7)
    for a in attempts:
        a.columns = {"rank": a.place // 3}
    return [layouts.ours(a) for a in fill(attempts, centred)]
