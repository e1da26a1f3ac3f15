"""git status, diff, checkout, restore: the working tree against the index and the history."""

from collections.abc import Mapping, Sequence

from evotrainer.repositories.git import patches
from evotrainer.repositories.git.options import GitError, Options, parse
from evotrainer.repositories.git.revisions import commit_of, find_commit, short, split_range, split_words
from evotrainer.repositories.git.trees import Blob, FileChange, matches, read_commit, tree_changes, tree_files
from evotrainer.repositories.objects import blob_id
from evotrainer.repositories.working_copy import WorkingCopy, inside

_DIFF_FLAGS = "--cached --staged --stat --name-only --name-status --no-color -p -u --patch"


def diff(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git diff`: the working tree against the index or a commit, the index, or two commits."""
    options = parse("diff", arguments, _DIFF_FLAGS)
    revisions, paths = split_words(copy, options.words, options.paths)
    ends = [end for word in revisions for end in split_range(copy.git, word) if end]
    changes = _compared(copy, ends, options.has("--cached", "--staged"), paths)
    return _rendered(changes, options)


def _compared(copy: WorkingCopy, commits: Sequence[str], is_index: bool, paths: Sequence[str]) -> list[FileChange]:
    state = copy.git
    trees = [read_commit(state.objects, commit).tree for commit in commits]
    if len(trees) == 2:
        return tree_changes(state.objects, trees[0], trees[1], paths)
    if len(trees) > 2:
        raise GitError("usage: git diff [<commit> [<commit>]] [-- <path>...]")
    tracked = {path: text for path, text in copy.files.items() if path in state.index}
    if is_index:
        tree = trees[0] if trees else read_commit(state.objects, state.head).tree
        return file_changes(copy, tree_files(state.objects, tree), state.index, paths)
    old = tree_files(state.objects, trees[0]) if trees else state.index
    return file_changes(copy, old, tracked, paths)


def file_changes(
    copy: WorkingCopy, old: Mapping[str, str], new: Mapping[str, str], paths: Sequence[str] = ()
) -> list[FileChange]:
    """Return what differs between two sets of files, sorted by path."""
    names = sorted(path for path in {*old, *new} if old.get(path) != new.get(path) and matches(path, paths))
    return [FileChange(path, _blob(copy, path, old), _blob(copy, path, new)) for path in names]


def _blob(copy: WorkingCopy, path: str, files: Mapping[str, str]) -> Blob | None:
    return Blob(copy.mode(path), blob_id(files[path]), files[path]) if path in files else None


def _rendered(changes: Sequence[FileChange], options: Options) -> str:
    if options.has("--name-only"):
        return patches.name_only(changes)
    if options.has("--name-status"):
        return patches.name_status(changes)
    return patches.stat(changes) if options.has("--stat") else patches.patch(changes)


def status(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git status`; always in the short form, with the branch above it in the long one."""
    options = parse("status", arguments, "-s --short --porcelain -b --branch --long")
    rows = _status_rows(copy)
    if options.has("-s", "--short", "--porcelain"):
        branch = [f"## {_branch(copy) or 'HEAD (no branch)'}"] if options.has("-b", "--branch") else []
        return "".join(f"{line}\n" for line in [*branch, *rows])
    head = f"On branch {_branch(copy)}" if _branch(copy) else f"HEAD detached at {short(copy.git.head)}"
    return "".join(f"{line}\n" for line in [head, *(rows or ["nothing to commit, working tree clean"])])


def _branch(copy: WorkingCopy) -> str | None:
    return copy.git.head_ref and copy.git.head_ref.removeprefix("refs/heads/")


def _status_rows(copy: WorkingCopy) -> list[str]:
    state = copy.git
    head = tree_files(state.objects, read_commit(state.objects, state.head).tree)
    rows = []
    for path in sorted({*head, *state.index}):
        staged = _letter(head.get(path), state.index.get(path))
        unstaged = _letter(state.index.get(path), copy.files.get(path)) if path in state.index else " "
        if staged != " " or unstaged != " ":
            rows.append(f"{staged}{unstaged} {path}")
    return rows + [f"?? {path}" for path in _untracked(copy)]


def _untracked(copy: WorkingCopy) -> list[str]:
    """Return untracked files; a folder without any tracked file stands for all in it."""
    tracked = {"/".join(path.split("/")[:depth]) for path in copy.git.index for depth in range(1, path.count("/") + 1)}
    found = set()
    for path in copy.files:
        if path not in copy.git.index:
            parts = path.split("/")
            folders = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
            outer = next((folder for folder in folders if folder not in tracked), None)
            found.add(f"{outer}/" if outer else path)
    return sorted(found)


def _letter(before: str | None, after: str | None) -> str:
    if before == after:
        return " "
    return "A" if before is None else "D" if after is None else "M"


def checkout(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git checkout`: files from the index or a commit, or another commit as a whole."""
    options = parse("checkout", arguments, "-q --quiet -f --force --detach")
    words, paths = list(options.words), options.paths
    if paths is not None and len(words) > 1:
        raise GitError("fatal: only one reference expected")
    source = words.pop(0) if words and find_commit(copy.git, words[0]) else None
    if paths is None and words:
        paths = tuple(words)
    elif words:
        raise GitError(f"fatal: invalid reference: {words[0]}")
    if paths:
        return restore_paths(copy, source, paths, is_index=True)
    if source is None:
        return ""
    return switch_to(copy, options.words[0], is_forced=options.has("-f", "--force"))


def restore(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git restore`: files of the working tree, of the index (--staged), or both, from a commit (--source)."""
    options = parse("restore", arguments, "-S --staged -W --worktree -q --quiet", "-s --source")
    paths = (*options.words, *(options.paths or ()))
    if not paths:
        raise GitError("fatal: you must specify path(s) to restore")
    is_index = options.has("-S", "--staged")
    source = options.value("-s", "--source") or ("HEAD" if is_index else None)
    is_tree = options.has("-W", "--worktree") or not is_index
    restore_paths(copy, source, paths, is_index=is_index, is_tree=is_tree, overlay=False)
    return ""


def restore_paths(
    copy: WorkingCopy,
    source: str | None,
    paths: Sequence[str],
    *,
    is_index: bool,
    is_tree: bool = True,
    overlay: bool = True,
) -> str:
    """Put files back as the index or a commit has them. With `overlay`, files that it lacks stay."""
    state = copy.git
    wanted = [inside(path, is_folder=True) for path in paths]
    if source is None:
        found = {path: text for path, text in state.index.items() if matches(path, wanted)}
    else:
        tree = read_commit(state.objects, commit_of(state, source)).tree
        found = tree_files(state.objects, tree, [path for path in wanted if path] if all(wanted) else ())
    for path, word in zip(wanted, paths, strict=True):
        known = found if overlay or source is None else {**found, **state.index}
        if not any(matches(name, [path]) for name in known) and path:
            raise GitError(f"error: pathspec '{word}' did not match any file(s) known to git")
    gone = [] if overlay else [name for name in state.index if matches(name, wanted) and name not in found]
    targets = ([state.index] if is_index and source else []) + ([copy.files] if is_tree else [])
    num_changed = sum(copy.files.get(path) != text for path, text in found.items())
    for files in targets:
        files.update(found)
        for name in gone:
            files.pop(name, None)
    place = f"from {short(commit_of(state, source))}" if source else "from the index"
    num_said = len(found) if source else num_changed
    return f"Updated {num_said} path{'s' * (num_said != 1)} {place}\n"


def switch_to(copy: WorkingCopy, name: str, *, is_forced: bool = False) -> str:
    """Check another commit out as a whole; local changes of files that differ there are in the way."""
    state = copy.git
    target = commit_of(state, name)
    old = tree_files(state.objects, read_commit(state.objects, state.head).tree)
    new = tree_files(state.objects, read_commit(state.objects, target).tree)
    differing = {path for path in {*old, *new} if old.get(path) != new.get(path)}
    local = sorted(path for path in differing if copy.files.get(path) not in (old.get(path), new.get(path)))
    if local and not is_forced:
        raise GitError("error: Your local changes to the following files would be overwritten by checkout: " + local[0])
    changed = differing if not is_forced else {*old, *new, *state.index}
    for files in (state.index, copy.files):
        for path in changed:
            if path in new:
                files[path] = new[path]
            else:
                files.pop(path, None)
    branch = f"refs/heads/{name}" if f"refs/heads/{name}" in state.refs else None
    before = (_branch(copy) or state.head) if state.head_ref else state.head
    state.head, state.head_ref = target, branch
    state.reflog.insert(0, (target, f"checkout: moving from {before} to {name}"))
    subject = read_commit(state.objects, target).message.partition("\n")[0]
    return f"Switched to branch '{name}'\n" if branch else f"HEAD is now at {short(target)} {subject}\n"
