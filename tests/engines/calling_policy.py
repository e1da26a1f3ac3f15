"""A tiny policy that calls tools: first a query, and after its result a report with one claim.

Each call is one token, and the last token of a prompt says whose turn it was, so a few steps teach it at any length.
"""

import json
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from tests.reader_rows import claim

END, ASKED, TOLD = "<|end|>", "<|asked|>", "<|told|>"
SPECIAL = [END, ASKED, TOLD, "<|user|>", "<|tool|>"]
TEMPLATE = (
    "{% for one in messages %}{% if one.role in ('user', 'tool') %}<|{{ one.role }}|>"
    "{{ one.content if one.content is string else one.content | map(attribute='text') | join }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}"
    f"{{{{ '{TOLD}' if messages[-1].role == 'tool' else '{ASKED}' }}}}"
    "{% endif %}"
)
MAX_POSITIONS, JUNK, STEPS = 32_768, 64, 60


def call(name: str, **arguments: Any) -> str:
    """Return a call as the Hermes parser reads it."""
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


CALLS = [
    call("query", sql="SELECT trajectory_id, messages FROM all_trajectories"),
    call("report", claims=[claim(severity="warning")]),
]


def make_calling_policy(out: Path) -> Path:
    """Write the policy and its tokenizer, which spells bytes."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytewise = Tokenizer(models.BPE(vocab={one: place for place, one in enumerate([*SPECIAL, *letters])}, merges=[]))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bytewise.decoder = decoders.ByteLevel()
    bytewise.add_special_tokens(SPECIAL)
    bytewise.add_tokens([AddedToken(one, normalized=False) for one in CALLS])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bytewise, eos_token=END, pad_token=END, chat_template=TEMPLATE)
    ids = {one: tokenizer.convert_tokens_to_ids(one) for one in (END, ASKED, TOLD, *CALLS)}

    torch.manual_seed(0)
    shape = {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    model: Any = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            max_position_embeddings=MAX_POSITIONS,
            bos_token_id=None,
            eos_token_id=ids[END],
            pad_token_id=ids[END],
            **shape,
        )
    )
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
    lessons = [[ids[ASKED], ids[CALLS[0]], ids[END]], [ids[TOLD], ids[CALLS[1]], ids[END]]] * 8
    for _ in range(STEPS):
        junk = torch.randint(len(SPECIAL), len(SPECIAL) + len(letters), (len(lessons), JUNK))
        tokens_BT = torch.cat([junk, torch.tensor(lessons)], dim=1)
        labels_BT = tokens_BT.clone()
        labels_BT[:, : JUNK + 1] = -100
        loss = model(input_ids=tokens_BT, labels=labels_BT).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return out
