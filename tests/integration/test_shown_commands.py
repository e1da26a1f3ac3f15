"""Commands that the documentation shows run on a finished campaign; those that cannot are named with the reason."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.core import TyperGroup

from evotrainer.records import Problem
from tests.integration.conftest import ROOT, Repository
from tests.shown_commands import Shown, is_named_alone, named, parsed, shown_commands

pytestmark = pytest.mark.slow

NOT_RUN = {
    "campaign run": "trains; tests/unit/test_docs.py composes its settings",
    "campaign push NAME --git": "needs a remote of git; without one: tests/integration/test_flows_reproduce.py",
    "reproduce": "trains again: tests/integration/test_flows_reproduce.py",
    "script": "trains for a minute: tests/unit/test_script_task.py",
    "campaign schedule": "needs a server: tests/integration/test_serve.py",
    "serve": "runs until it is stopped: tests/integration/test_serve.py",
    "follow": "runs until the run ends: tests/unit/test_follow.py",
    "mcp": "runs until it is stopped: tests/unit/test_mcp.py",
    "view": "runs until it is stopped: tests/unit/test_view.py",
    "gate NAME v003 approve": "needs a version that waits: tests/integration/test_flows_gates.py",
    "gate NAME v003 revise": "needs a version that waits: tests/integration/test_flows_gates.py",
    "intervention check conf/intervention/brief_answers.yaml --on": "needs a rollout: tests/unit/test_docs.py",
    "diagnose --reader": "needs a model: tests/integration/test_diagnose_reader.py",
    "diagnose --trajectories rollouts.jsonl --checks my_checks.yaml --set": (
        "needs a model: tests/integration/test_diagnose_chat.py"
    ),
    "compare policies/base": "needs two policies: tests/unit/test_compare.py",
    "campaign stop": "needs a campaign that runs: tests/integration/test_flows_faults.py",
    "policy fetch": "downloads: tests/integration/test_real_model.py",
    "policy sft": "trains: tests/learning/test_warm_up.py",
    "campaign check NAME preset=smollm2": "needs the policy that these two make",
    "data export evotrainer.domains.verifiers:wordle": "needs the package verifiers and its hub",
    "campaign check NAME engine=openrlhf": "needs an environment with OpenRLHF: `make test-openrlhf`",
}
"""Commands, by how they begin, that are parsed alone. Benchmarks and targets of make take minutes and more."""
NEW = "campaign check"
"""It names a campaign that is not there yet."""
IMPORTED = "parameter_golf"
FOLDER = "scratch/shown"
"""Where commands are typed, below the checkout."""


def is_run(shown: Shown) -> bool:
    """Whether a command can be typed here as it stands."""
    if shown.program != "evotrainer" or isinstance(named(shown)[0], TyperGroup) or is_named_alone(shown):
        return False
    line = " ".join("NAME" if word == parsed(shown).params.get("name") else word for word in shown.arguments)
    return not any(line == start or line.startswith((f"{start} ", f"{start}.")) for start in NOT_RUN)


def typed(shown: Shown) -> tuple[str, ...]:
    """Return the words of a command, with the finished campaign and files that exist in place of names."""
    values = parsed(shown).params
    file = f"{values['domain']}.jsonl" if "domain" in values else "docs/examples/trajectories.jsonl"
    meant = {"FILE": file, "PATH": "rollouts", "FILE.tsv": f"{IMPORTED}.tsv", "OTHER": "other.jsonl"}
    campaigns = {values.get("name"), *(values.get("names") or [])} - {IMPORTED}
    place = f"{IMPORTED}.tsv" if shown.arguments[0] == "trials" else "c"  # lineages of trials are no campaigns
    meant |= {"NAME": "new"} if " ".join(shown.arguments).startswith(NEW) else dict.fromkeys(campaigns, place)
    words = [meant.get(word, word) for word in shown.arguments]
    if "domain.system_prompt=End with <answer>NUMBER</answer>." in words:  # the test's policy knows digits alone
        words[-1] = "domain.data_path=problems.jsonl"
    words = [re.sub(r"=(models/my-policy|problems\.jsonl)$", rf"={FOLDER}/\1", word) for word in words]
    return tuple(re.sub(r"^v00[4-9]$", "v003", word) for word in words)


RUN = sorted({typed(shown) for shown in shown_commands() if is_run(shown)})


def lay_out(folder: Path, data: Path, policy: Path, problems: Sequence[Problem]) -> None:
    """Write the files that the documentation names beside a person's own."""
    folder.mkdir(parents=True)
    for name in ("docs", "conf"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "models").mkdir()
    shutil.copytree(policy, folder / "models" / "my-policy")
    for domain, count in (("math", 60), ("code", 3), ("swe", 60)):
        rows = (data / domain / "train.jsonl").read_text().splitlines()[:count]
        (folder / f"{domain}.jsonl").write_text("\n".join(rows) + "\n")
    own = [{"id": one.problem_id, "problem": one.prompt, "answer": one.answer} for one in problems]
    (folder / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in own))
    shutil.copy(data / "math" / "test.jsonl", folder / "other.jsonl")
    (folder / "rollouts").mkdir()
    shutil.copy(ROOT / "docs/examples/trajectories.jsonl", folder / "rollouts")
    rollouts = (folder / "rollouts" / "trajectories.jsonl").read_text().splitlines(keepends=True)
    for step in (0, 1):
        (folder / "rollouts" / f"step_{step}").mkdir()
        (folder / "rollouts" / f"step_{step}" / "train_rollouts.jsonl").write_text("".join(rollouts[step::2]))
        (folder / ("old.jsonl", "new.jsonl")[step]).write_text("".join(rollouts[step::2]))
    shutil.copy(ROOT / "tests/golden/foreign_dumps/verifiers_traces.jsonl", folder / "results.jsonl")
    shutil.copy(ROOT / "tests/golden/trials.tsv", folder / f"{IMPORTED}.tsv")
    (check,) = re.findall(r"```yaml\n(empty_steps:.*?)```", (ROOT / "docs/harness.md").read_text(), re.DOTALL)
    assert (ROOT / "docs/examples/checks.yaml").read_text().endswith(check)
    shown = {"checks.yaml": "my_checks.yaml", "columns.yaml": "columns.yaml", "renamed.jsonl": "mine.jsonl"}
    for example, name in shown.items():
        shutil.copy(ROOT / "docs/examples" / example, folder / name)
    (folder / "problems").mkdir()
    problems = map(json.loads, (folder / "problems.jsonl").read_text().splitlines())
    asked = [{"q": row["problem"], "gold": {"value": row["answer"]}} for row in problems]
    (folder / "gsm8k").mkdir()
    pq.write_table(pa.Table.from_pylist(asked), folder / "gsm8k" / "train-00000-of-00001.parquet")


@pytest.fixture(scope="module")
def results(
    finished: Repository, digit_policy: Path, digit_problems: list[Problem]
) -> dict[tuple[str, ...], dict[str, object]]:
    """What each command printed, all typed in one process in a folder of the finished checkout."""
    folder = finished.root / FOLDER
    lay_out(folder, finished.root / "data", digit_policy, digit_problems)
    done = subprocess.run(
        [sys.executable, "-m", "tests.integration.typed"],
        cwd=folder,
        env=finished.shell() | {"PYTHONPATH": str(ROOT), "BROWSER": "true"},
        input=json.dumps(RUN),
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(RUN, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("words", RUN, ids=" ".join)
def test_a_shown_command_runs(results: dict[tuple[str, ...], dict[str, object]], words: tuple[str, ...]) -> None:
    assert results[words]["status"] == 0, results[words]["out"]
    assert results[words]["out"]
