"""Servers with an incident: an alert, a shell, and a health check in the end."""

from random import Random

from benchmarks.foreign.fiftieth.episodes import Episode, Talk, Task, one, some

_SYSTEM = "You are on call. You have a root shell through the tool `shell`. Bring the service back and keep its data."
_CAUSES = {
    "disk": (
        "write failed: No space left on device (/var/lib/{s})",
        "du -sh /var/log/{s}/* | sort -h | tail -3",
        "31G\t/var/log/{s}/trace.log",
        "truncate -s 0 /var/log/{s}/trace.log",
    ),
    "port": (
        "bind() to 0.0.0.0:{p} failed (98: Address already in use)",
        "ss -ltnp | grep :{p}",
        'LISTEN 0 511 0.0.0.0:{p} users:(("{s}-old",pid={q},fd=6))',
        "kill {q}",
    ),
    "config": (
        "fatal: /etc/{s}/{s}.conf line {n}: workers must be a number, got 'auto{n}'",
        "sed -n {n}p /etc/{s}/{s}.conf",
        "workers = auto{n}",
        "sed -i '{n}s/auto{n}/4/' /etc/{s}/{s}.conf",
    ),
    "owner": (
        "cannot open /var/lib/{s}/store.db: Permission denied",
        "ls -l /var/lib/{s}",
        "-rw------- 1 root root {q} store.db",
        "chown {s}:{s} /var/lib/{s}/store.db",
    ),
    "certificate": (
        "tls: certificate of {s}.internal expired {n} days ago",
        "ls /etc/{s}/tls",
        "renewed.pem  server.pem",
        "cp /etc/{s}/tls/renewed.pem /etc/{s}/tls/server.pem",
    ),
}
_SERVICES = ("ledger", "mailgate", "thumbs", "quotes", "atlas", "billing", "courier", "pantry", "signup", "radar")


def incidents(rng: Random, number: int) -> list[Task]:
    """Alerts of services, each with one cause."""
    tasks, seen = [], set()
    while len(tasks) < number:
        place = len(tasks)
        service, cause, node = rng.choice(_SERVICES), rng.choice(list(_CAUSES)), rng.randrange(2, 40)
        port, since = rng.randrange(7000, 9900), rng.randrange(2, 50)
        fill = {"s": service, "p": port, "q": rng.randrange(900, 32000), "n": rng.randrange(3, 60)}
        steps = [part.format(**fill) for part in _CAUSES[cause]]
        prompt = one(
            rng,
            f"Alert: {service} on node-{node:02d} answers 503 since {since} minutes. Port: {port}.",
            f"Pager: health check of {service} (node-{node:02d}, port {port}) is red. Please repair it.",
            f"{service} is down on node-{node:02d}; the check at http://localhost:{port}/health fails. Find out why.",
        )
        if prompt in seen:
            continue
        seen.add(prompt)
        facts = {"service": service, "port": port, "cause": cause, "steps": steps, "since": since}
        task = Task(f"ops-{cause}-{place:04d}", _SYSTEM, prompt, "healthy", facts, rng.gauss(0, 0.8))
        tasks.append(task)
    return tasks


def repair(rng: Random, task: Task, skill: float, step: int) -> Episode:
    """Look, find, mend, restart, check; a wrong attempt only restarts."""
    f, right, talk = task.facts, rng.random() < skill, Talk()
    s, (message, look, seen, mend) = f["service"], f["steps"]
    talk.call(
        one(rng, f"I begin with the state of {s}.", f"What does systemd say about {s}?", f"First the unit {s} itself.")
        + some(rng, 0.4, "After that its log.", "A 503 may have many causes."),
        "shell",
        f"{s}.service - loaded; failed (Result: exit-code) since {f['since']} min ago",
        command=f"systemctl status {s} --no-pager",
    )
    if right or rng.random() < 0.5:
        talk.call(
            one(rng, "The unit failed, so the journal must tell why.", f"Let me read the last lines that {s} wrote."),
            "shell",
            f"{s}[{rng.randrange(400, 9000)}]: starting\n{s}: {message}\n{s}: exiting with status 1",
            command=f"journalctl -u {s} -n {rng.choice((20, 30, 50))} --no-pager",
        )
    if right:
        thought = one(
            rng, "The log names the cause; I look at it.", f"That points to one thing: {message.split(':')[0]}."
        )
        talk.call(thought + some(rng, 0.4, "I check before I change."), "shell", seen, command=look)
        talk.call(
            one(
                rng,
                "This confirms it, and I mend it.",
                f"Now the repair for {s}.",
                "The smallest change that helps is this.",
            ),
            "shell",
            "(no output)",
            command=mend,
        )
    talk.call(
        one(rng, "Next comes the restart.", f"I start {s} again.", "A restart should take this up."),
        "shell",
        "(no output)" if right else f"Job for {s}.service failed. See journalctl -xeu {s}.service.",
        command=f"systemctl restart {s}",
    )
    code = 200 if right else 503
    talk.call(
        one(rng, "Does the health check agree?", "I ask the check.", f"Let me see what port {f['port']} answers."),
        "shell",
        str(code),
        command=f"curl -s -o /dev/null -w '%{{http_code}}' http://localhost:{f['port']}/health",
    )
    if right:
        talk.say(one(rng, f"{s} is healthy again.", f"Repaired: {s} answers 200.") + f" The cause was: {message}")
    else:
        talk.say(
            one(rng, f"I restarted {s}, yet it still answers 503.", f"{s} does not come up after a restart.")
            + some(rng, 0.5, "Somebody with more insight should look.", "The cause is unknown to me.")
        )
    return Episode(talk.turns, right, str(code), state={"http_code": code})
