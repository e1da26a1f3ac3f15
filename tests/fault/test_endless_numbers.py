"""Numbers of thousands of digits, and JSON nested as deep, are answers like others: int and json refuse them."""

from pathlib import Path

import pytest

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from evotrainer.actions import ActionClassifier
from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.working_copy import Answer, WorkingCopy
from evotrainer.domains.swe.tools import Tools
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.evidence.features import calls_by_turn
from evotrainer.records import Message, Problem, ToolCall

ENDLESS = "9" * 5000
DEEP = '{"name": "submit", "arguments": {"a": ' + "[" * 5000 + "}"


def working_copy() -> WorkingCopy:
    data = {"files": {"z.txt": "a\n"}, "history": [{"message": "All", "changes": {"z.txt": "a\n"}}]}
    problem = Problem(problem_id="p", domain="swe", family="f", split="train", prompt="p", answer="", data=data)
    return WorkingCopy(open_repository(problem, sanitize=True))


@pytest.mark.parametrize(
    "arguments",
    [
        "log -n {}",
        "log -{}",
        "log --skip {}",
        "reflog -n {}",
        "show HEAD~{}",
        "show HEAD^{}",
        "show HEAD@{{{}}}",
        "show stash@{{{}}}",
        "blame -L {} z.txt",
        "blame -L 1,{} z.txt",
        "blame -L 1,+{} z.txt",
        "grep -E 'a{{{}}}'",
    ],
)
def test_git_answers_a_number_of_any_length(arguments: str) -> None:
    copy = working_copy()
    assert len(copy.git(arguments.format(ENDLESS)).text.splitlines()) <= 6
    assert copy.git("status --short").text == "(no output)"


def test_git_refuses_such_a_stash() -> None:
    copy = working_copy()
    copy.files["z.txt"] = "b\n"
    assert copy.git("stash").ok
    assert not copy.git(f"stash pop {ENDLESS}").ok
    assert copy.git("stash pop 0").ok


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_file", {"path": "z.txt", "start": ENDLESS}),
        ("replace_line", {"path": "z.txt", "line": ENDLESS, "text": ""}),
        ("write_file", {"path": "z.txt", "text": "\udead"}),
    ],
)
def test_a_tool_refuses_what_it_cannot_read(name: str, arguments: dict[str, str]) -> None:
    tools = Tools(working_copy(), lambda path: Answer(""))
    assert not tools.call(ToolCall(name=name, arguments=arguments)).ok


@pytest.mark.parametrize("said", [ENDLESS, f"<answer>{ENDLESS}</answer>", f"1/{ENDLESS}", f"0.{ENDLESS}"])
def test_an_endless_number_is_a_graded_answer(said: str) -> None:
    problem = Problem(problem_id="p", domain="math", family="f", split="train", prompt="p", answer="42")
    grader = create_grader(DomainConfig(name="math", data_path="data/math"))
    graded = grader.grade(problem, [Message(role="assistant", content=said)], "stop")
    assert (graded.correct, graded.extra["lenient_correct"]) == (0.0, 0.0)


@pytest.mark.parametrize("body", [DEEP, f'{{"name": "submit", "arguments": {{"a": {ENDLESS}}}}}'])
def test_a_call_that_json_refuses_is_no_call(tmp_path: Path, body: str) -> None:
    letters = "".join(map(chr, range(32, 127)))
    create_policy(tmp_path / "p", EmbeddedPolicyConfig(hidden_size=32, num_heads=2, num_layers=1), letters, 0)
    codec = EmbeddedPolicy.load(tmp_path / "p").codec
    text = f"<tool_call>{body}</tool_call>"
    said = codec.decode(codec.response_ids(text))
    assert (said.content, said.tool_calls) == (text, [])
    turns = [Message(role="assistant", content=f"<tool_call>{body}</tool_call>"), Message(role="user", content="")] * 2
    assert calls_by_turn(turns, ActionClassifier()) == [[], []]
