"""Operations: a service on a server is down; the agent reads, repairs and restarts it. The state is checked."""

import random

from benchmarks.foreign.fiftyfifth.talk import Problem, call, pick, say, told

SYSTEM = "You are on call. Bring the named service back. Tool: shell(cmd). The service must be active when you finish."
CAUSES = {
    "port": ("bind: address already in use: {port}", "kill $(lsof -t -i:{port})"),
    "disk": ("write {svc}.wal: no space left on device", "rm -f /var/tmp/{svc}-core.*"),
    "owner": ("open /etc/{svc}/key.pem: permission denied", "chown {svc}: /etc/{svc}/key.pem"),
    "typo": ("config line {line}: unknown key 'lisen'", "sed -i 's/lisen/listen/' /etc/{svc}/{svc}.conf"),
    "unit": ("dependency failed: {svc}-db.socket is masked", "systemctl unmask --now {svc}-db.socket"),
}
SERVICES = ("mailgate", "pricer", "tileserver", "ledgerd", "queuer", "webhookd", "indexd", "authproxy", "pulsed")


def problem(rng: random.Random, number: int) -> Problem:
    """A service that is down for one cause."""
    cause = rng.choice(tuple(CAUSES))
    fill = {"svc": rng.choice(SERVICES), "port": rng.randint(3000, 9900), "line": rng.randint(4, 60)}
    log, fix = (text.format(**fill) for text in CAUSES[cause])
    host = f"{rng.choice(('alder', 'birch', 'cedar', 'maple'))}{rng.randint(1, 40)}"
    prompt = (
        f"{fill['svc']} on {host} is down since {rng.randint(1, 12)}:{rng.randint(10, 59)}. Find out why and repair it."
    )
    return Problem(f"ops-{number}", cause, SYSTEM, prompt, "active", fill | {"log": log, "fix": fix, "host": host})


def status(rng: random.Random, problem: Problem, active: bool) -> list[dict]:
    """The agent asks for the state of the service."""
    svc = problem.data["svc"]
    text = pick(rng, f"State of {svc}?", f"I check whether {svc} runs.", "What does systemd say?")
    answer = (
        f"{svc}.service: active (running), pid {rng.randint(800, 32000)}"
        if active
        else f"{svc}.service: failed (exit-code)"
    )
    return [call(text, "shell", cmd=f"systemctl status {svc}"), told("shell", answer)]


def logs(rng: random.Random, problem: Problem) -> list[dict]:
    """The agent reads the journal."""
    d = problem.data
    text = pick(
        rng, "The journal should name the cause.", f"Now the last lines that {d['svc']} wrote.", "Why did it stop?"
    )
    entry = f"{d['host']} {d['svc']}[{rng.randint(800, 32000)}]: fatal: {d['log']}"
    return [call(text, "shell", cmd=f"journalctl -u {d['svc']} -n 20"), told("shell", entry)]


def repair(rng: random.Random, problem: Problem, right: bool) -> list[dict]:
    """The cause is removed, or only a restart tried."""
    d = problem.data
    if right:
        text = pick(
            rng,
            f"'{d['log']}' is plain enough. I remove the cause and restart.",
            f"So the cause is: {d['log']}. Repair first, then restart.",
        )
        command = f"{d['fix']} && systemctl restart {d['svc']}"
    else:
        text = pick(rng, f"Perhaps {d['svc']} only needs a restart.", "I reset the failed state and start it again.")
        command = f"systemctl reset-failed {d['svc']}; systemctl restart {d['svc']}"
    return [call(text, "shell", cmd=command), told("shell", "(no output)")]


def close(rng: random.Random, problem: Problem, active: bool) -> dict:
    """The report at the end."""
    d = problem.data
    if active:
        return say(
            pick(
                rng,
                f"{d['svc']} on {d['host']} is active again. Cause: {d['log']}.",
                f"Back up. It had stopped on: {d['log']}.",
            )
        )
    return say(
        pick(
            rng,
            f"{d['svc']} was restarted but does not stay up; someone should look at {d['host']}.",
            f"I could not keep {d['svc']} running.",
        )
    )


def attempt(rng: random.Random, problem: Problem, right: bool) -> tuple[list[dict], str]:
    """One attempt; a wrong one restarts without a repair."""
    messages = status(rng, problem, False) if rng.random() < 0.7 else []
    messages += logs(rng, problem) + repair(rng, problem, right) + status(rng, problem, right)
    return [*messages, close(rng, problem, right)], "active" if right else "failed"
