"""An untrained embedded policy: a tiny Llama over characters, as a Hugging Face directory that transformers loads too.

Each character and each tag is one token: with a vocabulary of a hundred a policy of 0.1M parameters learns in seconds.
A character outside the alphabet becomes <unk>, which the codec refuses. Weights are drawn with standard deviation
1/sqrt(fan-in): Llama's 0.02 is tuned for thousands of units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from evotrainer.campaign.documents import write_json_atomic
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.engines.tiny.llama import Llama, LlamaShape
from evotrainer.engines.tiny.policy import write_weights

PAD, UNKNOWN, END = "<pad>", "<unk>", "<|end|>"
ROLES = ("system", "user", "assistant", "tool")
MAX_POSITIONS = 1024
CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@dataclass
class EmbeddedPolicyConfig:
    """Shape of a policy of the embedded kind. The defaults are those of the embedded ones."""

    hidden_size: int = 64
    num_layers: int = 2
    num_heads: int = 4
    tie_embeddings: bool = False
    """Read tokens in with the vectors that write them out: what is copied from a context is learned sooner."""
    rope_theta: float = 10_000.0
    """Base of the rotary embeddings: a lower one separates near positions better and reaches less far."""


def create_policy(out: Path, config: EmbeddedPolicyConfig, alphabet: str, seed: int, tags: Sequence[str] = ()) -> str:
    """Write an untrained policy whose vocabulary is `alphabet` and `tags`, one token each; return its hash.

    Equal arguments give equal bytes. `tags` are ordinary text to the codec: decoding shows them.
    """
    tokenizer = _build_tokenizer(alphabet, tags)
    values = _build_config(config, tokenizer.get_vocab_size())
    model = Llama(LlamaShape.from_config(values))
    _draw_weights(model, seed)
    out.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(out / "tokenizer.json"))
    write_json_atomic(out / "config.json", values, indent=2)
    _write_json(out / "generation_config.json", {"eos_token_id": values["eos_token_id"], "pad_token_id": 0})
    _write_json(
        out / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "chat_template": CHAT_TEMPLATE,
            "eos_token": END,
            "pad_token": PAD,
            "unk_token": UNKNOWN,
            "clean_up_tokenization_spaces": False,
            "model_max_length": MAX_POSITIONS,
            "padding_side": "left",
        },
    )
    write_weights(model, out / "model.safetensors")
    return policy_hash(out)


def _build_tokenizer(alphabet: str, tags: Sequence[str]) -> Tokenizer:
    special = [PAD, UNKNOWN, END, *(f"<|{role}|>" for role in ROLES)]
    vocabulary = {token: index for index, token in enumerate([*special, *tags, *sorted(set(alphabet))])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    tokenizer.decoder = decoders.Fuse()
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    tokenizer.add_tokens([AddedToken(tag, special=False, normalized=False) for tag in tags])
    return tokenizer


def _build_config(config: EmbeddedPolicyConfig, vocab_size: int) -> dict:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": vocab_size,
        "hidden_size": config.hidden_size,
        "intermediate_size": -(-config.hidden_size * 8 // 3 // 16) * 16,
        "num_hidden_layers": config.num_layers,
        "num_attention_heads": config.num_heads,
        "num_key_value_heads": config.num_heads,
        "head_dim": config.hidden_size // config.num_heads,
        "hidden_act": "silu",
        "rms_norm_eps": 1e-6,
        "rope_parameters": {"rope_type": "default", "rope_theta": config.rope_theta},
        "max_position_embeddings": MAX_POSITIONS,
        "tie_word_embeddings": config.tie_embeddings,
        "attention_bias": False,
        "mlp_bias": False,
        "bos_token_id": None,
        "eos_token_id": 2,
        "pad_token_id": 0,
        "dtype": "float32",
    }


def _draw_weights(model: Llama, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    for weight in model.parameters():
        if weight.dim() == 2:
            torch.nn.init.normal_(weight, std=weight.shape[1] ** -0.5, generator=generator)


def _write_json(path: Path, values: dict) -> None:
    write_json_atomic(path, values, indent=2)
