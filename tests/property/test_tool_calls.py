"""Tool calls by the template of each family: what it writes is read back, and an episode is extended, never re-read."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evotrainer.actions.tool_call_formats import FORMATS
from evotrainer.domains.swe.tools import tool_schemas
from evotrainer.engines.codec import HfChatCodec
from evotrainer.records import Message, ToolCall
from tests.chat_templates import FAMILIES, codec_of

TEXTS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\N{SYMBOL FOR NULL}"), max_size=30)
UNWRITABLE = ("</parameter>", "</function>", "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "<|")
CALLS = st.one_of(
    st.builds(
        lambda path, start: ToolCall(name="read_file", arguments={"path": path, "start": start}),
        TEXTS,
        st.integers(-5, 10**9),
    ),
    st.builds(lambda text: ToolCall(name="write_file", arguments={"path": "a b.py", "text": text}), TEXTS),
    st.just(ToolCall(name="submit")),
)
TURNS = st.lists(CALLS, min_size=1, max_size=3).filter(
    lambda calls: not any(sign in str(call.arguments) for call in calls for sign in UNWRITABLE)
)
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest) -> tuple[str, HfChatCodec]:
    return request.param, codec_of(request.param)


def _turn(family: str, calls: list[ToolCall]) -> Message:
    return Message(role="assistant", tool_calls=calls[:1] if family == "llama3_json" else calls)


def _ids(codec: HfChatCodec, text: str) -> list[int]:
    return codec.tokenizer.encode(text, add_special_tokens=False).ids


@FEW
@given(calls=TURNS)
def test_what_a_template_writes_is_read_back(family: tuple[str, HfChatCodec], calls: list[ToolCall]):
    name, codec = family
    turn = _turn(name, calls)
    ids = [*_ids(codec, codec.written(turn, tool_schemas())), codec.stop_ids[0]]
    said = codec.decode(ids, tool_schemas())
    assert said.tool_calls == turn.tool_calls
    assert not said.content.strip()


@FEW
@given(calls=TURNS, answers=st.lists(st.text("ab\n: 1", min_size=1, max_size=12), min_size=3, max_size=3))
def test_an_extended_prompt_is_the_template_of_the_whole(
    family: tuple[str, HfChatCodec], calls: list[ToolCall], answers: list[str]
):
    name, codec = family
    turn = _turn(name, calls)
    opening = [Message(role="user", content="mend it")]
    tools = [
        Message(role="tool", content=text, tool_name=call.name)
        for call, text in zip(turn.tool_calls, answers, strict=False)
    ]
    context = codec.encode(opening, tool_schemas())
    own_stop = codec.tokenizer.token_to_id(codec.special["eos_token"])
    sampled = [*_ids(codec, codec.written(turn, tool_schemas())), own_stop]
    extended = codec.extend(context, sampled, tools)
    assert extended[: len(context) + len(sampled)] == [*context, *sampled]
    whole = codec.template.render([*opening, turn, *tools], tool_schemas(), open_turn=True)
    found = codec.tokenizer.decode(extended, skip_special_tokens=False)
    if name == "mistral":  # ids are numbers of the place: an extension cannot number from the start
        number = len(context) + len(sampled)
        for place in range(len(tools)):
            found = found.replace(f'"call_id": "{number + place:09d}"', f'"call_id": "{place:09d}"')
    assert found == whole


@FEW
@given(text=st.text("<>tol_caf unci=\n{}[]()\"',:;1", max_size=60))
def test_any_text_is_read_without_an_error(text: str):
    for parse in FORMATS.values():
        said = parse(text, tool_schemas())
        assert said.calls or said.content == text
