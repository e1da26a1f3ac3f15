"""Whether a server runs this policy's kind of model: its name, vocabulary, tokenizer and chat template.

The server's tokenizer and template are never used: prompts are token ids, and so are completions. That they are equal
says that the ids mean the same there. Weights are the canary's matter.
"""

from pathlib import Path
from typing import Any

import numpy as np

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.model_files import NAMES, read_size
from evotrainer.engines.vllm import completions
from evotrainer.engines.vllm.client import ServerClient
from evotrainer.errors import PolicyError
from evotrainer.records import Message

PROBE_TOKENS = 24
_DATED = "strftime_now"
"""What a template that writes today's date calls: its text differs by design (codec.py)."""


def find_model(client: ServerClient, wanted: str) -> tuple[str, int]:
    """Return the served name of the model, and how many tokens prompt and completion may have together."""
    models = client.call("/v1/models", method="GET").get("data", [])
    roots = [model for model in models if not model.get("parent")]
    names = [model["id"] for model in roots]
    if wanted and wanted not in names:
        raise PolicyError(
            f"the server at {client.url} has no model '{wanted}', but {', '.join(names) or 'none'}: "
            "correct engine.vllm.model"
        )
    if not wanted and len(names) != 1:
        raise PolicyError(
            f"the server at {client.url} serves {', '.join(names) or 'no model'}: name one with engine.vllm.model"
        )
    model = roots[names.index(wanted)] if wanted else roots[0]
    return model["id"], int(model.get("max_model_len") or 2**31)


def check_vocabulary(client: ServerClient, model: str, codec: HfChatCodec, path: Path) -> None:
    """Raise PolicyError unless the server knows exactly the ids of the policy at `path`."""
    in_model = read_size(path, read_model_config(path), NAMES["vocabulary"]) or 0
    size = max(in_model, 1 + max(codec.tokenizer.get_vocab(with_added_tokens=True).values()))
    if not _knows(client, model, size - 1) or _knows(client, model, size):
        raise PolicyError(f"the server at {client.url} has another vocabulary than {path} ({size} ids): {_REMEDY}")


def check_tokenizer(client: ServerClient, model: str, codec: HfChatCodec, path: Path) -> None:
    """Raise PolicyError unless a probe text has the same ids here and there, alone and in the chat template."""
    text = _probe_text(codec)
    own = codec.tokenizer.encode(text, add_special_tokens=False).ids
    asked: dict[str, Any] = {"model": model, "prompt": text, "add_special_tokens": False}
    if client.call("/tokenize", asked)["tokens"] != own:
        raise PolicyError(f"the server at {client.url} has another tokenizer than {path}: {_REMEDY}")
    if _has_dated_template(path):
        return
    asked = {"model": model, "messages": [{"role": "user", "content": text}], "add_generation_prompt": True}
    if client.call("/tokenize", asked)["tokens"] != codec.encode([Message(role="user", content=text)]):
        raise PolicyError(f"the server at {client.url} has another chat template than {path}: {_REMEDY}")


_REMEDY = "start it with --model of this campaign's policy, or let engine.vllm.python start one"


def _knows(client: ServerClient, model: str, token: int) -> bool:
    """Tell whether an id is the model's, by a bias of 0 for it: the server compares that with the vocabulary at once.

    As a prompt the id may pass its checks and end the program on a GPU: where the tokenizer is as large as the network,
    vLLM 0.24 lets the first id beyond both through.
    """
    body = completions.request(model, [0], completions.SamplingParams(1), 0, ()) | {"logit_bias": {str(token): 0.0}}
    try:
        client.call(completions.PATH, body)
    except PolicyError as error:
        if "vocab" in str(error):
            return False
        raise
    return True


def _probe_text(codec: HfChatCodec) -> str:
    """Return text of tokens that are printable on their own: any tokenizer reads it, and it spans the vocabulary."""
    size = codec.tokenizer.get_vocab_size(with_added_tokens=False)
    special = set(codec.special.values())
    found: list[str] = []
    for token in np.random.default_rng(0).permutation(size)[: 50 * PROBE_TOKENS].tolist():
        text = codec.tokenizer.decode([token], skip_special_tokens=True)
        if text and text.isascii() and text.isprintable() and not text.isspace() and text not in special:
            found.append(text)
    return "".join(found[:PROBE_TOKENS]).strip()


def _has_dated_template(path: Path) -> bool:
    files = [path / name for name in ("chat_template.jinja", "tokenizer_config.json")]
    return any(_DATED in file.read_text(encoding="utf-8") for file in files if file.is_file())
