"""The server of the page: rows by filter, order and page, transcripts, growth, campaigns, and who may ask."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tokenizers import Tokenizer

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import load_config
from evotrainer.domains.frozen import unpack_policy
from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign.messages import MESSAGES
from evotrainer.evidence.foreign.reading import read_foreign_rows
from evotrainer.evidence.store import write_rows, write_signals
from evotrainer.records import Message, TokenTurn
from evotrainer.view.rows import PAGE, Question, ShownRows
from evotrainer.view.server import Live, application, bound
from evotrainer.view.sources import CampaignSource, FilesSource
from flows.serving.server import free_port
from tasks.diagnose.foreign import diagnosed, with_derived
from tests.plain_records import plain_row, plain_signals
from tests.unit.test_bad_arguments import refused

HOST = "http://127.0.0.1"
Ask = Callable[..., Any]


def attempts(steps: int = 3, problems: int = 5, attempts: int = 4) -> list[dict[str, Any]]:
    """Return rows in the form of a trainer: later steps are right more often, and one answer holds markup."""
    return [
        {
            "step": step,
            "input": f"What is {problem} + {problem}?",
            "output": f"<img src=x onerror=alert(1)> Problem {problem}, \u202eso \x1b[31m{2 * problem if right else 0}",
            "gts": str(2 * problem),
            "score": float(right),
            "rollout_log_probs": [-0.1, -2.5],
            "response_mask": [1, 0],
        }
        for step in range(steps)
        for problem in range(problems)
        for attempt in range(attempts)
        for right in [attempt < step + 1]
    ]


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def opened(path: Path) -> Live:
    return Live(FilesSource(path, partial(read_foreign_rows, path), with_derived, diagnosed, None))


def asking(live: Live) -> Ask:
    client = TestClient(application(live), HOST)

    def ask(name: str, status: int = 200, **given: Any) -> Any:
        answer = client.get(f"/api/{name}", params=given)
        assert answer.status_code == status, answer.text
        return answer.json()

    return ask


@pytest.fixture
def live(tmp_path: Path) -> Live:
    found = opened(written(tmp_path / "rows.jsonl", attempts()))
    found.look()
    return found


@pytest.fixture
def ask(live: Live) -> Ask:
    return asking(live)


def test_rows_are_there_before_they_are_judged(tmp_path: Path) -> None:
    live = opened(written(tmp_path / "rows.jsonl", attempts()))
    ask = asking(live)
    assert not ask("state")["is_judged"] and ask("rows")["total"] == 60
    live.look()
    found = ask("state")
    assert found["is_judged"] and found["revision"] == 2 and found["overview"]
    reward = next(one for one in found["numbers"]["numbers"] if one["name"] == "reward")
    assert reward["values"] == [0.25, 0.5, 0.75] and reward["meaning"] and reward["advice"]


def test_filters_and_orders_go_together(ask: Ask) -> None:
    assert ask("rows", words='problem "3, "', columns="reward")["total"] == 12
    assert ask("rows", where="reward = 1 and step > 0")["total"] == 25
    assert ask("rows", step="2", words="PROBLEM 4,", where="reward = 0")["total"] == 1
    found = ask("rows", sort="reward", down="1", columns="reward,x.unknown", offset="0")
    assert found["total"] == 60 and len(found["rows"]) == PAGE
    assert [row["reward"] for row in found["rows"]] == [1.0] * 30 + [0.0] * 20
    assert len(ask("rows", offset="50")["rows"]) == 10


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"where": "reward >"}, "is no SQL condition"),
        ({"where": "reward IN (SELECT 1)"}, "reads another table"),
        ({"where": "1) FROM read_csv('/etc/passwd') --"}, "is more than a condition"),
        ({"where": "read_blob('/etc/passwd') IS NULL"}, "DuckDB says"),
        ({"where": "colour = 'red'"}, "colour"),
        ({"where": "response"}, "no condition"),
        ({"where": f"{'(' * 3000}1{')' * 3000}"}, "write at most 4000"),
        ({"where": "NOT " * 990 + "TRUE"}, "nested too deeply"),
        ({"sort": "colour"}, "no column 'colour' to sort by"),
        ({"step": "x"}, "'x' is no step"),
    ],
)
def test_a_question_that_cannot_be_answered_is_a_line(ask: Ask, asked: dict[str, str], said: str) -> None:
    assert said in ask("rows", 400, **asked)["error"] and ask("rows")["total"] == 60


def test_a_page_that_ends_at_once_ends_what_judges_its_rows(tmp_path: Path) -> None:
    live = opened(written(tmp_path / "rows.jsonl", attempts()))
    live.start()
    live.stop()
    assert not live._thread.is_alive()


def test_a_transcript_has_turns_terms_tokens_and_no_hidden_characters(ask: Ask, live: Live) -> None:
    found = ask("row", id="rows.jsonl:2")
    assert [one["role"] for one in found["messages"]] == ["user", "assistant"]
    assert "<U+202E>so <U+001B>[31m" in found["messages"][1]["text"] and "<img src=x" in found["messages"][1]["text"]
    assert found["tokens"][0]["logprobs"] == [-0.1, -2.5] and found["tokens"][0]["loss_mask"] == [1, 0]
    assert found["columns"]["reward"] == 0.0 and found["columns"]["gold"] == "0"
    assert "no row has the id 'gone'" in ask("row", 400, id="gone")["error"]
    group = ask("group", id="rows.jsonl:2")
    assert group["total"] == 4 and [row["reward"] for row in group["rows"]] == [1.0, 0.0, 0.0, 0.0]


def test_a_finding_leads_to_all_of_its_rows(tmp_path: Path) -> None:
    rows = [row | {"output": "" if place % 3 == 0 else row["output"]} for place, row in enumerate(attempts())]
    live = opened(written(tmp_path / "rows.jsonl", rows))
    live.look()
    ask = asking(live)
    finding = ask("state")["findings"][0]
    found = ask("rows", finding=finding["key"])
    assert found["total"] == finding["num_rows"] == 20
    assert finding["key"] in ask("row", id=found["rows"][0]["trajectory_id"])["findings"]


def test_a_folder_that_grows_is_read_again_and_a_fault_keeps_what_was_read(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    written(folder / "0.jsonl", attempts(1))
    live = opened(folder)
    live.look()
    ask = asking(live)
    assert ask("state")["num_rows"] == 20
    path = written(folder / "1.jsonl", attempts(2))
    path.write_text(path.read_text()[:-30])  # the trainer is about to end this line
    live.look()
    assert ask("state")["num_rows"] == 59 and any("left out" in line for line in ask("state")["overview"])
    written(folder / "1.jsonl", attempts(2))
    live.look()
    assert ask("state")["num_rows"] == 60
    live.look()
    assert ask("revision")["revision"] == 4, "files as they were are not read again"
    live.start()
    folder.rename(tmp_path / "moved")
    try:
        for _ in range(100):
            if "does not exist" in ask("revision")["problem"]:
                break
            live._ended.wait(0.1)
        assert ask("rows")["total"] == 60 and "does not exist" in ask("revision")["problem"]
    finally:
        live.stop()


@pytest.mark.parts
def test_a_campaign_shows_versions_and_its_stored_rows(written_campaign: CampaignFiles) -> None:
    live = Live(CampaignSource(written_campaign, with_derived))
    ask = asking(live)
    found = ask("state")
    lineage = found["lineage"]
    assert [one["version"] for one in lineage["versions"]][:2] == ["v000", "v001"] and "<svg" in lineage["trajectory"]
    outcomes = {one["version"]: one["verdict"]["outcome"] for one in lineage["versions"]}
    assert outcomes[lineage["changed_at"]] == "promoted" and lineage["versions"][0]["lines"]
    assert found["findings"][0]["severity"] == "invalid" and found["findings"][0]["key"].startswith("v006 ")
    rows = ask("rows", version="v002", where="stage = 'validation'", columns="stage,version")
    assert rows["total"] > 0 and {row["stage"] for row in rows["rows"]} == {"validation"}
    known = {"train": "42", "validation": "43", "test": "sealed"}
    folder = written_campaign.root / load_config(written_campaign.config).domain.data_path
    problem = rows["rows"][0]["trajectory_id"], ask("row", id=rows["rows"][0]["trajectory_id"])["columns"]["problem_id"]
    folder.mkdir(parents=True, exist_ok=True)
    for split, answer in known.items():
        line = {"id": problem[1], "problem": "1 + 1 =", "answer": answer}
        (folder / f"{split}.jsonl").write_text(json.dumps(line))
    live.source.__dict__.pop("_gold")
    assert ask("row", id=problem[0])["columns"]["gold"] == "43"
    (folder / "validation.jsonl").unlink()
    (folder / "train.jsonl").unlink()
    live.source.__dict__.pop("_gold")
    assert "gold" not in ask("row", id=problem[0])["columns"], "the sealed split is never read"
    shutil.rmtree(folder)
    assert ask("diff", first="v001", second="v002")["changes"]
    assert "no version v999" in ask("diff", 400, first="v001", second="v999")["error"]
    assert ask("numbers", version="v001") is None, "nothing of its training is stored"


@pytest.mark.parts
def test_a_training_shows_its_signals_and_tokens_as_text(written_campaign: CampaignFiles, tmp_path: Path) -> None:
    files = CampaignFiles(tmp_path / "demo")
    shutil.copytree(written_campaign.root, files.root)
    policy = files.policy(load_config(files.config).policy.name)
    unpack_policy(policy.name, policy)
    training, ids = files.version("v002").training, [5, 6, 7]
    for step in range(2):
        said = [Message(role="user", content="1+1"), Message(role="assistant", content="2")]
        row = plain_row(version="v002", step=step, problem_id=f"p{step}", reward=1.0, correct=1.0, messages=said)
        turn = {"turn": 0, "prompt_ids": [1], "token_ids": ids, "logprobs": [-0.1, -0.2, -3.0], "in_loss": True}
        write_rows(training, step, [row], [TokenTurn(trajectory_id=row.trajectory_id, **turn)])
    write_signals(training, [plain_signals(step, version="v002", entropy=1.0) for step in range(2)])
    ask = asking(Live(CampaignSource(files, with_derived)))
    shown = {one["name"]: one["values"] for one in ask("numbers", version="v002")["numbers"]}
    assert shown["entropy"] == [1.0, 1.0] and shown["reward"] == [1.0, 1.0]
    (tokens,) = ask("row", id="p1.0")["tokens"]
    spelled = Tokenizer.from_file(str(policy / "tokenizer.json"))
    assert tokens["texts"] == [spelled.decode([one], skip_special_tokens=False) for one in ids]
    assert tokens["logprobs"] == [-0.1, -0.2, -3.0] and ask("row", id="p1.0")["columns"]["stage"] == "training"
    assert ask("rows", where="stage = 'training'")["total"] == 2


def test_only_this_machine_and_its_own_page_are_answered(live: Live) -> None:
    client = TestClient(application(live), HOST)
    page = client.get("/")
    assert page.status_code == 200 and "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script>" not in page.text and " style=" not in page.text
    assert client.get("/", headers={"host": "rebound.example"}).status_code == 400
    assert client.get("/api/state", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/../server.py").status_code == 404 and client.post("/api/state").status_code == 405
    assert "no campaign" in client.get("/api/diff").json()["error"]


def test_what_cannot_be_shown_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, empty, binary = (tmp_path / name for name in ("rows.jsonl", "empty.jsonl", "binary.jsonl"))
    written(rows, attempts())
    empty.touch()
    binary.write_bytes(b"\0\1\2\3" * 50)
    (tmp_path / "folder").mkdir()
    with (tmp_path / "large.jsonl").open("wb") as large:
        large.truncate(10 << 30)
    taken = bound(0)
    port = str(taken.getsockname()[1])
    for words, said in {
        (f"{tmp_path}/absent.jsonl",): "does not exist",
        (str(empty),): "is empty",
        (str(binary),): "is no UTF-8 text",
        (str(tmp_path / "large.jsonl"),): "holds 10.0 GB, more than the 4 GB that are read at a time",
        (str(tmp_path / "folder"),): "holds no files of rollouts",
        ("no-such-campaign",): "there is no file, folder or campaign 'no-such-campaign'",
        (str(rows), "--port", port): f"port {port} cannot be used",
        (str(rows), "--tokenizer", str(tmp_path)): "holds no tokenizer.json",
        (str(rows), "--map", str(tmp_path / "absent.yaml")): "does not exist",
    }.items():
        free = () if "--port" in words else ("--port", str(free_port()))
        assert said in refused(capsys, "view", *words, *free), words
    taken.close()


@settings(deadline=None, max_examples=60)
@given(
    rewards=st.lists(st.one_of(st.none(), st.floats(-2, 2)), min_size=1, max_size=130),
    limit=st.floats(-2, 2),
    is_descending=st.booleans(),
)
def test_pages_hold_each_fitting_row_once_and_in_order(
    rewards: list[float | None], limit: float, is_descending: bool
) -> None:
    names = [f"r{place}" for place in range(len(rewards))]
    table = pa.table({"trajectory_id": names, "reward": pa.array(rewards, pa.float64())})
    shown = ShownRows(table, MESSAGES.empty_table(), {})
    question = Question(where=f"reward >= {limit}", sort="reward", is_descending=is_descending)
    pages = [shown.page(question, start, ["reward"]) for start in range(0, len(rewards) + 1, PAGE)]
    found = [row["reward"] for page in pages for row in page["rows"]]
    fitting = sorted((one for one in rewards if one is not None and one >= limit), reverse=is_descending)
    assert found == fitting and {page["total"] for page in pages} == {len(fitting)}
    everything = shown.page(Question(sort="reward", is_descending=is_descending), 0, ["reward"])["rows"]
    known = [row["reward"] is not None for row in everything]
    assert known == sorted(known, reverse=True), "unknown values come last"
    with pytest.raises(EvidenceError, match="no row has the id"):
        shown.row("absent")
