"""Token ids of texts: as they were sampled, and as another encoding of the same text gives them."""

import re
from random import Random
from zlib import crc32


def pieces(text: str) -> list[str]:
    """Words, blanks before them, and marks."""
    return re.findall(r" ?\w+|[^\w\s]|\s", text)


def ident(piece: str) -> int:
    """A stable id of a piece."""
    return crc32(piece.encode()) % 151000 + 10


def sampled(rng: Random, text: str) -> list[int]:
    """Ids as a sampler drew them: some words in two parts, marks one by one."""
    ids: list[int] = []
    for piece in pieces(text):
        if len(piece) > 5 and rng.random() < 0.12:
            cut = rng.randint(2, len(piece) - 2)
            ids += [ident(piece[:cut]), ident(piece[cut:])]
        else:
            ids.append(ident(piece))
    return ids


def encoded(text: str) -> list[int]:
    """Ids as a tokenizer writes the text anew: words whole, neighbouring marks merged."""
    merged: list[str] = []
    for piece in pieces(text):
        if (
            merged
            and not re.match(r" ?\w", piece)
            and re.fullmatch(r"[^\w\s]{1,2}", merged[-1])
            and not piece.isspace()
        ):
            merged[-1] += piece
        else:
            merged.append(piece)
    return [ident(piece) for piece in merged]
