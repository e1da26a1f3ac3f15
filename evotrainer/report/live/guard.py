"""Who may read the local page: whoever has the address that the command printed.

The server is bound to the loopback address. Two ways in are left, and closed here. Another page in the same browser
may reach it under a name of its own that resolves to 127.0.0.1 (DNS rebinding): the Host header must name this
machine. Another user of the machine may connect: the token of the printed address is asked for once, and then kept as
a cookie that other sites cannot send (SameSite=Strict). Only GET is answered.
"""

import secrets
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "evotrainer_ui"
NAMES = ("127.0.0.1", "localhost")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Refuses requests of others, and sets the headers of every answer."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        answer = self._refusal(scope)
        await (answer or self._app)(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        """Return the answer to a request that goes no further; None for one that may."""
        headers = Headers(scope=scope)
        if headers.get("host", "").partition(":")[0] not in NAMES:
            return PlainTextResponse("this page is served to this machine alone", 421)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("this page changes nothing: only GET is answered", 405)
        asked = parse_qs(scope["query_string"].decode(errors="replace"))
        given = asked.pop("token", [""])[0]
        if given and self._matches(given):
            path = "/" + scope["path"].lstrip("/")  # never another host
            answer = RedirectResponse(f"{path}?{urlencode(asked, doseq=True)}".rstrip("?"), 303)
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        kept = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        if kept is None or not self._matches(kept.value):
            return PlainTextResponse("open the address that `evotrainer ui` printed: it holds the key", 403)
        return None

    def _matches(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self._token.encode())
