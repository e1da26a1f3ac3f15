"""Sends one question to the Messages API and returns its answer, with its cost.

The SDK retries what can pass (408, 409, 429, 5xx, a broken connection) and waits as long as `retry-after` asks. A
middleware sees every attempt: it reserves the attempt's cost, and sends an answer that is no whole message back into
the same retries. What cannot pass becomes a typed error in one line.

No temperature is sent, because the API has none. Redirects are not followed: the endpoint is the configured one.
"""

from typing import Any

import anthropic
from anthropic import APIConnectionError, APIStatusError, RetryableError
from pydantic import ValidationError

from evotrainer.agents.claude.access import Meter, ModelClient, Reply, read_key, read_reply, without_key
from evotrainer.config.campaign import TrainerConfig

ENDPOINT = "https://api.anthropic.com"
_OK = 200
_OVERLOADED = (408, 409, 429)
_SERVER_ERROR = 500
_SHOWN_CHARACTERS = 300


class MessagesClient(ModelClient):
    """Asks one endpoint that speaks the Messages API.

    Raises:
        AgentError: there is no key.
        ConfigError: the model has no price.

    """

    def __init__(self, config: TrainerConfig, meter: Meter) -> None:
        advice = {
            404: f"check trainer.model={config.model} and trainer.base_url",
            413: "lower trainer.max_prompt_tokens",
        }
        otherwise = "check trainer.model, trainer.effort and trainer.base_url"
        super().__init__(config, meter, config.base_url or ENDPOINT, advice, otherwise)
        self._client = anthropic.Anthropic(
            api_key=read_key(config),
            base_url=self.url,
            max_retries=config.max_retries,
            timeout=config.request_seconds,
            http_client=anthropic.DefaultHttpxClient(follow_redirects=False),
            middleware=[self._attempt],
            open_telemetry=False,
        )

    def asked(self, question: dict[str, Any]) -> Reply:
        """Return the endpoint's answer."""
        attempts = f"in {1 + self._config.max_retries} attempts"
        try:
            return read_reply(self._client.messages.with_raw_response.create(**question).http_response.text)
        except (APIConnectionError, RetryableError) as error:
            raise self.unavailable(f"{attempts}: {_shown(str(error))}") from None
        except APIStatusError as error:
            message, status = _shown(error.api_message or error.message), error.status_code
            if status in _OVERLOADED or status >= _SERVER_ERROR:
                raise self.unavailable(f"{attempts}: status {status}: {message}") from None
            return self.refused(status, message)

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


def _shown(text: str) -> str:
    return without_key(" ".join(text.split()))[:_SHOWN_CHARACTERS]
