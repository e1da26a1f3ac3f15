"""The loop of questions and tool calls, up to the call that ends it.

    opening ─► answer ─► tool_use: results ─► answer ...              until a tool says that it is final
                    ├─► pause_turn: sent back as it is
                    ├─► max_tokens: calls are not run, since they may be cut
                    ├─► end_turn without a call: asked to go on
                    └─► refusal, context full, prompt too large, too many questions: one fresh, short closing round

The closing round begins again with the opening alone, so that neither the text that was refused nor a full context
stands in its way. A second refusal is an error; a closing round that gives nothing ends the conversation.
"""

import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evotrainer.agents.claude.access import Reply, read_reply, without_key
from evotrainer.agents.claude.tools import Result, Tool
from evotrainer.agents.record import AgentRecord, Answer
from evotrainer.campaign.chat_endpoint import question_key
from evotrainer.config.campaign import TrainerConfig
from evotrainer.errors import AgentError

CLOSING_QUESTIONS = 4
MAX_NUDGES = 3
_CACHED = {"cache_control": {"type": "ephemeral"}}

Message = dict[str, Any]


@dataclass
class Conversation:
    """One conversation with one set of tools."""

    config: TrainerConfig
    record: AgentRecord
    send: Callable[[dict[str, Any]], Answer]
    system: str
    tools: Sequence[Tool]
    final: str
    """Name of the tool that ends it."""
    _messages: list[Message] = field(default_factory=list, init=False)
    _num_nudges: int = field(default=0, init=False)

    def run(self, opening: str) -> None:
        """Hold the conversation; what comes of it is what its tools kept.

        Raises:
            AgentError: the model declined twice.

        """
        self.record.open(f"{self.system}\n\n{opening}")
        reason = self._round(opening, self.config.max_questions)
        if reason:
            note = f"An earlier inquiry ended: {reason}. Its results are gone: call {self.final} now."
            again = self._round(f"{opening}\n\n{note}", CLOSING_QUESTIONS)
            if again == _REFUSAL:
                raise AgentError(
                    f"{self.config.model} declined to answer twice: see the stage's log, or choose another "
                    "trainer.model"
                )
            if again:
                self.record.refused.append(f"the conversation ended without {self.final}: {again}")

    def _round(self, opening: str, num_questions: int) -> str:
        """Ask up to so many questions; return why the round ended early, empty where its last tool was called."""
        self._messages, self._num_nudges = [_user([{"type": "text", "text": opening}])], 0
        for _ in range(num_questions):
            question = self.question()
            reply = read_reply(self.record.ask(question, self.send))
            if reply.stop_reason == "refusal":
                return _REFUSAL
            if reply.stop_reason == "model_context_window_exceeded":
                return "the context was full"
            if self._go_on(reply, question_key(question)):
                return ""
            if self._num_nudges > MAX_NUDGES:
                return f"{MAX_NUDGES} answers in a row called no tool"
            if sum(reply.counts.values()) > self.config.max_prompt_tokens:
                return f"its prompt went beyond {self.config.max_prompt_tokens} tokens"
        return f"{num_questions} questions were asked"

    def question(self) -> dict[str, Any]:
        """Return the next request: definitions, system text and all messages but the last stand in the cache."""
        messages = copy.deepcopy(self._messages)
        asked = [message for message in messages if message["role"] == "user"]
        for message in asked[-2:]:
            message["content"][-1] |= _CACHED
        body: dict[str, Any] = {
            "model": self.config.model,
            "max_tokens": self.config.max_answer_tokens,
            "system": [{"type": "text", "text": self.system, **_CACHED}],
            "tools": [tool.schema() for tool in self.tools],
            "messages": messages,
        }
        if self.config.effort != "none":
            body["output_config"] = {"effort": self.config.effort}
        return body

    def _go_on(self, reply: Reply, key: str) -> bool:
        """Add an answer and what follows from it; return whether the conversation is at its end."""
        if reply.content:  # an empty answer cannot be sent back
            self._messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason == "pause_turn":
            return False
        uses = reply.calls
        if not uses:
            self._nudge(reply)
            return False
        self._num_nudges = 0
        is_cut = reply.stop_reason == "max_tokens"
        results = [_CUT if is_cut else self._call(use, f"{key}:{place}") for place, use in enumerate(uses)]
        self._messages.append(_user([_block(use, result) for use, result in zip(uses, results, strict=True)]))
        return any(result.is_final for result in results)

    def _nudge(self, reply: Reply) -> None:
        self._num_nudges += 1
        cut = "Your answer was cut by its length limit: be shorter. " if reply.stop_reason == "max_tokens" else ""
        self._messages.append(_user([{"type": "text", "text": f"{cut}Go on with a tool; {self.final} ends the work."}]))

    def _call(self, use: dict[str, Any], place: str) -> Result:
        tool = next((tool for tool in self.tools if tool.name == use["name"]), None)
        if tool is None:
            names = ", ".join(tool.name for tool in self.tools)
            return Result(f"refused: there is no tool {use['name']!r}; there are {names}", is_error=True)
        if not tool.is_recorded:
            return tool.call(use["input"])
        call = {"tool": use["name"], "input": use["input"], "place": place}
        return Result(**json.loads(self.record.result(call, lambda: _packed(tool.call(use["input"])))))


_REFUSAL = "the model declined to answer"
_CUT = Result("refused: the answer was cut by its length limit before this call was whole; be shorter", is_error=True)


def _packed(result: Result) -> str:
    return without_key(json.dumps({"text": result.text, "is_error": result.is_error}))


def _block(use: dict[str, Any], result: Result) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": use["id"], "content": result.text}
    return block | {"is_error": True} if result.is_error else block


def _user(content: list[dict[str, Any]]) -> Message:
    return {"role": "user", "content": content}
