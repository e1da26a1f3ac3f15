"""A tool: its name, what it is for, the typed arguments that it takes, and what it gives.

Arguments are checked by pydantic before a tool sees them. What a tool refuses goes back to the model with the reason;
it never raises out of a conversation, except for what no other call can mend.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from evotrainer.agents.claude.untrusted import one_line
from evotrainer.errors import ConfigError, EvidenceError, LineageError

MAX_RESULT_CHARACTERS = 8000
MAX_REFUSALS = 3


class Arguments(BaseModel):
    """Base of all arguments: an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True)
class Result:
    """What a call gave. `is_final` ends the conversation."""

    text: str
    is_error: bool = False
    is_final: bool = False


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True)
class Tool(Generic[A]):
    """One tool. `is_recorded`: its result is stored and replayed, since it reads more than the context.

    `refuse` answers arguments that are malformed, where the tool counts its refusals.
    """

    name: str
    description: str
    arguments: type[A]
    run: Callable[[A], str | Result]
    is_recorded: bool = False
    refuse: Callable[[list[str]], Result] | None = None

    def schema(self) -> dict[str, Any]:
        """Return the definition that the model is given."""
        return {"name": self.name, "description": self.description, "input_schema": self.arguments.model_json_schema()}

    def call(self, given: Any) -> Result:
        """Return what a call gives; a refusal with its reason where the arguments or the law do not allow it."""
        try:
            found = self.run(self.arguments.model_validate(given))
        except ValidationError as error:
            if self.refuse is not None:
                return self.refuse([told(error)])
            return Result(f"refused: {told(error)}", is_error=True)
        except (ConfigError, EvidenceError, LineageError) as error:
            return Result(f"refused: {error}", is_error=True)
        return Result(found) if isinstance(found, str) else found


class Refusals:
    """Lists that end a conversation and were refused: each is asked for again, at most `MAX_REFUSALS` times."""

    def __init__(self) -> None:
        self.reasons: list[str] = []
        self._count = 0

    def answer(self, reasons: Sequence[str], again: str, ended: str) -> Result:
        """Return the refusal with its reasons and what to do; after `MAX_REFUSALS` the end with what stands.

        `again` may name the times that are left, as {left}.
        """
        self.reasons += [one_line(reason, 400) for reason in reasons]
        self._count += 1
        if self._count > MAX_REFUSALS:
            return Result(ended, is_final=True)
        left = MAX_REFUSALS - self._count + 1
        return Result(f"refused: {'; '.join(reasons)}. {again.format(left=left)}", is_error=True)


def told(error: ValidationError) -> str:
    """Return what is wrong with arguments: places and reasons, without the values."""
    found = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()[:8]]
    return "; ".join(found)


def result_block(tool_use_id: str, result: Result) -> dict[str, Any]:
    """Return a result as the Messages API takes it."""
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": tool_use_id, "content": result.text}
    return block | {"is_error": True} if result.is_error else block


def packed(result: Result) -> str:
    """Return a result as text to be recorded."""
    return json.dumps({"text": result.text, "is_error": result.is_error})


def unpacked(text: str) -> Result:
    """Return a recorded result."""
    return Result(**json.loads(text))
