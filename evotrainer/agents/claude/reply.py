"""An answer of the Messages API as far as it is used here, checked before anything is done with it.

Blocks are kept as they came, because thinking blocks must go back unchanged with the next question.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

StopReason = Literal[
    "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"
]


class ToolUse(BaseModel):
    """One call of a tool. `input` is whatever the model wrote: the tool checks it."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(min_length=1)
    name: str
    input: Any


class Usage(BaseModel):
    """Tokens of one answer, as the endpoint counts them."""

    model_config = ConfigDict(frozen=True)

    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None

    def counts(self) -> dict[str, int]:
        """Return the tokens by kind, in the order of prices."""
        return {
            "input": self.input_tokens,
            "output": self.output_tokens,
            "cache_write": self.cache_creation_input_tokens or 0,
            "cache_read": self.cache_read_input_tokens or 0,
        }


class Block(BaseModel):
    """One block of content; kinds that are not known here are kept too."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: str


class Reply(BaseModel):
    """One answer."""

    model_config = ConfigDict(frozen=True)

    type: Literal["message"]
    role: Literal["assistant"]
    model: str
    content: list[Block]
    stop_reason: StopReason
    usage: Usage

    @property
    def tool_uses(self) -> list[ToolUse]:
        """The calls of tools, in order."""
        return [ToolUse.model_validate(block.model_dump()) for block in self.content if block.type == "tool_use"]

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """The content as it goes back with the next question."""
        return [block.model_dump(exclude_none=True) for block in self.content]


def read_reply(text: str) -> Reply:
    """Return the answer in a body; raises pydantic's ValidationError for anything else."""
    reply = Reply.model_validate_json(text)
    assert reply.tool_uses is not None  # a call without id or name is no answer
    return reply
