"""Servers that went wrong: find the cause, mend it. A probe of the service's health is the check."""

import random

from benchmarks.foreign.sixtyfirst.tasks import Message, Task, World, code_of, says, tool

_NAMES = ("billing-api", "image-proxy", "search-gateway", "mail-relay", "session-store", "report-runner", "geo-cache")
CAUSES = {
    "disk": ("write failed: No space left on device", "truncate -s 0 /var/log/{s}/debug.log && systemctl restart {s}"),
    "port": ("bind: address already in use 0.0.0.0:{p}", "fuser -k {p}/tcp && systemctl restart {s}"),
    "cert": ("x509: certificate has expired", "certbot renew --cert-name {s}.internal && systemctl restart {s}"),
    "memory": (
        "killed by cgroup limit: memory.max exceeded",
        "systemctl set-property {s} MemoryMax=2G && systemctl restart {s}",
    ),
    "config": (
        "parse error in /etc/{s}/app.yaml line 14",
        "sed -i '14s/\\t/  /' /etc/{s}/app.yaml && systemctl restart {s}",
    ),
    "perms": ("open /var/lib/{s}/data: permission denied", "chown -R {s}: /var/lib/{s} && systemctl restart {s}"),
}
"""Cause -> the line of the log and what mends it."""


def draw(rng: random.Random) -> Task:
    """A service that is down for one cause."""
    name, cause, host = (
        rng.choice(_NAMES),
        rng.choice(list(CAUSES)),
        f"{rng.choice(('web', 'db', 'edge'))}-{rng.randrange(1, 40)}",
    )
    since = f"{rng.randrange(0, 24):02d}:{rng.randrange(60):02d}"
    prompt = rng.choice(
        (
            f"{name} on {host} has answered with 502 since {since}. Find out why and bring it back.",
            (
                f"Alert from {since}: health probe of {name} fails on {host}. Mend the "
                "cause, do not only silence the alert."
            ),
            (
                f"Customers report errors from {name} ({host}), first seen at {since}. "
                "Please get the service healthy again."
            ),
        )
    )
    facts = {"s": name, "p": rng.randrange(3000, 9900), "host": host, "cause": cause}
    return Task(code_of(rng, "ops"), prompt, cause, rng.gauss(0, 1), "healthy", facts)


def play(rng: random.Random, task: Task, right: bool) -> tuple[list[Message], str]:
    """Status, log, a remedy, the probe."""
    f = task.facts
    line, cure = (t.replace("{s}", f["s"]).replace("{p}", str(f["p"])) for t in CAUSES[f["cause"]])
    wrong = rng.choice((f"systemctl restart {f['s']}", f"systemctl daemon-reload && systemctl start {f['s']}"))
    begin = rng.choice(
        (
            f"I start with the state of {f['s']} on {f['host']}.",
            f"Before I touch anything I want to see what systemd says about {f['s']}.",
            f"A 502 may come from the unit itself or from what it depends on, so {f['s']} first.",
        )
    )
    pid = rng.randrange(400, 30000)
    said: list[Message] = [says(begin, "shell", command=f"systemctl status {f['s']} --no-pager")]
    said += [tool("shell", f"{f['s']}.service: failed (Result: exit-code) Main PID: {pid} (code=exited, status=1)")]
    said += [
        says(
            rng.choice(("The journal should tell the reason.", "It exits at once; I read its log.")),
            "shell",
            command=f"journalctl -u {f['s']} -n {rng.choice((20, 40, 50))}",
        )
    ]
    said += [tool("shell", f"{f['host']} {f['s']}[{pid}]: {line}")]
    think = f"The log says '{line}'. " + rng.choice(
        ("I remove that cause and start the unit again.", "That is what I mend now.")
    )
    hope = rng.choice(("This may have passed by now, so I restart it.", f"A fresh start of {f['s']} might clear it."))
    said += [says(think if right else hope, "shell", command=cure if right else wrong), tool("shell", "(no output)")]
    said += [
        says(
            rng.choice(("Now the probe.", "Does it answer?")),
            "shell",
            command=f"curl -s -o /dev/null -w '%{{http_code}}' localhost:{f['p']}/health",
        )
    ]
    said += [tool("shell", "200" if right else "502")]
    end = (
        f"{f['s']} on {f['host']} answers with 200 again; the cause was: {line}."
        if right
        else rng.choice(
            (
                f"I restarted {f['s']}; it should recover soon.",
                f"{f['s']} still shows 502, I could not get further on {f['host']}.",
            )
        )
    )
    return [*said, says(end)], "healthy" if right else "down"


SERVERS = World("servers", "You are on call. You have a shell on the host. Report what you did at the end.", draw, play)
"""Servers that went wrong."""
