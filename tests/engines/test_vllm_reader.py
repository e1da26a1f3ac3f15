"""`evotrainer diagnose --reader` asks a model that a real vLLM serves: calls, results, a report, and a full context."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from cli.main import app
from evotrainer.engines.checkpoint import Checkpoint
from evotrainer.engines.vllm.client import ServerClient
from evotrainer.engines.vllm.process import NAME, ServerProcess
from tests.engines.calling_policy import make_calling_policy
from tests.engines.conftest import vllm_config
from tests.reader_rows import ROWS

CALLS = ["--enforce-eager", "--enable-auto-tool-choice", "--tool-call-parser", "hermes", "--max-model-len"]
Served = Callable[[int], str]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Start a server whose context has so many tokens, and return its address."""
    policy = make_calling_policy(tmp_path_factory.mktemp("calling"))
    with ExitStack() as ending:

        def start(num_tokens: int) -> str:
            config = vllm_config().engine
            config.vllm.arguments = [*CALLS, str(num_tokens)]
            server = ServerProcess(config, Checkpoint(policy, policy), on_gpu=False)
            ending.callback(server.close)
            client = ServerClient(server.url, 1, 60.0)
            ending.callback(client.close)
            server.wait_until_ready(client)
            return server.url

        yield start


def diagnose(folder: Path, url: str, *settings: str) -> int:
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{one.model_dump_json()}\n" for one in ROWS))
    own = [f"trainer.base_url={url}", f"trainer.model={NAME}", f"trainer.prices.{NAME}=[0,0,0,0]", *settings]
    sets = [part for one in own for part in ("--set", one)]
    with pytest.raises(SystemExit) as left:
        app(["diagnose", "--trajectories", str(path), "--reader", "--json", *sets])
    return int(str(left.value.code))


def test_a_served_model_reads_rows_and_reports(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = served(32_768)
    assert diagnose(tmp_path, url) == 0
    report = json.loads(capsys.readouterr().out)
    [found] = [one for one in report["findings"] if one["diagnostic"] == "reader"]
    assert found["mode"] == "reward_bias" and found["numbers"]["shows"] == 25
    assert "What is 7 + 1?" in (tmp_path / "rows.jsonl.reading").read_text(), "the query's result was not kept"
    assert report["reading"]["model"] == NAME and not report["reading"]["refused"]


def test_a_conversation_that_outgrows_the_context_says_so(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = served(3000)
    assert diagnose(tmp_path, url, "trainer.max_answer_tokens=512") == 0
    report = json.loads(capsys.readouterr().out)
    assert "the conversation ended without report: the context was full" in report["reading"]["refused"]
    assert all(one["diagnostic"] != "reader" for one in report["findings"])
