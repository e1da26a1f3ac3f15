"""What tests of hostile programs share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def public_directory() -> Iterator[Path]:
    """A directory that every user may enter and write, as /tmp is: only the sandbox keeps a program out of it."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o777)
    yield path
    shutil.rmtree(path)
