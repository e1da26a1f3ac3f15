"""What a policy may try with git: options that run programs, files that configure it, floods, searches without end."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.swe.checkout import git_command as command
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.working_copy import Answer, WorkingCopy
from evotrainer.domains.swe.tools import Tools
from evotrainer.errors import GraderError, SandboxError
from evotrainer.records import Message, Problem, ToolCall
from evotrainer.sandbox import Program, Sandbox, sandbox
from evotrainer.sandbox.sandbox import BACKENDS, shared_sandbox
from tests.repositories_on_disk import commit, git
from tests.swe_problems import calc_problem

LONG = "a" * 200_000


@pytest.fixture(params=BACKENDS)
def walls(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """Git runs behind one backend, and the sandbox still works afterwards."""
    try:
        started = Sandbox(request.param, own_modules=[command._INSIDE]).__enter__()
    except SandboxError as error:
        pytest.skip(str(error))
    command.run_command.cache_clear()
    with ExitStack() as opened:
        opened.push(started)

        def of_this_kind(readable_paths: tuple[str, ...], own_modules: tuple[str, ...]) -> Sandbox:
            wanted = Sandbox(request.param, readable_paths=readable_paths, own_modules=own_modules)
            return opened.enter_context(wanted) if readable_paths else started

        monkeypatch.setattr(command, "shared_sandbox", of_this_kind)
        yield started
        assert started.run(Program("print(6 * 7)")).stdout == "42\n"


def copy_of(files: dict[str, str] | None = None, **more: object) -> WorkingCopy:
    if files is None:
        return WorkingCopy(open_repository(calc_problem(), sanitize=True))
    data = {"files": files, "history": [{"message": "All", "changes": files}], **more}
    problem = Problem(problem_id="p", domain="swe", family="f", split="train", prompt="p", answer="", data=data)
    return WorkingCopy(open_repository(problem, sanitize=True))


@pytest.mark.parametrize(
    "line",
    [
        "-c core.pager=sh log",
        "-C / log",
        "--git-dir=/tmp log",
        "--exec-path=. status",
        "--work-tree=/ status",
        "log --output=calc.py",
        "log --ext-diff -p",
        "diff --textconv",
        "diff --no-index calc.py texts.py",
        "diff /etc/passwd calc.py",
        "diff -- ../x calc.py",
        "grep -Osh add",
        "grep --open-files-in-pager=sh add",
        "grep -f calc.py",
        "grep --no-index add",
        "show --show-signature",
        "cat-file --batch --buffer",
        "cat-file --filters HEAD:calc.py",
        "stash push -p",
        "stash -p",
        "stash create",
        "stash branch x",
        "reflog expire --expire=now --all",
        "reflog delete HEAD@{0}",
        "tag v1",
        "commit -F /etc/passwd",
        "commit --amend -m x",
        "checkout --recurse-submodules main",
        "fetch file:///tmp/x",
        "fetch ssh://example.org/x",
        "clone ext::sh%20-c%20id",
        "push origin main",
        "remote add x /tmp",
        "submodule update --init",
        "config alias.x !sh",
        "rebase --exec id HEAD~1",
        "bisect run sh",
        "filter-branch --tree-filter id",
        "archive --exec=sh HEAD",
        "gc",
        "worktree add ../x",
        "add .git/config",
        "restore ~/x",
        "log | sh",
        "log; id",
        "log $(id) > x",
        "log \0",
        "log '",
        "log \ud800",
        "grep " + "a" * 20_000,
    ],
)
def test_what_is_not_taken_is_refused_in_one_line(line: str) -> None:
    copy = copy_of()
    answer = copy.git(line)
    assert not answer.ok and len(answer.text.splitlines()) == 1
    assert copy._git.num_commands == 0, "git never saw it"


def test_an_option_cannot_hide_in_the_value_of_another(walls: Sandbox) -> None:
    """--pretty takes its value after =, and git would read a word behind it as an option of its own."""
    copy = copy_of()
    for line in ("log --pretty --output=calc.py", "show --format --output=calc.py", "log --grep --output=calc.py"):
        copy.git(line)
    assert copy.changes() == {}


def test_files_of_the_tree_configure_no_program(walls: Sandbox) -> None:
    copy = copy_of()
    copy.files |= {
        ".gitattributes": "*.py filter=evil diff=evil merge=evil\n[attr]binary -diff\n",
        ".gitconfig": "[alias]\nx = !id\n",
        ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = file:///etc\n\tupdate = !id\n',
        ".mailmap": "Eve <eve@example.org> Dev <dev@example.com>\n",
        "hooks/post-checkout": "#!/bin/sh\nid > /box/hooked\n",
        "config": "[core]\n\thooksPath = hooks\n\tfsmonitor = id\n\tpager = id\n",
        "HEAD": "ref: refs/heads/main\n",
        "objects/x": "",
        "refs/x": "",
    }
    planted = dict(copy.files)
    for line in ("add -A", "commit -m plant", "checkout HEAD~1", "checkout main", "diff HEAD~1", "status", "stash"):
        assert copy.git(line).ok, line
    assert "uid=" not in copy.git("log -p").text
    assert copy.files == planted


def test_a_folder_that_looks_like_a_repository_is_none(walls: Sandbox) -> None:
    """Without .git, or with a broken one, git would look above: there is nothing there."""
    copy = copy_of()
    copy.files |= {"sub/HEAD": "ref: refs/heads/x\n", "sub/objects/x": "", "sub/refs/x": "", "sub/config": "[core]\n"}
    assert copy.git("add -A").ok
    assert "sub/config" in copy.git("status --short").text


def test_a_flood_is_cut(walls: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "OUTPUT_BYTES", 100_000)
    copy = copy_of({f"{number}.txt": LONG for number in range(8)})
    answer = copy.git("log -p")
    assert len(answer.text) == 100_000 and answer.ok


@pytest.mark.parametrize("line", ["grep -E '(a*)*(a*)*\\1\\2b'", "blame -L '/\\(a*\\)*\\1\\1b/' z.txt"])
def test_a_search_without_end_is_stopped(walls: Sandbox, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """glibc backtracks for references to groups; a time limit ends what does not end, and nothing is changed."""
    monkeypatch.setattr(command, "CPU_SECONDS", 1.0)
    copy = copy_of({"z.txt": f"{LONG}\n"})
    answer = copy.git(line)
    assert answer.ok is False
    assert copy.changes() == {} and copy.git("status --short").text == "(no output)"


def test_a_history_without_end_is_stopped(walls: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "CPU_SECONDS", 1.0)
    texts = [f"x = {number}\n" * 20_000 for number in range(400)]
    history = [{"message": "Next", "changes": {"a.py": text}} for text in texts]
    copy = copy_of({"a.py": texts[-1]}, history=history)
    answer = copy.git("log --stat")
    assert answer == Answer("error: git was stopped after 1 s, nothing was changed: ask for less", ok=False)


def test_a_state_that_outgrows_its_bounds_is_not_taken(walls: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "STATE_BYTES", 30_000)
    copy = copy_of()
    copy.files["noise.txt"] = "".join(f"{n * 7919 % 100_003:x}" for n in range(20_000))
    answer = copy.git("add -A")
    assert (answer.ok, answer.text.partition(":")[0]) == (False, "error")
    assert copy.git("status --short").text == "?? noise.txt\n"


def test_links_lead_nowhere(walls: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository on disk brings links out of the tree; git knows them as links, the tools do not follow."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("hidden\n")
    source = tmp_path / "source"
    source.mkdir()
    git(source, "init", "--quiet", "--initial-branch=main")
    (source / "out").symlink_to(secret)
    (source / "key").symlink_to(secret / "key")
    commit(source, "Links", {"a.py": "x = 1\n"})
    (source / "out").unlink()
    (source / "key").unlink()
    base = commit(source, "Files", {"out/key": "mine\n"})
    data = {"repository": str(source), "base_commit": base, "hidden_tests": {}, "fail_to_pass": [], "pass_to_pass": []}
    problem = Problem(problem_id="p", domain="swe", family="f", split="train", prompt="p", answer="", data=data)
    copy = WorkingCopy(open_repository(problem, sanitize=True))
    try:
        assert copy.git("status --short").text == "(no output)"
    except SandboxError as error:  # Landlock, started by root, below a folder that is closed to others
        assert "PermissionError" in str(error)
        pytest.skip(str(error))
    assert copy.git("checkout HEAD~1").ok
    assert copy.closed == {"out", "key"} and "hidden" not in str(copy.files.values())
    assert copy.git("grep hidden").text == "(no output, exit status 1)"
    assert copy.git("status --short").text == "(no output)"
    assert "beyond a symbolic link" in copy.git("add out/key").text
    assert copy.git("checkout main").ok and copy.files == {"a.py": "x = 1\n", "out/key": "mine\n"}
    assert (secret / "key").read_text() == "hidden\n"


def test_without_git_nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    command._program.cache_clear()
    with pytest.raises(SandboxError, match="install git"):
        copy_of({"a.py": "1\n"}).git("status")
    command._program.cache_clear()


def test_without_walls_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "BACKENDS", ())
    monkeypatch.setattr(command, "shared_sandbox", shared_sandbox.__wrapped__)
    with pytest.raises(SandboxError, match="this machine gives no sandbox") as raised:
        copy_of({"a.py": "2\n"}).git("status")
    assert len(str(raised.value).splitlines()) == 1


def test_commits_that_git_refuses_are_an_error_of_the_problem() -> None:
    with pytest.raises(GraderError, match="git refuses the commits of a problem"):
        copy_of({"a//b": "x\n"}).git("status")


def test_git_has_no_socket_no_home_and_ends_with_its_group(walls: Sandbox) -> None:
    """What runs git may start programs, and inherits every other restriction."""
    source = """
import os, socket
def run():
    found = []
    for name, attempt in (
        ("socket", lambda: socket.socket()),
        ("write", lambda: open("/etc/x", "w")),
        ("passwd", lambda: open("/etc/passwd")),
        ("proc", lambda: os.listdir("/proc/1/fd")),
        ("priority", lambda: os.setpriority(0, 0, -1)),
    ):
        try:
            attempt()
            found.append(name)
        except OSError:
            pass
    if os.fork() == 0:
        while True:
            pass
    return found
"""
    for _ in range(3):
        assert walls.run(Program(source, function="run", can_execute=True)).value == []
    assert walls.run(Program("import os\nos.fork()")).outcome == "denied"
    assert walls.run(Program("import os\nos.execv('/usr/lib/git-core/git', ['git'])")).outcome == "denied"


ENDLESS = "9" * 5000


@pytest.mark.parametrize(
    "arguments", ["log -n {}", "show HEAD~{}", "show HEAD@{{{}}}", "blame -L {} z.txt", "grep -E 'a{{{}}}'"]
)
def test_git_answers_a_number_of_any_length(arguments: str) -> None:
    copy = copy_of({"z.txt": "a\n"})
    assert len(copy.git(arguments.format(ENDLESS)).text.splitlines()) <= 6
    assert copy.git("status --short").text == "(no output)"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_file", {"path": "z.txt", "start": ENDLESS}),
        ("replace_line", {"path": "z.txt", "line": ENDLESS, "text": ""}),
        ("write_file", {"path": "z.txt", "text": "\udead"}),
    ],
)
def test_a_tool_refuses_what_it_cannot_read(name: str, arguments: dict[str, str]) -> None:
    tools = Tools(copy_of({"z.txt": "a\n"}), lambda path: Answer(""))
    assert not tools.call(ToolCall(name=name, arguments=arguments)).ok


@pytest.mark.parametrize("said", [ENDLESS, f"<answer>{ENDLESS}</answer>", f"1/{ENDLESS}", f"0.{ENDLESS}"])
def test_an_endless_number_is_a_graded_answer(said: str) -> None:
    problem = Problem(problem_id="p", domain="math", family="f", split="train", prompt="p", answer="42")
    grader = create_grader(DomainConfig(name="math", data_path="data/math"))
    graded = grader.grade(problem, [Message(role="assistant", content=said)], "stop")
    assert (graded.correct, graded.extra["lenient_correct"]) == (0.0, 0.0)
