"""An answer of the Messages API as far as it is used here, checked before anything is done with it.

Blocks are kept as they came, because thinking blocks must go back unchanged with the next question. The SDK's own
types are not used: a replay reads answers without importing the SDK, which takes seconds.
"""

import re
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

StopReason = Literal[
    "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"
]
COUNTS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_write": "cache_creation_input_tokens",
    "cache_read": "cache_read_input_tokens",
}
"""{kind of token, as prices name it: its field in `usage`}."""

_BAD_REQUEST = 400
_TOO_LONG = re.compile(
    r"prompt is too long|exceed\w* (?:the )?context|context (?:length|window|limit)|max_model_len", re.IGNORECASE
)
"""What endpoints say of a prompt that does not fit: Anthropic's, vLLM's, SGLang's."""


class Usage(BaseModel):
    """Tokens of one answer, as the endpoint counts them."""

    model_config = ConfigDict(frozen=True)

    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


UNCOUNTED = Usage(input_tokens=0, output_tokens=0)


class Reply(BaseModel):
    """One answer."""

    model_config = ConfigDict(frozen=True)

    type: Literal["message"]
    role: Literal["assistant"]
    model: str
    content: list[dict[str, Any]]
    stop_reason: StopReason
    usage: Usage

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not all(
            {"type", *(("id", "name", "input") if one.get("type") == "tool_use" else ())} <= one.keys()
            for one in self.content
        ):
            raise ValueError("a block without type, or a call without id, name or input")
        return self

    @property
    def counts(self) -> dict[str, int]:
        """The tokens by kind, in the order of prices."""
        return {kind: getattr(self.usage, name) or 0 for kind, name in COUNTS.items()}

    @property
    def text(self) -> str:
        """The body, as it is recorded."""
        return self.model_dump_json(exclude_none=True)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The calls of tools, in order; `input` is whatever the model wrote: the tool checks it."""
        return [block for block in self.content if block["type"] == "tool_use"]


def read_reply(text: str) -> Reply:
    """Return the answer in a body; raises pydantic's ValidationError for anything else."""
    return Reply.model_validate_json(text)


def is_too_long(status: int, message: str) -> bool:
    """Tell whether a refusal says that the prompt does not fit the model's context."""
    return status == _BAD_REQUEST and bool(_TOO_LONG.search(message))


def reply_of(model: str, content: list[dict[str, Any]], stop_reason: StopReason, usage: Usage = UNCOUNTED) -> Reply:
    """Return an answer that came in another form, or from no endpoint: nobody counted that."""
    return Reply(type="message", role="assistant", model=model, content=content, stop_reason=stop_reason, usage=usage)
