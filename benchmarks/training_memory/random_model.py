"""A model of Qwen3-0.6B's shape with random weights, written as a checkpoint: no weights have to be downloaded.

Its tokenizer is the embedded policy's, of single characters; the vocabulary of the network stays Qwen3's, because its
logits are much of what a step takes.
"""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from evotrainer.config import EmbeddedPolicyConfig
from evotrainer.engines.tiny.creation import create_policy

ALPHABET = "\n" + "".join(map(chr, range(32, 127)))
QWEN3_06B = {
    "vocab_size": 151_936,
    "hidden_size": 1024,
    "intermediate_size": 3072,
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "max_position_embeddings": 40_960,
    "rope_theta": 1_000_000.0,
    "tie_word_embeddings": True,
}


def write_random_model(out: Path, seed: int = 0) -> None:
    """Write the checkpoint in bfloat16, with a tokenizer and a chat template."""
    torch.manual_seed(seed)
    torch.set_default_dtype(torch.bfloat16)
    Qwen3ForCausalLM(Qwen3Config(**QWEN3_06B)).save_pretrained(out)
    torch.set_default_dtype(torch.float32)
    with TemporaryDirectory() as folder:
        create_policy(Path(folder) / "tiny", EmbeddedPolicyConfig(), ALPHABET, seed)
        stops = json.loads((Path(folder) / "tiny" / "config.json").read_text())["eos_token_id"]
        for file in (Path(folder) / "tiny").iterdir():
            if file.name.startswith(("tokenizer", "chat_template", "special_tokens")):
                shutil.copy(file, out / file.name)
    config = json.loads((out / "config.json").read_text()) | {"eos_token_id": stops}
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n")
