"""Whether a chat template can be used, asked in a process of its own: it is code of somebody else.

The process has SECONDS of processor time for it and MEMORY_BYTES. A rollout later renders without limits.
"""

import json
import math
import resource
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evotrainer.actions.tool_call_formats import ToolSchemas
from evotrainer.config import Config
from evotrainer.engines.codec import HfChatCodec, ToolUse, read_tokenizer, tool_use
from evotrainer.errors import PolicyError
from evotrainer.records import Message
from flows.workspace.checks.apart import look_apart

SECONDS = 5
"""A template takes milliseconds."""
MEMORY_BYTES = 2 << 30
LONG_TEXT = "What follows? " * 20_000


def ask_template(main: Path, policy: Path, config: Config, tools: ToolSchemas) -> ToolUse | None:
    """Return how the policy calls tools, None where there are none.

    Raises:
        PolicyError: there is no tokenizer or template, it refuses what it is for, or takes too long.

    """
    asked = json.dumps([config.policy.tool_call_format, list(tools), config.domain.system_prompt])
    try:
        found = look_apart(main, __name__, str(policy), asked)["tools"]
    except TimeoutError:
        raise PolicyError(
            f"the chat template of {policy} takes more than {SECONDS} s: it may never end; take another"
        ) from None
    return ToolUse(**found) if found else None


def _try(path: Path, tool_call_format: str, tools: ToolSchemas, system_prompt: str) -> ToolUse | None:
    start = time.process_time()
    read_tokenizer(path)
    spent = time.process_time()
    allowed = math.ceil(2 * spent - start) + SECONDS  # the tokenizer is read once more
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed))
    codec = HfChatCodec.from_directory(path, tool_call_format)
    codec.shown([Message(role="user", content=LONG_TEXT)])
    codec.end_of_turn()
    return tool_use(codec, tools, system_prompt) if tools else None


def _told(path: Path, error: str) -> str:
    """Return an error of a template with the policy that it is of, and a remedy."""
    start = "the chat template "
    if not error.startswith(start):
        return error
    remedy = "" if ": take a" in error or "or take a" in error else ": correct it, or take another policy"
    return f"{start}of {path} {error.removeprefix(start)}{remedy}"


def main(path: Path, asked: list[Any]) -> None:
    """Print what came of it as JSON."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        found = _try(path, *asked)
        answer = {"tools": asdict(found) if found else None}
    except PolicyError as error:
        answer = {"error": _told(path, str(error))}
    print(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
