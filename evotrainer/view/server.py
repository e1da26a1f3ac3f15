"""The page's server, for this machine alone: static files, and what the page asks as JSON.

What it shows is read at once, judged beside the server, and read again where the files changed.

Rollouts hold text that a policy wrote. The page may run its own script only and load nothing from elsewhere
(Content-Security-Policy), and it sets text as text. Pages of other sites can neither read an answer nor reach the
server under another name (DNS rebinding): the name that is asked for is checked, and where a question comes from.
"""

import re
import socket
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from tokenizers import Tokenizer

from evotrainer.campaign.untrusted import escape
from evotrainer.diagnosis.conditions import ENDED
from evotrainer.errors import EvidenceError, EvoTrainerError
from evotrainer.report.page import TEMPLATES
from evotrainer.view.rows import Question, ShownRows
from evotrainer.view.sources import CampaignSource, FilesSource, Seen

LOOK_SECONDS = 2.0
"""Between two looks at the files."""
REST = 2
"""Times as long as a reading took, the next one waits: a folder that grows must not take a whole processor."""
HOST = "127.0.0.1"
_STATIC = Path(__file__).with_name("static")
_FILES = {path.name: path for path in _STATIC.iterdir()}
_FILES |= {"": _STATIC / "view.html", "report.css": TEMPLATES / "style.css"}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_OWN = ("same-origin", "none")
"""Where a browser says that a question comes from."""


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


Answer = Callable[[Live, dict[str, str]], Any]


def application(live: Live) -> Starlette:
    """Return the server of one page."""
    routes = [Route(f"/{name}", _file(path)) for name, path in _FILES.items()]
    routes += [Route(f"/api/{name}", _answered(live, answer)) for name, answer in _ANSWERS.items()]
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    return Starlette(routes=routes, middleware=[hosts])


def bound(port: int) -> socket.socket:
    """Return a socket of this machine alone on a port; raises EvidenceError where it is taken."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen()  # a browser that comes while rows are read waits
    except OSError as error:
        found.close()
        raise EvidenceError(f"port {port} cannot be used ({error.strerror}): choose another with --port") from None
    return found


def run(live: Live, bound_socket: socket.socket) -> None:
    """Serve until the process is told to end."""
    config = uvicorn.Config(
        application(live), log_level="warning", ws="none", lifespan="off", timeout_graceful_shutdown=1
    )
    live.start()
    try:
        uvicorn.Server(config).run(sockets=[bound_socket])
    finally:
        live.stop()


def _file(path: Path) -> Any:
    return lambda request: FileResponse(path, headers=_HEADERS)


def _answered(live: Live, answer: Answer) -> Any:
    """Return what answers a question as JSON; a question that is refused is a line under `error`."""

    def respond(request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "none") not in _OWN:
            return Response("another site's page asks", 403)
        try:
            found, status = answer(live, dict(request.query_params)), 200
        except EvoTrainerError as error:
            found, status = {"error": " ".join(str(error).split())}, 400
        return Response(orjson.dumps(_escaped(found)), status, _HEADERS, "application/json")

    return respond


def _escaped(value: Any) -> Any:
    """Return plain values whose texts have their hidden and control characters spelled out."""
    if isinstance(value, dict):
        return {str(escape(name)): _escaped(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_escaped(one) for one in value]
    return escape(value)


def _state(live: Live, asked: dict[str, str]) -> dict[str, Any]:
    """Return all that is small: what the page is over, and everything but rows."""
    seen = live.seen
    return {
        "name": live.source.name,
        "is_campaign": isinstance(live.source, CampaignSource),
        "revision": live.revision,
        "problem": live.problem,
        "is_judged": seen.is_judged,
        "num_rows": len(seen.rows.table) if seen.rows is not None else 0,
        "columns": seen.rows.columns() if seen.rows is not None else [],
        "overview": seen.overview,
        "findings": seen.findings,
        "unjudged": seen.unjudged,
        "numbers": seen.numbers,
        "lineage": seen.versions,
    }


def _rows(live: Live, asked: dict[str, str]) -> dict[str, Any]:
    parts = {name: asked.get(name, "") for name in ("words", "where", "step", "version", "finding", "sort")}
    question = Question(**parts, is_descending=asked.get("down") == "1")
    columns = [one for one in asked.get("columns", "").split(",") if one]
    return _shown(live).page(question, _whole(asked.get("offset", "0")), columns)


def _row(live: Live, asked: dict[str, str]) -> dict[str, Any]:
    found = _shown(live).row(asked.get("id", ""))
    tokenizer = live.source.tokenizer
    tokens = live.source.tokens(found)
    for one in tokens:
        one["texts"] = _texts(str(tokenizer), one.get("token_ids")) if tokenizer is not None else None
    if gold := live.source.gold(found["columns"].get("problem_id", "")):
        found["columns"] = {"gold": gold, **found["columns"]}
    return found | {"tokens": tokens}


def _diff(live: Live, asked: dict[str, str]) -> Any:
    if not isinstance(live.source, CampaignSource):
        raise EvidenceError("these rows are of no campaign: there are no versions")
    return live.source.diff(asked.get("first", ""), asked.get("second", ""))


_ANSWERS: dict[str, Answer] = {
    "state": _state,
    "revision": lambda live, asked: {"revision": live.revision, "problem": live.problem},
    "rows": _rows,
    "row": _row,
    "group": lambda live, asked: _shown(live).group(asked.get("id", "")),
    "numbers": lambda live, asked: live.source.numbers(asked.get("version", "")),
    "diff": _diff,
}


def _shown(live: Live) -> ShownRows:
    if live.seen.rows is None:
        raise EvidenceError("no rows are in this checkout: fetch them with `dvc pull -R versions`")
    return live.seen.rows


def _whole(text: str) -> int:
    return int(text) if re.fullmatch(r"\d{1,9}", text) else 0


def _texts(folder: str, ids: list[int] | None) -> list[str] | None:
    """Return the text of each token."""
    tokenizer = read_tokenizer(folder) if ids else None
    return [tokenizer.decode([one], skip_special_tokens=False) for one in ids or []] if tokenizer is not None else None


@lru_cache(maxsize=2)
def read_tokenizer(folder: str) -> Tokenizer | None:
    """Return the tokenizer of a policy's folder, None where there is none; raises EvidenceError for a broken file."""
    file = Path(folder) / "tokenizer.json"
    if not file.is_file():
        return None
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises its base class
        raise EvidenceError(f"{file} is no tokenizer ({error}): name the folder of a policy") from None
