"""git log, show, reflog: what the history says."""

import heapq
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone

from evotrainer.domains.swe.checkout.git import patches
from evotrainer.domains.swe.checkout.git.options import GitError, Options, parse, whole_number
from evotrainer.domains.swe.checkout.git.revisions import (
    commit_of,
    find_object,
    missing,
    short,
    split_range,
    split_words,
    unknown,
)
from evotrainer.domains.swe.checkout.git.trees import (
    FileChange,
    changed_entries,
    matches,
    parent_tree,
    read_blob,
    read_commit,
    tree_changes,
)
from evotrainer.domains.swe.checkout.objects import Commit, Objects, decode_tree
from evotrainer.domains.swe.checkout.working_copy import GitState, WorkingCopy

_SHOWN = (
    "--oneline -p -u --patch --stat --name-only --name-status --no-patch -s --no-color --abbrev-commit --no-decorate"
)
_LOG_FLAGS = f"{_SHOWN} --all --reverse --no-merges --branches --remotes --follow"
_LOG_VALUES = "-n --max-count --grep -S --author --format --pretty --skip"


def log(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git log`."""
    options = parse("log", arguments, _LOG_FLAGS, _LOG_VALUES)
    revisions, paths = split_words(copy, options.words, options.paths)
    found = _selected(copy.git, options, revisions, paths)
    return _listed(copy.git, [(commit, values) for commit, values in found], options, paths)


def show(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git show`: commits with their patches, files and folders of a commit."""
    options = parse("show", arguments, _SHOWN, "--format --pretty")
    words = options.words or ("HEAD",)
    return "\n".join(_shown(copy, word, options) for word in words)


def reflog(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git reflog`: where HEAD has been in this episode; the time before is not there."""
    options = parse("reflog", [word for word in arguments if word not in ("show", "HEAD")], "--all --oneline", "-n")
    if options.words:
        raise unknown(options.words[0])
    entries_shown = copy.git.reflog[: _limit(options)]
    return "".join(f"{short(commit)} HEAD@{{{n}}}: {text}\n" for n, (commit, text) in enumerate(entries_shown))


def rev_list(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git rev-list`: the ids of commits."""
    options = parse("rev-list", arguments, "--all --reverse --no-merges --branches --remotes --count", "-n --max-count")
    revisions, paths = split_words(copy, options.words, options.paths)
    if not revisions and not options.has("--all", "--branches", "--remotes"):
        raise GitError("usage: git rev-list <commit>...")
    found = [commit for commit, _ in _selected(copy.git, options, revisions, paths)]
    return f"{len(found)}\n" if options.has("--count") else "".join(f"{commit}\n" for commit in found)


def walk(state: GitState, starts: Sequence[str], excluded: Sequence[str] = ()) -> Iterator[tuple[str, Commit]]:
    """Yield commits from `starts` back, the youngest first, without those that `excluded` reach."""
    hidden = {commit for commit, _ in walk(state, excluded)} if excluded else set()
    seen, queue, order = set(hidden), [], 0
    for start in starts:
        if start not in seen:
            seen.add(start)
            order += 1
            heapq.heappush(queue, (-_seconds(read_commit(state.objects, start)), order, start))
    while queue:
        _, _, commit = heapq.heappop(queue)
        values = read_commit(state.objects, commit)
        yield commit, values
        for parent in values.parents:
            if parent not in seen:
                seen.add(parent)
                order += 1
                heapq.heappush(queue, (-_seconds(read_commit(state.objects, parent)), order, parent))


def _selected(
    state: GitState, options: Options, revisions: Sequence[str], paths: Sequence[str]
) -> list[tuple[str, Commit]]:
    """Return the commits that a log shows, in its order."""
    starts, excluded = _ends(state, options, revisions)
    found = []
    limit, skip = _limit(options), _number(options.value("--skip") or "0")
    for commit, values in walk(state, starts, excluded):
        if limit is not None and len(found) >= limit + skip:
            break
        if _is_wanted(state.objects, values, options, paths):
            found.append((commit, values))
    return found[skip:][::-1] if options.has("--reverse") else found[skip:]


def _ends(state: GitState, options: Options, revisions: Sequence[str]) -> tuple[list[str], list[str]]:
    starts, excluded = [], []
    for word in revisions:
        if word.startswith("^"):
            excluded.append(commit_of(state, word[1:]))
            continue
        out, commit = split_range(state, word)
        starts.append(commit)
        excluded += [out] if out else []
    wanted = {"--all": "refs/", "--branches": "refs/heads/", "--remotes": "refs/remotes/"}
    for flag, prefix in wanted.items():
        if options.has(flag):
            starts += [commit for ref, commit in sorted(state.refs.items()) if ref.startswith(prefix)]
            starts += [stash.commit for stash in state.stashes[:1]] if flag == "--all" else []
    if options.has("--all"):
        starts.append(state.head)
    return starts or [state.head], excluded


def _is_wanted(objects: Objects, commit: Commit, options: Options, paths: Sequence[str]) -> bool:
    if options.has("--no-merges") and len(commit.parents) > 1:
        return False
    text, author, pick = options.value("--grep"), options.value("--author"), options.value("-S")
    if (text and text not in commit.message) or (author and author not in commit.author):
        return False
    if paths and not _touches(objects, commit, paths):
        return False
    return pick is None or any(_count(change, pick) for change in _changes(objects, commit, paths))


def _touches(objects: Objects, commit: Commit, paths: Sequence[str]) -> bool:
    """Return whether a commit changed one of the paths, against each of its parents."""
    trees: list[str | None] = [read_commit(objects, parent).tree for parent in commit.parents] or [None]
    return all(
        any(matches(path, paths) for path, _, _ in changed_entries(objects, tree, commit.tree)) for tree in trees
    )


def _count(change: FileChange, text: str) -> bool:
    before, after = (side.text.count(text) if side else 0 for side in (change.old, change.new))
    return before != after


def _changes(objects: Objects, commit: Commit, paths: Sequence[str] = ()) -> list[FileChange]:
    return tree_changes(objects, parent_tree(objects, commit), commit.tree, paths)


def _listed(
    state: GitState,
    found: Sequence[tuple[str, Commit]],
    options: Options,
    paths: Sequence[str],
    with_patch: bool = False,
) -> str:
    form = "oneline" if options.has("--oneline") else options.value("--format", "--pretty") or "medium"
    name = short if options.has("--oneline", "--abbrev-commit") else str
    return ("\n" if form == "medium" else "").join(
        _entry(name(commit), values, form) + _body(state.objects, values, options, paths, with_patch, form)
        for commit, values in found
    )


def _entry(commit: str, values: Commit, form: str) -> str:
    if form == "oneline":
        return f"{commit} {subject(values)}\n"
    if form != "medium":
        return _formatted(commit, values, form.removeprefix("format:").removeprefix("tformat:")) + "\n"
    merge = f"Merge: {' '.join(map(short, values.parents))}\n" if len(values.parents) > 1 else ""
    message = "".join(f"    {line}\n" for line in values.message.rstrip("\n").split("\n"))
    name, when = _who(values.author), date(values.author)
    return f"commit {commit}\n{merge}Author: {name}\nDate:   {when}\n\n{message}"


def _body(objects: Objects, commit: Commit, options: Options, paths: Sequence[str], with_patch: bool, form: str) -> str:
    """Return what follows a commit's message: nothing, a table, the patch, or both."""
    shape = next((name for name in ("--stat", "--name-only", "--name-status") if options.has(name)), None)
    is_patch = options.has("-p", "-u", "--patch") or (with_patch and shape is None)
    if options.has("--no-patch", "-s") or (shape is None and not is_patch) or len(commit.parents) > 1:
        return ""
    changes = _changes(objects, commit, paths)
    tables = {"--stat": patches.stat, "--name-only": patches.name_only, "--name-status": patches.name_status}
    table, text = tables[shape](changes) if shape else "", patches.patch(changes) if is_patch else ""
    if not table and not text:
        return ""
    before = "" if form == "oneline" else "---\n" if table and text and form == "medium" else "\n"
    return before + "\n".join(part for part in (table, text) if part)


def _shown(copy: WorkingCopy, word: str, options: Options) -> str:
    entry = find_object(copy, word)
    if entry is None:
        raise missing(copy, word)
    objects = copy.git.objects
    kind = objects.read(entry.object_id)[0]
    if kind == "commit":
        values = read_commit(objects, entry.object_id)
        return _listed(copy.git, [(entry.object_id, values)], options, (), with_patch=True)
    if kind == "tree":
        names = decode_tree(objects.read(entry.object_id)[1]).items()
        return f"tree {word}\n\n" + "".join(f"{name}{'/' * child.is_tree}\n" for name, child in names)
    return read_blob(objects, entry).text


_FORMATS = {
    "%H": lambda commit, values: commit,
    "%h": lambda commit, values: short(commit),
    "%s": lambda commit, values: subject(values),
    "%an": lambda commit, values: values.author.partition(" <")[0],
    "%ae": lambda commit, values: values.author.partition("<")[2].partition(">")[0],
    "%ad": lambda commit, values: date(values.author),
    "%B": lambda commit, values: values.message,
    "%b": lambda commit, values: values.message.partition("\n\n")[2],
    "%n": lambda commit, values: "\n",
    "%%": lambda commit, values: "%",
}


def _formatted(commit: str, values: Commit, form: str) -> str:
    text, rest = "", form
    while rest:
        code = next((code for code in sorted(_FORMATS, key=len, reverse=True) if rest.startswith(code)), None)
        if code is None and rest.startswith("%"):
            raise GitError(f"error: the format {rest[:3]} is not there: use {' '.join(_FORMATS)}")
        text += _FORMATS[code](commit, values) if code else rest[0]
        rest = rest[len(code or "x") :]
    return text


def _limit(options: Options) -> int | None:
    value = options.value("-n", "--max-count")
    return None if value is None else _number(value)


def _number(value: str) -> int:
    number = whole_number(value)
    if number is None:
        raise GitError(f"fatal: '{value}': not an integer")
    return number


def subject(commit: Commit) -> str:
    """Return the first paragraph of a commit's message, as one line."""
    return " ".join(commit.message.strip("\n").partition("\n\n")[0].split("\n"))


def _seconds(commit: Commit) -> int:
    return int(commit.committer.rsplit(" ", 2)[1])


def _who(author: str) -> str:
    return author.rsplit(" ", 2)[0]


def date(author: str) -> str:
    """Return a date as git writes it: Mon Jan 1 00:00:00 2024 +0000."""
    when = moment(author)
    return f"{when:%a %b} {when.day} {when:%H:%M:%S %Y %z}"


def moment(author: str) -> datetime:
    """Return when an author wrote, in that author's zone."""
    _, seconds, zone = author.rsplit(" ", 2)
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:5])) * (-1 if zone[0] == "-" else 1)
    return datetime.fromtimestamp(int(seconds), timezone(offset))
