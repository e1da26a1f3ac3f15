"""A line of a swe file: a repository within the row, or, as SWE-bench publishes them, one on disk.

docs/domains.md lists the keys of a row with its repository; `future` are the commits after the issue, other keys are
kept. Without `files` they are the sum of the history, without `history` there is one commit of all files.

Rows of SWE-bench, SWE-bench Verified and SWE-rebench name a git clone on disk. FAIL_TO_PASS and PASS_TO_PASS come as
JSON text (SWE-bench) or as lists (SWE-rebench). The clone, bare or not, is looked for as owner__name, owner/name or
name, with or without .git, at the places that docs/domains.md names. The hints
were written after the issue and often hold the answer: they are kept in the data and never shown. Tests run under
pytest of our own environment: ids of other test runners are refused, and what a repository needs must be installed
there, or in the folder that `packages` names, made by: pip install --target packages/astropy-5 -r requirements.txt
It stands first on the import path of the row's test runs, which may read it and not write. So two rows may need two
versions of one package. pytest is ours, since the runner watches it from within.

What makes two repository problems near-duplicates is the change that solves them, names aside: the gold patch's lines
with their context, without file names and places, and with every name of the code replaced by its order of appearance,
but for keywords, built-ins and attributes. Renaming a repository changes nothing of it; an issue in other words, or
other files around, neither.

Sources: SWE-bench (Jimenez et al. 2024) and SWE-rebench (Badertdinov et al. 2025), their data cards.
"""

import builtins
import keyword
import re
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from evotrainer.campaign.documents import first_error
from evotrainer.domains.problem_sets.files import JsonError, read_json
from evotrainer.domains.problem_sets.rows import REPOSITORIES, Row, difficulty_of, family_of, text_of
from evotrainer.domains.swe.checkout.repository import FIRST_MESSAGE
from evotrainer.errors import DataError

IMAGES = ("docker_image", "image_name", "dockerhub_tag", "image")
"""Keys by which sets name a container image for each problem."""
DIFFICULTIES = {"<15 min fix": 0.1, "15 min - 1 hour": 0.4, "1-4 hours": 0.7, ">4 hours": 1.0}
"""SWE-bench Verified's estimates of a person's time; other values are kept in the data only."""

_NAMES = {
    "problem_statement": "problem",
    "patch": "answer",
    "FAIL_TO_PASS": "fail_to_pass",
    "PASS_TO_PASS": "pass_to_pass",
}
"""Keys of SWE-bench, and ours."""
_READ_KEYS = {*_NAMES, "instance_id", "problem", "family", REPOSITORIES}
_OWN_READ_KEYS = {"id", "problem", "family", "difficulty"}


def _inside(path: str) -> str:
    pure = PurePosixPath(path)
    if not pure.parts or pure.is_absolute() or ".." in pure.parts or ".git" in pure.parts or str(pure) != path:
        raise ValueError(f"path '{path}' must lie in the repository, as git writes it")
    return path


def _listed(ids: Any) -> Any:
    try:
        return read_json(ids) if isinstance(ids, str) else ids
    except JsonError as error:
        raise ValueError(f"is text, but no JSON list: it {error}") from None


def _whole(patch: str) -> str:
    """Return a unified diff as it stands: its last lines may be blank, and count."""
    if "\n+++ " not in f"\n{patch}" or "\n@@ " not in patch:
        raise ValueError("must be a unified diff with its file names, as `git diff` writes it")
    return patch if patch.endswith("\n") else f"{patch}\n"


_Files = dict[Annotated[str, AfterValidator(_inside)], str]
_Patch = Annotated[str, AfterValidator(_whole)]
_TestIds = Annotated[list[Annotated[str, Field(pattern=r"^[^:]*\.py::")]], BeforeValidator(_listed)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class _Commit(_Part):
    message: str = Field(pattern=r"\S")
    changes: dict[Annotated[str, AfterValidator(_inside)], str | None]


class _Row(_Part):
    """What of a row is checked by its type."""

    answer: _Patch
    fail_to_pass: Annotated[_TestIds, Field(min_length=1)]
    pass_to_pass: _TestIds = []


class _OwnRow(_Row):
    files: _Files = {}
    history: list[_Commit] = []
    future: list[_Commit] = []
    hidden_tests: _Files = {}
    test_runner: Literal["light", "pytest"] = "pytest"


class _BenchmarkRow(_Row):
    base_commit: str = Field(pattern=r"^[0-9a-f]{7,40}$")
    test_patch: _Patch


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError with the place of what is missing or wrong, a repository on disk included."""
    is_benchmark = "instance_id" in values
    named = values
    if is_benchmark:
        named = values | {ours: values[theirs] for theirs, ours in _NAMES.items() if theirs in values}
    kept = {key: value for key, value in named.items() if key not in (_READ_KEYS if is_benchmark else _OWN_READ_KEYS)}
    problem = text_of(named, "problem", place)
    try:
        data = (_BenchmarkRow if is_benchmark else _OwnRow).model_validate(kept).model_dump()
    except ValidationError as error:
        raise DataError(f"{place}: {first_error(error)}") from None
    answer = data.pop("answer")
    identity = identity_of(answer)
    return Row(
        row_id=text_of(values, "instance_id" if is_benchmark else "id", place),
        problem=problem,
        answer=answer,
        family=text_of(values, "repo", place) if is_benchmark and "family" not in values else family_of(values, place),
        difficulty=_difficulty(values) if is_benchmark else difficulty_of(values, place),
        data=data | _places(values, place) | (_ON_DISK if is_benchmark else _repository(data, place)),
        identity=f"{problem}\n{identity}" if is_benchmark else identity,
    )


_ON_DISK = {"hidden_tests": {}, "test_runner": "pytest"}


def anchored(values: dict[str, Any], place: str) -> dict[str, Any]:
    """Return a row's values with the places of repository and packages made absolute: the row may then be moved."""
    return {key: value for key, value in values.items() if key != REPOSITORIES} | _places(values, place)


def _places(values: dict[str, Any], place: str) -> dict[str, str]:
    """Return the absolute places of a repository on disk and of a folder of packages, where a row names them."""
    found = {"repository": str(_find_repository(values, place))} if "instance_id" in values else {}
    if "packages" in values:
        folder = (Path(place.rpartition(":")[0]).parent / text_of(values, "packages", place)).resolve()
        if not folder.is_dir():
            raise DataError(f"{place}: 'packages' names no folder: {folder}")
        found["packages"] = str(folder)
    return found


def _find_repository(values: dict[str, Any], place: str) -> Path:
    folder = Path(place.rpartition(":")[0]).parent
    if "repository" in values:
        candidates = [folder / text_of(values, "repository", place)]
    else:
        home = Path(values.get(REPOSITORIES) or folder / REPOSITORIES)
        repo = text_of(values, "repo", place)
        names = [repo.replace("/", "__"), repo, repo.rpartition("/")[2]]
        candidates = [home / f"{name}{ending}" for name in names for ending in ("", ".git")]
    path = next((candidate for candidate in candidates if candidate.exists()), None)
    if path is None:
        raise DataError(f"{place}: no repository at {candidates[0]}: {_advice(values)}")
    if not (path / ".git").exists() and not (path / "HEAD").is_file():
        raise DataError(f"{place}: {path} is no git repository: clone it, a copy of its files has no commits")
    return path.resolve()


def _advice(values: dict[str, Any]) -> str:
    image = next((key for key in IMAGES if values.get(key)), None)
    if image is None:
        return "clone it there, or name its place in 'repository'"
    return (
        f"'{image}' names a container image, and images are not run; supported is a local clone (--repos DIR, in a "
        "campaign domain.repositories) whose requirements are installed beside EvoTrainer, or in the folder 'packages'"
    )


def _difficulty(values: dict[str, Any]) -> float:
    given = values.get("difficulty")
    return DIFFICULTIES.get(given, 0.0) if isinstance(given, str) else 0.0


def tree_of(history: list[dict[str, Any]]) -> dict[str, str]:
    """Return the files after a list of commits, path -> text; a change to null removes the file."""
    merged = {path: text for commit in history for path, text in commit["changes"].items()}
    return {path: text for path, text in merged.items() if text is not None}


def _repository(data: dict[str, Any], place: str) -> dict[str, Any]:
    history = data["history"] or [{"message": FIRST_MESSAGE, "changes": data["files"]}]
    files = data["files"] or tree_of(history)
    if not files or tree_of(history) != files:
        raise DataError(f"{place}: give the repository as 'files' or as 'history', which leads to them")
    paths = {*files, *data["hidden_tests"]}
    for name in (*data["fail_to_pass"], *data["pass_to_pass"]):
        if name.partition("::")[0] not in paths:
            raise DataError(f"{place}: test '{name}' stands in no file of 'hidden_tests' or of the repository")
    if "packages" in data and data["test_runner"] != "pytest":
        raise DataError(f'{place}: \'packages\' needs "test_runner": "pytest": light imports nothing installed')
    return {"files": files, "history": history}


_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_HEADERS = (
    "diff ",
    "index ",
    "--- ",
    "+++ ",
    "@@",
    "new file",
    "deleted file",
    "similarity ",
    "rename ",
    "old mode",
    "new mode",
)
_KEPT = {*keyword.kwlist, *dir(builtins)}


def identity_of(patch: str) -> str:
    """Return the canonical text of a unified diff."""
    lines = [line for line in patch.splitlines() if not line.startswith(_HEADERS)]
    code = [line for line in lines if not is_prose(line)]
    names = {name: f"name{place}" for place, name in enumerate(_names(code))}
    return "\n".join(_NAME.sub(lambda match: names.get(match.group(), match.group()), line) for line in lines)


def is_prose(line: str) -> bool:
    """Tell whether a line is part of a docstring or a comment, as far as one line shows."""
    text = line[1:].strip()
    return text.startswith(('"""', "'''", "#"))


def _names(lines: list[str]) -> list[str]:
    found = [name for line in lines for name in _NAME.findall(line) if name not in _KEPT]
    return list(dict.fromkeys(found))
