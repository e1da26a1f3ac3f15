"""What goes to the remote with a version: a campaign that is pushed again, to a new remote, lacks nothing there."""

from pathlib import Path

from flows.workspace.finish_version import push_targets
from flows.workspace.worktree import Workspace


def test_the_certificate_goes_with_all_versions(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, "demo")
    for name in ("data.dvc", "dvc.yaml", "certificate/dvc.yaml", "imported/policy.dvc"):
        path = workspace.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert push_targets(workspace, ["v003"]) == ["versions/v003/dvc.yaml"]
    shared = ["data.dvc", "dvc.yaml", "imported/policy.dvc", "certificate/dvc.yaml"]
    assert push_targets(workspace, ["v000"]) == ["versions/v000/dvc.yaml", *shared]
    (workspace.root / "certificate/dvc.yaml").unlink()
    assert "certificate/dvc.yaml" not in push_targets(workspace, ["v000", "v001"])
