"""Messages of a policy and of its tools."""


def say(words: str) -> dict:
    """A message of the policy."""
    return {"role": "assistant", "content": words}


def call(name: str, words: str = "", **arguments: object) -> dict:
    """A message of the policy that calls a tool."""
    return {"role": "assistant", "content": words, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, words: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": words, "ok": ok}
