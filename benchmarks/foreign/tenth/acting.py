"""Turns of tool use."""

from benchmarks.foreign.case import Row


def call(text: str, name: str, **arguments: object) -> Row:
    """The policy calls one tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def shell(text: str, command: str) -> Row:
    """The policy runs a command."""
    return call(text, "bash", command=command)


def told(name: str, content: str, ok: bool = True) -> Row:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def said(text: str) -> Row:
    """The policy speaks."""
    return {"role": "assistant", "content": text}
