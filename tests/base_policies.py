"""Embedded policies for tests: one that knows digits, and where a campaign finds its base policy."""

from pathlib import Path

import numpy as np

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.records import Message

LETTERS, DIGITS = "abcdefgh", "0123456789"


def link_base_policy(files: CampaignFiles, policy: Path) -> None:
    """Put an embedded policy where the base_policy stage would have put the campaign's."""
    place = files.policy(Config().policy.name)
    place.parent.mkdir(parents=True)
    place.symlink_to(policy)


def make_digit_policy(root: Path, num_heads: int) -> Path:
    """Write a tiny policy that answers in the right form, with the right digit about half of the time."""
    import torch

    from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
    from evotrainer.engines.policy import prepare_torch
    from evotrainer.engines.tiny.policy import EmbeddedPolicy

    prepare_torch(1)
    shape = EmbeddedPolicyConfig(hidden_size=32, num_heads=num_heads, num_layers=1)
    create_policy(root / "blank", shape, LETTERS + DIGITS, 0, ("<answer>", "</answer>"))
    policy, rng = EmbeddedPolicy.load(root / "blank"), np.random.default_rng(0)
    optimiser = torch.optim.AdamW(policy.model.parameters(), lr=1e-2)
    token = policy.codec.tokenizer.token_to_id
    for _ in range(120):
        asked = rng.integers(0, 10, 64)
        said = np.where(rng.random(64) < 0.5, asked, rng.integers(0, 10, 64))
        rows = [
            policy.codec.encode([Message(role="user", content=f"{''.join(rng.choice(list(LETTERS), 4))}{right}")])
            + [token("<answer>"), token(str(given)), token("</answer>"), token("<|end|>")]
            for right, given in zip(asked, said, strict=True)
        ]
        ids = torch.tensor(rows)
        logits = policy.logits(ids[:, :-1])[:, -4:].flatten(0, 1)
        loss = torch.nn.functional.cross_entropy(logits, ids[:, -4:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    policy.save(root / "digits")
    return root / "digits"
