"""Models of Qwen3's shapes with random weights, written as checkpoints: no weights have to be downloaded.

Their tokenizer is the embedded policy's, of single characters; the vocabulary of the network stays Qwen3's, because its
logits are much of what a step takes.
"""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy

ALPHABET = "\n" + "".join(map(chr, range(32, 127)))
QWEN3: dict[str, Any] = {
    "vocab_size": 151_936,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "max_position_embeddings": 40_960,
    "rope_theta": 1_000_000.0,
    "tie_word_embeddings": True,
}
SHAPES: dict[str, dict[str, Any]] = {
    "0.6b": {"hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28},
    "4b": {"hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36, "num_attention_heads": 32},
}
"""What each size of Qwen3 has of its own."""


def write_random_model(out: Path, size: str = "0.6b", device: str = "cpu", seed: int = 0) -> None:
    """Write the checkpoint in bfloat16, with a tokenizer and a chat template; weights are drawn on `device`."""
    torch.manual_seed(seed)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device(device):
        Qwen3ForCausalLM(Qwen3Config(**QWEN3 | SHAPES[size])).save_pretrained(out)
    torch.set_default_dtype(torch.float32)
    with TemporaryDirectory() as folder:
        create_policy(Path(folder) / "tiny", EmbeddedPolicyConfig(), ALPHABET, seed)
        stops = json.loads((Path(folder) / "tiny" / "config.json").read_text())["eos_token_id"]
        for file in (Path(folder) / "tiny").iterdir():
            if file.name.startswith(("tokenizer", "chat_template", "special_tokens")):
                shutil.copy(file, out / file.name)
    _name_all_ids(out / "tokenizer.json", QWEN3 | SHAPES[size])
    written = json.loads((out / "config.json").read_text()) | {"eos_token_id": stops}
    (out / "config.json").write_text(json.dumps(written, indent=2) + "\n")


def _name_all_ids(file: Path, shape: dict[str, Any]) -> None:
    """Give every id of the network a text, so that whatever is sampled can be read; no text is split into these."""
    tokenizer = json.loads(file.read_text())
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary |= {f"[{number}]": number for number in range(len(vocabulary), shape["vocab_size"])}
    file.write_text(json.dumps(tokenizer))
