"""Sends one question to an OpenAI-compatible chat endpoint, and returns its answer as one of the Messages API.

Conversations, records and replays know one form of question and answer, that of the Messages API. This module alone
translates. Thinking of the model is not kept; effort and cache marks are not sent, since most endpoints refuse them.
Where an endpoint counts no tokens, they are estimated from above.
"""

import json
from collections.abc import Mapping
from typing import Any

from evotrainer.agents.claude.access import Meter, ModelClient, Reply, StopReason, Usage, read_key, reply_of, tokens_of
from evotrainer.campaign.chat_endpoint import OK, ChatCompletion, ChatEndpoint, Choice
from evotrainer.config.campaign import TrainerConfig
from evotrainer.errors import EndpointError

MAX_PAUSE_SECONDS = 60.0
_STOPS: Mapping[str, StopReason] = {"length": "max_tokens", "content_filter": "refusal"}


class ChatClient(ModelClient, ChatEndpoint):
    """Asks one endpoint that speaks chat completions. Raises ConfigError where trainer.chat_url is no address."""

    def __init__(self, config: TrainerConfig, meter: Meter) -> None:
        otherwise = "check trainer.model and trainer.chat_url, and that it is served with tools"
        ModelClient.__init__(self, config, meter, config.chat_url, {}, otherwise)
        ChatEndpoint.__init__(
            self,
            config.chat_url,
            "trainer.chat_url",
            deadline_seconds=config.request_seconds,
            pauses_seconds=[min(4.0**place, MAX_PAUSE_SECONDS) for place in range(config.max_retries)],
            headers={"Authorization": f"Bearer {read_key(config)}"},
        )

    def asked(self, question: dict[str, Any]) -> Reply:
        """Return the endpoint's answer."""
        try:
            return self.ask(_body(question), self._reply)
        except EndpointError as error:
            if not error.status:
                raise self.unavailable(str(error)) from None
            return self.refused(error.status, str(error))

    async def exchange(self, body: dict[str, Any]) -> tuple[int, bytes]:
        """Send one attempt, its cost reserved; one that the endpoint refuses costs nothing."""
        self._meter.reserve(self._question)
        status, content = await super().exchange(body)
        if status != OK:
            self._meter.release()
        return status, content

    def _reply(self, completion: ChatCompletion) -> Reply:
        """Return a completion as a message."""
        choice, counted = completion.choices[0], completion.usage
        content = _content(choice)
        if counted is None:
            usage = Usage(input_tokens=tokens_of(self._question), output_tokens=tokens_of({"content": content}))
        else:
            details = counted.prompt_tokens_details
            cached = min((details.cached_tokens if details else None) or 0, counted.prompt_tokens)
            usage = Usage(
                input_tokens=counted.prompt_tokens - cached,
                output_tokens=counted.completion_tokens,
                cache_read_input_tokens=cached,
            )
        return reply_of(self._config.model, content, _stop(choice), usage)


def _body(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question of the Messages API as a request for a chat completion."""
    messages = [{"role": "system", "content": _texts(question.get("system", []))}]
    for message in question["messages"]:
        messages += _messages(message)
    body = {"model": question["model"], "max_tokens": question["max_tokens"], "messages": messages}
    if tools := question.get("tools"):
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": one["name"], "description": one["description"], "parameters": one["input_schema"]},
            }
            for one in tools
        ]
    return body


def _messages(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the messages that one of the Messages API holds: one a result of a tool, then the rest."""
    blocks = message["content"]
    found: list[dict[str, Any]] = [
        {"role": "tool", "tool_call_id": one["tool_use_id"], "content": one["content"]}
        for one in blocks
        if one["type"] == "tool_result"
    ]
    calls = [
        {
            "id": one["id"],
            "type": "function",
            "function": {
                "name": one["name"],
                "arguments": json.dumps(one["input"] if isinstance(one["input"], dict) else {}),
            },
        }
        for one in blocks
        if one["type"] == "tool_use"
    ]
    text = _texts(blocks)
    if text or calls:
        found.append({"role": message["role"], "content": text or None} | ({"tool_calls": calls} if calls else {}))
    return found


def _texts(blocks: list[dict[str, Any]]) -> str:
    return "\n\n".join(one["text"] for one in blocks if one["type"] == "text")


def _content(choice: Choice) -> list[dict[str, Any]]:
    """Return text and calls as blocks; arguments that are no JSON stay text, which the tool refuses."""
    message = choice.message
    blocks: list[dict[str, Any]] = [{"type": "text", "text": message.content}] if message.content else []
    for place, call in enumerate(message.tool_calls or []):
        try:
            given = json.loads(call.function.arguments or "{}")
        except (ValueError, RecursionError):
            given = call.function.arguments
        name = call.function.name
        blocks.append({"type": "tool_use", "id": call.id or f"call_{place}", "name": name, "input": given})
    return blocks


def _stop(choice: Choice) -> StopReason:
    if choice.message.refusal:
        return "refusal"
    return _STOPS.get(choice.finish_reason or "", "tool_use" if choice.message.tool_calls else "end_turn")
