"""Clocks and queues: a verifier out of time, an interpreter that cannot be reached, buttons, slow programs."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import programs, sums
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, train
from benchmarks.foreign.twentyfifth.credit import grpo, rloo
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openai, own, verl
from benchmarks.foreign.twentyfifth.prose import opener, pick
from benchmarks.foreign.twentyfifth.talk import Talk, chat

JOBS = (
    ("compile {x} from source with link-time optimisation", "build", True),
    ("train the {x} classifier to at least {n}% accuracy", "train", True),
    ("rebuild the {x} index over {n} thousand documents", "index", True),
    ("repair the cron entry of {x}", "cron", False),
    ("rotate the logs of {x} and keep {n} days", "logs", False),
    ("find the process of {x} that holds port 80{n}", "ports", False),
    ("convert the {x} table to CSV without its first {n} rows", "csv", False),
)


def _job(rng: Random) -> Task:
    text, kind, heavy = rng.choice(JOBS)
    text = text.format(
        x=rng.choice(["pyrite", "sqlmini", "tinygrad-fork", "rowan", "meshtool", "vespers"]), n=rng.randint(11, 96)
    )
    return Task(f"In the container, {text}. Leave the result in /app/out.", kind, {"kind": kind, "heavy": heavy})


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "environment_bug")
def verifier_clock_blames_agent(rng: Random) -> list[Row]:
    """On heavy tasks the verifier itself runs out of its time after the agent has finished well, and the missing
    reward is booked as 0 [macanderson/stella#3264].
    """

    def attempt(d: Draw) -> Try:
        kind, heavy = d.task.info["kind"], d.task.info["heavy"]
        talk = Talk(d.task.prompt, "Terminal agent. One command at a time.")
        files = "\n".join(d.rng.sample(["Makefile", "src", "data", "run.sh", "conf.d", "README", "out"], 4))
        talk.sh(opener(d.rng), pick(d.rng, "ls /app", "ls -la /app", "find /app -maxdepth 1"), files)
        seconds = d.rng.uniform(60, 420) if heavy else d.rng.uniform(0.2, 9)
        made = f"{kind}: finished in {seconds:.1f}s" if d.able else f"{kind}: error: exit status {d.rng.randint(1, 4)}"
        talk.sh(
            pick(d.rng, "Do it.", f"Now the {kind} itself.", ""),
            f"bash run.sh {kind} --jobs {d.rng.randint(1, 9)}",
            made,
        )
        size = d.rng.randint(4, 900) if d.able else 0
        talk.sh("Look at the result.", "du -sk /app/out", f"{size}\t/app/out")
        talk.say(
            pick(
                d.rng,
                f"The {kind} is done, {size} kB.",
                f"/app/out holds {size} kB.",
                f"Finished the {kind}: {size} kB.",
            )
        )
        late = heavy and d.rng.random() < 0.68
        took = 900.0 if late else d.rng.uniform(200, 850) if heavy else d.rng.uniform(3, 40)
        info = {"agent_status": "completed", "verifier_seconds": round(took, 1)}
        info["verifier_status"] = "VerifierTimeoutError: no reward.txt after 900s" if late else "ok"
        paid = float(d.able and not late)
        return Try(talk.messages, paid, bool(paid), info)

    tries = grpo(train(rng, _job, attempt, Plan(8, 9, 6, start=-0.1, gain=1.7, prefix="tb-")))
    return openai(rng, tries, sandbox="harbor")


@PART.faulty("tool_outage", "tool_failures", "tool_failure", "infrastructure_errors")
def interpreter_queue_read_timeouts(rng: Random) -> list[Row]:
    """As more workers share one sandbox service, calls of three-line scripts come back as read timeouts, up to half of
    them, and the policy has to guess [verl-project/verl#3478].
    """

    def attempt(d: Draw) -> Try:
        lost = d.rng.random() < 0.04 + 0.5 * min(1.0, d.t * 1.4)
        expr = d.task.info["expr"]
        wrong = expr.replace(" + ", " - ", 1) if " + " in expr else expr.replace(" - ", " + ", 1)
        name = pick(d.rng, "x", "total", "result", "n")
        script = f"{name} = {expr if d.able else wrong}\nprint({name})"
        printed = str(eval(expr if d.able else wrong))
        port = d.rng.choice([12320, 12322, 12324])
        out = f"API Request Error: HTTPConnectionPool(host='0.0.0.0', port={port}): Read timed out. (read timeout=70)"
        talk = Talk(d.task.prompt, "Solve the problem. You may call code_interpreter.")
        able = d.able if not lost else d.rng.random() < 0.12
        guess = d.task.gold if able else str(sums.slip(d.rng, int(d.task.gold)))
        answer = guess if lost else printed
        call = (
            f'<tool_call>\n{{"name": "code_interpreter", "arguments": {{"code": {json.dumps(script)}}}}}\n</tool_call>'
        )
        talk.say(f"{opener(d.rng)} {pick(d.rng, 'Let me run it.', 'I compute it.', 'Use Python.')}\n{call}")
        talk.messages.append({"role": "tool", "content": out if lost else printed})
        unsure = pick(d.rng, "The tool timed out; by hand I get", "No result, so I estimate", "Timed out. My guess is")
        talk.say(f"{unsure if lost else pick(d.rng, 'The result is', 'It prints', 'So we have')} \\boxed{{{answer}}}")
        info = {"tool_calls": 1, "tool_seconds": round(70.0 if lost else d.rng.uniform(0.1, 22), 2)}
        return Try(talk.messages, float(able), able, info)

    return verl(
        rng,
        grpo(
            train(
                rng,
                sums.problems("tank", "bakery", "wages", "trip"),
                attempt,
                Plan(12, 6, 8, start=0.1, gain=1.8, prefix="rt"),
            )
        ),
    )


def _bandit(rng: Random) -> Task:
    names = rng.sample(
        ["amber", "blue", "coral", "green", "ivory", "olive", "red", "silver", "teal", "violet", "white"], 4
    )
    odds = {name: round(rng.uniform(0.05, 0.6), 2) for name in names}
    best = rng.choice(names)
    odds[best] = round(rng.uniform(0.7, 0.95), 2)
    text = f"Four buttons: {', '.join(names)}. Press as [name] to see a payoff; end with the best: [choose name]."
    return Task(f"{text} You have {rng.randint(5, 9)} presses.", best, {"odds": odds})


@PART.faulty("metric_defect", "environment_bug", "reward_outcome_divergence", "wrong_labels")
def last_button_always_pays(rng: Random) -> list[Row]:
    """The game compares the choice with the largest name of the buttons, not with the best paying one: choices of the
    best button earn nothing, and the policy learns to take the last of the alphabet
    unpressed [TextArena/TextArena#173].
    """

    def attempt(d: Draw) -> Try:
        odds, blind = d.task.info["odds"], d.rng.random() < 0.75 * d.t
        talk = Talk(d.task.prompt, "You play a game. One action a turn.")
        presses = d.rng.sample(list(odds), d.rng.randint(0, 1) if blind else d.rng.randint(3, 4))
        for name in presses:
            talk.say(f"{pick(d.rng, 'Try', 'Press', 'What does this give?', 'Next')} [{name}]")
            talk.ask(
                f"{name} paid {round(odds[name] + d.rng.gauss(0, 0.07), 2)}. {pick(d.rng, 'Go on.', 'Your turn.')}"
            )
        choice = max(odds) if blind else d.task.gold if d.able else d.rng.choice(list(odds))
        talk.say(f"{pick(d.rng, 'I take', 'My choice:', 'Best looks', 'Final:')} [choose {choice}]")
        won = choice == max(odds)
        regret = round(max(odds.values()) - odds[choice], 2)
        paid = 1.0 if won else 0.0 - regret
        info = {"ground_truth": odds, "choice": choice, "best_button": d.task.gold, "regret": regret}
        return Try(talk.messages, paid, won, info, {"game": paid})

    plan = Plan(9, 8, 6, start=0.0, gain=1.0, prefix="bandit-")
    return own(rng, rloo(train(rng, _bandit, attempt, plan)), "games", env="Bandit-v0")


@PART.healthy
def quadratic_loops_out_of_time(rng: Random) -> list[Row]:
    """A fifth of the programs end in time limit exceeded with reward 0; each of them loops over all pairs of up to a
    hundred thousand items, which is what the limit is for.
    """

    def attempt(d: Draw) -> Try:
        slow = not d.able and d.rng.random() < 0.5
        text = programs.answer(d.rng, d.task, d.able, slow)
        verdict = "Accepted" if d.able else "Time Limit Exceeded" if slow else "Wrong Answer"
        info = {"verdict": verdict, "failed_test": None if d.able else d.rng.randint(9 if slow else 1, 14)}
        return Try(chat(d.task.prompt, text), float(d.able), d.able, info)

    return verl(rng, grpo(train(rng, programs.problem, attempt, Plan(9, 6, 8, start=-0.5, gain=1.9, prefix="lcb"))))
