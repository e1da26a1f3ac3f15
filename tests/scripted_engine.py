"""A rollout engine that says what a script tells it: real episodes, real environment and grader, no model.

One token a character. The script of a problem is found by its prompt; the turn by counting what was said before.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from evotrainer.actions.tool_call_format import TOOL_CALL
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.records import Message, ToolCall

END = 0
_ROLES = {"system": 1, "user": 2, "assistant": 3, "tool": 4}


class CharacterCodec:
    """Messages as characters between control codes."""

    def encode(self, messages: Sequence[Message]) -> list[int]:
        return [*self._ids(messages), _ROLES["assistant"]]

    def extend(self, context: Sequence[int], sampled: Sequence[int], messages: Sequence[Message]) -> list[int]:
        return [*context, *sampled, *self._ids(messages), _ROLES["assistant"]]

    def decode(self, token_ids: Sequence[int]) -> Message:
        text = "".join(chr(token) for token in token_ids if token != END)
        calls = [ToolCall(**json.loads(match.group(1))) for match in TOOL_CALL.finditer(text)]
        return Message(role="assistant", content=TOOL_CALL.sub("", text), tool_calls=calls)

    def _ids(self, messages: Sequence[Message]) -> list[int]:
        return [code for message in messages for code in (_ROLES[message.role], *map(ord, message.content), END)]


class ScriptedEngine:
    """Answers the n-th turn of a prompt with the n-th text of its script; beyond its end with nothing."""

    policy_id = "scripted"

    def __init__(self, scripts: Mapping[str, Sequence[str]]) -> None:
        self.codec = CharacterCodec()
        self._scripts = scripts

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        return [self._complete(prompt, sampling) for prompt in prompts]

    def sync(self, path: Path) -> None:
        raise NotImplementedError("a script has no weights")

    def _complete(self, prompt: Sequence[int], sampling: SamplingParams) -> Completion:
        start = prompt.index(_ROLES["user"]) + 1
        script = self._scripts["".join(map(chr, prompt[start : prompt.index(END, start)]))]
        turn = sum(code == _ROLES["assistant"] for code in prompt) - 1
        ids = [*map(ord, script[turn]), END] if turn < len(script) else [END]
        is_cut = len(ids) > sampling.max_tokens
        ids = ids[: sampling.max_tokens]
        return Completion(tuple(ids), tuple(-0.1 for _ in ids), "max_tokens" if is_cut else "stop")


def said(*calls: ToolCall) -> str:
    """Return calls as a policy says them."""
    return "".join(f"<tool_call>{json.dumps(call.model_dump())}</tool_call>" for call in calls)
