"""infra/ passes the linters of its file kinds, and what it names exists in this repository."""

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.domains.frozen import policy_names
from flows.serving.server import QUIET
from tasks.plan.pipeline import version_stages
from tests.plain_records import version_spec

pytestmark = pytest.mark.parts


INFRA = Path(__file__).resolve().parents[2] / "infra"
BIN = Path(sys.executable).parent
SCRIPTS = sorted([*INFRA.rglob("*.sh"), *INFRA.rglob("*.sbatch")])
DOCKERFILES = sorted(INFRA.rglob("*.Dockerfile"))
MANIFESTS = sorted(path for path in (INFRA / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command",
    [
        ["hadolint", *DOCKERFILES],
        ["shellcheck", *SCRIPTS],
        ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", INFRA / "compose.yaml"],
        ["kubernetes-validate", "--strict", *MANIFESTS],
    ],
    ids=lambda command: str(command[0]),
)
def test_linter_finds_nothing(command: list[str | Path]) -> None:
    done = run(BIN / str(command[0]), *command[1:])
    assert done.returncode == 0, done.stdout + done.stderr


def deployments() -> list[dict[str, Any]]:
    return yaml.safe_load((INFRA / "prefect" / "prefect.yaml").read_text())["deployments"]


@pytest.mark.parametrize("deployment", deployments(), ids=lambda deployment: deployment["name"])
def test_deployment_names_a_flow_that_takes_its_parameters_and_sends_heartbeats(deployment: dict[str, Any]) -> None:
    file, name = deployment["entrypoint"].split(":")
    flow = getattr(importlib.import_module(file.removesuffix(".py").replace("/", ".")), name)
    known = flow.parameters.properties
    assert set(deployment.get("parameters", {})) <= set(known)
    assert deployment["work_pool"]["job_variables"]["env"] == {
        "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": QUIET["PREFECT_FLOWS_HEARTBEAT_FREQUENCY"]
    }


def test_prefect_file_is_for_the_locked_version() -> None:
    locked = re.search(r"^prefect==(\S+)$", (INFRA.parent / "requirements.lock").read_text(), re.MULTILINE)
    named = yaml.safe_load((INFRA / "prefect" / "prefect.yaml").read_text())["prefect-version"]
    assert locked is not None and named == locked[1]


def test_images_and_volumes_of_the_manifests_are_declared() -> None:
    kustomization = yaml.safe_load((INFRA / "kubernetes" / "kustomization.yaml").read_text())
    assert sorted(kustomization["resources"]) == [path.name for path in MANIFESTS]
    documents = [document for path in MANIFESTS for document in yaml.safe_load_all(path.read_text())]
    claims = {item["metadata"]["name"] for item in documents if item["kind"] == "PersistentVolumeClaim"}
    used = set(re.findall(r"claimName: (\w+)", "".join(path.read_text() for path in MANIFESTS)))
    assert used == claims
    images = set(re.findall(r"image: (evotrainer-\w+)", "".join(path.read_text() for path in MANIFESTS)))
    assert images == {item["name"] for item in kustomization["images"]}


def test_compose_builds_images_that_exist_and_keeps_the_worker_inside() -> None:
    services = yaml.safe_load((INFRA / "compose.yaml").read_text())
    for service in services["services"].values():
        if "build" in service:
            context = INFRA / service["build"]["context"]
            assert (context / service["build"]["dockerfile"]).is_file()
    assert services["networks"]["inside"] == {"internal": True}
    assert all(services["services"][name]["networks"] == ["inside"] for name in ("worker", "vllm", "storage"))


def test_remote_becomes_the_default_of_a_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "infra").mkdir(parents=True)
    (checkout / "infra" / "remote.sh").write_bytes((INFRA / "remote.sh").read_bytes())
    for command in (["git", "init", "-q"], [sys.executable, "-m", "dvc", "init", "-q"]):
        subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    environment = {"PYTHON": sys.executable, "PATH": "/usr/bin:/bin"}
    call = ["bash", str(checkout / "infra" / "remote.sh"), str(tmp_path / "shared")]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path / "shared") in (checkout / ".dvc" / "config.local").read_text()
    missing = subprocess.run([*call[:2], "s3://bucket/x"], env=environment, capture_output=True, text=True, check=False)
    assert missing.returncode == 1 and "pip install -e '.[s3]'" in missing.stderr


ROOT = Path(__file__).resolve().parents[2]
STAGE = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]["base_policy"]


def test_every_embedded_policy_has_a_stage_whose_dependencies_exist():
    assert sorted(STAGE["foreach"]) == policy_names()
    for policy in STAGE["foreach"]:
        paths = [dep.replace("${item}", policy) for dep in STAGE["do"]["deps"]]
        assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_code_that_a_versions_stages_depend_on_exists():
    spec = version_spec("v001", "baseline")
    for stage in version_stages(CampaignFiles(ROOT), Config(), spec, []):
        code = [dep for dep in stage.as_dvc("v001", ".")["deps"] if dep.startswith("./")]
        assert code
        assert [path for path in code if not (ROOT / path).exists()] == []
