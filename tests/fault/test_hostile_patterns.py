"""Patterns that a policy gives to `git grep` are searched in the trainer's process: they end, or are refused."""

import pytest

from evotrainer.domains.swe.checkout.git import run_git
from evotrainer.domains.swe.checkout.opening import open_repository
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.domains.swe.tools.calls import MAX_FILE_CHARACTERS, Answer
from evotrainer.records import Problem

LONG = "a" * (MAX_FILE_CHARACTERS - 2)


def grep(text: str, arguments: str) -> Answer:
    data = {"files": {"z.txt": text}, "history": [{"message": "All", "changes": {"z.txt": text}}]}
    problem = Problem(problem_id="p", domain="swe", family="f", split="train", prompt="p", answer="", data=data)
    return run_git(WorkingCopy(open_repository(problem, sanitize=True)), f"grep {arguments}")


@pytest.mark.parametrize(
    "arguments",
    [
        "-E '(a+)+b'",
        "-E '(a|aa)*b'",
        "-E '(a|a?)+b'",
        "-E '(.*)*,(.*)*b'",
        "'\\(a*\\)*b'",
        "-E -w '(a*)*b'",
        "-E '((a?){30}){30}b'",
        "-E 'a.*a.*a.*a.*b'",
        "-E -i '^(A+)+$'",
    ],
)
def test_what_an_engine_that_backtracks_never_ends_is_answered(arguments: str) -> None:
    assert grep(f"{LONG}!\n", arguments) == Answer("no match", ok=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("'\\(a\\)\\1'", "fatal: command line, '\\(a\\)\\1': references to groups cannot be searched for here"),
        ("-E '(a'", "fatal: command line, '(a': Unmatched ( or \\("),
        ("-E 'a{1001}'", "fatal: command line, 'a{1001}': invalid repetition size: {1001}"),
        ("-E '((a{30}){30}){30}'", "fatal: command line, '((a{30}){30}){30}': invalid repetition size: {30}"),
        ("a" * 1001, "error: a pattern has at most 1000 bytes of UTF-8 here"),
        ("\ud800", "error: a pattern has at most 1000 bytes of UTF-8 here"),
        ("\udead", "error: a pattern has at most 1000 bytes of UTF-8 here"),
        (f"-E '{'(' * 900}'", f"fatal: command line, '{'(' * 900}': Unmatched ( or \\("),
    ],
)
def test_what_cannot_be_searched_for_is_refused(arguments: str, said: str) -> None:
    assert grep("aa\n", arguments) == Answer(said, ok=False)


def test_the_work_of_one_search_is_bounded() -> None:
    words = "a b_x " * (MAX_FILE_CHARACTERS // 6)
    assert grep(words, "-w 'a.*b_'").text == "error: this pattern is too much work for these files, name a path"
    assert grep(words, "-w -l b_x").text == "z.txt\n"
