"""Two campaigns at once in one checkout: each has a Prefect server and a database of its own.

One samples once a generation, the other confirms its recipe on fresh seeds; what these settings do is asked here too.
"""

import sqlite3
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.integration.conftest import SETTINGS, Repository, copy_tree
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

CAMPAIGNS = {
    "shared": [*SETTINGS, "search.share_rollout=always"],
    "seeded": ["num_versions=1", "search.merge=false", "evaluate.recipe_seeds=3"],
}


@pytest.fixture(scope="module")
def pair(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository with both campaigns, run side by side to their end; read it, change nothing."""
    folder = tmp_path_factory.mktemp("pair")
    copy_tree(template, folder / "main")
    repository = Repository(folder / "main", has_own_server=True)
    go, started = folder / "go", folder / "started"
    started.mkdir()
    repository.tell_stages(train={"started": str(started), "until": str(go)})
    flows = {name: repository.start("campaign", "run", name, *settings) for name, settings in CAMPAIGNS.items()}
    try:
        wait_for(lambda: len(list(started.iterdir())) == len(flows) or any(flow.poll() for flow in flows.values()))
        go.touch()
        for flow in flows.values():
            out, error = flow.communicate(timeout=600)
            assert flow.returncode == 0, out + error
    finally:
        for flow in flows.values():
            flow.kill()
    repository.has_own_server = False
    return repository


def _runs(database: Path) -> set[str]:
    with sqlite3.connect(database) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM flow_run")}


@pytest.mark.parametrize(("name", "other", "num_versions"), [("shared", "seeded", 3), ("seeded", "shared", 1)])
def test_two_campaigns_run_side_by_side(pair: Repository, name: str, other: str, num_versions: int) -> None:
    tags = pair.git("tag", "--list", f"version/{name}/*").split()
    assert tags == [f"version/{name}/v00{number}" for number in range(num_versions + 1)]
    runs = _runs(pair.campaign(name) / "scratch" / "prefect" / "prefect.db")
    assert name in runs and f"{name}-v001" in runs and not any(run.startswith(other) for run in runs)


def test_a_version_takes_the_rollout_of_the_first_and_reproduces_from_its_tag(pair: Repository, tmp_path: Path) -> None:
    stages = {
        version: yaml.safe_load(pair.git("show", f"version/shared/{version}:versions/{version}/dvc.lock"))["stages"]
        for version in ("v001", "v002", "v003")
    }
    read = {version: {dep["path"] for dep in found["rollout"]["deps"]} for version, found in stages.items()}
    for version in ("v002", "v003"):  # one of an earlier generation, on the same incumbent
        assert "../v001/rollout" in read[version] and "../../policies/tiny_math" not in read[version]
    assert "../../policies/tiny_math" in read["v001"]
    committed = yaml.safe_load(pair.git("show", "version/shared/v003:versions/v001/dvc.lock"))["stages"]["rollout"]
    assert committed == stages["v001"]["rollout"]
    assert "up to date" in pair.dvc(pair.campaign("shared"), "repro", "versions/v003/dvc.yaml")

    subprocess.run(["git", "clone", "--quiet", str(pair.root), str(tmp_path / "clone")], check=True)
    remote = str(pair.root / "storage")
    shown = Repository(tmp_path / "clone").json("reproduce", "shared", "v003", "--force", "--remote", remote)
    assert isinstance(shown, dict) and shown["is_reproduced"], shown["difference"]
    assert shown["stages_run"][0] == "rollout"


def test_a_version_is_confirmed_before_it_is_closed_where_seeds_are_asked_for(pair: Repository) -> None:
    versions = pair.campaign("seeded") / "versions"
    locks = {name: (versions / name / "dvc.lock").read_text() for name in ("v000", "v001")}
    assert "confirm:" in locks["v001"] and "confirm:" not in locks["v000"], "the base policy has no recipe"
    closed = pair.git("show", "--name-only", "--format=", "version/seeded/v001").split()
    assert "versions/v001/confirmation.json" in closed
    shown = pair.json("lineage", "seeded")
    assert isinstance(shown, list) and shown[1]["confirmation"]["reasons"] == ["small"]
    assert "Running stage" not in pair.dvc(pair.campaign("seeded"), "repro", "versions/v001/dvc.yaml")
