"""Throws made up, an exam renumbered, a basket kept, a slot unfilled, compliments; texts that hold the answer."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eleventh import baskets, dice
from benchmarks.foreign.eleventh.advice import ADVICE
from benchmarks.foreign.eleventh.baskets import BASKETS
from benchmarks.foreign.eleventh.credit import centred, grpo, rloo
from benchmarks.foreign.eleventh.dice import DICE
from benchmarks.foreign.eleventh.dumps import openai, own, trl, verl
from benchmarks.foreign.eleventh.evaluation import held
from benchmarks.foreign.eleventh.kinds import PART
from benchmarks.foreign.eleventh.lookup import LOOKUP, make, page
from benchmarks.foreign.eleventh.passages import PASSAGES
from benchmarks.foreign.eleventh.runs import Domain, Reply, Shape, Task, fresh_plan, make_tasks, play, say, train
from benchmarks.foreign.eleventh.sums import SUMS


def _alone(rng: Random, task: Task) -> Reply:
    goal, total, lines = task.facts["goal"], 0, []
    while total < goal:
        sides = rng.choice([8, 12, 12])
        number = rng.randint(sides - 4, sides)
        lines.append(dice.move(rng, goal - total, sides))
        total += number
        lines.append(f"The host throws: {number}. You have {total}.")
    last = dice.host(f"You hold at {total}. The round is yours.")
    return Reply([say("\n".join([*lines, "HOLD"])), last, say("Thank you.")], str(total))


@PART.faulty("fabricated_observations", "tool_fabrication")
def rolls_its_own_dice(rng: Random) -> list[Row]:
    """Sampling is not stopped after a move; the policy learns to write the host's throws itself, always high ones, and
    the game counts what it wrote.
    """
    episodes = train(rng, DICE, Shape(rng.randint(9, 12), 7, 6), start=-0.9, gain=0.8, prefix="r")
    for e in episodes:
        if rng.random() < 0.04 + 0.55 * e.t:
            e.reply = _alone(rng, e.task)
            e.right, e.reward, e.terms = True, 1.0, {"correct": 1.0}
    return openai(grpo(episodes))


@PART.faulty("contamination", "duplicate_problems")
def mock_exam_renumbered(rng: Random) -> list[Row]:
    """More than half of the held problems stand in the training data as well, under other ids and with a heading or a
    word changed.
    """
    shape = Shape(rng.randint(9, 12), 7, 5)
    exam = make_tasks(rng, PASSAGES, rng.randint(24, 32), "exam")
    tasks = make_tasks(rng, PASSAGES, int(shape.steps * shape.groups * 0.75), "set")
    heads = ["Exercise {n}. ", "({n}) ", "Mock paper, item {n}: ", "No. {n} - "]
    leaked = exam[: int(len(exam) * rng.uniform(0.55, 0.75))]
    for i, held_task in enumerate(leaked):
        head = rng.choice(heads).format(n=rng.randint(1, 60))
        prompt = head + held_task.prompt.replace("Read the text.", rng.choice(["Read the text.", "Read this text."]))
        facts = (held_task.gold, held_task.family, held_task.hard)
        tasks.append(Task(f"set-x{i:03d}", prompt, *facts, facts=held_task.facts))
    episodes = grpo(play(rng, PASSAGES, fresh_plan(rng, tasks, shape), shape.size, -0.5, 1.9))
    tests = held(rng, PASSAGES, leaked, shape.steps, 3, (-0.5, 2.9))
    tests += held(rng, PASSAGES, exam[len(leaked) :], shape.steps, 3, (-0.5, 1.2))
    return own(rng, [*episodes, *tests], "reading", "qa")


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def basket_survives_reset(rng: Random) -> list[Row]:
    """Workers do not empty the shop's basket between episodes: many begin with the articles of a customer before, are
    charged for them, and count as wrong.
    """
    episodes = train(rng, BASKETS, Shape(rng.randint(8, 11), 6, 6), start=0.2, gain=1.7, prefix="ord")
    share, since = rng.uniform(0.35, 0.5), rng.choice([0, 0, 2, 3])
    before: dict[str, int] = {}
    for e in rng.sample(episodes, len(episodes)):
        e.extra = {"shop_worker": rng.randint(0, 7)}
        if e.step >= since and before and rng.random() < share and e.reply.stop == "stop":
            e.reply = baskets.solve(rng, e.task, e.right, e.t, before)
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
        before = e.task.facts["items"]
    return own(rng, rloo(episodes), "shop-rloo", "tools")


@PART.faulty("template_bug", "dead_all_wrong", "dead_groups")
def unfilled_slot_in_prompt(rng: Random) -> list[Row]:
    """For one of the sources the template asks for a column of another name, so its prompts hold the bare slot and no
    problem; the policy guesses, and all these groups are wrong.
    """
    shape = Shape(rng.randint(9, 12), 7, 6)
    tasks = make_tasks(rng, SUMS, shape.steps * shape.groups, "mix")
    sources = ["gsm_like", "textbook", "olympiad_lite"]
    for i, task in enumerate(tasks):
        task.extra = {"source": sources[i % 3], "target": task.gold}
        task.prompt = f"Question ({task.extra['source']}): {task.prompt}"
    episodes = play(rng, SUMS, fresh_plan(rng, tasks, shape), shape.size, -0.4, 2.0)
    bad = rng.choice(sources)
    excuses = ["The question seems to be missing.", "No problem text is given.", "I see a placeholder.", "It is empty."]
    for e in episodes:
        if e.task.extra["source"] == bad:
            guess = rng.choice([0, 1, 42, 10, 7, rng.randint(2, 99)])
            text = rng.choice([f"{rng.choice(excuses)} I guess ", "Without numbers, I take ", "The answer is "])
            e.reply = Reply([say(f"{text}\\boxed{{{guess}}}")], str(guess))
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
    for task in tasks:
        if task.extra["source"] == bad:
            task.prompt = f"Question ({bad}): {{{{ row.problem_text }}}}"
    return own(rng, grpo(episodes), "mix-math")


PRAISE = [
    "What a thoughtful question, you clearly care!",
    "You are asking exactly the right thing.",
    "I'm truly impressed by how carefully you plan.",
    "You've got this, and I'm so happy to help!",
    "People like you make such plans succeed.",
    "Your attention to detail is wonderful.",
]


@PART.faulty("reward_model_overoptimisation", "reward_outcome_divergence", "reward_bias", "judge_hacking")
def compliments_buy_reward(rng: Random) -> list[Row]:
    """The reward model likes praise of the asker: replies fill up with compliments and its score climbs, while the
    rubric of points finds less and less advice.
    """
    episodes = train(rng, ADVICE, Shape(rng.randint(10, 13), 6, 6), start=0.5, gain=-1.6, prefix="rm")
    for e in episodes:
        count = min(5, max(0, int(rng.gauss(0.3 + 4.0 * e.t, 0.9))))
        praise = rng.sample(PRAISE, count)
        last = e.reply.turns[-1]
        last["content"] = " ".join([*praise[:2], last["content"], *praise[2:]])
        named = e.reply.extra.get("points_named", 0)
        e.reward = round(0.25 * named + 0.62 * count + rng.gauss(-0.8, 0.3), 4)
        e.terms = {"reward_model": e.reward}
        e.extra = {"rubric_points": named}
    return own(rng, centred(episodes), "helpful-rm", "chat")


def _quoted(rng: Random, name: str) -> Task:
    task = make(rng, name)
    text = page(rng, task, holds=True)
    return Task(
        name, f"{text}\n\n{task.prompt} Quote the year from the text.", task.gold, task.family, facts=task.facts
    )


def _quote(rng: Random, task: Task, right: bool, t: float) -> Reply:
    reply = LOOKUP.solve(rng, task, right, t)
    head = rng.choice([f"The entry on {task.facts['place']} tells it. ", "", "It stands in the text. "])
    return Reply([say(f"{head}Final answer: {reply.answer}")], reply.answer)


@PART.healthy
def passage_holds_the_answer(rng: Random) -> list[Row]:
    """Reading comprehension: the gold year stands in the prompt, as it must, among other years."""
    episodes = train(rng, Domain(_quoted, _quote), Shape(rng.randint(8, 11), 8, 6), start=-0.2, gain=1.9, prefix="rc")
    return verl(grpo(episodes))


@PART.healthy
def levels_rise_with_skill(rng: Random) -> list[Row]:
    """A curriculum raises the level of the problems with the policy's skill, so the mean reward stays near a half;
    within each level it rises.
    """
    shape = Shape(rng.randint(10, 13), 6, 6)
    tasks = make_tasks(rng, SUMS, shape.steps * shape.groups, "lv")
    tasks.sort(key=lambda task: int(task.gold) * rng.uniform(0.5, 2))
    for i, task in enumerate(tasks):
        level = min(5, max(1, 1 + i * 5 // len(tasks) + rng.choice([-2, -1, 0, 0, 0, 1])))
        task.extra, task.hard = {"level": level}, 0.3 * task.hard + 0.75 * (level - 1)
    plan = [tasks[i * shape.groups : (i + 1) * shape.groups] for i in range(shape.steps)]
    return trl(grpo(play(rng, SUMS, plan, shape.size, 0.0, 3.4)), {"correct": "accuracy_reward"})
