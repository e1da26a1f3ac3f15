"""Texts of a chat template taken apart into turns, and those that stay as they are."""

import pytest

from evotrainer.evidence.foreign.chat_text import asked_turns, said_turns

SYSTEM, USER = "<|im_start|>system\nBe brief.<|im_end|>\n", "<|im_start|>user\n1+1?<|im_end|>\n"
OPEN = "<|im_start|>assistant\n"
TOLD = "<|im_end|>\n<|im_start|>tool\n4<|im_end|>\n<|im_start|>assistant\n"


def test_a_prompt_is_taken_apart():
    found = asked_turns(f"{SYSTEM}{USER}{OPEN}")
    assert found == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1?"}]
    assert asked_turns(USER) == [{"role": "user", "content": "1+1?"}]


@pytest.mark.parametrize(
    "text",
    [
        "user\n1+1?\nassistant\n",
        f"brief.<|im_end|>\n{USER}{OPEN}",  # its front was cut
        f"<|im_start|>user\n{USER}<|im_end|>\n{OPEN}",  # the template was applied twice
        f"{USER}and more",
        "<|im_start|>user\n1+1?",
    ],
)
def test_a_prompt_that_is_no_series_of_whole_turns_stays(text):
    assert asked_turns(text) is None


def test_an_answer_between_tools_is_taken_apart():
    turns = said_turns(f"<call>2+2</call>{TOLD}It is 4.<|im_end|>\n")
    assert [turn["role"] for turn in turns or []] == ["assistant", "tool", "assistant"]
    assert [turn["content"] for turn in turns or []] == ["<call>2+2</call>", "4", "It is 4."]
    assert said_turns("It is 4.<|im_end|>") == [{"role": "assistant", "content": "It is 4."}]
    cut = said_turns(f"<call>2+2</call>{TOLD}It is")
    assert cut is not None and cut[-1] == {"role": "assistant", "content": "It is"}
    qwen = "<|im_end|>\n<|im_start|>user\n<tool_response>\n4\n</tool_response><|im_end|>\n<|im_start|>assistant\n4"
    assert [turn["role"] for turn in said_turns(f"<call>2+2</call>{qwen}") or []] == ["assistant", "tool", "assistant"]


@pytest.mark.parametrize(
    "text",
    [
        "It is 4.",
        f"It is 4.<|im_end|>\n{USER}<|im_start|>assistant\nIt is 2.",  # the policy writes a user's turn
        f"It is <|im_start|>{TOLD}4",
    ],
)
def test_an_answer_with_turns_of_others_than_tools_stays(text):
    assert said_turns(text) is None


LLAMA = "<|start_header_id|>{}<|end_header_id|>\n\n{}<|eot_id|>"
GEMMA = "<start_of_turn>{}\n{}<end_of_turn>\n"


def test_prompts_of_other_templates_are_taken_apart():
    llama = f"<|begin_of_text|>{LLAMA.format('system', 'Be brief.')}{LLAMA.format('user', '1+1?')}"
    opened = "<|start_header_id|>assistant<|end_header_id|>\n\n"
    both = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1?"}]
    assert asked_turns(llama + opened) == both
    gemma = f"<bos>{GEMMA.format('user', '1+1?')}{GEMMA.format('model', '2')}{GEMMA.format('user', '2+2?')}"
    assert [turn["role"] for turn in asked_turns(f"{gemma}<start_of_turn>model\n") or []] == [
        "user",
        "assistant",
        "user",
    ]


@pytest.mark.parametrize("thought", ["<think>\n", "<think>\n\n</think>\n\n"])
def test_a_thought_that_the_template_opens_is_no_turn(thought):
    assert asked_turns(f"{USER}{OPEN}{thought}") == [{"role": "user", "content": "1+1?"}]
    assert asked_turns(f"{USER}{OPEN}It is") is None


def test_answers_of_other_templates_are_taken_apart():
    opened = "<|start_header_id|>assistant<|end_header_id|>\n\n"
    llama = f"call<|eom_id|>{LLAMA.format('ipython', '4')}{opened}It is 4.<|eot_id|>"
    assert [turn["role"] for turn in said_turns(llama) or []] == ["assistant", "tool", "assistant"]
    assert said_turns(f"It is 4.<|eot_id|>{LLAMA.format('user', '2+2?')}") is None


TOLD_BARE = "\nuser\n<tool_response>\n4\n</tool_response>{}\nassistant\n"


def test_answers_of_tools_stand_between_roles_where_special_tokens_are_gone():
    turns = said_turns(f"<call>{TOLD_BARE.format('')}It is 4.") or []
    assert [(turn["role"], turn["content"]) for turn in turns] == [
        ("assistant", "<call>"),
        ("tool", "4"),
        ("assistant", "It is 4."),
    ]
    two = said_turns("<call>" + TOLD_BARE.format("\n<tool_response>\n5\n</tool_response>")) or []
    assert [turn["content"] for turn in two] == ["<call>", "4", "5"], "an empty turn at the end is none"
    assert said_turns("<call>\nuser\n<tool_response>\n4\n</tool_response>") == turns[:2]


def test_a_policy_that_answers_itself_is_not_taken_apart():
    assert said_turns("<call>\n<tool_response>\n4\n</tool_response>\nIt is 4.") is None
    assert said_turns("The user\n\nuser\nsays <tool_response>4</tool_response>\nassistant\n") is None


@pytest.mark.parametrize(
    "text",
    [
        "<tool_response>4</tool_response>" * 3000 + "x",
        "\nuser\n" + "<tool_response>" * 5000,
        "\nuser\n<tool_response>4</tool_response>" * 3000 + "x",
        "<|im_end|>" * 5000,
    ],
)
def test_hostile_texts_are_read_at_once(text):
    said_turns(text), asked_turns(text)  # a backtracking pattern would not come back
