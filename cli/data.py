"""`evotrainer data`: build and check the built-in problem sets."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.common import Columns, Json, checkout, print_json
from cli.program import Listing
from evotrainer.errors import ConfigError, DataError

if TYPE_CHECKING:
    from evotrainer.domains.problem_sets.overlap import ProblemCheck
    from evotrainer.domains.problem_sets.rows import Reading

Repos = Annotated[Path | None, typer.Option("--repos", help="Folder of clones that rows of repositories refer to.")]

app = typer.Typer(cls=Listing, no_args_is_help=True, help="Build and check the problem sets.")


@app.command()
def build() -> None:
    """Unpack data/ and policies/, the same bytes on every machine, and record the hash of data/."""
    from evotrainer.campaign.layout import CampaignFiles
    from evotrainer.domains.frozen import policy_names, unpack_policy
    from evotrainer.domains.problem_sets.check import build_data

    main = checkout()
    print(build_data(main))
    for name in policy_names():
        unpack_policy(name, CampaignFiles(main).policy(name))
    print(f"{CampaignFiles(main).policy('')} holds {', '.join(policy_names())}")


@app.command()
def check(
    path: Annotated[Path | None, typer.Argument(help="Your own problems: a file, or a folder of splits.")] = None,
    against: Annotated[Path | None, typer.Option(help="Problems judged on that they may overlap with.")] = None,
    domain: Annotated[str, typer.Option(help="Whose rows they are, by domain.name.")] = "math",
    columns: Columns = None,
    repos: Repos = None,
    json: Json = False,
) -> None:
    """Name problems that are judged on and known from training splits; 1 where there are any.

    So it is where one statement has two answers, or a campaign could not start with so few problems. Without PATH the
    hash of the built-in sets is compared with data.dvc.
    """
    _need_path(path, against=against, map=columns, repos=repos)
    with _listing_bad_rows():
        reading = _reading(columns, repos)
        checks = _check_built_in() if path is None else {str(path): _check_own(path, against, domain, reading)}
    if not json:
        for name, found in checks.items():
            _show(name, found)
    if json:
        print_json(
            {
                name: vars(found) | {"overlaps": [vars(each) for each in found.overlaps]}
                for name, found in checks.items()
            }
        )
    if path is not None and against is None:
        _judge_size(path, checks[str(path)], is_shown=not json)
    is_trained = any(each.is_same for one in checks.values() for each in one.overlaps)
    raise typer.Exit(1 if is_trained or any(found.contradictions for found in checks.values()) else 0)


@app.command()
def verify(
    path: Annotated[Path | None, typer.Argument(help="A JSONL file, or a directory of them; else data/DOMAIN.")] = None,
    domain: Annotated[str, typer.Option(help="Whose rows they are, by domain.name.")] = "code",
    columns: Columns = None,
    repos: Repos = None,
    json: Json = False,
) -> None:
    """Grade the reference of each problem by its hidden tests, and see that an empty answer fails them."""
    from evotrainer.domains.problem_sets.check import weak_problems
    from evotrainer.domains.problem_sets.loading import split_rows
    from evotrainer.records.base import count_of

    _need_path(path, map=columns, repos=repos)
    with _listing_bad_rows():
        splits = split_rows(path or Path("data") / domain, domain, _reading(columns, repos))
    rows = [row for members in splits.values() for row in members]
    weak = list(weak_problems(rows, domain))
    if json:
        found = [{"row_id": row.row_id, "place": row.place, **vars(weakness)} for row, weakness in weak]
        print_json({"problems": len(rows), "weak": found})
    else:
        for row, weakness in weak:
            print(f"{row.place}: {row.row_id}: {weakness.kind}: {weakness.reason}")
        kinds = Counter(weakness.kind for _, weakness in weak)
        counts = "".join(f"; {kind}: {count}" for kind, count in sorted(kinds.items()))
        print(f"{count_of(len(rows), 'problem')}, {len(weak)} of them weak{counts}")
    raise typer.Exit(1 if weak else 0)


@app.command()
def export(
    domain: Annotated[str, typer.Argument(help="A domain, by domain.name: package.module:OBJECT for your own.")],
    out: Annotated[Path, typer.Argument(help="File or folder to write: JSONL, one file a split where there are any.")],
) -> None:
    """Write the problems that a domain brings, like the dataset of an environment, as a file for domain.data_path."""
    import json

    from evotrainer.domains import find_domain
    from evotrainer.records.base import count_of

    lines: dict[str, list[str]] = {}
    for split, row in find_domain(domain).problem_rows():
        lines.setdefault(split, []).append(json.dumps(row, ensure_ascii=False, default=str))
    if not lines:
        raise DataError(f"the domain '{domain}' brings no problems: set domain.data_path to a file of your own")
    for split, found in lines.items():
        path = out / f"{split}.jsonl" if split else out
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(found) + "\n", encoding="utf-8")
        print(f"{count_of(len(found), 'problem')}: {path}")


def _need_path(path: Path | None, **options: Any) -> None:
    """Raise ConfigError for an option of a person's own problems without these."""
    given = next((name for name, value in options.items() if value is not None), None)
    if path is None and given:
        raise ConfigError(f"--{given} is for problems of your own: name their file or folder")


def _check_built_in() -> "dict[str, ProblemCheck]":
    from evotrainer.campaign.layout import CampaignFiles
    from evotrainer.domains.problem_sets.check import check as check_data
    from evotrainer.domains.problem_sets.check import recorded_hash
    from evotrainer.domains.problem_sets.overlap import ProblemCheck

    files = CampaignFiles(checkout())
    return {name: ProblemCheck(counts, ()) for name, counts in check_data(files.data, recorded_hash(files)).items()}


@contextmanager
def _listing_bad_rows() -> Iterator[None]:
    """Print rows that cannot be used one a line, and end with their number."""
    from evotrainer.domains.problem_sets.loading import MAX_NAMED, BadRowsError

    try:
        yield
    except BadRowsError as error:
        for reason in error.reasons[:MAX_NAMED]:
            print(reason)
        shown = f", the first {MAX_NAMED} faults above" if len(error.reasons) > MAX_NAMED else ""
        raise DataError(f"{error.num_bad} of {error.num_rows} rows cannot be used{shown}") from None


def _reading(columns: str | None, repos: Path | None) -> "Reading":
    from evotrainer.config.yaml_files import read_mapping
    from evotrainer.domains.problem_sets.rows import Reading

    return Reading(read_mapping(columns) if columns else {}, str(repos.resolve()) if repos else "")


def _check_own(path: Path, against: Path | None, domain: str, reading: "Reading") -> "ProblemCheck":
    from evotrainer.diagnosis.thresholds import LIMITS
    from evotrainer.domains.problem_sets.check import contradictions, repeats
    from evotrainer.domains.problem_sets.loading import split_rows
    from evotrainer.domains.problem_sets.overlap import check_rows

    if against is None:
        splits = split_rows(path, domain, reading)
        opposed = contradictions([row for rows in splits.values() for row in rows], domain)
        found = check_rows(splits, None, LIMITS.text_overlap)
        return replace(found, contradictions=tuple(opposed), repeats=repeats(splits))
    places = (path, against)
    own, judged = ([row for rows in split_rows(place, domain, reading).values() for row in rows] for place in places)
    return check_rows({"train": own, "validation": judged}, None, LIMITS.text_overlap)


def _judge_size(path: Path, found: "ProblemCheck", is_shown: bool) -> None:
    """Say which gain the validation problems can show; raises DataError where a campaign could not start."""
    from evotrainer.config import Config
    from evotrainer.domains.problem_sets.check import require_splits
    from flows.workspace.checks import power

    judged = min(found.num_problems.get("validation", 0), Config().evaluate.max_problems)
    for one in power(judged) if is_shown else []:
        print(f"power: {one.message}")
    require_splits(path, found.num_problems)


def _show(name: str, found: "ProblemCheck") -> None:
    from evotrainer.domains.problem_sets.loading import MAX_NAMED

    pairs = [
        f"{each.problem_id} ({each.split}) and {each.other} ({each.source}): {each.kind}, {each.share:.0%} shared"
        for each in found.overlaps
    ]
    for lines in (pairs, found.contradictions, [found.repeats] if found.repeats else []):
        print(*lines[:MAX_NAMED], sep="\n", end="\n" if lines else "")
        if len(lines) > MAX_NAMED:
            print(f"and {len(lines) - MAX_NAMED} more (--json names all)")
    held = ", ".join(f"{count} {split}" for split, count in found.num_problems.items())
    same = sum(each.is_same for each in found.overlaps)
    print(f"{name}: {held}; {same} known, {len(found.overlaps) - same} with a text inside another")
