"""What attempts do with tools: calls, edits, tests, circles, attempts that give up, actions that become alike."""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.rules import MARK, MEANT, moved, moves, outliers, rate, share, spreading
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import t_limit, unusual, z_limit
from evotrainer.domains import has_tools
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def tool_use(context: Context) -> Diagnosis:
    """Return tool metrics of rows with tool calls; warn where hardly any turn edits and most attempts fail.

    tool_entropy, bits of the tool of an action; repeated_call_rate, calls made before with nothing edited in between.
    Base metrics of EvoTrainer (arXiv 2606.03108), with its limit of 15% on turns that edit.
    """
    rows = context.graded
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    metrics = {
        "tool_entropy": rows["tool_entropy"].mean(),
        "repeated_call_rate": rows["num_repeated_calls"].sum() / rows["num_tool_calls"].sum(),
        "git_usage_rate": (rows["num_git_calls"] > 0).mean(),
    }
    return Diagnosis(known(metrics), _few_edits(context, rows))


def _few_edits(context: Context, rows: Frame) -> list[Finding]:
    solved = rows["correct"].mean()
    edits = (rows["num_edit_turns"] / rows["num_turns"].clip(lower=1)).groupby(rows["group"]).mean()
    if len(rows) < LIMITS.min_rows or len(edits) < LIMITS.min_groups or not edits.any() or not solved < 0.5:
        return []
    if edits.mean() + t_limit(LIMITS.alpha, len(edits)) * edits.std() / len(edits) ** 0.5 >= LIMITS.edit_ratio:
        return []
    message = (
        f"{edits.mean():.0%} of turns edit (limit {LIMITS.edit_ratio:.0%}) and {solved:.0%} of attempts succeed: the "
        "policy reads and does not act"
    )
    numbers = {"edit_ratio": float(edits.mean())}
    examples = rows.sort_values("num_edit_turns", kind="stable")
    return [context.finding("few_edits", "warning", message, numbers, examples)]


@hookimpl
def edit_process(context: Context) -> Diagnosis:
    """Return whether attempts search before they edit, edit at all, and test; warn of a step left out, of failed edits.

    The limits on self-test rate, search before edit and failed edits are base metrics of EvoTrainer (arXiv 2606.03108).
    Where no attempt does a thing, the domain may have no tool for it. Then only swe is judged, whose tools are known.
    """
    rows = context.graded
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    has_edits, has_tests = (_is_meant(rows, kind) for kind in ("edit", "test"))
    is_edited, is_tested, edits = rows["first_edit_turn"].notna(), rows["num_test_turns"] > 0, _edits(rows)
    edited = rows[is_edited]
    metrics = {
        "self_test_rate": is_tested.mean() if has_tests else None,
        "edit_coverage": is_edited.mean() if has_edits else None,
        "search_before_edit_rate": edited["is_search_before_edit"].mean(),
        "edit_then_test_rate": edited["is_test_after_last_edit"].mean() if has_tests else None,
        "first_edit_turn": edited["first_edit_turn"].mean(),
        "failed_edit_rate": rows["num_failed_edits"].sum() / edits.sum() if edits.sum() else None,
    }
    steps = [
        (has_edits, rows, is_edited, "edit_coverage", "attempts edit anything"),
        (has_edits, edited, edited["is_search_before_edit"] > 0, "search_before_edit", "attempts search before edits"),
        (has_tests, rows, is_tested, "self_test_rate", "attempts run a test"),
    ]
    what = "edits fail: the policy does not know the edit format"
    tried = rows[edits > 0]
    failed = tried["num_failed_edits"]
    findings = rate(context, "failed_edits", tried, failed, edits[edits > 0], "failed_edits", what, "failed_edit_rate")
    for is_judged, part, does, limit, what in steps:
        findings += share(context, f"low_{limit}", part, does, limit, what, fewer=True) if is_judged else []
    return Diagnosis(known(metrics), findings)


def _edits(rows: Frame) -> Frame:
    """Return the edits of each attempt, failed ones too."""
    return rows["action_sequence"].str.count("E")


@hookimpl
def timidity(context: Context) -> Diagnosis:
    """Return how many attempts give up; warn or worse where many do, or where tests or edits disappear.

    More attempts than the limit change nothing: critical where they are also shorter than 5 turns (base metrics of
    EvoTrainer, arXiv 2606.03108). Or attempts without any edit, or any test, spread over the run, or are more than the
    incumbent's. The first that holds is the finding.
    """
    rows = context.graded
    if rows.empty or not _is_meant(rows, "edit"):
        return Diagnosis()
    gave_up, before = rows["first_edit_turn"].isna(), context.before
    metrics = {
        "abandonment_rate": gave_up.mean(),
        "submit_rate": rows["is_submitted"].mean() if rows["is_submitted"].any() else None,
    }
    untested = 1 - before["self_test_rate"] if "self_test_rate" in before else None
    test = rows.assign(**{MARK: (rows["num_test_turns"] == 0).astype(float)})
    found = (
        _gives_up(context, rows, gave_up)
        or spreading(context, "timidity", lambda part: part["num_edit_turns"] == 0, "without any edit")
        or spreading(
            context, "timidity", lambda part: part["num_test_turns"] == 0, "without any test", least="fewer_attempts"
        )
        or spreading(
            context,
            "timidity",
            lambda part: part["first_edit_turn"].isna(),
            "that change nothing",
            before=before.get("abandonment_rate"),
        )
    )
    if not found and untested is not None:
        found = moved(context, "timidity", test, MARK, 1, "fewer_attempts", "attempts without any test", untested)
    return Diagnosis(known(metrics), found)


def _gives_up(context: Context, rows: Frame, gave_up: Frame) -> list[Finding]:
    turns = rows.loc[gave_up, "num_turns"].astype(float)
    if not gave_up.any():
        return []
    is_short = turns.mean() + z_limit(LIMITS.alpha) * turns.std() / math.sqrt(len(turns)) < LIMITS.few_turns
    what = f"attempts change nothing, after {turns.mean():.1f} turns on average: they give up"
    severity = "critical" if is_short else "warning"
    return share(context, "timidity", rows, gave_up, "abandonment", what, severity=severity)


@hookimpl
def echo_trap(context: Context) -> Diagnosis:
    """Return how much attempts repeat themselves; warn or worse of an echo trap: circles, or more than 50 turns.

    An attempt goes in circles if at least three calls, and three in ten of all, repeat an earlier call with nothing
    edited in between; or if its turns ran out over pairs of tools that had occurred before. Circles are judged by their
    share, by their spread over the run, and against the incumbent. The limit on turns is a base metric of EvoTrainer
    (arXiv 2606.03108). Long failures alone only say that hard problems take longer.
    """
    rows = context.graded
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    circles, turns = goes_in_circles(rows), rows["num_turns"].astype(float)
    metrics = {"circle_rate": circles.mean()}
    what, order = "attempts go in circles: penalise repetition or lower the turn limit", ("num_repeated_calls",)
    findings = share(context, "echo_trap", rows, circles, "echo_warning", what, worse="echo_critical", order=order)
    low = turns.mean() - z_limit(LIMITS.alpha) * turns.std() / math.sqrt(len(turns))
    if not findings and len(rows) >= LIMITS.min_rows and low > LIMITS.turns:
        repeated = rows["num_repeated_calls"].sum() / rows["num_tool_calls"].sum()
        message = (
            f"attempts take {turns.mean():.0f} turns on average (limit {LIMITS.turns:g}); {repeated:.0%} of their "
            "calls repeat an earlier one exactly"
        )
        examples = rows.sort_values("num_turns", ascending=False, kind="stable")
        numbers = {"mean_turns": turns.mean(), "repeated_call_rate": float(repeated)}
        findings = [context.finding("echo_trap", "warning", message, numbers, examples)]
    if not findings:
        before, who = context.before.get("circle_rate"), "that go in circles"
        findings = spreading(context, "echo_trap", goes_in_circles, who, before=before)
    return Diagnosis(known(metrics), findings)


_LEAST_CALLS = 4
"""Calls of an attempt below which one tool is normal."""
_MANY_PROBLEMS = 8
"""Problems at which the same actions on the same files are one script."""
_SEVERAL = 0.05
"""Share of attempts with several tools, below which the domain may have one tool only."""


@hookimpl
def action_collapse(context: Context) -> Diagnosis:
    """Return the diversity of actions and solutions; warn where attempts act the same way, whatever the problem asks.

    Both diversities are low in healthy runs too: a small bug lies in one file and has one good fix. So the first
    finding needs many attempts with one tool in evidence where other attempts use several. The others need a change,
    and a success rate that does not rise. Attempts with one tool, of one script (the same actions on the same files at
    many problems), or by rote (rare certainty and a repeated sequence) spread over the run; or a diversity falls over
    it, or lies below the incumbent's.
    """
    rows = context.graded
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    before, diversity = context.before, _diversity(rows, "action_sequence")

    def is_one_tool(part: Frame) -> Frame:
        return (part["num_tool_calls"] >= _LEAST_CALLS) & (part["tool_entropy"] < LIMITS.tool_entropy)

    metrics = {
        "sequence_diversity": diversity.mean(),
        "solution_diversity": _diversity(rows, "edited_files").mean(),
        "one_tool_rate": is_one_tool(rows).mean(),
    }
    mode, findings = "action_collapse", []
    if _needs_tools(rows) or (rows["tool_entropy"] >= 1.0).mean() >= _SEVERAL:
        what = "attempts use hardly more than one tool: check what the reward pays, and whether the other tools work"
        findings = share(context, mode, rows, is_one_tool(rows), "one_tool", what)
    one_tool = "that use hardly more than one tool"
    findings = (
        findings
        or spreading(context, mode, is_one_tool, one_tool, before=before.get("one_tool_rate"))
        or spreading(context, mode, _is_script, "that repeat one script at many problems")
        or spreading(context, mode, _is_rote, "with rare certainty and a repeated sequence of actions")
        or outliers(context, mode, _is_rote, "attempts with rare certainty and a repeated sequence of actions")
        or _fades(context)
    )
    if not findings and "sequence_diversity" in before:
        spread = rows.assign(_sequences=rows["group"].map(diversity))
        what = "the shares of distinct action sequences in a group"
        was = before["sequence_diversity"]
        findings = moved(context, mode, spread, "_sequences", -1, "lone_diversity_fall", what, was)
    return Diagnosis(known(metrics), findings)


def _fades(context: Context) -> list[Finding]:
    """Find a diversity that falls along all steps."""
    rows, found = graded(context.training), []
    for column, name in (("action_sequence", "action sequences"), ("edited_files", "edited files")):
        spread = rows.assign(_diversity=rows["group"].map(_diversity(rows, column)))
        what = f"the diversity of {name} in a group"
        found = found or moves(context, "action_collapse", spread, "_diversity", -1, "fewer_attempts", what)
    return found


def _is_rote(rows: Frame) -> Frame:
    is_certain = unusual(rows, 1) & (rows["action_sequence"] != "")
    return is_certain & rows["action_sequence"].where(is_certain, rows["trajectory_id"]).duplicated(keep=False)


def _is_script(rows: Frame) -> Frame:
    """Tell which attempts repeat the actions and files of attempts at many other problems."""
    problems = rows.groupby(["action_sequence", "edited_files"], dropna=False)["problem_id"].transform("nunique")
    return (problems >= _MANY_PROBLEMS) & (rows["action_sequence"] != "")


def _is_meant(rows: Frame, kind: str) -> bool:
    """Tell whether attempts are meant to take an action (edit, test): by their domain, or where one in twenty does."""
    return bool(_needs_tools(rows) or (rows[f"num_{kind}_turns"] > 0).mean() >= MEANT)


def _needs_tools(rows: Frame) -> bool:
    """Tell whether the domain of some row is one in which every attempt is meant to call several tools."""
    return any(has_tools(name) for name in rows["domain"].unique())


def _diversity(rows: Frame, column: str) -> Frame:
    """Return by group the share of distinct texts of a column: 1 for no two equal, 0 for all equal."""
    by_group = rows[rows[column].notna() & (rows[column] != "")].groupby("group")[column]
    size = by_group.size()
    return ((by_group.nunique() - 1) / (size - 1))[size >= 2]


def goes_in_circles(rows: Frame) -> Frame:
    """Tell which attempts repeat themselves.

    Either at least three calls, and three in ten of all, were made before; or the attempt ran out of turns while at
    least seven in ten of its pairs of successive tools (six or more) had occurred before.
    """
    repeated = rows["num_repeated_calls"]
    is_stuck = (rows["num_tool_bigrams"] >= 6) & (_bigram_repetition(rows) >= 0.7) & rows["is_truncated"].astype(bool)
    return (repeated >= 3) & (repeated > 0.3 * rows["num_tool_calls"]) | is_stuck


def _bigram_repetition(rows: Frame) -> Frame:
    """Return by row 1 - unique / all pairs of successive tools; NaN for fewer than three pairs."""
    pairs = rows["num_tool_bigrams"].astype(float)
    return (1.0 - rows["num_unique_tool_bigrams"] / pairs.where(pairs >= 3)).astype(float)
