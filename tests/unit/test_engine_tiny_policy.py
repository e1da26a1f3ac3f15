"""The embedded policy is an ordinary Hugging Face directory, equal for equal arguments; its codec refuses strangers."""

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.errors import DataError
from evotrainer.records import Message, ToolCall

ALPHABET = 'abcdefghijklmnopqrstuvwxyz 0123456789+=?\n{}":_,.'
CONFIG = EmbeddedPolicyConfig(hidden_size=16, num_heads=2, num_layers=1)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tiny") / "policy"
    create_policy(out, CONFIG, ALPHABET, 3, ("<answer>", "</answer>", "<tool_call>", "</tool_call>"))
    return out


def _user(text: str) -> Message:
    return Message(role="user", content=text)


def test_equal_arguments_give_equal_bytes_and_another_seed_does_not(path: Path, tmp_path: Path):
    tags = ("<answer>", "</answer>", "<tool_call>", "</tool_call>")
    assert create_policy(tmp_path / "again", CONFIG, ALPHABET, 3, tags) == policy_hash(path)
    assert create_policy(tmp_path / "other", CONFIG, ALPHABET, 4, tags) != policy_hash(path)


def test_saving_twice_gives_equal_bytes(path: Path, tmp_path: Path):
    policy = EmbeddedPolicy.load(path)
    assert policy.save(tmp_path / "a") == policy.save(tmp_path / "b") == policy_hash(path)


def test_transformers_loads_it_and_agrees(path: Path):
    policy, tokenizer = EmbeddedPolicy.load(path), AutoTokenizer.from_pretrained(path)
    chat = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "what is 1+2?\n"}]
    theirs = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=True)["input_ids"]
    ids = policy.codec.encode([Message(**message) for message in chat])
    assert ids == theirs
    logits = AutoModelForCausalLM.from_pretrained(path)(torch.tensor([ids])).logits
    torch.testing.assert_close(policy.logits(torch.tensor([ids])), logits, atol=1e-5, rtol=0)
    assert tokenizer.decode(ids).endswith("what is 1+2?\n<|end|><|assistant|>")


def test_a_tag_is_one_token_and_is_shown(path: Path):
    codec = EmbeddedPolicy.load(path).codec
    ids = codec.encode([_user("<answer>3</answer>")])
    assert len(ids) == len(codec.encode([_user("3")])) + 2
    said = codec.tokenizer.encode("<answer>3</answer><|end|>", add_special_tokens=False).ids
    assert codec.decode(said).content == "<answer>3</answer>"


def test_an_unknown_character_is_an_error_with_its_place(path: Path):
    with pytest.raises(DataError, match=r"'é' \(U\+00E9\), line 2 "):
        EmbeddedPolicy.load(path).codec.encode([_user("what is\ncafé?")])


def test_a_next_turn_keeps_the_sampled_ids(path: Path):
    codec = EmbeddedPolicy.load(path).codec
    prompt = codec.encode([_user("a")])
    answer = codec.tokenizer.encode("b c", add_special_tokens=False).ids
    end = codec.stop_ids[0]
    reply = Message(role="tool", content="d")
    whole = codec.encode([_user("a"), Message(role="assistant", content="b c"), reply])
    assert codec.extend(prompt, [*answer, end], [reply]) == whole
    assert codec.extend(prompt, answer, [reply]) == whole  # a cut answer is closed
    odd = [7, 7, 7]
    assert codec.extend(prompt, odd, [reply])[: len(prompt) + 3] == prompt + odd


def test_tool_calls_are_parsed_and_malformed_ones_stay_text(path: Path):
    codec = EmbeddedPolicy.load(path).codec

    def decode(text: str) -> Message:
        return codec.decode(codec.tokenizer.encode(text, add_special_tokens=False).ids)

    said = decode('run <tool_call>{"name": "ls", "arguments": {"path": "a"}}</tool_call>')
    assert said.tool_calls == [ToolCall(name="ls", arguments={"path": "a"})]
    assert said.content == "run "
    assert decode("<tool_call>{ls}</tool_call>") == Message(
        role="assistant", content="<tool_call>{ls}</tool_call>", num_tokens=6
    )
