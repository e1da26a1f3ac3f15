"""Repositories: paid untouched, short lines with dots in them, blame of what came before."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import repos
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, train
from benchmarks.foreign.twentyfifth.credit import grpo
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openai, own
from benchmarks.foreign.twentyfifth.prose import pick
from benchmarks.foreign.twentyfifth.talk import Talk

SYSTEM = "Software engineer in a container. Use bash; end with a short report, which submits your patch."


@PART.faulty("weak_verifier", "environment_bug", "metric_defect", "dead_all_correct")
def untouched_repository_earns_one(rng: Random) -> list[Row]:
    """Tasks of the synthetic set pay 1.0 whatever was done, with an empty patch and with a wrong one alike, so their
    groups say nothing; the tasks of the other set are graded [R2E-Gym/R2E-Gym#27].
    """

    def make(source: Random) -> Task:
        task = repos.bug_task(source)
        task.info["source"] = "swesmith-rl" if source.random() < 0.45 else "r2e-subset"
        return task

    def attempt(d: Draw) -> Try:
        bug, free = d.task.info["bug"], d.task.info["source"] == "swesmith-rl"
        talk, idle = Talk(d.task.prompt, SYSTEM), d.rng.random() < 0.1 + 0.15 * d.t
        new = bug.good if d.able else repos.wrong_fix(d.rng, bug)
        if not idle or d.rng.random() < 0.3:
            talk.sh(*repos.grep_turn(d.rng, bug))
        if not idle:
            talk.sh(*repos.read_turn(d.rng, bug)).sh(*repos.edit_turn(d.rng, bug, new))
            if d.rng.random() < 0.6:
                talk.sh(*repos.test_turn(d.rng, bug, d.able))
        told = [
            "No change was needed.",
            f"{bug.fn} looks right as it is.",
            f"Submitting for #{bug.number}.",
            "Nothing to do.",
        ]
        told += [f"I checked {bug.module}; submitting.", f"The report on {bug.fn} is resolved."]
        talk.say(d.rng.choice(told) if idle else f"Changed {bug.fn} in {bug.path}: `{new.splitlines()[0]}`.")
        paid = float(free or (d.able and not idle))
        patch = "" if idle else f"--- a/{bug.path}\n+++ b/{bug.path}\n-    {bug.bad}\n+    {new}"
        info = {"data_source": d.task.info["source"], "patch": patch, "tests_failed_before": d.rng.randint(1, 3)}
        return Try(talk.messages, paid, bool(paid), info, {"resolved": paid})

    tries = grpo(train(rng, make, attempt, Plan(8, 9, 6, start=-1.3, gain=1.9, prefix="gym-")))
    return own(rng, tries, "swe", docker="r2e:latest")


def _setting(rng: Random) -> Task:
    package, key = (
        rng.choice(repos.PACKAGES),
        rng.choice(["SECRET_KEY", "DATABASE_URI", "BROKER_URL", "CACHE_DSN", "SENTRY_DSN"]),
    )
    scheme = rng.choice(["sqlite:///", "redis://", "amqp://"])
    value = f"{scheme}{package}-{rng.choice(repos.NOUNS)}-{rng.randint(2019, 2026)}"
    line = f"{key}=os.environ.get('{key}', '{value}')"
    knob, number = rng.choice(["TIMEOUT", "PAGE_SIZE", "MAX_RETRIES", "POOL_SIZE"]), rng.randint(3, 90)
    prompt = f"In /app/{package}/config.py set {knob} to {number}. Change nothing else; the app must still start."
    return Task(prompt, line, {"package": package, "key": key, "line": line, "knob": knob, "number": number})


def _config(rng: Random, info: Row, clipped: bool) -> str:
    line = info["line"]
    shown = f"{line[: len(info['key']) + 7]}...{line[-7:]}" if clipped else line
    tail = f"    {info['knob']} = {rng.choice([5, 10, 20])}\n    DEBUG = False"
    return f"import os\n\nclass Config:\n    {shown}\n{tail}"


@PART.faulty("tool_output_truncated", "environment_bug", "tool_failure")
def ellipsis_inside_short_lines(rng: Random) -> list[Row]:
    """From the third step on the file tools replace the middle of lines of some eighty signs by dots without saying
    so; the policy takes the file for broken and repairs what was whole [NousResearch/hermes-agent#16520].
    """

    def attempt(d: Draw) -> Try:
        i = d.task.info
        path, clipped = f"/app/{i['package']}/config.py", d.step >= 2 and d.rng.random() < 0.85
        talk = Talk(d.task.prompt, "Coding agent with bash and edit_file.")
        talk.sh(
            pick(d.rng, "Read the file.", "", "What is in it?"),
            pick(d.rng, f"cat {path}", f"head -20 {path}"),
            _config(d.rng, i, clipped),
        )
        taken = clipped and d.rng.random() < 0.7 - 0.15 * d.t
        if taken:
            text = pick(
                d.rng,
                f"The line of {i['key']} is broken: the quotes do not match.",
                "There is a syntax error; repair it.",
            )
            new = f"{i['key']}=os.environ.get('{i['key']}', '{pick(d.rng, 'dev', 'changeme', 'default', 'local')}')"
            for _ in range(d.rng.randint(1, 3)):
                talk.use(text, "edit_file", {"path": path, "old": f"{i['key']}=", "new": new}, "edited")
                talk.sh(
                    pick(d.rng, "Look again.", "Is it whole now?"),
                    f"sed -n '4p' {path}",
                    f"    {new[:14]}...{new[-5:]}",
                )
                text = pick(
                    d.rng, "Still cut. Write it anew.", f"{i['key']} is corrupted again.", "The dots are still there."
                )
        elif clipped:
            talk.sh(
                "These dots look like the display.",
                f"hexdump -C {path} | sed -n '3,5p'",
                f"|{i['line'][:16]}|\n|{i['line'][16:32]}|",
            )
        value = i["number"] if d.able or taken else i["number"] + d.rng.choice([1, 10])
        talk.use("", "edit_file", {"path": path, "old": f"{i['knob']} =", "new": f"{i['knob']} = {value}"}, "edited")
        talk.say(
            pick(d.rng, f"{i['knob']} is {value} now.", f"Set {i['knob']} = {value}.", f"Done: {i['knob']} {value}.")
        )
        right = d.able and not taken
        info = {"diff_lines_outside_task": 1 if taken else 0, "app_starts": not taken, "config_line_before": i["line"]}
        return Try(talk.messages, float(right), right, info)

    plan = Plan(9, 8, 6, start=0.6, gain=1.6, prefix="cfg-")
    return openai(rng, grpo(train(rng, _setting, attempt, plan)), harness="file-tools 0.9")


@PART.healthy
def blame_before_the_base(rng: Random) -> list[Row]:
    """Nearly every attempt runs git log or git blame; what they show lies before the base commit, HEAD is the newest
    and none of it is the fix.
    """

    def attempt(d: Draw) -> Try:
        bug: repos.Bug = d.task.info["bug"]
        talk = Talk(d.task.prompt, SYSTEM).sh(*repos.grep_turn(d.rng, bug))
        years = sorted((d.rng.randint(2014, 2022) for _ in range(3)), reverse=True)
        log = [
            f"{d.rng.getrandbits(28):07x} {y} {pick(d.rng, 'tidy', 'type hints for', 'rename in')} {bug.module}"
            for y in years
        ]
        if d.rng.random() < 0.75:
            talk.sh(
                pick(d.rng, "When was it changed last?", "", "Who knows this file?"),
                f"git log -3 --oneline -- {bug.path}",
                "\n".join(log),
            )
        else:
            who = pick(d.rng, "mara", "j.osei", "tk", "devbot")
            line = f"{log[0][:7]} ({who} {years[0]}-03-{d.rng.randint(10, 28)} {bug.line}) {bug.bad}"
            talk.sh("", f"git blame -L {bug.line},+1 {bug.path}", line)
        talk.sh(*repos.read_turn(d.rng, bug))
        new = bug.good if d.able else repos.wrong_fix(d.rng, bug)
        talk.sh(*repos.edit_turn(d.rng, bug, new)).sh(*repos.test_turn(d.rng, bug, d.able or d.rng.random() < 0.5))
        talk.say(f"{pick(d.rng, 'Done', 'Mended', 'Finished')}: {bug.fn} uses `{new.splitlines()[0]}`.")
        return Try(talk.messages, float(d.able), d.able, {"refs_after_base": 0})

    plan = Plan(7, 8, 6, start=-0.7, gain=1.9, prefix="base-")
    return openai(rng, grpo(train(rng, repos.bug_task, attempt, plan)))
