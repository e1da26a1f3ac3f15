"""Batches of attempts that a stage has finished: kept until it ends, so that one which was cut short goes on there.

    scratch/attempts/v003.evaluate/<key>.jsonl    the rows of one batch

The key is a hash of all that the rows follow from: policy, problems, attempts, seeds, limits, and the code of this
package. A batch with an attempt that was lost is not kept, since another try may bring it.
"""

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evotrainer.campaign.documents import write_atomic
from evotrainer.records import Trajectory


@dataclass
class KeptBatches:
    """The batches of the stage that this process runs; without a folder nothing is kept."""

    folder: Path | None = None

    def rows(self, asked: object, play: Callable[[], list[Trajectory]]) -> list[Trajectory]:
        """Return the rows of a batch: those of an earlier process, else what `play` gives.

        Args:
            asked: all that the rows follow from, with a `repr` of its own.
            play: makes the attempts.

        """
        if self.folder is None:
            return play()
        key = hashlib.sha256(f"{_code()} {asked!r}".encode(errors="surrogatepass")).hexdigest()
        path = self.folder / f"{key}.jsonl"
        if path.is_file():
            return [Trajectory.model_validate_json(line) for line in path.read_text(encoding="utf-8").split("\n")]
        rows = play()
        if all(row.error is None for row in rows):
            write_atomic(path, "\n".join(row.model_dump_json() for row in rows))
        return rows

    def drop(self) -> None:
        """Forget all batches: the stage has ended."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


@cache
def kept_batches() -> KeptBatches:
    """Return the batches that this process keeps."""
    return KeptBatches()


@cache
def _code() -> str:
    """Return a hash of this package's sources: a grader that was edited grades all attempts again."""
    root = Path(__file__).parents[1]
    sources = sorted(root.rglob("*.py"))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
