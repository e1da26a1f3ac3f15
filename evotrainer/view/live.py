"""What a page shows now: read at once, judged beside the server, and read again where the files changed."""

import threading
import time

from evotrainer.diagnosis.conditions import ENDED
from evotrainer.view.sources import CampaignSource, FilesSource, Seen

LOOK_SECONDS = 2.0
"""Between two looks at the files."""
REST = 2
"""Times as long as a reading took, the next one waits: a folder that grows must not take a whole processor."""


class Live:
    """A source, what it holds now, and a thread that keeps that fresh."""

    def __init__(self, source: FilesSource | CampaignSource) -> None:
        """Read the source once; raises EvidenceError where nothing in it can be read."""
        self.source, self.problem = source, ""
        self._signature: object = source.signature()
        self.seen, self._judge = source.look()
        self.revision = 1
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def start(self) -> None:
        """Judge what was read, and follow the files, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread: an interpreter that ends while it is in the database would abort."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _follow(self) -> None:
        ENDED.set(self._ended)
        while not self._ended.is_set():
            started = time.monotonic()
            try:
                self.look()
            except Exception as error:  # a file that is being written, or a fault of a check: what was read stays
                self.problem, self._signature = f"shown as it was read before: {error}", None
            self._ended.wait(max(LOOK_SECONDS, REST * (time.monotonic() - started)))

    def look(self) -> None:
        """Judge what was not judged yet; read anew where the files changed."""
        judge, self._judge = self._judge, None
        if judge is not None:
            self._show(judge())
        signature = self.source.signature()
        if signature != self._signature:
            seen, judge = self.source.look()
            self._show(seen if judge is None else judge())
            self._signature, self.problem = signature, ""

    def _show(self, seen: Seen) -> None:
        self.seen = seen
        self.revision += 1
