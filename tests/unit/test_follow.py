"""A run is followed while it writes: cut lines, two steps in a file, a folder that moves; one notice a cause."""

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.main import app
from conf.compose import compose_campaign, write_campaign
from evotrainer.errors import PolicyError
from flows.workspace.worktree import Workspace
from tasks.diagnose.following import UNREADABLE, Following
from tasks.running import notify
from tasks.running.notify import Event, check_target, failure_notices

HURT = "`touch hurt` $(touch hurt); '"


def line(step: int, problem: int, attempt: int, **changed: Any) -> str:
    row = {
        "step": step,
        "prompt": f"Problem {problem}: what is {problem} + {step}?",
        "response": f"We look at the sum and find that it is {problem + step} in attempt {attempt}.",
        "reward": float((problem + attempt) % 3 > 0),
        "kl": 0.1 * step,
    }
    return json.dumps(row | changed) + "\n"


def lines(step: int, **changed: Any) -> list[str]:
    return [line(step, p, a, **changed) for p in range(8) for a in range(4)]


def steps(look: Any) -> list[int]:
    return [look.numbers.steps[place] for place in look.finished]


def test_steps_are_shown_when_they_are_finished_and_cut_lines_are_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    following = Following(file)
    assert "does not exist" in following.look().trouble
    mixed = [one for pair in zip(lines(0), lines(1), strict=True) for one in pair]
    file.write_text("".join([*mixed, *lines(2)])[:-30])
    assert steps(following.look()) == [0, 1]
    assert steps(following.look()) == [2]  # nothing was written since
    file.write_text("".join([*mixed, *lines(2)]))
    look = following.look(is_last=True)
    assert (steps(look), look.numbers and look.numbers.attempts, look.left_out) == ([2], [32, 32, 32], [])


def test_a_folder_that_moves_is_followed(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "a.jsonl").write_text("".join(lines(0)))
    following = Following(tmp_path / "run")
    following.look()
    (tmp_path / "run").rename(tmp_path / "moved")
    (tmp_path / "moved" / "b.jsonl").write_text("".join(lines(1)))
    assert steps(following.look(is_last=True)) == [0, 1]
    assert following.path == tmp_path / "moved"


def test_a_run_that_is_gone_makes_one_notice_and_read_when_it_is_back(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(lines(0)))
    following = Following(file)
    following.look()
    file.rename(tmp_path / "away")
    sent = [event.kind for _ in range(2 * UNREADABLE) for event in following.look().events]
    assert sent == ["unreadable"]
    file.write_text("".join([*lines(0), *lines(1)]))
    assert steps(following.look(is_last=True)) == [0, 1]


def test_findings_and_conditions_make_one_notice_a_cause(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    bad = [one for step in range(3) for one in lines(step, response="", reward=1.0, kl=2.0)]
    file.write_text("".join(bad))
    following = Following(file, when="kl > 1 AND step >= 1")
    events = following.look(is_last=True).events
    assert [(one.kind, one.step) for one in events] == [("finding", 0), ("condition", 1)]
    assert all(len(one.rows) == 3 and one.advice for one in events)
    file.write_text("".join([*bad, *lines(3, response="", reward=1.0, kl=3.0)]))
    assert not following.look(is_last=True).events


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--when", "rewrd < 1"], "no number by step is called 'rewrd'"),
        (["--when", "kl < 'a'"], "Could not convert string"),
        (["--when", "kl <"], "is no SQL condition"),
        (["--notify", "no-such-command x"], "no command 'no-such-command'"),
        ([], "is empty"),
    ],
)
def test_what_cannot_be_followed_is_one_line(tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "rows.jsonl").touch()
    found = CliRunner().invoke(app, ["follow", str(tmp_path / "rows.jsonl"), "--until-idle", "0", *words])
    assert found.exit_code == 1
    assert said in found.output + str(found.exception)


@pytest.mark.parametrize(("reward", "status"), [(1.0, 3), (None, 0)])
def test_the_status_says_whether_something_was_found_and_no_text_reaches_the_shell(
    tmp_path: Path, reward: float | None, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = {} if reward is None else {"response": HURT, "reward": reward}
    Path("rows.jsonl").write_text("".join(one for step in range(3) for one in lines(step, **text)))
    words = ["follow", "rows.jsonl", "--until-idle", "0", "--notify", "cat > sent", "--when", "reward > 0.9"]
    assert CliRunner().invoke(app, words).exit_code == status
    assert Path("sent").exists() == (status == 3)
    assert not Path("hurt").exists()
    if status:
        sent = json.loads(Path("sent").read_text())
        assert (sent["kind"], sent["step"], sent["rows"][0]["response"]) == ("condition", 0, HURT)


@pytest.mark.parts
def test_an_address_gets_json_and_one_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    got: list[Any] = []
    hangs = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if self.path == "/hangs":
                hangs.wait(20)
                return
            got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200 if self.path == "/" else 500)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    event = Event("finding", "dead_groups", "all get 0")
    assert notify.notify(address, "run", event) == ""
    assert got[0]["text"] == "run: critical dead_groups: all get 0"
    assert "status 500" in notify.notify(f"{address}broken", "run", event)
    monkeypatch.setattr(notify, "SECONDS", 0.5)
    assert notify.notify(f"{address}hangs", "run", event)
    assert notify.notify("sleep 60", "run", event) == "the command took more than 0.5 s and was ended"
    assert "status 3: no" in notify.notify("echo no; exit 3", "run", event)
    hangs.set()
    server.shutdown()
    check_target("cat > /dev/null")


def test_the_error_that_ends_a_campaign_is_a_notice_and_stays_the_error(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, "night")
    write_campaign(workspace.files, compose_campaign([f"tracking.notify='cat > {tmp_path}/notice'"]))

    async def fail() -> None:
        async with failure_notices(workspace.files):
            raise PolicyError("the loss is not finite")

    with pytest.raises(PolicyError, match="not finite"):
        asyncio.run(fail())
    sent = json.loads((tmp_path / "notice").read_text())
    assert (sent["kind"], sent["cause"], sent["run"]) == ("failure", "PolicyError", "night")
    assert sent["message"] == "the loss is not finite; go on with it: evotrainer campaign run night"
