"""git status, diff, add, restore, and what they share: the files of the working tree, the index and a commit."""

from collections.abc import Mapping, Sequence

from evotrainer.domains.swe.checkout.git import patches
from evotrainer.domains.swe.checkout.git.options import GitError, Options, parse
from evotrainer.domains.swe.checkout.git.revisions import commit_of, short, split_range, split_words
from evotrainer.domains.swe.checkout.git.trees import (
    Blob,
    FileChange,
    changed_entries,
    matches,
    read_blob,
    read_commit,
    tree_changes,
)
from evotrainer.domains.swe.checkout.objects import blob_id
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy, inside

_DIFF_FLAGS = "--cached --staged --stat --name-only --name-status --no-color -p -u --patch"


def commit_files(copy: WorkingCopy, commit: str) -> dict[str, str]:
    """Return path -> text of a commit's files; only what differs from the problem's own files is read."""
    state, files = copy.git, dict(copy.repository.files)
    tree = read_commit(state.objects, commit).tree
    for path, _, entry in changed_entries(state.objects, state.base_tree, tree):
        if entry is None:
            files.pop(path, None)
        else:
            files[path] = read_blob(state.objects, entry).text
    return files


def file_changes(
    copy: WorkingCopy, old: Mapping[str, str], new: Mapping[str, str], paths: Sequence[str] = ()
) -> list[FileChange]:
    """Return what differs between two sets of files, sorted by path."""
    names = sorted(path for path in {*old, *new} if old.get(path) != new.get(path) and matches(path, paths))
    return [FileChange(path, _blob(copy, path, old), _blob(copy, path, new)) for path in names]


def _blob(copy: WorkingCopy, path: str, files: Mapping[str, str]) -> Blob | None:
    return Blob(copy.mode(path), blob_id(files[path]), files[path]) if path in files else None


def tracked(copy: WorkingCopy) -> dict[str, str]:
    """Return the working tree's files that the index knows."""
    return {path: text for path, text in copy.files.items() if path in copy.git.index}


def diff(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git diff`: the working tree against the index or a commit, the index, or two commits."""
    options = parse("diff", arguments, _DIFF_FLAGS)
    revisions, paths = split_words(copy, options.words, options.paths)
    ends = [end for word in revisions for end in split_range(copy.git, word) if end]
    return rendered(_compared(copy, ends, options.has("--cached", "--staged"), paths), options)


def rendered(changes: Sequence[FileChange], options: Options) -> str:
    """Return changes in the form that was asked for; as a patch where none was."""
    if options.has("--name-only"):
        return patches.name_only(changes)
    if options.has("--name-status"):
        return patches.name_status(changes)
    return patches.stat(changes) if options.has("--stat") else patches.patch(changes)


def _compared(copy: WorkingCopy, commits: Sequence[str], is_index: bool, paths: Sequence[str]) -> list[FileChange]:
    state = copy.git
    if len(commits) == 2 and not is_index:
        old, new = (read_commit(state.objects, commit).tree for commit in commits)
        return tree_changes(state.objects, old, new, paths)
    if len(commits) > 1:
        raise GitError("usage: git diff [<commit> [<commit>]] [-- <path>...]")
    if is_index:
        return file_changes(copy, commit_files(copy, commits[0] if commits else state.head), state.index, paths)
    if commits:
        return file_changes(copy, commit_files(copy, commits[0]), tracked(copy), paths)
    return file_changes(copy, state.index, tracked(copy), paths)


def status(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git status`, always as `git status --short --branch`; without the branch where --short is asked for."""
    options = parse("status", arguments, "-s --short --porcelain -b --branch -sb")
    rows = status_rows(copy)
    if options.has("-s", "--short", "--porcelain") and not options.has("-b", "--branch"):
        return "".join(f"{line}\n" for line in rows)
    return "".join(f"{line}\n" for line in [f"## {branch_name(copy) or 'HEAD (no branch)'}", *rows])


def branch_name(copy: WorkingCopy) -> str | None:
    """Return the branch that is checked out; None where HEAD is detached."""
    return copy.git.head_ref and copy.git.head_ref.removeprefix("refs/heads/")


def status_rows(copy: WorkingCopy) -> list[str]:
    """Return the lines of `git status --short`."""
    state, rows = copy.git, []
    head = commit_files(copy, state.head)
    for path in sorted({*head, *state.index}):
        staged = _letter(head.get(path), state.index.get(path))
        unstaged = _letter(state.index.get(path), copy.files.get(path)) if path in state.index else " "
        if staged != " " or unstaged != " ":
            rows.append(f"{staged}{unstaged} {patches.quoted(path, also_spaces=True)}")
    return rows + [f"?? {patches.quoted(path, also_spaces=True)}" for path in _untracked(copy)]


def _untracked(copy: WorkingCopy) -> list[str]:
    """Return untracked files; a folder without any tracked file stands for all in it."""
    known = {"/".join(path.split("/")[:depth]) for path in copy.git.index for depth in range(1, path.count("/") + 1)}
    found = set()
    for path in copy.files:
        if path not in copy.git.index:
            parts = path.split("/")
            folders = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
            outer = next((folder for folder in folders if folder not in known), None)
            found.add(f"{outer}/" if outer else path)
    return sorted(found)


def _letter(before: str | None, after: str | None) -> str:
    if before == after:
        return " "
    return "A" if before is None else "D" if after is None else "M"


def add(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git add`: put the working tree's files into the index."""
    options = parse("add", arguments, "-A --all -u --update -f --force")
    paths = [inside(path, is_folder=True) for path in (*options.words, *(options.paths or ()))]
    if not paths and not options.has("-A", "--all", "-u", "--update"):
        raise GitError("Nothing specified, nothing added.")
    index = copy.git.index
    for path in paths:
        if path and not any(matches(name, [path]) for name in {**index, **copy.files}):
            raise GitError(f"fatal: pathspec '{path}' did not match any files")
    for path in {**index, **copy.files}:
        if not all(paths) or matches(path, paths):
            if path not in copy.files:
                index.pop(path)
            elif path in index or not options.has("-u", "--update"):
                index[path] = copy.files[path]
    return ""


def restore(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git restore`: files of the working tree, of the index (--staged), or both, from a commit (--source)."""
    options = parse("restore", arguments, "-S --staged -W --worktree -q --quiet -SW", "-s --source")
    paths = (*options.words, *(options.paths or ()))
    if not paths:
        raise GitError("fatal: you must specify path(s) to restore")
    is_index = options.has("-S", "--staged", "-SW")
    source = options.value("-s", "--source") or ("HEAD" if is_index else None)
    is_tree = options.has("-W", "--worktree", "-SW") or not is_index
    restore_paths(copy, source, paths, is_index=is_index, is_tree=is_tree, overlay=False)
    return ""


def restore_paths(
    copy: WorkingCopy, source: str | None, paths: Sequence[str], *, is_index: bool, is_tree: bool, overlay: bool
) -> str:
    """Put files back as the index or a commit has them. With `overlay`, files that it lacks stay."""
    state = copy.git
    wanted = [inside(path, is_folder=True) for path in paths]
    origin = state.index if source is None else commit_files(copy, commit_of(state, source))
    found = {path: text for path, text in origin.items() if not all(wanted) or matches(path, wanted)}
    known = found if overlay or source is None else {**found, **state.index}
    for path, word in zip(wanted, paths, strict=True):
        if not any(not path or matches(name, [path]) for name in known):
            raise GitError(f"error: pathspec '{word}' did not match any file(s) known to git")
    gone = (
        [] if overlay else [name for name in known if name not in found and (not all(wanted) or matches(name, wanted))]
    )
    num_changed = sum(state.index.get(path) != text or copy.files.get(path) != text for path, text in found.items())
    for files in [state.index] * (is_index and source is not None) + [copy.files] * is_tree:
        files.update(found)
        for name in gone:
            files.pop(name, None)
    place = short(read_commit(state.objects, commit_of(state, source)).tree) if source else "the index"
    return f"Updated {num_changed} path{'s' * (num_changed != 1)} from {place}\n"
