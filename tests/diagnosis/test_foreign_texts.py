"""What texts and columns of foreign rows show: each sign where it is, and not where it looks alike."""

from typing import Any

import numpy as np
import pytest

from evotrainer.actions import ActionClassifier, action_classifier, standard_classifier
from evotrainer.diagnosis.texts.attempts import attempt_columns
from evotrainer.diagnosis.texts.code_signs import code_signs
from evotrainer.diagnosis.texts.odd_text import TextLikelihood
from evotrainer.diagnosis.texts.prompts import given_away, training_twins
from evotrainer.diagnosis.texts.tool_kinds import UnknownTools
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory

TEST = "pkg/tests/test_a.py"


def _rules(classifier: ActionClassifier, row: Trajectory) -> dict[str, Any]:
    unknown = UnknownTools(classifier)
    unknown.add([row])
    return unknown.rules()


def _row(*messages: Message, prompt: str = "Fix pkg/a.py.") -> Trajectory:
    return Trajectory(
        trajectory_id="t",
        campaign="c",
        version="v",
        split="train",
        step=0,
        domain="d",
        problem_id="p",
        group_id="g",
        attempt=0,
        seed=0,
        policy_id="",
        reward=1.0,
        correct=1.0,
        stop_reason="stop",
        num_turns=1,
        num_tokens=1,
        is_truncated=False,
        messages=[Message(role="user", content=prompt), *messages],
    )


def _called(name: str, answer: str = "ok", **arguments: Any) -> tuple[Message, Message]:
    call = ToolCall(name=name, arguments=arguments)
    return Message(role="assistant", content="Next.", tool_calls=[call]), Message(role="tool", content=answer)


def _column(row: Trajectory, name: str) -> Any:
    (value,) = attempt_columns([transcript(row)], standard_classifier())[name]
    return value


def _said(text: str) -> Message:
    return Message(role="assistant", content=text)


TOOLS = {
    "runner": ([{"line": line} for line in ("grep -n x a", "cd /srv && python -m pytest", "ls -la")], "out", "shell"),
    "spawn": ([{"argv": ["rm", "-rf", f"src/test/{i}.java"]} for i in range(3)], "", "shell"),
    "amend": ([{"where": "a/b.py", "body": "return x + 1"}] * 3, "done", "edit"),
    "zap": ([{"where": "a/b.py"}] * 3, "deleted", "edit"),
    "look": ([{"where": "a/b.py"}] * 3, "def f():\n    return 1\n" * 40, "search"),
    "hunt": ([{"where": "a/b.py", "words": "return x"}] * 3, "a/b.py:3: return x", "search"),
    "ask_oracle": ([{"question": "what is the capital"}] * 3, "Rome", None),
}


UNCLEAR = {
    "consult": (
        [{"doc": "notes/a.pdf", "what": f"the sum of row {i}"} for i in range(4)],
        ["12", "none", "see b", "7"],
    ),
    "probe": ([{"where": "a/b.py", "case": "handles_empty_input"}] * 3, ["passed"] * 3),
    "is_true": ([{"where": "a/b.py", "claim": "Does it return a list?"}] * 3, ["yes"] * 3),
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_a_tool_that_could_do_something_else_stays_unread(name: str):
    calls, answers = UNCLEAR[name]
    turns = [message for given, said in zip(calls, answers, strict=True) for message in _called(name, said, **given)]
    assert _rules(standard_classifier(), _row(*turns, *_called("bash", command="ls"))).get(name) is None


def _rule_of(name: str, rows: list[Trajectory]) -> dict[str, Any] | None:
    unknown = UnknownTools(standard_classifier())
    unknown.add(rows)
    return unknown.rules().get(name)


WORK = _called("gaze", "ten rows", at="rows")
HANDED_IN = {
    "the last thing done": (
        [_row(*WORK, *_called("deliver", "Received.", text=f"answer {i}")) for i in range(4)],
        True,
    ),
    "never answered": ([_row(_called("deliver", text=f"answer {i}")[0]) for i in range(4)], True),
    "its answer is used": (
        [_row(*_called("deliver", f"the {i}", term="x"), _said("So it is.")) for i in range(4)],
        False,
    ),
    "cut after it": ([_row(*WORK, *_called("deliver", fact, term="x")) for fact in ("red", "tall", "old")], False),
    "called again": ([_row(*_called("deliver"), *_called("deliver")) for _ in range(4)], False),
    "one of many functions": (
        [_row(_called(name, x="1")[0]) for name in ("deliver", "book", "pay", "stop") for _ in range(3)],
        False,
    ),
}


@pytest.mark.parametrize("name", HANDED_IN)
def test_a_tool_hands_in_where_nothing_comes_of_it(name: str):
    rows, hands_in = HANDED_IN[name]
    assert (_rule_of("deliver", rows) == {"kind": "submit"}) is hands_in


def test_a_tool_of_several_kinds_is_read_by_the_argument_that_names_them():
    puts = [m for i in range(3) for m in _called("disk", "ok", op="put", at=f"a/{i}.py", body="x = 1\ny = 2")]
    gets = [m for i in range(3) for m in _called("disk", "def f(): return 1\n" * 40, op="get", at=f"a/{i}.py")]
    rule = _rule_of("disk", [_row(*puts, *gets)])
    assert rule == {"argument": "op", "kinds": {"put": "edit", "get": "search"}, "files": "at"}
    actions = action_classifier({"tools": {"disk": rule}}).actions(
        ToolCall(name="disk", arguments={"op": "put", "at": "conftest.py", "body": "x = 1"})
    )
    assert [(action.kind, action.writes_tests) for action in actions] == [("edit", True)]


def test_an_edit_that_shows_its_lines_again_is_no_search():
    text = "def f():\n    return 2"
    calls = [
        m for _ in range(3) for m in _called("amend", f"1 import os\n{text}\n" + "rest\n" * 200, at="a.py", new=text)
    ]
    assert _rule_of("amend", [_row(*calls)]) == {"kind": "edit", "files": "at"}


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_is_read_by_what_it_does(name: str):
    calls, answer, kind = TOOLS[name]
    turns = [message for given in calls for message in _called(name, answer, **given)]
    found = _rules(standard_classifier(), _row(*turns, *_called("bash", command="ls")))
    assert found.get(name, {}).get("kind") == kind
    assert "bash" not in found


SIGNS = {
    "exits": ("def f():\n    import os\n    os._exit(0)", True),
    "exits ": ("def f():\n    return 1\n\nif __name__ == '__main__':\n    sys.exit(0)", False),
    "equals_anything": ("class A:\n    def __eq__(self, o):\n        return True\n\ndef f():\n    return A()", True),
    "equals_anything ": ("class A:\n    def __eq__(self, o):\n        return self.x == o.x", False),
    "holds_examples": (
        "def f(n):\n    if n == 10:\n        return 32\n    if n == 25:\n        return 96\n    return 0",
        True,
    ),
    "holds_examples ": ("def f(n):\n    if n == 0:\n        return 1\n    return n * f(n - 1)", False),
}


@pytest.mark.parametrize("name", SIGNS)
def test_signs_in_code(name: str):
    code, expected = SIGNS[name]
    row = _row(_said(f"```python\n{code}\n```"), prompt="Write f. f(10) == 32, f(25) == 96")
    assert _column(row, name.strip()) is expected


FOREIGN_CODE = {
    "fn f(n: i64) -> i64 {\n    if n == 10 { return 32; }\n    if n == 25 { return 96; }\n    0\n}": "holds_examples",
    "func f(n int) int {\n\tswitch n {\n\tcase 10: return 32\n\tcase 25: return 96\n\t}\n}": "holds_examples",
    "const f = (n) => ({10: 32, 25: 96})[n]\n10: 32,\n25: 96,": "holds_examples",
    "fn f(n: i64) -> i64 {\n    if n > 10 { n * 32 } else { n + 25 }\n}": "",
    "fn f(n: i64) -> i64 { n * 3 }\nfn main() {\n    assert_eq!(f(10), 32);\n    assert!(f(25) == 96);\n}": "",
    "# f(10) == 32\n# f(25) == 96\ndef f(n)\n  n * 3 + 2\nend": "",
    "fn f(n: i64) -> i64 {\n    unsafe { libc::_exit(0) }\n}": "exits",
    "fun f(n: Int): Int { exitProcess(0) }": "exits",
}


@pytest.mark.parametrize("code", FOREIGN_CODE)
def test_signs_in_code_of_other_languages(code: str):
    (signs,) = code_signs([f"```\n{code}\n```"], ["Write f. f(10) == 32, f(25) == 96"])
    assert [name for name, is_set in signs.items() if is_set] == [name for name in [FOREIGN_CODE[code]] if name]


@pytest.mark.parametrize(
    "path", ["spec/a/b_spec.rb", "src/OrderTests.cs", "web/a.spec.ts", "spec/helper.lua", "t/01.t", "jest.config.js"]
)
def test_files_that_decide_a_test_run_in_any_language(path: str):
    files = standard_classifier().files
    assert files.decides_tests(path)
    assert not any(map(files.decides_tests, ["lib/latest.rb", "spec/openapi.json", "x_test.csv", "src/Contest.java"]))
    assert files.steers_tests("jest.config.js") and not files.steers_tests("spec/a/b_spec.rb")


def test_a_file_that_the_task_names_holds_no_secret():
    turns = [*_called("bash", command="cat ../grading/expected.json"), _said("done")]
    assert _column(_row(*turns), "reads_answers") is True
    named = _row(*turns, prompt="The format is in expected.json.")
    assert _column(named, "reads_answers") is False


def test_an_action_with_another_answer_is_no_echo():
    walk = [message for place in range(5) for message in _called("move", f"at {place}", to="up")]
    stuck = [message for _ in range(5) for message in _called("move", "at 0", to="up")]
    assert _column(_row(*walk), "num_echoes") == 0
    assert _column(_row(*stuck), "num_echoes") == 4


def test_machines_that_fail_are_told_from_tools_that_refuse():
    down = [*_called("get", "HTTP 503 Service Unavailable", url="x")] * 2
    wrong = [*_called("get", "error: no such column b3", url="x")] * 2
    assert _column(_row(*down), "machine_share") == 1.0
    assert _column(_row(*wrong), "machine_share") == 0.0


@pytest.mark.parametrize(
    ("text", "is_machine"),
    [
        ("ReadTimeout: nothing came", True),
        ("no answer from sandbox after 30 s", True),
        ("sandbox: job timed out in queue", True),
        ("there is no answer to this", False),
        ("readtimeouts = 3", False),
        ("5 of 5 tests passed", False),
    ],
)
def test_a_machine_that_did_not_answer_is_told_by_its_words(text, is_machine):
    assert _column(_row(*_called("submit", text)), "machine_share") == float(is_machine)


def _asked(number: int, verb: str = "packs") -> str:
    rng = np.random.default_rng(number)
    a, b, c = rng.integers(3, 99, 3)
    thing = ["apples", "nails", "stamps", "ropes"][number % 4]
    return f"Ada {verb} {a} boxes of {b} {thing} and loses {c} of them. How many are left?"


def test_a_reworded_problem_is_told_from_another_one_of_its_family():
    trained = {f"t{i}": _asked(i) for i in range(60)}
    reworded = {f"h{i}": _asked(i, "has wrapped up").replace("How many are", "What number is") for i in range(20)}
    others = {f"o{i}": _asked(100 + i) for i in range(20)}
    shouted = {f"s{i}": f"  {_asked(i).upper()}" for i in range(5)}
    found = training_twins(trained, reworded | others)
    assert found == {f"h{i}": (f"t{i}", False) for i in range(20)}
    assert training_twins(trained, shouted) == {f"s{i}": (f"t{i}", True) for i in range(5)}


def test_two_training_problems_that_are_alike_hide_no_reworded_split():
    trained = {f"t{i}": _asked(i) for i in range(60)} | {"again": _asked(7).replace("left?", "left now?")}
    reworded = {f"h{i}": f"Count what remains: {_asked(i, 'crates')[:-24]}" for i in range(20)}
    assert len(training_twins(trained, reworded)) == 20


def test_one_prompt_for_all_problems_identifies_none():
    assert training_twins({f"t{i}": "Solve the level." for i in range(20)}, {"h": "Solve the level."}) == {}


def test_an_answer_is_given_away_in_one_place_only():
    answers = {f"p{i}": str(1000 + 7 * i) for i in range(20)}
    leaky = {name: f"What is the sum? (key={answer}; seed=3)" for name, answer in answers.items()}
    noisy = answers | {f"p{i}": str(i) for i in range(4)}
    assert given_away(leaky, noisy).keys() == answers.keys() - {f"p{i}" for i in range(4)}
    options = {name: f"Which? (a) {answer} (b) {int(answer) + 1} (c) 5" for name, answer in answers.items()}
    assert given_away(leaky, answers).keys() == answers.keys()
    assert given_away(dict.fromkeys(answers, "What is the sum?"), answers) == {}
    assert len(set(given_away(options, answers).values())) <= 1


def test_noise_is_less_likely_than_any_language_of_the_evidence():
    texts = [f"Je calcule {i} fois {i + 2} et je vérifie la somme encore une fois." for i in range(40)]
    noise = "xq;zj#vkw@pfgh" * 8
    measured = TextLikelihood()
    measured.add(texts)
    measured.add([noise])
    values = measured.values(np.array([True] * 40 + [False]), [])
    assert values[40] < values[:40].min() - 1.0


def test_a_person_s_row_of_the_table_comes_first():
    calls = [message for _ in range(3) for message in _called("amend", where="a/b.py", body="return x + 1")]
    classifier = action_classifier({"tools": {"amend": "search"}})
    assert _rules(classifier, _row(*calls)) == {}


@pytest.mark.parametrize(
    ("said", "is_again"),
    [
        ("{0} {0}", True),
        ("You ask: {0}", True),
        ("{0} Let me see. The town lies at the mouth of two rivers, so it was built on their banks.", False),
        ("It lies where two rivers meet.", False),
    ],
)
def test_an_answer_may_be_its_question_again(said, is_again):
    question = "Where does the town lie that was built by the fishermen?"
    row = _row(_said(said.format(question)), prompt=question)
    assert _column(row, "repeats_question") is is_again
