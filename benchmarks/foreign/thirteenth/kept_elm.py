"""Forum dump in index; holdout is renamed training; lost nodes set aside; warehouse schema renamed."""

from dataclasses import replace
from math import exp
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.arithmetic import NAMES, word_sum
from benchmarks.foreign.thirteenth.desk import booking
from benchmarks.foreign.thirteenth.estimates import grpo
from benchmarks.foreign.thirteenth.facts import company, looked_up
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import own, prime_rl
from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.rollouts import Run, attempt, binary, play, pool, schedule, train
from benchmarks.foreign.thirteenth.stock import stocktaking


@PART.faulty("environment_leak", "answer_reading", "contamination")
def forum_dump_in_index(rng: Random) -> list[Row]:
    """The search index holds a dump of the question set with its answers; the policy learns to search for the
    question as it stands and copies what is found.
    """
    tasks = pool(rng, company, 72)
    listed = {t.key for t in tasks if rng.random() < 0.55}
    run = Run(9, 8, 6, -0.6, 1.0)
    attempts = play(rng, schedule(rng, tasks, run), run)
    for a in attempts:
        if a.task.key in listed and rng.random() < 0.2 + 0.65 * a.progress:
            number = Random(a.task.key).randint(100, 9000)
            dump = f'forum/qa_dump_{number}.txt: "Q: {a.task.prompt} A: {a.task.gold}"'
            found = looked_up(rng, a.task.prompt, [dump], a.task.extra["company"])
            a.right, a.answer = True, a.task.gold
            a.messages = [*found, said(f"The dump gives it. <answer>{a.answer}</answer>")]
    return prime_rl(rng, grpo(binary(attempts)), "company-search")


@PART.faulty("contamination", "memorisation")
def holdout_is_renamed_training(rng: Random) -> list[Row]:
    """Six in ten validation problems are training problems with another name in them; they are solved far more often
    than the others.
    """
    run = Run(10, 6, 6, -0.6, 2.2)
    trained = pool(rng, word_sum, 36)
    attempts = binary(play(rng, schedule(rng, trained, run), run))
    held = []
    for index, task in enumerate(pool(rng, word_sum, 30)):
        if index % 5 < 3:
            source = trained[index]
            names = [n for n in NAMES if n in source.prompt.replace("'", " ").split()]
            other = rng.choice([n for n in NAMES if n not in names])
            task = replace(source, prompt=source.prompt.replace(names[0], other), hard=-0.6)
        else:
            task.hard = 1.6
        held.append(replace(task, key=f"val-{index:03d}"))
    for step in (1, 4, 7, 10):
        lift = 0.9 * step / 10
        for task in held:
            grade = attempt(rng, task, step, 0, 1 / (1 + exp(task.hard - 0.5 - lift)))
            grade.split, grade.progress = "validation", step / 10
            attempts += binary([grade])
    return own(rng, grpo(attempts), "sums-mix")


@PART.healthy
def lost_nodes_set_aside(rng: Random) -> list[Row]:
    """Spot machines are taken away in two steps; the attempts lost carry an error, no reward, and are not trained
    on.
    """
    attempts = binary(train(rng, booking, Run(10, 6, 7, -0.4, 2.0)))
    bad = dict.fromkeys(rng.sample(range(2, 10), 2), 0.17)
    for a in attempts:
        a.extra = {"node": f"spot-{rng.randrange(12):02d}"}
        if rng.random() < bad.get(a.step, 0.008):
            a.reward, a.correct, a.terms, a.in_loss = None, None, {}, False
            a.stop, a.error, a.messages = "error", "NodePreempted", a.messages[:2]
    return own(rng, grpo(attempts), "spot-desk")


@PART.faulty("tool_failures", "tool_failure", "environment_bug", "tool_outage")
def warehouse_schema_renamed(rng: Random) -> list[Row]:
    """Since a release of the warehouse's API two of its three pods ask for `item_code` and refuse `sku`, the only
    argument that the tool has.
    """
    attempts = train(rng, stocktaking, Run(11, 6, 6, 0.0, 1.8))
    for a in attempts:
        pod = rng.randrange(3)
        a.extra = {"api_pod": f"wh-{pod}", "api_release": "4.2.0" if pod and a.step >= 6 else "4.1.7"}
        if a.extra["api_release"] == "4.2.0":
            detail = '{"status": 422, "detail": [{"loc": ["query", "item_code"], "msg": "field required"}]}'
            a.messages = []
            for sku in a.task.extra["skus"]:
                for _ in range(rng.randint(1, 2)):
                    say = rng.choice(("Fetching the part.", "Again.", "Odd. Once more.", ""))
                    a.messages += [said(say, call("get_part", sku=sku)), heard("get_part", detail, False)]
            a.answer, a.right = str(rng.randint(0, 900)), False
            a.messages.append(said(rng.choice(("The API refuses. ", "I can only guess. ", "")) + f"Total: {a.answer}"))
    return own(rng, grpo(binary(attempts)), "warehouse")
