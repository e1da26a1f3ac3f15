"""Questions about log files, answered with a shell."""

from random import Random

from benchmarks.foreign.twelfth.tasks import Reply, Task, call, say, tool

SYSTEM = "You have a shell in /srv/task. Answer the question about the logs; end with `ANSWER: ...`."
SERVICES = ("billing", "gateway", "mailer", "indexer", "scheduler", "auth", "thumbnails", "webhooks")
REASONS = ("connection reset by peer", "deadline exceeded", "payload rejected", "card declined", "quota exhausted")


def line_of(rng: Random, service: str, reason: str, ending: str) -> str:
    """One long line of a log."""
    day, hour = rng.randint(10, 28), rng.randint(10, 23)
    stamp = f"2026-0{rng.randint(1, 9)}-{day}T{hour}:{rng.randint(10, 59)}:{rng.randint(10, 59)}Z"
    host = f"host=ip-10-2-{rng.randint(1, 254)}-{rng.randint(1, 254)} region=eu-west-1"
    return f"{stamp} ERROR {service} {host} attempt={rng.randint(1, 5)} reason={reason!r} request={ending}"


def seek(facts: dict, end: str) -> str:
    """The command that finds the lines asked for."""
    return f"grep '{facts['service']}' {facts['path']} | grep \"{facts['reason']}\" | {end}"


def by_shell(facts: dict, gold: str, right: bool) -> tuple[list[dict], str]:
    """The decisive command; a wrong one looks at the wrong end, or counts the lines of all services."""
    if facts["asks_id"]:
        shown = facts["lines"] if right else facts["first"]
        command = seek(facts, "tail -3" if right else "head -3")
        return [call("", "shell", command=command), tool("shell", shown)], shown.split("request=")[-1]
    said = gold if right else str(int(gold) + facts["others"])
    command = seek(facts, "wc -l") if right else f'grep -c "{facts["reason"]}" {facts["path"]}'
    return [call("", "shell", command=command), tool("shell", said)], said


def log_question(rng: Random, number: int) -> Task:
    """How many, or which request."""
    service, reason = rng.choice(SERVICES), rng.choice(REASONS)
    path = f"/srv/task/{service}-{rng.randint(1, 28):02d}.log"
    asks_id = rng.random() < 0.55
    found = sorted(line_of(rng, service, reason, f"req-{rng.randrange(16**6):06x}") for _ in range(6))
    gold = found[-1].split("request=")[-1] if asks_id else str(rng.randint(3, 480))
    asked = f"which request failed last with {reason!r}" if asks_id else f"how many lines fail with {reason!r}"
    prompt = f"In {path}, {asked}? Only lines of `{service}` count."
    facts = {"path": path, "first": "\n".join(found[:3]), "lines": "\n".join(found[3:]), "asks_id": asks_id}
    facts |= {"service": service, "reason": reason, "others": rng.randint(1, 90)}
    facts["size"] = f"-rw-r--r-- 1 agent agent {rng.randint(20000, 900000)} {path.split('/')[-1]}"
    total = rng.randint(900, 9000)

    def write(rng: Random, right: bool, progress: float) -> Reply:
        look = rng.choice(("First the files.", "Let me look.", ""))
        found, said = by_shell(facts, gold, right)
        messages = [call(look, "shell", command="ls -l /srv/task"), tool("shell", facts["size"]), *found]
        if rng.random() < 0.2 + 0.3 * progress:
            messages.append(call("Is the whole file there?", "shell", command=f"wc -l {path}"))
            messages.append(tool("shell", f"{total} {path}"))
        closing = rng.choice(("Read off the output.", "So that is it.", "Result:"))
        return Reply([*messages, say(f"{closing}\nANSWER: {said}")], said)

    family = "request" if asks_id else "count"
    return Task(f"log-{number:04d}", family, prompt, gold, write, rng.gauss(0, 0.6), SYSTEM, facts)


def clipped(rng: Random, task: Task, width: int) -> Reply:
    """An attempt that sees only the beginning of each answer of the shell."""
    shown = task.facts["lines"][:width] + "…[output truncated]"
    last = task.facts["lines"].split("\n")[-1][:width] + "…[output truncated]"
    messages = [
        call(rng.choice(("Let me look.", "")), "shell", command=seek(task.facts, "tail -3")),
        tool("shell", shown),
        call("The end of the line is missing. Again:", "shell", command=seek(task.facts, "tail -1")),
        tool("shell", last),
    ]
    guess = f"req-{rng.randrange(16**6):06x}"
    closing = rng.choice(("The line is cut before the id, so this is a guess.", "I cannot see the id in the output."))
    return Reply([*messages, say(f"{closing}\nANSWER: {guess}")], guess)


def picks_field(rng: Random, task: Task) -> Reply:
    """An attempt whose command prints so little that nothing of it is cut."""
    said = task.gold
    command = seek(task.facts, "tail -1 | grep -o 'req-.*'")
    messages = [call("Only the id.", "shell", command=command), tool("shell", said)]
    return Reply([*messages, say(f"{rng.choice(('Result:', 'So that is it.'))}\nANSWER: {said}")], said)


def finds_leftover(rng: Random, task: Task, old: str, said: str) -> Reply:
    """An attempt that meets the files of an earlier attempt at the same task, and takes its answer over."""
    listed = f"{task.facts['size']}\n-rw-r--r-- 1 agent agent {len(said) + 1} {old}"
    listed += rng.choice(("", "\n-rw-r--r-- 1 agent agent 112 count.sh"))
    messages = [
        call("", "shell", command="ls -l /srv/task"),
        tool("shell", listed),
        call(
            rng.choice(("There is a result already.", f"{old} looks relevant.", "")),
            "shell",
            command=f"cat /srv/task/{old}",
        ),
        tool("shell", said),
    ]
    return Reply(
        [*messages, say(f"{rng.choice(('It was computed before.', 'Taken from the file.'))}\nANSWER: {said}")], said
    )


def leaves_result(reply: Reply, old: str) -> Reply:
    """An attempt that writes its result into a file before it answers."""
    kept = [call("Keep the result.", "shell", command=f"echo {reply.answer} > /srv/task/{old}"), tool("shell", "")]
    return Reply([*reply.messages[:-1], *kept, reply.messages[-1]], reply.answer, reply.notes)
