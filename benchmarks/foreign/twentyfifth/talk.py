"""Conversations: turns of users, the policy and tools, in OpenAI's form."""

import json

from benchmarks.foreign.case import Row


def chat(prompt: str, reply: str, system: str = "") -> list[Row]:
    """A question and its answer."""
    head = [{"role": "system", "content": system}] if system else []
    return [*head, {"role": "user", "content": prompt}, {"role": "assistant", "content": reply}]


class Talk:
    """A conversation as it grows."""

    def __init__(self, user: str, system: str = "") -> None:
        self.messages: list[Row] = [{"role": "system", "content": system}] if system else []
        self.messages.append({"role": "user", "content": user})
        self._calls = 0

    def ask(self, text: str) -> "Talk":
        """A turn of the user."""
        self.messages.append({"role": "user", "content": text})
        return self

    def say(self, text: str) -> "Talk":
        """A turn of the policy without a call."""
        self.messages.append({"role": "assistant", "content": text})
        return self

    def use(self, text: str, tool: str, arguments: Row, answer: str) -> "Talk":
        """A turn of the policy with a call, and what the tool answers."""
        self._calls += 1
        name = f"call_{self._calls:02d}"
        function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
        call = {"id": name, "type": "function", "function": function}
        self.messages.append({"role": "assistant", "content": text, "tool_calls": [call]})
        self.messages.append({"role": "tool", "tool_call_id": name, "name": tool, "content": answer})
        return self

    def sh(self, text: str, command: str, answer: str) -> "Talk":
        """A line of shell and its output."""
        return self.use(text, "bash", {"command": command}, answer)
