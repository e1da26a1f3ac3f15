"""The local page: what the report shows, following the campaign, and the way down to single attempts.

    /                               trajectory, lineage, live stages
    /version/v003                   one version: its report card, curves, steps
    /version/v003/training/31       the groups of one step, then /GROUP its attempts
    /attempt/v003?id=ID             one attempt: messages, tokens with log-probabilities, reward terms, findings
    /compare?first=v001&second=v003 settings, metrics and curves of two versions
    /search?sql=SELECT ...          one guarded SELECT; /findings lists findings by mode

Pages are made on the server; a small script (static/live.js) asks for the live part every two seconds and for the page
when a version was finished. Every request is answered from the campaign's files, and only read.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import diff_versions
from evotrainer.errors import EvoTrainerError
from evotrainer.evidence.query import QueryLimits, run_query
from evotrainer.report.data import read_curve, report_data
from evotrainer.report.live import rows
from evotrainer.report.live.guard import Guard
from evotrainer.report.live.live import LiveState, live_state
from evotrainer.report.live.marking import findings_about, marked
from evotrainer.report.live.tokens import TokenTexts
from evotrainer.report.page import CURVES, figures, style_sheet, template_environment
from evotrainer.report.svg.curve import curve_figure, curves_of

HERE = Path(__file__).parent
LIMITS = QueryLimits(seconds=20.0, max_rows=500)
Answer = Callable[[Request], Response]
Check = Callable[[], None]


def create_app(files: CampaignFiles, token: str, check: Check) -> Guard:
    """Return the application for one campaign; every request must bring the token (guard.py).

    `check` raises where a result is not as it was recorded; no page shows results without it.
    """
    pages = Pages(files, check)
    routes: dict[str, Answer] = {
        "/": pages.overview,
        "/live": pages.live,
        "/version/{version}": pages.version,
        "/version/{version}/{stage}/{step:int}": pages.step,
        "/version/{version}/{stage}/{step:int}/{group:path}": pages.group,
        "/attempt/{version}": pages.attempt,
        "/compare": pages.compare,
        "/findings": pages.findings,
        "/search": pages.search,
        "/static/style.css": lambda _: PlainTextResponse(style_sheet(), media_type="text/css"),
    }
    handlers: Any = {EvoTrainerError: pages.failed}
    found = [Route(path, answer) for path, answer in routes.items()]
    app = Starlette(
        routes=[*found, Mount("/static", StaticFiles(directory=HERE / "static"))], exception_handlers=handlers
    )
    return Guard(app, token)


class Pages:
    """One method a page."""

    def __init__(self, files: CampaignFiles, check: Check) -> None:
        self._files, self._check = files, check
        self._templates = template_environment(HERE / "templates")
        self._templates.filters["url"] = lambda text: quote(str(text), safe="")
        self._tokens = TokenTexts(files)
        self._data: tuple[str, dict[str, Any]] = ("", {})

    def overview(self, request: Request) -> Response:
        """Return the campaign's page."""
        state = live_state(self._files)
        if not state.closed:
            return self._page("begun.html.j2", **_live(state))
        data = self._report(state)
        return self._page("overview.html.j2", **data, **figures(data), **_live(state))

    def live(self, request: Request) -> Response:
        """Return the part of a page that changes while stages run."""
        return self._page("live.html.j2", **_live(live_state(self._files)))

    def version(self, request: Request) -> Response:
        """Return the page of one version."""
        data = self._report(live_state(self._files))
        name = request.path_params["version"]
        found = next((version for version in data["versions"] if version["version"] == name), None)
        if found is None:
            return self._missing(f"no closed version {name}")
        return self._page(
            "version.html.j2", **data, **figures(data), shown=found, examples={}, steps=rows.steps(self._files, name)
        )

    def step(self, request: Request) -> Response:
        """Return the groups of one step."""
        where = self._place(request)
        return self._page("step.html.j2", **where, groups=rows.groups(self._files, **where))

    def group(self, request: Request) -> Response:
        """Return the attempts of one group."""
        where, group = self._place(request), request.path_params["group"]
        found = rows.attempts(self._files, **where, group=group)
        return self._page("group.html.j2", **where, group=group, attempts=found)

    def attempt(self, request: Request) -> Response:
        """Return one attempt."""
        version, name = self._known(request.path_params["version"]), request.query_params.get("id", "")
        found = rows.trajectory(self._files, version, name)
        if found is None:
            return self._missing(f"{version} has no attempt {name}")
        about = findings_about(self._files, name)
        messages = [dict(message) | {"content": marked(message["content"], about)} for message in found["messages"]]
        shown = found | {"messages": messages, "reward_terms": rows.further_terms(found)}
        if not self._tokens.is_known:  # the policy may have come since
            self._tokens = TokenTexts(self._files)
        return self._page("attempt.html.j2", attempt=shown, about=about, tokens=self._tokens)

    def compare(self, request: Request) -> Response:
        """Return what sets two versions apart."""
        names = [found["version"] for found in self._report(live_state(self._files))["versions"]]
        chosen = [request.query_params.get(key, names[place]) for key, place in (("first", 0), ("second", -1))]
        found = diff_versions(self._files, *chosen)
        pair = (found.first, found.second)
        curves = {name: curves_of(read_curve(self._files.version(name)), CURVES) for name in pair}
        shown = [
            curve_figure(
                signal.replace("_", " "), {name: curves[name][signal] for name in pair if signal in curves[name]}
            )
            for signal in CURVES
            if any(signal in curves[name] for name in pair)
        ]
        told = {
            "trained": [name for name in pair if curves[name]],
            "leading": [(name, found.metrics[name]) for name in found.leading],
            "others": [(name, values) for name, values in found.metrics.items() if name not in found.leading],
        }
        return self._page("compare.html.j2", names=names, found=found, figures=shown, **told)

    def findings(self, request: Request) -> Response:
        """Return the findings of all versions, or those of one mode."""
        mode = request.query_params.get("mode", "")
        versions = self._report(live_state(self._files))["versions"]
        all_found = [(one["version"], finding) for one in versions for finding in one["findings"]]
        modes = sorted({finding["mode"] for _, finding in all_found})
        kept = [(name, finding) for name, finding in all_found if mode in ("", finding["mode"])]
        return self._page("findings.html.j2", mode=mode, modes=modes, found=kept)

    def search(self, request: Request) -> Response:
        """Return the answer to one SELECT, run by the guarded process of `evotrainer query`."""
        sql, answer, error = request.query_params.get("sql", "").strip(), None, ""
        if sql:
            self._check()
            try:
                answer = run_query(self._files, sql, LIMITS)
            except EvoTrainerError as refused:
                error = str(refused)
        return self._page("search.html.j2", sql=sql, answer=answer, error=error)

    def failed(self, request: Request, error: Exception) -> Response:
        """Return an error raised on purpose as a page."""
        return self._missing(str(error))

    def _place(self, request: Request) -> dict[str, Any]:
        parameters = request.path_params
        return {"version": self._known(parameters["version"]), "stage": parameters["stage"], "step": parameters["step"]}

    def _known(self, version: str) -> str:
        if version not in self._files.version_names():
            raise EvoTrainerError(f"no version {version}")
        return version

    def _report(self, state: LiveState) -> dict[str, Any]:
        """Return the report's data, read anew when a version was finished since; raises for edited results."""
        self._check()
        if self._data[0] != state.stamp:
            self._data = state.stamp, report_data(self._files)
        return self._data[1]

    def _missing(self, text: str) -> Response:
        return self._page("missing.html.j2", status=404, text=text)

    def _page(self, template: str, status: int = 200, **values: Any) -> Response:
        html = self._templates.get_template(template).render(values | {"campaign": self._files.root.name})
        return HTMLResponse(html, status_code=status)


def _live(state: LiveState) -> dict[str, Any]:
    curves = {
        stage.subject: [
            curve_figure(name.replace("_", " "), {stage.subject: points})
            for name, points in curves_of(stage.signals, CURVES).items()
        ]
        for stage in state.stages
    }
    return {"state": state, "live_curves": curves}
