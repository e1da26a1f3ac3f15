"""The plain Llama computes what transformers' does: logits, gradients, and decoding with a cache."""

import json
import os
import time
from pathlib import Path

import pytest
import torch
import transformers
from transformers import AutoModelForCausalLM, AutoTokenizer

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from evotrainer.engines import checkpoint
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.llama import Llama, LlamaShape, is_plain_llama
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.errors import DataError, PolicyError
from evotrainer.records import Message, ToolCall

VARIANTS = {
    "plain": {},
    "tied": {
        "tie_word_embeddings": True,
        "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_type": "default", "rope_theta": 5e5},
    },
}


def _reference(**options) -> "transformers.LlamaForCausalLM":
    torch.manual_seed(0)
    shape = {
        "vocab_size": 37,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 64,
    }
    config = transformers.LlamaConfig(initializer_range=0.2, **shape, **options)
    return transformers.LlamaForCausalLM(config).eval()


def _ours(reference: "transformers.LlamaForCausalLM") -> Llama:
    config = reference.config.to_dict()
    assert is_plain_llama(config)
    model = Llama(LlamaShape.from_config(config))
    model.load_state_dict(reference.state_dict())
    return model


@pytest.fixture(params=VARIANTS)
def pair(request: pytest.FixtureRequest) -> "tuple[transformers.LlamaForCausalLM, Llama]":
    prepare_torch(1)
    reference = _reference(**VARIANTS[request.param])
    return reference, _ours(reference)


def test_logits_and_gradients_are_those_of_transformers(pair):
    reference, ours = pair
    ids = torch.randint(0, 37, (5, 20), generator=torch.Generator().manual_seed(1))
    weights = torch.randn(5, 20, 37, generator=torch.Generator().manual_seed(2))
    theirs, own = reference(ids).logits, ours(ids)
    torch.testing.assert_close(own, theirs, atol=1e-5, rtol=0)
    (theirs.log_softmax(-1) * weights).sum().backward()
    (own.log_softmax(-1) * weights).sum().backward()
    gradients = dict(reference.named_parameters())
    for name, parameter in ours.named_parameters():
        torch.testing.assert_close(parameter.grad, gradients[name].grad, atol=1e-4, rtol=1e-5, msg=name)


def test_a_saved_llama_is_loaded_by_transformers_and_by_us(tmp_path: Path):
    _reference(tie_word_embeddings=True).save_pretrained(tmp_path / "source")
    (tmp_path / "source" / "tokenizer_config.json").write_text('{"chat_template": "x", "eos_token": "a"}')
    _write_tokenizer(tmp_path / "source")
    policy = EmbeddedPolicy.load(tmp_path / "source")
    saved = policy.save(tmp_path / "saved")
    assert saved == policy_hash(tmp_path / "saved") == EmbeddedPolicy.load(tmp_path / "saved").policy_id
    ids = torch.arange(10)[None]
    theirs = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "saved")(ids).logits
    torch.testing.assert_close(policy.logits(ids), theirs, atol=1e-5, rtol=0)


def _write_tokenizer(path: Path) -> None:
    from tokenizers import Tokenizer, models

    Tokenizer(models.WordLevel({"a": 0, "b": 1}, unk_token="b")).save(str(path / "tokenizer.json"))


@pytest.mark.parametrize(
    "change",
    [
        {"model_type": "qwen3"},
        {"hidden_act": "gelu"},
        {"attention_dropout": 0.1},
        {"rope_parameters": {"rope_type": "llama3", "factor": 8.0}},
        {"quantization_config": {"bits": 4}},
        {"num_key_value_heads": 1},
        {"attention_bias": True},
    ],
)
def test_what_this_module_does_not_compute_is_no_embedded_policy(change, digit_policy: Path, tmp_path: Path):
    assert not is_plain_llama({"model_type": "llama", "hidden_act": "silu"} | change)
    EmbeddedPolicy.load(digit_policy).save(tmp_path / "other")
    config = tmp_path / "other" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | change))
    with pytest.raises(PolicyError, match="no embedded policy: name its directory in policy.path"):
        EmbeddedPolicy.load(tmp_path / "other")


def test_a_corrupt_checkpoint_is_refused_by_name(digit_policy: Path, tmp_path: Path):
    policy = EmbeddedPolicy.load(digit_policy)
    policy.save(tmp_path / "cut")
    weights = tmp_path / "cut" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-200])
    with pytest.raises(PolicyError, match="cut"):
        EmbeddedPolicy.load(tmp_path / "cut")
    with pytest.raises(PolicyError, match="no config.json"):
        EmbeddedPolicy.load(tmp_path)


ALPHABET = 'abcdefghijklmnopqrstuvwxyz 0123456789+=?\n{}":_,.'
CONFIG = EmbeddedPolicyConfig(hidden_size=16, num_heads=2, num_layers=1)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tiny") / "policy"
    create_policy(out, CONFIG, ALPHABET, 3, ("<answer>", "</answer>", "<tool_call>", "</tool_call>"))
    return out


def _user(text: str) -> Message:
    return Message(role="user", content=text)


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


WAIT_SECONDS = 2 * checkpoint._TIMES_TELL_NS / 1e9


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.safetensors").write_bytes(b"first")
    (tmp_path / "config.json").write_text("{}")
    return tmp_path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were opened."""
    opened, open_file = [], Path.open

    def noted(path: Path, *arguments: object, **named: object) -> object:
        opened.append(path.name)
        return open_file(path, *arguments, **named)  # pyright: ignore[reportCallIssue, reportArgumentType]

    monkeypatch.setattr(Path, "open", noted)
    return opened


def test_a_directory_that_stood_still_is_read_once(folder: Path, reads: list[str]) -> None:
    time.sleep(WAIT_SECONDS)  # its times must lie behind the first reading for a change to show in them
    assert policy_hash(folder) == policy_hash(folder)
    assert sorted(reads) == ["config.json", "model.safetensors"]


def test_weights_of_equal_length_that_are_written_at_once_are_seen(folder: Path) -> None:
    found = {policy_hash(folder)}
    for number in range(50):
        (folder / "model.safetensors").write_bytes(b"%05d" % number)
        found.add(policy_hash(folder))
    assert len(found) == 51


@pytest.mark.parametrize("back", [True, False])
def test_weights_that_are_written_later_are_seen_also_with_the_earlier_time(folder: Path, back: bool) -> None:
    time.sleep(WAIT_SECONDS)  # as above
    first, times = policy_hash(folder), (folder / "model.safetensors").stat()
    (folder / "model.safetensors").write_bytes(b"other")
    if back:
        os.utime(folder / "model.safetensors", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert policy_hash(folder) != first


def test_a_file_that_comes_or_goes_is_seen(folder: Path) -> None:
    time.sleep(WAIT_SECONDS)  # as above
    first = policy_hash(folder)
    (folder / "extra.json").write_text("")
    assert policy_hash(folder) != first
    (folder / "extra.json").unlink()
    (folder / ".hidden").write_text("no part of it")
    assert policy_hash(folder) == first
