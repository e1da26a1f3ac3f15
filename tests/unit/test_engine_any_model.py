"""Any local Hugging Face causal language model runs and trains: random-weight Qwen3, Gemma, GPT-NeoX and Llama."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import DataError, PolicyError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals, read_tokens
from evotrainer.records import Message
from tests.model_directories import FAMILIES, neox, save_model, small_campaign, train_on_sums

pytestmark = pytest.mark.parts

CHATS = [
    [Message(role="user", content="what is 12 + 30?")],
    [
        Message(role="user", content="a\nb  é"),
        Message(role="assistant", content="<think>c</think>d"),
        Message(role="user", content="and now"),
    ],
]


@pytest.fixture(scope="module", params=FAMILIES)
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("any") / request.param
    FAMILIES[request.param](out)
    return out


@pytest.mark.parametrize("chat", CHATS, ids=["question", "dialogue"])
def test_the_prompt_is_what_transformers_makes_of_it(path: Path, chat: list[Message]):
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    values = [{"role": message.role, "content": message.content} for message in chat]
    theirs = tokenizer.apply_chat_template(values, add_generation_prompt=True, tokenize=True)["input_ids"]
    assert TransformersPolicy.load(path).codec.encode(chat) == theirs


def test_greedy_decoding_with_a_cache_is_the_argmax_of_whole_sequences(path: Path):
    """Prompts of unlike length share a batch, so that rows are padded and dropped on the way."""
    engine = create_rollout_engine(small_campaign(path), path)
    prompts = [engine.codec.encode([Message(role="user", content="what is " * count)]) for count in (1, 7, 3)]
    policy = TransformersPolicy.load(path)
    for prompt, completion in zip(prompts, engine.generate(prompts, SamplingParams(12, 0.0), [0] * 3), strict=True):
        assert 0 < len(completion.token_ids) <= 12
        ids = list(prompt)
        for token, logprob in zip(completion.token_ids, completion.logprobs, strict=True):
            with torch.no_grad():
                expected = policy.logits(torch.tensor([ids]))[0, -1].log_softmax(-1)
            assert token == int(expected.argmax())
            assert logprob == pytest.approx(float(expected.max()), abs=1e-5)
            ids.append(token)


def test_the_prompt_of_a_group_is_read_once_and_each_attempt_is_drawn_as_alone(path: Path):
    engine = TorchRolloutEngine(TransformersPolicy.load(path))
    seen: list[int] = []
    network: Any = engine.policy.model
    network.get_input_embeddings().register_forward_pre_hook(lambda layer, given: seen.append(len(given[0])))
    prompts = [engine.codec.encode([Message(role="user", content="what is " * count)]) for count in (3, 3, 1, 3, 1)]
    drawn = engine.generate(prompts, SamplingParams(24), range(5))
    assert seen[0] == 2 and max(seen[1:]) > 2
    for seed, prompt in enumerate(prompts):
        (alone,) = engine.generate([prompt], SamplingParams(24), [seed])
        assert alone.token_ids == drawn[seed].token_ids
        assert alone.logprobs == pytest.approx(drawn[seed].logprobs, abs=1e-5)


def test_a_checkpoint_runs_in_its_own_dtype_and_trains_in_float32(path: Path, tmp_path: Path):
    transformers.AutoModelForCausalLM.from_pretrained(path, dtype=torch.bfloat16).save_pretrained(tmp_path / "half")
    for file in path.iterdir():
        if not (tmp_path / "half" / file.name).exists():
            shutil.copy(file, tmp_path / "half")
    assert next(TransformersPolicy.load(tmp_path / "half").model.parameters()).dtype == torch.bfloat16
    config = small_campaign(tmp_path / "half")
    result = train_on_sums(config, tmp_path / "half", tmp_path / "out")
    trained = TransformersPolicy.load(result.model_path)
    assert next(trained.model.parameters()).dtype == torch.float32
    assert TorchRolloutEngine(trained).policy_id == result.policy_hash == trained.policy_id


def test_a_next_turn_continues_the_ids_before_it(path: Path):
    codec = TransformersPolicy.load(path).codec
    prompt = codec.encode(CHATS[0])
    reply = [Message(role="user", content="again")]
    sampled = [20, 21, 22, codec.stop_ids[0]]
    following = codec.extend(prompt, sampled, reply)
    assert following[: len(prompt) + 4] == prompt + sampled
    assert codec.extend(prompt, sampled[:-1], reply) == following  # a cut answer is closed
    text = codec.tokenizer.decode(following[len(prompt) + 4 :], skip_special_tokens=False)
    assert "again" in text and text.strip().endswith(("assistant", "model", "<|assistant|>"))


def test_it_trains_and_transformers_loads_the_result(path: Path, tmp_path: Path):
    result = train_on_sums(small_campaign(path), path, tmp_path / "out")
    trained, start = TransformersPolicy.load(result.model_path), TransformersPolicy.load(path)
    assert result.num_steps == 2
    assert trained.policy_id != start.policy_id
    ids = torch.tensor([[5, 6, 7, 8]])
    assert not torch.equal(trained.logits(ids), start.logits(ids))
    rows = list(Rows.read(tmp_path / "out" / "training"))
    assert len(rows) == 2 * 3 * 4 and len(read_tokens(tmp_path / "out" / "training")) == len(rows)
    signals = read_signals(tmp_path / "out" / "training")
    assert all(abs(signal.mean_ratio - 1) < 0.2 for signal in signals)
    assert max(signal.grad_norm for signal in signals) > 0
    codec = transformers.AutoTokenizer.from_pretrained(result.model_path)
    assert codec.chat_template == transformers.AutoTokenizer.from_pretrained(path).chat_template


def test_a_directory_without_chat_template_is_refused_and_the_one_that_is_named_will_do(tmp_path: Path):
    neox(tmp_path / "neox")
    (tmp_path / "neox" / "chat_template.jinja").unlink()
    with pytest.raises(PolicyError, match="no chat template: add .* takes any, like {% for") as caught:
        TransformersPolicy.load(tmp_path / "neox")
    (tmp_path / "neox" / "chat_template.jinja").write_text(str(caught.value).partition("takes any, like ")[2])
    codec = TransformersPolicy.load(tmp_path / "neox").codec
    assert codec.template.end_of_turn() == "<|endoftext|> "
    assert codec.tokenizer.decode(codec.encode(CHATS[0][:1])).endswith("assistant: ")


def test_a_vocabulary_without_a_character_is_an_error(tmp_path: Path):
    tokenizer = Tokenizer(models.WordLevel({"<|endoftext|>": 0, "what": 1, "is": 2}, unk_token=None))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(["<|endoftext|>"])
    save_model(
        tmp_path / "words",
        tokenizer,
        "{{ messages[0].content }}",
        "GPTNeoXForCausalLM",
        "GPTNeoXConfig",
        eos_token="<|endoftext|>",
    )
    codec = TransformersPolicy.load(tmp_path / "words").codec
    assert codec.encode([Message(role="user", content="what is")]) == [1, 2]
    with pytest.raises(DataError, match="'what is q'.*UNK"):
        codec.encode([Message(role="user", content="what is q")])
