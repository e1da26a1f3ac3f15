"""Talks of several turns: a builder of messages with tools and users."""

from benchmarks.foreign.fortieth.policy import Attempt
from benchmarks.foreign.fortieth.tasks import count_tokens


class Talk:
    """Messages behind the prompt, in their order."""

    def __init__(self) -> None:
        self.turns: list[dict] = []

    def call(self, said: str, name: str, arguments: dict, answer: str, ok: bool = True) -> "Talk":
        """The policy speaks and calls a tool, which answers."""
        self.turns.append(
            {"role": "assistant", "content": said, "tool_calls": [{"name": name, "arguments": arguments}]}
        )
        self.turns.append({"role": "tool", "tool_name": name, "content": answer, "ok": ok})
        return self

    def say(self, said: str) -> "Talk":
        """The policy speaks to the user."""
        self.turns.append({"role": "assistant", "content": said})
        return self

    def user(self, said: str) -> "Talk":
        """The user answers."""
        self.turns.append({"role": "user", "content": said})
        return self

    def into(self, a: Attempt) -> Attempt:
        """Put the talk into an attempt, with the tokens that the policy sampled."""
        a.messages = self.turns
        a.tokens = sum(
            count_tokens(m["content"] + "".join(f"{c['name']}{c['arguments']}" for c in m.get("tool_calls", ())))
            for m in self.turns
            if m["role"] == "assistant"
        )
        a.text = self.turns[-1]["content"]
        return a
