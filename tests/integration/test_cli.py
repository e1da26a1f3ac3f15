"""Every reading command on a finished campaign, and every mistake as one line."""

import json
import subprocess
import sys

import pytest

from evotrainer.campaign.layout import CampaignFiles
from tests.integration.conftest import Repository


def test_reading_commands_agree(finished: Repository) -> None:
    lineage = finished.json("lineage", "c")
    status = finished.json("campaign", "status", "c")
    rows = finished.json("query", "c", "SELECT version, score FROM versions ORDER BY version")
    assert isinstance(lineage, list) and isinstance(status, dict) and isinstance(rows, list)
    assert [record["spec"]["version"] for record in lineage] == [row["version"] for row in rows]
    assert [record["verdict"]["score"] for record in lineage] == [row["score"] for row in rows]
    assert status["versions"] == len(lineage)
    assert status["incumbent"] == "v000"


READING = [
    ("campaign", "list"),
    ("campaign", "status", "c"),
    ("memory",),
    ("lineage", "c"),
    ("why", "c", "v002"),
    ("diff", "c", "v001", "v002"),
    ("harness", "c"),
    ("certificate", "c"),
    ("config", "algorithm"),
    ("query", "c", "SELECT version, score FROM versions"),
]
SLOW = {"prefect", "torch", "transformers", "scipy", "pandas", "dvc", "hydra", "sympy"}


LOADED = """
import json, sys
from cli.main import app
for command in json.loads(sys.argv[1]):
    try:
        app(command)
    except SystemExit as left:
        assert not left.code, command
    print(json.dumps([command, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""


def test_reading_commands_load_nothing_slow(finished: Repository) -> None:
    command = [sys.executable, "-c", LOADED, json.dumps(READING)]
    done = subprocess.run(command, cwd=finished.root, env=finished.shell(), text=True, capture_output=True, check=True)
    found = [json.loads(line) for line in done.stderr.splitlines()]
    assert len(found) == len(READING) and "typer" in found[0][1]
    assert {" ".join(command): SLOW & set(loaded) for command, loaded in found if SLOW & set(loaded)} == {}


def test_a_query_loads_no_frames(written_campaign: CampaignFiles) -> None:
    request = {"root": str(written_campaign.root), "sql": "SELECT count(*) FROM trajectories", "max_rows": 1}
    limits = {"for_agent": False, "versions": None, "memory_megabytes": 1024, "seconds": 60}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "evotrainer.evidence.query_process"],
        input=json.dumps(request | limits) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["rows"][0][0] > 0
    assert " pandas\n" not in done.stderr and " duckdb\n" in done.stderr


@pytest.mark.slow
def test_garbage_collection_keeps_every_version(finished: Repository) -> None:
    finished.run("campaign", "gc", "c")
    for version in ("v001", "v003"):
        assert "up to date" in finished.dvc(finished.campaign(), "status", f"versions/{version}/dvc.yaml")


def test_dvc_compares_two_versions_by_their_tags(finished: Repository) -> None:
    tags = ("version/c/v001", "version/c/v002")
    scores = [json.loads(finished.git("show", f"{tag}:compared/metrics.json"))["score"] for tag in tags]
    changed = json.loads(finished.dvc(finished.campaign(), "metrics", "diff", *tags, "--json"))
    assert list(changed) == ["compared/metrics.json"]
    assert changed["compared/metrics.json"]["score"] == {
        "old": scores[0],
        "new": scores[1],
        "diff": scores[1] - scores[0],
    }
    for checkout in (finished.campaign(), finished.root):
        out = finished.root.parent / f"plots_of_{checkout.name}"
        finished.dvc(checkout, "plots", "diff", *tags, "--out", str(out))
        page = (out / "index.html").read_text()
        assert all(f'"rev": "{tag}"' in page for tag in tags)
