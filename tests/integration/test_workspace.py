"""A campaign's checkout: names, snapshots, space, what is taken in from outside, and the DVC settings it gets."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from transformers import LlamaConfig, LlamaForCausalLM

from conf.compose import load_campaign
from evotrainer.diagnosis.harness import Harness
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines.codec import read_tokenizer
from evotrainer.errors import ConfigError, EvoTrainerError, LineageError, PolicyError
from flows.workspace.git import commit, git, snapshot
from flows.workspace.own_files import OWN_CHECKS
from flows.workspace.start_campaign import fill_in, known_settings, start_campaign
from flows.workspace.storage import check_free_space, connect, default_remote, read_settings
from flows.workspace.worktree import Workspace, campaign_names, check_name, delete, find_campaign
from tasks.plan.pipeline import Stage, write_pipeline
from tests.chat_templates import write_tokenizer
from tests.integration.conftest import Repository, create


@pytest.mark.parametrize("name", ["", "A", "a b", "../x", "-x", "a" * 65, "a/b", "a."])
def test_name_that_is_no_folder_or_branch_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="cannot name a campaign"):
        check_name(name)


def test_snapshot_holds_staged_and_edited_files_and_touches_no_index(repository: Repository) -> None:
    root = repository.root
    (root / "added.txt").write_text("new\n")
    repository.git("add", "added.txt")
    (root / "README").write_text("not tracked\n")
    (root / "harness_plugins" / "own.py").write_text("own = 1\n")
    (root / "conf" / "config.yaml").unlink()
    index, head = (root / ".git" / "index").read_bytes(), repository.git("rev-parse", "HEAD").strip()
    made, changed = snapshot(root, "as it is")
    assert changed == ["added.txt", "conf/config.yaml", "harness_plugins/own.py"]
    assert (root / ".git" / "index").read_bytes() == index
    assert git(root, "rev-parse", "HEAD") == head == git(root, "rev-parse", f"{made}^")
    names = git(root, "ls-tree", "-r", "--name-only", made).splitlines()
    assert "added.txt" in names and "conf/config.yaml" not in names and "README" not in names


def test_snapshot_of_a_clean_checkout_is_its_commit(repository: Repository) -> None:
    assert snapshot(repository.root, "x") == (repository.git("rev-parse", "HEAD").strip(), [])


def test_an_unknown_name_without_settings_asks_for_them(repository: Repository) -> None:
    create(repository.root, "night")
    with pytest.raises(LineageError, match="no campaign 'nigth': did you mean night\\? to start one, give settings"):
        known_settings(repository.root, "nigth")
    assert known_settings(repository.root, "night") == []


def test_repository_without_commit_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    with pytest.raises(LineageError, match="has no commit yet"):
        create(tmp_path, "c")


def test_a_name_whose_tags_came_with_a_clone_is_refused_until_its_branch_is_there(
    repository: Repository, tmp_path: Path
) -> None:
    workspace = create(repository.root, "night")
    for version in ("v000", "v001"):
        repository.git("tag", workspace.tag(version))
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(repository.root), str(clone))
    with pytest.raises(
        LineageError, match="v000 to v001 of a campaign 'night' are tagged here.*git fetch origin"
    ) as told:
        create(clone, "night")
    assert git(clone, "branch", "--list", "campaign/*") == ""
    git(clone, *str(told.value).partition("git ")[2].split())
    assert find_campaign(clone, "night").closed_versions() == ["v000", "v001"]


def test_full_disk_is_noticed_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(LineageError, match="free some space"):
        check_free_space(tmp_path / "new" / "folder", min_bytes=10**18)


def test_cache_and_remote_are_those_of_the_main_checkout(repository: Repository) -> None:
    workspace = create(repository.root, "c")
    settings = read_settings(workspace.root)
    assert settings["cache"]["dir"] == str(repository.root / ".dvc" / "cache")
    assert default_remote(workspace.root) == str(repository.root / "storage")
    connect(workspace.root, repository.root, remote="s3://bucket/path")
    assert default_remote(workspace.root) == "s3://bucket/path"
    assert repository.git("status", "--porcelain") == ""


def test_a_worker_that_starts_while_a_campaign_is_opened_finds_the_shared_cache(repository: Repository) -> None:
    workspace = create(repository.root, "c")
    settings = workspace.root / ".dvc" / "config.local"
    whole, found = settings.read_text(), set()
    with ThreadPoolExecutor() as pool:
        opening = pool.submit(lambda: [find_campaign(repository.root, "c") for _ in range(20)])
        while not opening.done():
            found.add(settings.read_text() if settings.is_file() else "none")
        assert len(opening.result()) == 20
    assert found == {whole}


def test_locks_of_a_dead_git_are_removed_and_a_live_one_is_named(
    repository: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = create(repository.root, "c")
    repository.git("tag", workspace.tag("v000"), workspace.branch)
    repository.git("pack-refs", "--all")
    folder = repository.root / ".git"
    stale = [folder / name for name in ("config.lock", "packed-refs.lock", f"refs/tags/{workspace.tag('v000')}.lock")]
    for lock in stale:
        lock.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
    delete(workspace)
    git(repository.root, "config", "any.key", "value")
    assert campaign_names(repository.root) == [] and workspace.closed_versions() == []
    told = capsys.readouterr().err
    assert all(f"removed {lock}, which a killed git had left" in told and not lock.exists() for lock in stale)

    monkeypatch.setattr("flows.workspace.git.MAX_WAIT_SECONDS", 0.1)
    workspace = create(repository.root, "d")
    lock = folder / "worktrees" / "d" / "index.lock"
    lock.touch()
    (workspace.root / "new").touch()
    with subprocess.Popen(["git", "hash-object", "--stdin"], cwd=workspace.root, stdin=subprocess.PIPE) as live:
        with pytest.raises(LineageError, match=rf"hash-object --stdin` \(pid {live.pid}\) works in .*: wait until it"):
            commit(workspace.root, "message", ["new"])
        live.communicate(b"")
    assert lock.exists()
    commit(workspace.root, "message", ["new"])
    assert not lock.exists()


def test_outputs_that_dvc_keeps_are_never_committed(repository: Repository) -> None:
    workspace = create(repository.root, "c")
    own = workspace.files.version("v001")
    stages = [Stage("train", [], cached=["model"], kept=["training.json"], recorded=["judge/train.jsonl"])]
    write_pipeline(own.root / "dvc.yaml", stages, "v001", "../..", "versions/v001/dvc.yaml")
    assert (own.root / ".gitignore").read_text() == "/model\n", "before a stage runs"
    (own.root / ".gitignore").write_text("/mo")
    own.model.mkdir()
    for path in (own.model / "weights", own.training_summary.path):
        path.write_text("x")
    commit(workspace.root, "closed", ["versions/v001"])
    held = git(workspace.root, "ls-tree", "-r", "--name-only", "HEAD", "versions").splitlines()
    assert held == [f"versions/v001/{name}" for name in (".gitignore", "dvc.yaml", "training.json")]


def test_half_written_lock_table_is_dropped(repository: Repository) -> None:
    workspace = create(repository.root, "c")
    table = workspace.root / ".dvc" / "tmp" / "rwlock"
    table.parent.mkdir(exist_ok=True)
    table.write_text('{"write": {"/a')
    connect(workspace.root, repository.root)
    assert not table.exists()
    table.write_text(json.dumps({"read": {}}))
    connect(workspace.root, repository.root)
    assert table.exists()


def test_worktree_removed_by_hand_comes_back_and_delete_leaves_nothing(repository: Repository) -> None:
    workspace = create(repository.root, "c")
    repository.git("tag", workspace.tag("v000"), workspace.branch)
    repository.git("worktree", "remove", "--force", str(workspace.root))
    assert (find_campaign(repository.root, "c").root / ".dvc" / "config").is_file()
    delete(workspace)
    assert campaign_names(repository.root) == [] and not workspace.root.exists()
    assert repository.git("for-each-ref", "refs/tags") == ""


def check_refused(repository: Repository, settings: Sequence[str], kind: type[Exception], reason: str) -> None:
    """Check that a campaign with these settings is refused and leaves nothing."""
    with pytest.raises(kind, match=reason):
        start_campaign(repository.root, "c", settings, require_clean=False)
    assert campaign_names(repository.root) == [] and not Workspace(repository.root, "c").exists()


def write_policy(path: Path, *form: str) -> Path:
    """Write a policy of random weights with this form of tool calls."""
    vocabulary = read_tokenizer(write_tokenizer(path, *form)).get_vocab(with_added_tokens=True)
    shape = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = LlamaConfig(vocab_size=1 + max(vocabulary.values()), max_position_embeddings=8192, **shape)
    LlamaForCausalLM(config).save_pretrained(path)
    return path


def test_own_problems_and_policy_are_copied_into_the_campaign(repository: Repository, tmp_path: Path) -> None:
    rows = [{"id": str(n), "problem": f"{n}+{n * n}=", "answer": str(n + n * n)} for n in range(60)]
    (tmp_path / "own.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    write_policy(tmp_path / "policy", "mistral")
    shutil.copy(tmp_path / "own.jsonl", tmp_path / "audited.jsonl")
    settings = [f"domain.data_path={tmp_path / 'own.jsonl'}", f"policy.path={tmp_path / 'policy'}"]
    settings += [f"domain.audit_path={tmp_path / 'audited.jsonl'}"]
    check_refused(repository, settings, PolicyError, "not started, since training would have nothing to learn from")
    workspace = start_campaign(repository.root, "c", settings, require_clean=False, confirm=lambda: True)
    config = load_campaign(workspace.files)
    assert (config.domain.data_path, config.policy.path) == ("imported/problems", "imported/policy")
    copied = [path.read_text().splitlines() for path in (workspace.root / "imported" / "problems").iterdir()]
    assert sorted(map(json.loads, sum(copied, [])), key=lambda row: int(row["id"])) == rows
    assert (workspace.root / "imported" / "policy" / "config.json").is_file()
    assert config.domain.audit_path == "imported/audit/audited.jsonl"
    assert (workspace.root / config.domain.audit_path).is_file()


def test_a_public_set_is_copied_as_plain_rows_of_wanted_names(repository: Repository, tmp_path: Path) -> None:
    folder = tmp_path / "public"
    folder.mkdir()
    rows = [{"q": f"What is {n} times {n + 3}?", "gold": {"value": n * (n + 3)}} for n in range(60)]
    pq.write_table(pa.Table.from_pylist(rows), folder / "train-00000-of-00001.parquet")
    settings = [f"domain.data_path={folder}", "domain.columns={question: q, answer: gold.value}"]
    workspace = start_campaign(repository.root, "c", settings, require_clean=False)
    config = load_campaign(workspace.files)
    assert (config.domain.data_path, config.domain.columns) == ("imported/problems", {})
    assert {problem.answer for problem in load_problems(workspace.root, config.domain, "train")} <= {
        str(row["gold"]["value"]) for row in rows
    }


def test_the_format_of_tool_calls_is_fixed_when_a_campaign_starts(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = write_policy(tmp_path / "policy", "mistral")
    settings = ["domain=swe", f"policy.path={policy}", "algorithm.learning_rate=1e-6"]
    workspace = start_campaign(repository.root, "c", settings, require_clean=False, confirm=lambda: True)
    assert load_campaign(workspace.files).policy.tool_call_format == "mistral"
    assert "tool calls: mistral, read from the chat template" in capsys.readouterr().err


def test_a_policy_without_tools_is_refused_for_swe_before_anything_is_written(repository: Repository, tmp_path: Path):
    plain = "{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}"
    policy = write_policy(tmp_path / "policy", "hermes", plain)
    settings = ["domain=swe", f"policy.path={policy}"]
    check_refused(repository, settings, PolicyError, "writes no tool calls in a known format")


SUM = '{"id": "%s", "problem": "12+30=?", "answer": "42"}\n'


@pytest.mark.parametrize(
    ("splits", "reason"),
    [
        ({}, "does not exist"),
        (
            {"train": '{"id": "1", "problem": "1+1=", "answer": "2"}\n{"id": "2", "problem": \n'},
            "train.jsonl:2: the row",
        ),
        (
            {split: SUM % split for split in ("train", "validation")},
            "1 pairs of problems cross splits: train .train. and validation",
        ),
    ],
)
def test_own_problems_that_do_not_serve_are_refused_before_anything_is_written(
    repository: Repository, tmp_path: Path, splits: dict[str, str], reason: str
) -> None:
    for split, text in splits.items():
        (tmp_path / "own").mkdir(exist_ok=True)
        (tmp_path / "own" / f"{split}.jsonl").write_text(text)
    check_refused(repository, [f"domain.data_path={tmp_path / 'own'}"], EvoTrainerError, reason)


@pytest.mark.parametrize(
    ("source", "settings", "reason"),
    [
        ("", ["harness.plugins=[nowhere]"], "names 'nowhere', which is no folder .* choose from behaviour"),
        ("import nothing_of_that_name\n", [], "mine.py does not import: ModuleNotFoundError"),
        ("", [], "mine.py has no diagnostic"),
    ],
)
def test_diagnostics_that_do_not_load_are_refused_before_anything_is_written(repository, source, settings, reason):
    (repository.root / "harness_plugins" / "score" / "mine.py").write_text(source)
    check_refused(repository, settings, ConfigError, reason)


def test_checks_of_a_persons_own_are_kept_by_the_campaign_and_loaded(repository: Repository, tmp_path: Path) -> None:
    checks = tmp_path / "mine.yaml"
    checks.write_text("excuses: {shows: \"response ILIKE '%as an AI%'\", mode: judge_hacking}\n")
    workspace = start_campaign(repository.root, "checked", [f"harness.checks=[{checks}]"], require_clean=False)
    harness = load_campaign(workspace.files).harness
    assert harness.checks == [] and harness.plugins[-1] == OWN_CHECKS
    kept = f"harness_plugins/{OWN_CHECKS}/mine.yaml"
    assert kept in git(workspace.root, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert Harness(workspace.root / "harness_plugins", harness).version
    for text, reason in (("x: {}", "write `shows`"), ("x: {shows: '1; DROP'}", "x")):
        checks.write_text(text)
        with pytest.raises(ConfigError, match=reason):
            start_campaign(repository.root, "other", [f"harness.checks=[{checks}]"], require_clean=False)
    with pytest.raises(ConfigError, match="which is no file"):
        start_campaign(repository.root, "other", ["harness.checks=[nowhere.yaml]"], require_clean=False)
    assert campaign_names(repository.root) == ["checked"]


def test_every_night_of_a_schedule_has_a_seed_of_its_own_that_is_frozen(repository: Repository) -> None:
    def start(day: int, settings: Sequence[str] = ()) -> tuple[str, int]:
        filled = fill_in("night-%Y%m%d", settings, datetime(2030, 5, day, 22))
        workspace = start_campaign(repository.root, *filled, require_clean=False)
        return workspace.name, load_campaign(workspace.files).seed

    (one, first), (two, second) = start(1), start(2)
    assert (one, two) == ("night-20300501", "night-20300502")
    assert len({0, first, second}) == 3
    assert start(1) == (one, first), "the same night goes on under its seed"
    assert start(3, ["seed=7"]) == ("night-20300503", 7)


def test_a_campaign_that_a_person_names_keeps_the_seed_of_its_settings() -> None:
    assert fill_in("swe1", ["num_versions=2"], datetime(2030, 5, 1)) == ("swe1", ["num_versions=2"])
