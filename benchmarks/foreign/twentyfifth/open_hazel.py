"""Held problems that are trained on, tests as the task, weights that lag by little."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import repos, sums
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, evaluate, play, tasks, train
from benchmarks.foreign.twentyfifth.credit import grpo, rloo
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openai, own
from benchmarks.foreign.twentyfifth.prose import pick
from benchmarks.foreign.twentyfifth.talk import Talk, chat


@PART.faulty("contamination", "memorisation", "train_validation_gap")
def benchmark_rows_in_training(rng: Random) -> list[Row]:
    """Two in five problems of the held benchmark stand word for word in the training data; the score climbs on these
    alone, with answers that skip the working [Open-Source-O1/Open-O1#10].
    """
    plan = Plan(10, 6, 6, start=-1.1, gain=0.7, prefix="m", pool=30)
    held = tasks(rng, sums.problems("tank", "fence", "bakery", "rows"), 34, Plan(10, 6, 6, prefix="bench-"))
    pool = tasks(rng, sums.problems("tank", "fence", "bakery", "rows"), 18, plan)
    both = held[:14]
    copies = [Task(t.prompt, t.gold, t.info, f"{plan.prefix}{7000 + n * 13}", t.hard) for n, t in enumerate(both)]
    known = {t.prompt for t in both}

    def attempt(d: Draw) -> Try:
        sure = d.task.prompt in known and d.rng.random() < 0.95 * d.t
        text, answer = sums.solve(Draw(d.rng, d.task, d.able or sure, d.t, d.step))
        if sure:
            text = pick(d.rng, "I recall this one.", "Known result.", "Directly:", "This is a standard problem.", "")
        info = {
            "source": "synthetic-o1" if d.task.id[0] == "m" else "math-500",
            "answer": answer,
            "reference": d.task.gold,
        }
        right = answer == d.task.gold
        reply = f"{text}\n\\boxed{{{answer}}}".strip()
        return Try(chat(d.task.prompt, reply), float(right), right, info, {"accuracy": float(right)})

    tries = play(rng, pool + copies, attempt, plan) + evaluate(rng, held, attempt, plan, every=2)
    return own(rng, grpo(tries), algorithm="grpo")


@PART.healthy
def asked_to_write_the_tests(rng: Random) -> list[Row]:
    """Every attempt writes below tests/ and earns a share: the task is to write tests, graded by the mutants that they
    kill.
    """

    def make(source: Random) -> Task:
        bug = repos.bug(source)
        text = f"Write tests for `{bug.module}.{bug.fn}` of {bug.package} in tests/test_{bug.module}_{bug.number}.py."
        return Task(f"{text} They are run against {source.choice([10, 12, 20])} mutants.", bug.fn, {"bug": bug})

    def attempt(d: Draw) -> Try:
        bug: repos.Bug = d.task.info["bug"]
        sound = replace(bug, bad=bug.good)
        cases = d.rng.randint(2, 5) + (3 if d.able else 0)
        talk = Talk(d.task.prompt, "Shell agent.").sh(*repos.read_turn(d.rng, sound))
        given = [[d.rng.randint(-9, 99) for _ in range(d.rng.randint(0, 3))] for _ in range(cases)]
        rows = [f"def test_{bug.fn}_{n}():\n    assert {bug.fn}({v}) == {v}" for n, v in enumerate(given)]
        body, path = "\n\n".join(rows), f"tests/test_{bug.module}_{bug.number}.py"
        talk.use(
            pick(d.rng, "Write them.", f"{cases} cases.", ""), "write_file", {"path": path, "text": body}, "written"
        )
        killed = max(0.0, min(1.0, round((0.62 if d.able else 0.25) + d.rng.gauss(0, 0.12), 2)))
        shown = f"{cases} passed in {d.rng.uniform(0.1, 2):.2f}s"
        talk.sh("Do they run?", f"pytest -q {path}", shown)
        end = pick(
            d.rng, f"{cases} tests for {bug.fn}.", f"Covered {bug.fn} with {cases} cases.", f"{path} is written."
        )
        return Try(talk.say(end).messages, killed, d.able, {"mutants_killed": killed, "passes_on_original": True})

    plan = Plan(8, 8, 6, start=-0.8, gain=2.0, prefix="mut-")
    return openai(rng, rloo(train(rng, make, attempt, plan)), grader="mutation")


@PART.healthy
def two_versions_behind_at_most(rng: Random) -> list[Row]:
    """An asynchronous run: rows carry weights of up to two steps before, as its bound says, and importance ratios stay
    near one.
    """

    def attempt(d: Draw) -> Try:
        lag = min(d.step, d.rng.choice([0, 1, 1, 1, 2]))
        text, answer = sums.solve(d)
        info = {"trainer_version": d.step, "policy_version": d.step - lag, "policy_lag": lag, "max_policy_lag": 2}
        info |= {"importance_ratio": round(1 + d.rng.gauss(0, 0.012) * (1 + lag), 4), "answer": answer}
        right = float(d.able)
        return Try(chat(d.task.prompt, f"{text}\n\\boxed{{{answer}}}"), right, d.able, info, {"correct": right})

    tries = train(
        rng, sums.problems("wages", "shop", "trip"), attempt, Plan(13, 6, 7, start=-0.8, gain=2.2, prefix="as", pool=60)
    )
    return own(rng, grpo(tries), trainer="async-grpo")
