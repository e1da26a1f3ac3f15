"""What diagnose finds in files with known faults, and what it says of healthy ones.

Three folders, each apart: real files (GROUND_TRUTH.tsv), publicly reported faults made again with healthy twins
(CASES.tsv), and simulated runs (LABELS.tsv). Names that count for a fault stand in accepted.tsv; whether a finding is
right, idle or wrong stands in judgements.tsv, by a person who read the rows.
"""

import csv
import gzip
import lzma
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evotrainer.errors import EvoTrainerError
from evotrainer.records import Finding
from tasks.diagnose.foreign import diagnosed, read_evidence

HERE = Path(__file__).parent
JUDGED = ("critical", "warning")


@dataclass(frozen=True)
class Case:
    """One file or folder, and the modes under which its fault is named rightly; none where it is healthy or unknown."""

    name: str
    path: Path
    accepted: frozenset[str] = frozenset()
    is_healthy: bool = False


@dataclass(frozen=True)
class Answer:
    """What diagnose said of a case."""

    case: Case
    findings: list[Finding] = field(default_factory=list)
    rows: int = 0
    seconds: float = 0.0
    refused: str = ""

    @property
    def judged(self) -> list[Finding]:
        """Causes that are warnings or worse."""
        return [one for one in self.findings if one.severity in JUDGED and not one.follows_from]

    @property
    def is_found(self) -> bool:
        """Whether the fault is named rightly, as a cause or a consequence."""
        return any(one.mode in self.case.accepted and one.severity in JUDGED for one in self.findings)

    @property
    def is_accused(self) -> bool:
        """Whether something is critical."""
        return any(one.severity in ("critical", "invalid") for one in self.findings)


def cases_of(folder: Path) -> list[Case]:
    """Return the cases of one folder, by the table of labels that it holds."""
    for table, read in (("GROUND_TRUTH.tsv", _real), ("CASES.tsv", _reported), ("LABELS.tsv", _simulated)):
        if (folder / table).is_file():
            return list(read(folder, _rows(folder / table)))
    raise EvoTrainerError(f"{folder} holds neither GROUND_TRUTH.tsv, CASES.tsv nor LABELS.tsv")


def _real(folder: Path, rows: list[dict[str, str]]) -> Iterator[Case]:
    known, accepted = {row["name"]: row for row in rows}, _accepted()
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        row = known.get(place.name, {"verdict": "", "class": ""})
        is_fault = row["verdict"] == "FAULT"
        yield Case(place.name, place, accepted[row["class"]] if is_fault else frozenset(), row["verdict"] == "HEALTHY")


def _reported(folder: Path, rows: list[dict[str, str]]) -> Iterator[Case]:
    accepted = _accepted()
    for row in rows:
        for part in ("faulty", "healthy"):
            [path] = folder.glob(f"{row['case']}_{part}.*")
            modes = accepted[row["fault"]] if part == "faulty" else frozenset()
            yield Case(f"{row['case']}_{part}", path, modes, part == "healthy")


def _simulated(folder: Path, rows: list[dict[str, str]]) -> Iterator[Case]:
    for row in rows:
        modes = frozenset(filter(None, row["accepted_modes"].split(",")))
        yield Case(row["file"].partition(".")[0], folder / row["file"], modes, row["group"] == "healthy")


def _accepted() -> dict[str, frozenset[str]]:
    return {row["class"]: frozenset(row["modes"].split(",")) for row in _rows(HERE / "accepted.tsv")}


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def answer_of(case: Case) -> Answer:
    """Return what diagnose says of a case; files are unpacked first, since packing is no matter of theirs."""
    with tempfile.TemporaryDirectory() as folder:
        path = _unpacked(case.path, Path(folder))
        began = time.process_time()
        try:
            foreign, evidence = read_evidence(path)
            report = diagnosed(foreign, evidence)
        except EvoTrainerError as error:
            return Answer(case, refused=str(error).replace(str(path), "FILE"))
        return Answer(case, report.findings, evidence.num_rows, time.process_time() - began)


def _unpacked(path: Path, folder: Path) -> Path:
    """Return the plain files of a packed one, or of a folder of packed ones."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    for file in files:
        opened = {".gz": gzip.open, ".xz": lzma.open}.get(file.suffix)
        (folder / (file.stem if opened else file.name)).write_bytes(
            opened(file).read() if opened else file.read_bytes()
        )
    found = sorted(folder.iterdir())
    return found[0] if len(found) == 1 else folder


def judgements() -> dict[tuple[str, str], str]:
    """Return {(case, mode): right, idle or wrong}."""
    return {(row["case"], row["mode"]): row["verdict"] for row in _rows(HERE / "judgements.tsv")}


def table_of(answers: list[Answer], is_whole: bool = False) -> str:
    """Return the figures of one folder, and what was missed or accused."""
    read = [one for one in answers if not one.refused]
    faulty = [one for one in answers if one.case.accepted]
    healthy = [one for one in read if one.case.is_healthy]
    verdicts = judgements()
    lines = [f"files read as they come: {len(read)} of {len(answers)}"]
    for group in sorted({_group(one) for one in faulty}):
        part = [one for one in faulty if _group(one) == group]
        lines.append(f"{group}faults found under a right name: {sum(one.is_found for one in part)} of {len(part)}")
    lines.append(f"healthy files with a critical finding: {sum(one.is_accused for one in healthy)} of {len(healthy)}")
    lines.append(f"healthy files with a warning: {sum(bool(one.judged) for one in healthy)} of {len(healthy)}")
    for severity in JUDGED:
        found = [(one.case.name, each.mode) for one in read for each in one.judged if each.severity == severity]
        counts = Counter(verdicts.get(key, "not judged") for key in found)
        lines.append(f"{severity}: {', '.join(f'{counts[word]} {word}' for word in sorted(counts)) or 'none'}")
    rows = sum(one.rows for one in read)
    lines.append(f"CPU seconds a thousand rows: {1000 * sum(one.seconds for one in read) / max(rows, 1):.3f}")
    if is_whole:
        lines += [f"  {line}" for one in answers for line in _lines(one, verdicts)]
    return "\n".join(lines)


def _group(answer: Answer) -> str:
    head, sign, _ = answer.case.name.rpartition("_")
    return f"{head} " if sign and head in ("common", "reported") else ""


def _lines(answer: Answer, verdicts: dict[tuple[str, str], str]) -> Iterator[str]:
    state = "" if not answer.case.accepted else "found" if answer.is_found else "missed"
    state = "healthy" if answer.case.is_healthy else state
    yield f"{answer.case.name}: {answer.refused[:120] or state or 'open'}"
    for one in answer.judged:
        yield f"    {one.severity} {one.mode} [{verdicts.get((answer.case.name, one.mode), '?')}]: {one.message[:150]}"
