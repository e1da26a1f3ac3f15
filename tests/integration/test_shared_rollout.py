"""A campaign whose generations sample once: a later slot stands on the first one's rollout and reproduces alone."""

import shutil
import subprocess
from pathlib import Path

import yaml

from tests.integration.conftest import SETTINGS, Repository


def test_a_slot_takes_the_rollout_of_the_first_and_reproduces_from_its_tag(template: Path, tmp_path: Path) -> None:
    shutil.copytree(template, tmp_path / "main")
    shutil.rmtree(tmp_path / "main" / "scratch")
    repository = Repository(tmp_path / "main")
    repository.run("campaign", "run", "s", *SETTINGS, "search.share_rollout=always")
    stages = {
        version: yaml.safe_load(repository.git("show", f"version/s/{version}:versions/{version}/dvc.lock"))["stages"]
        for version in ("v002", "v003")
    }
    read = {version: {dep["path"] for dep in found["rollout"]["deps"]} for version, found in stages.items()}
    assert "../v002/rollout" in read["v003"] and "../../policies/tiny_math" not in read["v003"]
    assert "../../policies/tiny_math" in read["v002"]
    committed = yaml.safe_load(repository.git("show", "version/s/v003:versions/v002/dvc.lock"))["stages"]["rollout"]
    assert committed == stages["v002"]["rollout"]
    assert "up to date" in repository.dvc(tmp_path / "main" / "campaigns" / "s", "repro", "versions/v003/dvc.yaml")

    subprocess.run(["git", "clone", "--quiet", str(repository.root), str(tmp_path / "clone")], check=True)
    remote = str(repository.root / "storage")
    shown = Repository(tmp_path / "clone").json("reproduce", "s", "v003", "--force", "--remote", remote)
    assert isinstance(shown, dict) and shown["is_reproduced"], shown["difference"]
    assert shown["stages_run"][0] == "rollout"
