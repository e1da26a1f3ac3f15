"""Tool calls in OpenAI's form, and what the tools answer."""

import json
from typing import Any

from benchmarks.foreign.sixth.runs import Message


class Talk:
    """A conversation with tools as it grows; calls are numbered in their order."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._num_calls = 0

    def call(self, thought: str, tool: str, arguments: dict[str, Any], answer: str) -> None:
        """Add a call with what was thought before it, and the tool's answer."""
        name = f"call_{self._num_calls}"
        self._num_calls += 1
        function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
        made = {"id": name, "type": "function", "function": function}
        self.messages.append({"role": "assistant", "content": thought, "tool_calls": [made]})
        self.messages.append({"role": "tool", "tool_call_id": name, "name": tool, "content": answer})

    def say(self, text: str) -> list[Message]:
        """Add a last message of the policy, and return all."""
        self.messages.append({"role": "assistant", "content": text})
        return self.messages

    def hear(self, text: str) -> None:
        """Add a message of the user."""
        self.messages.append({"role": "user", "content": text})
