"""A real chat endpoint on localhost, whose judge is a function of the question."""

import json
from contextlib import AbstractContextManager
from typing import Any

from tests import model_endpoint
from tests.model_endpoint import Endpoint, Reply


def completion(text: Any, finish: str = "stop") -> Reply:
    """Return a chat completion with this text."""
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return 200, json.dumps({"choices": [choice]}).encode()


def calling(*calls: tuple[str, Any], **usage: Any) -> Reply:
    """Return a chat completion that calls tools, each with arguments, or with a text that is none."""
    made = [
        {"id": f"c{place}", "type": "function", "function": {"name": name, "arguments": given}}
        for place, (name, given) in enumerate((name, _text(given)) for name, given in calls)
    ]
    choice = {"message": {"role": "assistant", "content": None, "tool_calls": made}, "finish_reason": "tool_calls"}
    return 200, json.dumps({"choices": [choice], "usage": usage}).encode()


def _text(given: Any) -> str:
    return given if isinstance(given, str) else json.dumps(given)


def verdict(score: Any, reason: Any = "so it seems") -> Reply:
    """Return a well-formed verdict."""
    return completion(json.dumps({"reason": reason, "score": score}))


def answer_in(body: dict[str, Any]) -> str:
    """Return the answer that a question asks about."""
    text = body["messages"][1]["content"]
    return text.split("Answer:\n")[1].split("\n", 1)[1].rsplit("\n", 1)[0]


def serving() -> AbstractContextManager[Endpoint]:
    """Serve an endpoint whose judge is undecided while the block runs."""
    return model_endpoint.serving(lambda body, number: verdict(0.5), "/v1")
