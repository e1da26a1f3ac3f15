"""Which kind of action a call is: our tools, those of common scaffolds, lines of shell, git, own rows."""

import pytest

from conf.compose import compose_campaign
from evotrainer.actions import Action, ActionClassifier, standard_classifier
from evotrainer.errors import ConfigError
from evotrainer.records import ToolCall


def actions(name: str, **arguments) -> list[Action]:
    return list(standard_classifier().actions(ToolCall(name=name, arguments=arguments)))


def shell(command: str) -> list[Action]:
    return actions("bash", command=command)


def kinds(command: str) -> str:
    return " ".join(action.kind for action in shell(command))


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "files"),
    [
        ("str_replace_editor", {"command": "view", "path": "/testbed/a.py"}, "search", ()),
        ("str_replace_editor", {"command": "str_replace", "path": "/testbed/pkg/a.py"}, "edit", ("pkg/a.py",)),
        ("str_replace_editor", {"command": "undo_edit", "path": "/workspace/repo__1/a.py"}, "edit", ("a.py",)),
        ("Edit", {"file_path": "/home/me/repo/a.py"}, "edit", ("a.py",)),
        ("NotebookEdit", {"notebook_path": "n.ipynb"}, "edit", ("n.ipynb",)),
        (
            "multi_replace_string_in_file",
            {"replacements": [{"filePath": "a.py"}, {"filePath": "b.py"}]},
            "edit",
            ("a.py", "b.py"),
        ),
        (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: a.py\n@@\n*** Add File: b.py\n*** End Patch"},
            "edit",
            ("a.py", "b.py"),
        ),
        ("container.exec", {"cmd": ["bash", "-lc", "rg x src"]}, "search", ()),
        ("mcp__files__write_file", {"path": "a"}, "edit", ("a",)),
        ("fly_to_the_moon", {"path": "a"}, "other", ()),
    ],
)
def test_tools_of_scaffolds(name, arguments, kind, files):
    (action,) = actions(name, **arguments)
    assert (action.kind, action.files) == (kind, files)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd /testbed && grep -rn x src | head", "search"),
        ("python -m pytest -q tests 2>&1 | tail -3", "test"),
        ("sudo -u bob env A=1 nice -n 5 pytest", "test"),
        ("make -C build test", "test"),
        ("npm run test:unit", "test"),
        ("python setup.py test", "test"),
        ("python tests/test_a.py", "test"),
        ("bash -lc 'cd x && pytest'", "test"),
        ("uv run --with pytest pytest -q", "test"),
        ("grep -l x -r . | xargs sed -i s/a/b/", "search edit"),
        ("python reproduce.py", "other"),
        ("pytest | tee log.txt", "test"),
        ("pytest > log.txt", "test"),
        ("grep -c done run.log | wc -l > out.txt", "search edit"),
        ("echo x > /dev/null", "other"),
        ("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt", "submit search"),
        ("git diff > patch.txt", "git"),
        ("(cd x; pytest) & wait", "test"),
        ("if [ -f a ]; then cat a; else pytest; fi", "search test"),
        ("for f in *.py; do\n  wc $f\ndone", "search"),
        ("ls # the rest; rm x", "search"),
        ("cat > a.py <<'EOF'\nrm -rf x; $(git log)\nEOF\npytest", "edit test"),
        ('echo "a << b"\nls', "search"),
        ("echo $((1 << n))\nls", "search"),
        pytest.param("ls; " + "x <<END " * 200_000, "search", id="as many heredocs"),
    ],
)
def test_kinds_of_shell(command, expected):
    assert kinds(command) == expected


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("cat <<'EOF' > src/a.py\nx\nEOF", ("src/a.py",)),
        ("sort < in.txt >> out.txt 2> errors.txt 2>&1", ("out.txt",)),
        ("cat > a.py <<EOF\nnever ended", ("a.py",)),
        ("cat <<< 'one line' > a.py", ("a.py",)),
        ("sed -i \\\n  s/a/b/ x.py", ("x.py",)),
        ("touch \"a \\\"b\\\"\" 'it''s'", ('a "b"', "its")),
        ("echo x | tee a.py", ("a.py",)),
        ("sed -i.bak -e s/a/b/ -e s/c/d/ x.py y.py", ("x.py", "y.py")),
        ("sed -ni '5p' x.py", ("x.py",)),
        ("perl -pi -e 's/a/b/' x.py", ("x.py",)),
        ("mv a.py b.py", ("a.py", "b.py")),
        ("cp /tmp/x.py src/x.py", ("src/x.py",)),
        ("cd /testbed/src && sed -i s/a/b/ m.py", ("src/m.py",)),
        ("patch -p1 <<'EOF'\n--- a/x.py\n+++ b/x.py\n@@\nEOF", ("x.py",)),
        ("git apply <<'EOF'\n--- a/x.py\n+++ b/x.py\nEOF", ("x.py",)),
        ("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: x.py\n*** End Patch\nEOF", ("x.py",)),
        ("python -c \"open('a.py', 'w').write('x')\"", ("a.py",)),
        ("python - <<'PY'\np = 'src/m.py'\ns = open(p).read()\nopen(p, 'w').write(s)\nPY", ()),
        ("python3 -c \"from pathlib import Path; Path('b.py').write_text('x')\"", ("b.py",)),
    ],
)
def test_files_that_shell_writes(command, files):
    (action,) = shell(command)
    assert (action.kind, action.files) == ("edit", files)


@pytest.mark.parametrize(
    ("command", "kind", "history"),
    [
        ("git stash list", "git", "read"),
        ("git diff HEAD~2", "git", "read"),
        ("git -C /r --no-pager log", "git", "read"),
        ("git branch -a", "git", "read"),
        ("git grep x v1.2", "search", "read"),
        ("cat .git/packed-refs", "search", "read"),
        ("strings < .git/ORIG_HEAD", "search", "read"),
        ("git diff", "git", ""),
        ("git diff HEAD", "git", ""),
        ("git diff -- src/a.py", "git", ""),
        ("git checkout origin/main -- a.py", "edit", "restore"),
        ("git checkout HEAD~1 a.py", "edit", "restore"),
        ("git show abc1234:a.py > a.py", "edit", "restore"),
        ("git restore --source=HEAD~1 a.py", "edit", "restore"),
        ("git cherry-pick abc1234", "edit", "restore"),
        ("git reset --hard HEAD~1", "edit", "restore"),
        ("git merge origin/main", "edit", "restore"),
        ("git checkout -- a.py", "edit", ""),
        ("git checkout a.py", "edit", ""),
        ("git restore a.py", "edit", ""),
        ("git reset --hard", "edit", ""),
        ("git merge --abort", "edit", ""),
        ("git checkout -b mine", "git", ""),
        ("git rm a.py", "edit", ""),
    ],
)
def test_git(command, kind, history):
    (action,) = shell(command)
    assert (action.kind, action.history, action.is_git) == (kind, history, True)


def test_files_that_git_brings_back():
    assert shell("git checkout origin/main -- a.py b.py")[0].files == ("a.py", "b.py")
    assert shell("git restore -s HEAD~1 a.py")[0].files == ("a.py",)
    assert actions("git", arguments="checkout -- a.py")[0].files == ("a.py",)
    assert actions("git", arguments="log --all")[0].tool == "git log"


def test_own_rows_come_first():
    own = ActionClassifier(
        {
            "tools": {"look_around": "search", "search": "other", "run": {"kind": "shell", "argument": "line"}},
            "programs": {"checkall": "test"},
            "roots": ["/srv/*"],
            "test_files": ["specs/"],
            "paths": ["where"],
        }
    )
    assert [own.actions(ToolCall(name=name))[0].kind for name in ("look_around", "search", "edit")] == [
        "search",
        "other",
        "edit",
    ]
    (action,) = own.actions(ToolCall(name="run", arguments={"line": "checkall --fast"}))
    assert (action.kind, action.tool) == ("test", "run checkall")
    (action,) = own.actions(ToolCall(name="edit", arguments={"where": "/srv/shop/specs/a.py"}))
    assert (action.files, action.writes_tests) == (("specs/a.py",), True)


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ({"tools": {"look": "watch"}}, r"harness.actions.tools.look: .*'watch'"),
        ({"tool": {}}, "harness.actions.tool: "),
        ({"tools": {"look": {"kind": "search", "when": 1}}}, "harness.actions.tools.look"),
        ({"programs": {"run": "shell"}}, "harness.actions.programs.run"),
    ],
)
def test_rows_of_another_form_are_refused(own, told):
    with pytest.raises(ConfigError, match=told):
        ActionClassifier(own)


def test_own_rows_are_a_setting_of_a_campaign():
    config = compose_campaign(["harness.actions={tools:{look_around:search}}"])
    assert config.harness.actions == {"tools": {"look_around": "search"}}
    config = compose_campaign(["harness.actions.programs.checkall=test"])
    assert config.harness.actions == {"programs": {"checkall": "test"}}
