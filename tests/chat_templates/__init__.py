"""Chat templates in the manner of public model families, and random tokenizers that read them."""

import json
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from evotrainer.actions.tool_call_formats import FORMATS
from evotrainer.engines.codec import HfChatCodec

HERE = Path(__file__).resolve().parent
FAMILIES = tuple(FORMATS)
_CHATML = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
_LLAMA = ["<|begin_of_text|>", "<|eot_id|>", "<|eom_id|>", "<|start_header_id|>", "<|end_header_id|>", "<|python_tag|>"]
_MISTRAL = [
    *["<s>", "</s>", "[INST]", "[/INST]", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]"],
    *["[TOOL_RESULTS]", "[/TOOL_RESULTS]"],
]
SPECIAL = {
    "hermes": (_CHATML, "<|im_end|>", ""),
    "qwen3_coder": (_CHATML, "<|im_end|>", ""),
    "llama3_json": (_LLAMA, "<|eot_id|>", "<|begin_of_text|>"),
    "pythonic": (_LLAMA, "<|eot_id|>", "<|begin_of_text|>"),
    "mistral": (_MISTRAL, "</s>", "<s>"),
}
"""Family -> special tokens, what ends a turn, what begins a text."""


def source(family: str) -> str:
    return (HERE / f"{family}.jinja").read_text(encoding="utf-8")


def tokenizer_of(family: str) -> Tokenizer:
    """A byte-level BPE with a few merges: any text has ids, and lies differently in them than in characters."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=340,
        special_tokens=SPECIAL[family][0],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([source(family)], trainer)
    return tokenizer


def codec_of(family: str, template: str = "", tool_call_format: str = "") -> HfChatCodec:
    tokenizer = tokenizer_of(family)
    _, end, begin = SPECIAL[family]
    special = {"eos_token": end, "bos_token": begin}
    stops = [tokenizer.token_to_id(token) for token in (end, "<|eom_id|>")]
    known = [token for token in stops if token is not None]
    return HfChatCodec(tokenizer, template or source(family), special, known, tool_call_format)


def write_tokenizer(folder: Path, family: str, template: str = "") -> Path:
    """Write what a codec reads of a Hugging Face directory."""
    _, end, begin = SPECIAL[family]
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer_of(family).save(str(folder / "tokenizer.json"))
    values = {"chat_template": template or source(family), "eos_token": end, "bos_token": begin}
    (folder / "tokenizer_config.json").write_text(json.dumps(values), encoding="utf-8")
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return folder
