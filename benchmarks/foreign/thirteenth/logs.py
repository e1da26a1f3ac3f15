"""Log files that are read in pages to find what failed first."""

from random import Random

from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.rollouts import Message, Task

SYSTEM = (
    "Find the service that failed first. Tool: read_log(path, offset) gives at most 8 lines. End with 'Culprit: NAME'."
)
SERVICES = ["auth", "billing", "catalog", "dispatch", "edge", "fraud", "gateway", "hooks", "images", "jobs"]
NORMAL = (
    "request served in {n} ms",
    "cache warm, {n} keys",
    "heartbeat",
    "rotated key {n}",
    "queue depth {n}",
    "retry {n} scheduled",
)
FAIL = (
    "connection refused by peer",
    "panic: index out of range",
    "deadline exceeded",
    "out of file handles",
    "bad certificate",
)


def incident(rng: Random, index: int) -> Task:
    """A log of some pages with a first failure somewhere."""
    day, hour = rng.randint(1, 28), rng.randint(0, 23)
    path = f"/var/log/inc-{rng.randint(1000, 9999)}.log"
    count, guilty = rng.randint(14, 44), rng.choice(SERVICES)
    at = rng.randint(3, count - 3)
    lines = []
    for n in range(count):
        name = guilty if n == at else rng.choice(SERVICES)
        failed = n == at or (n > at and rng.random() < 0.3)
        what = ("ERROR " + rng.choice(FAIL)) if failed else "INFO " + rng.choice(NORMAL).format(n=rng.randint(2, 900))
        lines.append(f"{hour:02d}:{n:02d}:{rng.randint(0, 59):02d} {name} {what}")
    prompt = f"On day {day} something broke. Which service failed first, by {path}?"

    def wrong(rng: Random) -> str:
        return rng.choice([s for s in SERVICES if s != guilty])

    def work(rng: Random, answer: str, right: bool) -> list[Message]:
        done: list[Message] = []
        last = at if right else rng.randint(0, count - 1)
        for offset in range(0, last + 1, 8):
            page = "\n".join(lines[offset : offset + 8])
            more = (
                f"\n... [output cut at 8 lines; {count - offset - 8} more, use offset={offset + 8}]"
                if offset + 8 < count
                else ""
            )
            say = rng.choice(("Reading on.", "Next page.", "", "Nothing wrong so far.", "Open the log."))
            done += [said(say, call("read_log", path=path, offset=offset)), heard("read_log", page + more)]
        return [*done, said(f"{rng.choice(('First ERROR seen.', 'It starts there.', ''))} Culprit: {answer}".strip())]

    return Task(
        f"inc{index:04d}", "incident", prompt, guilty, (count - 28) / 14 + rng.gauss(0, 0.5), wrong, work, SYSTEM
    )
