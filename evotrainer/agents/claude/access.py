"""The key of the model's endpoint, what answers cost, and the hard stop before a question that might not be payable.

The key is read from the environment where it is used, and kept out of every text. Before a question its highest cost is
reserved: the tokens of its text, estimated from above, at the price of writing them to the cache, and the longest
answer allowed. Every attempt of the client asks again, because an attempt whose answer was lost on the way may have
been charged: its reserve counts as spent for the rest of the stage.

A prompt that outgrew the model's context is refused by some endpoints. That is read as the stop reason that others
give, so that the conversation can close with what it has.

An answer is checked before anything is done with it. Its blocks are kept as they came, because thinking blocks must go
back unchanged with the next question. The SDK's own types are not used: a replay reads answers without importing the
SDK, which takes seconds.
"""

import json
import math
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evotrainer.agents.record import Answer
from evotrainer.config.campaign import TrainerConfig
from evotrainer.errors import AgentError, AgentUnavailableError, BudgetError, ConfigError

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


BYTES_A_TOKEN = 2.0
"""Fewest bytes that a token of English, JSON and numbers holds on average: commonly 3 to 4."""
_MILLION = 1e6


@dataclass(frozen=True)
class Prices:
    """Dollars a million tokens."""

    input: float
    output: float
    cache_write: float
    cache_read: float

    def cost(self, counts: Mapping[str, int]) -> float:
        """Return the dollars of tokens by kind."""
        return round(sum(getattr(self, kind) * number for kind, number in counts.items()) / _MILLION, 9)

    def most(self, question: Mapping[str, Any]) -> float:
        """Return the dollars that one attempt at a question can cost."""
        dearest = max(self.input, self.cache_write, self.cache_read)
        return (dearest * tokens_of(question) + self.output * question["max_tokens"]) / _MILLION


def prices_of(config: TrainerConfig) -> Prices:
    """Return the prices of the model, 0 for one at trainer.chat_url that has none; raises ConfigError elsewhere."""
    given = config.prices.get(config.model, [0.0] * 4 if config.chat_url else None)
    if given is None:
        raise ConfigError(
            f"trainer.model={config.model} has no price: set 'trainer.prices.{config.model}=[INPUT,OUTPUT,WRITE,READ]' "
            "in dollars a million tokens, [0,0,0,0] for a model of your own"
        )
    if len(given) != 4 or min(given) < 0:
        raise ConfigError(f"trainer.prices.{config.model}={given} must be four prices: input, output, write, read")
    return Prices(*given)


def tokens_of(question: Mapping[str, Any]) -> int:
    """Return the tokens of a question's text, estimated from above."""
    return math.ceil(len(json.dumps(question, ensure_ascii=False).encode()) / BYTES_A_TOKEN)


class Meter:
    """What the campaign may spend, in dollars; 0: no limit. `spent` returns what it has spent up to now."""

    def __init__(self, config: TrainerConfig, budget: float, spent: Callable[[], float]) -> None:
        self._prices, self._budget, self._spent = prices_of(config), budget or math.inf, spent
        self._held = 0.0
        self._reserve = 0.0

    def reserve(self, question: Mapping[str, Any]) -> None:
        """Hold the highest cost of one attempt at a question; raises BudgetError where it is more than is left."""
        reserve = self._prices.most(question)
        spent = self._spent() + self._held
        if spent + reserve > self._budget:
            raise BudgetError(
                f"the campaign has spent ${spent:.4f} of budget.total.dollars={self._budget:g}, and the trainer "
                f"agent's next question may cost ${reserve:.4f}: start a campaign with a larger budget, or raise it in "
                "conf/campaign.yaml of this one, commit that there, and go on"
            )
        self._reserve = reserve
        self._held += reserve

    def release(self) -> None:
        """Give back the reserve of an attempt that the endpoint refused, which costs nothing."""
        self._held -= self._reserve
        self._reserve = 0.0

    def settle(self, counts: Mapping[str, int]) -> float:
        """Give back the reserve of an attempt that was answered, and return what the answer cost."""
        self.release()
        return self._prices.cost(counts)


VARIABLE, CHAT_VARIABLE = "ANTHROPIC_API_KEY", "OPENAI_API_KEY"
HIDDEN = "[key]"
_NO_KEY = "none"
"""Sent to an endpoint of one's own where there is no key: most ask for some word."""


def read_key(config: TrainerConfig, otherwise: str = "trainer=rules needs neither") -> str:
    """Return the key of the endpoint that is asked, which one of a person's own need not have.

    Raises:
        AgentError: there is none and Anthropic is asked; it says what to do `otherwise`.
        ConfigError: two endpoints are named.

    """
    if config.base_url and config.chat_url:
        raise ConfigError("trainer.base_url and trainer.chat_url name two endpoints: set one of them")
    key = os.environ.get(CHAT_VARIABLE if config.chat_url else VARIABLE, "").strip()
    if key:
        return key
    if config.base_url or config.chat_url:
        return _NO_KEY
    raise AgentError(
        f"there is no key for {config.model}: set {VARIABLE}, or trainer.base_url or trainer.chat_url to an endpoint "
        f"of your own (docs/claude.md); {otherwise}"
    )


def without_key(text: str) -> str:
    """Return a text that does not hold a key, whoever wrote it there."""
    for variable in (VARIABLE, CHAT_VARIABLE):
        if key := os.environ.get(variable, "").strip():
            text = text.replace(key, HIDDEN)
    return text


class ModelClient(ABC):
    """Asks one endpoint, under one budget; what is sent and read is its protocol's."""

    def __init__(
        self, config: TrainerConfig, meter: Meter, url: str, advice: Mapping[int, str], otherwise: str
    ) -> None:
        """Take what to do about a refusal, by status, and about any other."""
        variable = CHAT_VARIABLE if config.chat_url else VARIABLE
        self._config, self._meter, self.url = config, meter, url
        self._question: Mapping[str, Any] = {}
        self._otherwise = otherwise
        self._advice = {
            401: f"check the key in {variable}",
            402: "the account has no credit left",
            403: f"the key in {variable} may not use this model",
            **advice,
        }

    def send(self, question: dict[str, Any]) -> Answer:
        """Return the answer to a question.

        Raises:
            AgentUnavailableError: no attempt gave a whole answer.
            BudgetError: an attempt could cost more than is left.
            AgentError: the endpoint refuses the key, the model or the question.

        """
        self._question, started = question, time.monotonic()
        reply = self.asked(question)
        counts = reply.counts
        seconds = round(time.monotonic() - started, 3)
        return Answer(without_key(reply.text), sum(counts.values()), self._meter.settle(counts), seconds, counts)

    @abstractmethod
    def asked(self, question: dict[str, Any]) -> Reply:
        """Return the endpoint's answer."""

    def unavailable(self, reason: str) -> AgentUnavailableError:
        """Return the error of an endpoint that gave no whole answer."""
        return AgentUnavailableError(
            f"the model at {self.url} gave no whole answer {without_key(reason)}: the same command goes on, nothing "
            "that was answered is asked twice"
        )

    def refused(self, status: int, message: str) -> Reply:
        """Return the end of a conversation that outgrew the context; raises AgentError for any other refusal."""
        reason = without_key(message)
        if not is_too_long(status, message):
            advice = self._advice.get(status, self._otherwise)
            raise AgentError(f"the model at {self.url} refuses (status {status}: {reason}): {advice}") from None
        if len(self._question["messages"]) > 1:
            return reply_of(self._config.model, [], "model_context_window_exceeded")
        raise AgentError(
            f"the opening does not fit the context of the model at {self.url} ({reason}): lower "
            "trainer.max_answer_tokens, or serve it with a longer one"
        ) from None
