"""Seeds by name: a keyed hash of what a random draw is for, so that no draw depends on the order of work.

Evaluation draws leave the version out of the key and are therefore common to all versions (common random numbers);
retraining changes `replicate`, which no intervention can touch.
"""

import hashlib

SEED_BITS = 63


def derive_seed(campaign_seed: int, purpose: str, *parts: str | int, replicate: int = 0) -> int:
    """Return the seed, in [0, 2**63), of one draw: `purpose` says what for, `parts` name problem, attempt or step."""
    key = "\x1f".join([str(campaign_seed), purpose, *map(str, parts), str(replicate)])
    digest = hashlib.blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> (64 - SEED_BITS)
