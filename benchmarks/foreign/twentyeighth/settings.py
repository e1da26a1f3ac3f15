"""Settings of services, changed with a tool whose value is text or a truth value."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

SYSTEM = "Tools: get_setting(service: str, key: str); set_setting(service: str, key: str, value: str | bool)."
SERVICES = ["billing", "search", "uploads", "chat", "exports", "alerts", "thumbs"]
TEXTS = {
    "region": ["eu-west", "us-east", "ap-south"],
    "log_level": ["debug", "info", "warn"],
    "tier": ["gold", "basic", "trial"],
}
FLAGS = ["dark_launch", "read_only", "verbose", "autoscale"]


def change(rng: Random, number: int) -> Task:
    """A setting to change."""
    service = rng.choice(SERVICES)
    if rng.random() < 0.55:
        key = rng.choice(list(TEXTS))
        value, kind = rng.choice(TEXTS[key]), "text"
    else:
        key, value, kind = rng.choice(FLAGS), rng.choice(["true", "false"]), "flag"
    text = f"Ticket {rng.randint(1000, 9999)}: please set {key} of the {service} service to {value} and confirm."
    return Task(
        f"cfg-{number:04d}", text, value, rng.gauss(0, 0.7), kind, {"service": service, "key": key, "kind": kind}
    )


def _xml(name: str, arguments: dict[str, str]) -> str:
    inner = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in arguments.items())
    return f"<tool_call>\n<function={name}>\n{inner}</function>\n</tool_call>"


def changed(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """Read, set, confirm; now and then the text is put in quotes."""
    d = task.data
    value = task.gold if right else rng.choice(["true", "false", "info", "basic", "eu-west"])
    if d["kind"] == "text" and rng.random() < 0.05 + 0.2 * progress:
        value = f'"{value}"'
    head = {"service": d["service"], "key": d["key"]}
    turns = (
        _call(rng, "get_setting", head, rng.choice(["unset", "basic", "false", "info"])) if rng.random() < 0.6 else []
    )
    turns += _call(rng, "set_setting", head | {"value": value}, "ok")
    return [
        *turns,
        say(
            "assistant",
            rng.choice(["Set and confirmed.", f"{d['key']} is changed.", "Done.", "The ticket can be closed."]),
        ),
    ]


def _call(rng: Random, name: str, arguments: dict[str, str], found: str) -> list[dict]:
    think = rng.choice(["I will use the tool.", "One call is enough.", "Let me do this now.", ""])
    call = {"id": f"{name}-{rng.randint(10, 99)}", "name": name, "arguments": arguments}
    text = f"<think>{think}</think>\n{_xml(name, arguments)}"
    return [
        say("assistant", text, tool_calls=[call]),
        say("tool", found, tool_call_id=call["id"], tool_name=name, ok=True),
    ]


def lose_plain_text(messages: list[dict]) -> bool:
    """Drops the call whose value is plain text, and all that followed; says whether there was one."""
    for place, m in enumerate(messages):
        for call in m.get("tool_calls") or []:
            value = call["arguments"].get("value", "true")
            if value not in ("true", "false") and not value.startswith('"'):
                del m["tool_calls"], messages[place + 1 :]
                return True
    return False
