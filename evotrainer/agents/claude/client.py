"""Sends one question to the Messages API and returns its answer, with its cost.

The SDK retries what can pass (408, 409, 429, 5xx, a broken connection) and waits as long as `retry-after` asks. A
middleware sees every attempt: it reserves the attempt's cost, and sends an answer that is no whole message back into
the same retries. What cannot pass becomes a typed error in one line.

A prompt that outgrew the model's context is refused by some endpoints. That is read as the stop reason that others
give, so that the conversation can close with what it has.

No temperature is sent, because the API has none. Redirects are not followed: the endpoint is the configured one.
"""

import time
from typing import Any

import anthropic
from anthropic import APIConnectionError, APIStatusError, RetryableError
from pydantic import ValidationError

from evotrainer.agents.claude.access import VARIABLE, Meter, read_key, without_key
from evotrainer.agents.claude.reply import Reply, context_full, is_too_long, read_reply
from evotrainer.agents.record import Answer
from evotrainer.config.campaign import TrainerConfig
from evotrainer.errors import AgentError, AgentUnavailableError, EvoTrainerError

ENDPOINT = "https://api.anthropic.com"
_OK = 200
_OVERLOADED = (408, 409, 429)
_SERVER_ERROR = 500
_SHOWN_CHARACTERS = 300


class MessagesClient:
    """Asks one endpoint, under one budget.

    Raises:
        AgentError: there is no key.
        ConfigError: the model has no price.

    """

    def __init__(self, config: TrainerConfig, meter: Meter) -> None:
        self._config, self._meter = config, meter
        self._question: dict[str, Any] = {}
        self._url = config.base_url or ENDPOINT
        self._client = anthropic.Anthropic(
            api_key=read_key(config),
            base_url=self._url,
            max_retries=config.max_retries,
            timeout=config.request_seconds,
            http_client=anthropic.DefaultHttpxClient(follow_redirects=False),
            middleware=[self._attempt],
            open_telemetry=False,
        )

    def send(self, question: dict[str, Any]) -> Answer:
        """Return the answer to a question.

        Raises:
            AgentUnavailableError: no attempt gave a whole answer.
            BudgetError: an attempt could cost more than is left.
            AgentError: the endpoint refuses the key, the model or the question.

        """
        self._question, started = question, time.monotonic()
        try:
            text = self._client.messages.with_raw_response.create(**question).http_response.text
        except EvoTrainerError:
            raise
        except (APIConnectionError, RetryableError) as error:
            raise self._unavailable(str(error)) from None
        except APIStatusError as error:
            if not (is_too_long(error.status_code, _message(error)) and len(question["messages"]) > 1):
                raise self._refused(error) from None
            text = context_full(self._config.model)
        reply = read_reply(text)
        counts = reply.counts
        return Answer(
            text=without_key(_kept(reply)),
            tokens=sum(counts.values()),
            dollars=self._meter.settle(counts),
            seconds=round(time.monotonic() - started, 3),
            usage=counts,
        )

    def _attempt(self, request: Any, call_next: Any) -> Any:
        """Reserve the cost of one attempt, and let only a whole message out of it."""
        self._meter.reserve(self._question)
        response = call_next(request)
        if response.status_code != _OK:
            self._meter.release()
            return response
        try:
            read_reply(response.http_response.read().decode(errors="replace"))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "body"
            raise RetryableError(f"an answer that is no message ({place}: {first['msg']})") from None
        return response

    def _unavailable(self, reason: str) -> AgentUnavailableError:
        attempts = 1 + self._config.max_retries
        return AgentUnavailableError(
            f"the trainer agent's model at {self._url} gave no whole answer in {attempts} attempts "
            f"({_shown(reason)}): the same command goes on, nothing that was answered is asked twice"
        )

    def _refused(self, error: APIStatusError) -> EvoTrainerError:
        message, status = _message(error), error.status_code
        if status in _OVERLOADED or status >= _SERVER_ERROR:
            return self._unavailable(f"status {status}: {message}")
        if is_too_long(status, message):
            return AgentError(
                f"the opening does not fit the context of the model at {self._url} ({message}): lower "
                "trainer.max_answer_tokens, or serve it with a longer one"
            )
        advice = {
            401: f"check the key in {VARIABLE}",
            402: "the account has no credit left",
            403: f"the key in {VARIABLE} may not use this model",
            404: f"check trainer.model={self._config.model} and trainer.base_url",
            413: "lower trainer.max_prompt_tokens",
        }.get(status, "check trainer.model, trainer.effort and trainer.base_url")
        return AgentError(f"the trainer agent's model at {self._url} refuses (status {status}: {message}): {advice}")


def _message(error: APIStatusError) -> str:
    return _shown(error.api_message or error.message)


def _kept(reply: Reply) -> str:
    return reply.model_dump_json(exclude_none=True)


def _shown(text: str) -> str:
    return without_key(" ".join(text.split()))[:_SHOWN_CHARACTERS]
