"""Directories of random-weight models: Qwen3, Gemma, GPT-NeoX, Llama, each with a tokenizer of its family's kind.

Qwen3 has byte-level BPE with ChatML and reasoning that is cut from earlier turns. Gemma has SentencePiece-like BPE with
byte fallback, a BOS token and a refused system role. GPT-NeoX has byte-level BPE, role headers and one end token.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from evotrainer.config import Config
from evotrainer.training import train
from evotrainer.training.base import FitResult, TrainingRun
from tests.plain_records import plain_problem

CORPUS = ["what is 12 + 30? <answer>42</answer> the sum of both, naturally. user assistant model system think"] * 4

QWEN = """{%- if messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(last=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if message.role == 'user' and ns.last == messages|length - 1 %}{%- set ns.last = index %}{%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- elif message.role == 'assistant' %}
        {%- set content = message.content %}
        {%- if '</think>' in content and loop.index0 < ns.last %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {{- '<|im_start|>assistant\\n' + content }}
        {%- for call in message.tool_calls or [] %}
            {{- '\\n<tool_call>\\n' + (call.function | tojson) + '\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == 'tool' %}
        {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

GEMMA = """{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
{%- for message in messages %}
{%- if message['role'] == 'assistant' %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}
{{- '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}"""

NEOX = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] + eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)

SHAPE = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 256,
    "initializer_range": 0.1,
}


def byte_tokenizer(special: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer


def piece_tokenizer(special: list[str]) -> Tokenizer:
    pieces = [
        *special,
        *(f"<0x{byte:02X}>" for byte in range(256)),
        "▁",
        *"abcdefghijklmnopqrstuvwxyz0123456789?+<>/,.",
    ]
    tokenizer = Tokenizer(models.BPE({piece: index for index, piece in enumerate(pieces)}, [], byte_fallback=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return tokenizer


def save_model(path: Path, tokenizer: Tokenizer, template: str, model: str, config: str, **special: str) -> None:
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)
    fast.chat_template = template
    fast.save_pretrained(path)
    torch.manual_seed(0)
    settings = getattr(transformers, config)(
        vocab_size=tokenizer.get_vocab_size(),
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
        bos_token_id=fast.bos_token_id,
        **SHAPE,
    )
    if config == "Gemma3TextConfig":
        settings.num_key_value_heads, settings.head_dim, settings.query_pre_attn_scalar = 2, 8, 8
        settings.sliding_window, settings.layer_types = 16, ["sliding_attention", "full_attention"]
    if config == "Qwen3Config":
        settings.num_key_value_heads, settings.head_dim = 2, 8
    getattr(transformers, model)(settings).save_pretrained(path)


def qwen(path: Path) -> None:
    tokenizer = byte_tokenizer(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    save_model(
        path, tokenizer, QWEN, "Qwen3ForCausalLM", "Qwen3Config", eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )


def gemma(path: Path) -> None:
    tokenizer = piece_tokenizer(["<pad>", "<eos>", "<bos>", "<start_of_turn>", "<end_of_turn>"])
    save_model(
        path,
        tokenizer,
        GEMMA,
        "Gemma3ForCausalLM",
        "Gemma3TextConfig",
        eos_token="<end_of_turn>",
        pad_token="<pad>",
        bos_token="<bos>",
    )


def neox(path: Path) -> None:
    tokenizer = byte_tokenizer(["<|endoftext|>"])
    save_model(
        path,
        tokenizer,
        NEOX,
        "GPTNeoXForCausalLM",
        "GPTNeoXConfig",
        eos_token="<|endoftext|>",
        pad_token="<|endoftext|>",
    )


def llama(path: Path) -> None:
    """A Llama that is no embedded policy: transformers runs it too."""
    tokenizer = byte_tokenizer(["<|endoftext|>"])
    save_model(
        path, tokenizer, NEOX, "LlamaForCausalLM", "LlamaConfig", eos_token="<|endoftext|>", pad_token="<|endoftext|>"
    )


FAMILIES = {"qwen3": qwen, "gemma": gemma, "gpt_neox": neox, "llama": llama}


def edit_config(folder: Path, **values: Any) -> None:
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(settings | values))


def small_campaign(path: Path | str, **engine: object) -> Config:
    """Return the configuration of two short steps of training on such a model."""
    config = Config()
    config.policy.path, config.engine = str(path), replace(config.engine, device="cpu", **engine)
    config.sampling.max_response_tokens, config.sampling.group_size, config.sampling.problems_per_step = 12, 4, 3
    config.budget.max_steps, config.algorithm.num_minibatches = 2, 2
    config.reward.length_penalty = 1.0  # a random policy never answers right: length gives its groups some spread
    return config


def train_on_sums(config: Config, start: Path, out: Path) -> FitResult:
    problems = [plain_problem(f"p{index}", f"what is {index} + 1?", str(index + 1), family="add") for index in range(6)]
    names = {"campaign": "c", "version": "v001", "seed": 1, "pass_rates": {}}
    return train(TrainingRun(config, start, problems, out, scratch=out / "scratch", **names))
