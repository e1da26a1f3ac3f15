"""No text is too odd for the parser of shell, nor for what is read out of it."""

import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.actions import LETTERS, standard_classifier
from evotrainer.actions.shell import parse_shell
from evotrainer.records import ToolCall

PIECES = st.sampled_from(
    ["git", "checkout", "--", "-c", "python", "sed", "-i", ";", "&&", "|", "(", "$(", "`", "<<EOF", "EOF", "\n", ">",
     "2>&1", "'", '"', "\\", "#", "sudo", "A=1", "bash", "eval", "cd", ".git", "tee", "{", "for", "\x00heredoc0", "é"]
)  # fmt: skip
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=25).map(" ".join) | st.lists(PIECES, max_size=25).map("".join)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(TEXTS)
def test_every_text_has_actions(text):
    for name, argument in (("bash", "command"), ("git", "arguments"), ("apply_patch", "input")):
        actions = standard_classifier().actions(ToolCall(name=name, arguments={argument: text}))
        assert actions
        assert all(action.kind in LETTERS for action in actions)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=8),
        min_size=1,
        max_size=6,
    )
)
def test_quoted_words_come_back(words):
    (command,) = parse_shell("run " + shlex.join(words))
    assert list(command.words) == ["run", *words]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.dictionaries(
        st.sampled_from(["path", "command", "arguments", "file_path", "replacements", "input", "code"]),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3), max_leaves=5
        ),
        max_size=4,
    )
)
def test_arguments_of_any_type_are_read(arguments):
    for name in ("edit", "bash", "git", "str_replace_editor", "apply_patch", "unheard_of"):
        assert standard_classifier().actions(ToolCall(name=name, arguments=arguments))
