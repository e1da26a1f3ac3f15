"""A finished campaign: what it leaves in git and DVC, and what it leaves alone."""

import json
import shutil

from tasks.running.stage_process import NEEDED
from tests.integration.conftest import SECRETS, SETTINGS, STAGES, Repository


def test_each_version_is_one_commit_with_its_tag(finished: Repository) -> None:
    tags = finished.git("tag", "--list", "version/c/*").split()
    assert tags == [f"version/c/v00{number}" for number in range(4)]
    for tag in tags:
        version = tag.rpartition("/")[2]
        changed = finished.git("show", "--name-only", "--format=", tag).split()
        assert f"versions/{version}/verdict.json" in changed
        places = (f"versions/{version}/", f"conf/intervention/{version}.yaml", "compared/")
        assert all(path.startswith(places) for path in changed)


def test_the_branch_ends_with_the_metrics_of_the_certified_version(finished: Repository) -> None:
    certificate = json.loads(finished.git("show", "campaign/c:certificate/certificate.json"))
    own = finished.git("show", f"campaign/c:versions/{certificate['incumbent']}/metrics.json")
    assert finished.git("show", "campaign/c:compared/metrics.json") == own


def test_main_checkout_is_untouched_and_the_worktree_clean(finished: Repository) -> None:
    assert finished.git("status", "--porcelain") == ""
    assert finished.git("branch", "--show-current").strip() == "main"
    assert finished.git("rev-list", "--count", "main").strip() == "1"
    assert Repository(finished.campaign()).git("status", "--porcelain") == ""


def test_a_stage_sees_the_secrets_that_it_needs_and_no_other(finished: Repository) -> None:
    seen = {path.name: set(path.read_text().split()) for path in (finished.root.parent / "seen").iterdir()}
    assert set(STAGES) - {"confirm"} <= set(seen)
    for stage, names in seen.items():
        assert names & set(SECRETS) == NEEDED.get(stage, frozenset()) & set(SECRETS), stage
        assert "PATH" in names


def test_slots_of_a_generation_share_parents_and_evidence(finished: Repository) -> None:
    versions = finished.campaign() / "versions"
    specs = [json.loads((versions / name / "spec.json").read_text()) for name in ("v002", "v003")]
    assert [spec["slot"] for spec in specs] == [0, 1]
    assert specs[0]["generation"] == specs[1]["generation"]
    assert (versions / "v002" / "inputs" / "lineage.json").read_bytes() == (
        versions / "v003" / "inputs" / "lineage.json"
    ).read_bytes()


def test_hand_typed_repro_is_a_no_op_for_every_version(finished: Repository) -> None:
    for version in ("v000", "v001", "v003"):
        shown = finished.dvc(finished.campaign(), "repro", f"versions/{version}/dvc.yaml")
        assert "Running stage" not in shown
        assert "up to date" in shown


def test_same_command_again_changes_nothing(finished: Repository) -> None:
    before = finished.git("rev-parse", "campaign/c")
    certificate = finished.campaign() / "certificate"
    stored = (certificate / "certificate.json").read_bytes()
    shutil.rmtree(certificate)  # the sealed split is read once, whatever became of what it said
    again = finished.run("campaign", "run", "c", *SETTINGS)
    assert finished.git("rev-parse", "campaign/c") == before
    assert "versions: 4" in again.stdout
    assert "the sealed split was read before" in again.stdout + again.stderr
    assert (certificate / "certificate.json").read_bytes() == stored
    assert (certificate / "test" / "rows.txt").is_file()


def test_costs_of_every_stage_are_noted(finished: Repository) -> None:
    costs = finished.campaign() / "versions" / "v002" / "costs"
    of_a_version = {"plan", "rollout", "diagnose", "propose", "backtest", "train", "evaluate"}
    assert {path.stem for path in costs.glob("*.json")} == of_a_version
    for stage in ("train", "plan"):
        noted = json.loads((costs / f"{stage}.json").read_text())
        assert noted.keys() >= {"seconds", "cpu_seconds", "peak_memory_megabytes"} and noted["cpu_seconds"] > 0
    sealed = finished.campaign() / "certificate" / "costs"
    assert {path.stem for path in sealed.glob("*.json")} == {"plan", "certify"}
