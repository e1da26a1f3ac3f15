"""Texts of a chat template taken apart into turns, and those that stay as they are."""

import pytest

from evotrainer.evidence.formats.chat_text import asked_turns, said_turns

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


def test_the_mark_behind_an_answer_is_no_part_of_it():
    assert said_turns("It is 4.<|im_end|>") == [{"role": "assistant", "content": "It is 4."}]
