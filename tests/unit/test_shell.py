"""Texts of shell as simple commands."""

import pytest

from evotrainer.actions.shell import SimpleCommand, parse_shell


def words(text: str) -> list[list[str]]:
    return [list(command.words) for command in parse_shell(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b; c && d || e", [["a", "b"], ["c"], ["d"], ["e"]]),
        ("A=1 B='x y' run --now", [["run", "--now"]]),
        ("grep -n 'a  b' \"my file\" c\\ d", [["grep", "-n", "a  b", "my file", "c d"]]),
        ("(cd x; ls) & wait", [["cd", "x"], ["ls"], ["wait"]]),
        ("if [ -f a ]; then cat a; else ls; fi", [["[", "-f", "a", "]"], ["cat", "a"], ["ls"]]),
        ("for f in *.py; do\n  wc $f\ndone", [["wc", "$f"]]),
        ("x=$(git log -1) && echo `pwd`", [["git", "log", "-1"], ["pwd"], ["echo", "`pwd`"]]),
        ("ls # the rest; rm x", [["ls"]]),
        ("a \\\n  b", [["a", "b"]]),
        ('python -c "import os\nprint(1)"', [["python", "-c", "import os\nprint(1)"]]),
        ("echo 'it''s' \"a \\\"b\\\"\"", [["echo", "its", 'a "b"']]),
        ("diff <(sort a) b", [["diff", "<(sort a)", "b"]]),
        ("{ a; b; } 2>/dev/null", [["a"], ["b"]]),
        ("", []),
        ("   \n\n", []),
        ("# nothing", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_redirections_name_what_is_written_and_read():
    (command,) = parse_shell("sort < in.txt >> out.txt 2> errors.txt 2>&1")
    assert (command.words, command.reads, command.writes) == (("sort",), ("in.txt",), ("out.txt",))
    assert parse_shell("make &> log")[0].writes == ("log",)
    assert parse_shell("> empty.txt\nls") == [SimpleCommand((), ("empty.txt",)), SimpleCommand(("ls",))]


def test_heredocs_are_text_and_no_commands():
    first, second = parse_shell("cat > a.py <<'EOF'\nrm -rf x; $(git log)\nEOF\npytest")
    assert first == SimpleCommand(("cat",), ("a.py",), text="rm -rf x; $(git log)")
    assert second.words == ("pytest",)
    assert parse_shell("cat <<-END | grep x\n\tone\n\tEND")[0].text == "\tone"
    assert parse_shell("cat <<< 'one line' > f")[0].text == "one line"
    assert parse_shell("cat > a <<EOF\nnever ended")[0].text == "never ended"
    message, commit = parse_shell('git commit -m "$(cat <<EOF\nfix\nEOF\n)"')
    assert (message.words, message.text, commit.words[:3]) == (("cat",), "fix", ("git", "commit", "-m"))


def test_heredocs_of_one_line_follow_each_other():
    commands = parse_shell("cat <<A <<B; tac <<A\none\nA\ntwo\nB\nthree\nA\n" + "x <<END " * 200_000)
    assert [command.text for command in commands[:2]] == ["two", "three"]


def test_what_only_looks_like_a_heredoc_is_none():
    assert words('echo "a << b"\nls') == [["echo", "a << b"], ["ls"]]
    assert words("echo $((1 << n))\nls")[-1] == ["ls"]


def test_a_pipe_is_known_on_its_reading_side():
    commands = parse_shell("cat a |\n head -3 | tee b; ls")
    assert [command.is_piped for command in commands] == [False, True, True, False]


@pytest.mark.parametrize(
    "text", ["echo 'open", 'echo "open', "a $(b", "`x", ")))", "<<<", ">", "&& ||", "\x00heredoc7 x"]
)
def test_what_no_shell_takes_is_read_as_far_as_it_goes(text):
    assert isinstance(parse_shell(text), list)
