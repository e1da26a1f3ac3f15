"""The local page and the terminal view of a campaign: what they show, who may read, and that text stays text."""

import html
import json
import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from rich.console import Console
from starlette.testclient import TestClient

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.locks import claim_lock
from evotrainer.campaign.repository import StoredVersion
from evotrainer.campaign.running import marked_running
from evotrainer.config import load_config
from evotrainer.engines.codec import read_tokenizer
from evotrainer.errors import LineageError
from evotrainer.evidence.store import read_rows, write_rows
from evotrainer.records import Message, TokenTurn
from evotrainer.report.data import report_data
from evotrainer.report.live.app import create_app
from evotrainer.report.live.live import live_state
from evotrainer.report.live.marking import marked
from evotrainer.report.live.rows import further_terms
from evotrainer.report.live.watch import frame, sparkline, watch

pytestmark = pytest.mark.parts

TOKEN = "the-token-of-this-test"
HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e"


def unchanged() -> None:
    """All results are as they were recorded."""


@pytest.fixture(scope="module")
def files(written_campaign: CampaignFiles, tmp_path_factory: pytest.TempPathFactory) -> CampaignFiles:
    """The written campaign in the place of a worktree, with hostile text and sampled tokens in rows of v002."""
    root = tmp_path_factory.mktemp("main") / "campaigns" / "demo"
    shutil.copytree(written_campaign.root, root)
    found = CampaignFiles(root)
    rows = read_rows(found.version("v002").validation)
    said = [Message(role="user", content="12+30="), Message(role="assistant", content=f"it is 42 {HOSTILE}")]
    rows = [row.model_copy(update={"messages": said}) for row in rows if row.step == 0]
    turns = [
        TokenTurn(
            trajectory_id=row.trajectory_id,
            turn=0,
            prompt_ids=[1],
            token_ids=[7, 8],
            logprobs=[-0.01, -6.0],
            in_loss=True,
        )
        for row in rows
    ]
    write_rows(found.version("v002").validation, 0, rows, turns)
    for version in ("v001", "v002"):
        found.version(version).curve.write_text('[{"step": 0, "reward": 0.4}, {"step": 1, "reward": 0.5}]')
    return found


@pytest.fixture(scope="module")
def client(files: CampaignFiles) -> TestClient:
    client = TestClient(create_app(files, TOKEN, unchanged), base_url="http://127.0.0.1:8000")
    assert client.get(f"/?token={TOKEN}").status_code == 200
    return client


def test_the_way_down_from_the_curve_to_the_tokens(client: TestClient, files: CampaignFiles) -> None:
    overview = client.get("/").text
    assert all(f'href="/version/{version["version"]}"' in overview for version in report_data(files)["versions"])
    (step,) = re.findall(r'href="(/version/v002/validation/[^"]+)"', client.get("/version/v002").text)
    (address, *_) = re.findall(rf'href="({step}/[^"]+)"', client.get(step).text)
    (attempt, *_) = re.findall(r'href="(/attempt/[^"]+)"', client.get(address).text)
    page = client.get(attempt).text
    assert "it is 42" in page and 'class="tok l0"' in page and 'class="tok l4"' in page
    assert "log-probability -6.000" in page and "correct" in page


def test_an_attempt_says_each_fact_once_and_what_its_tokens_say(
    files: CampaignFiles, tmp_path: Path, digit_policy: Path
) -> None:
    root = tmp_path / "campaigns" / "demo"
    shutil.copytree(files.root, root)
    found, address = CampaignFiles(root), "/attempt/v002?id=v002-validation-math-0000-0"
    client = TestClient(create_app(found, TOKEN, unchanged), base_url="http://127.0.0.1:8000")
    assert client.get(f"{address}&token={TOKEN}").text.count("<li>correct <b>") == 1

    def shown() -> list[str]:
        found_texts = re.findall(r'class="tok l\d" title="id [^>]*>([^<]*)<', client.get(address).text)
        return [html.unescape(text) for text in found_texts]

    assert shown() == ["7", "8"]
    policy = found.policy(load_config(found.config).policy.name)
    policy.mkdir(parents=True)
    shutil.copy(digit_policy / "tokenizer.json", policy)
    tokenizer = read_tokenizer(policy)
    assert shown() == [tokenizer.decode([token], skip_special_tokens=False) for token in (7, 8)] != ["7", "8"]
    assert further_terms({"correct": 0.0, "reward_terms": {"correct": 0.0, "format": 1.0}}) == {"format": 1.0}


def test_hostile_text_of_a_row_is_inert(client: TestClient) -> None:
    page = client.get("/attempt/v002?id=v002-validation-math-0000-0").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&lt;U+001B&gt;[2J&lt;U+202E&gt;" in page
    assert page.count("<script") == 1 and 'src="/static/live.js"' in page
    searched = client.get("/search?sql=" + quote("SELECT '<script>alert(1)</script>' AS x")).text
    assert searched.count("<script") == 1 and "&lt;script&gt;" in searched


def test_words_that_a_finding_quotes_are_marked() -> None:
    finding = {"mode": "echo", "message": "most answers repeat 'the answer <is>' of the prompt"}
    assert marked("so the answer <is> 4", [finding]) == 'so <mark title="echo">the answer &lt;is&gt;</mark> 4'
    assert marked("a & b", []) == "a &amp; b"


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/compare?first=v001&second=v002", "algorithm.learning_rate"),
        ("/compare?first=v001&second=v002", "Strong: v001; faint: v002."),
        ("/compare?first=v000&second=v002", "v000 was kept, v002 promoted."),
        ("/compare?first=v000&second=v002", "Training of v002 alone"),
        ("/findings?mode=reward_outcome_divergence", "the length term rises by 0.19"),
        ("/search?sql=SELECT version, trajectory_id FROM trajectories LIMIT 3", "/attempt/v000?id=v000-validation"),
        ("/search?sql=DROP TABLE versions", "a query is a SELECT statement"),
        ("/version/v042", "no closed version v042"),
        ("/version/v042/training/1", "no version v042"),
        ("/attempt/v002?id=x", "v002 has no attempt x"),
        ("/compare?first=v1&second=v77", "no version v077"),
        ("/static/ui.css", ".bar"),
        ("/static/style.css", "--ground"),
    ],
)
def test_every_page_answers(path: str, wanted: str, client: TestClient) -> None:
    assert wanted in client.get(path).text


def test_only_whoever_has_the_address_may_read(files: CampaignFiles) -> None:
    stranger = TestClient(create_app(files, TOKEN, unchanged), base_url="http://127.0.0.1:8000", follow_redirects=False)
    assert stranger.get("/").status_code == 403
    assert stranger.get("/static/style.css").status_code == 403
    assert stranger.get("/?token=guessed").status_code == 403
    entered = stranger.get(f"/attempt/v002?id=a&token={TOKEN}")
    assert (entered.status_code, entered.headers["location"]) == (303, "/attempt/v002?id=a")
    assert "HttpOnly" in entered.headers["set-cookie"] and "SameSite=strict" in entered.headers["set-cookie"]
    known = {"Cookie": f"evotrainer_ui={TOKEN}"}
    assert stranger.get("/live", headers=known).status_code == 200
    assert stranger.get("/live", headers=known | {"Host": "rebound.example:8000"}).status_code == 421
    assert stranger.post("/live", headers=known).status_code == 405
    assert stranger.get(f"http://127.0.0.1:8000//evil.example/?token={TOKEN}").headers["location"].startswith("/evil")


def test_the_browser_is_told_to_run_nothing_else(client: TestClient) -> None:
    headers = client.get("/").headers
    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")


@pytest.fixture
def training(files: CampaignFiles, tmp_path: Path) -> CampaignFiles:
    """The campaign with a version more, whose training goes on."""
    root = tmp_path / "main" / "campaigns" / "demo"
    shutil.copytree(files.root, root)
    found = CampaignFiles(root)
    spec = StoredVersion(found.version("v008")).spec.read()
    StoredVersion(found.version("v009")).spec.write(spec.model_copy(update={"version": "v009"}))
    log, tracked = (root / "scratch" / name for name in ("logs/v009/train.log", "train/v009/tracking/signals.jsonl"))
    log.parent.mkdir(parents=True)
    tracked.parent.mkdir(parents=True)
    log.write_text("> sh tasks/stage.sh train v009\nstep 7  reward 0.700  900 tokens/s  9 s left\x1b[31m\n")
    lines = [
        json.dumps(
            {"step": step, "time": 100.0 + step, "reward": step / 10, "entropy": 1 - step / 10, "num_tokens": 900}
        )
        for step in range(8)
    ]
    tracked.write_text("\n".join(lines) + '\n{"step": 8, "ti')
    return found


def test_running_training_is_shown_from_its_files(training: CampaignFiles) -> None:
    log, lock = training.root / "scratch/logs/v009/train.log", training.root.parents[1] / "scratch/locks/demo.lock"
    with claim_lock(lock, "the campaign"):
        assert live_state(training).stages == [], "a log alone is an old one"
    with claim_lock(lock, "the campaign"), marked_running(log):
        state = live_state(training)
        page = (
            TestClient(create_app(training, TOKEN, unchanged), base_url="http://localhost").get(f"/?token={TOKEN}").text
        )
    (stage,) = state.stages
    assert (stage.subject, stage.stage, len(stage.signals), stage.tokens_per_second) == ("v009", "train", 8, 900.0)
    assert "v009 train" in page and "900 tokens/s" in page and 'aria-label="reward by step"' in page
    console = Console(width=80, record=True, force_terminal=True)
    console.print(frame(training, state, 80))
    shown = console.export_text()
    assert max(map(len, shown.splitlines())) <= 80
    assert "v009 train" in shown and "▁" in shown and "0.000 → 0.700" in shown and "900" in shown
    assert "\x1b" not in shown and "v008" in shown and "22% of the attempts are cut" not in shown.splitlines()[0]


def test_watching_ends_with_the_campaign(training: CampaignFiles) -> None:
    console, lock = (
        Console(width=80, record=True, force_terminal=True),
        claim_lock(training.root.parents[1] / "scratch" / "locks" / "demo.lock", "the campaign"),
    )
    lock.__enter__()
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            lock.__exit__(None, None, None)

    watch(training, console, unchanged, pause)
    assert len(pauses) == 2


def test_a_curve_of_blocks_fits_its_width() -> None:
    assert sparkline([0, 1, 2, 3], 8) == "▁▃▆█"
    assert len(sparkline(range(1000), 36)) <= 36
    assert sparkline([5.0], 4) == "▁"


def test_results_that_are_edited_while_the_page_is_open_are_shown_no_more(files: CampaignFiles) -> None:
    edited: list[str] = []

    def check() -> None:
        if edited:
            raise LineageError(edited[0])

    client = TestClient(create_app(files, TOKEN, check), base_url="http://127.0.0.1:8000")
    assert client.get(f"/?token={TOKEN}").status_code == 200
    edited.append("versions/v001/verdict.json was changed: restore it")
    for path in ("/", "/version/v001", "/compare", "/findings", "/search?sql=SELECT 1"):
        page = client.get(path)
        assert page.status_code == 404 and edited[0] in page.text, path
