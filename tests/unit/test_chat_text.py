"""Texts of a chat template taken apart into turns, and answers that stay as they are."""

import pytest

from evotrainer.evidence.foreign.chat_text import asked_turns, said_turns

SYSTEM, USER = "<|im_start|>system\nBe brief.<|im_end|>\n", "<|im_start|>user\n1+1?<|im_end|>\n"
OPEN = "<|im_start|>assistant\n"
TOLD = "<|im_end|>\n<|im_start|>tool\n4<|im_end|>\n<|im_start|>assistant\n"
QWEN = "<|im_end|>\n<|im_start|>user\n<tool_response>\n4\n</tool_response><|im_end|>\n<|im_start|>assistant\n"
LLAMA, LLAMA_OPEN = (
    "<|start_header_id|>{}<|end_header_id|>\n\n{}<|eot_id|>",
    "<|start_header_id|>{}<|end_header_id|>\n\n",
)
GEMMA = "<start_of_turn>{}\n{}<end_of_turn>\n"
BARE = "\nuser\n<tool_response>\n4\n</tool_response>{}\nassistant\n"
RULE, ASKED = ("system", "Be brief."), ("user", "1+1?")
CALLED = [("assistant", "<call>"), ("tool", "4")]
ANSWERED = [*CALLED, ("assistant", "It is 4.")]


def pairs(turns):
    return turns and [(turn["role"], turn["content"]) for turn in turns]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (f"{SYSTEM}{USER}{OPEN}", [RULE, ASKED]),
        (USER, [ASKED]),
        (f"{USER}{OPEN}<think>\n\n</think>\n\n", [ASKED]),
        (f"{USER}{OPEN}<think>\n", [ASKED]),  # a thought that the template opens is no turn
        (
            f"<|begin_of_text|>{LLAMA.format(*RULE)}{LLAMA.format(*ASKED)}{LLAMA_OPEN.format('assistant')}",
            [RULE, ASKED],
        ),
        (
            f"<bos>{GEMMA.format(*ASKED)}{GEMMA.format('model', '2')}{GEMMA.format(*ASKED)}<start_of_turn>model\n",
            [ASKED, ("assistant", "2"), ASKED],
        ),
        (f"{USER}{OPEN}It is", [ASKED, ("assistant", "It is")]),
        ("user\n1+1?\nassistant\n", None),
        (f"brief.<|im_end|>\n{USER}{OPEN}", [("user", "brief."), ASKED]),  # its front was cut
        ("<|im_start|>user\n1+1?", [ASKED]),
    ],
)
def test_a_prompt_is_taken_apart_as_far_as_marks_go(text, turns):
    assert pairs(asked_turns(text)) == turns


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (f"<call>{TOLD}It is 4.<|im_end|>\n", ANSWERED),
        ("It is 4.<|im_end|>", ANSWERED[2:]),
        (f"<call>{TOLD}It is", [*CALLED, ("assistant", "It is")]),
        (f"<call>{QWEN}It is 4.", ANSWERED),
        (f"<call><|eom_id|>{LLAMA.format('ipython', '4')}{LLAMA_OPEN.format('assistant')}It is 4.<|eot_id|>", ANSWERED),
        (f"<call>{BARE.format('')}It is 4.", ANSWERED),  # special tokens are gone
        (f"<call>{BARE.format('<tool_response>5</tool_response>')}", [*CALLED, ("tool", "5")]),
        ("<call>\nuser\n<tool_response>\n4\n</tool_response>", CALLED),
        ("It is 4.", None),
        (f"It is 4.<|im_end|>\n{USER}<|im_start|>assistant\nIt is 2.", None),  # the policy writes a user's turn
        ("<call>\n<tool_response>\n4\n</tool_response>\nIt is 4.", None),  # the policy answers itself
        ("The user\n\nuser\nsays <tool_response>4</tool_response>\nassistant\n", None),
    ],
)
def test_an_answer_between_tools_is_taken_apart_and_another_stays(text, turns):
    assert pairs(said_turns(text)) == turns


@pytest.mark.parametrize(
    "text",
    [
        "<tool_response>4</tool_response>" * 3000 + "x",
        "\nuser\n" + "<tool_response>" * 5000,
        "\nuser\n<tool_response>4</tool_response>" * 3000 + "x",
        "<|im_end|>" * 5000,
    ],
    ids=range(4),
)
def test_hostile_texts_are_read_at_once(text):
    said_turns(text), asked_turns(text)  # a backtracking pattern would not come back
