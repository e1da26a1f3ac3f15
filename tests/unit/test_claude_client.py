"""One question to a real endpoint: retries, errors by type, the budget, and the key that no text holds."""

import pytest

from evotrainer.agents.claude.access import VARIABLE, Meter, read_key, read_reply, tokens_of
from evotrainer.agents.claude.client import MessagesClient
from evotrainer.config.campaign import TrainerConfig
from evotrainer.errors import AgentError, AgentUnavailableError, BudgetError, ConfigError, InfrastructureError
from tests.messages_server import Endpoint, failure, message, serving, text

pytestmark = pytest.mark.parts

KEY = "sk-ant-secret-0123456789"
PRICES = [4.0, 20.0, 5.0, 0.2]
QUESTION = {"model": "m", "max_tokens": 1000, "messages": [{"role": "user", "content": "why?"}]}
SOON = {"retry_after_ms": "1"}


@pytest.fixture
def endpoint(monkeypatch):
    monkeypatch.setenv(VARIABLE, KEY)
    with serving() as found:
        yield found


def client_of(endpoint: Endpoint, spent: float = 0.0, dollars: float = 20.0, **settings) -> MessagesClient:
    given = {"model": "m", "base_url": endpoint.url, "prices": {"m": PRICES}, "max_retries": 2} | settings
    config = TrainerConfig(name="claude", **given)
    paid = [spent]

    class Paying(MessagesClient):
        def send(self, question):
            answer = super().send(question)
            paid.append(answer.dollars)
            return answer

    return Paying(config, Meter(config, dollars, lambda: sum(paid)))


def in_turn(endpoint: Endpoint, *replies) -> None:
    endpoint.reply = lambda body, number: replies[min(number, len(replies)) - 1]


def test_an_answer_comes_with_its_tokens_and_dollars(endpoint):
    in_turn(endpoint, message(text("because"), tokens=(1000, 100, 2000, 30_000)))
    answer = client_of(endpoint).send(QUESTION)
    assert read_reply(answer.text).content == [{"type": "text", "text": "because"}]
    assert answer.usage == {"input": 1000, "output": 100, "cache_write": 2000, "cache_read": 30_000}
    assert answer.tokens == 33_100
    assert answer.dollars == pytest.approx((1000 * 4 + 100 * 20 + 2000 * 5 + 30_000 * 0.2) / 1e6)
    assert endpoint.requests[0]["path"] == "/v1/messages" and endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert not {"temperature", "top_p", "top_k"} & endpoint.requests[0].keys()


@pytest.mark.parametrize(
    "first",
    [
        failure(429, "rate_limit_error", **SOON),
        failure(529, "overloaded_error", **SOON),
        (200, b"{}", {"retry-after-ms": "1"}),
        (200, b'{"type": "message", "content"', {"retry-after-ms": "1"}),
        "drop",
        "half",
    ],
    ids=["429", "529", "empty", "cut", "dropped", "half"],
)
def test_what_can_pass_is_tried_again(endpoint, first):
    in_turn(endpoint, first, message(text("at last")))
    assert "at last" in client_of(endpoint).send(QUESTION).text
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize("reply", [failure(529, "overloaded_error", **SOON), "drop"], ids=["529", "dropped"])
def test_attempts_are_bounded_and_end_in_an_infrastructure_error(endpoint, reply):
    in_turn(endpoint, reply)
    with pytest.raises(AgentUnavailableError, match="no whole answer in 2 attempts") as raised:
        client_of(endpoint, max_retries=1).send(QUESTION)
    assert len(endpoint.requests) == 2 and isinstance(raised.value, InfrastructureError)


@pytest.mark.parametrize(
    ("status", "kind", "advice"),
    [
        (400, "invalid_request_error", "check trainer.model, trainer.effort"),
        (401, "authentication_error", "check the key in ANTHROPIC_API_KEY"),
        (404, "not_found_error", "check trainer.model=m"),
        (413, "request_too_large", "lower trainer.max_prompt_tokens"),
    ],
)
def test_what_cannot_pass_is_one_line_without_the_key(endpoint, status, kind, advice):
    in_turn(endpoint, failure(status, kind, f"bad {KEY}\nsecond line"))
    with pytest.raises(AgentError, match=advice) as raised:
        client_of(endpoint).send(QUESTION)
    assert len(endpoint.requests) == 1
    assert KEY not in str(raised.value) and "bad [key] second line" in str(raised.value)


TOO_LONG = [
    "prompt is too long: 208310 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length",
    "This model's maximum context length is 3000 tokens. However, your prompt contains at least 3001 input tokens",
    "max_completion_tokens=8192 cannot be greater than max_model_len=3000",
]


@pytest.mark.parametrize("words", TOO_LONG)
def test_a_conversation_that_outgrew_the_context_ends_as_such_and_an_opening_is_refused(endpoint, words):
    in_turn(endpoint, failure(400, "invalid_request_error", words))
    grown = {**QUESTION, "messages": QUESTION["messages"] * 3}
    answer = client_of(endpoint, dollars=0.1).send(grown)
    assert read_reply(answer.text).stop_reason == "model_context_window_exceeded" and answer.dollars == 0.0
    with pytest.raises(AgentError, match="opening does not fit .*lower trainer.max_answer_tokens"):
        client_of(endpoint).send(QUESTION)
    in_turn(endpoint, failure(400, "invalid_request_error", "tools.0.name: too long"))
    with pytest.raises(AgentError, match="check trainer.model"):
        client_of(endpoint).send(grown)


def test_a_key_that_an_endpoint_echoes_is_not_kept(endpoint):
    in_turn(endpoint, message(text(f"your key is {KEY}")))
    assert KEY not in client_of(endpoint).send(QUESTION).text


def test_a_redirect_is_not_followed(endpoint):
    in_turn(endpoint, (307, b"", {"Location": f"{endpoint.url}/elsewhere"}), message(text("there")))
    with pytest.raises(AgentError):
        client_of(endpoint).send(QUESTION)
    assert [request["path"] for request in endpoint.requests] == ["/v1/messages"]


def test_a_question_that_could_cost_more_than_is_left_is_not_sent(endpoint):
    reserve = (5.0 * tokens_of(QUESTION) + 20.0 * 1000) / 1e6
    with pytest.raises(BudgetError, match=r"spent \$0\.9900 of budget.total.dollars=1, .*raise it"):
        client_of(endpoint, spent=0.99, dollars=1.0).send(QUESTION)
    assert endpoint.requests == []
    in_turn(endpoint, message(text("cheap"), tokens=(10, 10, 0, 0)))
    client = client_of(endpoint, dollars=reserve * 1.05)
    client.send(QUESTION)
    with pytest.raises(BudgetError):
        for _ in range(100):
            client.send(QUESTION)
    assert 3 < len(endpoint.requests) < 9, "an answer gives back what it did not cost"


def test_a_lost_answer_counts_as_spent_and_a_refused_attempt_does_not(endpoint):
    reserve = (5.0 * tokens_of(QUESTION) + 20.0 * 1000) / 1e6
    in_turn(endpoint, "drop", "drop", message(text("late")))
    with pytest.raises(BudgetError):
        client_of(endpoint, dollars=reserve * 1.5).send(QUESTION)
    assert len(endpoint.requests) == 1
    endpoint.reply = lambda body, number: failure(529, "o", **SOON) if number < 4 else message(text("late"))
    assert "late" in client_of(endpoint, dollars=reserve * 1.5).send(QUESTION).text


def test_a_model_without_a_price_is_refused_and_one_of_ones_own_is_free(endpoint):
    with pytest.raises(ConfigError, match=r"trainer.prices.m=\[INPUT,OUTPUT,WRITE,READ\]"):
        client_of(endpoint, prices={})
    with pytest.raises(ConfigError, match="four prices"):
        client_of(endpoint, prices={"m": [1.0]})
    assert client_of(endpoint, prices={"m": [0.0] * 4}, dollars=0.0).send(QUESTION).dollars == 0


def test_without_a_key_one_line_says_what_works(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(AgentError, match="set ANTHROPIC_API_KEY, or trainer.base_url .* trainer=rules") as raised:
        read_key(TrainerConfig(name="claude"))
    assert "\n" not in str(raised.value)
    assert read_key(TrainerConfig(name="claude", base_url="http://localhost:8000")) != ""


def test_the_configured_endpoint_is_asked_whatever_the_environment_names(endpoint, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    in_turn(endpoint, message(text("here")))
    assert "here" in client_of(endpoint).send(QUESTION).text
