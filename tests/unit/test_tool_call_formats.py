"""Tool-call formats: public spellings, hostile text, and templates that cannot do tools."""

from collections.abc import Sequence
from itertools import product

import pytest

from evotrainer.actions.tool_call_formats import FORMATS
from evotrainer.config import DomainConfig, RewardConfig
from evotrainer.domains.swe.tools import tool_schemas
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.codec import HfChatCodec, tool_use
from evotrainer.errors import PolicyError
from evotrainer.records import Message, ToolCall
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from tests.chat_templates import FAMILIES, codec_of, source
from tests.swe_problems import calc_problem

READ = ToolCall(name="read_file", arguments={"path": "a.py", "start": 2})
SPELLINGS = [
    ("hermes", '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.py", "start": 2}}\n</tool_call>'),
    ("llama3_json", '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.py", "start": 2}}'),
    ("llama3_json", '{"type": "function", "name": "read_file", "parameters": {"path": "a.py", "start": 2}}'),
    ("mistral", '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a.py", "start": 2}}]'),
    ("mistral", '[TOOL_CALLS]read_file{"path": "a.py", "start": 2}'),
    ("mistral", '[TOOL_CALLS]read_file[CALL_ID]abc[ARGS]{"path": "a.py", "start": 2}'),
    ("pythonic", '[read_file(path="a.py", start=2)]'),
    ("pythonic", "<|python_start|>[read_file(path='a.py', start=2)]<|python_end|>"),
    (
        "qwen3_coder",
        "<tool_call>\n<function=read_file>\n<parameter=path>\na.py\n</parameter>\n<parameter=start>\n2\n</parameter>\n"
        "</function>\n</tool_call>",
    ),
]
HOSTILE = ["[" * 20_000, "{" * 20_000, '{"a":' * 20_000, "[TOOL_CALLS]" * 5_000, "[f(x=" + "-" * 20_000 + "1)]"]


@pytest.mark.parametrize(("name", "text"), SPELLINGS)
def test_a_public_spelling_is_read(name: str, text: str):
    assert FORMATS[name](text, tool_schemas()).calls == [READ]


def test_words_beside_a_call_stay():
    assert FORMATS["llama3_json"]('I read. {"name": "submit", "parameters": {}}', ()) == (
        "I read.",
        [ToolCall(name="submit")],
    )
    assert FORMATS["mistral"]("first[TOOL_CALLS]submit{}", ()) == ("first", [ToolCall(name="submit")])
    two = '{"name": "a", "parameters": {}}; {"name": "b", "parameters": {}}'
    assert [call.name for call in FORMATS["llama3_json"](two, ()).calls] == ["a", "b"]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(name: str, text: str):
    assert FORMATS[name](text, tool_schemas()) == (text, [])


@pytest.mark.parametrize("text", ["[f(1)]", "[f(x=__import__('os'))]", "[a.b(x=1)]", "[f(**{})]", "[f(x=1j)]", "[1]"])
def test_python_that_is_no_call_with_literals_stays_text(text: str):
    assert FORMATS["pythonic"](text, ()) == (text, [])


def test_values_without_types_are_read_by_the_schema():
    text = "<function=read_file><parameter=path>12</parameter><parameter=end>x</parameter></function>"
    (call,) = FORMATS["qwen3_coder"](text, tool_schemas()).calls
    assert call.arguments == {"path": "12", "end": "x"}


def test_a_policy_with_tools_is_described():
    found = tool_use(codec_of("mistral"), tool_schemas(), "")
    assert (found.tool_call_format, found.source) == ("mistral", "read from the chat template")
    named = tool_use(codec_of("hermes", tool_call_format="pythonic"), tool_schemas(), "")
    assert (named.tool_call_format, named.source) == ("pythonic", "policy.tool_call_format")


PLAIN = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
DEAF = "{% for m in messages if m.role != 'tool' %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}"


@pytest.mark.parametrize(
    ("codec", "reason"),
    [
        (codec_of("hermes", PLAIN), "writes no tool calls in a known format"),
        (codec_of("hermes", PLAIN, "hermes"), "does not show tools"),
        (codec_of("hermes", DEAF, "hermes"), "leaves out what tools answer"),
    ],
)
def test_a_template_that_cannot_do_tools_is_refused(codec: HfChatCodec, reason: str):
    with pytest.raises(PolicyError, match=reason) as caught:
        tool_use(codec, tool_schemas(), "")
    assert "\n" not in str(caught.value)


def test_a_template_that_needs_calls_before_answers_can_be_extended():
    strict = source("hermes").replace(
        "{%- elif message.role == 'tool' %}",
        "{%- elif message.role == 'tool' %}{%- if not messages[loop.index0 - 1].tool_calls %}"
        "{{- raise_exception('no call before') }}{%- endif %}",
    )
    answer = [Message(role="tool", content="1: x", tool_name="read_file")]
    assert codec_of("hermes", strict).template.continuation(answer, 0) == codec_of("hermes").template.continuation(
        answer, 0
    )


SCRIPT = [
    ToolCall(name="read_file", arguments={"path": "calc.py", "start": 4, "end": 6}),
    ToolCall(name="replace_line", arguments={"path": "calc.py", "line": 6, "text": "    return a + b"}),
    ToolCall(name="submit"),
]


class ScriptedSampler:
    """Samples the ids that the policy's own template has for the calls of a script, one a turn."""

    policy_id = "scripted"

    def __init__(self, family: str) -> None:
        self.codec = codec_of(family)
        self.prompts: list[list[int]] = []

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        (prompt,) = prompts
        call = SCRIPT[len(self.prompts)]
        self.prompts.append(list(prompt))
        text = self.codec.written(Message(role="assistant", tool_calls=[call]), tool_schemas())
        stop = self.codec.tokenizer.token_to_id(self.codec.special["eos_token"])
        ids = (*self.codec.tokenizer.encode(text, add_special_tokens=False).ids, stop)
        return [Completion(ids, (-0.1,) * len(ids), "stop")]


@pytest.mark.parametrize(("tag", "name"), [("<tool_call>{", "hermes"), ("<function=a><parameter=b>", "qwen3_coder")])
def test_tags_that_nothing_closes_are_read_in_linear_time(tag: str, name: str):
    """A reader that starts over at each tag would take many minutes."""
    assert FORMATS[name](tag * 100_000, ()).calls == []


@pytest.mark.parametrize("family", FAMILIES)
def test_an_issue_is_solved_in_the_format_of_the_template(family: str):
    engine = ScriptedSampler(family)
    rules = EpisodeRules(DomainConfig(name="swe"), SamplingParams(max_tokens=4096), 8, RewardConfig())
    rows, turns = play_attempts(
        engine, [*product([calc_problem()], range(1))], rules, EpisodeIdentity("c", "v", "rollout", 0)
    )
    (row,) = rows
    assert (row.correct, row.stop_reason, row.num_turns) == (1.0, "stop", len(SCRIPT))
    assert [call.name for message in row.messages for call in message.tool_calls] == [call.name for call in SCRIPT]
    assert "4: " in next(message.content for message in row.messages if message.tool_name == "read_file")
    shown = engine.codec.tokenizer.decode(engine.prompts[0], skip_special_tokens=False)
    assert all(tool["function"]["name"] in shown for tool in tool_schemas())
    for turn, later in zip(turns, turns[1:], strict=False):
        known = [*turn.prompt_ids, *turn.token_ids]
        assert later.prompt_ids[: len(known)] == known
