"""A real endpoint on localhost that speaks the Messages API, whose model is a function of the question."""

import json
from contextlib import AbstractContextManager
from typing import Any

from tests import model_endpoint
from tests.model_endpoint import Endpoint, Reply


def text(words: str) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": words}


def use(name: str, number: int = 0, **arguments: Any) -> dict[str, Any]:
    """Return a block that calls a tool."""
    return {"type": "tool_use", "id": f"toolu_{name}_{number}", "name": name, "input": arguments}


def message(*blocks: dict[str, Any], stop: str | None = None, tokens: tuple[int, ...] = (1000, 100, 0, 0)) -> Reply:
    """Return an answer with these blocks; `tokens` are input, output, written to and read from the cache."""
    called = any(block["type"] == "tool_use" for block in blocks)
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": list(blocks),
        "stop_reason": stop or ("tool_use" if called else "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens[0],
            "output_tokens": tokens[1],
            "cache_creation_input_tokens": tokens[2],
            "cache_read_input_tokens": tokens[3],
        },
    }
    return 200, json.dumps(body).encode(), {}


def failure(status: int, kind: str, words: str = "no", **headers: str) -> Reply:
    """Return an error as the API gives it."""
    body = {"type": "error", "error": {"type": kind, "message": words}}
    return status, json.dumps(body).encode(), {name.replace("_", "-"): value for name, value in headers.items()}


def results_in(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the results of tools in the last message of a question."""
    content = body["messages"][-1]["content"]
    return [block for block in content if block["type"] == "tool_result"]


def serving() -> AbstractContextManager[Endpoint]:
    """Serve an endpoint whose model says nothing while the block runs."""
    return model_endpoint.serving(lambda body, number: message(text("nothing to say")))
