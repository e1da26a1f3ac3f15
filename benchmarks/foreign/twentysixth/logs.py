"""A machine on call: read the log of a service and name the cause of its failure."""

from random import Random

from benchmarks.foreign.twentysixth.attempts import Reply, Task, World
from benchmarks.foreign.twentysixth.turns import call, pick, say, tool

CAUSES = {
    "disk-full": "write failed: no space left on /var",
    "cert-expired": "tls: certificate has expired",
    "pool-exhausted": "timeout waiting for a connection of the pool",
    "bad-config": "unknown key 'retires' in config.yaml",
    "dns": "lookup db.internal: no such host",
    "clock-skew": "token used before issued",
}
SERVICES = ("billing", "mailer", "search-api", "thumbs", "ledger", "gateway", "sync", "reports", "auth")
SYSTEM = "Find why a service fails. Tools: read_log(service), restart(service). End with 'Cause: <name>', one of "
SYSTEM += ", ".join(CAUSES) + "."


def task(rng: Random) -> Task:
    """A service and the cause."""
    service, cause, length = rng.choice(SERVICES), rng.choice(list(CAUSES)), rng.randint(4, 26)
    host = f"{pick(rng, 'eu', 'us', 'ap')}-{rng.randint(1, 40)}"
    since = f"{rng.randrange(24):02d}:{rng.randrange(60):02d}"
    prompt = f"{service} on {host} has been failing since {since}. What is the cause?"
    extra = {"service": service, "lines": length, "host": host, "since": since}
    return Task(service, prompt, cause, system=SYSTEM, extra=extra)


def log(t: Task) -> str:
    """Lines of a log with the error at the end."""
    rng = Random(t.prompt)
    words = (
        "GET /health 200",
        "worker started",
        "cache warm",
        "flushed {n} items",
        "GET /v1/items 200",
        "gc took {n} ms",
    )
    lines = [
        f"{t.extra['since']}:{i:02d} INFO {rng.choice(words).format(n=rng.randint(2, 900))}"
        for i in range(t.extra["lines"])
    ]
    lines.append(f"{t.extra['since']}:{len(lines):02d} ERROR {CAUSES[t.gold]}")
    return "\n".join(lines)


def ask(rng: Random, t: Task) -> dict:
    """The call that reads the log."""
    text = pick(rng, "Reading the log.", f"What does {t.extra['service']} say?", "First the log.", "")
    return call(text, "read_log", service=t.extra["service"])


def close(rng: Random, t: Task, cause: str) -> dict:
    """The last message."""
    why = pick(
        rng,
        f"{t.extra['service']} on {t.extra['host']} shows it.",
        "The last line tells.",
        "This explains the failures.",
    )
    return say(f"{why}\nCause: {cause}")


def reply(rng: Random, t: Task, right: bool, progress: float) -> Reply:
    """Read, perhaps restart, name the cause."""
    messages = [ask(rng, t), tool("read_log", log(t))]
    if rng.random() < 0.3 * (1 - progress) + 0.05:
        messages += [
            call("A restart may help.", "restart", service=t.extra["service"]),
            tool("restart", "restarted, fails again"),
        ]
    cause = t.gold if right else rng.choice([c for c in CAUSES if c != t.gold])
    return Reply([*messages, close(rng, t, cause)], cause)


WORLD = World(task, reply)
