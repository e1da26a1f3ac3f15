"""Work in repositories: questions on their history, tests to be written, predictions to be scored."""

import random

from benchmarks.foreign.thirtyfourth.policy import Problem, call, say, told

PROJECTS = ["tidewatch", "seedbank", "loomkit", "ferrybook", "hivelog", "quaycount", "bellring", "peatmap"]
OPTIONS = ["--dry-run", "--strict", "--no-cache", "--utc", "--quiet", "--all-rows", "--legacy", "--retry"]
AUTHORS = ["mkraus", "ayo", "lindh", "sbell", "tomoko", "rfischer"]


def histories(rng: random.Random, count: int) -> list[Problem]:
    """Which commit dropped an option."""
    out = []
    for i in range(count):
        project, option = rng.choice(PROJECTS), rng.choice(OPTIONS)
        shas = [f"{rng.getrandbits(28):07x}" for _ in range(6)]
        place = rng.randint(1, 4)
        notes = [
            "Tidy imports",
            "Bump version",
            "Speed up parsing",
            "Fix typo in help",
            "Rework the command line",
            "Docs",
        ]
        rng.shuffle(notes)
        log = "\n".join(f"{sha} {rng.choice(AUTHORS)} {note}" for sha, note in zip(shas, notes, strict=True))
        prompt = f"In /src/{project}: which commit removed the option {option}? Answer with its short hash."
        data = {"project": project, "option": option, "log": log, "shas": shas, "place": place}
        out.append(Problem(f"hist-{i:02d}", prompt, shas[place], "history", rng.gauss(0, 0.6), data))
    return out


def dig(rng: random.Random, problem: Problem, right: bool) -> list[dict]:
    """A walk through the log; a wrong attempt takes a neighbour of the commit."""
    d = problem.data
    answer = problem.gold if right else d["shas"][d["place"] + rng.choice([-1, 1])]
    turns = [
        call(
            "bash",
            rng.choice(["The log first.", "I look at the history.", ""]),
            command=f"cd /src/{d['project']} && git log --oneline",
        ),
        told("bash", d["log"]),
    ]
    if right or rng.random() < 0.4:
        turns += [
            call(
                "bash",
                rng.choice(["Who touched it?", "The pickaxe finds it."]),
                command=f"git log -S'{d['option']}' --format=%h",
            ),
            told("bash", f"{problem.gold}\n{d['shas'][-1]}"),
        ]
    else:
        turns += [
            call("bash", "This one sounds like it.", command=f"git show --stat {answer}"),
            told("bash", " cli.py | 4 ++--"),
        ]
    turns.append(say(rng.choice([answer, f"It was {answer}.", f"Commit {answer} removed {d['option']}."])))
    return turns


def untested(rng: random.Random, count: int) -> list[Problem]:
    """Modules without tests; tests are asked for, and graded by the mutants that they kill."""
    out = []
    for i in range(count):
        project, k = rng.choice(PROJECTS), rng.randint(2, 9)
        name = rng.choice(["clip", "scale", "shift"])
        body = {"clip": f"min(v, {k * 10})", "scale": f"v * {k}", "shift": f"v + {k}"}[name]
        prompt = (
            f"/src/{project}/core.py has {name}(v), and no tests. Write tests/test_core.py; it is judged by mutants."
        )
        data = {"project": project, "name": name, "body": body, "k": k}
        out.append(Problem(f"tests-{i:02d}", prompt, "", name, rng.gauss(0, 0.5), data))
    return out


def cover(rng: random.Random, problem: Problem, cases: int) -> list[dict]:
    """Reads the module, writes tests with true values, runs them."""
    d = problem.data
    values = rng.sample(range(-20, 120), cases)
    lines = [f"    assert {d['name']}({v}) == {eval(d['body'], {'v': v, 'min': min})}" for v in values]
    text = f"from core import {d['name']}\n\n\ndef test_{d['name']}():\n" + "\n".join(lines) + "\n"
    return [
        call("read_file", rng.choice(["First the module.", "", "What does it do?"]), path="core.py"),
        told("read_file", f"def {d['name']}(v):\n    return {d['body']}\n"),
        call(
            "write_file",
            rng.choice([f"Values to check: {cases}.", "Now the tests.", ""]),
            path="tests/test_core.py",
            content=text,
        ),
        told("write_file", "written"),
        call("bash", rng.choice(["Run them.", ""]), command="python -m pytest -q tests"),
        told("bash", f"1 passed in 0.0{rng.randint(1, 9)}s"),
        say(
            rng.choice(
                [
                    "The tests cover both sides.",
                    "Written and passing.",
                    f"tests/test_core.py checks {cases} value{'s' * (cases > 1)}.",
                ]
            )
        ),
    ]


def predictions(rng: random.Random, count: int) -> list[Problem]:
    """Predictions beside their answers; the share of hits is asked for."""
    out = []
    for i in range(count):
        kinds = rng.choice([["cat", "dog"], ["oak", "ash", "elm"], ["spam", "ham"], ["rain", "sun", "fog"]])
        truth = [rng.choice(kinds) for _ in range(10)]
        guess = [t if rng.random() < 0.7 else rng.choice(kinds) for t in truth]
        hits = sum(a == b for a, b in zip(truth, guess, strict=True))
        prompt = f"Run {i + 1}: compare predictions.csv with answers.csv and tell me the accuracy in percent."
        data = {"truth": "\n".join(truth), "guess": "\n".join(guess), "hits": hits}
        out.append(Problem(f"score-{i:02d}", prompt, str(10 * hits), "/".join(kinds), rng.gauss(0, 0.6), data))
    return out
