"""Texts and their bytes: UTF-8, with bytes that are none kept as surrogates; and the ids that git gives to files."""

import hashlib


def blob_id(text: str) -> str:
    """Return the id of a file's text (the git book, chapter 10.2)."""
    data = encode(text)
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data)).hexdigest()


def encode(text: str) -> bytes:
    """Return a file's bytes."""
    return text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """Return a file's text; `encode` gives the same bytes back."""
    return data.decode("utf-8", "surrogateescape")


def is_text(text: str) -> bool:
    """Return whether a text has bytes at all: half of a surrogate pair, which JSON can write, has none."""
    try:
        encode(text)
    except UnicodeEncodeError:
        return False
    return True
