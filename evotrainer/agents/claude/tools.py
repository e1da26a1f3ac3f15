"""A tool: its name, what it is for, the typed arguments that it takes, and what it gives.

Arguments are checked by pydantic before a tool sees them. What a tool refuses goes back to the model with the reason;
it never raises out of a conversation, except for what no other call can mend.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from evotrainer.campaign.untrusted import one_line
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
                return self.refuse([errors_text(error)])
            return Result(f"refused: {errors_text(error)}", is_error=True)
        except (ConfigError, EvidenceError, LineageError) as error:
            return Result(f"refused: {error}", is_error=True)
        return Result(found) if isinstance(found, str) else found


class Submission(ABC, Generic[A]):
    """The call that ends a conversation: a list that is taken, or goes back with reasons, at most `MAX_REFUSALS` times.

    After that what can stand of the last list stands.
    """

    name: str
    description: str
    arguments: type[A]
    again = "Send the whole list again ({left} times left), corrected, or without what is refused"

    def __init__(self) -> None:
        self.refused: list[str] = []
        self._count = 0

    @abstractmethod
    def take(self, given: A) -> list[str]:
        """Keep what can stand of a list, in place of what stood; return why the rest is refused."""

    def ending(self) -> str:
        """Return what the model is told at the end."""
        return "accepted"

    def tool(self) -> Tool[A]:
        """Return the tool that ends the conversation."""
        return Tool(self.name, self.description, self.arguments, self._run, refuse=self._refuse)

    def _run(self, given: A) -> Result:
        reasons = self.take(given)
        return self._refuse(reasons) if reasons else Result(self.ending(), is_final=True)

    def _refuse(self, reasons: Sequence[str]) -> Result:
        self.refused += [one_line(reason, 400) for reason in reasons]
        self._count += 1
        if self._count > MAX_REFUSALS:
            return Result(self.ending(), is_final=True)
        left = MAX_REFUSALS - self._count + 1
        return Result(f"refused: {'; '.join(reasons)}. {self.again.format(left=left)}", is_error=True)


def errors_text(error: ValidationError) -> str:
    """Return what is wrong with arguments: places and reasons, without the values."""
    found = [f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()[:8]]
    return "; ".join(found)
