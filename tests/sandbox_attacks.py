"""What attacks on the sandbox share: tight limits, and a program that tells which of its attempts went through."""

import json

from evotrainer.sandbox import Limits, Program, Sandbox

QUICK = Limits(cpu_seconds=10, wall_seconds=0.4)
SMALL = Limits(cpu_seconds=10, wall_seconds=20, memory_bytes=256 * 1024**2, output_bytes=10_000)

TRY = """
import json, os, sys
report = {}
def attempt(name, action):
    try:
        report[name] = repr(action())
    except BaseException as error:
        report[name] = error
def refused(*kinds):
    kept = {name: str(result) for name, result in report.items() if not isinstance(result, kinds or (OSError,))}
    print(json.dumps(kept))
"""
"""Prints what did NOT fail with an error of the given kinds: {} when every attempt was refused."""


def survivors(sandbox: Sandbox, attempts: str, kinds: str = "", stdin: str = "") -> dict[str, str]:
    execution = sandbox.run(Program(f"{TRY}\n{attempts}\nrefused({kinds})", stdin=stdin), SMALL)
    assert execution.outcome == "ok", execution.stderr
    return json.loads(execution.stdout)
