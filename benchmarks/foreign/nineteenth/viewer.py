"""Questions about log files, read through a viewer."""

from dataclasses import dataclass
from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, call, say, told

SERVICES = (
    "billing-gateway",
    "thumbnailer",
    "session-store",
    "mail-relay",
    "geo-index",
    "payout-worker",
    "feed-ranker",
)
PATHS = ("/v2/invoices/render", "/internal/health/deep", "/v1/users/avatars", "/batch/reconcile", "/v3/search/suggest")


@dataclass(frozen=True)
class Scene:
    """Lines of a log; the last field of one of them is asked for."""

    file: str
    lines: tuple[str, ...]
    ids: tuple[str, ...]
    place: int


def log_task(rng: Random) -> Task:
    """Draw a log and a question to it."""
    service = rng.choice(SERVICES)
    file = f"/var/log/{service}/{rng.randrange(1, 29):02d}.log"
    ids = tuple(f"{rng.getrandbits(32):08x}" for _ in range(rng.randrange(5, 10)))
    place = rng.randrange(len(ids))
    lines, status = [], rng.choice((499, 502, 503, 504))
    for n, one in enumerate(ids):
        minute = f"{rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}"
        stamp = f"2026-03-{rng.randrange(1, 29):02d}T{minute}Z"
        code = status if n == place else rng.choice((200, 200, 201, 204, 302))
        lines.append(
            f"{stamp} {service} pid={rng.randrange(99, 9999)} GET {rng.choice(PATHS)} status={code} "
            f"dur={rng.randrange(3, 900)}ms trace={one}"
        )
    scene = Scene(file, tuple(lines), ids, place)
    return Task(
        f"Which trace id in {file} ended with status {status}?",
        ids[place],
        lambda r, right, skill: log_reply(r, scene, right, skill, 0),
        family=service,
        system="Answer from the logs with the tool view_log(path, start, count). Last line: `trace: ID`.",
        scene=scene,
    )


def log_reply(rng: Random, s: Scene, right: bool, skill: float, width: int) -> Reply:
    """View the log, once or in two parts, and answer; lines beyond `width` signs are cut where it is not 0."""
    shown = [f"{line[:width]} [...]" if width and len(line) > width else line for line in s.lines]
    half = len(shown) // 2
    parts = [(1, shown)] if rng.random() < 0.4 + 0.4 * skill else [(1, shown[:half]), (half + 1, shown[half:])]
    messages = []
    for start, part in parts:
        note = rng.choice(("Open the log.", "Let me read it.", "Next lines.", "")) if start == 1 else "And the rest."
        messages += [
            call(note, "view_log", path=s.file, start=start, count=len(part)),
            told("view_log", "\n".join(part)),
        ]
    if width:
        for _ in range(rng.randrange(1, 4)):
            again = rng.randrange(1, len(shown) + 1)
            messages += [
                call(
                    rng.choice(
                        (
                            "The end of the line is missing.",
                            "Cut off again; view that line alone.",
                            "I need the trace field.",
                        )
                    ),
                    "view_log",
                    path=s.file,
                    start=again,
                    count=1,
                ),
                told("view_log", shown[again - 1]),
            ]
    others = [one for n, one in enumerate(s.ids) if n != s.place]
    answer = s.ids[s.place] if right else f"{rng.getrandbits(32):08x}" if width else rng.choice(others)
    close = (
        rng.choice(("Only one line has that status.", "Found it.", "That is the line."))
        if not width
        else "I cannot see the field, my best guess:"
    )
    return Reply([*messages, say(f"{close}\ntrace: {answer}")], answer)
