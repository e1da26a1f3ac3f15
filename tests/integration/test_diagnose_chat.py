"""`evotrainer diagnose --reader`, and checks that ask, through a chat endpoint on localhost."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.main import app
from tests.judge_server import Endpoint, calling, completion, serving
from tests.reader_rows import claim

KEY = "sk-chat-secret"
PRICED = ("--set", "trainer.prices.mine=[2,10,2,1]")
SELECT = 'SELECT "x.worker" AS worker, avg(reward) FROM attempts GROUP BY 1'


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving() as found:
        yield found


def diagnose(rows: Path, endpoint: Endpoint, *arguments: Any) -> int:
    model = ["--set", f"trainer.chat_url={endpoint.url}", "--set", "trainer.model=mine"]
    with pytest.raises(SystemExit) as left:
        app([*map(str, ["diagnose", "--trajectories", rows, *model, *arguments])])
    return int(str(left.value.code))


def inquire(body: dict[str, Any], number: int) -> Any:
    """Count and open, call what is no call, then report."""
    counted = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400}}
    if number == 1:
        return calling(("query", {"sql": SELECT}), ("trajectories", {"ids": ["t002"]}), **counted)
    if number == 2:
        return calling(("query", '{"sql": "SELECT'), **counted)
    return calling(("report", {"claims": [claim()]}), **counted)


def test_a_reading_through_a_chat_endpoint_says_what_was_read_and_what_it_cost(
    rows: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.reply = inquire
    assert diagnose(rows, endpoint, "--reader", "--json", *PRICED) == 0
    report = json.loads(capsys.readouterr().out)
    assert [one["mode"] for one in report["findings"] if one["diagnostic"] == "reader"] == ["reward_bias"]
    reading = report["reading"]
    assert (reading["answers"], reading["tokens"]) == (3, 3300)
    assert reading["dollars"] == pytest.approx(3 * (600 * 2 + 400 * 1 + 100 * 10) / 1e6)
    assert reading["reads"][:2] == [SELECT, "trajectories ['t002']"] and reading["endpoint"] == endpoint.url
    first, second, third = endpoint.requests
    assert first["path"] == "/v1/chat/completions" and endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert [one["role"] for one in second["messages"]] == ["system", "user", "assistant", "tool", "tool"]
    assert "w2 | 0" in second["messages"][3]["content"] and "What is 2 + 1?" in second["messages"][4]["content"]
    assert third["messages"][-2]["tool_calls"][0]["function"]["arguments"] == "{}", "templates want an object"
    assert "refused" in third["messages"][-1]["content"]
    names = {one["function"]["name"] for one in first["tools"]}
    assert names == {"query", "trajectories", "report"} and "output_config" not in first
    assert KEY not in rows.with_name("rows.jsonl.reading").read_text()

    assert diagnose(rows, endpoint, "--reader") == 0
    told = capsys.readouterr().out
    assert f"model    mine at {endpoint.url}: 3 answers, 3,300 tokens, no price is set" in told
    assert f"read     {SELECT}" in told and len(endpoint.requests) == 3, "it was asked again"


@pytest.mark.parametrize(
    ("reply", "arguments", "told"),
    [
        ((401, b"no such key"), (), "status 401: no such key): check the key in OPENAI_API_KEY"),
        ((404, b"tools?"), (), "check trainer.model and trainer.chat_url, and that it is served with tools"),
        ((200, b"<html>"), ("--set", "trainer.max_retries=0"), "no whole answer in 1 attempt: an answer that is no"),
        ("silence", ("--set", "trainer.max_retries=0", "--set", "trainer.request_seconds=1"), "no answer within 1 s"),
        (None, ("--set", "trainer.chat_url=localhost"), "trainer.chat_url 'localhost' is no address"),
        (None, ("--set", "trainer.base_url=http://x"), "name two endpoints: set one of them"),
    ],
)
def test_an_endpoint_that_cannot_be_used_is_one_line(
    rows: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str], reply: Any, arguments: tuple[str], told: str
) -> None:
    endpoint.reply = lambda body, number: reply
    assert diagnose(rows, endpoint, "--reader", *arguments) == 1
    said = capsys.readouterr().err
    assert told in said and "fault of the program" not in said and len(endpoint.requests) <= 1


def test_a_conversation_that_outgrows_the_context_is_closed_with_what_it_has(
    rows: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    long = b'{"error": {"message": "This model\'s maximum context length is 3000 tokens"}}'
    replies = [calling(("query", {"sql": SELECT})), (400, long), calling(("report", {"claims": [claim()]}))]
    endpoint.reply = lambda body, number: replies[number - 1]
    assert diagnose(rows, endpoint, "--reader") == 0
    assert "reward_bias (the reader)" in capsys.readouterr().out
    assert "An earlier inquiry ended: the context was full" in endpoint.requests[2]["messages"][1]["content"]


def asks(rows: Path, **changes: Any) -> Path:
    """Write a check that asks whether the answer is odd: every worker's is, at every other problem number."""
    check = {"question": "Is the number odd?", "mode": "odd_answers", "judge": "above 0.1", "sample": 60} | changes
    path = rows.with_name("mine.yaml")
    path.write_text(json.dumps({"odd": check}))
    return path


def odd(body: dict[str, Any], number: int) -> Any:
    """Answer the question about the attempt that is shown."""
    text = body["messages"][1]["content"]
    answer = int(text.split("[assistant] ")[1].split()[0])
    return completion(f"It is {answer}.\n\nANSWER: {'unclear' if answer == 50 else 'yes' if answer % 2 else 'no'}")


def labelled(num: int, wrong: int = 0) -> dict[str, bool]:
    """Return labels of the first attempts, some of them wrong."""
    return {f"t{place:03d}": ((place + 1) % 2 == 1) != (place < wrong) for place in range(num)}


def test_a_question_is_a_check_whose_precision_and_recall_stand_beside_it(
    rows: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.reply = odd
    checks = asks(rows, labels=labelled(40, wrong=4))
    assert diagnose(rows, endpoint, "--checks", checks, "--json", *PRICED) == 0
    out, said = capsys.readouterr()
    report = json.loads(out)
    [found] = [one for one in report["findings"] if one["mode"] == "odd_answers"]
    assert found["severity"] == "warning" and found["numbers"]["among"] in (59, 60)
    assert "(on 40 labelled attempts: precision 90%, recall 90%)" in found["message"]
    [line] = report["reading"]["questions"]
    assert line.startswith("odd: Is the number odd?") and "of 60 attempts yes" in line
    asked = len(endpoint.requests)
    assert f"note: {asked} questions to mine, at most" in said and 60 <= asked <= 100
    assert not any("reward" in one["messages"][1]["content"] for one in endpoint.requests), "the model is blind to pay"

    few = asks(rows, labels=labelled(19))
    assert diagnose(rows, endpoint, "--checks", few, "--json", *PRICED) == 0
    [note] = [one for one in json.loads(capsys.readouterr().out)["findings"] if one["mode"] == "odd_answers"]
    assert note["severity"] == "info" and "19 labelled attempts" in note["message"]
    assert len(endpoint.requests) == asked, "nothing is asked twice"


def test_labels_may_be_a_column_of_the_rows(rows: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    endpoint.reply = odd
    given = [{**json.loads(line), "label": place % 2 == 0} for place, line in enumerate(rows.read_text().splitlines())]
    rows.write_text("".join(f"{json.dumps(one)}\n" for one in given))
    assert diagnose(rows, endpoint, "--checks", asks(rows, sample=30, judge="paid")) == 0
    assert "precision 100%, recall 100%" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "arguments", "told"),
    [
        ({"labels": {"nobody": True}}, (), "`labels` names nobody, which is the id of no attempt"),
        ({"labels": {"t001": "maybe"}}, (), "a label is true or false, not 'maybe'"),
        ({"labels": [1]}, (), "write `labels` as {id: true, id: false}"),
        ({"sample": 0}, (), "`sample` is a number of attempts"),
        ({"shows": "TRUE"}, (), "write `shows` or `question`"),
        ({"among": "SELECT 1"}, (), "write one expression over columns"),
        ({}, ("--set", "trainer.prices.mine=[900,900,900,900]"), "questions may cost $"),
    ],
)
def test_a_question_that_cannot_be_put_is_one_line_before_anything_is_asked(
    rows: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str], changes: Any, arguments: Any, told: str
) -> None:
    assert diagnose(rows, endpoint, "--checks", asks(rows, **changes), *arguments) > 0
    said = capsys.readouterr().err
    assert told in said and "fault of the program" not in said and not endpoint.requests


def test_a_model_that_answers_no_question_is_not_asked_for_ever(
    rows: Path, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.reply = lambda body, number: completion("Well, it depends.")
    assert diagnose(rows, endpoint, "--checks", asks(rows)) == 1
    assert "5 answers in a row held no `ANSWER: yes` or `no`" in capsys.readouterr().err
    assert len(endpoint.requests) == 5


def test_a_question_without_a_model_is_refused(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        app(["follow", str(rows), "--checks", str(asks(rows))])
    assert "odd_answers asks a model: only `diagnose --trajectories` does" in capsys.readouterr().err
