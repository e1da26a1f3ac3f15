"""A check: which attempts show something, which could, how that is judged, and what a person reads.

A check is plain data. Those that ship (harness_plugins/), those of a person's YAML file, an evolved card and a claim of
the reading model are this record, and `run_checks` judges them all. Conditions are SQL expressions over `attempts`
(conditions.py); a row for which one is null could not be judged and does not count. Levels and minimum counts stand
here once. Where an exact test can speak, no minimum silences it; where none could, the mode is "too few to judge".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa

from evotrainer.config.yaml_files import read_yaml_file
from evotrainer.diagnosis import stats
from evotrainer.diagnosis.conditions import EXCERPT, Evidence, columns_of, floats
from evotrainer.errors import ConfigError, EvidenceError
from evotrainer.evidence.rows import is_number
from evotrainer.records import Finding, Severity, Unjudged

Kind = Literal["paid", "earns", "unpaid", "above", "spreads", "costs", "same_for_all", "counted"]

ALPHA = 1e-3
"""Chance of a false warning of one check. Sixty checks on a healthy run then give one in twenty."""
ALPHA_CRITICAL = 1e-6
"""Chance of a false critical finding of one check."""
TOLERATED = 0.02
"""Share of grading errors that are accidents: a grader that errs more often is at fault."""
SEVERAL = 0.05
"""Share of attempts that is no accident of single rows."""
MANY = 0.3
"""Share of attempts that decides what a run learns."""
HALF = 0.5
"""More of them than not."""
FEW = 20
"""Fewest values whose mean says something."""
MIN_STEPS = 3
"""Fewest steps with a beginning and an end."""
CRITICAL_ROWS, CRITICAL_PROBLEMS = 8, 3
"""Fewest attempts and problems of a critical finding: fewer stop no run."""
LOW_PAY = 0.25
"""Part of the range of rewards up to which an attempt is unpaid: a bonus for form is no pay for an answer."""
EFFECT = 0.1
"""Least share of attempts, rise of a share, or difference of rewards in units of their range, worth a person's time."""
MIN_SAME = 8
"""Fewest attempts that one value for all says something about."""
MIN_SHOWN = 3
"""Fewest attempts of a share, of as many problems where there are so many."""
MIN_COUNTED = 2
"""Fewest attempts of a claim."""
ASKED = "asked."
"""Columns of a model's answers, by name of the check."""
LABEL = "x.label"
"""Column of a person's own answers."""


@dataclass(frozen=True)
class Judge:
    """How the attempts that show something are judged."""

    kind: Kind
    limit: float = 0.0

    def __str__(self) -> str:
        """Return the form that a YAML file gives it."""
        return f"{self.kind} {self.limit:g}" if self.limit else self.kind


PAID = Judge("paid")
"""Those that show it get more than others at the same problem."""
EARNS = Judge("earns", TOLERATED)
"""Those that show it get anything at all, where they should get nothing, more often than accidents explain."""
UNPAID = Judge("unpaid", TOLERATED)
"""Those that show it get next to nothing, where they should be paid, more often than accidents explain."""
SPREADS = Judge("spreads", EFFECT)
"""More and more of them show it over the run."""
COSTS = Judge("costs")
"""Those that show it get less than others at the same problem."""
SAME_FOR_ALL = Judge("same_for_all")
"""`shows` is any expression: it has one value for all that could differ."""
COUNTED = Judge("counted")
"""They are counted, and a person judges: a claim of a model."""


def above(limit: float) -> Judge:
    """Return the judge of a share: more than `limit` of those that could show it."""
    return Judge("above", limit)


@dataclass(frozen=True)
class Check:
    """Attempts that show something, among attempts that could, and how that is judged."""

    mode: str
    """A name of docs/failure_modes.md."""
    shows: str
    among: str = "TRUE"
    judge: Judge = PAID
    needs: tuple[str, ...] = ()
    """Columns that must be known beside those that the conditions name."""
    most: Severity = "warning"
    """The worst that it may be: critical only where a competent engineer would stop the run for it."""
    says: str = ""
    """What a person reads, with {shows}, {among}, {share}, {paid}, {others}, {value}, {early}, {late} filled in."""
    question: str = ""
    """Put to a model about a sample of attempts, which answers yes or no: `shows` names the column of its answers."""
    sample: int = 100
    """Attempts of `among` that it is put about, drawn at random; and as many labelled ones."""
    labels: Mapping[str, bool] | str = field(default=LABEL, hash=False)
    """A person's own answers: {id of an attempt: answer}, or the column that holds them."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that it reads."""
        return tuple(dict.fromkeys([*self.needs, *columns_of(self.shows), *columns_of(self.among)]))


@dataclass(frozen=True)
class Verdict:
    """What one check came to on one set of evidence."""

    check: Check
    finding: Finding | None = None
    shown: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """Places of the attempts that show it."""
    share: float | None = None
    """Of the attempts that could show it; None where none could."""
    unjudged: Unjudged | None = None
    failure: str = ""
    """Why its condition could not be evaluated; no text of the database, which may quote a row."""


def run_checks(checks: Sequence[Check], evidence: Evidence) -> list[Verdict]:
    """Return what each check comes to; a condition that fails raises EvidenceError with the check's name."""
    verdicts: dict[int, Verdict] = {}
    for place, check in enumerate(checks):
        if missing := _missing(check, evidence):
            verdicts[place] = Verdict(check, unjudged=_lacking(check.mode, missing))
    ready = [place for place in range(len(checks)) if place not in verdicts]
    values = _evaluated([checks[place] for place in ready], evidence)
    for place, value in zip(ready, values, strict=True):
        verdicts[place] = _judged(checks[place], value, evidence)
    return [verdicts[place] for place in range(len(checks))]


def attempt_checks(checks: Sequence[Check], evidence: Evidence) -> list[Verdict]:
    """Return what each check comes to; one whose condition fails on this evidence spares the others."""
    try:
        return run_checks(checks, evidence)
    except EvidenceError:
        if len(checks) == 1:
            return [Verdict(checks[0], failure="its condition fails on this evidence")]
        return [verdict for check in checks for verdict in attempt_checks([check], evidence)]


def load_checks(path: Path, may_ask: bool = False) -> tuple[Check, ...]:
    """Return the checks of a YAML file: fields of Check by name of the check, which is its mode unless it has one.

    Raises ConfigError for what is no check, and for a question to a model unless one can be asked.
    """
    rows = read_yaml_file(path, "holds no checks: write name: {shows: CONDITION, judge: paid}")
    names = [one.name for one in fields(Check)]
    checks = tuple(_loaded(str(name), row, f"{path}: {name}", names) for name, row in rows.items())
    if not may_ask and (asking := next((one for one in checks if one.question), None)):
        raise ConfigError(f"{path}: {asking.mode} asks a model: only `diagnose --trajectories` does, leave it out here")
    return checks


def _loaded(name: str, row: Any, where: str, names: Sequence[str]) -> Check:
    if not isinstance(row, dict) or ("shows" in row) == ("question" in row) or not row.keys() <= set(names):
        raise ConfigError(f"{where}: write `shows` or `question`, and of {', '.join(names)} what it needs")
    needs, column = row.get("needs", ()), f"{ASKED}{name}".replace('"', '""')
    given: dict[str, Any] = {key: str(value) for key, value in ({"mode": name, "shows": f'"{column}"'} | row).items()}
    given |= {key: row[key] for key in ("sample", "labels") if key in row}
    if not isinstance(given.get("sample", 1), int) or given.get("sample", 1) < 1:
        raise ConfigError(f"{where}: `sample` is a number of attempts, like 100")
    if not isinstance(given.get("labels", ""), dict | str):
        raise ConfigError(f"{where}: write `labels` as {{id: true, id: false}}, or the name of a column")
    given["judge"] = _judge(str(row.get("judge", PAID)), where)
    given["needs"] = (needs,) if isinstance(needs, str) else tuple(map(str, needs))
    if given.get("most", "warning") not in get_args(Severity):
        raise ConfigError(f"{where}: '{given['most']}' is no severity: choose from {', '.join(get_args(Severity))}")
    check = Check(**given)
    try:
        _ = check.columns  # parses both conditions
    except EvidenceError as error:
        raise ConfigError(f"{where}: {error}") from None
    return check


def _judge(text: str, where: str) -> Judge:
    kind, _, limit = text.partition(" ")
    shipped = {one.kind: one for one in (PAID, EARNS, UNPAID, SPREADS, COSTS, SAME_FOR_ALL, COUNTED, above(0.0))}
    try:
        number = float(limit) if limit else shipped[kind].limit  # type: ignore[index]  # a KeyError is the answer
    except (KeyError, ValueError):
        raise ConfigError(f"{where}: '{text}' is no judge: choose from {', '.join(shipped)}, as `above 0.2`") from None
    return Judge(kind, number)  # type: ignore[arg-type]  # it is a key of `shipped`


def _missing(check: Check, evidence: Evidence) -> list[str]:
    """Return the columns without which a check says nothing; what `among` alone names may be null throughout."""
    names = evidence.table.column_names
    shown = {*check.needs, *columns_of(check.shows)} - {"error"}  # no error at all is known
    return [
        name for name in check.columns if name not in names or name in shown and not evidence.conditions.is_known(name)
    ]


def _lacking(mode: str, missing: list[str]) -> Unjudged:
    return Unjudged(mode=mode, diagnostic="", missing=missing, advice=[f"not judged for lack of {', '.join(missing)}"])


def _evaluated(checks: Sequence[Check], evidence: Evidence) -> list[pa.ChunkedArray]:
    expressions = [f"CASE WHEN ({one.among}) THEN ({one.shows}) END" for one in checks]
    try:
        return evidence.conditions.evaluate(expressions)
    except EvidenceError:
        for one, expression in zip(checks, expressions, strict=True):
            try:
                evidence.conditions.evaluate([expression])
            except EvidenceError as error:
                raise EvidenceError(f"check {one.mode} ({one.shows[:EXCERPT]}): {error}") from None
        raise


def _judged(check: Check, value: pa.ChunkedArray, evidence: Evidence) -> Verdict:
    ground = np.flatnonzero(np.asarray(value.is_valid().to_numpy(), bool))
    if check.judge.kind == "same_for_all":
        return _same_for_all(check, value, ground, evidence)
    if not is_number(value.type):
        raise EvidenceError(f"check {check.mode} ({check.shows[:EXCERPT]}): it gives {value.type}, write a condition")
    is_shown = floats(value) > 0
    shown = np.flatnonzero(is_shown)
    if not len(ground):
        unknown = [name for name in columns_of(check.among) if not evidence.conditions.is_known(name)]
        return Verdict(check, unjudged=_lacking(check.mode, unknown) if unknown else None)
    numbers = {"shows": len(shown), "among": len(ground), "share": len(shown) / len(ground)}
    numbers |= {"problems": evidence.num_problems(shown)} | _means(evidence, shown, ground)
    p, least, more = _JUDGES[check.judge.kind](check.judge, is_shown, ground, evidence)
    numbers |= more
    if p > ALPHA:
        is_few = least > ALPHA and (len(shown) > 0 or check.judge.kind == "above")
        few = evidence.too_few(check.mode, ground) if is_few else None
        return Verdict(check, shown=shown, share=numbers["share"], unjudged=few)
    is_plain = len(shown) >= CRITICAL_ROWS and numbers["problems"] >= CRITICAL_PROBLEMS and p <= ALPHA_CRITICAL
    severity: Severity = check.most if is_plain or check.most == "info" else "warning"
    paid = evidence.pay[shown]
    order = shown[np.argsort(-paid if check.judge.kind in ("paid", "earns") else paid, kind="stable")]
    found = evidence.finding(check.mode, severity, _message(check, numbers), numbers, order)
    return Verdict(check, found, shown, numbers["share"])


def _same_for_all(check: Check, value: pa.ChunkedArray, ground: np.ndarray, evidence: Evidence) -> Verdict:
    if len(ground) < MIN_SAME:
        return Verdict(check, unjudged=evidence.too_few(check.mode, ground))
    distinct = value.drop_null().unique()
    if len(distinct) > 1:
        return Verdict(check)
    numbers = {"shows": len(ground), "among": len(ground), "share": 1.0, "problems": evidence.num_problems(ground)}
    text = _message(check, numbers, value=str(distinct[0].as_py())[:EXCERPT])
    return Verdict(check, evidence.finding(check.mode, check.most, text, numbers, ground), ground)


def _means(evidence: Evidence, shown: np.ndarray, ground: np.ndarray) -> dict[str, float]:
    others = np.setdiff1d(ground, shown, assume_unique=True)
    given = {"paid": evidence.reward[shown], "others": evidence.reward[others]}
    known = {name: values[np.isfinite(values)] for name, values in given.items()}
    return {name: float(values.mean()) for name, values in known.items() if len(values)}


def _message(check: Check, numbers: Mapping[str, float], **texts: str) -> str:
    given = dict.fromkeys(("paid", "others", "early", "late", "difference", "value"), "unknown")
    shares = {name: f"{numbers[name]:.0%}" for name in ("share", "early", "late") if name in numbers}
    text = check.says or f"{{shows}} of {{among}} attempts show {check.mode}"
    return text.format_map(given | {name: _written(value) for name, value in numbers.items()} | shares | texts)


def _written(number: float) -> str:
    return f"{number:.0f}" if float(number).is_integer() else f"{number:.3g}"


Judged = tuple[float, float, dict[str, float]]
"""The chance of a false finding, the least it could be on these counts, and further numbers."""


def _by_pay(judge: Judge, is_shown: np.ndarray, ground: np.ndarray, evidence: Evidence) -> Judged:
    """Judge what marked attempts get beyond others at the same problem; of less, the same with its sign turned."""
    sign = -1.0 if judge.kind == "costs" else 1.0
    if len(np.unique(evidence.pay[np.isfinite(evidence.pay)])) == 2:
        pay = (evidence.pay > HALF).astype(float) if sign > 0 else (evidence.pay <= HALF).astype(float)
        pay[~np.isfinite(evidence.pay)] = np.nan
    else:
        pay = sign * evidence.pay
    found = stats.within(evidence.problem[ground], is_shown[ground], pay[ground])
    if found is None:
        return 1.0, 1.0, {}
    p = found.p if found.difference >= max(judge.limit, EFFECT) else 1.0
    return p, found.least_p, {"difference": sign * found.difference, "p": found.p, "contrasts": found.num_strata}


def _by_amount(judge: Judge, is_shown: np.ndarray, ground: np.ndarray, evidence: Evidence) -> Judged:
    """Judge how many marked attempts are paid, or are not, against the share that accidents explain."""
    marked = ground[is_shown[ground] & np.isfinite(evidence.pay[ground])]
    is_wrong = evidence.pay[marked] > EFFECT if judge.kind == "earns" else evidence.pay[marked] <= LOW_PAY
    wrong = int(is_wrong.sum())
    p = stats.tail_above(wrong, len(marked), judge.limit) if wrong >= MIN_COUNTED else 1.0
    return p, judge.limit ** len(marked), {"wrong": wrong, "p": p}


def _by_share(judge: Judge, is_shown: np.ndarray, ground: np.ndarray, evidence: Evidence) -> Judged:
    """Judge a share of attempts; and of problems, because attempts at one problem are alike."""
    count, shown = int(is_shown[ground].sum()), np.flatnonzero(is_shown)
    is_wide = count >= MIN_SHOWN and evidence.num_problems(shown) >= min(
        CRITICAL_PROBLEMS, evidence.num_problems(ground)
    )
    p = stats.tail_above(count, len(ground), judge.limit) if is_wide else 1.0
    return p, judge.limit ** len(ground), {"limit": judge.limit, "p": p}


def _by_time(judge: Judge, is_shown: np.ndarray, ground: np.ndarray, evidence: Evidence) -> Judged:
    """Judge the rise of a share from the first to the last third of steps."""
    found = stats.spreads(is_shown[ground], evidence.step[ground])
    if found is None:
        return 1.0, 1.0, {}
    p = found.p if found.late - found.early >= judge.limit else 1.0
    return p, 0.0, {"early": found.early, "late": found.late, "p": found.p}


def _by_count(judge: Judge, is_shown: np.ndarray, ground: np.ndarray, evidence: Evidence) -> Judged:
    return (0.0 if is_shown.sum() >= MIN_COUNTED else 1.0), 0.0, {}


_JUDGES: dict[str, Callable[[Judge, np.ndarray, np.ndarray, Evidence], Judged]] = {
    "paid": _by_pay,
    "costs": _by_pay,
    "earns": _by_amount,
    "unpaid": _by_amount,
    "above": _by_share,
    "spreads": _by_time,
    "counted": _by_count,
}
