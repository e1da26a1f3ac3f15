"""Two campaigns at once in one checkout: each has a Prefect server and a database of its own."""

import sqlite3
from pathlib import Path

from tests.integration.conftest import Repository
from tests.waiting import wait_for

SETTINGS = ["num_versions=1", "search.merge=false"]


def _runs(database: Path) -> set[str]:
    with sqlite3.connect(database) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM flow_run")}


def test_two_campaigns_run_side_by_side(repository: Repository, tmp_path: Path) -> None:
    repository.has_own_server = True
    go, started = tmp_path / "go", tmp_path / "started"
    started.mkdir()
    repository.tell_stages(train={"started": str(started), "until": str(go)})
    flows = {name: repository.start("campaign", "run", name, *SETTINGS) for name in ("one", "two")}
    try:
        wait_for(lambda: len(list(started.iterdir())) == len(flows) or any(flow.poll() for flow in flows.values()))
        go.touch()
        for flow in flows.values():
            out, error = flow.communicate(timeout=600)
            assert flow.returncode == 0, out + error
    finally:
        for flow in flows.values():
            flow.kill()
    for name in flows:
        tags = repository.git("tag", "--list", f"version/{name}/*").split()
        assert tags == [f"version/{name}/v000", f"version/{name}/v001"]
        runs = _runs(repository.campaign(name) / "scratch" / "prefect.db")
        assert name in runs and f"{name}-v001" in runs and not any(run.startswith(_other(name)) for run in runs)


def _other(name: str) -> str:
    return {"one": "two", "two": "one"}[name]
