"""Which split a problem belongs to: a cryptographic hash of its canonical form, cut into shares.

A linear hash would correlate with the problem (it once put every sum that ends in 0 into one split); SHA-256 does not.
"""

import hashlib

SEALED_SPLIT = "test"
"""Read once, by the certify stage (sealed.py)."""

OWN_SHARES = {"train": 0.6, "probe": 0.1, "validation": 0.15, "test": 0.15}
"""Of a person's own file."""


def split_of(canonical: str, shares: dict[str, float]) -> str:
    """Return the name of the split that `canonical` falls into; `shares` sum to 1."""
    point = int.from_bytes(hashlib.sha256(canonical.encode()).digest()[:8], "big") / 2**64
    for name, share in shares.items():
        point -= share
        if point < 0:
            return name
    return list(shares)[-1]
